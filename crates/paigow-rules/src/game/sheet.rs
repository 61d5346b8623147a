//! The wager sheet: the wagers on the layout as the caller states them, typed but unchecked.

use std::borrow::Cow;
use std::fmt;

use super::bets::BetId;
use super::money::Currency;
use crate::cards::Seat;

/// A colour, for a bet that asks the player to name one.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum ColourChoice {
    /// Diamonds and hearts.
    Red,
    /// Clubs and spades.
    Black,
}

/// An amount that a seat has placed on a bet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Wager {
    /// The seat that placed it.
    pub seat: Seat,
    /// The id of the bet, as `base` or `outlaw_9`.
    pub bet: Cow<'static, str>,
    /// The stake in minor units.
    pub amount_minor: i64,
    /// The colour named, for bets that ask for one.
    pub choice: Option<ColourChoice>,
}

/// The posted limit of one bet at a table. It narrows the limits of the ruleset.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BetLimit {
    /// The id of the bet, as `dynasty`.
    pub bet: Cow<'static, str>,
    /// The most that a seat may stake on it, in minor units: 0 to [`MAX_STAKE`](super::MAX_STAKE). At 0
    /// the table does not offer the bet.
    pub max_minor: i64,
}

/// The facts of the table that the engine needs. A ruleset states which of them it requires.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct TableFacts {
    /// The lowest chip in play, in minor units.
    pub chip_minor: Option<i64>,
    /// The table's minimum for a base wager, in minor units.
    pub table_min_minor: Option<i64>,
    /// The table's maximum for any wager, in minor units.
    pub table_max_minor: Option<i64>,
    /// The money that the player-dealer or banker has put up, in minor units.
    pub bank_minor: Option<i64>,
    /// The player who banks.
    pub banker_seat: Option<Seat>,
    /// The pile, 0 to 6, that the player-dealer names for the first seat dealt to.
    pub action_pile: Option<u8>,
    /// The amount in the meter of the progressive bet, in minor units.
    pub meter_minor: Option<i64>,
    /// The posted limits of single bets, each bet at most once. Every ruleset takes them.
    pub bet_limits: Vec<BetLimit>,
}

/// One of the table facts, by name.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum TableFact {
    /// [`TableFacts::action_pile`].
    ActionPile,
    /// [`TableFacts::bank_minor`].
    BankMinor,
    /// [`TableFacts::banker_seat`].
    BankerSeat,
    /// [`TableFacts::chip_minor`].
    ChipMinor,
    /// [`TableFacts::meter_minor`].
    MeterMinor,
    /// [`TableFacts::table_max_minor`].
    TableMaxMinor,
    /// [`TableFacts::table_min_minor`].
    TableMinMinor,
}

impl TableFact {
    /// All facts, by name.
    pub const ALL: [Self; 7] = [
        Self::ActionPile,
        Self::BankMinor,
        Self::BankerSeat,
        Self::ChipMinor,
        Self::MeterMinor,
        Self::TableMaxMinor,
        Self::TableMinMinor,
    ];

    /// Returns the name of the fact in rulesets, sheets and records.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ActionPile => "action_pile",
            Self::BankMinor => "bank_minor",
            Self::BankerSeat => "banker_seat",
            Self::ChipMinor => "chip_minor",
            Self::MeterMinor => "meter_minor",
            Self::TableMaxMinor => "table_max_minor",
            Self::TableMinMinor => "table_min_minor",
        }
    }
}

impl TableFacts {
    /// Returns the posted limit of `bet` in minor units; [`None`] if the table posts none.
    #[must_use]
    pub fn limit_of(&self, bet: BetId) -> Option<i64> {
        let limit = self.bet_limits.iter().find(|limit| limit.bet == bet.name())?;
        Some(limit.max_minor)
    }

    /// Returns the value of `fact` as a number, or [`None`] if the sheet lacks it.
    #[must_use]
    pub fn value(&self, fact: TableFact) -> Option<i64> {
        match fact {
            TableFact::ActionPile => self.action_pile.map(i64::from),
            TableFact::BankMinor => self.bank_minor,
            TableFact::BankerSeat => self.banker_seat.map(|seat| i64::from(seat.number())),
            TableFact::ChipMinor => self.chip_minor,
            TableFact::MeterMinor => self.meter_minor,
            TableFact::TableMaxMinor => self.table_max_minor,
            TableFact::TableMinMinor => self.table_min_minor,
        }
    }
}

