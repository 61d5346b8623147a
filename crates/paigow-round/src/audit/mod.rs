//! `Audit`: everything recomputed from a transcript by who trusts only the root keys.
//!
//! No key ring, no secret, no clock: this module and what it imports cannot name the key
//! ring's type, and a test keeps it so (D20).

mod bulk;
mod claims;
mod closes;
mod epochs;
mod file;
mod forks;
mod links;
mod numbers;
mod order;
mod outcome;
mod places;
mod replay;
mod report;
mod round;
mod standing;
mod supersedes;
mod terms;

pub use bulk::{Auditor, BulkFinding, RoundConclusion, RoundFindings, RoundWindow, UnclosedRounds};
pub use claims::{CLAIMS, CLAIMS_FILE, Claim, ClaimCheck, ClaimFinding, ClaimNeed, ClaimStatus};
pub use replay::{ReplayRequest, ReplaySeed, replay};
pub use report::{
    AuditCheck, AuditReport, AuditVerdict, CheckCode, CheckStatus, ReplayedRound, RoundEnding,
    RoundReport, first_failed,
};
pub use standing::{AwaitedSecret, VerdictReason};
pub use terms::{AuditTerms, MySeat};

use std::collections::{BTreeMap, BTreeSet};

use self::closes::{ClosedEpochs, CountedClose};
use self::file::{TranscriptFile, TranscriptLine};
use self::numbers::RoundNumbers;
use self::order::OtherRounds;
use self::places::LockedSeeds;
use self::report::{Finding, Findings, standing_of};
use self::round::RoundAudit;
use self::standing::{RoundStanding, TellingClose};
use super::Catalogue;
use super::record::{EpochClose, EpochReveal};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{
    Epoch, Manifest, ManifestRule, SignedManifest, keys_by_role, rule_faults, verify_chain,
};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::signature::PublicKey;

