//! The rules of a game as one model. Text, Markdown and JSON are its three forms.
//!
//! Its JSON is an interface: members are added over time, and none changes its meaning. They are in
//! the order of the fields here. Amounts are texts of minor units, as `"500"`. Odds are
//! `{"num":5,"den":1}` for 5 to 1. In a fraction `num` and `den` are texts, and `decimal` is the
//! same with ten decimal places. A part that a game does not have is null or an empty list. `words`
//! are sentences.

mod amounts;
mod assembly;
mod bets;

use serde::Serialize;

use crate::readings::ReadingEntry;
use paigow_rules::game::{Increment, Rounding};

pub use amounts::{CountedDeals, MinorUnits, PayOdds, SheetFraction};
pub(crate) use amounts::{increment, rounding};
pub use bets::{BetSheet, BonusFigures, MeterFigures, RowSheet, ToOthersSheet};

/// The reason why the base game of a ruleset that exposes the dealer's hand has no figures.
pub(crate) const NOT_COUNTED_EXPOSED: &str = "By house way not counted: a player sees the dealer's hand before he sets his own, and the counts \
     of the pairs of hands are those of a player who does not see it.";

/// The rules of a game.
#[derive(Debug, Serialize)]
pub struct Sheet {
    /// The number of this form: 1.
    pub schema: u8,
    /// The ruleset.
    pub ruleset: RulesFileName,
    /// The house way that the ruleset names.
    pub house_way: HouseWaySheet,
    /// The notes of the ruleset for people.
    pub notes: Vec<String>,
    /// The currency of every amount.
    pub currency: Option<CurrencySheet>,
    /// The sentences that hold for the whole game.
    pub general: Vec<String>,
    /// The deck and the joker.
    pub deck: DeckSheet,
    /// The hands and their ranking.
    pub hands: HandsSheet,
    /// How a round is dealt.
    pub dealing: DealingSheet,
    /// How hands are set, and what is foul.
    pub setting: Vec<String>,
    /// The base wager.
    pub base: BaseSheet,
    /// The double down.
    pub double_down: Option<DoubleDownSheet>,
    /// The player who banks.
    pub banking: Option<BankingSheet>,
    /// The player-dealer with a limited bank.
    pub player_dealer: Option<Vec<String>>,
    /// The flat fees.
    pub fees: Option<FeesSheet>,
    /// The sentences that hold for all bonus bets; empty for a game without bonus bets.
    pub bonus_words: Vec<String>,
    /// The bonus bets in the order of the ruleset.
    pub bonus_bets: Vec<BetSheet>,
    /// The limits of wagers.
    pub limits: LimitsSheet,
    /// The facts of the table that are required or allowed.
    pub facts: Vec<FactSheet>,
    /// The handling of a void round.
    pub void: Vec<String>,
    /// The readings of the sources that stay open.
    pub readings: Vec<ReadingEntry>,
}

/// A file by its id and its name.
#[derive(Debug, Serialize)]
pub struct RulesFileName {
    /// The id.
    pub id: String,
    /// The game that it is a configuration of.
    pub family: String,
    /// The name.
    pub title: String,
    /// The document that it comes from.
    pub source: String,
    /// The content hash, 64 hexadecimal digits.
    pub hash: String,
}

/// A house way, whole.
#[derive(Debug, Serialize)]
pub struct HouseWaySheet {
    /// The id.
    pub id: String,
    /// The name.
    pub title: String,
    /// Where its sentences were published.
    pub source: String,
    /// The content hash, 64 hexadecimal digits.
    pub hash: String,
    /// How many cards it sets.
    pub cards: usize,
    /// The clauses in the order of the file.
    pub clauses: Vec<ClauseSheet>,
}

/// One sentence of a house way.
#[derive(Debug, Serialize)]
pub struct ClauseSheet {
    /// Its id in answers and records.
    pub id: String,
    /// The sentence.
    pub text: String,
}

/// A currency.
#[derive(Debug, Serialize)]
pub struct CurrencySheet {
    /// The code.
    pub code: String,
    /// The number of decimal digits of its minor unit.
    pub exponent: u8,
}

/// The deck.
#[derive(Debug, Serialize)]
pub struct DeckSheet {
    /// How many cards, the joker included.
    pub cards: usize,
    /// The cards, and those that the joker can replace.
    pub words: Vec<String>,
}

/// The hands.
#[derive(Debug, Serialize)]
pub struct HandsSheet {
    /// How many cards each position is dealt.
    pub cards: usize,
    /// How many of them are the high hand.
    pub high: usize,
    /// How many of them are the low hand.
    pub low: usize,
    /// Where A-2-3-4-5 ranks among straights: `second` or `lowest`.
    pub wheel: &'static str,
    /// The cards that the joker can replace: `semi-wild` or `wild`.
    pub joker: &'static str,
    /// The categories of high hands, best first.
    pub categories: Vec<CategorySheet>,
    /// How hands compare.
    pub words: Vec<String>,
}

/// A category of high hands.
#[derive(Debug, Serialize)]
pub struct CategorySheet {
    /// Its name.
    pub name: &'static str,
    /// A description in words.
    pub words: &'static str,
}

