//! The counts of a base game and its figures as text.

use std::io::{self, Write};

use super::super::rules::grouped;
use paigow_exact::{BaseGame, COMPARISONS, ShowdownCounts};
use paigow_rules::game::{BonusBet, Comparison, Fraction, Ruleset};

/// Writes the counts and the returns of each reading.
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

/// Writes how many pairs each row of a bet on both hands pays, and its return.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::find_game;

    fn shown(ruleset: &str) -> String {
        let game = find_game(ruleset, &[]).unwrap();
        let way = &game.house_way;
        let base = paigow_exact::base_game(&game.ruleset, way, way).unwrap();
        let mut out = Vec::new();
        base_game(&game.ruleset, &base, &mut out).unwrap();
        for bet in game.ruleset.bonus_bets() {
            if let Some(counts) = ShowdownCounts::of(bet, &base.counts) {
                showdown(bet, &counts, &mut out).unwrap();
            }
        }
        String::from_utf8(out).unwrap()
    }

    fn has(text: &str, wanted: &str) -> bool {
        let in_one_line = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
        text.lines().any(|line| in_one_line(line).starts_with(wanted))
    }

    #[test]
    fn the_figures_of_mikes_are_shown() {
        // The shares and edges as Python's fractions make them of the file of counts.
        let text = shown("mikes");
        for wanted in [
            "pairs 8,250,459,031,214,400",
            "the dealer holds queen_high 145,560,367,260,000",
            "as-played 1.276441 %",
            "commission 2.715101 %",
            "push 2.794864 %",
            "banker -1.276441 %",
            "Wrangler Push",
            "house edge 5.968823 %",
        ] {
            assert!(has(&text, wanted), "{wanted}: {text}");
        }
    }

    #[test]
    fn the_figures_of_mini_are_shown_with_the_double_down() {
        let text = shown("mini");
        for wanted in [
            "pairs 246,507,617,396,040",
            "as-played 2.700590 %",
            "doubled on 24.6560",
            "never-doubled 6.210000 %",
            "always-doubled 23.281029 %",
            "banked 4.098444 %",
            "doubled on 24.26228",
        ] {
            assert!(has(&text, wanted), "{wanted}: {text}");
        }
    }
}
