//! Files that are read again in a real process: by watching, and at SIGHUP.

mod manifests;
mod places;
mod secrets;
mod staged;

use std::path::{Path, PathBuf};

use paigow_client::PaiGowServiceClient;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{Epoch, ListedRuleset, Manifest};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::keys::{self, KeyFile};
use paigow_proto::v1 as pb;
use tonic::transport::Channel;

use crate::server::certificates::Authority;
use crate::server::logged::{Logged, facts_of};
use crate::server::running::{deal, eventually, reason_and_fields, settle};

const ACCESS: &str = "[[tenants]]\ntenant = \"dev\"\n[[tenants.clients]]\nname = \"all\"\n\
    roles = [\"table\", \"ops\"]\n\
    token_sha256 = \"2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824\"\n";

/// Signs the next manifest of a development folder, and puts it there.
fn next_manifest(folder: &Path, change: impl FnOnce(&mut Manifest)) -> PathBuf {
    let chain = folder.join(keys::MANIFESTS);
    let text = std::fs::read_to_string(&chain).unwrap();
    let record = sealed_next(folder, &text, change);
    replace(&chain, &format!("{text}{record}\n"));
    chain
}

/// Signs the manifest that follows a chain with the root key of a development folder, and returns
/// its line.
fn sealed_next(folder: &Path, text: &str, change: impl FnOnce(&mut Manifest)) -> String {
    let newest = RecordEnvelope::parse(text.lines().last().unwrap().as_bytes()).unwrap();
    let manifest = Manifest::parse(newest.json().unwrap()).unwrap();
    let mut next = Manifest { seq: manifest.seq + 1, prev: newest.hash(), ..manifest };
    change(&mut next);
    let root = next.root.keys[0].kid();
    let KeyFile::Signing { key, .. } =
        KeyFile::read(&folder.join(format!("root-{root}.key")), None).unwrap()
    else {
        panic!("the root signs")
    };
    RecordEnvelope::seal(RecordKind::Manifest, &next.to_json(), &[&key]).to_line()
}

/// Replaces the old file by a new one, as careful writers and Kubernetes do: no
/// reader sees a partial file.
fn replace(path: impl AsRef<Path>, text: &str) {
    let (path, new) = (path.as_ref(), path.as_ref().with_extension("new"));
    std::fs::write(&new, text).unwrap();
    std::fs::rename(new, path).unwrap();
}

/// Waits until an access file has been refused with the fault `told`.
fn refused(server: &Logged, told: &str) {
    server.line(|line| {
        let facts = facts_of(line);
        line["event"] == "reload_refused" && facts.contains("part=access") && facts.contains(told)
    });
}

async fn seq(client: &mut PaiGowServiceClient<Channel>) -> i64 {
    client.get_engine(pb::GetEngineRequest {}).await.unwrap().into_inner().manifest_sequence
}

#[tokio::test]
async fn the_filter_of_the_log_changes_while_the_server_runs_and_a_bad_one_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("paigow.toml");
    let settings = |filter: &str, more: &str| {
        replace(
            &file,
            &format!("[server]\nlisten = \"127.0.0.1:0\"\n{more}\n[log]\nfilter = \"{filter}\"\n"),
        );
    };
    settings("info,paigow::telemetry::call=off", "");
    let server = Logged::start_with(home.path(), &file);
    let refused = async || {
        let mut wrong = deal(1);
        wrong.wagers = None;
        server.client().await.deal(wrong).await.unwrap_err()
    };
    refused().await;
    settings("info", "");
    assert_eq!(
        server.event("log_filter_changed"),
        "after=info before=info,paigow::telemetry::call=off"
    );
    refused().await;
    let line = server.line(|line| line["message"] == "call refused");
    assert_eq!(line["reason"], "FIELD_MISSING");
    settings("info,=,", "");
    let facts = server.event("reload_refused");
    assert!(facts.contains("part=log") && facts.contains("log.filter"), "{facts}");
    refused().await;
    server.line(|line| line["message"] == "call refused");
    // The log names another changed setting, which waits for a restart.
    settings("info", "drain_ms = 7");
    let what = "changed settings that take effect when the server is restarted";
    let line = server.line(|line| line["message"] == what);
    assert_eq!(line["settings"], "server.drain_ms = 7");
}

