//! Bonus bets: difficult hands, every published figure, and an independent count of every hand.
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
