//! The return of many wagers on a page.

use super::super::page::{ParBlock, ParColumn, ParSection, ParTable, ParTableRow, figures, words};
use super::super::sheet::{ManyRoundsPar, Par, ReturnInterval};
use crate::rules::figures::grouped;

/// The columns of the intervals, in the order of the sheet.
const WAGERS: [&str; 5] = ["1,000", "10,000", "100,000", "1,000,000", "10,000,000"];

pub(super) fn section(sheet: &Par) -> ParSection {
    let mut columns = vec![words("Bet"), figures("Volatility index"), figures("Fit from, wagers")];
    columns.extend(WAGERS.map(|wagers| ParColumn { title: wagers, is_figure: true }));
    let interval = |one: &ReturnInterval| format!("{} to {}", one.low, one.high);
    let row = |bet: &ManyRoundsPar| {
        let mut cells =
            vec![bet.bet.clone(), bet.volatility_index.clone(), grouped(bet.fit_from.0)];
        cells.extend(bet.intervals.iter().map(interval));
        ParTableRow::plain(cells)
    };
    let table = ParTable {
        caption: "Where the return of so many wagers lies, 95 % of the time".to_owned(),
        columns,
        rows: sheet.many_rounds.iter().map(row).collect(),
    };
    ParSection::new("many-rounds", "Many rounds")
        .say(
            "By the normal distribution, for wagers of one stake, each in a round of its own. Below \
             the number from which it is fit, the rarest result is expected less than ten times, and \
             the interval is too narrow.",
        )
        .with(ParBlock::Table(table))
}
