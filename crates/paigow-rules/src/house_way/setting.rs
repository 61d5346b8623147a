//! The answer of a house way: two hands, and the clause that decided.

use std::ops::Deref;

use super::Clause;
use crate::cards::Card;
use crate::hands::{HighHand, LowHand, Ranking};

/// Six or seven cards set in two hands, and the clause that decided.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The low hand.
    pub low: LowCards,
    /// The high hand, in the order of the fresh deck.
    pub high: [Card; 5],
    /// The value of the low hand.
    pub low_value: LowHand,
    /// The value of the high hand, with A-2-3-4-5 where the way has it.
    pub high_value: HighHand,
    /// The clause that decided.
    pub clause: CitedClause<'a>,
}

impl<'a> Setting<'a> {
    /// Makes a setting of cards that are set.
    pub(super) fn of(
        low: LowCards,
        high: [Card; 5],
        clause: CitedClause<'a>,
        ranking: Ranking,
    ) -> Self {
        let (low_value, high_value) = (low.value(ranking), HighHand::of(&high, ranking));
        Self { low, high, low_value, high_value, clause }
    }
}

/// The cards of a low hand: one or two, in the order of the fresh deck.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct LowCards(Cards);

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Cards {
    One([Card; 1]),
    Two([Card; 2]),
}

impl LowCards {
    /// Holds one card.
    pub(super) const fn one(card: Card) -> Self {
        Self(Cards::One([card]))
    }

    /// Holds one or two cards, in any order; returns [`None`] for any other number.
    #[must_use]
    pub fn of(cards: &[Card]) -> Option<Self> {
        match *cards {
            [card] => Some(Self::one(card)),
            [a, b] => Some(Self::two([a, b])),
            _ => None,
        }
    }

    /// Holds two cards, in any order.
    pub(super) fn two([a, b]: [Card; 2]) -> Self {
        Self(Cards::Two([a.min(b), a.max(b)]))
    }

    /// Returns the value of the low hand.
    #[must_use]
    pub fn value(&self, ranking: impl Into<Ranking>) -> LowHand {
        match &self.0 {
            Cards::One([card]) => LowHand::of_one(*card),
            Cards::Two(cards) => LowHand::of(cards, ranking),
        }
    }

    /// Returns the cards.
    #[must_use]
    pub const fn as_slice(&self) -> &[Card] {
        match &self.0 {
            Cards::One(cards) => cards,
            Cards::Two(cards) => cards,
        }
    }
}

impl Deref for LowCards {
    type Target = [Card];

    fn deref(&self) -> &[Card] {
        self.as_slice()
    }
}

/// The clause that decided a setting. It may refer to a row of another table of the same house way.
#[derive(Clone, Copy, Debug)]
pub struct CitedClause<'a> {
    rule: &'a Clause,
    row: Option<&'a Clause>,
}

impl<'a> CitedClause<'a> {
    pub(super) const fn new(rule: &'a Clause, row: Option<&'a Clause>) -> Self {
        Self { rule, row }
    }

    /// Returns the name of the decision, as answers and records cite it. It is the id of the
    /// clause, or of the clause and the row with a slash between, as `O4c/F6J`.
    #[must_use]
    pub fn id(&self) -> String {
        match self.row {
            None => self.rule.id.clone(),
            Some(row) => [&self.rule.id, "/", &row.id].concat(),
        }
    }

    /// Returns the sentence of the clause, or those of clause and row with a space between.
    #[must_use]
    pub fn text(&self) -> String {
        match self.row {
            None => self.rule.text.clone(),
            Some(row) => format!("{} {}", self.rule.text, row.text),
        }
    }
}
