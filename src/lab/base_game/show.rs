//! The counts of a base game and its figures as text.

use std::io::{self, Write};

use super::super::rules::grouped;
use crate::exact::{BaseGame, COMPARISONS, ShowdownCounts};
use crate::game::{BonusBet, Comparison, Fraction, Ruleset};

/// Writes the counts and what each reading returns.
pub(super) fn base_game(ruleset: &Ruleset, base: &BaseGame, out: &mut dyn Write) -> io::Result<()> {
    let counts = &base.counts;
    writeln!(out, "ruleset   {}", ruleset.id())?;
    writeln!(out, "player    sets by {}", counts.player)?;
    writeln!(out, "dealer    sets by {}", counts.dealer)?;
    writeln!(out, "pairs     {}", count(counts.pairs()))?;
    for (outcome, pairs) in
        [("win", base.outcomes.win), ("push", base.outcomes.push), ("lose", base.outcomes.lose)]
    {
        writeln!(out, "{outcome:9} {:>25}  {} %", count(pairs), share(pairs, counts.pairs(), 6))?;
    }
    writeln!(out, "\nhigh hand  low hand  {:>25}", "pairs")?;
    for high in COMPARISONS {
        for low in COMPARISONS {
            let pairs = count(base.compared(high, low));
            writeln!(out, "{:9}  {:8}  {pairs:>25}", name(high), name(low))?;
        }
    }
    let dealer_holds = &counts.mark;
    let marked: u128 = counts.grids.marked.iter().sum();
    writeln!(out, "\nthe dealer holds {dealer_holds}  {}", count(marked))?;
    writeln!(out, "\nreading                 edge of the other side     deviation  exactly")?;
    for reading in &base.readings {
        let (Some(edge), Some(variance)) = (reading.returns.edge(), reading.returns.variance())
        else {
            continue;
        };
        let deviation = variance.square_root(12).map_or_else(String::new, |root| root.decimal(6));
        let percent = edge.times(Fraction::from(100)).unwrap_or(edge).decimal(6);
        writeln!(out, "{:23} {percent:>20} %  {deviation:>11}  {edge}", reading.id)?;
        if reading.doubling.is_some() {
            let doubled = reading.doubled.times(Fraction::from(100)).unwrap_or(reading.doubled);
            writeln!(out, "  doubled on {} % of hands", doubled.decimal(6))?;
        }
    }
    Ok(())
}

/// Writes how many pairs each row of a bet on both hands pays, and what it returns.
pub(super) fn showdown(
    bet: &BonusBet,
    counts: &ShowdownCounts,
    out: &mut dyn Write,
) -> io::Result<()> {
    writeln!(out, "\n{}", bet.title)?;
    for (row, pairs) in bet.rows.iter().zip(&counts.rows) {
        let share = share(*pairs, counts.total, 6);
        writeln!(out, "  {:40} {:>25}  {share} %", row.title, count(*pairs))?;
    }
    if let Some(edge) = counts.returns(bet).and_then(|returns| returns.edge()) {
        let percent = edge.times(Fraction::from(100)).unwrap_or(edge).decimal(6);
        writeln!(out, "  house edge {percent} %  {edge}")?;
    }
    Ok(())
}

fn count(pairs: u128) -> String {
    i128::try_from(pairs).map_or_else(|_| pairs.to_string(), grouped)
}

fn share(pairs: u128, of: u128, places: usize) -> String {
    let share = i128::try_from(pairs).ok().zip(i128::try_from(of).ok());
    let share = share.and_then(|(pairs, of)| Fraction::new(pairs.checked_mul(100)?, of));
    share.map_or_else(String::new, |share| share.decimal(places))
}

const fn name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Win => "wins",
        Comparison::Copy => "ties",
        Comparison::Lose => "loses",
    }
}
