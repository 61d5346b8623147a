//! What a bulk audit has found so far.

use std::io::{self, Write};

use serde_json::json;

use paigow_round::audit::{
    AuditVerdict, BulkFinding, CheckCode, CheckStatus, RoundEnding, RoundFindings,
};

/// How many failures are told as text.
const TOLD: usize = 20;

/// How often a check passed, failed and was skipped.
#[derive(Clone, Debug, Default)]
pub(super) struct CheckCount {
    pub(super) passed: u64,
    pub(super) failed: u64,
    pub(super) skipped: u64,
    /// The first failure and the first reason to skip, each with its place.
    pub(super) first_failed: Option<LocatedFinding>,
    pub(super) first_skipped: Option<LocatedFinding>,
}

/// A finding with its file, line and round.
#[derive(Clone, Debug)]
pub(super) struct LocatedFinding {
    pub(super) file: String,
    pub(super) line: Option<usize>,
    pub(super) place: String,
    pub(super) round_id: Option<String>,
    pub(super) found: BulkFinding,
}

/// The names of the input's files, each with the number of the line before its first.
#[derive(Debug, Default)]
pub(super) struct InputFiles(Vec<(usize, String)>);

impl InputFiles {
    /// Begins a file, after `lines` lines of others.
    pub(super) fn begin(&mut self, lines: usize, name: String) {
        self.0.push((lines, name));
    }

    /// Returns the file of a line, and the line's number in it.
    fn of(&self, number: usize) -> (&str, usize) {
        let file = self.0.iter().rev().find(|(before, _)| *before < number);
        file.map_or(("", number), |(before, name)| (name, number - before))
    }
}

/// The sums of a bulk audit.
#[derive(Debug)]
pub(super) struct AuditTally {
    pub(super) counts: Vec<(CheckCode, CheckCount)>,
    pub(super) rounds: u64,
    pub(super) settled: u64,
    pub(super) voided: u64,
    pub(super) matching: u64,
    pub(super) mismatching: u64,
    pub(super) incomplete: u64,
    pub(super) failures: u64,
    /// The first failures.
    pub(super) first: Vec<LocatedFinding>,
}

impl AuditTally {
    pub(super) fn new() -> Self {
        Self {
            counts: CheckCode::ALL.iter().map(|code| (*code, CheckCount::default())).collect(),
            rounds: 0,
            settled: 0,
            voided: 0,
            matching: 0,
            mismatching: 0,
            incomplete: 0,
            failures: 0,
            first: Vec::new(),
        }
    }

    /// Counts a round, and lists what failed in it. `first_line` is the number of its
    /// first line over the whole input.
    pub(super) fn round(
        &mut self,
        round: &RoundFindings,
        first_line: usize,
        places: &InputFiles,
        failures: &mut dyn Write,
    ) -> io::Result<()> {
        self.rounds += 1;
        match round.verdict() {
            AuditVerdict::Match => self.matching += 1,
            AuditVerdict::Mismatch => self.mismatching += 1,
            AuditVerdict::Incomplete => self.incomplete += 1,
        }
        match round.ending {
            Some(RoundEnding::Settled) => self.settled += 1,
            Some(RoundEnding::Void) => self.voided += 1,
            None => {}
        }
        for found in &round.found {
            self.note(found, Some((round, first_line)), places, failures)?;
        }
        Ok(())
    }

    /// Counts a finding, of a round or of the input as a whole, and lists a failure.
    pub(super) fn note(
        &mut self,
        found: &BulkFinding,
        round: Option<(&RoundFindings, usize)>,
        places: &InputFiles,
        failures: &mut dyn Write,
    ) -> io::Result<()> {
        let number = self.rounds;
        let told = || {
            let at = found.line.or(round.map(|(_, first_line)| first_line));
            let (file, line) = at.map_or(("", None), |at| {
                let (file, line) = places.of(at);
                (file, Some(line))
            });
            let words =
                [round.map(|_| format!("round {number}")), line.map(|line| format!("line {line}"))];
            LocatedFinding {
                file: file.to_owned(),
                line,
                place: words.into_iter().flatten().collect::<Vec<_>>().join(", "),
                round_id: round.and_then(|(round, _)| round.round_id).map(|id| id.to_string()),
                found: found.clone(),
            }
        };
        let Some((_, count)) = self.counts.iter_mut().find(|(code, _)| *code == found.code) else {
            return Ok(());
        };
        match found.status {
            CheckStatus::Passed => count.passed += 1,
            CheckStatus::Skipped => {
                count.skipped += 1;
                count.first_skipped.get_or_insert_with(told);
            }
            CheckStatus::Failed => {
                count.failed += 1;
                self.failures += 1;
                let told = told();
                writeln!(failures, "{}", failure(&told))?;
                if self.first.len() < TOLD {
                    self.first.push(told.clone());
                }
                count.first_failed.get_or_insert(told);
            }
        }
        Ok(())
    }

    /// Returns what the audit comes to: nothing was wrong, and everything recomputed, only
    /// if there was something.
    pub(super) const fn verdict(&self) -> AuditVerdict {
        match (self.failures, self.incomplete, self.rounds) {
            (0, _, 0) => AuditVerdict::Incomplete,
            (0, 0, _) => AuditVerdict::Match,
            (0, _, _) => AuditVerdict::Incomplete,
            _ => AuditVerdict::Mismatch,
        }
    }
}

/// Returns a failure as one line of the list for programs.
pub(super) fn failure(told: &LocatedFinding) -> serde_json::Value {
    let BulkFinding { code, expected, found, .. } = &told.found;
    json!({
        "file": told.file, "line": told.line, "round_id": told.round_id,
        "check": code.name(), "place": told.place, "expected": expected, "found": found,
    })
}
