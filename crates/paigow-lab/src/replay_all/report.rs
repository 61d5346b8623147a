//! The sums of a bulk audit as text and as JSON.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::tally::{AuditTally, CheckCount, LocatedFinding, failure};
use crate::audit::write_claims;
use crate::counted;
use paigow_round::audit::{ClaimFinding, VerdictReason};

/// Writes the sums for people.
pub(super) fn text(tally: &AuditTally, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{:<20} {:>12} {:>10} {:>12}  note", "check", "passed", "failed", "skipped")?;
    for (code, count) in &tally.counts {
        let CheckCount { passed, failed, skipped, .. } = count;
        let line = format!("{:<20} {passed:>12} {failed:>10} {skipped:>12}", code.name());
        let note = note(count);
        writeln!(out, "{line}{}{note}", if note.is_empty() { "" } else { "  " })?;
    }
    if !tally.first.is_empty() {
        writeln!(out, "\nfailures")?;
        for told in &tally.first {
            let round = told.round_id.as_ref().map_or(String::new(), |id| format!(" of {id}"));
            writeln!(
                out,
                "  {}{}: {}{round}\n    expected {}, found {}",
                file(told),
                told.place,
                told.found.code.name(),
                told.found.expected,
                told.found.found
            )?;
        }
        let more = tally.failures - u64::try_from(tally.first.len()).unwrap_or(0);
        if more > 0 {
            writeln!(out, "  and {more} more; --failures writes all")?;
        }
    }
    write_claims(&tally.claims(), out)?;
    let AuditTally { rounds, settled, voided, matching, mismatching, .. } = tally;
    let AuditTally { incomplete, pending, reopened, .. } = tally;
    let open = rounds - settled - voided;
    writeln!(out, "\n{rounds} rounds: {settled} settled, {voided} void, {open} without a close")?;
    writeln!(
        out,
        "{matching} match, {mismatching} mismatch, {incomplete} incomplete, {pending} pending"
    )?;
    if *reopened > 0 {
        let what = "closed in another telling of the round";
        writeln!(out, "{} without a close: {what}", counted(*reopened, "telling"))?;
    }
    let reason = tally.reason();
    let because = if matches!(reason, VerdictReason::Failed(_)) {
        format!("{} failed", counted(tally.failures, "check"))
    } else {
        reason.to_string()
    };
    writeln!(out, "verdict: {}: {because}", reason.verdict().name())
}

fn file(told: &LocatedFinding) -> String {
    if told.file.is_empty() { String::new() } else { format!("{}: ", told.file) }
}

/// Returns the first failure of a check, or else the first reason to skip it.
fn note(count: &CheckCount) -> String {
    let Some(told) = count.first_failed.as_ref().or(count.first_skipped.as_ref()) else {
        return String::new();
    };
    let place = if told.place.is_empty() { String::new() } else { format!("{}: ", told.place) };
    let what = match &count.first_failed {
        Some(told) if told.found.expected.is_empty() => told.found.found.clone(),
        Some(told) => format!("expected {}, found {}", told.found.expected, told.found.found),
        None => told.found.found.clone(),
    };
    format!("first: {}{place}{what}", file(told))
}

/// Returns the sums for programs.
pub(super) fn json(tally: &AuditTally) -> Value {
    let check = |(code, count): &(paigow_round::audit::CheckCode, CheckCount)| {
        let CheckCount { passed, failed, skipped, first_failed, first_skipped } = count;
        json!({
            "check": code.name(), "passed": passed, "failed": failed, "skipped": skipped,
            "first_failed": first_failed.as_ref().map(failure),
            "first_skipped": first_skipped.as_ref().map(failure),
        })
    };
    let claim = |found: &ClaimFinding| json!({ "name": found.claim.name, "status": found.status.name(), "why": found.why });
    let reason = tally.reason();
    json!({
        "verdict": reason.verdict().name(), "because": reason.to_string(),
        "rounds": tally.rounds, "settled": tally.settled, "void": tally.voided,
        "match": tally.matching, "mismatch": tally.mismatching, "incomplete": tally.incomplete,
        "pending": tally.pending, "closed_in_another_telling": tally.reopened,
        "claims": tally.claims().iter().map(claim).collect::<Vec<_>>(),
        "failures": tally.failures,
        "checks": tally.counts.iter().map(check).collect::<Vec<_>>(),
    })
}
