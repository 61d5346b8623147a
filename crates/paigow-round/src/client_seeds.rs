//! Client seeds: committed or absent, nothing in between (D10).

use std::collections::BTreeMap;

use super::refusal::{FactKey, Reason, Refusal, Refusals};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::ClientPolicy;
use paigow_fairness::seed::client_commit;
use paigow_rules::cards::Seat;
use paigow_rules::game::WagerSheet;

/// A fault of the seed of one seat.
///
/// The round can then only be voided. The operator of the table has to know which seat caused it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SeedFault {
    /// The seat.
    pub seat: Seat,
    what: &'static str,
}

impl std::fmt::Display for SeedFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "seat {} {}", self.seat, self.what)
    }
}

/// Checks the seeds revealed in a lock against the ticket.
///
/// Let C be the seats committed in the ticket, W those with a wager, and R those with a seed.
///
/// - Policy none: C = R = {}.
/// - Policy optional: R = C, and C is within W.
/// - Policy committed: R = C = W.
///
/// Returns the faults by seat, ascending, at most one for each seat. Returns an empty list if there
/// is no fault.
pub fn check(
    policy: ClientPolicy,
    round_id: &Hash,
    committed: &BTreeMap<Seat, Hash>,
    wagered: impl Iterator<Item = Seat> + Clone,
    revealed: &BTreeMap<Seat, Vec<u8>>,
) -> Vec<SeedFault> {
    let what = |seat: Seat| {
        let wagers = || wagered.clone().any(|one| one == seat);
        match (committed.get(&seat), revealed.get(&seat)) {
            (None, None) if policy == ClientPolicy::Committed && wagers() => {
                Some("has a wager and has not committed to a seed, which the policy wants")
            }
            (None, None) => None,
            _ if policy == ClientPolicy::None => Some("has a seed, and the policy takes none"),
            (None, Some(_)) => Some("shows a seed and has not committed to one"),
            (Some(_), _) if !wagers() => Some("has committed to a seed and has no wager"),
            (Some(_), None) => Some("does not show the seed that it has committed to"),
            (Some(commit), Some(seed)) if client_commit(round_id, seat, seed) != *commit => {
                Some("shows a seed that does not open its commitment")
            }
            (Some(_), Some(_)) => None,
        }
    };
    Seat::ALL
        .into_iter()
        .filter_map(|seat| what(seat).map(|what| SeedFault { seat, what }))
        .collect()
}

/// Passes client seeds without faults.
///
/// # Errors
///
/// One refusal that lists every fault, each with the field that `path` returns for its seat.
pub fn pass(faults: &[SeedFault], path: impl Fn(Seat) -> String) -> Result<(), Refusal> {
    let mut refusals = Refusals::default();
    for fault in faults {
        let refusal = Refusal::at(Reason::ClientCommit, path(fault.seat), fault.to_string());
        refusals.absorb(refusal.with(FactKey::Seat, fault.seat));
    }
    refusals.finish(())
}

/// Returns the seeds of a typed sheet by seat.
///
/// # Errors
///
/// Returns a refusal of a seat that states its seed twice, blamed at `wagers[i].client_seed`.
pub fn of_sheet(
    sheet: &WagerSheet,
    seeds: &[(usize, Vec<u8>)],
) -> Result<BTreeMap<Seat, Vec<u8>>, Refusal> {
    let mut refusals = Refusals::default();
    let mut by_seat = BTreeMap::new();
    for (place, seed) in seeds {
        let Some(wager) = sheet.wagers.get(*place) else { continue };
        if by_seat.insert(wager.seat, seed.clone()).is_some() {
            let refusal = Refusal::at(
                Reason::ClientCommit,
                format!("wagers[{place}].client_seed"),
                format!("seat {} says its client seed twice", wager.seat),
            );
            refusals.absorb(refusal.with(FactKey::Seat, wager.seat));
        }
    }
    refusals.finish(by_seat)
}

/// Returns the path of a seat's seed in a typed sheet: at the wager that has it, or else at the
/// seat's first wager.
#[must_use]
pub fn path_in_sheet(sheet: &WagerSheet, seeds: &[(usize, Vec<u8>)], seat: Seat) -> String {
    let of_seat = |place: &usize| sheet.wagers.get(*place).is_some_and(|wager| wager.seat == seat);
    let place = seeds.iter().map(|(place, _)| *place).find(of_seat);
    match place.or_else(|| (0..sheet.wagers.len()).find(of_seat)) {
        Some(place) => format!("wagers[{place}].client_seed"),
        None => "wagers".to_owned(),
    }
}

#[cfg(test)]
mod tests;
