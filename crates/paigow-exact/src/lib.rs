//! The base game counted exactly, over every pair of a player's and a dealer's hand. There are
//! 8,250,459,031,214,400 pairs of seven cards and 246,507,617,396,040 of six.
//!
//! [`base_game`] answers from counts that are compiled in, for every pair of compiled-in house
//! ways. A [`GameCount`] makes the counts for any ruleset and any pair of ways, in tasks that can
//! run on many threads. Both give a [`PairCounts`]. [`BaseGame::of`] and [`ShowdownCounts::of`]
//! compute the figures from it.
//!
//! ```
//! use paigow_exact as exact;
//! use paigow_rules::{game, house_way};
//!
//! let mikes = game::shipped().iter().find(|ruleset| ruleset.id() == "mikes").unwrap();
//! let way = house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap();
//! let base = exact::base_game(mikes, way, way).unwrap();
//! let edge = base.readings[0].returns.edge().unwrap();
//! assert_eq!(base.outcomes.pairs(), 8_250_459_031_214_400);
//! assert_eq!(edge.decimal(6), "0.012764");
//!
//! let wrangler = &mikes.bonus_bets()[0];
//! let counts = exact::ShowdownCounts::of(wrangler, &base.counts).unwrap();
//! assert_eq!(counts.returns(wrangler).unwrap().edge().unwrap().decimal(6), "0.059688");
//! ```

mod base_game;
mod best;
mod cells;
mod commissions;
mod count;
mod deck;
mod doubling;
mod few;
mod game_count;
mod grid;
mod histogram;
mod holders;
mod lookup;
mod made;
mod mark;
mod pair_counts;
mod place;
mod returns;
mod set_bet;
mod showdown_bet;
mod showdowns;
mod spots;
mod stored;
mod sweep;
#[cfg(test)]
mod tests;

pub use base_game::{BaseGame, Doubling, Outcomes, Reading};
pub use best::{
    BestPlay, BestPlayCount, BestPlayPart, BestPlayTask, BestPlayTerms, ClauseDifference,
    HandWorths, JointPlay, MarkedHands, Played, PlayerStrategy, SettingWorth, Sight, best_play,
    best_plays, stored_best_play,
};
pub use count::{CountPlan, CountTask};
pub use deck::{RepresentativeSet, SymmetricDeck};
pub use doubling::{DoubledHands, PlayerHands, WeighedHands};
pub use game_count::{CountPart, GameCount};
pub use grid::{COMPARISONS, Grid, Grids};
pub use lookup::{ClassLookup, SpotLookup};
pub use made::make_counts;
pub use mark::Mark;
pub use pair_counts::PairCounts;
pub use returns::Returns;
pub use set_bet::SetBetCounts;
pub use showdown_bet::ShowdownCounts;
pub use showdowns::Showdowns;
pub use spots::{HeldHands, Spots};
pub use stored::{base_game, counts_of, stored_counts};
