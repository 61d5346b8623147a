//! Spent locks: a final lock is spent if its actions alone prove that it can never settle
//! (PGE-FAIR-1, D22).
//!
//! A ledger that has signed one illegal decision can neither settle the round under that lock nor
//! void it. A spent lock closes nothing. The next lock of the round supersedes it.

use std::collections::BTreeMap;
use std::fmt::{self, Display};

use crate::ListedGame;
use crate::record::Action;
use paigow_fairness::encoding::Hash;
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::ticket::SeatKey;
use paigow_rules::cards::{BySeat, Card, Seat};
use paigow_rules::game::{DecisionFault, SettingChoice, WagerTable};

/// The terms that decisions of a dealt round are checked against, without any card of the dealer.
#[derive(Clone, Copy)]
pub struct DecisionTerms<'a> {
    /// The rules.
    pub game: &'a ListedGame,
    /// The wagers.
    pub table: &'a WagerTable,
    /// The hash of the deal.
    pub deal: Hash,
    /// The cards of the seats with a wager, as the deal shows them.
    pub visible: &'a BySeat<Vec<Card>>,
    /// The keys of the seats, with the clause of each.
    pub seat_keys: &'a BTreeMap<Seat, SeatKey>,
}

impl fmt::Debug for DecisionTerms<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "DecisionTerms(deal {})", self.deal)
    }
}

/// An action that a final lock lists.
#[derive(Clone, Debug)]
pub struct ListedAction {
    /// Its hash.
    pub hash: Hash,
    /// Its payload, and the house way that it names; [`None`] if it is not a canonical action.
    pub action: Option<(Action, Option<Hash>)>,
}

impl ListedAction {
    /// Reads the payload of a record.
    #[must_use]
    pub fn of(envelope: &RecordEnvelope) -> Self {
        let action = envelope.json().map_err(PayloadError::from).and_then(Action::parse).ok();
        Self { hash: envelope.hash(), action }
    }

    /// Returns the actions that a lock lists, in its order, from the records beside it; [`None`] if
    /// one of them is missing.
    #[must_use]
    pub fn in_order<'a>(
        listed: &[Hash],
        records: impl Iterator<Item = &'a RecordEnvelope>,
    ) -> Option<Vec<Self>> {
        let known: BTreeMap<Hash, Self> =
            records.map(Self::of).map(|action| (action.hash, action)).collect();
        listed.iter().map(|hash| known.get(hash).cloned()).collect()
    }
}

/// The reason why a final lock is spent.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SpentCause {
    /// A listed action is not a canonical action.
    NoAction(Hash),
    /// A listed action does not follow the deal.
    OtherDeal(Hash),
    /// The seats of the listed actions do not ascend, each once.
    SeatOrder,
    /// A seat names a house way that is not the ruleset's.
    HouseWay(Seat),
    /// The rules refuse a decision, or one is missing.
    Decision(DecisionFault),
    /// A seat is listed as absent whose player did not choose the clause, or whose action is not
    /// the house way without a double down.
    Absent(Seat),
    /// The lock leaves out an action of a spent lock before it that was legal by itself.
    Dropped(Seat, Hash),
}

impl Display for SpentCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoAction(hash) => write!(f, "{hash} is no canonical action"),
            Self::OtherDeal(hash) => write!(f, "action {hash} does not follow the deal"),
            Self::SeatOrder => f.write_str("the seats of the actions do not ascend, each once"),
            Self::HouseWay(seat) => write!(f, "seat {seat} names another house way"),
            Self::Decision(fault) => write!(f, "seat {}: {}", fault.seat, fault.rule),
            Self::Absent(seat) => write!(
                f,
                "seat {seat} is not absent by its ticket, or its action is not the house way"
            ),
            Self::Dropped(seat, hash) => {
                write!(f, "the legal action {hash} of seat {seat} is left out")
            }
        }
    }
}

/// The actions of spent locks that later locks keep: for each seat, the first that is legal by
/// itself.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct KeptActions(BTreeMap<Seat, Hash>);

