//! The input and the output of a settlement: decisions in, lines out.

use super::bets::BetId;
use super::money::Odds;
use crate::cards::{BySeat, Card, Seat};
use crate::hands::{Category, HighHand, LowHand};
use crate::house_way::LowCards;

/// How a seat sets its hand.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SettingChoice {
    /// These cards go in the low hand, the others in the high hand.
    Low(Vec<Card>),
    /// The ruleset's house way sets the hand.
    HouseWay,
}

/// The decision of a seat with a base wager, after the deal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Decision {
    /// How the hand is set.
    pub setting: SettingChoice,
    /// Whether the seat doubles down, if the game has double downs.
    pub double_down: bool,
}

/// One fault of the decisions of a round.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct DecisionFault {
    /// The seat whose decision it is.
    pub seat: Seat,
    /// The rule it breaks.
    pub rule: DecisionRule,
}

/// The rule that a decision breaks.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum DecisionRule {
    /// The house way sets the hand of the player who banks.
    #[error("the seat banks, and the house way sets its hand")]
    BankerSetsByHouseWay,
    /// The game has no double down.
    #[error("the game has no double down")]
    DoubleDownUnexpected,
    /// A low hand is two cards of seven, or one of six.
    #[error("a low hand is {cards} of the cards dealt, all different")]
    LowCount {
        /// How many cards the game puts in a low hand.
        cards: usize,
    },
    /// A card of the low hand was not dealt to the seat.
    #[error("a card of the low hand was not dealt to the seat")]
    LowNotDealt,
    /// A card is twice in the low hand.
    #[error("a card is twice in the low hand")]
    LowRepeated,
    /// The seat has a base wager and no decision.
    #[error("the seat has a base wager and needs a decision")]
    Missing,
    /// The seat has a decision and no base wager.
    #[error("the seat has no base wager and decides nothing")]
    Unexpected,
}

/// Why a round was not settled.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum SettleError {
    /// Seats and bank together won or lost an amount that no one lost or won. This is a defect of
    /// this engine, never of a request.
    #[error("the settlement does not conserve money: it is off by {off_by_minor} minor units")]
    Conservation {
        /// Sum of all nets in minor units; 0 in every sound settlement.
        off_by_minor: i128,
    },
    /// The decisions do not fit the wagers and the cards; every fault is listed.
    #[error("{} invalid decisions", faults.len())]
    Decisions {
        /// The faults, by seat.
        faults: Vec<DecisionFault>,
    },
    /// The table, the deal and the house way are not all of this ruleset.
    #[error("the {part} is not of this ruleset")]
    Foreign {
        /// `table`, `deal` or `house way`.
        part: &'static str,
    },
    /// An amount overflows 64 bits. This is a defect of this engine, as the limits that are checked
    /// before the deal exclude it.
    #[error("an amount does not fit 64 bits")]
    Overflow,
}

/// A hand as it was laid down.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ShownHand {
    /// The cards of the low hand, ascending.
    pub low: LowCards,
    /// The cards of the high hand, ascending.
    pub high: [Card; 5],
    /// High card or pair.
    pub low_category: Category,
    /// The category of the high hand.
    pub high_category: Category,
    /// The id of the clause that decided, if the house way set the hand.
    pub clause: Option<String>,
    /// Whether the house way set the hand.
    pub by_house_way: bool,
}

/// A hand split in two and ranked, with no other hand to compare it with.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SplitHand {
    /// The cards of the low hand, ascending.
    pub low: LowCards,
    /// The cards of the high hand, ascending.
    pub high: [Card; 5],
    /// The value of the low hand.
    pub low_hand: LowHand,
    /// The value of the high hand.
    pub high_hand: HighHand,
    /// Whether the low hand outranks the high hand.
    pub is_foul: bool,
}

/// How one hand of a seat stands against the same hand of the dealer or banker.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum Comparison {
    /// It is higher.
    Win,
    /// It is lower, or the setting is foul.
    Lose,
    /// It is equal, and the dealer or banker wins it.
    Copy,
}

impl Comparison {
    /// Returns its word in records and rules: `win`, `lose` or `copy`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Lose => "lose",
            Self::Copy => "copy",
        }
    }
}

/// The outcome of a base wager. Both hands decide it, unless the ruleset makes every base wager
/// push on these cards of the dealer.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum BaseOutcome {
    /// Both hands won.
    Win,
    /// Neither hand won, or the setting is foul.
    Lose,
    /// One hand won, or the dealer's cards make every base wager push.
    Push,
}

