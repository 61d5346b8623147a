//! `paigow-keys` as people run it: exit codes, and an output that accepts no bytes.

use std::process::{Command, Stdio};

fn keys(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_paigow-keys"));
    command.args(arguments).stdin(Stdio::null());
    command
}

#[test]
fn the_version_is_that_of_the_package() {
    let output = keys(&["--version"]).output().unwrap();
    assert_eq!(output.stdout, format!("paigow-keys {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
}

#[test]
fn wrong_arguments_and_absent_files_have_their_exit_codes() {
    for (arguments, code) in [
        (&["root", "--no-such-flag"][..], 64),
        (&["reveal"], 64),
        (&["manifest", "show", "no-such-file"], 66),
        (&["sign-release", "no-such-file", "--key", "no-such-key"], 66),
        (&["root", "--out", "no-such-folder"], 73),
    ] {
        let output = keys(arguments).output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}

#[test]
fn an_output_without_room_fails_every_command() {
    for arguments in [&["--help"][..], &["manifest", "example"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let output = keys(arguments).stdout(full).output().unwrap();
        let message = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(74), "{arguments:?}");
        assert_eq!(message, "paigow-keys: No space left on device (os error 28)\n");
    }
}
