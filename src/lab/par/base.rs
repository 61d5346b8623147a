//! The base game of a sheet, from the counts of pairs of hands.

use super::commission::Rates;
use super::sheet::BasePar;
use crate::engine::ListedGame;
use crate::game::{BonusBet, Counts};
use crate::lab::rules::sheet::ToOne;

/// The base game, and what other parts of a sheet need of its counts.
#[derive(Debug)]
pub(super) struct BaseGame {
    pub(super) sheet: BasePar,
}

/// Returns the base game of a ruleset.
pub(super) fn base(game: &ListedGame) -> BaseGame {
    let sheet = BasePar {
        pays: ToOne(game.ruleset.base().pays),
        ways: Vec::new(),
        without_figures: Some(
            "The pairs of hands of this house way and this ranking are not counted.".to_owned(),
        ),
    };
    BaseGame { sheet }
}

impl BaseGame {
    /// Returns how often a base wager wins and loses, nothing where it is not counted.
    pub(super) fn rates(&self) -> Option<Rates> {
        let own = self.sheet.ways.first()?.readings.first()?;
        Some(Rates { win: own.win_rate.0, lose: own.loss_rate.0 })
    }

    /// Returns the counts of a bet on pushes.
    pub(super) fn pushes(&self, _bet: &BonusBet) -> Option<Counts> {
        None
    }
}
