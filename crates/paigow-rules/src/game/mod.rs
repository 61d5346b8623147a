//! The games as data: rulesets, wagers and their limits, the deal, the money.
//!
//! A [`Ruleset`] is one immutable file. It [checks](Ruleset::check) what a caller
//! says is on the layout, [deals](Ruleset::deal) a shuffled deck to the positions,
//! and [settles](Ruleset::settle) every wager to the minor unit.

mod base_lines;
mod bets;
mod bonus_lines;
mod check;
mod coverage;
mod dealing;
mod early;
mod fees;
mod fraction;
mod laying;
mod money;
mod nets;
mod ruleset;
mod settle;
mod settlement;
mod sheet;
mod table;

pub use bets::{
    BetId, BonusBet, ColourCondition, Condition, ConditionsMet, Counts, DealtHand, Evidence,
    HandCondition, Limits, LooksAt, OneColour, Pays, PushCondition, Row, Showdown,
    ThreeCardCondition, ThreeCards, ToOthers, hands_by_conditions,
};
pub use dealing::Dealt;
pub use fees::{FeeBand, FeeSchedule, FeeScheduleError};
pub use fraction::Fraction;
pub use money::{Currency, CurrencyError, MAX_BANK, MAX_ODDS, MAX_STAKE, Odds, Rounding};
pub use ruleset::{
    Banking, Base, Commission, Coverage, DeadHands, Dealing, Direction, DoubleDown, Fees,
    HouseWayName, Increment, Procedure, PushEvent, Ruleset, shipped,
};
pub use settlement::{
    BankResult, BaseResult, Comparison, Decision, DecisionFault, DecisionRule, Line, LineStatus,
    Outcome, SeatResult, SettingChoice, SettleError, Settlement, Shown,
};
pub use sheet::{Choice, Fact, Facts, Place, SheetFault, SheetRule, Wager, WagerSheet};
pub use table::{Placed, Table};
