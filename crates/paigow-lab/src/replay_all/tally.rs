//! The findings of a bulk audit so far.

use std::io::{self, Write};

use serde_json::json;

use paigow_round::audit::{
    AuditVerdict, BulkFinding, CLAIMS, CheckCode, CheckStatus, ClaimFinding, ClaimNeed,
    ClaimStatus, RoundConclusion, RoundEnding, RoundFindings, UnclosedRounds, VerdictReason,
};

/// How many failures are written as text.
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
    pub(super) fn of(&self, number: usize) -> (&str, usize) {
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
    pub(super) pending: u64,
    /// Tellings without a close, of rounds that another telling closes.
    pub(super) reopened: u64,
    pub(super) failures: u64,
    /// The first failures.
    pub(super) first: Vec<LocatedFinding>,
    /// The weakest finding of each claim so far.
    weakest: Vec<Option<ClaimFinding>>,
    /// The first reason for which a round is incomplete, or pending.
    first_incomplete: Option<VerdictReason>,
    first_pending: Option<VerdictReason>,
    /// The first gap between the rounds of a table.
    gap: Option<VerdictReason>,
    /// Whether every round that waits for the tree of its epoch waits for its secret too.
    tree_rounds_wait: bool,
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
            pending: 0,
            reopened: 0,
            failures: 0,
            first: Vec::new(),
            weakest: vec![None; CLAIMS.len()],
            first_incomplete: None,
            first_pending: None,
            gap: None,
            tree_rounds_wait: true,
        }
    }

    /// Counts a round, and lists its failures. `first_line` is the number of its first line over
    /// the whole input.
    pub(super) fn round(
        &mut self,
        round: &RoundFindings,
        conclusion: &RoundConclusion,
        first_line: usize,
        places: &InputFiles,
        failures: &mut dyn Write,
    ) -> io::Result<()> {
        self.rounds += 1;
        if conclusion.waits_for_tree {
            self.tree_rounds_wait &= matches!(conclusion.reason, VerdictReason::Awaits(_));
        }
        let first = |held: &mut Option<VerdictReason>| {
            held.get_or_insert_with(|| conclusion.reason.clone());
        };
        match conclusion.reason.verdict() {
            AuditVerdict::Match if conclusion.reason == VerdictReason::ClosedElsewhere => {
                self.reopened += 1;
            }
            AuditVerdict::Match => self.matching += 1,
            AuditVerdict::Mismatch => self.mismatching += 1,
            AuditVerdict::Incomplete => {
                self.incomplete += 1;
                first(&mut self.first_incomplete);
            }
            AuditVerdict::Pending => {
                self.pending += 1;
                first(&mut self.first_pending);
            }
        }
        for (claim, held) in CLAIMS.iter().zip(&mut self.weakest) {
            let Some(found) = conclusion.claims.iter().find(|found| found.claim == claim) else {
                continue;
            };
            if held.as_ref().is_none_or(|held| found.status < held.status) {
                let mut found = found.clone();
                if found.status != ClaimStatus::Shown {
                    found.why = format!("round {}: {}", self.rounds, found.why);
                }
                *held = Some(found);
            }
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

    /// Counts a finding about a round or the whole input, and lists a failure.
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

    /// Ends the input. `gap` is the first gap between rounds, and `before` names rounds that are
    /// missing before the first of a table. `unclosed` has the rounds without a close. `whole` and
    /// `others` are the results of the trees of closed epochs.
    pub(super) fn end(
        &mut self,
        (whole, others): (u64, Vec<(u64, String)>),
        gap: Option<VerdictReason>,
        before: Option<String>,
        unclosed: UnclosedRounds,
    ) {
        if let Some((_, count)) =
            self.counts.iter_mut().find(|(code, _)| *code == CheckCode::EpochClose)
        {
            count.passed += whole;
            count.skipped -= whole;
            match others.first() {
                None if count.skipped == 0 => count.first_skipped = None,
                Some((_, why)) => {
                    if let Some(first) = &mut count.first_skipped {
                        first.found.found.clone_from(why);
                    }
                }
                None => {}
            }
        }
        if let Some((_, why)) = others.first() {
            // As for one round: the close may also wait for the secret of the epoch.
            let waits = self.first_pending.as_ref().filter(|_| self.tree_rounds_wait);
            let (status, why) = match waits {
                Some(VerdictReason::Awaits(secret)) => {
                    let (epoch, due) = (secret.epoch, secret.due_date());
                    let why = format!("the secret of epoch {epoch} is due after {due}");
                    (ClaimStatus::Pending, why)
                }
                Some(_) | None => (ClaimStatus::NotShown, format!("EPOCH_CLOSE: {why}")),
            };
            for found in self.weakest.iter_mut().flatten() {
                let rests = found.claim.checks.iter().any(|one| one.code == CheckCode::EpochClose);
                if rests && found.status > status {
                    found.status = status;
                    found.why.clone_from(&why);
                }
            }
        }
        // A telling in which a check failed is counted as a mismatch.
        let open = unclosed.tellings.min(self.reopened);
        self.reopened -= open;
        self.incomplete += open;
        self.first_incomplete = self.first_incomplete.take().or(unclosed.reason);
        let missing = gap.as_ref().map(ToString::to_string).or(before);
        if let Some(missing) = missing {
            for found in self.weakest.iter_mut().flatten() {
                if found.claim.needs.contains(&ClaimNeed::EveryRound) {
                    found.status = ClaimStatus::NotShown;
                    found.why.clone_from(&missing);
                }
            }
        }
        self.gap = gap;
    }

    /// Returns the claims of the whole input.
    pub(super) fn claims(&self) -> Vec<ClaimFinding> {
        let has_failed =
            |code| self.counts.iter().any(|(of, count)| *of == code && count.failed > 0);
        let all = CLAIMS.iter().zip(&self.weakest).map(|(claim, held)| {
            let not_shown = |why| ClaimFinding { claim, status: ClaimStatus::NotShown, why };
            match (claim.failed(has_failed), held) {
                (Some(failed), _) => not_shown(format!("{} failed", failed.name())),
                (None, Some(held)) => held.clone(),
                (None, None) => not_shown("no round that it applies to".to_owned()),
            }
        });
        all.collect()
    }

    /// Returns the reason for the verdict of the whole input.
    pub(super) fn reason(&self) -> VerdictReason {
        let failed = || self.counts.iter().find(|(_, count)| count.failed > 0);
        if let Some((code, _)) = failed() {
            return VerdictReason::Failed(*code);
        }
        if self.rounds == 0 {
            return VerdictReason::NoRound;
        }
        let open = [&self.first_incomplete, &self.gap, &self.first_pending];
        open.into_iter().flatten().next().cloned().unwrap_or(VerdictReason::AllRecomputed)
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