#[tokio::test]
async fn a_new_manifest_is_in_force_without_a_call_lost_and_a_bad_one_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let server = Logged::start(home.path(), &[]);
    let folder = home.path().join(".paigow-dev");
    let mut client = server.client().await;
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();

    let chain = next_manifest(&folder, |manifest| {
        manifest.rulesets.retain(|listed| listed.name.as_str() != "mikes");
        // Of a release that is still to come here.
        let (name, hash) = ("later".parse().unwrap(), Hash::of(b"later"));
        manifest.rulesets.push(ListedRuleset { cards: 53, hash, name });
        // An epoch whose rounds can still be settled: its secret is not in the keyring.
        let first = manifest.epochs[0].clone();
        let (open_from, open_until) = (first.open_from - 86_400, first.open_from);
        let settle_until = first.open_from + 7 * 86_400;
        manifest.epochs.push(Epoch { epoch: 2, open_from, open_until, settle_until, ..first });
    });
    let what = "listed, and not played: the keyring does not hold its secret";
    let not_loaded = "listed, and not played: the ruleset is not loaded";
    assert_eq!(server.line(|line| line["message"] == not_loaded)["ruleset"], "later");
    assert_eq!(server.line(|line| line["message"] == what)["epoch"], 2);
    server.event("manifest_loaded");
    assert_eq!(eventually(async || Some(seq(&mut client).await).filter(|seq| *seq == 2)).await, 2);
    // An open round goes on under the manifest that it was opened under.
    client.settle(settle(&dealt)).await.unwrap();
    let status = client.deal(deal(2)).await.unwrap_err();
    assert_eq!(reason_and_fields(&status).0, "RULESET");
    let mut of_later = deal(2);
    let Some(pb::deal_request::Start::Open(open)) = &mut of_later.start else { panic!("inline") };
    open.ruleset = "later".to_owned();
    let status = client.deal(of_later.clone()).await.unwrap_err();
    assert_eq!(status.code(), tonic::Code::Unavailable);
    assert_eq!(reason_and_fields(&status).0, "RULESET_NOT_LOADED");
    // It stops neither a start, which reports it too, nor the file that names it.
    let tenant = "tenant = \"dev\"\n";
    let access = ACCESS.replacen(tenant, &format!("{tenant}rulesets = [\"later\"]\n"), 1);
    let switches = "[halted]\nreason = \"a drill\"\nrulesets = [\"later\"]\n";
    let file = home.path().join("access.toml");
    std::fs::write(&file, access + switches).unwrap();
    let again = Logged::start(home.path(), &[("PAIGOW__ACCESS__FILE", &file)]);
    let told = again.told.iter().find(|line| line["message"] == not_loaded).unwrap();
    assert_eq!(told["ruleset"], "later");
    let mut ask = tonic::Request::new(of_later);
    ask.metadata_mut().insert("authorization", "Bearer hello".parse().unwrap());
    let status = again.client().await.deal(ask).await.unwrap_err();
    assert_eq!(reason_and_fields(&status).0, "RULESET_NOT_LOADED");

    let good = std::fs::read_to_string(&chain).unwrap();
    // A chain that goes back, and one that is no chain.
    for bad in [good.lines().next().unwrap().to_owned() + "\n", "rubbish\n".to_owned()] {
        std::fs::write(&chain, bad).unwrap();
        let facts = server.event("reload_refused");
        assert!(facts.contains("part=keyring") && facts.contains("manifests"), "{facts}");
        assert_eq!(seq(&mut client).await, 2);
        client.settle(settle(&dealt)).await.unwrap();
    }
    std::fs::write(&chain, &good).unwrap();
    // Rounds of it may be open on other replicas, which settle them.
    next_manifest(&folder, |manifest| {
        manifest.rulesets.retain(|listed| listed.name.as_str() != "later");
    });
    let what = "listed before, and what is open not settled: the ruleset is not loaded";
    assert_eq!(server.line(|line| line["message"] == what)["ruleset"], "later");
    server.event("manifest_loaded");
}