/// What every round of a file is held against.
struct AuditContext<'a> {
    catalogue: &'a Catalogue,
    terms: &'a AuditTerms,
    /// The verified manifests, each with its line.
    manifests: Vec<(usize, SignedManifest)>,
    /// The receipt keys that some manifest revokes.
    revoked: BTreeSet<PublicKey>,
    /// The keys that manifests list, each with its role and the line of the first that lists it.
    roles: BTreeMap<PublicKey, (usize, &'static str)>,
    /// The verified reveals, each with its line.
    reveals: Vec<(usize, EpochReveal)>,
    /// The closes of epochs that count.
    closes: Vec<CountedClose>,
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
/// Nothing is trusted but what `terms` names; rulesets and house ways are found in `catalogue` by
/// their content hash.
///
/// # Panics
///
/// Never: nobody gives it up.
#[must_use]
pub fn audit(text: &[u8], terms: &AuditTerms, catalogue: &Catalogue) -> AuditReport {
    audit_while(&|| true, text, terms, catalogue).expect("nobody gives it up")
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
    terms: &AuditTerms,
    catalogue: &Catalogue,
) -> Option<AuditReport> {
    let mut findings = Findings::default();
    let file = match file::read(text) {
        Ok(file) => {
            findings.note(CheckCode::Format, Finding::Passed);
            file
        }
        Err(failed) => return Some(refused(findings, failed)),
    };
    let context = context(is_wanted, &file, terms, catalogue, &mut findings);
    let mut rounds: Vec<RoundAudit<'_>> =
        file.rounds.iter().map(|lines| RoundAudit::new(lines, &context)).collect();
    for (i, round) in rounds.iter_mut().enumerate() {
        let finding = round.read_payloads();
        findings.note_in(i, CheckCode::Canonical, finding);
    }
    let others = OtherRounds {
        closes: rounds.iter().filter_map(RoundAudit::close).collect(),
        seeds: LockedSeeds::of(&rounds),
        closed: ClosedEpochs::of(&context, &rounds),
    };
    for (i, round) in rounds.iter_mut().enumerate() {
        if !is_wanted() {
            return None;
        }
        order::run(round, &others, &mut |code, finding| findings.note_in(i, code, finding));
    }
    let finding = forks::check(&rounds).unless_failed(|| closes::fork(&context.closes));
    findings.note(CheckCode::NoFork, finding);
    is_wanted().then(|| report(findings, rounds, terms))
}

/// The report of a file that `FORMAT` refuses, or that is no transcript.
fn refused(mut findings: Findings, finding: Finding) -> AuditReport {
    let (why, reason) = match &finding {
        Finding::Failed(_) => {
            ("the file was refused by FORMAT", VerdictReason::Failed(CheckCode::Format))
        }
        Finding::Skipped(_) | Finding::Passed => (file::NO_TRANSCRIPT, VerdictReason::NoTranscript),
    };
    findings.note(CheckCode::Format, finding);
    for code in &CheckCode::ALL[1..] {
        findings.note(*code, Finding::skipped(why));
    }
    let claims = claims::none_shown(why);
    AuditReport { reason, round: None, checks: findings.checks(), claims, rounds: Vec::new() }
}

/// Reads manifests and reveals, and verifies the chain. What it returns and notes is of no use
/// where it was given up.
fn context<'a>(
    is_wanted: &dyn Fn() -> bool,
    file: &TranscriptFile,
    terms: &'a AuditTerms,
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
        findings.note(CheckCode::Canonical, finding);
    }
    let mut reveals = Vec::new();
    for line in &file.reveals {
        let parses = line.envelope.json().map_err(PayloadError::from).and_then(EpochReveal::parse);
        let found = parses.as_ref().map(|_| ()).map_err(Clone::clone);
        findings.note(CheckCode::Canonical, canonical(line, found));
        reveals.extend(parses.ok().map(|reveal| (line, reveal)));
    }
    let mut closes = Vec::new();
    for line in &file.closes {
        let parses = line.envelope.json().map_err(PayloadError::from).and_then(EpochClose::parse);
        let found = parses.as_ref().map(|_| ()).map_err(Clone::clone);
        findings.note(CheckCode::Canonical, canonical(line, found));
        closes.extend(parses.ok().map(|close| (line, close)));
    }
    let envelopes: Vec<RecordEnvelope> =
        file.manifests.iter().map(|m| m.envelope.clone()).collect();
    let mut context = AuditContext {
        catalogue,
        terms,
        manifests: Vec::new(),
        revoked: BTreeSet::new(),
        roles: BTreeMap::new(),
        reveals: Vec::new(),
        closes: Vec::new(),
    };
    if !all_canonical || envelopes.is_empty() {
        let why = if all_canonical { "no manifest in the file" } else { "not canonical" };
        findings.note(CheckCode::ManifestSig, Finding::skipped(why));
        findings.note(CheckCode::ManifestRules, Finding::skipped(why));
        return context;
    }
    match verify_chain(&terms.root, envelopes.iter().take_while(|_| is_wanted())) {
        Ok(manifests) => {
            findings.note(CheckCode::ManifestSig, Finding::Passed);
            let lines = file.manifests.iter().map(|line| line.number);
            context.manifests = lines.zip(manifests).collect();
        }
        Err(fault) => {
            let line = file.manifests.get(fault.index).map_or(1, |line| line.number);
            let expected = "a chain of manifests signed by the trusted root";
            findings.note(CheckCode::ManifestSig, Finding::failed(line, expected, fault.what));
            let why = "the manifests were refused by an earlier check";
            findings.note(CheckCode::ManifestRules, Finding::skipped(why));
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
    let keys = [terms.root.keys.clone(), roots, context.standing(engine_keys)].concat();
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
            findings.note(CheckCode::Signatures, finding);
            continue;
        }
        let finding = epochs::reveal(&context.manifests, line.number, &reveal);
        if matches!(finding, Finding::Passed) {
            context.reveals.push((line.number, reveal));
        }
        findings.note(CheckCode::EpochCommit, finding);
    }
    let revealers: Vec<PublicKey> = keys.into_iter().map(|(_, key)| key).collect();
    for (line, close) in closes {
        if !is_wanted() {
            break;
        }
        let counted = closes::counted(&context, line, close, &revealers, findings);
        context.closes.extend(counted);
    }
    findings.note(CheckCode::ManifestRules, manifest_rules(&context));
    context
}

