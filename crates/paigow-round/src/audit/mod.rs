//! `Audit`: recomputes everything from a transcript, and trusts only the root keys.
//!
//! It has no key ring, no secret and no clock. This module and its imports cannot name the key
//! ring's type, and a test checks that (D20).

mod beacons;
mod budget;
mod bulk;
mod claims;
mod closes;
mod epochs;
mod file;
mod forks;
mod links;
mod log_end;
mod logged;
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

pub use budget::{AuditBudget, AuditWork, UnfinishedAudit};
pub use bulk::{Auditor, BulkFinding, RoundConclusion, RoundFindings, RoundWindow, UnclosedRounds};
pub use claims::{CLAIMS, CLAIMS_FILE, Claim, ClaimCheck, ClaimFinding, ClaimNeed, ClaimStatus};
pub use replay::{ReplayRequest, ReplaySeed, replay};
pub use report::{
    AuditCheck, AuditReport, AuditVerdict, CheckCode, CheckStatus, ReplayedRound, RoundEnding,
    RoundReport, first_failed,
};
pub use standing::{AwaitedSecret, VerdictReason};
pub use terms::{AuditTerms, MySeat};

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::iter;

use self::budget::AuditEffort;
use self::closes::{ClosedEpochs, CountedClose};
use self::file::{TranscriptFile, TranscriptLine};
use self::log_end::LogEnds;
use self::logged::LoggedRecords;
use self::numbers::RoundNumbers;
use self::order::OtherRounds;
use self::places::LockedSeeds;
use self::report::{Finding, Findings, standing_of};
use self::round::RoundAudit;
use self::standing::{RoundStanding, TellingClose};
use super::Catalogue;
use super::record::{EpochClose, EpochReveal};
use paigow_fairness::encoding::Hash;
use paigow_fairness::log_proof::LogProof;
use paigow_fairness::manifest::{
    Epoch, Manifest, ManifestRule, SignedManifest, keys_by_role, rule_faults, verify_chain_while,
};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::signature::PublicKey;

/// The context that every round of a file is checked against.
struct AuditContext<'a> {
    catalogue: &'a Catalogue,
    terms: &'a AuditTerms,
    /// The verified manifests, each with its line.
    manifests: Vec<(usize, SignedManifest)>,
    /// The receipt keys that some manifest revokes.
    revoked: BTreeSet<PublicKey>,
    /// The keys that manifests list, each with its role and the line of the first that lists it.
    roles: BTreeMap<PublicKey, (usize, &'static str)>,
    /// The keys that may sign a reveal, by the name that a signature gives its key.
    revealers_by_name: BTreeMap<String, Vec<PublicKey>>,
    /// The verified reveals, each with its line.
    reveals: Vec<(usize, EpochReveal)>,
    /// The closes of epochs that count.
    closes: Vec<CountedClose>,
    /// The records of the file that good proofs show to be in a public log.
    logged: LoggedRecords,
    /// The copies of public logs, held against the file.
    log_ends: LogEnds,
    effort: AuditEffort<'a>,
}

