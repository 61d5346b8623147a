//! The two checks that need other rounds, over the last rounds of an input.

use std::collections::{BTreeMap, VecDeque};

use super::trees::{ClosedPlace, EpochTrees};
use super::{
    Auditor, BulkFinding, CheckCode, EarlierRounds, Finding, RoundClose, RoundFindings, file, links,
};
use crate::audit::closes;
use crate::audit::forks::Tellings;
use crate::audit::numbers::RoundNumbers;
use crate::audit::standing::{TellingClose, VerdictReason};
use paigow_fairness::encoding::Hash;
use paigow_fairness::seed::Coordinates;

/// The last rounds of an input, as far as later rounds are compared with them.
#[derive(Debug, Default)]
pub struct RoundWindow {
    /// The rounds held, oldest first: their ids by their place, and as stated.
    held: VecDeque<(Hash, Hash)>,
    /// The closes by the id that the place of the round has, and how many rounds have it.
    closes: BTreeMap<Hash, (usize, PlacedRound)>,
    /// The tellings of a round by the id stated, and how many rounds state it.
    tellings: BTreeMap<Hash, (usize, HeldTellings)>,
    /// The rounds that left the window without a close in any telling.
    unclosed: UnclosedRounds,
    /// The ticket of the round before, if it was that round's only record.
    lone_ticket: Option<Hash>,
    /// The numbers of all rounds.
    numbers: RoundNumbers,
    /// The trees of closed epochs.
    trees: EpochTrees,
    /// How many rounds of each table wait for the tree of its epoch.
    waiting: BTreeMap<ClosedPlace, u64>,
}

/// The tellings of the round at one place.
#[derive(Debug, Default)]
struct PlacedRound {
    closes: Vec<Hash>,
    /// The place of the round, if its epoch is closed.
    place: Option<Coordinates>,
}

/// The tellings of one round.
#[derive(Debug, Default)]
struct HeldTellings {
    tellings: Tellings,
    has_close: bool,
    /// The number of tellings without a close, and the place of the round.
    open: Option<(u64, Coordinates)>,
}

/// Rounds without a close in any telling.
#[derive(Clone, Debug, Default)]
pub struct UnclosedRounds {
    /// How many tellings of such rounds there are.
    pub tellings: u64,
    /// The reason why the input is incomplete.
    pub reason: Option<VerdictReason>,
}

impl UnclosedRounds {
    fn add(&mut self, held: &HeldTellings) {
        let Some((tellings, place)) = held.open.as_ref().filter(|_| !held.has_close) else {
            return;
        };
        self.tellings += tellings;
        let Coordinates { table, round_no, .. } = place;
        let why = || format!("round {round_no} of table {table} has no close in the file");
        self.reason.get_or_insert_with(|| VerdictReason::NotRecomputed(why()));
    }
}

impl RoundWindow {
    /// How many rounds `GENESIS` and `NO_FORK` look back.
    pub const ROUNDS: usize = 1 << 16;

    /// Adds the next round of the input, and completes its findings.
    ///
    /// `lines` are those that `auditor` received for it. `follows_round` is whether this round
    /// directly follows the previous one.
    #[must_use]
    pub fn add(
        &mut self,
        auditor: &Auditor<'_>,
        lines: &[(usize, &[u8])],
        follows_round: bool,
        round: RoundFindings,
    ) -> RoundFindings {
        let Some(seen) = &round.seen else {
            self.lone_ticket = None;
            return round;
        };
        if follows_round && self.lone_ticket == Some(seen.ticket) {
            let line = lines.first().map_or(1, |(number, _)| *number);
            let expected = "records in the order made";
            let failed = Finding::failed(line, expected, file::TICKET_TWICE);
            return RoundFindings::refused(failed);
        }
        let mut round = self.genesis(auditor, lines, round);
        let finding = self.no_fork(&round);
        round.found.push(BulkFinding::of(CheckCode::NoFork, finding));
        self.hold(&round);
        if let Some(standing) = &round.standing {
            self.numbers.add(standing);
        }
        round
    }

    /// Returns the first gap between the rounds of a table, over the whole input.
    #[must_use]
    pub fn first_gap(&self) -> Option<VerdictReason> {
        self.numbers.first_gap()
    }

