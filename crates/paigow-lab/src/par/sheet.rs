//! The mathematics of a game as one model. JSON, Markdown and HTML are its three forms.
//!
//! Its JSON is an interface, which `par.schema.json` describes. Members are added over time, and
//! none changes its meaning. Amounts and counts are texts. Odds are `{"num":5,"den":1}` for 5 to 1.
//! Fractions have the form of [`ParFraction`]. A part that a game does not have is null or an empty
//! list.

use serde::Serialize;

use super::exact::{ParCount, ParFraction, ResultSpread};
use crate::readings::ReadingEntry;
use crate::rules::sheet::{CountedDeals, MinorUnits, PayOdds, RulesFileName, increment, rounding};
use paigow_rules::game::{Increment, Rounding};

pub use super::base_sheet::{BasePar, ComparisonPar, DoublingPar, ReadingPar, SidePar, WayPar};
pub use super::many_rounds::{ManyRoundsPar, ReturnInterval};
pub use super::reconcile::{ReconciledFigure, Reconciliation, ReconciliationVerdict};

/// The sheets of one ruleset or of all.
#[derive(Debug, Serialize)]
pub struct ParDocument {
    /// The number of this form: 1.
    pub schema: u8,
    /// The program and its version.
    pub program: String,
    /// How the figures are computed and written.
    pub method: Vec<&'static str>,
    /// The sheets, by the id of the ruleset.
    pub sheets: Vec<Par>,
}

/// The mathematics of one ruleset.
#[derive(Debug, Serialize)]
pub struct Par {
    /// The ruleset.
    pub ruleset: RulesFileName,
    /// The house way that sets the dealer's hand.
    pub house_way: WayName,
    /// The code of the currency of every amount; null if the ruleset takes any.
    pub currency: Option<String>,
    /// The number of decimal digits of its minor unit.
    pub exponent: Option<u8>,
    /// How many seats players have.
    pub seats: u8,
    /// How many cards each position is dealt.
    pub hand_cards: usize,
    /// The base game.
    pub base: BasePar,
    /// The bonus bets in the order of the ruleset.
    pub bonus_bets: Vec<BetPar>,
    /// The deviation of the return of many wagers from its average.
    pub many_rounds: Vec<ManyRoundsPar>,
    /// The effect of rounding on the commissions.
    pub commissions: Vec<CommissionPar>,
    /// The flat fees as shares of a wager; empty for a game without fees.
    pub fees: Vec<FeePar>,
    /// The published figures of the game beside the exact ones.
    pub reconciliation: Reconciliation,
    /// The readings of the sources that stay open.
    pub readings: Vec<ReadingEntry>,
}

/// A house way by its id and its name.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct WayName {
    /// The id.
    pub id: String,
    /// The name.
    pub title: String,
    /// The document that it comes from.
    pub source: String,
    /// The content hash, 64 hexadecimal digits.
    pub hash: String,
}

/// A bonus bet.
#[derive(Debug, Serialize)]
pub struct BetPar {
    /// Its id.
    pub bet: String,
    /// Its name on the layout.
    pub title: String,
    /// The cards that it is judged on.
    pub judged_on: &'static str,
    /// The unit of the counts: `hands` or `pairs of hands`.
    pub counted: CountedDeals,
    /// The rows in paying order; without counts if they are not counted.
    pub rows: Vec<RowPar>,
    /// The results of the bet; null if they are not counted.
    pub figures: Option<BetFigures>,
    /// The reason if they are not counted.
    pub without_figures: Option<String>,
    /// The return of a bet on the seat's set hands for players who set them; null for another bet.
    pub set_by_player: Option<SetByPlayerPar>,
    /// The wins by the hands of other seats.
    pub to_others: Option<ToOthersPar>,
    /// The results by the content of its meter; null for a bet without a meter.
    pub meter: Option<MeterPar>,
    /// The effect of rounding; null if every stake wins whole minor units.
    pub rounding: Option<StakesPar>,
}

