//! The verifiers that share no code with the engine, and the kit of cases between them.
#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn ran(program: impl AsRef<Path>, arguments: &[&str]) -> Output {
    let mut command = Command::new(program.as_ref());
    command.current_dir(root()).args(arguments).env("PYTHONPATH", root().join("tests"));
    command.output().unwrap()
}

fn text(output: &Output) -> String {
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    out.into_owned()
}

/// A root that nobody's manifests are signed by: the key of RFC 8032, test 1.
const ANOTHER: &str = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";

const LAB: &str = env!("CARGO_BIN_EXE_paigow-lab");
const SERVER: &str = env!("CARGO_BIN_EXE_paigow-server");

#[test]
fn the_python_verifier_answers_every_case_of_the_kit() {
    let said = text(&ran("python3", &["tests/conformance/run.py"]));
    assert!(said.contains("4574 cases, 0 wrong, 0 not supported"), "{said}");
}

#[test]
fn the_kit_is_what_its_generator_makes() {
    text(&ran("python3", &["tests/conformance/generate.py", "--check"]));
}

#[test]
fn the_engine_confirms_hands_bonus_rows_and_transcripts_of_the_kit() {
    let said = text(&ran("python3", &["tests/conformance/generate.py", "--confirm", LAB]));
    for layer in ["house-ways: 2268 confirmed of 2268", "bonus-rows: 1488 confirmed of 1488"] {
        assert!(said.contains(layer), "{said}");
    }
    for layer in ["records: 55 confirmed of 55", "tampered: 157 confirmed of 157"] {
        assert!(said.contains(layer), "{said}");
    }
}

#[test]
fn the_page_has_the_rule_files_byte_for_byte() {
    text(&ran(root().join("deploy/verifier/update"), &["--check"]));
}

/// The check codes and statuses of an audit, and its verdict.
fn checks(audit: &Output) -> Vec<(String, String)> {
    let report: Value = serde_json::from_slice(&audit.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&audit.stderr)));
    let word = |value: &Value| value.as_str().unwrap().to_owned();
    let checks = report["checks"].as_array().unwrap().iter();
    let mut all: Vec<(String, String)> =
        checks.map(|check| (word(&check["code"]), word(&check["status"]))).collect();
    all.push(("verdict".to_owned(), word(&report["verdict"])));
    all
}

#[test]
fn engine_and_python_say_the_same_of_every_transcript_at_hand() {
    let folder = root().join("tests/verifier/transcripts");
    let mut files: Vec<PathBuf> =
        fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "jsonl"));
    files.sort();
    // One of every ruleset, and others.
    assert!(files.len() > 14, "{}", files.len());
    for file in files {
        let expected = fs::read(file.with_extension("expected.json")).unwrap();
        let expected: Value = serde_json::from_slice(&expected).unwrap();
        let file = file.to_str().unwrap();
        for key in [expected["rootKeys"][0].as_str().unwrap(), ANOTHER] {
            let ours = checks(&ran(LAB, &["audit", file, "--root", key, "--json"]));
            let verify = ["-m", "verify", file, "--root", key, "--json"];
            assert_eq!(ours, checks(&ran("python3", &verify)), "{file}");
        }
    }
}

#[test]
fn engine_python_and_javascript_agree_on_random_rounds_of_every_ruleset_and_policy() {
    let python = root().join("target/tools/bin/python");
    assert!(python.exists(), "no client libraries yet: `tests/run` installs them");
    // Two rounds under each of fourteen rulesets for each of five tenants; the long form has 145.
    let arguments = ["tests/agree/agree.py", "--server", SERVER, "--lab", LAB, "--rounds", "2"];
    let said = text(&ran(python, &arguments));
    assert!(said.starts_with("140 rounds in 70 transcripts, "), "{said}");
    assert!(said.contains("engine, Python and JavaScript agree on every check"), "{said}");
}
