//! If an output accepts no bytes, no command ends with success.

use std::process::{Command, Stdio};

/// Runs `paigow-lab` with a standard output on which there is no room.
fn run_full(arguments: &[&str]) -> (Option<i32>, String) {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = Command::new(paigow_testkit::programs::lab())
        .args(arguments)
        .stdin(Stdio::null())
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn what_cannot_be_written_is_told_by_every_command() {
    for arguments in [
        &["par", "--schema"][..],
        &["--help"],
        &["--version"],
        &["play", "--help"],
        &["rules", "mikes"],
        &["par", "mikes", "--json"],
        &["house-way", "mikes"],
    ] {
        let expected = "paigow-lab: No space left on device (os error 28)\n".to_owned();
        assert_eq!(run_full(arguments), (Some(74), expected), "{arguments:?}");
    }
}
