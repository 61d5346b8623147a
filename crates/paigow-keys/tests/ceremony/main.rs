//! `paigow-keys` and `paigow-witness` as people run them: a whole ceremony, its refusals, and the
//! commands of docs/operate/keys.md.
#![allow(clippy::unwrap_used)]

use std::process::Output;

use paigow_testkit::programs;

mod elsewhere;
mod epochs;
mod program;
mod signing;
mod walkthrough;
mod witness;

/// Runs `paigow-keys` to its end.
fn run_keys(arguments: &[&str]) -> Output {
    programs::run(env!("CARGO_BIN_EXE_paigow-keys"), arguments, b"")
}

/// Returns what a program wrote to standard output.
fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}
