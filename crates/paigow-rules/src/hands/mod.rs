//! High and low hands: their values, and which of two is higher.
//!
//! The joker is semi-wild or wild, as [`JokerUse`] says. Suits never decide.

mod canonical;
mod category;
mod class;
mod high;
mod low;
mod ranking;
mod ranks;

#[cfg(test)]
mod tests;

pub use canonical::{CanonicalHand, canonical_hands};
pub use category::Category;
pub use class::{CardKey, HandClass, HandClasses, HandFacts, HandKey, every_high_hand};
pub use high::{HighHand, holds_straight_or_flush};
pub use low::{LowHand, every_low_hand};
pub use ranking::{JokerUse, Ranking, Wheel};
pub use ranks::plural;

/// Returns whether a setting is foul: the low hand is higher than the high hand, as far as its
/// cards go.
///
/// - A pair is foul in front of a high card hand or of a lower pair.
/// - Two unpaired cards are foul in front of a high card hand whose two top cards are lower.
/// - One card is foul in front of a high card hand whose top card is lower. A joker alone in front
///   is an ace.
///
/// Equal is legal. Two pair or better behind is never foul. Rules of the games, "Foul".
///
/// # Examples
///
/// ```
/// use paigow_rules::hands::{HighHand, LowHand, Wheel, is_foul};
///
/// let card = |code: &str| code.parse().unwrap();
/// let kings = LowHand::of(&["Kc", "Kd"].map(card), Wheel::Second);
/// let queens = HighHand::of(&["Qc", "Qd", "9h", "5s", "2c"].map(card), Wheel::Second);
/// assert!(is_foul(kings, queens));
/// ```
#[must_use]
pub fn is_foul(low: LowHand, high: HighHand) -> bool {
    match (high.category(), low.pair_rank()) {
        (Category::HighCard, Some(_)) => true,
        (Category::HighCard, None) => {
            let [first, second, ..] = high.ranks();
            match low.second_rank() {
                Some(low_second) => (low.top_rank(), low_second) > (first, second),
                None => low.top_rank() > first,
            }
        }
        (Category::Pair, Some(pair)) => {
            let [first, ..] = high.ranks();
            pair > first
        }
        (
            Category::Pair
            | Category::TwoPair
            | Category::ThreeOfAKind
            | Category::Straight
            | Category::Flush
            | Category::FullHouse
            | Category::FourOfAKind
            | Category::StraightFlush
            | Category::RoyalFlush
            | Category::FiveOfAKind
            | Category::FiveAces,
            _,
        ) => false,
    }
}
