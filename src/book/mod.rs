//! What a test laboratory reads beside the code: the specification, and four chapters of a
//! quarter of an hour each.
//!
//! | chapter | answers |
//! |---|---|
//! | [`protocol`] | what the engine has to do: PGE-FAIR-1, with its sections and decisions |
//! | [`rng`] | where each card comes from, what can fail, which requirement is met where |
//! | [`maths`] | how every probability, return and edge is computed, and what it was held against |
//! | [`records`] | every record and member of a transcript, with one real round taken apart |
//! | [`verifier`] | how to write a program that checks a transcript, without any of this code |
//!
//! A sentence about the engine names the item that does it, by a link, or the function by
//! its file where it is private: `src/fairness/shuffle.rs::uniform`. The test that holds it
//! is named likewise: `tests/tamper.rs::the_untouched_transcript_matches`. `tests/book.rs`
//! finds each of them, and compares every list here with that of the code.
//!
//! | a submission asks for | where |
//! |---|---|
//! | a design document of the generator, with its known limits | [`rng`] |
//! | a pack of the mathematics: method, exact figures, reconciliation | [`maths`]; the figures themselves from `paigow-lab par` |
//! | test evidence that can be traced | the test behind each claim here, and `tests/run`, which runs all |
//! | vectors that never change | the last table of [`verifier`] |
//! | a specification from which to write another verifier | [`protocol`], [`records`] and [`verifier`] |
//!
//! Comments of the code name sections and decisions of [`protocol`]: "PGE-FAIR-1, section
//! 3.4", or "D12".

#[doc = include_str!("protocol.md")]
pub mod protocol {}

#[doc = include_str!("rng.md")]
pub mod rng {}

#[doc = include_str!("maths.md")]
pub mod maths {}

#[doc = include_str!("records.md")]
pub mod records {}

#[doc = include_str!("verifier.md")]
pub mod verifier {}