impl BaseOutcome {
    /// Returns its word in records and metrics: `win`, `lose` or `push`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Win => "win",
            Self::Lose => "lose",
            Self::Push => "push",
        }
    }

    /// Returns the outcome of two comparisons: a win needs both hands, a push one.
    #[must_use]
    pub const fn of(high: Comparison, low: Comparison) -> Self {
        match (high, low) {
            (Comparison::Win, Comparison::Win) => Self::Win,
            (Comparison::Win, Comparison::Lose | Comparison::Copy)
            | (Comparison::Lose | Comparison::Copy, Comparison::Win) => Self::Push,
            (Comparison::Lose | Comparison::Copy, Comparison::Lose | Comparison::Copy) => {
                Self::Lose
            }
        }
    }
}

/// The hand and the outcome of a seat with a base wager.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BaseResult {
    /// The hand as set.
    pub shown: ShownHand,
    /// Whether the low hand outranks the high hand.
    pub foul: bool,
    /// The high hand against the dealer's or banker's.
    pub high_result: Comparison,
    /// The low hand against the dealer's or banker's.
    pub low_result: Comparison,
    /// Both together, unless the dealer's cards make every base wager push.
    pub outcome: BaseOutcome,
}

/// The outcome of a wager.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LineStatus {
    /// It won, and was paid in full or as far as the bank went.
    Won,
    /// It lost, and was collected in full or as far as the bank may win.
    Lost,
    /// Neither; the stake goes back.
    Push,
    /// The player-dealer's money was exhausted or doubled before its turn; the
    /// stake goes back, whatever the cards were.
    Uncovered,
}

/// One wager settled. All amounts are in minor units.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BetLine {
    /// The bet.
    pub bet: BetId,
    /// The amount wagered.
    pub stake: i64,
    /// The outcome of the wager.
    pub status: LineStatus,
    /// The id of the pay-table row that holds, for a bonus bet.
    pub row: Option<String>,
    /// The odds, if the wager won before coverage.
    pub pays: Option<Odds>,
    /// The amount won and paid, the stake not included.
    ///
    /// A win by the hand of another seat has only this amount, and no stake and no odds.
    pub win: i64,
    /// The amount kept of the win.
    pub commission: i64,
    /// The amount handed back in all, stake included.
    pub returned: i64,
    /// The part of the stake that was not collected, or of the win that was not paid, because the
    /// player-dealer's money was exhausted.
    pub uncovered: Option<i64>,
    /// The seat whose hand is paid for, of a win by the hand of another seat.
    pub caused_by: Option<Seat>,
}

impl BetLine {
    /// Returns the net win of the seat on the wager, below 0 for a loss.
    #[must_use]
    pub fn net(&self) -> i128 {
        i128::from(self.returned) - i128::from(self.stake)
    }
}

/// The result of a seat with wagers. All amounts are in minor units.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SeatResult {
    /// The hand and its outcome, for a seat with a base wager.
    pub base: Option<BaseResult>,
    /// The wagers in the ruleset's order of bets, a double down after its base wager. The wins by
    /// other seats' hands follow, by seat.
    pub lines: Vec<BetLine>,
    /// Wins less losses, commission and fee. The banker's winnings as banker belong to the bank,
    /// but he pays the commission on them.
    pub net: i64,
    /// The fee, 0 if none is due.
    pub fee: i64,
    /// The commission of a player who banks, 0 at other seats.
    pub bank_commission: i64,
}

impl SeatResult {
    /// Makes a result whose amounts are not known yet.
    pub(super) const fn of(base: Option<BaseResult>, lines: Vec<BetLine>) -> Self {
        Self { base, lines, net: 0, fee: 0, bank_commission: 0 }
    }
}

/// The result of the dealer, or of the player who banks.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BankResult {
    /// Position 0, or the seat of the player who banks.
    pub seat: Seat,
    /// The hand of position 0.
    pub setting: ShownHand,
    /// Wins less losses and fee, in minor units, before commission. They are those of position 0,
    /// or of the player who banks against the other seats.
    pub net: i64,
}

/// A round settled. All amounts are in minor units.
///
/// The nets of the seats, the bank and the house add up to 0.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Settlement {
    /// Position 0.
    pub bank: BankResult,
    /// Every seat with a wager.
    // Boxes, because a settlement is moved often and most of its seats are empty.
    pub seats: BySeat<Box<SeatResult>>,
    /// All commission.
    pub commission: i64,
    /// All fees, those of position 0 included.
    pub fees: i64,
    /// The net of the house outside the bank: commission and fees. If a player banks, it also has
    /// the results of the house's own hand and of the bonus bets.
    pub house_net: i64,
}