/// The deal.
#[derive(Debug, Serialize)]
pub struct DealingSheet {
    /// How many seats players have.
    pub seats: u8,
    /// How many positions there are, that of the dealer included.
    pub positions: u8,
    /// `packets`, `streets` or `zigzag`.
    pub procedure: &'static str,
    /// How many cards each street deals; for `packets` and `zigzag`, all at once.
    pub streets: Vec<usize>,
    /// `clockwise` or `counter-clockwise`.
    pub direction: &'static str,
    /// How many dice name the first position: 3 or 0.
    pub dice: u8,
    /// `all-positions` or `active-only`.
    pub dead_hands: &'static str,
    /// Whether the deal shows the dealer's hand as set.
    pub exposes_dealer: bool,
    /// The procedure.
    pub words: Vec<String>,
}

/// The base wager.
#[derive(Debug, Serialize)]
pub struct BaseSheet {
    /// The odds of a win.
    pub pays: PayOdds,
    /// The commission that the house keeps of a win.
    pub commission: Option<CommissionSheet>,
    /// The hand of the dealer on which every base wager pushes.
    pub push_on_dealer: Option<PushSheet>,
    /// When it wins, loses and pushes.
    pub words: Vec<String>,
    /// How often it does, both hands set by the house way; null if it is not counted.
    pub figures: Option<BaseFigures>,
    /// The reason why it is not counted, if the player sees the dealer's hand.
    pub without_figures: Option<String>,
    /// The average amount handed back per unit of the base stake to a player who sets every hand as
    /// it is worth most. Commission is unrounded. Null if it is not counted.
    pub return_by_best_play: Option<SheetFraction>,
}

/// How often the base wager wins, pushes and loses, and its return.
#[derive(Debug, Serialize)]
pub struct BaseFigures {
    /// How many pairs of a player's and the dealer's hand there are.
    pub pairs: u64,
    /// How many the player wins.
    pub win: u64,
    /// How many push.
    pub push: u64,
    /// How many he loses.
    pub lose: u64,
    /// The average amount handed back per unit staked to a player who sets every hand by the house
    /// way, before any rounding.
    ///
    /// With a double down, it is per unit of the base stake, doubled on the hands on which doubling
    /// pays.
    pub return_by_house_way: SheetFraction,
}

/// A commission.
#[derive(Debug, Serialize)]
pub struct CommissionSheet {
    /// The share of the win.
    pub rate: PayOdds,
    /// `down`, `half-up` or `up`.
    #[serde(serialize_with = "rounding")]
    pub rounding: Rounding,
    /// The amount that it is a multiple of: `minor-unit` or `quarter-chip`.
    #[serde(serialize_with = "increment")]
    pub increment: Increment,
}

/// A hand of the dealer on which every base wager pushes.
#[derive(Debug, Serialize)]
pub struct PushSheet {
    /// The name of the condition.
    pub condition: String,
    /// The condition in words.
    pub words: String,
    /// Whether a foul hand pushes too.
    pub beats_foul: bool,
}

/// The double down.
#[derive(Debug, Serialize)]
pub struct DoubleDownSheet {
    /// The least pair by which the dealer or banker qualifies, as `55`.
    pub dealer_qualifies: String,
    /// Its terms.
    pub words: Vec<String>,
}

/// The player who banks.
#[derive(Debug, Serialize)]
pub struct BankingSheet {
    /// How many times the other seats' base wagers the bank must hold.
    pub bank_per_base: i64,
    /// The share that the house keeps.
    pub commission: CommissionSheet,
    /// The terms.
    pub words: Vec<String>,
}

/// The flat fees.
#[derive(Debug, Serialize)]
pub struct FeesSheet {
    /// The fees of a player, by his base wager.
    pub player: Vec<FeeBandSheet>,
    /// The fees of the player-dealer, by the sum of all base wagers.
    pub player_dealer: Vec<FeeBandSheet>,
    /// When they are taken.
    pub words: Vec<String>,
}

/// One band of fees.
#[derive(Debug, Serialize)]
pub struct FeeBandSheet {
    /// The largest amount of the band; null for the last.
    pub up_to_minor: Option<MinorUnits>,
    /// The fee.
    pub fee_minor: MinorUnits,
}

/// The limits.
#[derive(Debug, Serialize)]
pub struct LimitsSheet {
    /// The limits of each bet, the base wager first.
    pub bets: Vec<LimitSheet>,
    /// The most that one wager may win.
    pub max_payout_minor: Option<MinorUnits>,
    /// The most that the wagers of one seat may win together.
    pub max_seat_payout_minor: Option<MinorUnits>,
    /// The most that the wagers of a round may win together.
    pub max_round_payout_minor: Option<MinorUnits>,
    /// The accepted wagers, in words.
    pub words: Vec<String>,
}

/// The limits of one bet.
#[derive(Debug, Serialize)]
pub struct LimitSheet {
    /// The id of the bet.
    pub bet: String,
    /// Its name.
    pub title: String,
    /// The least stake.
    pub minimum_minor: MinorUnits,
    /// The largest stake; null if the ruleset names none.
    pub maximum_minor: Option<MinorUnits>,
}

/// A table fact.
#[derive(Debug, Serialize)]
pub struct FactSheet {
    /// Its name in requests and records.
    pub name: &'static str,
    /// Whether every round must state it.
    pub required: bool,
    /// A description in words.
    pub words: String,
}
