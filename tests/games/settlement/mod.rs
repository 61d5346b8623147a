//! Rounds of Mike's settled: by hand to the cent, and what holds for every round.
#![allow(clippy::unwrap_used)]

mod by_hand;
mod properties;
mod table;
