//! `paigow-pkcs11` as people run it without a token: exit codes, and the messages.
//!
//! The ceremonies of `paigow-keys` test it with tokens of SoftHSM.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::{Command, Output};

const PIN: &str = "8361059274";

fn pkcs11(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_paigow-pkcs11")).args(arguments).output().unwrap()
}

#[test]
fn the_version_is_that_of_the_package() {
    let output = pkcs11(&["--version"]);
    assert_eq!(output.stdout, format!("paigow-pkcs11 {}\n", env!("CARGO_PKG_VERSION")).as_bytes());
}

#[test]
fn wrong_arguments_an_absent_pin_and_an_absent_module_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let place = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (pin_file, absent) = (place("pin"), place("absent"));
    fs::write(&pin_file, format!("{PIN}\n")).unwrap();
    fs::set_permissions(&pin_file, fs::Permissions::from_mode(0o600)).unwrap();
    let token = ["--token", "root-2026", "list"];
    for (arguments, code, names) in [
        (vec!["list"], 64, "--module"),
        (vec!["--module", &absent, "--pin-file", &absent], 66, "absent"),
        (vec!["--module", &absent, "--pin-file", &pin_file], 69, "NO_MODULE"),
        (vec!["--module", &pin_file, "--pin-file", &pin_file], 69, "NO_MODULE"),
    ] {
        let arguments: Vec<_> =
            if code == 64 { arguments } else { arguments.into_iter().chain(token).collect() };
        let output = pkcs11(&arguments);
        let said = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {said}");
        assert!(said.contains(names) && !said.contains(PIN), "{arguments:?}: {said}");
        assert!(output.stdout.is_empty(), "{arguments:?}");
    }
}
