//! The programs, run with arguments and an input.

use std::process::Output;

use paigow_testkit::programs;
use serde_json::Value;

/// Runs `paigow-lab` to its end.
pub(crate) fn run(arguments: &[&str], input: &[u8]) -> Output {
    programs::run(programs::lab(), arguments, input)
}

/// Runs `paigow-keys` to its end.
pub(crate) fn run_keys(arguments: &[&str]) -> Output {
    programs::run(programs::keys(), arguments, b"")
}

/// Returns the standard output.
pub(crate) fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns the standard output, one JSON value a line.
pub(crate) fn lines(output: &Output) -> Vec<Value> {
    text(output).lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
