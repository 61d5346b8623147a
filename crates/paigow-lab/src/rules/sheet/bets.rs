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
    /// What it looks at.
    pub words: Vec<String>,
    /// The rows in paying order.
    pub rows: Vec<RowSheet>,
    /// What it wins by the hands of other seats.
    pub to_others: Option<ToOthersSheet>,
    /// How often it wins; null for a bet on two hands whose pairs are not counted.
    pub figures: Option<BonusFigures>,
    /// Why there are none.
    pub without_figures: Option<String>,
}

/// One row of a pay table.
#[derive(Debug, Serialize)]
pub struct RowSheet {
    /// Its id in answers and records.
    pub id: String,
    /// The row as the source prints it.
    pub title: String,
    /// What it pays; null for a push and for a share of a meter.
    pub pays: Option<PayOdds>,
    /// The share of the meter that it pays; null for odds and for a push.
    pub meter_share: Option<PayOdds>,
    /// `won`, or `push`, as a wager on such a hand ends.
    pub result: &'static str,
    /// What such a hand wins each qualifying wager of another seat.
    pub to_others_minor: Option<MinorUnits>,
    /// Whether a floor person is told before it is paid.
    pub notify_floor: bool,
    /// The name of the condition.
    pub condition: String,
    /// What it asks for.
    pub words: String,
    /// How many hands, or pairs of hands, it pays: those of which it is the first row to
    /// hold.
    pub hands: Option<u64>,
    /// The share of all hands, with ten decimal places.
    pub probability: Option<String>,
    /// The number of hands for each one that it pays, with one decimal place.
    pub one_in: Option<String>,
}

/// What a bet wins by the hands of other seats.
#[derive(Debug, Serialize)]
pub struct ToOthersSheet {
    /// The id of the lines that say so.
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
    /// What is counted: `hands`, or `pairs of hands` of seat and dealer, both set by the
    /// house way.
    pub counted: CountedDeals,
    /// How many of them there are.
    pub hands: u64,
    /// How many of them lose.
    pub losing: u64,
    /// What the pay table hands back on average per unit staked; a meter holds its seed.
    pub return_of_table: SheetFraction,
    /// What a meter makes of it; null for a bet without a meter.
    pub meter: Option<MeterFigures>,
    /// What the hand of one other seat wins a qualifying wager on average, in minor units.
    pub to_others_minor: Option<SheetFraction>,
    /// What is handed back on average at the stake for which that is most, with all other
    /// seats played.
    pub highest_return: SheetFraction,
}

/// What a progressive bet returns by what its meter holds, to a wager that shares its row with no other.
#[derive(Debug, Serialize)]
pub struct MeterFigures {
    /// The meter, in minor units, at which the bet returns all that is staked.
    pub break_even_minor: SheetFraction,
    /// The return in the long run, if the casino adds every contribution to the meter, takes what the
    /// meter pays out of it, and sets it back to the seed after its whole was paid.
    pub long_run_return: SheetFraction,
}
