//! From a ruleset and its house way to the sheet of its mathematics.

use super::base::base;
use super::bonus::bonus_bet;
use super::commission::{commissions, fees};
use super::counted::SheetCounts;
use super::many_rounds;
use super::reconcile::Reconciliation;
use super::sheet::{Par, ParDocument, WayName};
use crate::readings;
use crate::rules::sheet::RulesFileName;
use paigow_fairness::encoding::Hash;
use paigow_round::ListedGame;
use paigow_rules::house_way::HouseWay;

/// The sentences on how the figures of every sheet are made and written.
const METHOD: [&str; 7] = [
    "Nothing here is simulated or sampled: every figure is a count of equally likely hands, or \
     pairs of hands, of one deck of 52 cards and a joker, or follows from such counts by \
     fractions of whole numbers.",
    "Beside a fraction stands its decimal: the nearest number of so many places, halves away \
     from 0. A standard deviation is the square root cut off after twelve decimal places.",
    "The return is what is handed back on average per unit staked, the stake of a win and of a \
     push included; the house edge is 1 less the return. A hit is a win: a push is none.",
    "Variance and standard deviation are those of what one wager hands back per unit staked.",
    "Envy and community are fixed amounts, counted for the least stake that qualifies; each \
     other seat adds as much, since every hand is as likely at every seat.",
    "A volatility index is the standard deviation times 1.644853627. An interval has 95 % of all \
     samples of so many wagers, each in a round of its own, by the normal distribution.",
    "A published figure matches if the exact one, rounded to as many digits, is the same.",
];

impl ParDocument {
    /// Collects the mathematics of these games.
    #[must_use]
    pub fn of(games: &[&ListedGame]) -> Self {
        Self::with(games, |_| SheetCounts::default())
    }

    /// Collects the mathematics of these games. `counted` has the counts that are not compiled in.
    pub(super) fn with(
        games: &[&ListedGame],
        counted: impl Fn(&ListedGame) -> SheetCounts,
    ) -> Self {
        Self {
            schema: 1,
            program: concat!("paigow-lab ", env!("CARGO_PKG_VERSION")).to_owned(),
            method: METHOD.to_vec(),
            sheets: games.iter().map(|game| Par::of(game, &counted(game))).collect(),
        }
    }

    /// Returns whether a published figure differs from the exact one without an explanation.
    #[must_use]
    pub fn has_differences(&self) -> bool {
        self.sheets.iter().any(|sheet| sheet.reconciliation.differing > 0)
    }
}

impl Par {
    fn of(game: &ListedGame, counted: &SheetCounts) -> Self {
        let ruleset = &game.ruleset;
        let base = base(game, counted.pairs.as_ref());
        let bets = ruleset.bonus_bets().iter();
        let bonus_bets: Vec<_> =
            bets.map(|bet| bonus_bet(bet, game, counted.joint.get(&bet.id))).collect();
        Self {
            ruleset: RulesFileName {
                id: ruleset.id().to_owned(),
                family: ruleset.family().to_owned(),
                title: ruleset.title().to_owned(),
                source: ruleset.source().to_owned(),
                hash: game.hash.to_string(),
            },
            house_way: way_name(&game.house_way_hash, &game.house_way),
            currency: ruleset.currency().map(|currency| currency.code().to_owned()),
            exponent: ruleset.currency().map(paigow_rules::game::Currency::exponent),
            seats: ruleset.seats(),
            hand_cards: ruleset.hand_cards(),
            many_rounds: many_rounds::of(&base.sheet, &bonus_bets),
            bonus_bets,
            commissions: commissions(ruleset, base.rates()),
            fees: fees(ruleset),
            reconciliation: Reconciliation::of(ruleset),
            readings: readings::of(game),
            base: base.sheet,
        }
    }
}

/// Returns the name of a house way.
pub(super) fn way_name(hash: &Hash, way: &HouseWay) -> WayName {
    WayName {
        id: way.id().to_owned(),
        title: way.title().to_owned(),
        source: way.source().to_owned(),
        hash: hash.to_string(),
    }
}
