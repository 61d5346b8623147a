//! The Python of the documentation, run unchanged: a round in two calls, and a check of it with
//! nothing but the standard library.
#![allow(clippy::unwrap_used)]

use paigow_testkit::process;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use process::Process;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The interpreter with grpcio that `tests/run` installs.
fn python() -> PathBuf {
    let python = root().join("target/python/bin/python");
    assert!(python.exists(), "no Python client libraries yet: `tests/run` installs them");
    python
}

fn text(output: &Output) -> String {
    let (out, err) =
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{out}{err}");
    out.into_owned()
}

#[test]
fn a_round_in_python_is_two_calls_and_its_transcript_checks_out() {
    let home = tempfile::tempdir().unwrap();
    let server = Process::start(home.path());
    let transcript = home.path().join("round.jsonl");
    let played = Command::new(python())
        .current_dir(root())
        .args(["tests/client/play_round.py", &server.address])
        .arg(&transcript)
        .output()
        .unwrap();
    let played = text(&played);
    for word in ["dice", "seat 1", "seat 4", "dealer:", "bank net", "house net"] {
        assert!(played.contains(word), "{word} in {played}");
    }

    let checked = Command::new("python3")
        .current_dir(root())
        .arg("tests/client/check_round.py")
        .arg(&transcript)
        .output()
        .unwrap();
    let checked = text(&checked);
    assert_eq!(checked.lines().count(), 5, "{checked}");
    assert!(checked.lines().all(|line| line.ends_with(": True")), "{checked}");

    let audit = Command::new(paigow_testkit::programs::lab())
        .arg("audit")
        .arg(&transcript)
        .args(["--root", &server.root])
        .output()
        .unwrap();
    // Nothing is open but the secret of the epoch.
    let told = String::from_utf8_lossy(&audit.stdout);
    assert_eq!(audit.status.code(), Some(3), "{told}");
}

#[test]
fn a_forged_seed_does_not_check_out() {
    let example = root().join("tests/vectors/transcript-example.jsonl");
    let run = |file: &Path| {
        let script = root().join("tests/client/check_round.py");
        text(&Command::new("python3").arg(script).arg(file).output().unwrap())
    };
    assert!(!run(&example).contains("False"));
    let home = tempfile::tempdir().unwrap();
    let forged = home.path().join("forged.jsonl");
    let lines = std::fs::read_to_string(&example).unwrap();
    let forged_lines: String = lines
        .lines()
        .map(|line| {
            let mut envelope: serde_json::Value = serde_json::from_str(line).unwrap();
            if envelope["payloadType"].as_str().unwrap().contains("settle") {
                use base64::Engine as _;
                let base64 = base64::engine::general_purpose::STANDARD;
                let payload = base64.decode(envelope["payload"].as_str().unwrap()).unwrap();
                let payload = String::from_utf8(payload).unwrap();
                let forged = payload.replace("\"server_seed\":\"0e5c", "\"server_seed\":\"0e5d");
                assert_ne!(forged, payload);
                envelope["payload"] = base64.encode(forged).into();
            }
            envelope.to_string() + "\n"
        })
        .collect();
    std::fs::write(&forged, forged_lines).unwrap();
    assert!(run(&forged).contains("the server seed opens the commitment: False"));
}

#[test]
fn the_documentation_shows_the_python_as_it_is_run() {
    let file = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    for (script, page) in [
        ("tests/client/play_round.py", "docs/integrate/first-caller.md"),
        ("tests/client/check_round.py", "docs/verify/check-a-round.md"),
    ] {
        assert!(file(page).contains(file(script).trim_end()), "{page} shows {script} in full");
    }
    let play = std::fs::read_to_string(root().join("tests/client/play_round.py")).unwrap();
    assert!(play.lines().count() < 40, "a round is a short script");
}
