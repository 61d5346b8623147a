//! The line of one wager in a settlement: its result by the cards, as far as the bank covers it.

use super::bets::BetId;
use super::coverage::{BankCover, WagerVerdict};
use super::money::Odds;
use super::settlement::{BetLine, LineStatus, SettleError};

/// The result of one wager by the cards.
#[derive(Clone, Debug)]
pub(super) struct JudgedWager {
    pub(super) verdict: WagerVerdict,
    pub(super) pays: Option<Odds>,
    pub(super) row: Option<String>,
    pub(super) commission: i128,
}

impl JudgedWager {
    /// A verdict without a row of a pay table.
    pub(super) const fn plain(verdict: WagerVerdict) -> Self {
        Self { verdict, pays: None, row: None, commission: 0 }
    }
}

/// Returns the line of a wager of `stake` on `bet`, as far as the bank covers it.
#[inline(always)]
pub(super) fn line(
    bet: BetId,
    stake: i64,
    judged: JudgedWager,
    cover: &mut BankCover,
) -> Result<BetLine, SettleError> {
    let covered = cover.settle(stake, judged.verdict);
    let status = if covered.is_covered {
        match judged.verdict {
            WagerVerdict::Won(_) => LineStatus::Won,
            WagerVerdict::Lost => LineStatus::Lost,
            WagerVerdict::Push => LineStatus::Push,
        }
    } else {
        LineStatus::Uncovered
    };
    Ok(BetLine {
        bet,
        stake,
        status,
        row: judged.row,
        pays: judged.pays,
        win: minor(covered.win)?,
        commission: minor(judged.commission)?,
        returned: minor(covered.returned - judged.commission)?,
        uncovered: covered.uncovered.map(minor).transpose()?,
        caused_by: None,
    })
}

/// Returns an amount as 64 bits. The checks before the deal exclude an overflow.
#[inline(always)]
pub(super) fn minor(amount: i128) -> Result<i64, SettleError> {
    i64::try_from(amount).map_err(|_| SettleError::Overflow)
}
