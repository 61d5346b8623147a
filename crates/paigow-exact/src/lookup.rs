//! The way from the cards of a hand to its spot.

use paigow_rules::cards::{Card, Rank};
use paigow_rules::hands::{HandClass, HandClasses, HandKey};

/// Finds the spot of cards from a key that every card adds to.
pub trait SpotLookup {
    /// The sum over the cards of a hand, in any order.
    type Key: Copy;

    /// Returns the key without a card.
    fn nothing(&self) -> Self::Key;

    /// Returns the key with one more card.
    fn plus(&self, key: Self::Key, card: Card) -> Self::Key;

    /// Returns the key with one more card of a rank, in a suit without a flush.
    fn plus_rank(&self, key: Self::Key, rank: Rank) -> Self::Key;

    /// Returns the number, among the [`Spots`](super::spots::Spots) of the count, of the hand with a key.
    fn spot(&self, key: Self::Key) -> u32;
}

/// The spots of the hands of `N` cards, by class.
#[derive(Debug)]
pub struct ClassLookup<const N: usize> {
    classes: &'static HandClasses<N>,
    numbers: Vec<u32>,
}

impl<const N: usize> ClassLookup<N> {
    /// Finds spots by their numbers, in the order of the classes.
    pub(super) const fn new(classes: &'static HandClasses<N>, numbers: Vec<u32>) -> Self {
        Self { classes, numbers }
    }

    /// Returns the number of the spot of a class.
    #[inline(always)]
    pub(super) fn of_class(&self, class: HandClass) -> u32 {
        self.numbers[class.index()]
    }
}

impl<const N: usize> SpotLookup for ClassLookup<N> {
    type Key = HandKey;

    fn nothing(&self) -> HandKey {
        HandKey::EMPTY
    }

    #[inline(always)]
    fn plus(&self, key: HandKey, card: Card) -> HandKey {
        key.plus(card)
    }

    #[inline(always)]
    fn plus_rank(&self, key: HandKey, rank: Rank) -> HandKey {
        key.plus_rank(rank)
    }

    #[inline(always)]
    fn spot(&self, key: HandKey) -> u32 {
        self.of_class(self.classes.class(key))
    }
}
