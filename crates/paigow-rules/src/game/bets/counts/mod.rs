//! How many hands each row of a pay table pays, exactly.
//!
//! For bets on six or seven cards the numbers come from two files, which say how many
//! hands meet which conditions together; tests count every hand again. Three cards
//! and colours are counted here.

mod met;

pub use met::{ConditionsMet, hands_by_conditions};

use super::{BetEvidence, BetSubject, BonusBet, Condition, ThreeCards};
use crate::cards::Card;

/// How many cards are of one colour, 26, and how many are not, with the joker.
const OF_COLOUR: [u64; 2] = [26, 27];

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
    /// Counts the hands that each row pays where each hand is dealt `hand_cards`
    /// cards, 6 or 7.
    ///
    /// Returns nothing for another number of cards, and for a bet that looks at two
    /// hands. A row that no hand reaches has the count 0.
    #[must_use]
    pub fn row_counts(&self, hand_cards: usize) -> Option<RowCounts> {
        let by_conditions = hands_by_conditions(hand_cards)?;
        let mut counts = RowCounts { rows: vec![0; self.rows.len()], losing: 0, total: 0 };
        match self.looks_at {
            BetSubject::SeatHand | BetSubject::DealerHand => {
                for (&met, &hands) in by_conditions {
                    counts.add(self.first_row(|condition| meets(met, condition)), hands);
                }
            }
            BetSubject::FirstThree => {
                for three in every_three() {
                    let first_three = Some(ThreeCards::of(&three));
                    let evidence = BetEvidence { first_three, ..BetEvidence::none() };
                    let holds =
                        |condition: Condition| condition.holds(BetSubject::FirstThree, &evidence);
                    counts.add(self.first_row(holds), 1);
                }
            }
            BetSubject::Colour => {
                let [colour, others] = OF_COLOUR;
                for held in 0..=hand_cards {
                    let hands = choose(colour, held) * choose(others, hand_cards - held);
                    counts.add(self.first_row(|condition| asks_for(condition, held)), hands);
                }
            }
            BetSubject::Showdown => return None,
        }
        Some(counts)
    }

    fn first_row(&self, holds: impl Fn(Condition) -> bool) -> Option<usize> {
        self.rows.iter().position(|row| holds(row.condition))
    }
}

fn meets(met: ConditionsMet, condition: Condition) -> bool {
    match condition {
        Condition::Hand(hand) => met.has(hand),
        Condition::ThreeCards(_) | Condition::Colour(_) | Condition::Push(_) => false,
    }
}

fn asks_for(condition: Condition, held: usize) -> bool {
    match condition {
        Condition::Colour(colour) => colour.cards() == held,
        Condition::Hand(_) | Condition::ThreeCards(_) | Condition::Push(_) => false,
    }
}

/// Returns every three of the 53 cards once.
fn every_three() -> impl Iterator<Item = [Card; 3]> {
    let above = |card: Card| Card::all().filter(move |other| *other > card);
    Card::all().flat_map(move |first| {
        above(first).flat_map(move |second| above(second).map(move |third| [first, second, third]))
    })
}

/// Returns in how many ways `taken` of `all` can be taken, for at most a hand of
/// cards.
fn choose(all: u64, taken: usize) -> u64 {
    (0..all).rev().zip(1..).take(taken).fold(1, |ways, (left, place)| ways * (left + 1) / place)
}

#[cfg(test)]
mod tests;
