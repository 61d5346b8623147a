//! The base game of a sheet.

use serde::Serialize;

use super::exact::{ParCount, ParFraction, ResultSpread};
use super::sheet::WayName;
use crate::rules::sheet::PayOdds;

/// The base game, the dealer's hand set by the ruleset's house way.
#[derive(Debug, Serialize)]
pub struct BasePar {
    /// The payment of a win.
    pub pays: PayOdds,
    /// Both hands set by the ruleset's house way; null if it is not counted.
    pub own: Option<WayPar>,
    /// The reason if it is not counted.
    pub without_figures: Option<String>,
    /// By best play, as the ruleset plays; null if it is not counted.
    pub best_play: Option<ReadingPar>,
    /// The player's hand set by each way that is compiled in, as the ruleset plays.
    pub players: Vec<SidePar>,
    /// Both hands set by each way that is compiled in, as the ruleset plays.
    pub alike: Vec<SidePar>,
}

/// The base game of a pair of house ways, in full.
#[derive(Debug, Serialize)]
pub struct WayPar {
    /// The way that sets both hands.
    pub way: WayName,
    /// How many deals of a player's and the dealer's hand there are.
    pub pairs: ParCount,
    /// How the hands compare, from the player's side, before any rule beyond that.
    pub comparisons: Vec<ComparisonPar>,
    /// As the ruleset plays, first, and otherwise for comparison.
    pub readings: Vec<ReadingPar>,
}

/// The base game of a pair of house ways, as the ruleset plays.
#[derive(Debug, Serialize)]
pub struct SidePar {
    /// The id of the way of the player.
    pub player: String,
    /// The id of the way of the dealer.
    pub dealer: String,
    /// The results of the wager.
    pub as_played: ReadingPar,
}

/// How often both hands compare in one way.
#[derive(Debug, Serialize)]
pub struct ComparisonPar {
    /// The player's high hand against the dealer's: `win`, `copy` or `lose`.
    pub high: &'static str,
    /// The low hand likewise.
    pub low: &'static str,
    /// How many deals compare so.
    pub pairs: ParCount,
    /// Their share of all.
    pub probability: ParFraction,
}

/// The results of a base wager under one reading of the rules.
#[derive(Clone, Debug, Serialize)]
pub struct ReadingPar {
    /// Its name.
    pub id: &'static str,
    /// The reading in words.
    pub words: String,
    /// The owner of the wager: `player`, or `banker` for one who banks against a player.
    pub whose: &'static str,
    /// The share of each win that is kept, not rounded.
    pub commission: ParFraction,
    /// How many deals are won.
    pub win: ParCount,
    /// How many push.
    pub push: ParCount,
    /// How many are lost.
    pub lose: ParCount,
    /// The share of those that are won.
    pub win_rate: ParFraction,
    /// The share of those that push.
    pub push_rate: ParFraction,
    /// The share of those that are lost.
    pub loss_rate: ParFraction,
    /// The average amount handed back per unit of the base stake. The stake is included, and so is
    /// the net result of a double down.
    #[serde(rename = "return")]
    pub returned: ParFraction,
    /// The share that the other side keeps: 1 less the return.
    pub house_edge: ParFraction,
    /// The spread of the results, per unit of the base stake.
    pub spread: ResultSpread,
    /// The effect of a double down; null if the game has none.
    pub doubling: Option<DoublingPar>,
}

/// When the player doubles down, and the effect on the edge.
#[derive(Clone, Debug, Serialize)]
pub struct DoublingPar {
    /// `never`, `always`, or `optimal`: on the hands on which it pays.
    pub when: &'static str,
    /// The share of hands that are doubled on.
    pub doubled: ParFraction,
    /// The share that the other side keeps per unit staked in all, the double down's stake
    /// included.
    pub edge_per_staked: ParFraction,
}
