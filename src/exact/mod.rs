//! The base game counted exactly: over every pair of a player's and a dealer's hand.

mod count;
mod deck;
mod few;
mod grid;
mod holders;
mod showdowns;
mod spots;
mod sweep;
#[cfg(test)]
mod tests;

pub use count::{Lookup, Plan, Task};
pub use deck::{CardSet, Deck};
pub use grid::{COMPARISONS, Grid, Grids};
pub use showdowns::Showdowns;
pub use spots::{Held, SetHand, Spots};
