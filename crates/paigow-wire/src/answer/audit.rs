//! `Audit` and `AuditStream`.

use super::settlement::{bank, seat_results};
use super::{codes, count, dice};
use paigow_fairness::encoding::{Hash, hex_text};
use paigow_fairness::manifest::Root;
use paigow_fairness::signature::PublicKey;
use paigow_proto::v1 as pb;
use paigow_round::audit::{
    AuditCheck, AuditReport, AuditTerms, AuditVerdict, CheckStatus, ClaimFinding, ClaimStatus,
    ReplayRequest, ReplaySeed, ReplayedRound, RoundEnding, RoundReport, first_failed,
};

/// Writes the findings of an audit under `terms`.
#[must_use]
pub fn audited(label: String, report: &AuditReport, terms: &AuditTerms) -> pb::AuditResponse {
    pb::AuditResponse {
        label,
        verdict: verdict(report.verdict()).into(),
        code: code(&report.checks),
        checks: report.checks.iter().map(check).collect(),
        rounds: report.rounds.iter().map(audited_round).collect(),
        because: report.because(),
        claims: report.claims.iter().map(claim).collect(),
        root_keys: keys(&terms.root.keys),
        threshold: count(terms.root.threshold),
        witness_keys: keys(&terms.witnesses),
        beacon_chains: terms.beacons.iter().map(Hash::to_string).collect(),
    }
}

fn keys<'a>(keys: impl IntoIterator<Item = &'a PublicKey>) -> Vec<String> {
    keys.into_iter().map(|key| hex_text(&key.to_bytes())).collect()
}

/// Writes a round that was computed from its seeds: there was no record to compare.
#[must_use]
pub fn replayed(
    label: String,
    request: &ReplayRequest,
    replayed: &ReplayedRound,
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
        rounds: vec![round],
        root_keys: keys(&root.keys),
        threshold: count(root.threshold),
        ..pb::AuditResponse::default()
    }
}

fn audited_round(report: &RoundReport) -> pb::AuditedRound {
    let disposition = match report.ending {
        Some(RoundEnding::Settled) => pb::Disposition::Settle,
        Some(RoundEnding::Void) => pb::Disposition::Void,
        None => pb::Disposition::Unspecified,
    };
    let mut round = pb::AuditedRound {
        round_id: report.round_id.to_hex(),
        table: report.table.to_string(),
        round_no: round_no(report.round_no),
        disposition: disposition.into(),
        verdict: verdict(report.verdict()).into(),
        code: code(&report.checks),
        checks: report.checks.iter().map(check).collect(),
        claims: report.claims.iter().map(claim).collect(),
        ..pb::AuditedRound::default()
    };
    if let Some(replayed) = &report.replayed {
        add(&mut round, replayed);
    }
    round
}

/// Writes the recomputed values.
fn add(round: &mut pb::AuditedRound, replayed: &ReplayedRound) {
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

fn check(check: &AuditCheck) -> pb::Check {
    pb::Check {
        code: check.code.name().to_owned(),
        status: check_status(check.status).into(),
        expected: check.expected.clone(),
        found: check.found.clone(),
        r#where: check.place.clone(),
    }
}

/// The name of the first failed check.
fn code(checks: &[AuditCheck]) -> String {
    first_failed(checks).map_or_else(String::new, |code| code.name().to_owned())
}

fn claim(found: &ClaimFinding) -> pb::Claim {
    let status = match found.status {
        ClaimStatus::Shown => pb::ClaimStatus::Shown,
        ClaimStatus::Pending => pb::ClaimStatus::Pending,
        ClaimStatus::NotShown => pb::ClaimStatus::NotShown,
    };
    pb::Claim { name: found.claim.name.clone(), status: status.into(), why: found.why.clone() }
}

fn check_status(status: CheckStatus) -> pb::CheckStatus {
    match status {
        CheckStatus::Passed => pb::CheckStatus::Passed,
        CheckStatus::Failed => pb::CheckStatus::Failed,
        CheckStatus::Skipped => pb::CheckStatus::Skipped,
    }
}

fn verdict(verdict: AuditVerdict) -> pb::Verdict {
    match verdict {
        AuditVerdict::Match => pb::Verdict::Match,
        AuditVerdict::Mismatch => pb::Verdict::Mismatch,
        AuditVerdict::Incomplete => pb::Verdict::Incomplete,
        AuditVerdict::Pending => pb::Verdict::Pending,
    }
}
