//! The programs of the workspace, as the same build made them.
//!
//! Cargo gives a test the paths of its own package's programs alone. This module finds the others
//! beside the test, and refuses one that is missing or older than its sources.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;

use crate::tools;

/// Returns the path of `paigow-server`.
pub fn server() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-server", "paigow"));
    &PROGRAM
}

/// Returns the path of `paigow-lab`.
pub fn lab() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-lab", "paigow-lab"));
    &PROGRAM
}

/// Returns the path of `paigow-keys`.
pub fn keys() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-keys", "paigow-keys"));
    &PROGRAM
}

/// Returns the path of `paigow-witness`.
pub fn witness() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-witness", "paigow-keys"));
    &PROGRAM
}

/// Returns the path of `paigow-pkcs11`.
pub fn pkcs11() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-pkcs11", "paigow-pkcs11"));
    &PROGRAM
}

/// Returns the path of `paigow-log`.
pub fn log() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-log", "paigow-log"));
    &PROGRAM
}

/// Returns the path of `paigow-log-witness`.
pub fn log_witness() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-log-witness", "paigow-log"));
    &PROGRAM
}

/// Returns the path of `paigow-table`.
pub fn table() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-table", "paigow-table"));
    &PROGRAM
}

/// Runs a program to its end with `arguments` and `input`.
///
/// # Panics
///
/// If the program cannot be started.
pub fn run(program: &str, arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("its input is a pipe");
    std::thread::scope(|scope| {
        // A command that fails early does not read its input; its output says why.
        scope.spawn(move || drop(stdin.write_all(input)));
        child.wait_with_output().expect("the program ends")
    })
}

/// Returns the path of a program beside the running test.
fn find(name: &str, package: &str) -> String {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(Path::parent).expect("tests lie in `deps`");
    let program = folder.join(name);
    let hint = "run `cargo build --workspace --bins`";
    let built = modified(&program).unwrap_or_else(|| panic!("no {}: {hint}", program.display()));
    let mut packages = BTreeSet::new();
    add_with_dependencies(package, &mut packages);
    for package in &packages {
        for source in ["src", "build.rs", "Cargo.toml", "proto", "js", "page"] {
            if let Some(newer) = newer_file(&folder_of(package).join(source), built) {
                panic!("{} is older than {}: {hint}", program.display(), newer.display());
            }
        }
    }
    program.to_str().expect("the path is UTF-8").to_owned()
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|facts| facts.modified()).ok()
}

/// Returns the folder of a package of the workspace.
fn folder_of(package: &str) -> PathBuf {
    match package {
        "paigow" => tools::root().to_owned(),
        "paigow-table" => tools::root().join("examples/table"),
        "paigow-verifier-page" => tools::root().join("verifiers/web"),
        _ => tools::root().join("crates").join(package),
    }
}

/// Adds a package, and every package of the workspace that its manifest names.
fn add_with_dependencies(package: &str, packages: &mut BTreeSet<String>) {
    if !packages.insert(package.to_owned()) {
        return;
    }
    let manifest = folder_of(package).join("Cargo.toml");
    let text = fs::read_to_string(&manifest).expect("a package has a manifest");
    let manifest: toml::Table = text.parse().expect("a manifest is TOML");
    let dependencies = manifest.get("dependencies").and_then(toml::Value::as_table);
    for name in dependencies.into_iter().flat_map(toml::Table::keys) {
        if name.starts_with("paigow") {
            add_with_dependencies(name, packages);
        }
    }
}

/// Returns a file at or below `path` that changed after `built`.
fn newer_file(path: &Path, built: SystemTime) -> Option<PathBuf> {
    if path.is_dir() {
        let entries = fs::read_dir(path).expect("a folder can be read");
        return entries.flatten().find_map(|entry| newer_file(&entry.path(), built));
    }
    // A test changes no program.
    let is_test =
        path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
    (!is_test && modified(path)? > built).then(|| path.to_owned())
}
