//! `LOGGED`: the records that the public log has, and their times.

use std::collections::{BTreeMap, BTreeSet};

use super::AuditContext;
use super::file::{TranscriptFile, TranscriptLine};
use super::report::{CheckCode, Finding, Findings};
use super::round::RoundAudit;
use paigow_fairness::encoding::Hash;
use paigow_fairness::log_proof::{LogProof, PublicLog, log_leaf};
use paigow_fairness::signature::PublicKey;

/// The records that a log has, by proofs with the signature of a pinned witness.
#[derive(Default)]
pub(super) struct LoggedRecords(BTreeMap<Hash, Vec<ProvenRecord>>);

/// One good proof of a record.
struct ProvenRecord {
    /// The log.
    log: PublicLog,
    /// The earliest time at which a pinned witness signed for the checkpoint, in Unix seconds.
    time: u64,
}

impl LoggedRecords {
    /// Returns the earliest time at which a pinned witness signed for a checkpoint that has the
    /// record. `log` limits the search to one log.
    pub(super) fn time(&self, log: Option<&PublicLog>, record: &Hash) -> Option<u64> {
        let is_asked = |proof: &&ProvenRecord| log.is_none_or(|log| proof.log == *log);
        let proofs = self.0.get(record).into_iter().flatten();
        proofs.filter(is_asked).map(|proof| proof.time).min()
    }
}

/// Judges every proof of the file, and notes each that fails.
pub(super) fn judged(
    context: &AuditContext<'_>,
    file: &TranscriptFile,
    proofs: &[(&TranscriptLine, LogProof)],
    findings: &mut Findings,
) -> LoggedRecords {
    let mut logged = LoggedRecords::default();
    if proofs.is_empty() {
        return logged;
    }
    let named: BTreeSet<Hash> = proofs.iter().map(|(_, proof)| proof.record).collect();
    let records = file.logged_records().filter(|line| named.contains(&line.hash));
    let leaves: BTreeMap<Hash, Hash> =
        records.map(|line| (line.hash, log_leaf(&line.envelope))).collect();
    for (line, proof) in proofs {
        if line.envelope.is_signed() {
            let finding = Finding::failed(line.number, "no signature of a proof", "a signature");
            findings.note(CheckCode::Signatures, finding);
            continue;
        }
        match good(context, proof, leaves.get(&proof.record)) {
            Ok(proven) => logged.0.entry(proof.record).or_default().extend(proven),
            Err((expected, found)) => {
                findings.note(CheckCode::Logged, Finding::failed(line.number, expected, found));
            }
        }
    }
    logged
}

/// Judges one proof. Returns [`None`] if it has no fault, but no pinned witness signed for it.
fn good(
    context: &AuditContext<'_>,
    proof: &LogProof,
    leaf: Option<&Hash>,
) -> Result<Option<ProvenRecord>, (&'static str, &'static str)> {
    let Some(leaf) = leaf else {
        return Err(("a proof of a record of this file", "a proof of another"));
    };
    if !proof.leads_to_root(*leaf) {
        return Err(("a path to the root of the checkpoint", "another path"));
    }
    let mut logs = context.manifests.iter().filter_map(|(_, signed)| signed.manifest.log.as_ref());
    let Some(log) = logs.find(|log| {
        log.origin == proof.checkpoint.origin
            && context.effort.may_verify(1)
            && proof.checkpoint.is_of(log)
    }) else {
        return Err(("the signature of a log that a manifest lists", "another, or none"));
    };
    let (mut time, text) = (None, proof.checkpoint.text());
    let is_pinned = |key: &PublicKey| context.terms.witnesses.contains(key);
    for one in proof.checkpoint.cosignatures.iter().filter(|one| is_pinned(&one.key)) {
        if !(context.effort.may_verify(1) && one.verifies(&text)) {
            return Err(("the cosignature of the witness", "another signature"));
        }
        time = Some(time.map_or(one.time, |earlier: u64| earlier.min(one.time)));
    }
    Ok(time.map(|time| ProvenRecord { log: log.clone(), time }))
}

/// Returns the earliest time at which a pinned witness signed for a checkpoint of the log of the
/// round's manifest that has a record.
pub(super) fn time_of(round: &RoundAudit<'_>, record: &Hash) -> Result<Option<u64>, Finding> {
    let (_, world) = round.grounds()?;
    let Some(log) = &world.signed.manifest.log else {
        return Err(Finding::skipped("the manifest lists no log"));
    };
    Ok(round.context.logged.time(Some(log), record))
}

/// `LOGGED`: the log of the round's manifest has the ticket, the lock of the wagers and the close, each
/// by a proof with the cosignature of a pinned witness.
pub(super) fn check(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        round.grounds()?;
        let lines = round.lines;
        let needed = [
            (Some(&lines.ticket), "the ticket"),
            (lines.wager_lock.as_ref(), "the lock of the wagers"),
            (lines.settle.as_ref(), "the close"),
        ];
        for (line, what) in needed {
            if let Some(line) = line
                && time_of(round, &line.hash)?.is_none()
            {
                let why = format!("no proof of a pinned witness has {what}");
                return Err(Finding::skipped(why));
            }
        }
        Ok(Finding::Passed)
    })
}