/// The results of a progressive bet by the content of its meter.
///
/// All other figures of the bet are of a meter that holds its seed. All are of a wager that shares
/// its row with no other.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct MeterPar {
    /// The amount in the meter after it was paid in full.
    pub seed_minor: MinorUnits,
    /// The stake, which is fixed.
    pub stake_minor: MinorUnits,
    /// The part of each stake that the casino adds to the meter.
    pub contribution: PayOdds,
    /// The return while the meter holds its seed.
    pub return_at_seed: ParFraction,
    /// The return that each minor unit in the meter adds.
    pub return_of_each_minor_unit: ParFraction,
    /// The meter, in minor units, at which the bet returns the whole stake on average.
    pub break_even_minor: ParFraction,
    /// The return in the long run.
    ///
    /// The casino adds the contribution of each stake to the meter, and takes each payment out of
    /// it. It sets the meter back to the seed after a payment in full.
    pub long_run_return: ParFraction,
}

/// The return of a bet on the seat's set hands for players who set them. The figures of the bet are
/// those of the house way.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct SetByPlayerPar {
    /// The return to a player who sets every hand for this bet alone: no player gets more of it.
    pub for_it_alone: ParFraction,
    /// The results of a player who sets every hand for the base wager and this bet together, both
    /// of one stake; null if they are not counted.
    pub with_base: Option<JointPar>,
    /// The reason if they are not counted.
    pub without_base: Option<&'static str>,
}

/// The returns of two wagers of one stake for a player who sets every hand as both are worth most.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct JointPar {
    /// The return of the bet.
    #[serde(rename = "return")]
    pub returned: ParFraction,
    /// The return of the base wager.
    #[serde(rename = "base_return")]
    pub base_returned: ParFraction,
}

/// One row of a pay table.
#[derive(Debug, Serialize)]
pub struct RowPar {
    /// Its id in answers and records.
    pub id: String,
    /// The row as the source prints it.
    pub title: String,
    /// The odds that it pays; null for a push and for a share of a meter.
    pub pays: Option<PayOdds>,
    /// The share of the meter that it pays; null for odds and for a push.
    pub meter_share: Option<PayOdds>,
    /// `won` or `push`.
    pub result: &'static str,
    /// The amount that such a hand wins each qualifying wager of another seat.
    pub to_others_minor: Option<MinorUnits>,
    /// The frequency of the row and its results; null if they are not counted.
    pub figures: Option<RowFigures>,
}

/// How often a row is paid, and its results per unit staked.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RowFigures {
    /// How many hands, or pairs of hands, it pays.
    pub combinations: ParCount,
    /// Their share of all.
    pub probability: ParFraction,
    /// The average amount that it hands back, the stake included.
    pub returned: ParFraction,
    /// The average amount that it wins, without the stake.
    pub won: ParFraction,
}

/// The results of a bonus bet.
#[derive(Debug, Serialize)]
pub struct BetFigures {
    /// How many hands, or pairs of hands, there are.
    pub combinations: ParCount,
    /// How many of them lose.
    pub losing: ParCount,
    /// The probability that a wager loses.
    pub loss_rate: ParFraction,
    /// The probability that a wager wins; a push is not a win.
    pub hit_rate: ParFraction,
    /// The probability that a wager pushes.
    pub push_rate: ParFraction,
    /// The average amount handed back per unit staked. The stake of a win and of a push is
    /// included. Wins by the hands of other seats are not.
    #[serde(rename = "return")]
    pub returned: ParFraction,
    /// The average share of a stake that the house keeps: 1 less the return.
    pub house_edge: ParFraction,
    /// The spread of the results, per unit staked.
    pub spread: ResultSpread,
}

/// The wins of a bet by the hands of other seats.
#[derive(Debug, Serialize)]
pub struct ToOthersPar {
    /// The id of the lines of such wins, `envy` or `community`.
    pub bet: String,
    /// The least stake that qualifies. The figures are for this stake, and fall as it grows.
    pub threshold_minor: MinorUnits,
    /// The average amount that the hand of one other seat wins, in minor units.
    pub one_other_minor: ParFraction,
    /// The same per unit of the least stake that qualifies.
    pub one_other: ParFraction,
    /// By how many seats play, from 1.
    pub by_players: Vec<PlayersPar>,
}

