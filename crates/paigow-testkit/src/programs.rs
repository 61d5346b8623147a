//! The programs of the workspace, as the same build made them.
//!
//! Cargo tells a test where the programs of its own package are, and of no other. This module
//! finds them beside the test, and refuses one that is missing or older than its sources.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::time::SystemTime;

/// Returns the path of `paigow-server`.
pub fn server() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-server"));
    &PROGRAM
}

/// Returns the path of `paigow-lab`.
pub fn lab() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-lab"));
    &PROGRAM
}

/// Returns the path of `paigow-keys`.
pub fn keys() -> &'static str {
    static PROGRAM: LazyLock<String> = LazyLock::new(|| find("paigow-keys"));
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
fn find(name: &str) -> String {
    let test = std::env::current_exe().expect("a test has a path");
    let folder = test.parent().and_then(Path::parent).expect("tests lie in `deps`");
    let program = folder.join(name);
    let built = modified(&program).unwrap_or_else(|| {
        panic!("no {}: run `cargo build --workspace --bins`", program.display())
    });
    let stale = sources(&folder.join(format!("{name}.d")))
        .into_iter()
        .find(|source| modified(source).is_some_and(|changed| changed > built));
    if let Some(source) = stale {
        panic!(
            "{} is older than {}: run `cargo build --workspace --bins`",
            program.display(),
            source.display()
        );
    }
    program.to_str().expect("the path is UTF-8").to_owned()
}

fn modified(path: &Path) -> Option<SystemTime> {
    fs::metadata(path).and_then(|facts| facts.modified()).ok()
}

/// Returns the sources that Cargo's dep-info lists for a program. A space in a path is written
/// `\ ` there.
fn sources(dep_info: &Path) -> Vec<PathBuf> {
    let text = fs::read_to_string(dep_info)
        .unwrap_or_else(|error| panic!("{}: {error}", dep_info.display()));
    let (_, sources) = text.split_once(": ").expect("dep-info names a program and its sources");
    let spaced = sources.replace("\\ ", "\0");
    spaced.split_whitespace().map(|path| PathBuf::from(path.replace('\0', " "))).collect()
}
