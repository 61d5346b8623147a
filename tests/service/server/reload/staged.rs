//! Keys that come before the manifest that lists them, and manifests that come before their keys.

use std::path::Path;

use paigow_engine::SecretKey;
use paigow_fairness::manifest::{Epoch, Manifest, ReceiptKey};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;
use paigow_files::keys::{KeyFile, KeyRole};
use paigow_proto::v1 as pb;

use super::{Logged, next_manifest, replace, seq};
use crate::server::running::{deal, eventually, settle};

const STAGED: &str = "staged, and not used: no manifest lists this key yet";

fn started(home: &Path) -> Logged {
    let metrics = Path::new("127.0.0.1:0");
    Logged::start(home, &[("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", metrics)])
}

/// A figure of the reading of the keyring.
fn of_keyring(server: &Logged, figure: &str) -> Option<u64> {
    server.figure(&format!("{figure}{{paigow_reload_part=\"keyring\"}}"))
}

/// Lists epoch 2 after the epoch in force, with the commitment to a secret.
fn list_epoch_2(manifest: &mut Manifest, secret: &EpochSecret) {
    let last = manifest.epochs[0].clone();
    let (open_from, open_until) = (last.open_until, last.open_until + 86_400);
    let settle_until = last.settle_until + 86_400;
    let commit = Some(epoch_commit(2, secret));
    manifest.epochs.push(Epoch { epoch: 2, commit, open_from, open_until, settle_until, ..last });
}

/// The key that signed the records of an answer.
fn signed_by(answer: &pb::DealResponse) -> String {
    let deal = RecordEnvelope::parse(&answer.records[2].envelope).unwrap();
    deal.signatures()[0].keyid.to_string()
}

#[tokio::test]
async fn keys_may_come_before_the_manifest_that_lists_them() {
    let home = tempfile::tempdir().unwrap();
    let server = started(home.path());
    let folder = home.path().join(".paigow-dev");
    let chain = folder.join(paigow_files::keys::MANIFESTS);
    let good = std::fs::read_to_string(&chain).unwrap();
    let mut client = server.client().await;

    let secret = EpochSecret::new([4; 32]);
    KeyFile::Epoch { epoch: 2, secret: secret.clone() }.write_new(&folder).unwrap();
    let line = server.line(|line| line["message"] == STAGED);
    assert!(line["file"].as_str().unwrap().ends_with("/epoch-2.key"), "{line}");
    let key = SecretKey::from_bytes(&[7; 32]);
    let (public, kid) = (key.public(), key.public().kid());
    KeyFile::Signing { role: KeyRole::Receipt, key }.write_new(&folder).unwrap();
    // Each is named once.
    let line = server.line(|line| line["message"] == STAGED);
    assert!(line["file"].as_str().unwrap().ends_with(&format!("/receipt-{kid}.key")), "{line}");
    assert_eq!(of_keyring(&server, "paigow_reload_refused"), Some(0));
    assert_ne!(signed_by(&client.deal(deal(1)).await.unwrap().into_inner()), kid);

    // A secret that a manifest does not commit to is a fault as ever.
    next_manifest(&folder, |manifest| list_epoch_2(manifest, &EpochSecret::new([5; 32])));
    let facts = server.event("reload_refused");
    assert!(facts.contains("not the secret that the manifest commits to"), "{facts}");
    replace(&chain, &good);

    next_manifest(&folder, |manifest| {
        list_epoch_2(manifest, &secret);
        manifest.receipt_keys.insert(0, ReceiptKey { key: public, revoked: false });
    });
    server.event("manifest_loaded");
    assert_eq!(signed_by(&client.deal(deal(2)).await.unwrap().into_inner()), kid);
    let opens = server.figure("paigow_epoch_remaining_seconds{paigow_epoch=\"2\"}");
    assert!(opens.is_some_and(|seconds| seconds > 366 * 86_400), "{opens:?}");
    assert_eq!(server.figure("paigow_epoch_secret_missing_seconds"), None);
}

#[tokio::test]
async fn a_manifest_waits_for_the_key_that_signs_and_play_goes_on() {
    let home = tempfile::tempdir().unwrap();
    let server = started(home.path());
    let folder = home.path().join(".paigow-dev");
    let mut client = server.client().await;
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    let old = signed_by(&dealt);
    assert_eq!(of_keyring(&server, "paigow_reload_waits"), Some(0));

    let key = SecretKey::from_bytes(&[7; 32]);
    let (public, kid) = (key.public(), key.public().kid());
    next_manifest(&folder, |manifest| {
        manifest.receipt_keys.insert(0, ReceiptKey { key: public, revoked: false });
    });
    let waits = format!("key={kid} part=keyring");
    assert_eq!(server.event("key_awaited"), waits);
    assert_eq!(of_keyring(&server, "paigow_reload_waits"), Some(1));
    assert_eq!(of_keyring(&server, "paigow_reload_refused"), Some(0));
    // The manifest before is in force, with its key.
    assert_eq!(seq(&mut client).await, 1);
    client.settle(settle(&dealt)).await.unwrap();
    assert_eq!(signed_by(&client.deal(deal(2)).await.unwrap().into_inner()), old);
    // SIGHUP has it logged again.
    server.hang_up();
    assert_eq!(server.event("key_awaited"), waits);
    // A start has no manifest before to stay with.
    let start = std::process::Command::new(paigow_testkit::programs::server())
        .env_clear()
        .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
        .current_dir(home.path())
        .output()
        .unwrap();
    let told = String::from_utf8(start.stderr).unwrap();
    assert_eq!(start.status.code(), Some(78), "{told}");
    assert!(told.contains(&format!("receipt key {kid}, which signs, is not there")), "{told}");

    // The key comes, and no signal is needed.
    KeyFile::Signing { role: KeyRole::Receipt, key }.write_new(&folder).unwrap();
    server.event("manifest_loaded");
    eventually(async || (of_keyring(&server, "paigow_reload_waits") == Some(0)).then_some(()))
        .await;
    assert_eq!(seq(&mut client).await, 2);
    assert_eq!(signed_by(&client.deal(deal(3)).await.unwrap().into_inner()), kid);
}

#[tokio::test]
async fn the_secret_of_an_epoch_may_come_shortly_before_it_opens() {
    let home = tempfile::tempdir().unwrap();
    let server = started(home.path());
    let folder = home.path().join(".paigow-dev");
    assert_eq!(server.figure("paigow_epoch_secret_missing_seconds"), None);
    let secret = EpochSecret::new([4; 32]);
    let mut opens = 0;
    next_manifest(&folder, |manifest| {
        list_epoch_2(manifest, &secret);
        opens = manifest.epochs[1].open_from;
    });
    // It opens in a year: no warning yet.
    server.line(|line| {
        let message = &line["message"];
        assert_ne!(message, "listed, and not played: the keyring does not hold its secret");
        line["event"] == "manifest_loaded"
    });
    let before = paigow::server::now();
    let missing = server.figure("paigow_epoch_secret_missing_seconds").unwrap();
    let after = paigow::server::now();
    assert!((opens - after..=opens - before).contains(&missing), "{missing}");
    KeyFile::Epoch { epoch: 2, secret }.write_new(&folder).unwrap();
    let is_held = async || {
        let missing = server.figure("paigow_epoch_secret_missing_seconds");
        missing.is_none().then_some(())
    };
    eventually(is_held).await;
}
