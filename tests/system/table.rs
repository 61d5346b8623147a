//! The tables, as players and their wallets meet them: in a real browser, and in a real PostgreSQL.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use paigow_testkit::{programs, tools};

/// The engine, and the programs of the public log, lie beside the game server.
fn table() -> &'static str {
    for program in [programs::server(), programs::keys(), programs::log(), programs::log_witness()]
    {
        assert!(Path::new(program).exists());
    }
    programs::table()
}

/// Plays in a real browser, and returns what was seen.
fn in_a_browser(more: &[&str]) -> String {
    let output = tools::command("node")
        .args(["tests/client/table.mjs", "--table", table()])
        .args(more)
        .env("AXE", "target/tools/node/contract/node_modules/axe-core/axe.min.js")
        .output()
        .unwrap();
    tools::text(&output)
}

#[test]
fn three_players_in_a_real_browser_play_every_game_and_check_every_round() {
    let said = in_a_browser(&[]);
    let seen = r#""rounds":20,"verified":20,"logged":20,"killed":1,"absent":1,"keyboard":1"#;
    assert!(said.contains(seen), "{said}");
}

#[test]
fn a_round_that_waits_for_a_public_value_shows_that_nobody_knew_its_deck() {
    let said = in_a_browser(&["--beacon"]);
    assert!(said.contains(r#""rounds":1,"verified":1,"logged":1"#), "{said}");
}

#[test]
fn wallets_transcripts_and_evidence_agree_whatever_is_killed() {
    let arguments = ["--table", table(), "--lab", programs::lab()];
    let script = "tests/operations/table_wallets.py";
    let output = tools::command("python").arg(script).args(arguments).output().unwrap();
    let said = tools::text(&output);
    assert!(said.contains("wallets, transcripts and evidence agree"), "{said}");
}
