//! `Audit` and `AuditStream`.

use super::super::pb;
use super::settlement::{bank, seat_results};
use super::{codes, count, dice};
use crate::engine::audit::{
    Check, Ending, ReplayRequest, ReplaySeed, Replayed, Report, RoundReport, Status, Verdict,
};
use crate::fairness::encoding::hex_text;
use crate::fairness::manifest::Root;

/// Writes the findings of an audit under `root`.
#[must_use]
pub fn audited(label: String, report: &Report, root: &Root) -> pb::AuditResponse {
    pb::AuditResponse {
        label,
        verdict: pb::Verdict::from(report.verdict).into(),
        code: report.code().map_or_else(String::new, |code| code.name().to_owned()),
        checks: report.checks.iter().map(pb::Check::from).collect(),
        rounds: report.rounds.iter().map(pb::AuditedRound::from).collect(),
        root_keys: root.keys.iter().map(|key| hex_text(&key.to_bytes())).collect(),
        threshold: count(root.threshold),
    }
}

/// Writes a round that was computed from its seeds: there was no record to compare.
pub(in super::super) fn replayed(
    label: String,
    request: &ReplayRequest,
    replayed: &Replayed,
    root: &Root,
) -> pb::AuditResponse {
    let mut round = pb::AuditedRound::default();
    match &request.seed {
        ReplaySeed::Round(_) => {}
        ReplaySeed::Epoch { coordinates, .. } => {
            round.round_id = coordinates.round_id().to_hex();
            round.table = coordinates.table.to_string();
            round.round_no = round_no(coordinates.round_no);
        }
        ReplaySeed::Server { round_id, .. } => round.round_id = round_id.to_hex(),
    }
    add(&mut round, replayed);
    pb::AuditResponse {
        label,
        verdict: pb::Verdict::Incomplete.into(),
        code: String::new(),
        checks: Vec::new(),
        rounds: vec![round],
        root_keys: root.keys.iter().map(|key| hex_text(&key.to_bytes())).collect(),
        threshold: count(root.threshold),
    }
}

impl From<&RoundReport> for pb::AuditedRound {
    fn from(report: &RoundReport) -> Self {
        let disposition = match report.ending {
            Some(Ending::Settled) => pb::Disposition::Settle,
            Some(Ending::Void) => pb::Disposition::Void,
            None => pb::Disposition::Unspecified,
        };
        let mut round = Self {
            round_id: report.round_id.to_hex(),
            table: report.table.to_string(),
            round_no: round_no(report.round_no),
            disposition: disposition.into(),
            ..Self::default()
        };
        if let Some(replayed) = &report.replayed {
            add(&mut round, replayed);
        }
        round
    }
}

/// Writes what was recomputed.
fn add(round: &mut pb::AuditedRound, replayed: &Replayed) {
    round.round_seed = hex_text(replayed.round_seed.expose());
    round.dice = dice(replayed.dice.as_slice().as_flattened());
    round.deck = codes(&replayed.deck);
    if let Some(settlement) = &replayed.settlement {
        round.bank = Some(bank(settlement, &replayed.dealer));
        round.seats = seat_results(settlement);
        round.commission_minor = settlement.commission;
        round.fees_minor = settlement.fees;
        round.house_net_minor = settlement.house_net;
    }
}

/// Round numbers end at 2^63 - 1.
fn round_no(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl From<&Check> for pb::Check {
    fn from(check: &Check) -> Self {
        Self {
            code: check.code.name().to_owned(),
            status: pb::CheckStatus::from(check.status).into(),
            expected: check.expected.clone(),
            found: check.found.clone(),
            r#where: check.place.clone(),
        }
    }
}

impl From<Status> for pb::CheckStatus {
    fn from(status: Status) -> Self {
        match status {
            Status::Passed => Self::Passed,
            Status::Failed => Self::Failed,
            Status::Skipped => Self::Skipped,
        }
    }
}

impl From<Verdict> for pb::Verdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Match => Self::Match,
            Verdict::Mismatch => Self::Mismatch,
            Verdict::Incomplete => Self::Incomplete,
        }
    }
}

impl From<pb::AuditResponse> for pb::AuditStreamResponse {
    fn from(answer: pb::AuditResponse) -> Self {
        Self {
            label: answer.label,
            verdict: answer.verdict,
            code: answer.code,
            checks: answer.checks,
            rounds: answer.rounds,
            root_keys: answer.root_keys,
            threshold: answer.threshold,
        }
    }
}
