//! Terms of conditions on the hands of seat and dealer, both set by the house way.

use std::fmt;

use super::{SetHand, SetTerm};
use crate::game::settlement::{BaseOutcome, Comparison};

/// The prefix of a term on the dealer's hands.
const DEALER: &str = "dealer_";

/// The hand of a seat against that of position 0, the dealer's or player-dealer's, both set by the
/// house way.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Showdown {
    /// How the high hands compare, the seat's with the dealer's.
    pub high: Comparison,
    /// How the low hands compare.
    pub low: Comparison,
    /// The hands of the seat.
    pub seat: SetHand,
    /// The hands of position 0.
    pub dealer: SetHand,
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
    /// Something of the seat's hands.
    Seat(SetTerm),
    /// Something of the dealer's.
    Dealer(SetTerm),
}

impl ShowdownTerm {
    /// The terms on how the hands compare.
    const COMPARED: [&str; 9] = [
        "win",
        "push",
        "lose",
        "high_win",
        "high_copy",
        "high_lose",
        "low_win",
        "low_copy",
        "low_lose",
    ];

    /// Returns the terms, with letters for their arguments.
    pub(in crate::game) fn words() -> Vec<String> {
        let compared = Self::COMPARED.map(str::to_owned).into_iter();
        let dealer = SetTerm::WORDS.map(|word| format!("{DEALER}{word}"));
        compared.chain(SetTerm::WORDS.map(str::to_owned)).chain(dealer).collect()
    }

    /// Returns the allowed form of the argument of a word.
    pub(in crate::game) fn argument(word: &str) -> String {
        let of_set = SetTerm::argument(word.strip_prefix(DEALER).unwrap_or(word));
        of_set.unwrap_or_else(|| "no argument".to_owned())
    }

    /// Reads a term; returns [`None`] for another word.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if text.contains(':') {
            return match text.strip_prefix(DEALER) {
                Some(text) => SetTerm::parse(text).map(Self::Dealer),
                None => SetTerm::parse(text).map(Self::Seat),
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

    /// Returns the term on the seat's hands alone; [`None`] if it tests anything else.
    #[must_use]
    pub const fn of_seat(self) -> Option<SetTerm> {
        match self {
            Self::Seat(term) => Some(term),
            Self::Outcome(_) | Self::High(_) | Self::Low(_) | Self::Dealer(_) => None,
        }
    }

    /// Returns the term on the dealer's hands alone; [`None`] if it tests anything else.
    #[must_use]
    pub const fn of_dealer(self) -> Option<SetTerm> {
        match self {
            Self::Dealer(term) => Some(term),
            Self::Outcome(_) | Self::High(_) | Self::Low(_) | Self::Seat(_) => None,
        }
    }

    /// Whether these hands meet it.
    #[must_use]
    pub fn holds(self, showdown: &Showdown) -> bool {
        match self {
            Self::Seat(term) => term.holds(showdown.seat),
            Self::Dealer(term) => term.holds(showdown.dealer),
            Self::Outcome(_) | Self::High(_) | Self::Low(_) => {
                self.compares(showdown.high, showdown.low)
            }
        }
    }

    /// Returns whether hands that compare so meet it; false for a term that tests anything else.
    #[must_use]
    pub fn compares(self, high: Comparison, low: Comparison) -> bool {
        match self {
            Self::Outcome(outcome) => BaseOutcome::of(high, low) == outcome,
            Self::High(comparison) => high == comparison,
            Self::Low(comparison) => low == comparison,
            Self::Seat(_) | Self::Dealer(_) => false,
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
            Self::Seat(term) => term.fmt(f),
            Self::Dealer(term) => write!(f, "{DEALER}{term}"),
        }
    }
}
