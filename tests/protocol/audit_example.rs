//! The published example transcript under audit.
#![allow(clippy::unwrap_used)]

use paigow_fairness::json::{Json, WriteJson as _};
use paigow_fairness::manifest::Root;
use paigow_fairness::signature::PublicKey;
use paigow_fairness::ticket::Ticket;
use paigow_fairness::transcript;
use paigow_round::Catalogue;
use paigow_round::audit::{AuditVerdict, CheckCode, CheckStatus, audit};
use paigow_round::published_example::{self, complete};
use paigow_round::record::{DealRecord, Lock, SettleRecord};

const EXAMPLE: &[u8] =
    include_bytes!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/transcript-example.jsonl"));
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
        let skipped = matches!(check.code, CheckCode::Results | CheckCode::SaltAfterCommit);
        let expected = if skipped { CheckStatus::Skipped } else { CheckStatus::Passed };
        assert_eq!(check.status, expected, "{check:?}");
    }
    assert_eq!(report.verdict, AuditVerdict::Incomplete);
    assert_eq!(report.checks.len(), 21);
}

#[test]
fn the_records_of_the_example_are_written_back_but_for_the_members_that_were_added() {
    let records = transcript::parse(EXAMPLE).unwrap();
    let whole = |i: usize| complete(records[i].kind(), records[i].json().unwrap());
    let manifest = published_example::manifest(records[0].json().unwrap(), &root(ROOT)).unwrap();
    let written = [
        (0, manifest.to_json(), &["house_ways", "root"][..]),
        (1, Ticket::parse(whole(1)).unwrap().to_json(), &["policy"]),
        (3, DealRecord::parse(whole(3)).unwrap().to_json(), &["fees"]),
        (7, SettleRecord::parse(whole(7)).unwrap().to_json(), &["results"]),
    ];
    for (i, json, added) in written {
        let Json::Obj(mut members) = json else { panic!("no object") };
        for member in added {
            assert!(members.remove(member).is_some(), "{member}");
        }
        assert_eq!(Json::Obj(members).to_bytes(), records[i].payload(), "line {}", i + 1);
    }
    let Lock::Wagers(lock) = Lock::parse(whole(2)).unwrap() else { panic!("not wagers") };
    let Json::Obj(mut members) = lock.to_json() else { panic!("no object") };
    assert!(members.remove("currency").is_some() && members.remove("facts").is_some());
    assert_eq!(Json::Obj(members).to_bytes(), records[2].payload());
}

#[test]
fn another_root_is_not_trusted() {
    let other = "2b82cff2bc9c9698eb005106a2584dc6811a72e5b709441cef673fa7c8289f1b";
    let report = audit(EXAMPLE, &root(other), &Catalogue::shipped());
    assert_eq!(report.code(), Some(CheckCode::ManifestSig));
    assert_eq!(report.verdict, AuditVerdict::Mismatch);
}

#[test]
fn every_line_left_out_is_noticed_for_what_it_is() {
    let lines: Vec<&[u8]> = EXAMPLE.split_inclusive(|b| *b == b'\n').collect();
    let expected = [
        ("manifest", AuditVerdict::Incomplete, None),
        ("ticket", AuditVerdict::Mismatch, Some(CheckCode::Format)),
        ("lock of the wagers", AuditVerdict::Mismatch, Some(CheckCode::Chain)),
        ("deal", AuditVerdict::Mismatch, Some(CheckCode::Format)),
        ("action of seat 1", AuditVerdict::Mismatch, Some(CheckCode::LockCoversActions)),
        ("action of seat 2", AuditVerdict::Mismatch, Some(CheckCode::LockCoversActions)),
        ("final lock", AuditVerdict::Mismatch, Some(CheckCode::Chain)),
        ("settle", AuditVerdict::Incomplete, None),
        ("reveal", AuditVerdict::Incomplete, None),
    ];
    assert_eq!(lines.len(), expected.len());
    for (left_out, (what, verdict, code)) in expected.into_iter().enumerate() {
        let rest: Vec<&[u8]> =
            lines.iter().enumerate().filter(|(i, _)| *i != left_out).map(|(_, l)| *l).collect();
        let report = audit(&rest.concat(), &root(ROOT), &Catalogue::shipped());
        assert_eq!((report.verdict, report.code()), (verdict, code), "{what}");
        // What is left out alone is never taken as checked.
        let passed = |code| {
            let check = report.checks.iter().find(|check| check.code == code).unwrap();
            check.status == CheckStatus::Passed
        };
        match what {
            "manifest" => {
                assert!(!passed(CheckCode::ManifestSig) && !passed(CheckCode::Signatures))
            }
            "settle" => assert!(!passed(CheckCode::Commit) && !passed(CheckCode::Replay)),
            "reveal" => {
                assert!(!passed(CheckCode::EpochCommit) && !passed(CheckCode::SeedWasNotChosen))
            }
            _ => {}
        }
    }
}
