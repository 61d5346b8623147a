//! The way from the cards of a hand to its spot.

use paigow_rules::cards::{Card, Rank};

/// Finds what cards come to from a key that grows with every card.
pub trait SpotLookup {
    /// What the cards of a hand add up to, in whatever order.
    type Key: Copy;

    /// Returns the key of no card.
    fn nothing(&self) -> Self::Key;

    /// Returns the key with one more card.
    fn plus(&self, key: Self::Key, card: Card) -> Self::Key;

    /// Returns the key with one more card of a rank, of a suit that is no flush's.
    fn plus_rank(&self, key: Self::Key, rank: Rank) -> Self::Key;

    /// Returns the number, among the [`Spots`](super::spots::Spots) of the count, of the hand with a key.
    fn spot(&self, key: Self::Key) -> u32;
}
