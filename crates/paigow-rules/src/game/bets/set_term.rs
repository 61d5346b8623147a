//! Terms of conditions on a hand as the house way sets it.

use std::fmt;

use super::card_term::{RANK_LETTER, rank};
use crate::cards::Rank;
use crate::hands::{Category, HighHand, LowHand};

/// The two hands that some cards are set in.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct SetHand {
    /// The value of the high hand.
    pub high: HighHand,
    /// The value of the low hand.
    pub low: LowHand,
}

/// A term on the two hands that some cards are set in.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum SetTerm {
    /// The high hand is of this category.
    High(Category),
    /// The high hand is no pair or better, and its highest card is of this rank.
    HighHighest(Rank),
    /// The low hand is no pair, and its highest card, or its one card, is of this rank; the joker is an
    /// ace.
    LowHighest(Rank),
    /// The low hand is a pair of this rank or a higher one.
    LowPair(Rank),
}

impl SetTerm {
    /// The terms, with letters for their arguments.
    pub(in crate::game) const WORDS: [&str; 4] =
        ["high:CATEGORY", "high_highest:R", "low_highest:R", "low_pair:R"];

    /// Returns the allowed form of the argument of a word, or [`None`] for another word.
    pub(in crate::game) fn argument(word: &str) -> Option<String> {
        match word {
            "high" => Some(format!("a category: {}", Category::ALL.map(category_word).join(", "))),
            "high_highest" | "low_highest" | "low_pair" => Some(RANK_LETTER.to_owned()),
            _ => None,
        }
    }

    /// Reads a term; returns [`None`] for another word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (word, argument) = text.split_once(':')?;
        match word {
            "high" => {
                let mut categories = Category::ALL.into_iter();
                categories.find(|known| category_word(*known) == argument).map(Self::High)
            }
            "high_highest" => rank(argument).map(Self::HighHighest),
            "low_highest" => rank(argument).map(Self::LowHighest),
            "low_pair" => rank(argument).map(Self::LowPair),
            _ => None,
        }
    }

    /// Whether these hands meet it.
    #[must_use]
    pub fn holds(self, set: SetHand) -> bool {
        match self {
            Self::High(category) => set.high.category() == category,
            Self::HighHighest(highest) => set.high.high_card_rank() == Some(highest),
            Self::LowHighest(highest) => {
                set.low.pair_rank().is_none() && set.low.top_rank() == highest
            }
            Self::LowPair(least) => set.low.pair_rank().is_some_and(|rank| rank >= least),
        }
    }
}

/// Returns a category as a ruleset writes it, `full_house`.
fn category_word(category: Category) -> String {
    category.name().replace(' ', "_")
}

impl fmt::Display for SetTerm {
    /// Writes the term as a ruleset does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::High(category) => write!(f, "high:{}", category_word(*category)),
            Self::HighHighest(rank) => write!(f, "high_highest:{}", rank.letter()),
            Self::LowHighest(rank) => write!(f, "low_highest:{}", rank.letter()),
            Self::LowPair(rank) => write!(f, "low_pair:{}", rank.letter()),
        }
    }
}
