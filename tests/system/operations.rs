//! The service as its operators meet it: behind real proxies, among hostile peers, on a full
//! disk, under load. Each test is a script of `tests/operations` or `benches`, which says
//! what must hold, run with the real binaries.
#![allow(clippy::unwrap_used)]

#[path = "../../benches/load_server/measured.rs"]
mod measured;

use paigow_testkit::{programs, tools};

use std::path::Path;

use tools::root;

/// Runs a script, which says on its last line what it has seen. A script waits for half of its time, so one for each
/// processor may run at once.
fn holds(script: &str, arguments: &[&str]) {
    let output = tools::command("python").arg(script).args(arguments).output().unwrap();
    println!("{script} {arguments:?}: {}", tools::text(&output));
}

fn server() -> [&'static str; 2] {
    ["--server", programs::server()]
}

fn lab() -> [&'static str; 2] {
    ["--lab", programs::lab()]
}

fn behind(proxy: &str) {
    let arguments = [&server()[..], &lab()[..], &["--proxy", proxy]].concat();
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
fn a_round_is_played_with_curl_through_envoys_transcoder() {
    holds("tests/operations/json_over_http.py", &[&server()[..], &lab()[..]].concat());
}

#[test]
fn a_page_in_a_real_browser_plays_by_grpc_web() {
    let output = tools::command("node")
        .args(["--test-reporter=tap", "tests/client/grpc_web.mjs"])
        .env("TEST_SERVER", programs::server())
        .env("NODE_CLIENT", "target/tools/node/client")
        .output()
        .unwrap();
    let said = tools::text(&output);
    assert!(said.contains("# pass 3") && said.contains("# fail 0"), "{said}");
}

#[test]
fn hostile_peers_are_answered_or_cut_off_and_a_caller_plays_on() {
    holds("tests/operations/hostile_peers.py", &server());
}

#[test]
fn audits_of_one_tenant_neither_delay_another_nor_fill_the_memory() {
    holds("tests/operations/hostile_audits.py", &server());
}

#[test]
fn connections_that_grow_old_are_told_to_go_and_no_caller_notices() {
    holds("tests/operations/old_connections.py", &server());
}

#[test]
fn a_full_disk_stops_new_records_and_loses_none() {
    holds("tests/operations/full_disk.py", &[&server()[..], &lab()[..]].concat());
}

#[test]
fn a_file_of_evidence_that_is_deleted_cut_off_or_replaced_loses_no_later_record() {
    holds("tests/operations/lost_evidence.py", &[&server()[..], &lab()[..]].concat());
}

#[test]
fn evidence_that_is_shipped_survives_a_kill_a_lost_folder_and_a_store_that_is_down() {
    holds("tests/operations/shipping.py", &[&server()[..], &lab()[..]].concat());
}

#[test]
fn a_public_log_survives_kills_and_each_lie_of_it_is_named() {
    holds("tests/operations/public_log.py", &[&server()[..], &lab()[..]].concat());
}

#[test]
fn two_writers_of_one_bucket_never_fork_a_log_and_lost_answers_stop_nobody() {
    holds("tests/operations/log_store.py", &lab());
}

#[test]
fn backup_restore_lost_keys_and_a_lost_region_go_as_the_pages_say() {
    holds("tests/operations/recovery.py", &[&server()[..], &lab()[..]].concat());
}

#[test]
fn a_call_waits_for_the_evidence_as_long_as_the_setting_says() {
    holds("tests/operations/slow_evidence.py", &server());
}

#[test]
fn a_log_in_a_watched_folder_does_not_feed_itself_and_is_limited() {
    holds("tests/operations/trace_log.py", &server());
}

#[test]
fn sixty_seconds_of_chaos_strand_no_round_and_lose_no_record_unnoticed() {
    let arguments = [&server()[..], &lab()[..], &["--seconds", "60", "--seed", "1"]].concat();
    holds("tests/operations/chaos.py", &arguments);
}

#[test]
fn clients_in_python_node_and_rust_lose_no_round_when_a_server_is_killed() {
    // Cargo builds the examples for the tests, beside the programs.
    let rust = Path::new(server()[1]).with_file_name("examples").join("play_round");
    assert!(rust.exists(), "no {}: `cargo build --example play_round`", rust.display());
    let rust = rust.to_str().unwrap();
    let packages = "target/tools/node/client/node_modules";
    let options = ["--node-modules", packages, "--rust", rust, "--buf"];
    holds("tests/operations/clients.py", &[&server()[..], &options].concat());
}

#[test]
fn two_replicas_share_the_calls_of_a_client_with_the_published_service_config() {
    let packages = ["--node-modules", "target/tools/node/client/node_modules"];
    holds("tests/operations/replicas_share.py", &[&server()[..], &packages].concat());
}

#[test]
fn clients_for_platforms_sign_no_step_twice_and_play_one_transcript_whatever_is_killed() {
    holds("tests/operations/platform_clients.py", &[&server()[..], &lab()[..]].concat());
}

#[test]
fn a_release_is_verified_installed_and_used_without_rust() {
    let programs = Path::new(server()[1]).parent().unwrap().to_str().unwrap();
    // A test of the laboratory's program or the server looks whether these are new.
    lab();
    holds("tests/operations/release.py", &["--programs", programs]);
}

/// The command of the server that the scripts of `benches` measure.
fn measured_server() -> String {
    let this = std::env::current_exe().unwrap();
    format!(
        "{} --ignored --nocapture --exact operations::server_of_the_load_script",
        this.display()
    )
}

#[test]
fn the_load_script_measures_what_it_says() {
    holds("benches/load.py", &["--smoke", "--server", &measured_server()]);
}

#[test]
fn the_script_of_the_production_round_plays_one_on_two_builds_with_the_same_answers() {
    let server = measured_server();
    holds("benches/round.py", &["--smoke", "--evidence", "--server", &server, "--before", &server]);
}

/// No test but the process that the tests above measure; without its environment it ends
/// at once.
#[test]
#[ignore = "a process of another test"]
fn server_of_the_load_script() {
    measured::run().unwrap();
}

#[test]
fn the_documented_retry_policy_is_the_one_that_clients_take() {
    let file = |path: &str| std::fs::read_to_string(root().join(path)).unwrap();
    let shipped = file("deploy/client/service-config.json");
    serde_json::from_str::<serde_json::Value>(&shipped).unwrap();
    let page = "docs/integrate/api.md";
    assert!(file(page).contains(shipped.trim_end()), "{page} does not show {shipped}");
}
