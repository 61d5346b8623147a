//! The published example transcript under audit.
#![allow(clippy::unwrap_used)]

use paigow::engine::Catalogue;
use paigow::engine::audit::{Code, Status, Verdict, audit};
use paigow::fairness::manifest::Root;
use paigow::fairness::signature::PublicKey;

const EXAMPLE: &[u8] = include_bytes!("vectors/transcript-example.jsonl");
const ROOT: &str = "c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f";

fn root(key: &str) -> Root {
    Root { keys: vec![PublicKey::from_hex(key).unwrap()], threshold: 1 }
}

#[test]
fn the_example_verifies_as_far_as_it_goes() {
    // Its README: no rules behind its ruleset, so RESULTS is skipped; its one manifest both
    // announces and completes the epoch, so SALT_AFTER_COMMIT is skipped.
    let report = audit(EXAMPLE, &root(ROOT), &Catalogue::shipped());
    for check in &report.checks {
        let skipped = matches!(check.code, Code::Results | Code::SaltAfterCommit);
        let expected = if skipped { Status::Skipped } else { Status::Passed };
        assert_eq!(check.status, expected, "{check:?}");
    }
    assert_eq!(report.verdict, Verdict::Incomplete);
    assert_eq!(report.checks.len(), 21);
}

#[test]
fn another_root_is_not_trusted() {
    let other = "2b82cff2bc9c9698eb005106a2584dc6811a72e5b709441cef673fa7c8289f1b";
    let report = audit(EXAMPLE, &root(other), &Catalogue::shipped());
    assert_eq!(report.code(), Some(Code::ManifestSig));
    assert_eq!(report.verdict, Verdict::Mismatch);
}

#[test]
fn every_line_left_out_or_changed_is_noticed() {
    let lines: Vec<&[u8]> = EXAMPLE.split_inclusive(|b| *b == b'\n').collect();
    let full = audit(EXAMPLE, &root(ROOT), &Catalogue::shipped());
    for left_out in 0..lines.len() {
        let rest: Vec<&[u8]> =
            lines.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, l)| *l).collect();
        let report = audit(&rest.concat(), &root(ROOT), &Catalogue::shipped());
        assert_ne!(report.checks, full.checks, "line {}", left_out + 1);
    }
}
