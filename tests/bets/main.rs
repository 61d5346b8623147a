//! Bonus bets: hands that trap, every published figure, and every hand counted again.
#![allow(clippy::unwrap_used)]

#[path = "../support/canonical.rs"]
mod canonical;
mod census;
