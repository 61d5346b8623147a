//! One round that a program in Python made, under audit; and the example of hashes.
#![allow(clippy::unwrap_used)]

use paigow_fairness::manifest::Root;
use paigow_fairness::signature::PublicKey;
use paigow_round::Catalogue;
use paigow_round::audit::{AuditReport, AuditTerms, AuditVerdict, CheckCode, CheckStatus, audit};
use serde_json::Value;

/// The first case of the kit's records: its lines, and the keys of its root and its witness.
fn example() -> (Vec<String>, [String; 2]) {
    let kit = include_str!("../../verifiers/conformance/records.jsonl");
    let case: Value = serde_json::from_str(kit.lines().next().unwrap()).unwrap();
    let lines = case["input"]["transcript"].as_array().unwrap().iter();
    let lines = lines.map(|line| format!("{}\n", line.as_str().unwrap())).collect();
    let key = |list: &str| case["input"][list][0].as_str().unwrap().to_owned();
    (lines, [key("root_keys"), key("witnesses")])
}

fn audited(text: &str, root: &str, witness: &str) -> AuditReport {
    let key = |text: &str| PublicKey::from_hex(text).unwrap();
    let root = Root { keys: vec![key(root)], threshold: 1 };
    let terms = AuditTerms { witnesses: [key(witness)].into(), ..AuditTerms::of(root) };
    audit(text.as_bytes(), &terms, &Catalogue::shipped())
}

#[test]
fn the_example_passes_every_check() {
    let (lines, [root, witness]) = example();
    let report = audited(&lines.concat(), &root, &witness);
    for check in &report.checks {
        // It pins no tables, nobody names a seat, it has no close of the epoch, no beacon and no log, and its
        // suite has no proofs of seeds.
        let is_open = matches!(
            check.code,
            CheckCode::PlaceListed
                | CheckCode::PlaceNotChosen
                | CheckCode::EpochClose
                | CheckCode::SeedProof
                | CheckCode::Beacon
                | CheckCode::Logged
                | CheckCode::LockedBeforeBeacon
        );
        let expected = if is_open { CheckStatus::Skipped } else { CheckStatus::Passed };
        assert_eq!(check.status, expected, "{check:?}");
    }
    assert_eq!(report.verdict(), AuditVerdict::Match);
    assert_eq!(report.checks.len(), 31);
}

#[test]
fn another_root_is_not_trusted() {
    let (lines, [_, witness]) = example();
    let other = "2b82cff2bc9c9698eb005106a2584dc6811a72e5b709441cef673fa7c8289f1b";
    let report = audited(&lines.concat(), other, &witness);
    assert_eq!(report.code(), Some(CheckCode::ManifestSig));
    assert_eq!(report.verdict(), AuditVerdict::Mismatch);
}

#[test]
fn every_line_left_out_is_noticed_for_what_it_is() {
    let (lines, [root, witness]) = example();
    let expected = [
        ("announcement", AuditVerdict::Match, None),
        ("manifest", AuditVerdict::Mismatch, Some(CheckCode::ManifestLink)),
        ("ticket", AuditVerdict::Mismatch, Some(CheckCode::Format)),
        ("lock of the wagers", AuditVerdict::Mismatch, Some(CheckCode::Chain)),
        ("deal", AuditVerdict::Mismatch, Some(CheckCode::Format)),
        ("action of seat 1", AuditVerdict::Mismatch, Some(CheckCode::LockCoversActions)),
        ("action of seat 2", AuditVerdict::Mismatch, Some(CheckCode::LockCoversActions)),
        ("final lock", AuditVerdict::Mismatch, Some(CheckCode::Chain)),
        ("settle", AuditVerdict::Incomplete, None),
        ("reveal", AuditVerdict::Pending, None),
    ];
    assert_eq!(lines.len(), expected.len());
    for (left_out, (what, verdict, code)) in expected.into_iter().enumerate() {
        let mut rest = lines.clone();
        rest.remove(left_out);
        let report = audited(&rest.concat(), &root, &witness);
        assert_eq!((report.verdict(), report.code()), (verdict, code), "{what}");
        // A part that was left out never counts as checked.
        let passed = |code| {
            let check = report.checks.iter().find(|check| check.code == code).unwrap();
            check.status == CheckStatus::Passed
        };
        let unchecked: &[CheckCode] = match what {
            "announcement" => &[CheckCode::ManifestRules, CheckCode::SaltAfterCommit],
            "settle" => &[CheckCode::Commit],
            "reveal" => &[CheckCode::EpochCommit, CheckCode::SeedWasNotChosen],
            _ => &[],
        };
        for code in unchecked {
            assert!(!passed(*code), "{what}: {code:?}");
        }
    }
}

#[test]
fn the_example_of_hashes_and_signatures_is_no_transcript_of_a_round() {
    // It was made before the members of records were fixed: its manifest names no root and no
    // house ways, its ticket no policy.
    let example = include_str!("../vectors/transcript-example.jsonl");
    let key = "c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f";
    let report = audited(example, key, key);
    assert_eq!(report.code(), Some(CheckCode::Canonical));
    assert_eq!(report.verdict(), AuditVerdict::Mismatch);
}
