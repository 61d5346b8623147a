//! `paigow-lab audit` over the published example, and over what is none.

use serde_json::Value;

use crate::binary::{run, text};

const EXAMPLE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/transcript-example.jsonl");
const ROOT: &str = "c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f";
/// The receipt key of the vectors: a good key that is no root.
const OTHER: &str = "2b82cff2bc9c9698eb005106a2584dc6811a72e5b709441cef673fa7c8289f1b";

#[test]
fn the_published_example_is_incomplete_for_want_of_rules_and_of_a_second_manifest() {
    let output = run(&["audit", EXAMPLE, "--root", ROOT], b"");
    assert_eq!(output.status.code(), Some(2));
    let text = text(&output);
    for line in text.lines().skip_while(|line| !line.starts_with("check")).skip(1).take(21) {
        let mut words = line.split_whitespace();
        let (code, status) = (words.next().unwrap(), words.next().unwrap());
        // tests/vectors: "that check is skipped" is said of these two.
        let skipped = ["RESULTS", "SALT_AFTER_COMMIT"].contains(&code);
        assert_eq!(status, if skipped { "skipped" } else { "passed" }, "{line}");
    }
    assert!(text.contains("verdict: incomplete"), "{text}");
}

#[test]
fn standard_input_and_json_say_the_same() {
    let input = std::fs::read(EXAMPLE).unwrap();
    let output = run(&["audit", "-", "--root", ROOT, "--json"], &input);
    assert_eq!(output.status.code(), Some(2));
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["verdict"], "VERDICT_INCOMPLETE");
    assert_eq!(answer["checks"].as_array().unwrap().len(), 21);
    assert_eq!(answer["checks"][0]["code"], "FORMAT");
    assert_eq!(answer["checks"][0]["status"], "CHECK_STATUS_PASSED");
    assert_eq!(answer["rounds"][0]["table"], "T2");
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
        let output = run(&[&["audit", EXAMPLE], arguments].concat(), b"");
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
        (&["audit", EXAMPLE], 64),
        (&["audit", EXAMPLE, "--root", "abc"], 64),
        (&["audit", EXAMPLE, "--root", ROOT, "--threshold", "2"], 64),
        (&["audit", EXAMPLE, "--root", ROOT, "--root", ROOT, "--threshold", "2"], 64),
        (&["audit", EXAMPLE, "--root", ROOT, "--ruleset", EXAMPLE], 65),
        (&["audit"], 64),
        (&["--no-such-option"], 64),
        (&["--help"], 0),
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
    }
}