impl AuditContext<'_> {
    /// Returns the hash of the manifest that first lists an epoch, if it is certainly in the file.
    ///
    /// It is if the file begins with manifest 1, or with a manifest that does not list the epoch.
    fn announcement(&self, epoch: u32) -> Option<Hash> {
        let lists = |(_, signed): &(usize, SignedManifest)| signed.manifest.epoch(epoch).is_some();
        let place = self.manifests.iter().position(lists)?;
        let (_, signed) = &self.manifests[place];
        (place > 0 || signed.manifest.seq == 1).then_some(signed.hash)
    }

    /// Returns the manifests whose keys may sign a reveal or a close of an epoch: those that list
    /// it. If none lists the epoch, the record counts for nothing, and a key of any manifest may
    /// have signed it.
    fn that_list(&self, epoch: u32) -> impl Iterator<Item = &Manifest> {
        let all = || self.manifests.iter().map(|(_, signed)| &signed.manifest);
        let is_listed = all().any(|manifest| manifest.epoch(epoch).is_some());
        all().filter(move |manifest| !is_listed || manifest.epoch(epoch).is_some())
    }

    /// Returns the keys that may sign a reveal or a close of an epoch.
    ///
    /// These are the trusted root keys, and the root and receipt keys of the manifests that list
    /// the epoch.
    fn revealers(&self, epoch: u32) -> BTreeSet<PublicKey> {
        let mut keys: BTreeSet<PublicKey> = self.terms.root.keys.iter().copied().collect();
        for manifest in self.that_list(epoch) {
            keys.extend(&manifest.root.keys);
            keys.extend(self.standing(manifest.receipt_public_keys()));
        }
        keys
    }

    /// Whether a key is one of the [`AuditContext::revealers`] of an epoch.
    fn may_reveal(&self, epoch: u32, key: &PublicKey) -> bool {
        let lists_key = |manifest: &Manifest| {
            manifest.root.keys.contains(key)
                || !self.revoked.contains(key) && manifest.receipt_public_keys().contains(key)
        };
        self.terms.root.keys.contains(key) || self.that_list(epoch).any(lists_key)
    }

    /// Returns the keys that may have signed a record of an epoch, beginning with those that a
    /// signature names. The name is only a hint. It is usually right, and then no other key is
    /// tried.
    fn revealers_of<'e>(
        &'e self,
        epoch: u32,
        envelope: &'e RecordEnvelope,
        others: &'e OnceCell<BTreeSet<PublicKey>>,
    ) -> impl Iterator<Item = &'e PublicKey> + Clone {
        let names = envelope.signatures().iter().map(|signature| &*signature.keyid);
        let named = names.filter_map(|name| self.revealers_by_name.get(name)).flatten();
        let named = named.filter(move |key| self.may_reveal(epoch, key));
        let others =
            iter::once(others).flat_map(move |others| others.get_or_init(|| self.revealers(epoch)));
        named.chain(others)
    }

    /// Returns those of `keys` that no manifest of the file revokes. A signature by a revoked key
    /// counts only with a proof that this release does not know.
    fn standing(&self, mut keys: Vec<PublicKey>) -> Vec<PublicKey> {
        keys.retain(|key| !self.revoked.contains(key));
        keys
    }
}

/// Audits a transcript.
///
/// Only the roots and keys in `terms` are trusted. Rulesets and house ways are found in `catalogue`
/// by their content hash.
///
/// # Panics
///
/// Never: the budget is unlimited, and the caller never cancels the audit.
///
/// # Examples
///
/// ```
/// use paigow_fairness::manifest::Root;
/// use paigow_round::Catalogue;
/// use paigow_round::audit::{AuditTerms, AuditVerdict, VerdictReason, audit};
///
/// let terms = AuditTerms::of(Root { keys: Vec::new(), threshold: 1 });
/// let report = audit(b"not a transcript", &terms, &Catalogue::shipped());
/// assert_eq!(report.verdict(), AuditVerdict::Incomplete);
/// assert_eq!(report.reason, VerdictReason::NoTranscript);
/// // No check failed: every check was skipped.
/// assert_eq!(report.code(), None);
/// ```
#[must_use]
pub fn audit(text: &[u8], terms: &AuditTerms, catalogue: &Catalogue) -> AuditReport {
    audit_within(AuditBudget::UNLIMITED, &|| true, text, terms, catalogue)
        .expect("nobody gives it up")
}

/// Audits a transcript within a budget, as long as `is_wanted` returns true. It is called before
/// every verification.
///
/// # Errors
///
/// Returns [`UnfinishedAudit`] if the audit takes more work, or is not wanted any more. The budget
/// decides by the input alone.
///
/// # Examples
///
/// ```
/// use paigow_fairness::manifest::Root;
/// use paigow_round::Catalogue;
/// use paigow_round::audit::{AuditBudget, AuditTerms, UnfinishedAudit, audit_within};
///
/// let terms = AuditTerms::of(Root { keys: Vec::new(), threshold: 1 });
/// let budget = AuditBudget { verifications: 10_000, rounds: 100 };
/// let text = br#"{"payload":"","payloadType":"","signatures":[]}"#;
/// let report = audit_within(budget, &|| true, text, &terms, &Catalogue::shipped())?;
/// println!("{}: {}", report.verdict().name(), report.because());
/// # Ok::<(), UnfinishedAudit>(())
/// ```
pub fn audit_within(
    budget: AuditBudget,
    is_wanted: &(dyn Fn() -> bool + Sync),
    text: &[u8],
    terms: &AuditTerms,
    catalogue: &Catalogue,
) -> Result<AuditReport, UnfinishedAudit> {
    let mut findings = Findings::default();
    let file = match file::read(text) {
        Ok(file) => {
            findings.note(CheckCode::Format, Finding::Passed);
            file
        }
        Err(failed) => return Ok(refused(findings, failed)),
    };
    let effort = AuditEffort::new(is_wanted, budget);
    effort.check(file.rounds.len())?;
    let context = context(effort, &file, terms, catalogue, &mut findings);
    let go_on = || context.effort.check(file.rounds.len());
    go_on()?;
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
        go_on()?;
        order::run(round, &others, &mut |code, finding| findings.note_in(i, code, finding));
    }
    let finding = forks::check(&rounds).unless_failed(|| closes::fork(&context.closes));
    findings.note(CheckCode::NoFork, finding);
    go_on()?;
    Ok(report(findings, rounds, terms))
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

