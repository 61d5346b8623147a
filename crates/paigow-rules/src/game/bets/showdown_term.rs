//! Terms of conditions on the hands of seat and dealer, both set by the house way.

use std::fmt;

use super::card_term::{RANK_LETTER, rank};
use crate::cards::Rank;
use crate::game::settlement::{BaseOutcome, Comparison};
use crate::hands::LowHand;

/// The hand of a seat against that of position 0, the dealer's or player-dealer's, both set by the
/// house way.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Showdown {
    /// How the high hands compare, the seat's with the dealer's.
    pub high: Comparison,
    /// How the low hands compare.
    pub low: Comparison,
    /// The low hand of the seat.
    pub seat_low: LowHand,
    /// The low hand of position 0.
    pub dealer_low: LowHand,
}

/// A term on the two hands.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ShowdownTerm {
    /// A base wager wins, pushes or loses.
    Outcome(BaseOutcome),
    /// How the high hands compare.
    High(Comparison),
    /// How the low hands compare.
    Low(Comparison),
    /// The seat's low hand is a pair of this rank or a higher one.
    LowPair(Rank),
    /// The same of the dealer's.
    DealerLowPair(Rank),
}

impl ShowdownTerm {
    /// The terms, with letters for their arguments.
    pub(in crate::game) const WORDS: [&str; 11] = [
        "win",
        "push",
        "lose",
        "high_win",
        "high_copy",
        "high_lose",
        "low_win",
        "low_copy",
        "low_lose",
        "low_pair:R",
        "dealer_low_pair:R",
    ];

    /// Returns what the argument of a word must be.
    pub(in crate::game) fn argument(word: &str) -> &'static str {
        if word.ends_with("low_pair") { RANK_LETTER } else { "no argument" }
    }

    /// Reads a term; returns [`None`] for another word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Some((word, argument)) = text.split_once(':') {
            return match word {
                "low_pair" => rank(argument).map(Self::LowPair),
                "dealer_low_pair" => rank(argument).map(Self::DealerLowPair),
                _ => None,
            };
        }
        let outcomes = [BaseOutcome::Win, BaseOutcome::Push, BaseOutcome::Lose];
        let comparisons = [Comparison::Win, Comparison::Copy, Comparison::Lose];
        let terms = outcomes
            .map(Self::Outcome)
            .into_iter()
            .chain(comparisons.map(Self::High))
            .chain(comparisons.map(Self::Low));
        terms.into_iter().find(|term| term.to_string() == text)
    }

    /// Whether these hands meet it.
    #[must_use]
    pub fn holds(self, showdown: &Showdown) -> bool {
        let is_pair = |low: LowHand, least| low.pair_rank().is_some_and(|rank| rank >= least);
        match self {
            Self::Outcome(outcome) => BaseOutcome::of(showdown.high, showdown.low) == outcome,
            Self::High(comparison) => showdown.high == comparison,
            Self::Low(comparison) => showdown.low == comparison,
            Self::LowPair(least) => is_pair(showdown.seat_low, least),
            Self::DealerLowPair(least) => is_pair(showdown.dealer_low, least),
        }
    }
}

impl fmt::Display for ShowdownTerm {
    /// Writes the term as a ruleset does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Outcome(outcome) => f.write_str(outcome.name()),
            Self::High(comparison) => write!(f, "high_{}", comparison.name()),
            Self::Low(comparison) => write!(f, "low_{}", comparison.name()),
            Self::LowPair(rank) => write!(f, "low_pair:{}", rank.letter()),
            Self::DealerLowPair(rank) => write!(f, "dealer_low_pair:{}", rank.letter()),
        }
    }
}
