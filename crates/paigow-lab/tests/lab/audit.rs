//! `paigow-lab audit` over a round that a Python program made, and over files that are not
//! transcripts.

use serde_json::Value;

use crate::binary::{run, text};

/// The key of the root in the kit's first case of `records.jsonl`.
const ROOT: &str = "02514f162b87a34a500d2909fcae30f75225f103fca3f46965b37b8a183c71a9";
/// The key of the witness there.
const WITNESS: &str = "3230b6258d4b5e11f7504cecaf2bbb6d60c0da00d31d60c94f245ad61135ff89";
/// The receipt key there: a good key that is no root.
const OTHER: &str = "eb31575d77fea8be70917425023faa8826d79727bed7e67171fd9047ffea5d9e";
/// An existing file that is neither a transcript nor a ruleset.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../README.md");

/// The lines of the kit's first case of `records.jsonl`: one round of two seats, and the reveal.
fn example() -> Vec<String> {
    let kit = include_str!("../../../../verifiers/conformance/records.jsonl");
    let case: Value = serde_json::from_str(kit.lines().next().unwrap()).unwrap();
    let lines = case["input"]["transcript"].as_array().unwrap().iter();
    lines.map(|line| format!("{}\n", line.as_str().unwrap())).collect()
}

#[test]
fn a_whole_round_passes_every_check() {
    let trusted = ["audit", "-", "--root", ROOT, "--witness", WITNESS];
    let output = run(&trusted, example().concat().as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let text = text(&output);
    let mut checks = 0;
    for line in text.lines().skip_while(|line| !line.starts_with("check")).skip(1).take(31) {
        // No tables are pinned and no seat is named. The file has no close of the epoch, and the
        // suite has no proofs of seeds.
        let open = ["PLACE_", "EPOCH_CLOSE", "SEED_PROOF", "BEACON", "LOGGED", "LOCKED_BEFORE_"];
        let is_open = open.iter().any(|start| line.starts_with(start));
        let expected = if is_open { "skipped" } else { "passed" };
        assert_eq!(line.split_whitespace().nth(1), Some(expected), "{line}");
        checks += 1;
    }
    assert_eq!(checks, 31);
    assert!(text.contains("verdict: match"), "{text}");
}

#[test]
fn a_round_without_its_close_is_incomplete() {
    let mut lines = example();
    lines.truncate(lines.len() - 2);
    let output = run(&["audit", "-", "--root", ROOT, "--json"], lines.concat().as_bytes());
    assert_eq!(output.status.code(), Some(2));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], "VERDICT_INCOMPLETE");
}

#[test]
fn json_says_what_the_table_says() {
    let output = run(&["audit", "-", "--root", ROOT, "--json"], example().concat().as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], "VERDICT_MATCH");
    assert_eq!(answer["checks"].as_array().unwrap().len(), 31);
    assert_eq!(answer["checks"][0]["code"], "FORMAT");
    assert_eq!(answer["checks"][0]["status"], "CHECK_STATUS_PASSED");
    assert_eq!(answer["rounds"][0]["table"], "T1");
    assert_eq!(answer["rounds"][0]["deck"].as_array().unwrap().len(), 53);
    assert_eq!(answer["rootKeys"], serde_json::json!([ROOT]));
}

#[test]
fn a_root_that_did_not_sign_is_a_mismatch() {
    for arguments in [
        &["--root", OTHER][..],
        // One of two keys has signed. The same key twice counts as one.
        &["--root", ROOT, "--root", OTHER, "--threshold", "2"],
    ] {
        let output = run(&[&["audit", "-"], arguments].concat(), example().concat().as_bytes());
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains("verdict: mismatch: MANIFEST_SIG failed first"));
    }
}

