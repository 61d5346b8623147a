//! The result of a simulation for people.

use std::io::{self, Write};

use super::document::{SimulatedBet, SimulatedRow, SimulationDocument};

/// Writes the result as text.
pub(super) fn text(document: &SimulationDocument, out: &mut dyn Write) -> io::Result<()> {
    let run = &document.run;
    let seats = if run.seats == 1 { "seat" } else { "seats" };
    let doubled = if run.double_down { ", doubling down" } else { "" };
    writeln!(
        out,
        "{}, house way {}: {} of {} rounds, {} {seats}{doubled}",
        run.ruleset,
        run.house_way,
        document.played(),
        run.rounds,
        run.seats
    )?;
    let ranges: Vec<String> =
        document.ranges.iter().map(|[from, to]| format!("{from}..{to}")).collect();
    writeln!(out, "seed {}, rounds {}", run.seed, ranges.join(" "))?;
    writeln!(out, "{}", run.seeds)?;
    writeln!(out, "{}", run.dealt)?;
    for bet in document.bets.iter().filter(|bet| bet.lines > 0) {
        writeln!(out)?;
        bet_text(bet, out)?;
    }
    Ok(())
}

fn bet_text(bet: &SimulatedBet, out: &mut dyn Write) -> io::Result<()> {
    let SimulatedBet { bet: id, lines, won, push, lost, uncovered, .. } = bet;
    writeln!(out, "{id}: {lines} lines, {won} won, {push} push, {lost} lost")?;
    if *uncovered > 0 {
        writeln!(out, "  {uncovered} not covered")?;
    }
    if let Some(estimate) = &bet.estimate {
        let error = estimate.standard_error.as_deref().unwrap_or("?");
        write!(out, "  return {} +- {error} ({})", estimate.mean, estimate.error_from)?;
        match (&bet.exact, &estimate.z) {
            (Some(exact), Some(z)) => writeln!(out, ", exactly {}: z {z}", exact.mean)?,
            (Some(exact), None) => writeln!(out, ", exactly {}", exact.mean)?,
            (None, _) => writeln!(out)?,
        }
    }
    if let Some(two) = &bet.two_seats {
        writeln!(
            out,
            "  two seats: covariance {} +- {}, correlation {}",
            two.covariance, two.standard_error, two.correlation
        )?;
        writeln!(out, "  variance of 1, 2, ... seats: {}", two.variance_by_seats.join(", "))?;
    }
    for SimulatedRow { row, hits, exact, estimate } in &bet.rows {
        write!(out, "  {row:<36} {hits:>12}")?;
        if let Some(estimate) = estimate {
            write!(out, "  {}", estimate.probability)?;
            if let (Some(_), Some(z)) = (exact, &estimate.z) {
                write!(out, "  z {z}")?;
            }
        }
        writeln!(out)?;
    }
    Ok(())
}