/// The results of a bet beside other seats.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct PlayersPar {
    /// The number of seats that play, one's own included.
    pub players: u8,
    /// The average amount handed back per unit of the least stake that qualifies.
    #[serde(rename = "return")]
    pub returned: ParFraction,
    /// The share of it that the house keeps.
    pub house_edge: ParFraction,
    /// The average that the house pays in a round for hands of others, in minor units, if every one
    /// of these seats has a wager that qualifies.
    pub paid_a_round_minor: ParFraction,
    /// The amount that it then pays for one hand of the highest row, in minor units: each of the
    /// other seats is paid.
    pub paid_at_most_a_hand_minor: MinorUnits,
}

/// The worst and the best stakes under rounding.
#[derive(Debug, Serialize)]
pub struct StakesPar {
    /// The stake for which the house keeps most, the least of them.
    pub worst: StakePar,
    /// The stake for which it keeps least, the least of them.
    pub best: StakePar,
}

/// The results of a wager of one stake.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct StakePar {
    /// The stake.
    pub stake_minor: MinorUnits,
    /// The average amount handed back per unit of this stake.
    #[serde(rename = "return")]
    pub returned: ParFraction,
    /// The share of it that the house keeps.
    pub house_edge: ParFraction,
}

/// The win from which a commission is taken.
#[derive(Clone, Copy, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum CommissionBase {
    /// A win of the base wager.
    Base,
    /// A win of the seats beside a player who banks.
    Banking,
}

/// The effect of rounding on a commission.
#[derive(Debug, Serialize)]
pub struct CommissionPar {
    /// `base`, or `banking` for the seats beside a player who banks.
    pub of: CommissionBase,
    /// The share of a win that the terms name.
    pub rate: PayOdds,
    /// `down`, `half-up` or `up`.
    #[serde(serialize_with = "rounding")]
    pub rounding: Rounding,
    /// `minor-unit` or `quarter-chip`.
    #[serde(serialize_with = "increment")]
    pub increment: Increment,
    /// By the lowest chip in play, if the terms need it; otherwise one entry without a chip.
    pub by_chip: Vec<ChipPar>,
}

/// The worst and the best wins under the rounding of a commission, with one lowest chip.
#[derive(Debug, Serialize)]
pub struct ChipPar {
    /// The lowest chip in play, in minor units.
    pub chip_minor: Option<MinorUnits>,
    /// The base stake with the largest commission on its win, the least of them.
    pub worst: KeptPar,
    /// The base stake with the smallest commission on its win, the least of them.
    pub best: KeptPar,
}

/// The commission kept of the win of one base stake.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct KeptPar {
    /// The stake.
    pub stake_minor: MinorUnits,
    /// The win of the stake.
    pub win_minor: MinorUnits,
    /// The commission that is kept of the win.
    pub commission_minor: MinorUnits,
    /// The share of the win.
    pub share: ParFraction,
    /// The house edge of the base wager with this commission.
    ///
    /// Null if the base game is not counted. Also null for banking, where the terms of a round are
    /// more than one wager.
    pub house_edge: Option<ParFraction>,
}

/// A flat fee as a share of a wager.
#[derive(Debug, Serialize)]
pub struct FeePar {
    /// `player` by his base wager, or `player_dealer` by the sum of all base wagers.
    pub of: &'static str,
    /// The least amount of the band.
    pub from_minor: MinorUnits,
    /// The largest amount of the band; null for the last.
    pub up_to_minor: Option<MinorUnits>,
    /// The fee.
    pub fee_minor: MinorUnits,
    /// The fee as a share of the least amount of the band.
    pub highest_share: ParFraction,
    /// The same of the largest amount.
    pub lowest_share: Option<ParFraction>,
}