#[tokio::test]
async fn sighup_has_everything_read_again_and_a_bad_file_keeps_the_good_one() {
    let home = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    // Through a link there is no file event: a signal is quicker than polling.
    let real = elsewhere.path().join("access.toml");
    std::fs::write(&real, ACCESS).unwrap();
    let link = home.path().join("access.toml");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let server = Logged::start(home.path(), &[("PAIGOW__ACCESS__FILE", &link)]);
    let mut client = server.client().await;
    let ask = |round| {
        let mut request = tonic::Request::new(deal(round));
        request.metadata_mut().insert("authorization", "Bearer hello".parse().unwrap());
        request
    };
    client.deal(ask(1)).await.unwrap();

    for (bad, told) in [
        ("tenants = [", "line 1"),
        ("tenants = []", "no client may call"),
        (&ACCESS.replace("\"dev\"", "\"nobody\""), "no tenant nobody"),
        (&ACCESS.replace("ops", "root"), "not one of `table`"),
    ] {
        replace(&real, bad);
        server.hang_up();
        refused(&server, told);
        client.deal(ask(2)).await.unwrap();
    }
    // Polling may have logged the last one in addition to the signal, and logs it only once.
    for _ in 0..2 {
        server.hang_up();
        refused(&server, "not one of `table`");
    }

    replace(&real, &format!("{ACCESS}[closed_to_new_rounds]\nengine = true\nreason = \"drill\"\n"));
    server.hang_up();
    let facts = server.event("switches_changed");
    assert!(
        facts.contains("before=") && facts.contains("after=") && facts.contains("drill"),
        "{facts}"
    );
    server.event("access_changed");
    let status = client.deal(ask(3)).await.unwrap_err();
    assert_eq!(reason_and_fields(&status).0, "CLOSED_TO_NEW_ROUNDS");
}

#[test]
fn a_folder_that_takes_the_place_of_another_is_followed() {
    let home = tempfile::tempdir().unwrap();
    let [old, new, current] = ["v1", "v2", "current"].map(|name| home.path().join(name));
    for folder in [&old, &new] {
        std::fs::create_dir(folder).unwrap();
        std::fs::write(folder.join("access.toml"), ACCESS).unwrap();
    }
    std::os::unix::fs::symlink(&old, &current).unwrap();
    let server =
        Logged::start(home.path(), &[("PAIGOW__ACCESS__FILE", &current.join("access.toml"))]);
    let limited = |calls: u32| {
        let tenant = "tenant = \"dev\"\n";
        ACCESS.replace(tenant, &format!("{tenant}calls_per_second = {calls}\n"))
    };
    // The link is replaced, and nothing in the folder that it led to.
    std::fs::write(new.join("access.toml"), limited(1)).unwrap();
    let link = home.path().join("link");
    std::os::unix::fs::symlink(&new, &link).unwrap();
    std::fs::rename(&link, &current).unwrap();
    server.event("access_changed");
    replace(new.join("access.toml"), &limited(2));
    server.event("access_changed");
    // A folder is replaced, and no link.
    std::fs::rename(&new, old.join("before")).unwrap();
    std::fs::create_dir(&new).unwrap();
    replace(new.join("access.toml"), &limited(3));
    server.event("access_changed");
    replace(new.join("access.toml"), &limited(4));
    server.event("access_changed");
}

