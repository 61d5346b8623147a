//! The class table: one look-up from six or seven cards to all facts that ranks and a flush decide.
//!
//! The joker counts in every suit. A hand without five cards of a suit is in the class of its
//! ranks: a rank shape. A hand with five is in the class of the cards of that suit and of the ranks
//! of the others, at most two: a flush shape. Two hands of a class differ only in suits that
//! nothing tests but a colour and the suited A-Q or K-Q of a bonus bet.
//!
//! | cards | rank shapes | flush shapes | classes | hands |
//! |---|---|---|---|---|
//! | 7 | 67,600 | 224,653 | 292,253 | 154,143,080 |
//! | 6 | 24,570 | 29,029 | 53,599 | 22,957,480 |
//!
//! A class is found without a search. The sums of a [`HandKey`] are looked up in two small tables,
//! whose entries add up to the number of the rank shape. For a flush, the tables of the flush are
//! used.
//!
//! A class is of ranks and suits alone, whatever the joker stands for. Its facts and its best five
//! are those of a joker that is semi-wild.

mod facts;
mod key;
mod make;
mod shapes;
mod stand_in;
mod value;

#[cfg(test)]
mod tests;

use std::sync::LazyLock;

use super::{HighHand, Wheel};
use crate::cards::Card;
use key::{HIGHER_SUMS, LOWER_SUMS, PAIRED_SUMS, SUITED_SETS};
use shapes::CountsByRank;

pub use facts::HandFacts;
pub use key::{CardKey, HandKey};
pub use value::every_high_hand;

/// The number of a class among those of hands with the same number of cards. Numbers begin at 0 and
/// have no gap. Rank shapes come first.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct HandClass(u32);

impl HandClass {
    /// Returns the number of the class as a place in a table of [`HandClasses::len`] entries.
    #[inline]
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The classes of hands of `N` cards, six or seven.
#[derive(Debug)]
pub struct HandClasses<const N: usize> {
    sums: Box<KeySums>,
    /// By the number of the class.
    facts: Vec<HandFacts>,
    /// By the number of the class, the place of the best five if A-2-3-4-5 is lowest. The facts
    /// have the place if it is second.
    best_wheel_lowest: Vec<u16>,
    /// All values, by their places, if A-2-3-4-5 is second and if it is lowest.
    every_high: [Vec<HighHand>; 2],
    shapes: Shapes,
}

/// The tables that the sums of a key are looked up in.
#[derive(Debug)]
struct KeySums {
    /// By the sum over the lower ranks and the joker: the number of the first rank shape
    /// that holds them so.
    lower: [u32; LOWER_SUMS],
    /// By the sum over the higher ranks: which of those shapes.
    higher: [u16; HIGHER_SUMS],
    /// By the cards of the flush: the number of their first flush shape. Below it, in ten bits, the
    /// sum that identifies their ranks.
    suited: [u32; SUITED_SETS],
    /// By the sum that identifies the other ranks: which of those shapes.
    others: [u8; PAIRED_SUMS],
}

/// The shapes that the tables were made from, to name the cards of a class.
#[derive(Debug)]
struct Shapes {
    /// The number of the first rank shape of each way to hold the lower ranks and the
    /// joker, rising.
    lower: Vec<(u32, CountsByRank, bool)>,
    /// The ways to hold the higher ranks, by how many cards they are.
    higher: Vec<Vec<CountsByRank>>,
    /// The number of the first flush shape of each way to hold a suit, rising.
    suited: Vec<(u32, u16)>,
    /// The ways to hold other ranks, by how many cards they are.
    others: Vec<Vec<CountsByRank>>,
}

impl HandClasses<7> {
    /// Returns the table, which the first call makes in some hundredths of a second.
    #[must_use]
    pub fn get() -> &'static Self {
        static SEVEN: LazyLock<HandClasses<7>> = LazyLock::new(HandClasses::make);
        &SEVEN
    }
}

impl HandClasses<6> {
    /// Returns the table, which the first call makes in some hundredths of a second.
    #[must_use]
    pub fn get() -> &'static Self {
        static SIX: LazyLock<HandClasses<6>> = LazyLock::new(HandClasses::make);
        &SIX
    }
}

#[expect(clippy::len_without_is_empty, reason = "there are always classes")]
impl<const N: usize> HandClasses<N> {
    /// Returns how many classes there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.facts.len()
    }

    /// Returns how many of them are rank shapes: those with the lowest numbers.
    #[must_use]
    pub fn rank_shapes(&self) -> usize {
        self.shapes.suited.first().map_or(0, |(first, _)| *first as usize)
    }

    /// Returns every class, in the order of their numbers.
    pub fn all(&self) -> impl ExactSizeIterator<Item = HandClass> + use<N> {
        (0..u32::try_from(self.len()).unwrap_or(0)).map(HandClass)
    }

    /// Returns the class of distinct cards.
    #[inline]
    #[must_use]
    pub fn class_of(&self, cards: &[Card; N]) -> HandClass {
        self.class(HandKey::of(cards))
    }

    /// Returns the class of the hand with a key of `N` distinct cards. For any other key the result
    /// has no meaning.
    #[inline]
    #[must_use]
    pub fn class(&self, key: HandKey) -> HandClass {
        match key.flush() {
            None => self.rank_shape(key),
            Some(suit) => {
                let first = self.sums.suited[key.suited(suit)];
                let others = key.paired().wrapping_sub(first & 0x3ff) & 0xff;
                HandClass((first >> 10) + u32::from(self.sums.others[others as usize]))
            }
        }
    }

    /// Returns the class that the ranks would have without a flush.
    #[inline]
    fn rank_shape(&self, key: HandKey) -> HandClass {
        let (lower, higher) = (self.sums.lower[key.lower()], self.sums.higher[key.higher()]);
        HandClass(lower + u32::from(higher))
    }

    /// Returns the best five of the cards, with a joker that is semi-wild.
    #[inline]
    #[must_use]
    pub fn best_high(&self, class: HandClass, wheel: Wheel) -> HighHand {
        let [second, lowest] = &self.every_high;
        match wheel {
            Wheel::Second => second[usize::from(self.facts(class).best_high_id())],
            Wheel::Lowest => lowest[usize::from(self.best_wheel_lowest[class.index()])],
        }
    }

    /// Returns the facts that the class decides for the bets, with a joker that is semi-wild.
    #[inline]
    #[must_use]
    pub fn facts(&self, class: HandClass) -> HandFacts {
        self.facts[class.index()]
    }
}
