//! The base game counted exactly: over every pair of a player's and a dealer's hand.

mod count;
mod deck;
mod doubling;
mod few;
mod game_count;
mod grid;
mod histogram;
mod holders;
mod mark;
mod pair_counts;
mod returns;
mod showdowns;
mod spots;
mod sweep;
#[cfg(test)]
mod tests;

pub use count::{Lookup, Plan, Task};
pub use deck::{CardSet, Deck};
pub use doubling::{Doubled, Hands, Weighed};
pub use game_count::{Count, Part};
pub use grid::{COMPARISONS, Grid, Grids};
pub use mark::Mark;
pub use pair_counts::PairCounts;
pub use returns::Returns;
pub use showdowns::Showdowns;
pub use spots::{Held, SetHand, Spots};
