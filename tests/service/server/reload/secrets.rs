//! Keys that leave the folder of a running server: one that rounds still need stays in force.

use std::path::Path;

use paigow_engine::SecretKey;
use paigow_fairness::manifest::{EpochStatus, ReceiptKey};
use paigow_files::keys::{KeyFile, KeyRole};

use super::{Logged, next_manifest};
use crate::server::running::{deal, eventually, settle};

/// Waits until the keyring was refused, and returns the faults that the event lists.
fn refused(server: &Logged) -> String {
    let facts = server.event("reload_refused");
    assert!(facts.contains("part=keyring"), "{facts}");
    facts
}

#[tokio::test]
async fn a_reload_that_drops_a_secret_or_key_that_rounds_still_need_is_refused() {
    let home = tempfile::tempdir().unwrap();
    let metrics = Path::new("127.0.0.1:0");
    let server = Logged::start(home.path(), &[("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", metrics)]);
    let folder = home.path().join(".paigow-dev");
    let read = |outcome: &str| {
        let labels = format!("paigow_reload_outcome=\"{outcome}\",paigow_reload_part=\"keyring\"");
        server.figure(&format!("paigow_reloads_total{{{labels}}}")).unwrap()
    };
    let mut client = server.client().await;
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();

    // The secret of the epoch that is open.
    let [secret, aside] = [folder.join("epoch-1.key"), home.path().join("epoch-1.key")];
    std::fs::rename(&secret, &aside).unwrap();
    let facts = refused(&server);
    assert!(facts.contains("no secret of epoch 1"), "{facts}");
    assert_eq!(read("refused"), 1);
    client.settle(settle(&dealt)).await.unwrap();
    client.deal(deal(2)).await.unwrap();
    let before = read("unchanged");
    std::fs::rename(&aside, &secret).unwrap();
    eventually(async || (read("unchanged") > before).then_some(())).await;

    // A receipt key that is listed beside the one that signs: rounds that it began go on with it.
    let new = SecretKey::from_bytes(&[7; 32]);
    let public = new.public();
    KeyFile::Signing { role: KeyRole::Receipt, key: new }.write_new(&folder).unwrap();
    let mut old = None;
    next_manifest(&folder, |manifest| {
        old = Some(manifest.receipt_keys[0].key.kid());
        manifest.receipt_keys.insert(0, ReceiptKey { key: public, revoked: false });
    });
    server.event("manifest_loaded");
    let old = old.unwrap().to_string();
    let [key, aside] = [&folder, home.path()].map(|at| at.join(format!("receipt-{old}.key")));
    std::fs::rename(&key, &aside).unwrap();
    let facts = refused(&server);
    assert!(facts.contains(&format!("no receipt key {old}")), "{facts}");
    client.settle(settle(&dealt)).await.unwrap();

    // The manifest needs neither any more.
    next_manifest(&folder, |manifest| manifest.receipt_keys[1].revoked = true);
    server.event("manifest_loaded");
    next_manifest(&folder, |manifest| manifest.epochs[0].status = EpochStatus::Revoked);
    server.event("manifest_loaded");
    let before = read("taken");
    std::fs::remove_file(&secret).unwrap();
    eventually(async || (read("taken") > before).then_some(())).await;
}
