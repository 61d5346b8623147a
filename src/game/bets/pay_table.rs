//! A bonus bet as its ruleset has it: rows in paying order, limits, rounding.

use super::{BetId, OneColour, Outlaw9Row, PushRow, SevenCards, Showdown};
use crate::game::money::{Odds, Rounding};

/// What makes a row hold.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Condition {
    /// The seven cards of the seat, under one reading of the one-colour rows.
    Outlaw9(Outlaw9Row, OneColour),
    /// The hands of the seat and of the dealer or banker, set by the house way.
    Push(PushRow),
}

impl Condition {
    /// Returns the name that a ruleset calls the condition by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Outlaw9(row, _) => row.name(),
            Self::Push(row) => row.name(),
        }
    }

    fn holds(self, evidence: &Evidence) -> bool {
        match self {
            Self::Outlaw9(row, one_colour) => row.holds(&evidence.cards, one_colour),
            Self::Push(row) => evidence.showdown.is_some_and(|showdown| row.holds(&showdown)),
        }
    }
}

/// All that the bonus bets of one seat are judged on.
#[derive(Clone, Copy, Debug)]
pub struct Evidence {
    /// The cards dealt to the seat.
    pub cards: SevenCards,
    /// The seat against the dealer or banker, both set by the house way. Without it
    /// no row that asks for it holds.
    pub showdown: Option<Showdown>,
}

/// One row of a pay table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Row {
    /// Its id in answers and records, as `full-house`.
    pub id: String,
    /// The row as the source prints it.
    pub title: String,
    /// What it pays.
    pub pays: Odds,
    /// What makes it hold.
    pub condition: Condition,
}

/// The least and the most that may be staked on a bet, in minor units.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Limits {
    /// The least stake, at least 1.
    pub minimum: i64,
    /// The largest stake, at most [`MAX_STAKE`](crate::game::MAX_STAKE).
    pub maximum: i64,
}

/// A bonus bet of a ruleset.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BonusBet {
    /// Which bet it is.
    pub id: BetId,
    /// Its name on the layout.
    pub title: String,
    /// Its limits.
    pub limits: Limits,
    /// Whether a seat may bet it only beside a base wager.
    pub needs_base: bool,
    /// The rows in paying order; never empty.
    pub rows: Vec<Row>,
    /// What a fraction of a minor unit becomes.
    pub rounding: Rounding,
}

impl BonusBet {
    /// Returns what the first row pays, hence the highest odds.
    pub(in crate::game) fn top_odds(&self) -> Odds {
        self.rows.first().expect("a pay table with no row is not loaded").pays
    }

    /// Returns the row that pays: the first, hence highest-paying, that holds; or
    /// nothing if the wager loses.
    #[must_use]
    pub fn judge(&self, evidence: &Evidence) -> Option<&Row> {
        self.rows.iter().find(|row| row.condition.holds(evidence))
    }
}
