//! The tables, as players and their wallets meet them: in a real browser, and in a real PostgreSQL.
#![allow(clippy::unwrap_used)]

use std::path::Path;

use paigow_testkit::{programs, tools};

/// The engine lies beside the game server.
fn table() -> &'static str {
    assert!(Path::new(programs::server()).exists());
    programs::table()
}

#[test]
fn three_players_in_a_real_browser_play_every_game_and_check_every_round() {
    let output = tools::command("node")
        .args(["tests/client/table.mjs", "--table", table()])
        .env("AXE", "target/tools/node/contract/node_modules/axe-core/axe.min.js")
        .output()
        .unwrap();
    let said = tools::text(&output);
    assert!(
        said.contains(r#""rounds":20,"verified":20,"killed":1,"absent":1,"keyboard":1"#),
        "{said}"
    );
}

#[test]
fn wallets_transcripts_and_evidence_agree_whatever_is_killed() {
    let arguments = ["--table", table(), "--lab", programs::lab()];
    let script = "tests/operations/table_wallets.py";
    let output = tools::command("python").arg(script).args(arguments).output().unwrap();
    let said = tools::text(&output);
    assert!(said.contains("wallets, transcripts and evidence agree"), "{said}");
}
