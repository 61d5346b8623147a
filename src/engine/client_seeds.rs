//! Client seeds: committed or absent, nothing in between (D10).

use std::collections::BTreeMap;

use crate::cards::Seat;
use crate::fairness::encoding::Hash;
use crate::fairness::manifest::ClientPolicy;
use crate::fairness::seed::client_commit;

/// Checks the seeds revealed in a lock against the ticket.
///
/// With C the seats committed in the ticket, W those with a wager, ascending, and R those with a
/// seed: none C = R = {}; optional R = C, C within W; committed R = C = W.
///
/// # Errors
///
/// What does not fit; then the round can only be voided.
pub(super) fn check(
    policy: ClientPolicy,
    round_id: &Hash,
    committed: &BTreeMap<Seat, Hash>,
    wagered: impl Iterator<Item = Seat> + Clone,
    revealed: &BTreeMap<Seat, Vec<u8>>,
) -> Result<(), &'static str> {
    match policy {
        ClientPolicy::None if !(committed.is_empty() && revealed.is_empty()) => {
            return Err("the policy takes no client seeds");
        }
        ClientPolicy::Committed if !committed.keys().copied().eq(wagered.clone()) => {
            return Err("the policy wants a commitment of exactly the seats with a wager");
        }
        ClientPolicy::Optional
            if !committed.keys().all(|seat| wagered.clone().any(|one| one == *seat)) =>
        {
            return Err("a seat that committed to a seed has no wager");
        }
        ClientPolicy::None | ClientPolicy::Committed | ClientPolicy::Optional => {}
    }
    if !revealed.keys().eq(committed.keys()) {
        return Err("seeds are revealed by exactly the seats that committed to one");
    }
    let opens = |(seat, seed): (&Seat, &Vec<u8>)| {
        committed.get(seat) == Some(&client_commit(round_id, *seat, seed))
    };
    if revealed.iter().all(opens) { Ok(()) } else { Err("a seed does not open its commitment") }
}
