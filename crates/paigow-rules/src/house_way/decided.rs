//! The decision of a house way, before its sentences are looked up.

use super::setting::{CitedClause, LowCards, Setting};
use super::{Clause, HouseWay};
use crate::cards::Card;

/// Six or seven cards set in two hands, and the places of the clauses that decided.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct SettingDecision {
    pub(super) low: LowCards,
    /// In the order of the fresh deck.
    pub(super) high: [Card; 5],
    pub(super) by: ClausePlaces,
}

/// The places of the clause and of the row that decided, in the list of the way.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct ClausePlaces {
    pub(super) rule: usize,
    pub(super) row: Option<usize>,
}

impl SettingDecision {
    /// Returns the setting with the sentences of `way`, which has decided.
    pub(super) fn setting(self, way: &HouseWay) -> Setting<'_> {
        Setting::of(self.low, self.high, self.by.cited(way), way.ranking())
    }
}

impl ClausePlaces {
    /// Returns the sentences of `way` at these places.
    pub(super) fn cited(self, way: &HouseWay) -> CitedClause<'_> {
        let clause = |place: usize| -> &Clause { &way.clauses[place] };
        CitedClause::new(clause(self.rule), self.row.map(clause))
    }
}
