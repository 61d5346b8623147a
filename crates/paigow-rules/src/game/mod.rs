//! The games as data: rulesets, wagers and their limits, the deal, the money.
//!
//! A [`Ruleset`] is one immutable file. It [checks](Ruleset::check) the wagers on the layout, and
//! [deals](Ruleset::deal) a shuffled deck to the positions. It [settles](Ruleset::settle) every
//! wager to the minor unit.

mod base_lines;
mod bets;
mod bonus_lines;
mod check;
mod comparison;
mod coverage;
mod dealing;
mod decisions;
mod early;
mod fees;
mod fraction;
mod money;
mod nets;
mod ruleset;
mod settle;
mod settlement;
mod sheet;
mod table;
mod wager_line;

pub use bets::{
    Asked, BetEvidence, BetId, BetSubject, BonusBet, CardTerm, Condition, DealtHand, Meter,
    MeterReturn, MeterShare, OtherSeatTerms, PayRow, PokerHand, RankBits, RowCounts, RowPayment,
    SetHand, SetTerm, Showdown, ShowdownTerm, StakeLimits, Term, TermCounts, TermsMet, Titles,
};
pub use dealing::TableDeal;
pub use fees::{FeeBand, FeeSchedule, FeeScheduleError};
pub use fraction::Fraction;
pub use money::{Currency, CurrencyError, MAX_BANK, MAX_ODDS, MAX_STAKE, Odds, Rounding};
pub use ruleset::{
    Banking, BaseTerms, Commission, Coverage, DeadHands, DealDirection, DealProcedure, DealTerms,
    DoubleDown, Fees, HouseWayName, Increment, PayoutLimits, PushEvent, Ruleset, shipped,
};
pub use settlement::{
    BankResult, BaseOutcome, BaseResult, BetLine, Comparison, Decision, DecisionFault,
    DecisionRule, LineStatus, SeatResult, SettingChoice, SettleError, Settlement, ShownHand,
    SplitHand,
};
pub use sheet::{
    BetLimit, ColourChoice, SheetFault, SheetLimits, SheetPlace, SheetRule, TableFact, TableFacts,
    Wager, WagerSheet,
};
pub use table::{PlacedWager, WagerTable};
