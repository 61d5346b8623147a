//! A way to play that a person follows, for a comparison with best play.

use std::fmt;

use paigow_rules::cards::Card;
use paigow_rules::house_way::{HouseWay, LowCards};

/// A way to play the base game that knows the cards of the hand alone.
///
/// Decisions must depend on the ranks and on flushes only, not on which suits are held.
pub trait PlayerStrategy: fmt::Debug + Sync {
    /// Returns the low hand of some distinct cards. The setting must be legal.
    ///
    /// Returns [`None`] if the strategy does not set so many cards.
    fn low(&self, cards: &[Card]) -> Option<LowCards>;

    /// Returns whether the strategy doubles down on a hand that it sets so, or [`None`] if it
    /// doubles whenever that pays.
    fn doubles(&self, cards: &[Card], low: LowCards) -> Option<bool>;
}

impl PlayerStrategy for HouseWay {
    fn low(&self, cards: &[Card]) -> Option<LowCards> {
        LowCards::of(&self.set(cards)?.low)
    }

    fn doubles(&self, _: &[Card], _: LowCards) -> Option<bool> {
        None
    }
}
