//! The counts that a sheet makes if they are not compiled in.

use std::collections::BTreeMap;

use crate::base_game;
use crate::best::joint_on;
use paigow_exact::{JointPlay, PairCounts};
use paigow_round::ListedGame;
use paigow_rules::game::BetId;

/// The counts made for a sheet.
#[derive(Clone, Debug, Default)]
pub(super) struct SheetCounts {
    /// The pairs of hands, the house way on both sides; [`None`] if they are compiled in.
    pub(super) pairs: Option<PairCounts>,
    /// For each bet on the seat's set hands, the results if the player sets for it and the base
    /// wager.
    pub(super) joint: BTreeMap<BetId, JointPlay>,
}

impl SheetCounts {
    /// Makes the counts that a game needs and that are not compiled in.
    ///
    /// The pairs of hands take seconds, or a minute with a double down. Each bet on the seat's set
    /// hands takes a minute.
    pub(super) fn of(game: &ListedGame) -> Self {
        let known = game.base_game();
        let is_known = game.ruleset.exposes_dealer()
            || known.is_some_and(|base| base.counts.serve(&game.ruleset));
        let joint = |bet| Some((bet, joint_on(game, game.ruleset.bonus_bet(bet)?)?));
        let bets = game.ruleset.bonus_bets().iter().map(|bet| bet.id);
        Self {
            pairs: if is_known { None } else { base_game::counted(game) },
            joint: bets.filter_map(joint).collect(),
        }
    }
}
