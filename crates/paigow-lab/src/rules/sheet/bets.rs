//! The bonus bets of a rules sheet.

use serde::Serialize;

use super::{CountedDeals, MinorUnits, PayOdds, SheetFraction};

/// A bonus bet.
#[derive(Debug, Serialize)]
pub struct BetSheet {
    /// Its id.
    pub bet: String,
    /// Its name on the layout.
    pub title: String,
    /// Whether it may be bet only beside a base wager.
    pub needs_base: bool,
    /// The cards that it looks at, in words.
    pub words: Vec<String>,
    /// The rows in paying order.
    pub rows: Vec<RowSheet>,
    /// The wins by the hands of other seats.
    pub to_others: Option<ToOthersSheet>,
    /// The frequencies of its results; null for a bet on two hands whose pairs are not counted.
    pub figures: Option<BonusFigures>,
    /// The reason if they are not counted.
    pub without_figures: Option<String>,
}

/// One row of a pay table.
#[derive(Debug, Serialize)]
pub struct RowSheet {
    /// Its id in answers and records.
    pub id: String,
    /// The row as the source prints it.
    pub title: String,
    /// The odds that it pays; null for a push and for a share of a meter.
    pub pays: Option<PayOdds>,
    /// The share of the meter that it pays; null for odds and for a push.
    pub meter_share: Option<PayOdds>,
    /// `won`, or `push`, for a wager on such a hand.
    pub result: &'static str,
    /// The amount that such a hand wins each qualifying wager of another seat.
    pub to_others_minor: Option<MinorUnits>,
    /// Whether a floor person is called before it is paid.
    pub notify_floor: bool,
    /// The name of the condition.
    pub condition: String,
    /// The condition in words.
    pub words: String,
    /// The number of hands, or pairs of hands, for which it is the first row that holds.
    pub hands: Option<u64>,
    /// The share of all hands, with ten decimal places.
    pub probability: Option<String>,
    /// The number of hands for each one that it pays, with one decimal place.
    pub one_in: Option<String>,
}

/// The wins of a bet by the hands of other seats.
#[derive(Debug, Serialize)]
pub struct ToOthersSheet {
    /// The id of the lines of such wins.
    pub bet: String,
    /// Its name on the layout.
    pub title: String,
    /// The least stake that qualifies.
    pub threshold_minor: MinorUnits,
    /// The terms.
    pub words: Vec<String>,
}

/// How often a bonus bet wins, exactly.
#[derive(Debug, Serialize)]
pub struct BonusFigures {
    /// The unit of the counts: `hands`, or `pairs of hands` of seat and dealer, both set by the
    /// house way.
    pub counted: CountedDeals,
    /// How many of them there are.
    pub hands: u64,
    /// How many of them lose.
    pub losing: u64,
    /// The average amount that the pay table hands back per unit staked; a meter holds its seed.
    pub return_of_table: SheetFraction,
    /// The effect of a meter; null for a bet without a meter.
    pub meter: Option<MeterFigures>,
    /// The average amount that the hand of one other seat wins a qualifying wager, in minor units.
    pub to_others_minor: Option<SheetFraction>,
    /// The average amount handed back at the stake for which that is most, if all other seats play.
    pub highest_return: SheetFraction,
}

/// The returns of a progressive bet by the content of its meter, for a wager that shares its row
/// with no other.
#[derive(Debug, Serialize)]
pub struct MeterFigures {
    /// The meter, in minor units, at which the bet returns the whole stake on average.
    pub break_even_minor: SheetFraction,
    /// The return in the long run.
    ///
    /// The casino adds the contribution of each stake to the meter, and takes each payment out of
    /// it. It sets the meter back to the seed after a payment in full.
    pub long_run_return: SheetFraction,
}