/// Reads manifests and reveals, and verifies the chain. If the effort is used up, the result and
/// the notes are of no use.
fn context<'a>(
    effort: AuditEffort<'a>,
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
        // Without its commitment all checks of an epoch would be skipped, and no report would say
        // so.
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
    let mut proofs = Vec::new();
    for line in &file.log_proofs {
        let parses = line.envelope.json().map_err(PayloadError::from).and_then(LogProof::parse);
        let found = parses.as_ref().map(|_| ()).map_err(Clone::clone);
        findings.note(CheckCode::Canonical, canonical(line, found));
        proofs.extend(parses.ok().map(|proof| (line, proof)));
    }
    let envelopes: Vec<RecordEnvelope> =
        file.manifests.iter().map(|m| m.envelope.clone()).collect();
    let mut context = AuditContext {
        catalogue,
        terms,
        manifests: Vec::new(),
        revoked: BTreeSet::new(),
        roles: BTreeMap::new(),
        revealers_by_name: BTreeMap::new(),
        reveals: Vec::new(),
        closes: Vec::new(),
        logged: LoggedRecords::default(),
        log_ends: LogEnds::default(),
        effort,
    };
    if !all_canonical || envelopes.is_empty() {
        let why = if all_canonical { "no manifest in the file" } else { "not canonical" };
        findings.note(CheckCode::ManifestSig, Finding::skipped(why));
        findings.note(CheckCode::ManifestRules, Finding::skipped(why));
        return context;
    }
    let may_verify = &mut |count| context.effort.may_verify(count);
    match verify_chain_while(may_verify, &terms.root, &envelopes) {
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
    let manifests = context.manifests.iter().map(|(_, signed)| &signed.manifest);
    let signers = |one: &Manifest| [one.root.keys.clone(), one.receipt_public_keys()].concat();
    for key in manifests.flat_map(signers).collect::<BTreeSet<_>>() {
        let named = context.revealers_by_name.entry(key.kid()).or_default();
        named.push(key);
    }
    let is_over = |context: &AuditContext<'_>| context.effort.check(file.rounds.len()).is_err();
    for (line, reveal) in reveals {
        if is_over(&context) {
            return context;
        }
        let others = OnceCell::new();
        let keys = context.revealers_of(reveal.epoch, &line.envelope, &others);
        let keys = context.effort.tried(keys);
        if !line.envelope.is_signed() || !line.envelope.all_verify(keys) {
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
    for (line, close) in closes {
        if is_over(&context) {
            return context;
        }
        let counted = closes::counted(&context, line, close, findings);
        context.closes.extend(counted);
    }
    context.logged = logged::judged(&context, file, &proofs, findings);
    context.log_ends = log_end::ends(&context, file);
    findings.note(CheckCode::ManifestRules, manifest_rules(&context));
    context
}

/// `MANIFEST_RULES`: a server would load the chain. A failure refuses no record.
///
/// Skipped if the file begins with a later manifest than the first, unless the caller named it. The
/// earlier manifests are not known then.
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
    // The file waits for the secret, not a single round.
    let round = round.filter(|_| matches!(reason, VerdictReason::NotRecomputed(_)));
    let rounds = rounds
        .into_iter()
        .zip(told)
        .filter_map(|(round, (reason, checks, claims))| round.into_report(reason, checks, claims));
    let rounds = rounds.collect();
    AuditReport { reason, round, checks, claims, rounds }
}
