//! Settings of a server with a signed record: operational ones change without a new record, and
//! attested ones do not.

use super::*;

/// The text before a section that a case adds to `server.toml`.
const HEAD: &[u8] = b"[server]\n";

#[tokio::test]
async fn operational_settings_change_without_a_new_record() {
    let home = Home::new(86_400);
    let server = Server::start(&home).await;
    // While it runs: the filter of the log is in force at once, the rest waits for a restart.
    for more in [
        &b"[log]\nfilter = \"warn\"\n[server]\n"[..],
        b"[telemetry]\notlp_endpoint = \"http://127.0.0.1:1\"\n[server]\n",
        b"[server]\ndrain_ms = 7\n",
    ] {
        home.change("server.toml", HEAD, more);
        assert!(server.verify(pb::CheckStatus::Failed).await.is_empty());
    }
    server.client().deal(deal(1)).await.unwrap();
    drop(server);
    // And after a restart, which takes them all.
    let server = Server::start(&home).await;
    assert!(server.verify(pb::CheckStatus::Failed).await.is_empty());
    server.client().deal(deal(2)).await.unwrap();
    assert_eq!(home.events("verification_failed"), 0);
}

#[tokio::test]
async fn an_attested_setting_does_not_change_without_a_new_record() {
    let home = Home::new(86_400);
    // The same rules in another folder: every other check passes.
    let copied =
        Command::new("cp").arg("-r").args([home.path("rules"), home.path("other")]).status();
    assert!(copied.unwrap().success());
    let server = Server::start(&home).await;
    for (from, to) in [
        (&b"fsync = \"never\"\n"[..], &b"fsync = \"never\"\nfail_closed = false\n"[..]),
        (b"fsync = \"never\"\n", b"fsync = \"interval\"\n"),
        (b"[rules]\ndirectory = \"rules\"\n", b"[rules]\ndirectory = \"other\"\n"),
        (HEAD, b"[server]\ntenant = \"dev-locked\"\n"),
    ] {
        home.change("server.toml", from, to);
        assert_eq!(server.verify(pb::CheckStatus::Failed).await, ["CONFIGURATION"]);
        let refused = server.client().deal(deal(1)).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
        assert_eq!(reason_and_fields(&refused).0, "ENGINE_UNVERIFIED");
        // A restart takes the setting, and finds it as little in the record.
        let restarted = Server::start(&home).await;
        assert_eq!(restarted.verify(pb::CheckStatus::Failed).await, ["CONFIGURATION"]);
        let refused = restarted.client().deal(deal(1)).await.unwrap_err();
        assert_eq!(reason_and_fields(&refused).0, "ENGINE_UNVERIFIED");
        drop(restarted);
        home.change("server.toml", to, from);
        assert!(server.verify(pb::CheckStatus::Failed).await.is_empty());
    }
    server.client().deal(deal(1)).await.unwrap();
    // Two holders of root keys sign another record, and it counts.
    home.change("server.toml", b"fsync = \"never\"\n", b"fsync = \"interval\"\n");
    home.release();
    drop(server);
    let server = Server::start(&home).await;
    assert!(server.verify(pb::CheckStatus::Failed).await.is_empty());
}

/// The command that `docs/operate/releases.md` gives to a lab, run unchanged.
#[test]
fn the_digest_of_a_record_is_what_the_documented_command_computes() {
    let home = Home::new(86_400);
    let page = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/operate/releases.md"));
    let blocks = page.split("```sh\n").skip(1).map(|rest| rest.split("\n```").next().unwrap());
    let is_asked = |block: &&str| block.contains("paigow-server --check-config paigow.toml");
    let command = blocks.into_iter().find(is_asked).unwrap();
    fs::rename(home.path("server.toml"), home.path("paigow.toml")).unwrap();
    let path = format!("{}:/usr/bin:/bin", home.folder.path().display());
    let output = Command::new("sh")
        .args(["-euc", command])
        .env_clear()
        .env("PATH", path)
        .current_dir(&home.folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let computed = String::from_utf8(output.stdout).unwrap();
    let (_, recorded) = release::read(&fs::read(home.path("release.jsonl")).unwrap()).unwrap();
    let recorded = recorded.configurations[0].hash;
    assert_eq!(computed, format!("{recorded}  -\n"));
}
