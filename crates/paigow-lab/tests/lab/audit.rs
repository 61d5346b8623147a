//! `paigow-lab audit` over a round that a program in Python made, and over what is no transcript.

use serde_json::Value;

use crate::binary::{run, text};

/// The key of the root in the kit's first case of `records.jsonl`.
const ROOT: &str = "02514f162b87a34a500d2909fcae30f75225f103fca3f46965b37b8a183c71a9";
/// The receipt key there: a good key that is no root.
const OTHER: &str = "eb31575d77fea8be70917425023faa8826d79727bed7e67171fd9047ffea5d9e";
/// A file that is there and is neither a transcript nor a ruleset.
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
    let output = run(&["audit", "-", "--root", ROOT], example().concat().as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let text = text(&output);
    let mut checks = 0;
    for line in text.lines().skip_while(|line| !line.starts_with("check")).skip(1).take(22) {
        assert_eq!(line.split_whitespace().nth(1), Some("passed"), "{line}");
        checks += 1;
    }
    assert_eq!(checks, 22);
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
    assert_eq!(answer["checks"].as_array().unwrap().len(), 22);
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
        // One of two has signed, and the same key twice is one key.
        &["--root", ROOT, "--root", OTHER, "--threshold", "2"],
    ] {
        let output = run(&[&["audit", "-"], arguments].concat(), example().concat().as_bytes());
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output).contains("verdict: mismatch: MANIFEST_SIG failed first"));
    }
}

#[test]
fn what_is_no_transcript_is_a_mismatch_and_what_is_no_file_is_not() {
    let output = run(&["audit", "-", "--root", ROOT], b"no transcript\n");
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output).contains("verdict: mismatch: FORMAT failed first"));
    for (arguments, code) in [
        (&["audit", "nowhere.jsonl", "--root", ROOT][..], 66),
        (&["audit", FILE], 64),
        (&["audit", FILE, "--root", "abc"], 64),
        (&["audit", FILE, "--root", ROOT, "--threshold", "2"], 64),
        (&["audit", FILE, "--root", ROOT, "--root", ROOT, "--threshold", "2"], 64),
        (&["audit", FILE, "--root", ROOT, "--ruleset", FILE], 65),
        (&["audit"], 64),
        (&["--no-such-option"], 64),
        (&["--help"], 0),
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}
