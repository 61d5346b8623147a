//! How many hands each row of a pay table pays, exactly.
//!
//! The counts for the shipped terms are compiled in, and tests count every hand again. For other
//! terms this module counts every hand. It also counts the hands of three cards.

mod sweep;

pub use sweep::{TermCounts, TermsMet};

use super::{BetEvidence, BetSubject, BonusBet, CardTerm, Condition, DealtHand};
use crate::cards::Card;

/// How many of all hands each row of a pay table pays.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RowCounts {
    /// For each row, how many hands it pays: those of which it is the first to hold.
    pub rows: Vec<u64>,
    /// How many hands lose.
    pub losing: u64,
    /// How many hands there are: the sum of the others.
    pub total: u64,
}

impl RowCounts {
    fn add(&mut self, row: Option<usize>, hands: u64) {
        self.total += hands;
        match row {
            Some(row) => self.rows[row] += hands,
            None => self.losing += hands,
        }
    }
}

impl BonusBet {
    /// Counts the hands that each row pays, where each hand is dealt `hand_cards` cards, 6 or 7.
    ///
    /// Returns [`None`] for another number of cards, and for a bet that looks at hands as they are
    /// set. A row that no hand reaches has the count 0.
    #[must_use]
    pub fn row_counts(&self, hand_cards: usize) -> Option<RowCounts> {
        let mut counts = RowCounts { rows: vec![0; self.rows.len()], losing: 0, total: 0 };
        match self.looks_at {
            BetSubject::SeatHand | BetSubject::DealerHand => {
                let terms = self.rows.iter().flat_map(|row| row.condition.card_terms());
                let terms =
                    TermCounts::of((hand_cards, self.joker), &terms.collect::<Vec<CardTerm>>())?;
                for (&met, &hands) in &terms.hands {
                    let row = self.first_row(|condition| terms.holds(condition, met));
                    counts.add(row, hands);
                }
            }
            BetSubject::FirstThree => {
                if !matches!(hand_cards, 6 | 7) {
                    return None;
                }
                for three in every_three() {
                    let first_three = DealtHand::of(&three, self.joker);
                    let evidence = BetEvidence { first_three, ..BetEvidence::none() };
                    let holds =
                        |condition: &Condition| condition.holds(BetSubject::FirstThree, &evidence);
                    counts.add(self.first_row(holds), 1);
                }
            }
            BetSubject::SeatSetHands | BetSubject::Showdown => return None,
        }
        Some(counts)
    }

    fn first_row(&self, holds: impl Fn(&Condition) -> bool) -> Option<usize> {
        self.rows.iter().position(|row| holds(&row.condition))
    }
}

/// Returns every three of the 53 cards once.
fn every_three() -> impl Iterator<Item = [Card; 3]> {
    let above = |card: Card| Card::all().filter(move |other| *other > card);
    Card::all().flat_map(move |first| {
        above(first).flat_map(move |second| above(second).map(move |third| [first, second, third]))
    })
}

#[cfg(test)]
mod tests;