#[test]
fn a_file_that_is_no_transcript_accuses_nobody_and_one_with_a_torn_line_does() {
    let output = run(&["audit", "-", "--root", ROOT], b"no transcript\n");
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("verdict: incomplete: this is not a transcript"));
    let torn = example().concat() + "no record\n";
    let output = run(&["audit", "-", "--root", ROOT], torn.as_bytes());
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("verdict: mismatch: FORMAT failed first"));
    for (arguments, code) in [
        (&["audit", "nowhere.jsonl", "--root", ROOT][..], 66),
        (&["audit", FILE], 64),
        (&["audit", FILE, "--root", "abc"], 64),
        (&["audit", FILE, "--root", ROOT, "--threshold", "2"], 64),
        (&["audit", FILE, "--root", ROOT, "--root", ROOT, "--threshold", "2"], 64),
        (&["audit", FILE, "--root", ROOT, "--ruleset", FILE], 65),
        (&["audit", FILE, "--root", ROOT, "--witness", "abc"], 64),
        (&["audit", FILE, "--root", ROOT, "--manifest", "abc"], 64),
        (&["audit", FILE, "--root", ROOT, "--after", ROOT], 64),
        (&["audit", FILE, "--root", ROOT, "--as-of", "yesterday"], 64),
        (&["audit", FILE, "--root", ROOT, "--as-of", "2026-11-25T00:00:00+01:00"], 64),
        (&["audit", FILE, "--root", ROOT, "--my-seat", "8"], 64),
        (&["audit", FILE, "--root", ROOT, "--my-seat", "1=abc"], 64),
        (&["audit", FILE, "--root", ROOT, "--require", "everything"], 64),
        (&["audit"], 64),
        (&["--no-such-option"], 64),
        (&["--help"], 0),
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}

/// The round of the example, without its reveal, under the arguments given; its exit status.
fn unrevealed(arguments: &[&str]) -> (Option<i32>, String) {
    let mut lines = example();
    lines.pop();
    let all = [&["audit", "-", "--root", ROOT], arguments].concat();
    let output = run(&all, lines.concat().as_bytes());
    (output.status.code(), text(&output))
}

#[test]
fn a_secret_is_awaited_until_it_is_due_and_then_missing() {
    // The epoch of the kit settles until second 1,901,000,000.
    let (code, told) = unrevealed(&["--as-of", "2030-03-29T07:33:20Z"]);
    assert_eq!(code, Some(3), "{told}");
    let pending = "verdict: pending: everything computable agrees; \
                   the secret of epoch 1 is due after 2030-03-29";
    assert!(told.ends_with(&format!("{pending}\n")), "{told}");
    let (code, told) = unrevealed(&["--as-of", "2030-03-29T07:33:21Z"]);
    assert_eq!(code, Some(2), "{told}");
    let overdue = "verdict: incomplete: \
                   the secret of epoch 1 was due on 2030-03-29 and is not in this file";
    assert!(told.ends_with(&format!("{overdue}\n")), "{told}");
}

#[test]
fn a_required_claim_decides_the_exit_status_with_the_verdict() {
    let early = ["--as-of", "2026-11-25T00:00:00Z"];
    let shown = ["--require", "outcome_recomputed"];
    let pending = ["--require", "seed_not_chosen"];
    let not_shown = ["--require", "salt_independent"];
    for (required, code) in [(&shown[..], 3), (&pending, 3), (&not_shown, 2)] {
        assert_eq!(unrevealed(&[&early, required].concat()).0, Some(code), "{required:?}");
    }
    let whole = |arguments: &[&str]| {
        let all = [&["audit", "-", "--root", ROOT], arguments].concat();
        run(&all, example().concat().as_bytes()).status.code()
    };
    assert_eq!(whole(&[&shown[..], &pending].concat()), Some(0));
    assert_eq!(whole(&not_shown), Some(2));
    assert_eq!(whole(&[&not_shown[..], &["--witness", WITNESS]].concat()), Some(0));
    assert_eq!(whole(&[&not_shown[..], &["--witness", OTHER]].concat()), Some(2));
}

#[test]
fn a_root_file_names_witnesses_that_count_as_those_of_the_arguments() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("root.json");
    let audited = |witnesses: &str, arguments: &[&str]| {
        let root = format!("{{\"keys\":[\"{ROOT}\"],\"threshold\":1{witnesses}}}");
        std::fs::write(&path, root).unwrap();
        let file = path.to_str().unwrap();
        let require = ["--require", "salt_independent"];
        let all = [&["audit", "-", "--root", file], &require[..], arguments].concat();
        run(&all, example().concat().as_bytes()).status.code()
    };
    let named = |key: &str| format!(",\"witnesses\":[\"{key}\"]");
    assert_eq!(audited(&named(WITNESS), &[]), Some(0));
    assert_eq!(audited(&named(OTHER), &[]), Some(2));
    assert_eq!(audited(&named(OTHER), &["--witness", WITNESS]), Some(0));
    assert_eq!(audited("", &[]), Some(2));
    for bad in [",\"witnesses\":[\"abc\"]", ",\"witnesses\":1", ",\"witness\":[]"] {
        assert_eq!(audited(bad, &[]), Some(65), "{bad}");
    }
}