/// `MANIFEST_RULES`: the chain is one that a server loads. A failure refuses no record.
///
/// Skipped where the file begins with a later manifest than the first, unless the caller named
/// it: what came before is not known.
fn manifest_rules(context: &AuditContext<'_>) -> Finding {
    let is_known = |(_, signed): &(usize, SignedManifest)| {
        signed.manifest.seq == 1 || context.terms.first_manifest == Some(signed.hash)
    };
    if !context.manifests.first().is_some_and(is_known) {
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

fn report(mut findings: Findings, rounds: Vec<RoundAudit<'_>>, terms: &AuditTerms) -> AuditReport {
    findings.close_file();
    let mut standings: Vec<RoundStanding> = rounds.iter().map(RoundStanding::of).collect();
    let closed = |one: &&RoundStanding| one.close == TellingClose::Here;
    let closed: BTreeSet<Option<Hash>> =
        standings.iter().filter(closed).map(|one| one.round_id).collect();
    for one in standings.iter_mut().filter(|one| one.close == TellingClose::Missing) {
        if one.round_id.is_some() && closed.contains(&one.round_id) {
            one.close = TellingClose::Elsewhere;
        }
    }
    let mut numbers = RoundNumbers::default();
    standings.iter().for_each(|round| numbers.add(round));
    let mut told = Vec::new();
    for (i, standing) in standings.iter().enumerate() {
        let checks = findings.checks_in(i);
        let check = standing_of(&checks);
        let reason = standing.reason(&check);
        let every = numbers.has_every_round(standing, &terms.after);
        let claims: Vec<ClaimFinding> =
            CLAIMS.iter().filter_map(|one| claims::weigh(one, standing, &every, &check)).collect();
        drop(check);
        told.push((reason, checks, claims));
    }
    let checks = findings.checks();
    let each = || (1..).zip(&told);
    let failed: BTreeSet<CheckCode> = checks
        .iter()
        .filter(|check| check.status == CheckStatus::Failed)
        .map(|check| check.code)
        .collect();
    let of_file = |claim: &'static Claim| {
        let rounds = each().map(|(i, (_, _, claims))| (i, claims.as_slice()));
        claim.of_file(rounds, |code| failed.contains(&code))
    };
    let claims = CLAIMS.iter().map(of_file).collect();
    let first = |verdict: AuditVerdict| {
        let mut rounds = each().map(|(i, (reason, ..))| (Some(i), reason.clone()));
        rounds.find(|(_, reason)| reason.verdict() == verdict)
    };
    let gap = || numbers.first_gap().filter(|_| terms.my_seat.is_none()).map(|gap| (None, gap));
    let (round, reason) = match first_failed(&checks) {
        Some(code) => (None, VerdictReason::Failed(code)),
        None if told.is_empty() => (None, VerdictReason::NoRound),
        None => first(AuditVerdict::Incomplete)
            .or_else(gap)
            .or_else(|| first(AuditVerdict::Pending))
            .unwrap_or((None, VerdictReason::AllRecomputed)),
    };
    // One secret is awaited by the file, not by a round.
    let round = round.filter(|_| matches!(reason, VerdictReason::NotRecomputed(_)));
    let rounds = rounds
        .into_iter()
        .zip(told)
        .filter_map(|(round, (reason, checks, claims))| round.into_report(reason, checks, claims));
    let rounds = rounds.collect();
    AuditReport { reason, round, checks, claims, rounds }
}
