//! The deployment, checked with the tools that operators use, and a real Prometheus on the
//! real server.
#![allow(clippy::unwrap_used)]

use paigow_testkit::programs;
use std::path::Path;
use std::process::Command;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Runs a command of this repository with the two programs, and wants it to end well.
fn run(program: &str, arguments: &[&str]) -> String {
    let programs = ["--server", programs::server(), "--lab", programs::lab()];
    run_alone(program, &[arguments, &programs].concat())
}

/// Runs a command of this repository, and wants it to end well.
fn run_alone(program: &str, arguments: &[&str]) -> String {
    let tool = root().join(program);
    assert!(tool.exists(), "no {program} yet: `tests/run` installs what is missing");
    let output = Command::new(tool).current_dir(root()).args(arguments).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complained = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{program} {arguments:?}:\n{said}{complained}");
    said
}

#[test]
fn image_manifests_alerts_and_stack_pass_the_tools_of_those_who_run_them() {
    let said = run("deploy/check", &[]);
    assert!(said.ends_with("deploy/check: all of it\n"), "{said}");
}

#[test]
fn prometheus_answers_every_dashboard_and_a_biased_feed_trips_the_alert() {
    let said = run("target/tools/bin/python", &["tests/operations/prometheus.py"]);
    assert!(said.contains("the biased feed tripped the alert on returns"), "{said}");
}

#[test]
fn a_laboratory_collects_decks_of_served_rounds() {
    let said = run("deploy/lab-kit", &["served", "2"]);
    let decks: Vec<Vec<u8>> = said
        .lines()
        .map(|deck| deck.split(' ').map(|card| card.parse().unwrap()).collect())
        .collect();
    assert_eq!(decks.len(), 2, "{said}");
    for mut deck in decks {
        deck.sort_unstable();
        assert!(deck.iter().copied().eq(0..53), "{said}");
    }
}

#[test]
fn a_server_that_is_killed_loses_no_evidence_and_altered_evidence_is_found() {
    let said = run("deploy/lab-kit", &["fault"]);
    assert!(said.contains("four ways of altering them were found"), "{said}");
}

#[test]
fn each_row_of_each_pay_table_is_dealt_and_paid_by_a_real_server() {
    // A zigzag deal with a bank of its own, six cards with wins for other seats, a wild joker.
    let rulesets = "mikes,mini-community,express-wild";
    let said = run("deploy/lab-kit", &["forced", rulesets, "--keys", programs::keys()]);
    let last = "39 rows of 3 rulesets were dealt, settled and paid as the files say; every audit is a match\n";
    assert!(said.ends_with(last), "{said}");
}

#[test]
fn the_pack_of_a_laboratory_holds_when_it_is_recomputed() {
    let programs = Path::new(programs::server()).parent().unwrap();
    // Each of the three is as new as its sources.
    assert!(
        [programs::lab(), programs::keys()]
            .iter()
            .all(|path| path.starts_with(programs.to_str().unwrap()))
    );
    let arguments = ["tests/operations/lab_pack.py", "--programs", programs.to_str().unwrap()];
    let said = run_alone("target/tools/bin/python", &arguments);
    assert!(said.contains("match in the Python verifier"), "{said}");
}
