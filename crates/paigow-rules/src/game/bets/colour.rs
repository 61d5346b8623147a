//! How many of the cards are of one colour; the joker is of neither.

use super::DealtHand;
use crate::game::sheet::ColourChoice;

/// What a row asks of a hand and the colour that the player names.
///
/// Each asks for exactly so many cards, not for so many or more: then every row of a
/// table can pay, in whatever order an operator's amounts put them.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ColourCondition {
    /// Seven cards of the colour.
    Seven,
    /// Six cards of the colour.
    Six,
    /// Five cards of the colour.
    Five,
    /// Four cards of the colour.
    Four,
}

impl ColourCondition {
    /// All conditions, in the order of the source.
    pub const ALL: [Self; 4] = [Self::Seven, Self::Six, Self::Five, Self::Four];

    /// Returns the name that a ruleset calls the condition by.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Seven => "seven_of_colour",
            Self::Six => "six_of_colour",
            Self::Five => "five_of_colour",
            Self::Four => "four_of_colour",
        }
    }

    /// Returns how many cards of the colour it asks for, 4 to 7.
    #[must_use]
    pub const fn cards(self) -> usize {
        match self {
            Self::Seven => 7,
            Self::Six => 6,
            Self::Five => 5,
            Self::Four => 4,
        }
    }

    /// Whether the condition holds for these cards and this colour.
    #[must_use]
    pub fn holds(self, cards: &DealtHand, choice: ColourChoice) -> bool {
        cards.held_of(choice) == self.cards()
    }
}