#[tokio::test]
async fn a_bad_certificate_is_refused_each_time_and_new_handshakes_get_the_old_one() {
    let home = tempfile::tempdir().unwrap();
    let authority = Authority::new("authority");
    let [certificate, key] = authority.sign_until(&["localhost"], 2090).write(home.path());
    let server = Logged::start(
        home.path(),
        &[
            ("PAIGOW__TLS__CERTIFICATE_FILE", &certificate),
            ("PAIGOW__TLS__KEY_FILE", &key),
            ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", Path::new("127.0.0.1:0")),
        ],
    );
    // `date -u -d 2090-01-01 +%s`, and below 2099-01-01.
    server.certificate_ends(3_786_912_000);
    let connect = async || {
        let endpoint = Channel::from_shared(format!("https://{}", server.address)).unwrap();
        let channel =
            endpoint.tls_config(authority.trusted(None)).unwrap().connect().await.unwrap();
        PaiGowServiceClient::new(channel).max_decoding_message_size(1 << 26)
    };
    connect().await.deal(deal(1)).await.unwrap();
    let good = std::fs::read_to_string(&certificate).unwrap();
    replace(&certificate, "rubbish");
    let facts = server.event("reload_refused");
    assert!(facts.contains("part=tls") && facts.contains("tls.certificate_file"), "{facts}");
    connect().await.deal(deal(2)).await.unwrap();
    // It is as bad as before, and SIGHUP has it logged again.
    server.hang_up();
    let facts = server.event("reload_refused");
    assert!(facts.contains("part=tls"), "{facts}");
    connect().await.deal(deal(3)).await.unwrap();
    // One whose time is over is no better: no caller would take it.
    replace(&certificate, &authority.sign_until(&["localhost"], 2021).certificate);
    let facts = server.event("reload_refused");
    assert!(
        facts.contains("part=tls") && facts.contains("expired at 2021-01-01 00:00:00 UTC"),
        "{facts}"
    );
    connect().await.deal(deal(4)).await.unwrap();
    server.certificate_ends(3_786_912_000);
    replace(&certificate, &good);
    authority.sign(&["localhost"]).write(home.path());
    server.event("tls_changed");
    connect().await.deal(deal(5)).await.unwrap();
    server.certificate_ends(4_070_908_800);
}

#[tokio::test]
async fn what_is_refused_is_told_once_though_a_file_beside_it_changes() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("access.toml");
    std::fs::write(&file, ACCESS).unwrap();
    let metrics = Path::new("127.0.0.1:0");
    let server = Logged::start(
        home.path(),
        &[("PAIGOW__ACCESS__FILE", &file), ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", metrics)],
    );
    let read = |outcome: &str| {
        let labels = format!("paigow_reload_outcome=\"{outcome}\",paigow_reload_part=\"access\"");
        server.figure(&format!("paigow_reloads_total{{{labels}}}")).unwrap()
    };
    let in_place =
        |figure: &str| server.figure(&format!("{figure}{{paigow_reload_part=\"access\"}}"));
    let last_good = "paigow_reload_succeeded_timestamp_seconds";
    let succeeded = eventually(async || in_place(last_good)).await;
    assert!(succeeded > 1_700_000_000, "{succeeded}");
    assert_eq!(in_place("paigow_reload_refused"), Some(0));
    replace(&file, "rubbish");
    refused(&server, "access.toml");
    // A log, say, which has the files read again whenever a line comes.
    let before = read("unchanged");
    std::fs::write(home.path().join("log"), "a line\n").unwrap();
    eventually(async || (read("unchanged") > before).then_some(())).await;
    assert_eq!(read("refused"), 1);
    assert_eq!(in_place("paigow_reload_refused"), Some(1), "the bad file is still in place");
    // Somebody has tried again, as badly.
    replace(&file, "rubbish");
    refused(&server, "access.toml");
    assert_eq!(read("refused"), 2);
    server.hang_up();
    refused(&server, "access.toml");
    assert_eq!(read("refused"), 3);
    assert_eq!(in_place(last_good), Some(succeeded));
    replace(&file, ACCESS);
    eventually(async || (in_place("paigow_reload_refused") == Some(0)).then_some(())).await;
    assert!(in_place(last_good) >= Some(succeeded));
}

#[tokio::test(flavor = "multi_thread")]
async fn no_call_is_lost_while_manifests_come_into_force() {
    let home = tempfile::tempdir().unwrap();
    let server = Logged::start(home.path(), &[]);
    let folder = home.path().join(".paigow-dev");
    let mut client = server.client().await;
    let (stop, mut stopped) = tokio::sync::oneshot::channel::<()>();
    let playing = tokio::spawn(async move {
        let mut rounds = 0;
        while stopped.try_recv().is_err() {
            rounds += 1;
            let dealt = client.deal(deal(rounds)).await.unwrap().into_inner();
            client.settle(settle(&dealt)).await.unwrap();
        }
        rounds
    });
    for _ in 0..3 {
        next_manifest(&folder, |_| {});
        let server = &server;
        tokio::task::block_in_place(|| server.event("manifest_loaded"));
    }
    stop.send(()).unwrap();
    assert!(playing.await.unwrap() > 0);
}
