//! Bonus bets: hands that trap, every published figure, and every hand counted again.
#![allow(clippy::unwrap_used)]

mod agreement;
mod census;
mod classes;
mod mini;
mod naive;
mod published;
mod returns;
mod tables;
mod traps;