/// All wagers of a round, before the deal.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct WagerSheet {
    /// The currency of every amount in the sheet.
    pub currency: Currency,
    /// The wagers, in any order.
    pub wagers: Vec<Wager>,
    /// The table facts.
    pub facts: TableFacts,
}

/// The part of a sheet that is at fault.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SheetPlace {
    /// The currency.
    Currency,
    /// The table fact of this name.
    Fact(&'static str),
    /// A member of the posted limit of a bet.
    BetLimit {
        /// The place of the limit in the sheet, from 0.
        index: usize,
        /// `bet` or `max_minor`.
        member: &'static str,
    },
    /// A member of a wager.
    Wager {
        /// The place of the wager in the sheet, from 0.
        index: usize,
        /// `seat`, `bet`, `amount_minor` or `choice`.
        member: &'static str,
    },
    /// All wagers of a seat together.
    Seat(Seat),
    /// The sheet as a whole.
    Sheet,
}

/// The rule that a sheet breaks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SheetRule {
    /// The stake is not 1 to [`MAX_STAKE`](super::MAX_STAKE), or the wagers together
    /// could move more than 64 bits hold.
    AmountRange,
    /// The stake is above the maximum of the bet or of the table, or the table does not offer the bet.
    AboveMaximum,
    /// The stake is below the minimum of the bet or of the table.
    BelowMinimum,
    /// The seat has no base wager, and the ruleset takes no bonus wager without.
    BaseMissing,
    /// The bank holds less than the ruleset requires of a player who banks.
    BankTooSmall,
    /// The bet requires a colour.
    ChoiceMissing,
    /// The bet takes no colour.
    ChoiceUnexpected,
    /// The ruleset has amounts in another currency.
    CurrencyMismatch,
    /// The seat has placed this bet already, or the table has posted a limit of it already.
    DuplicateWager,
    /// The ruleset requires a fact that the sheet does not state.
    FactMissing,
    /// The fact is out of its range, or contradicts another.
    FactRange,
    /// The ruleset does not take this fact.
    FactUnexpected,
    /// A wager by the first row of its bet, or the wagers of a seat or of the round together,
    /// could win more than the ruleset allows.
    MaxPayout,
    /// The stake is not a multiple of the lowest chip.
    NotChipMultiple,
    /// The sheet has no wager.
    NoWagers,
    /// The ruleset has no such seat, or it is position 0, which never wagers.
    SeatRange,
    /// The ruleset has no bet of this id.
    UnknownBet,
}

/// The limits that a fault of a sheet breaks, if any.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SheetLimits {
    /// The least value that is accepted: an amount in minor units, a seat or a number.
    pub minimum: Option<i128>,
    /// The most that is taken.
    pub maximum: Option<i128>,
    /// The unit of which the amount has to be a multiple, in minor units.
    pub multiple_of: Option<i128>,
}

impl SheetLimits {
    /// Limits without any.
    pub(super) const NONE: Self = Self { minimum: None, maximum: None, multiple_of: None };

    /// A range with both ends.
    pub(super) fn range(minimum: impl Into<i128>, maximum: impl Into<i128>) -> Self {
        let (minimum, maximum) = (Some(minimum.into()), Some(maximum.into()));
        Self { minimum, maximum, ..Self::NONE }
    }

    /// The least.
    pub(super) fn least(minimum: impl Into<i128>) -> Self {
        Self { minimum: Some(minimum.into()), ..Self::NONE }
    }

    /// The most.
    pub(super) fn most(maximum: impl Into<i128>) -> Self {
        Self { maximum: Some(maximum.into()), ..Self::NONE }
    }
}

/// One fault of a sheet.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SheetFault {
    /// Where it is.
    pub place: SheetPlace,
    /// The rule it breaks.
    pub rule: SheetRule,
    /// A sentence for people, in lower case, with the limits that apply.
    pub message: String,
    /// These limits.
    pub limits: SheetLimits,
}

impl fmt::Display for SheetFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            SheetPlace::Currency => f.write_str("currency: ")?,
            SheetPlace::Fact(name) => write!(f, "{name}: ")?,
            SheetPlace::BetLimit { index, member } => {
                write!(f, "bet_limits[{index}].{member}: ")?;
            }
            SheetPlace::Wager { index, member } => write!(f, "wagers[{index}].{member}: ")?,
            SheetPlace::Seat(seat) => write!(f, "seat {seat}: ")?,
            SheetPlace::Sheet => {}
        }
        f.write_str(&self.message)
    }
}
