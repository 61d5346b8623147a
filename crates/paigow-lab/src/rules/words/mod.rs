//! The words of the rules: every sentence of a rules sheet, and nothing else.
//!
//! Each function turns terms of a ruleset into sentences for players that are exact
//! enough for a laboratory.

mod bank;
mod base;
mod bets;
mod conditions;
mod deal;
mod facts;
mod hands;

use paigow_rules::game::{Coverage, Rounding, Ruleset};

pub(super) use bank::{banking, fees, player_dealer};
pub(super) use base::{base, double_down};
pub(super) use bets::{all_bonus_bets, bonus_bet, to_others, without_figures};
pub(super) use conditions::{condition, row};
pub(super) use deal::dealing;
pub(super) use facts::{fact, general, limits, void};
pub(super) use hands::{category, deck, ranking, setting};

/// Returns the name of position 0.
pub(super) const fn dealer(ruleset: &Ruleset) -> &'static str {
    match ruleset.coverage() {
        Coverage::House => "dealer",
        Coverage::PlayerDealer => "player-dealer",
    }
}

/// Returns how an amount is rounded to a multiple of `unit`.
fn rounded(rounding: Rounding, unit: &str) -> String {
    match rounding {
        Rounding::Down => format!("rounded down to a whole {unit}"),
        Rounding::HalfUp => format!("rounded to the nearest {unit}, halves up"),
        Rounding::Up => format!("rounded up to a whole {unit}"),
    }
}