impl KeptActions {
    /// Returns the first kept action that a lock does not list. `is_listed` returns whether it
    /// lists the action of a seat.
    pub fn dropped(&self, is_listed: impl Fn(Seat, &Hash) -> bool) -> Option<(Seat, Hash)> {
        let mut kept = self.0.iter().map(|(seat, hash)| (*seat, *hash));
        kept.find(|(seat, hash)| !is_listed(*seat, hash))
    }
}

impl DecisionTerms<'_> {
    /// Returns the reason why a final lock is spent, if it is.
    ///
    /// `absent` and `listed` are the lists of the lock, `kept` the actions of the spent locks
    /// before it. A missing record or rule file, a signature, a closed gate and an overflow spend
    /// no lock.
    #[must_use]
    pub fn spent_cause(
        &self,
        absent: &[Seat],
        listed: &[ListedAction],
        kept: &KeptActions,
    ) -> Option<SpentCause> {
        let mut decisions = BySeat::new();
        let mut last = None;
        for one in listed {
            let Some((action, house_way)) = &one.action else {
                return Some(SpentCause::NoAction(one.hash));
            };
            if action.prev != self.deal {
                return Some(SpentCause::OtherDeal(one.hash));
            }
            if last.is_some_and(|last| last >= action.seat) {
                return Some(SpentCause::SeatOrder);
            }
            last = Some(action.seat);
            if self.is_other_house_way(*house_way) {
                return Some(SpentCause::HouseWay(action.seat));
            }
            decisions.insert(action.seat, action.decision.clone());
        }
        let faults = self.game.ruleset.decision_faults(self.table, self.visible, &decisions);
        if let Some(fault) = faults.into_iter().next() {
            return Some(SpentCause::Decision(fault));
        }
        let actions: Vec<&Action> =
            listed.iter().filter_map(|one| Some(&one.action.as_ref()?.0)).collect();
        if let Some(seat) = absent_fault(absent, &actions, self.seat_keys) {
            return Some(SpentCause::Absent(seat));
        }
        let hashes: Vec<Hash> = listed.iter().map(|one| one.hash).collect();
        kept.dropped(|_, hash| hashes.contains(hash))
            .map(|(seat, hash)| SpentCause::Dropped(seat, hash))
    }

    /// Adds the actions that a spent lock lists and that are legal by themselves.
    pub fn keep(&self, listed: &[ListedAction], kept: &mut KeptActions) {
        for one in listed {
            let Some((action, house_way)) = &one.action else { continue };
            if self.is_legal(action, *house_way) {
                kept.0.entry(action.seat).or_insert(one.hash);
            }
        }
    }

    /// Whether an action is legal by itself, whatever the other seats decide.
    #[must_use]
    pub fn is_legal(&self, action: &Action, house_way: Option<Hash>) -> bool {
        let decisions = [(action.seat, action.decision.clone())].into_iter().collect();
        let faults = self.game.ruleset.decision_faults(self.table, self.visible, &decisions);
        action.prev == self.deal
            && !self.is_other_house_way(house_way)
            && faults.iter().all(|fault| fault.seat != action.seat)
    }

    fn is_other_house_way(&self, named: Option<Hash>) -> bool {
        named.is_some_and(|named| named != self.game.house_way_hash)
    }
}

/// Returns the first seat of a lock's `absent` that must not be there.
///
/// Either the ticket does not have the clause for it, or its action is missing, is not the house
/// way, or doubles.
#[must_use]
pub fn absent_fault(
    absent: &[Seat],
    actions: &[&Action],
    seat_keys: &BTreeMap<Seat, SeatKey>,
) -> Option<Seat> {
    let is_absent_by_right = |seat: &Seat| {
        let clause = seat_keys.get(seat).is_some_and(|key| key.house_way_if_absent);
        let action = actions.iter().find(|action| action.seat == *seat);
        clause
            && action.is_some_and(|action| {
                action.decision.setting == SettingChoice::HouseWay && !action.decision.double_down
            })
    };
    absent.iter().copied().find(|seat| !is_absent_by_right(seat))
}
