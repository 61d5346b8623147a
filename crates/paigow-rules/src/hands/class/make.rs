//! How the tables of the classes are made.

use super::facts::HandFacts;
use super::key::{self, HIGHER_SUMS, JOKER_BIT, LOWER_SUMS, PAIRED_SUMS, SUITED_SETS};
use super::shapes::{self, HIGHER};
use super::{HandClass, HandClasses, KeySums, Shapes, value};
use crate::hands::{HighHand, Wheel, every_high_hand};

impl<const N: usize> HandClasses<N> {
    pub(super) fn make() -> Self {
        let mut classes = Self {
            sums: Box::new(KeySums {
                lower: [0; LOWER_SUMS],
                higher: [0; HIGHER_SUMS],
                suited: [0; SUITED_SETS],
                others: [0; PAIRED_SUMS],
            }),
            facts: Vec::new(),
            best_wheel_lowest: Vec::new(),
            every_high: [Wheel::Second, Wheel::Lowest].map(every_high_hand),
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
                self.sums.higher[key::of_ranks(counts, false).higher()] = number;
            }
        }
        for ways in &self.shapes.others {
            for (number, counts) in (0..).zip(ways) {
                self.sums.others[key::of_ranks(counts, false).paired() as usize] = number;
            }
        }
    }

    fn next(&self) -> u32 {
        u32::try_from(self.facts.len()).expect("some 300,000 classes")
    }

    /// Returns the place of a value among all under a wheel.
    fn place(&self, value: HighHand, wheel: Wheel) -> u16 {
        let place = self.every_high[wheel as usize].binary_search(&value);
        place.ok().and_then(|place| u16::try_from(place).ok()).expect("one of 7,463 values")
    }

    fn add_rank_shapes(&mut self) {
        for joker in [false, true] {
            let cards = u8::try_from(N).expect("six or seven") - u8::from(joker);
            for here in 0..=cards {
                for lower in shapes::ways(0, HIGHER, here, 4) {
                    let first = self.next();
                    self.sums.lower[key::of_ranks(&lower, joker).lower()] = first;
                    self.shapes.lower.push((first, lower, joker));
                    for higher in &self.shapes.higher[usize::from(cards - here)] {
                        let counts = shapes::plus(lower, *higher);
                        let [second, lowest] = [Wheel::Second, Wheel::Lowest]
                            .map(|wheel| self.place(value::by_ranks(&counts, joker, wheel), wheel));
                        self.facts.push(HandFacts::by_ranks(&counts, joker).with_best(second));
                        self.best_wheel_lowest.push(lowest);
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
            self.sums.suited[usize::from(held)] =
                first << 10 | key::of_ranks(&of_suit, joker).paired();
            self.shapes.suited.push((first, held));
            let [second, lowest] = [Wheel::Second, Wheel::Lowest]
                .map(|wheel| self.place(value::by_suit(ranks, joker, wheel), wheel));
            for others in &self.shapes.others[N - len] {
                let counts = shapes::plus(of_suit, *others);
                let shape: HandClass = self.rank_shape(key::of_ranks(&counts, joker));
                let by_ranks = self.facts(shape);
                let best = second.max(by_ranks.best_high_id());
                self.facts.push(by_ranks.with_suit(ranks).with_best(best));
                self.best_wheel_lowest.push(lowest.max(self.best_wheel_lowest[shape.index()]));
            }
        }
    }
}