    /// Ends the input.
    ///
    /// Returns the number of rounds of complete tables: the input has every round of the table that
    /// the public close of the epoch counts. Also returns the numbers of the other rounds, each
    /// with the reason.
    pub fn trees(&mut self, auditor: &Auditor<'_>) -> (u64, Vec<(u64, String)>) {
        let trees = std::mem::take(&mut self.trees).finish();
        let (mut whole, mut others) = (0, Vec::new());
        for (place, count) in std::mem::take(&mut self.waiting) {
            match trees.missing(&auditor.context, &place) {
                Ok(()) => whole += count,
                Err(why) => others.push((count, why)),
            }
        }
        (whole, others)
    }

    /// Returns the rounds that have no close in any telling, over the whole input.
    #[must_use]
    pub fn unclosed(&self) -> UnclosedRounds {
        let mut all = self.unclosed.clone();
        for (_, held) in self.tellings.values() {
            all.add(held);
        }
        all
    }

    /// Checks that no table lacks a round before its first, over the whole input. `auditor` knows
    /// the rounds that the caller named.
    ///
    /// # Errors
    ///
    /// Returns the missing rounds.
    pub fn begins_at_known_rounds(&self, auditor: &Auditor<'_>) -> Result<(), String> {
        self.numbers.begin_at_known_rounds(&auditor.context.terms.after)
    }

    /// Finds the close that the ticket says it follows. If it is another one, the whole round is
    /// audited again, for the checks that rely on its ticket.
    fn genesis(
        &self,
        auditor: &Auditor<'_>,
        lines: &[(usize, &[u8])],
        mut round: RoundFindings,
    ) -> RoundFindings {
        let Some(EarlierRounds { coordinates, follows: Some(prev), .. }) = &round.seen else {
            return round;
        };
        let wanted = links::before(coordinates);
        let closes = self.closes.get(&wanted.round_id()).map(|(_, round)| round.closes.as_slice());
        let Some(closes) = closes.filter(|closes| !closes.is_empty()) else { return round };
        if !closes.contains(prev) {
            let close = |hash: &Hash| RoundClose { coordinates: wanted.clone(), hash: *hash };
            let closes: Vec<RoundClose> = closes.iter().map(close).collect();
            return auditor.round_after(lines, closes);
        }
        for found in round.found.iter_mut().filter(|found| found.code == CheckCode::Genesis) {
            *found = BulkFinding::of(CheckCode::Genesis, Finding::Passed);
        }
        round
    }

    fn no_fork(&mut self, round: &RoundFindings) -> Finding {
        let Some(seen) = &round.seen else { return Finding::skipped("no ticket") };
        let (rounds, held) = self.tellings.entry(seen.telling.round_id()).or_default();
        *rounds += 1;
        match round.standing.as_ref().map(|standing| standing.close) {
            Some(TellingClose::Here) => held.has_close = true,
            Some(TellingClose::Missing) => {
                held.open.get_or_insert_with(|| (0, seen.coordinates.clone())).0 += 1;
            }
            Some(TellingClose::Refused | TellingClose::Elsewhere) | None => {}
        }
        held.tellings.add(seen.telling.clone()).unwrap_or(Finding::Passed)
    }

    fn hold(&mut self, round: &RoundFindings) {
        let (Some(seen), Some(stated)) = (&round.seen, round.round_id) else { return };
        self.lone_ticket = seen.is_alone.then_some(seen.ticket);
        let place = seen.coordinates.round_id();
        let (rounds, placed) = self.closes.entry(place).or_default();
        *rounds += 1;
        placed.closes.extend(seen.close.filter(|close| !placed.closes.contains(close)));
        if !seen.leaf.is_empty() {
            placed.place.get_or_insert_with(|| seen.coordinates.clone());
            self.trees.add(seen);
        }
        if round.found.iter().any(|one| one.found == closes::ONE_BY_ONE) {
            let Coordinates { epoch, tenant, table, .. } = seen.coordinates.clone();
            *self.waiting.entry((epoch, tenant, table)).or_default() += 1;
        }
        self.held.push_back((place, stated));
        if self.held.len() > Self::ROUNDS
            && let Some(oldest) = self.held.pop_front()
        {
            let placed = let_go(&mut self.closes, &oldest.0);
            if let Some(place) = placed.and_then(|placed| placed.place) {
                self.trees.let_go(&place);
            }
            if let Some(held) = let_go(&mut self.tellings, &oldest.1) {
                self.unclosed.add(&held);
            }
        }
    }
}

/// Removes one holder of an entry, and returns the entry with the last one.
fn let_go<T>(held: &mut BTreeMap<Hash, (usize, T)>, id: &Hash) -> Option<T> {
    let (rounds, _) = held.get_mut(id)?;
    *rounds -= 1;
    if *rounds > 0 {
        return None;
    }
    held.remove(id).map(|(_, entry)| entry)
}
