//! `Audit`: everything recomputed from a transcript by who trusts only the root keys.
//!
//! No key ring, no secret, no clock: this module and what it imports cannot name the key
//! ring's type, and a test keeps it so (D20).

mod epochs;
mod file;
mod forks;
mod links;
mod outcome;
mod replay;
mod report;
mod round;

pub use replay::{ReplayRequest, ReplaySeed, replay};
pub use report::{Check, Code, Ending, Replayed, Report, RoundReport, Status, Verdict};

use std::collections::BTreeSet;

use self::file::{File, Line};
use self::report::{Finding, Findings};
use self::round::RoundAudit;
use super::Catalogue;
use super::record::EpochReveal;
use crate::fairness::manifest::{Manifest, Root, SignedManifest, verify_chain};
use crate::fairness::payload::PayloadError;
use crate::fairness::record::Envelope;

/// What every round of a file is held against.
struct Context<'a> {
    catalogue: &'a Catalogue,
    manifests: Vec<SignedManifest>,
    reveals: Vec<(usize, EpochReveal)>,
}

/// Audits a transcript.
///
/// `root` is the only thing trusted; rulesets and house ways are found in `catalogue` by
/// their content hash. A transcript of nothing is incomplete.
#[must_use]
pub fn audit(text: &[u8], root: &Root, catalogue: &Catalogue) -> Report {
    let mut findings = Findings::default();
    let file = match file::read(text) {
        Ok(file) => {
            findings.note(Code::Format, None, Finding::Passed);
            file
        }
        Err(failed) => {
            findings.note(Code::Format, None, failed);
            for code in &Code::ALL[1..] {
                findings.note(*code, None, Finding::skipped("the file was refused by FORMAT"));
            }
            return report(findings, Vec::new());
        }
    };
    let mut refused = BTreeSet::new();
    let context = context(&file, root, catalogue, &mut findings, &mut refused);
    let mut rounds: Vec<RoundAudit<'_>> =
        file.rounds.iter().map(|lines| RoundAudit::new(lines, &context, &refused)).collect();
    for i in 0..rounds.len() {
        let (before, rest) = rounds.split_at_mut(i);
        if let Some(round) = rest.first_mut() {
            round.run(before, &mut |code, finding| findings.note(code, Some(i), finding));
        }
    }
    findings.note(Code::NoFork, None, forks::check(&rounds));
    let rounds = rounds.into_iter().filter_map(RoundAudit::into_report).collect();
    report(findings, rounds)
}

/// Reads manifests and reveals, and verifies the chain.
fn context<'a>(
    file: &File,
    root: &Root,
    catalogue: &'a Catalogue,
    findings: &mut Findings,
    refused: &mut BTreeSet<usize>,
) -> Context<'a> {
    let canonical = |line: &Line, parses: Result<(), PayloadError>| match parses {
        Ok(()) => Finding::Passed,
        Err(error) => Finding::failed(line.number, "a canonical payload", error.to_string()),
    };
    let mut all_canonical = true;
    for line in &file.manifests {
        let parses = line.envelope.json().map_err(PayloadError::from).and_then(Manifest::parse);
        all_canonical &= parses.is_ok();
        findings.note(Code::Canonical, None, canonical(line, parses.map(|_| ())));
    }
    let mut reveals = Vec::new();
    for line in &file.reveals {
        let parses = line.envelope.json().map_err(PayloadError::from).and_then(EpochReveal::parse);
        findings.note(
            Code::Canonical,
            None,
            canonical(line, parses.as_ref().map(|_| ()).map_err(Clone::clone)),
        );
        match parses {
            Ok(reveal) => reveals.push((line, reveal)),
            Err(_) => {
                refused.insert(line.number);
            }
        }
    }
    let envelopes: Vec<Envelope> = file.manifests.iter().map(|m| m.envelope.clone()).collect();
    let manifests = if !all_canonical {
        findings.note(Code::ManifestSig, None, Finding::skipped("a manifest is not canonical"));
        Vec::new()
    } else if envelopes.is_empty() {
        findings.note(Code::ManifestSig, None, Finding::skipped("no manifest in the file"));
        Vec::new()
    } else {
        match verify_chain(root, &envelopes) {
            Ok(manifests) => {
                findings.note(Code::ManifestSig, None, Finding::Passed);
                manifests
            }
            Err(fault) => {
                let line = file.manifests.get(fault.index).map_or(1, |line| line.number);
                let expected = "a chain of manifests signed by the trusted root";
                findings.note(Code::ManifestSig, None, Finding::failed(line, expected, fault.what));
                Vec::new()
            }
        }
    };
    // A reveal is signed by the engine or the root.
    let mut keys = root.keys.clone();
    keys.extend(manifests.iter().flat_map(|signed| signed.manifest.receipt_public_keys()));
    let mut verified = Vec::new();
    for (line, reveal) in reveals {
        if manifests.is_empty() {
            continue;
        }
        if line.envelope.is_signed() && line.envelope.all_verify(&keys) {
            verified.push((line.number, reveal));
        } else {
            let expected = "a signature by a receipt key or a root key";
            let finding = Finding::failed(line.number, expected, "another, or none");
            findings.note(Code::Signatures, None, finding);
        }
    }
    Context { catalogue, manifests, reveals: verified }
}

fn report(findings: Findings, rounds: Vec<RoundReport>) -> Report {
    let checks = findings.into_checks();
    let failed = checks.iter().any(|check| check.status == Status::Failed);
    let results = checks.iter().find(|check| check.code == Code::Results);
    let complete = !rounds.is_empty()
        && rounds.iter().all(|round| round.ending.is_some())
        && results.is_some_and(|check| check.status == Status::Passed);
    let verdict = match (failed, complete) {
        (true, _) => Verdict::Mismatch,
        (false, true) => Verdict::Match,
        (false, false) => Verdict::Incomplete,
    };
    Report { verdict, checks, rounds }
}
