//! `Audit`: everything recomputed from a transcript by who trusts only the root keys.
//!
//! No key ring, no secret, no clock: this module and what it imports cannot name the key
//! ring's type, and a test keeps it so (D20).

mod bulk;
mod epochs;
mod file;
mod forks;
mod links;
mod order;
mod outcome;
mod replay;
mod report;
mod round;

pub use bulk::{Auditor, BulkFinding, RoundFindings, RoundWindow};
pub use replay::{ReplayRequest, ReplaySeed, replay};
pub use report::{
    AuditCheck, AuditReport, AuditVerdict, CheckCode, CheckStatus, ReplayedRound, RoundEnding,
    RoundReport,
};

use std::collections::{BTreeMap, BTreeSet};

use self::file::{TranscriptFile, TranscriptLine};
use self::report::{Finding, Findings};
use self::round::{RoundAudit, RoundClose};
use super::Catalogue;
use super::record::EpochReveal;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{
    Epoch, Manifest, ManifestRule, Root, SignedManifest, keys_by_role, rule_faults, verify_chain,
};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::signature::PublicKey;

/// What every round of a file is held against.
struct AuditContext<'a> {
    catalogue: &'a Catalogue,
    /// The verified manifests, each with its line.
    manifests: Vec<(usize, SignedManifest)>,
    /// The receipt keys that some manifest revokes.
    revoked: BTreeSet<PublicKey>,
    /// The keys that manifests list, each with its role and the line of the first that lists it.
    roles: BTreeMap<PublicKey, (usize, &'static str)>,
    /// The verified reveals, each with its line.
    reveals: Vec<(usize, EpochReveal)>,
}

impl AuditContext<'_> {
    /// Returns the hash of the manifest that first lists an epoch, if it is known to be in the
    /// file: the file begins with manifest 1, or with one that does not list the epoch.
    fn announcement(&self, epoch: u32) -> Option<Hash> {
        let lists = |(_, signed): &(usize, SignedManifest)| signed.manifest.epoch(epoch).is_some();
        let place = self.manifests.iter().position(lists)?;
        let (_, signed) = &self.manifests[place];
        (place > 0 || signed.manifest.seq == 1).then_some(signed.hash)
    }

    /// Returns those of `keys` that no manifest of the file revokes: a signature by a
    /// revoked key counts only beside a proof that this release does not know.
    fn standing(&self, mut keys: Vec<PublicKey>) -> Vec<PublicKey> {
        keys.retain(|key| !self.revoked.contains(key));
        keys
    }
}

/// Audits a transcript.
///
/// `root` is the only thing trusted; rulesets and house ways are found in `catalogue` by
/// their content hash. A transcript of nothing is incomplete.
///
/// # Panics
///
/// Never: nobody gives it up.
#[must_use]
pub fn audit(text: &[u8], root: &Root, catalogue: &Catalogue) -> AuditReport {
    audit_while(&|| true, text, root, catalogue).expect("nobody gives it up")
}

/// Audits a transcript for as long as `is_wanted` says, which is asked between any two steps,
/// and returns nothing where it was given up.
///
/// A text of a few megabytes may list so many keys and signatures that their verification
/// takes minutes: nobody is to work on it whose caller has left.
#[must_use]
pub fn audit_while(
    is_wanted: &dyn Fn() -> bool,
    text: &[u8],
    root: &Root,
    catalogue: &Catalogue,
) -> Option<AuditReport> {
    let mut findings = Findings::default();
    let file = match file::read(text) {
        Ok(file) => {
            findings.note(CheckCode::Format, None, Finding::Passed);
            file
        }
        Err(failed) => {
            findings.note(CheckCode::Format, None, failed);
            for code in &CheckCode::ALL[1..] {
                findings.note(*code, None, Finding::skipped("the file was refused by FORMAT"));
            }
            return Some(report(findings, Vec::new()));
        }
    };
    let context = context(is_wanted, &file, root, catalogue, &mut findings);
    let mut rounds: Vec<RoundAudit<'_>> =
        file.rounds.iter().map(|lines| RoundAudit::new(lines, &context)).collect();
    for (i, round) in rounds.iter_mut().enumerate() {
        let finding = round.read_payloads();
        findings.note(CheckCode::Canonical, Some(i), finding);
    }
    let closes: Vec<RoundClose> = rounds.iter().filter_map(RoundAudit::close).collect();
    for (i, round) in rounds.iter_mut().enumerate() {
        if !is_wanted() {
            return None;
        }
        order::run(round, &closes, &mut |code, finding| findings.note(code, Some(i), finding));
    }
    findings.note(CheckCode::NoFork, None, forks::check(&rounds));
    let rounds = rounds.into_iter().filter_map(RoundAudit::into_report).collect();
    is_wanted().then(|| report(findings, rounds))
}

