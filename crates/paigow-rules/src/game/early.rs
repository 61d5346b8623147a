//! Bets that the deal alone decides: those on the first cards, which are final before the other
//! cards are seen.

use super::bonus_lines::BonusJudge;
use super::coverage::BankCover;
use super::dealing::TableDeal;
use super::ruleset::Ruleset;
use super::settlement::{BetLine, SettleError};
use super::table::WagerTable;
use super::wager_line::line;
use crate::cards::BySeat;

/// Returns the lines that are final in the deal, by seat.
pub(super) fn final_lines(
    ruleset: &Ruleset,
    table: &WagerTable,
    dealt: &TableDeal,
) -> Result<BySeat<Vec<BetLine>>, SettleError> {
    if table.ruleset() != ruleset.id() {
        return Err(SettleError::Foreign { part: "table" });
    }
    let mut lines: BySeat<Vec<BetLine>> = BySeat::new();
    // Only the house's money covers such bets: a ruleset with a limited bank has none.
    let mut cover = BankCover::House;
    let judge = BonusJudge::before_settlement(ruleset, dealt.hands());
    for (seat, placed) in table.seats() {
        for wager in placed.iter().filter(|wager| ruleset.is_final_in_deal(wager.bet)) {
            let line =
                line(wager.bet, wager.stake, judge.bonus(seat, wager, None, table)?, &mut cover)?;
            lines.get_or_insert_with(seat, Vec::new).push(line);
        }
    }
    Ok(lines)
}
