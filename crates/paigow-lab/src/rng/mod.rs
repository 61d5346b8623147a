//! `paigow-lab rng`: what the random number generator puts out, collected for a test
//! laboratory and tested here.
//!
//! Words, draws, decks and dice come from [`paigow_fairness as fairness`], rounds from
//! [`paigow_rules::game`]: the functions that deal in production, not copies of them. The
//! collecting commands write nothing but what they are asked for, so that their output can
//! be piped into a battery of tests:
//!
//! | command | binary | text |
//! |---|---|---|
//! | [`numbers`] of `raw` | each 32-bit word as four bytes, the lowest first | one word a line, decimal |
//! | [`numbers`] of `uniform` | each number as four bytes, the lowest first | one number a line, decimal |
//! | [`decks`] | each card as one byte, its number 0 to 52; a deck has no end mark | one deck a line, the codes of its cards with a space between |
//! | [`rounds`] | a record of fixed length a round, see there | one JSON object a line |
//!
//! Where the seeds come from is a [`SeedSource`].

pub mod check;
mod decks;
mod numbers;
mod rounds;
mod source;

pub use decks::{DeckCollection, decks};
pub use numbers::{KeystreamName, NumberCollection, NumberKind, numbers};
pub use rounds::{RoundCollection, rounds};
pub use source::{SeedDerivation, SeedSource, Seeds};

/// The form of collected output.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum CollectionFormat {
    /// Bytes without separators.
    Binary,
    /// Lines of ASCII text.
    Text,
}