/// Reads manifests and reveals, and verifies the chain. What it returns and notes is of no use
/// where it was given up.
fn context<'a>(
    is_wanted: &dyn Fn() -> bool,
    file: &TranscriptFile,
    root: &Root,
    catalogue: &'a Catalogue,
    findings: &mut Findings,
) -> AuditContext<'a> {
    let canonical = |line: &TranscriptLine, parses: Result<(), PayloadError>| match parses {
        Ok(()) => Finding::Passed,
        Err(error) => Finding::failed(line.number, "a canonical payload", error.to_string()),
    };
    let mut all_canonical = true;
    for line in &file.manifests {
        let parses = line.envelope.json().map_err(PayloadError::from).and_then(Manifest::parse);
        // Without its commitment all checks of an epoch would be skipped, and nobody told.
        let fault = |manifest: &Manifest| manifest.epochs.iter().find_map(Epoch::suite_fault);
        let finding = match parses.as_ref().map(fault) {
            Ok(Some(what)) => Finding::failed(line.number, "the members of the suite", what),
            Ok(None) | Err(_) => canonical(line, parses.map(|_| ())),
        };
        all_canonical &= matches!(finding, Finding::Passed);
        findings.note(CheckCode::Canonical, None, finding);
    }
    let mut reveals = Vec::new();
    for line in &file.reveals {
        let parses = line.envelope.json().map_err(PayloadError::from).and_then(EpochReveal::parse);
        let found = parses.as_ref().map(|_| ()).map_err(Clone::clone);
        findings.note(CheckCode::Canonical, None, canonical(line, found));
        reveals.extend(parses.ok().map(|reveal| (line, reveal)));
    }
    let envelopes: Vec<RecordEnvelope> =
        file.manifests.iter().map(|m| m.envelope.clone()).collect();
    let mut context = AuditContext {
        catalogue,
        manifests: Vec::new(),
        revoked: BTreeSet::new(),
        roles: BTreeMap::new(),
        reveals: Vec::new(),
    };
    if !all_canonical || envelopes.is_empty() {
        let why = if all_canonical { "no manifest in the file" } else { "not canonical" };
        findings.note(CheckCode::ManifestSig, None, Finding::skipped(why));
        findings.note(CheckCode::ManifestRules, None, Finding::skipped(why));
        return context;
    }
    match verify_chain(root, envelopes.iter().take_while(|_| is_wanted())) {
        Ok(manifests) => {
            findings.note(CheckCode::ManifestSig, None, Finding::Passed);
            let lines = file.manifests.iter().map(|line| line.number);
            context.manifests = lines.zip(manifests).collect();
        }
        Err(fault) => {
            let line = file.manifests.get(fault.index).map_or(1, |line| line.number);
            let expected = "a chain of manifests signed by the trusted root";
            findings.note(
                CheckCode::ManifestSig,
                None,
                Finding::failed(line, expected, fault.what),
            );
            let why = "the manifests were refused by an earlier check";
            findings.note(CheckCode::ManifestRules, None, Finding::skipped(why));
            return context;
        }
    }
    let listed = || context.manifests.iter().map(|(_, signed)| &signed.manifest);
    context.revoked = listed()
        .flat_map(|manifest| &manifest.receipt_keys)
        .filter(|key| key.revoked)
        .map(|key| key.key)
        .collect();
    let mut roles = BTreeMap::new();
    for (line, signed) in &context.manifests {
        for (key, role) in keys_by_role(&signed.manifest) {
            roles.entry(key).or_insert((*line, role));
        }
    }
    context.roles = roles;
    let listed = || context.manifests.iter().map(|(_, signed)| &signed.manifest);
    // A reveal is signed by the engine or the root, which the chain may have passed on. The key
    // that a signature names is most likely its key (a hint and no more), and tried first.
    let engine_keys = listed().flat_map(Manifest::receipt_public_keys).collect();
    let roots = listed().flat_map(|manifest| manifest.root.keys.clone()).collect();
    let keys = [root.keys.clone(), roots, context.standing(engine_keys)].concat();
    let keys: BTreeSet<PublicKey> = keys.into_iter().collect();
    let keys: Vec<(String, PublicKey)> = keys.into_iter().map(|key| (key.kid(), key)).collect();
    for (line, reveal) in reveals {
        let named = |(kid, _): &&(String, PublicKey)| {
            line.envelope.signatures().iter().any(|signature| *signature.keyid == **kid)
        };
        let first = keys.iter().filter(named);
        let tried = first.chain(keys.iter().filter(|key| !named(key))).map(|(_, key)| key);
        let tried = tried.take_while(|_| is_wanted());
        if !line.envelope.is_signed() || !line.envelope.all_verify(tried) {
            let expected = "a signature by a receipt key or a root key";
            let finding = Finding::failed(line.number, expected, "another, or none");
            findings.note(CheckCode::Signatures, None, finding);
            continue;
        }
        let finding = epochs::reveal(&context.manifests, line.number, &reveal);
        if matches!(finding, Finding::Passed) {
            context.reveals.push((line.number, reveal));
        }
        findings.note(CheckCode::EpochCommit, None, finding);
    }
    findings.note(CheckCode::ManifestRules, None, manifest_rules(&context));
    context
}

