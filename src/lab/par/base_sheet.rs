//! The base game of a sheet.

use serde::Serialize;

use super::exact::{Count, Exact, Spread};
use super::sheet::WayName;
use crate::lab::rules::sheet::ToOne;

/// The base game, the dealer's hand set by the ruleset's house way.
#[derive(Debug, Serialize)]
pub struct BasePar {
    /// What a win pays.
    pub pays: ToOne,
    /// By the way that a player sets his hands, the ruleset's own first.
    pub ways: Vec<WayPar>,
    /// Why there is none.
    pub without_figures: Option<String>,
}

/// The base game where a player sets his hands by one house way.
#[derive(Debug, Serialize)]
pub struct WayPar {
    /// The way of the player.
    pub player: WayName,
    /// How many deals of a player's and the dealer's hand there are.
    pub pairs: Count,
    /// How the hands compare, from the player's side, before any rule beyond that.
    pub comparisons: Vec<ComparisonPar>,
    /// Under the rules of the ruleset, first, and under others for comparison.
    pub readings: Vec<ReadingPar>,
    /// With the second wager of a double down; empty where the game has none.
    pub doubles: Vec<DoublePar>,
}

/// How often both hands compare in one way.
#[derive(Debug, Serialize)]
pub struct ComparisonPar {
    /// The player's high hand against the dealer's: `win`, `copy` or `lose`.
    pub high: &'static str,
    /// The low hand likewise.
    pub low: &'static str,
    /// How many deals compare so.
    pub pairs: Count,
    /// Their share of all.
    pub probability: Exact,
}

/// What a base wager comes to under one reading of the rules.
#[derive(Debug, Serialize)]
pub struct ReadingPar {
    /// Its name.
    pub id: &'static str,
    /// What it says.
    pub words: String,
    /// Whether it is the ruleset's own.
    pub is_own: bool,
    /// How many deals the player wins.
    pub win: Count,
    /// How many push.
    pub push: Count,
    /// How many he loses.
    pub lose: Count,
    /// The share of those that he wins.
    pub win_rate: Exact,
    /// The share of those that push.
    pub push_rate: Exact,
    /// The share of those that he loses.
    pub loss_rate: Exact,
    /// What is handed back on average per unit staked; a commission is not rounded.
    #[serde(rename = "return")]
    pub returned: Exact,
    /// What the house, or the player who banks, keeps: 1 less the return.
    pub house_edge: Exact,
    /// How far results stray, per unit staked.
    pub spread: Spread,
}

/// What base wager and double down come to, by when the player doubles.
#[derive(Debug, Serialize)]
pub struct DoublePar {
    /// `never`, `always` or `optimal`.
    pub doubles: &'static str,
    /// What that means.
    pub words: &'static str,
    /// The share of deals in which the player doubles.
    pub doubled: Exact,
    /// What the house keeps on average per unit of the base wager.
    pub edge_per_base: Exact,
    /// What it keeps per unit staked in all.
    pub edge_per_staked: Exact,
    /// How far results stray, per unit of the base wager.
    pub spread: Option<Spread>,
}
