//! How the tables of the classes are made, and what they hold of each class.

use super::facts::Facts;
use super::key::{self, HIGHER_SUMS, JOKER_BIT, LOWER_SUMS, PAIRED_SUMS, SUITED_SETS};
use super::shapes::{self, Counts, HIGHER};
use super::{Class, Classes, Shapes, value};
use crate::hands::{HighHand, Wheel};

/// The best five of a class under both places of A-2-3-4-5, in 24 bits each from the
/// lowest on, and its facts above them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry(u64);

const HIGH_BITS: u32 = 24;
const HIGH_MASK: u64 = (1 << HIGH_BITS) - 1;

impl Entry {
    fn new(best: impl Fn(Wheel) -> HighHand, facts: Facts) -> Self {
        let [second, lowest] =
            [Wheel::Second, Wheel::Lowest].map(|wheel| u64::from(best(wheel).bits()));
        Self(second | lowest << HIGH_BITS | u64::from(facts.0) << (2 * HIGH_BITS))
    }

    #[inline]
    pub(super) const fn best_high(self, wheel: Wheel) -> HighHand {
        let shift = match wheel {
            Wheel::Second => 0,
            Wheel::Lowest => HIGH_BITS,
        };
        HighHand::from_bits((self.0 >> shift & HIGH_MASK) as u32)
    }

    #[inline]
    pub(super) const fn facts(self) -> Facts {
        Facts((self.0 >> (2 * HIGH_BITS)) as u16)
    }
}

impl<const N: usize> Classes<N> {
    pub(super) fn make() -> Self {
        let mut classes = Self {
            lower: vec![0; LOWER_SUMS],
            higher: vec![0; HIGHER_SUMS],
            suited: vec![0; SUITED_SETS],
            others: vec![0; PAIRED_SUMS],
            entries: Vec::new(),
            shapes: Shapes {
                lower: Vec::new(),
                higher: (0..=7).map(|cards| shapes::ways(HIGHER, 13, cards, 4)).collect(),
                suited: Vec::new(),
                others: (0..=2).map(|cards| shapes::ways(0, 13, cards, 3)).collect(),
            },
        };
        classes.number_what_is_left();
        classes.add_rank_shapes();
        classes.add_flush_shapes();
        classes
    }

    /// Numbers the ways to hold the higher ranks, and the ranks beside a flush.
    fn number_what_is_left(&mut self) {
        for ways in &self.shapes.higher {
            for (number, counts) in (0..).zip(ways) {
                self.higher[key::of_ranks(counts, false).higher()] = number;
            }
        }
        for ways in &self.shapes.others {
            for (number, counts) in (0..).zip(ways) {
                self.others[key::of_ranks(counts, false).paired() as usize] = number;
            }
        }
    }

    fn next(&self) -> u32 {
        u32::try_from(self.entries.len()).expect("some 300,000 classes")
    }

    fn add_rank_shapes(&mut self) {
        for joker in [false, true] {
            let cards = u8::try_from(N).expect("six or seven") - u8::from(joker);
            for here in 0..=cards {
                for lower in shapes::ways(0, HIGHER, here, 4) {
                    let first = self.next();
                    self.lower[key::of_ranks(&lower, joker).lower()] = first;
                    self.shapes.lower.push((first, lower, joker));
                    for higher in &self.shapes.higher[usize::from(cards - here)] {
                        let counts = shapes::plus(lower, *higher);
                        let best = |wheel| value::by_ranks(&counts, joker, wheel);
                        self.entries.push(Entry::new(best, Facts::by_ranks(&counts, joker)));
                    }
                }
            }
        }
    }

    fn add_flush_shapes(&mut self) {
        for held in 0..=u16::MAX >> 2 {
            let len = held.count_ones() as usize;
            if !(5..=N).contains(&len) {
                continue;
            }
            let first = self.next();
            let (ranks, joker) = (held & !JOKER_BIT, held & JOKER_BIT != 0);
            let of_suit = shapes::of_set(ranks);
            self.suited[usize::from(held)] = first << 10 | key::of_ranks(&of_suit, joker).paired();
            self.shapes.suited.push((first, held));
            let suited = |wheel| value::by_suit(ranks, joker, wheel);
            let [second, lowest] = [Wheel::Second, Wheel::Lowest].map(suited);
            for others in &self.shapes.others[N - len] {
                let counts: Counts = shapes::plus(of_suit, *others);
                let Class(shape) = self.rank_shape(key::of_ranks(&counts, joker));
                let by_ranks = self.entries[shape as usize];
                let best = |wheel| match wheel {
                    Wheel::Second => second.max(by_ranks.best_high(wheel)),
                    Wheel::Lowest => lowest.max(by_ranks.best_high(wheel)),
                };
                self.entries.push(Entry::new(best, by_ranks.facts().with_suit(ranks)));
            }
        }
    }
}