/// `MANIFEST_RULES`: the chain is one that a server loads. A failure refuses no record.
///
/// Skipped where the file begins with a later manifest than the first: what came before is not
/// known.
fn manifest_rules(context: &AuditContext<'_>) -> Finding {
    if context.manifests.first().is_none_or(|(_, signed)| signed.manifest.seq != 1) {
        return Finding::skipped("the file does not begin with manifest 1");
    }
    let failed = |line, rule: ManifestRule, what: &str| {
        let expected = "a chain of manifests that a server loads";
        Finding::failed(line, expected, format!("{}: {what}", rule.name()))
    };
    let chain: Vec<&Manifest> =
        context.manifests.iter().map(|(_, signed)| &signed.manifest).collect();
    for fault in rule_faults(&chain) {
        if let Some(rule) = fault.rule {
            return failed(context.manifests[fault.index].0, rule, &fault.what);
        }
    }
    for (place, (line, reveal)) in context.reveals.iter().enumerate() {
        let has_its_secret = |(_, other): &&(usize, EpochReveal)| {
            other.epoch != reveal.epoch && other.secret.expose() == reveal.secret.expose()
        };
        if let Some((_, other)) = context.reveals[..place].iter().find(has_its_secret) {
            let what =
                format!("epoch {}: its secret is that of epoch {}", reveal.epoch, other.epoch);
            return failed(*line, ManifestRule::SecretTwice, &what);
        }
    }
    Finding::Passed
}

fn report(findings: Findings, rounds: Vec<RoundReport>) -> AuditReport {
    let checks = findings.into_checks();
    let failed = checks.iter().any(|check| check.status == CheckStatus::Failed);
    let results = checks.iter().find(|check| check.code == CheckCode::Results);
    let complete = !rounds.is_empty()
        && rounds.iter().all(|round| round.ending.is_some())
        && results.is_some_and(|check| check.status == CheckStatus::Passed);
    let verdict = match (failed, complete) {
        (true, _) => AuditVerdict::Mismatch,
        (false, true) => AuditVerdict::Match,
        (false, false) => AuditVerdict::Incomplete,
    };
    AuditReport { verdict, checks, rounds }
}
