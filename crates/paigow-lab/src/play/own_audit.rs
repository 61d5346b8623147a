//! The audit that a play makes of its own rounds.

use std::io::Write;

use super::table::PlayedRound;
use crate::{CommandError, CommandOutcome};
use paigow_fairness::manifest::Root;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::signature::PublicKey;
use paigow_files::system;
use paigow_proto::v1 as pb;
use paigow_round::Catalogue;
use paigow_round::audit::{AuditTerms, AuditVerdict, Auditor, VerdictReason};

/// Returns terms that trust the root keys which the server names.
///
/// # Errors
///
/// If one of them is not a public key.
pub(crate) fn terms(engine: &pb::GetEngineResponse) -> Result<AuditTerms, CommandError> {
    let key = |text: &String| {
        let what = |error| CommandError::Data(format!("the server's root key {text}: {error}"));
        PublicKey::from_hex(text).map_err(what)
    };
    let keys = engine.root_keys.iter().map(key).collect::<Result<_, _>>()?;
    let threshold = usize::try_from(engine.root_threshold).unwrap_or(usize::MAX);
    let as_of = Some(system::now());
    Ok(AuditTerms { as_of, ..AuditTerms::of(Root { keys, threshold }) })
}

/// An audit of each round, and the worst reason of a verdict so far.
pub(crate) struct OwnAudit<'a> {
    auditor: Auditor<'a>,
    /// The number of the next line, as if all records were in one file.
    next_line: usize,
    /// The number of the round, and the reason for its verdict.
    worst: Option<(u64, VerdictReason)>,
}

impl<'a> OwnAudit<'a> {
    /// Reads the manifests of the server.
    ///
    /// # Errors
    ///
    /// If one of them is not a record.
    pub(crate) fn of(
        manifests: &[pb::Record],
        terms: &'a AuditTerms,
        catalogue: &'a Catalogue,
    ) -> Result<Self, CommandError> {
        let read = |(number, record): (usize, &pb::Record)| {
            let what = |error| CommandError::Data(format!("the server's manifest: {error}"));
            Ok((number, RecordEnvelope::parse(&record.envelope).map_err(what)?))
        };
        let manifests: Vec<_> =
            (1..).zip(manifests).map(read).collect::<Result<_, CommandError>>()?;
        let next_line = manifests.len() + 1;
        Ok(Self { auditor: Auditor::new(manifests, terms, catalogue), next_line, worst: None })
    }

    /// Audits a round.
    pub(crate) fn add(&mut self, played: &PlayedRound) {
        let records = played.deal.records.iter().chain(&played.settle.records);
        let lines: Vec<(usize, &[u8])> =
            (self.next_line..).zip(records.map(|record| record.envelope.as_slice())).collect();
        self.next_line += lines.len();
        let reason = self.auditor.conclusion(&self.auditor.round(&lines)).reason;
        let is_worse = |(_, worst): &(u64, VerdictReason)| rank(&reason) < rank(worst);
        if self.worst.as_ref().is_none_or(is_worse) {
            self.worst = Some((played.round_no, reason));
        }
    }

    /// Writes the verdict, in the form of an audit of all rounds.
    pub(crate) fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        let Some((number, reason)) = &self.worst else { return Ok(()) };
        let verdict = reason.verdict();
        // All rounds wait for one secret.
        let place = match verdict {
            AuditVerdict::Match | AuditVerdict::Pending => String::new(),
            AuditVerdict::Mismatch | AuditVerdict::Incomplete => format!("round {number}: "),
        };
        writeln!(out, "\nverdict: {}: {place}{reason}", verdict.name())
    }

    /// Returns the outcome of the play.
    pub(crate) fn outcome(&self) -> CommandOutcome {
        let is_mismatch = |(_, reason): &(u64, VerdictReason)| rank(reason) == 0;
        if self.worst.as_ref().is_some_and(is_mismatch) {
            CommandOutcome::WithFindings
        } else {
            CommandOutcome::Well
        }
    }
}

/// Returns the rank of a verdict: the lower, the worse.
const fn rank(reason: &VerdictReason) -> u8 {
    match reason.verdict() {
        AuditVerdict::Mismatch => 0,
        AuditVerdict::Incomplete => 1,
        AuditVerdict::Pending => 2,
        AuditVerdict::Match => 3,
    }
}
