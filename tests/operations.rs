//! The service as its operators meet it: behind real proxies, among hostile peers, on a full
//! disk, under load. Each test is a script of `tests/operations` or `benches`, which says
//! what must hold, run with the real binaries.
#![allow(clippy::unwrap_used)]

#[path = "../benches/load_server/measured.rs"]
mod measured;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

/// One script at a time: each has several processes, and the machine may be small.
static TURN: Mutex<()> = Mutex::new(());

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The folders with the tools that `tests/tools` installs, before those of the system.
fn path() -> OsString {
    let ours = ["target/tools/bin", "target/python/bin"].map(|folder| root().join(folder));
    let theirs = std::env::var_os("PATH").unwrap_or_default();
    let folders: Vec<PathBuf> = ours.into_iter().chain(std::env::split_paths(&theirs)).collect();
    std::env::join_paths(folders).unwrap()
}

/// Runs a script, which says on its last line what it has seen.
fn holds(script: &str, arguments: &[&str]) {
    let python = root().join("target/python/bin/python");
    assert!(python.exists(), "no Python libraries yet: `tests/tools` installs them");
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let output = Command::new(python)
        .current_dir(root())
        .env("PATH", path())
        .arg(script)
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{script} {arguments:?}: {said}{told}");
    println!("{said}");
}

const SERVER: [&str; 2] = ["--server", env!("CARGO_BIN_EXE_paigow-server")];
const LAB: [&str; 2] = ["--lab", env!("CARGO_BIN_EXE_paigow-lab")];

fn behind(proxy: &str) {
    let arguments = [&SERVER[..], &LAB[..], &["--proxy", proxy]].concat();
    holds("tests/operations/behind_proxies.py", &arguments);
}

#[test]
fn replicas_come_and_go_behind_nginx_and_no_caller_notices() {
    behind("nginx");
}

#[test]
fn replicas_come_and_go_behind_haproxy_and_no_caller_notices() {
    behind("haproxy");
}

#[test]
fn replicas_come_and_go_behind_envoy_and_no_caller_notices() {
    behind("envoy");
}

#[test]
fn hostile_peers_are_answered_or_cut_off_and_a_caller_plays_on() {
    holds("tests/operations/hostile_peers.py", &SERVER);
}

#[test]
fn a_full_disk_stops_new_records_and_loses_none() {
    holds("tests/operations/full_disk.py", &[&SERVER[..], &LAB[..]].concat());
}

#[test]
fn the_load_script_measures_what_it_says() {
    let this = std::env::current_exe().unwrap();
    let server =
        format!("{} --ignored --nocapture --exact server_of_the_load_script", this.display());
    holds("benches/load.py", &["--smoke", "--server", &server]);
}

/// No test but the process that the test above measures; without its environment it ends
/// at once.
#[test]
#[ignore = "a process of another test"]
fn server_of_the_load_script() {
    measured::run().unwrap();
}

#[test]
fn the_retry_policy_of_the_readme_is_the_one_that_clients_take() {
    let file = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let shipped = file("deploy/client/service-config.json");
    serde_json::from_str::<serde_json::Value>(&shipped).unwrap();
    assert!(file("README.md").contains(shipped.trim_end()), "the README has {shipped}");
}
