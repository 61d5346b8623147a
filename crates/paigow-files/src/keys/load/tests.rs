use super::*;
use paigow_engine::SecretKey;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{
    AbsentPolicy, ClientPolicy, EpochStatus, Manifest, ManifestTenant, Policy, ReceiptKey, SeatAuth,
};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;

fn identifier(name: &str) -> Identifier {
    name.parse().unwrap()
}

/// A folder of the fresh suite: its root, its receipt key, no token key yet.
fn fresh_folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let [root, receipt, ledger] = [1, 2, 3].map(|byte| SecretKey::from_bytes(&[byte; 32]));
    let trusted = Root { keys: vec![root.public()], threshold: 1 };
    let manifest = Manifest {
        builds: None,
        engine: identifier("pge-1"),
        epochs: vec![Epoch {
            epoch: 1,
            suite: Suite::Fresh,
            commit: None,
            salt_source: None,
            salt: None,
            open_from: 0,
            open_until: 86_400,
            settle_until: 8 * 86_400,
            status: EpochStatus::Active,
        }],
        house_ways: vec![],
        prev: Hash::ZERO,
        receipt_keys: vec![ReceiptKey { key: receipt.public(), revoked: false }],
        root: trusted.clone(),
        rulesets: vec![],
        seq: 1,
        tenants: vec![ManifestTenant {
            ledger_keys: vec![ledger.public()],
            policy: Policy {
                client: ClientPolicy::None,
                lock_required: true,
                chain_required: true,
                seat_auth: SeatAuth::Off,
                absent: AbsentPolicy::Off,
            },
            tables: None,
            tenant: identifier("acme"),
        }],
    };
    let record = RecordEnvelope::seal(RecordKind::Manifest, &manifest.to_json(), &[&root]);
    std::fs::write(dir.path().join(MANIFESTS), record.to_line()).unwrap();
    std::fs::write(dir.path().join(ROOT), write_root(&trusted)).unwrap();
    KeyFile::Signing { role: KeyRole::Receipt, key: receipt }.write_new(dir.path()).unwrap();
    dir
}

fn token(byte: u8, serial: u32) -> KeyFile {
    KeyFile::Token { kid: [byte; 8], serial, key: TokenKey::new([byte; 32]) }
}

/// The only fault of a folder.
fn fault(dir: &Path) -> String {
    let faults = load(dir, None, None).unwrap_err();
    assert_eq!(faults.len(), 1, "{faults:?}");
    faults[0].to_string()
}

#[test]
fn of_several_token_keys_the_highest_serial_seals_and_all_open() {
    let dir = fresh_folder();
    assert!(fault(dir.path()).ends_with("the fresh suite needs a token key"));
    for (byte, serial) in [(9, 1), (5, 3), (7, 2)] {
        token(byte, serial).write_new(dir.path()).unwrap();
    }
    let keys = load(dir.path(), None, None).unwrap().keys;
    assert_eq!(keys.sealing_key().unwrap().0, [5; 8]);
    assert!([9, 5, 7].iter().all(|byte| keys.token_key([*byte; 8]).is_some()));
    token(8, 3).write_new(dir.path()).unwrap();
    assert!(fault(dir.path()).ends_with("two token keys have one serial"));
}

/// The keys that a folder holds and no manifest lists.
fn staged(dir: &Path) -> Vec<PathBuf> {
    load(dir, None, None).unwrap().staged
}

#[test]
fn keys_that_no_manifest_lists_yet_are_staged_and_not_used() {
    let dir = fresh_folder();
    token(9, 1).write_new(dir.path()).unwrap();
    assert!(staged(dir.path()).is_empty());
    let epoch = KeyFile::Epoch { epoch: 2, secret: EpochSecret::new([4; 32]) };
    let secret = epoch.write_new(dir.path()).unwrap();
    let stranger = SecretKey::from_bytes(&[8; 32]);
    let public = stranger.public();
    let receipt = KeyFile::Signing { role: KeyRole::Receipt, key: stranger };
    let receipt = receipt.write_new(dir.path()).unwrap();
    let loaded = load(dir.path(), None, None).unwrap();
    assert_eq!(loaded.staged, [secret, receipt.clone()]);
    assert!(loaded.keys.epoch(2).is_none() && loaded.keys.receipt_key(&public).is_none());
    assert!(loaded.that_signs(dir.path()).is_ok());

    // A secret of a listed epoch that is not committed to, and a name that is not the key's.
    let epoch = KeyFile::Epoch { epoch: 1, secret: EpochSecret::new([4; 32]) };
    let path = epoch.write_new(dir.path()).unwrap();
    assert!(fault(dir.path()).ends_with("the manifest lists no commitment for this epoch"));
    std::fs::remove_file(path).unwrap();
    std::fs::rename(receipt, dir.path().join("receipt-0.key")).unwrap();
    assert!(fault(dir.path()).ends_with("the name is not that of the key inside"));
}

#[test]
fn a_keyring_without_the_key_that_signs_is_read_and_cannot_sign() {
    let dir = fresh_folder();
    token(9, 1).write_new(dir.path()).unwrap();
    let public = SecretKey::from_bytes(&[2; 32]).public();
    let key = dir.path().join(format!("receipt-{}.key", public.kid()));
    std::fs::remove_file(key).unwrap();
    let loaded = load(dir.path(), None, None).unwrap();
    assert_eq!(loaded.awaited, Some(public));
    let faults = loaded.that_signs(dir.path()).unwrap_err();
    let told = format!("receipt key {}, which signs, is not there", public.kid());
    assert_eq!(faults, [KeyFault::at(dir.path(), told)]);
}

#[test]
fn keys_that_a_replica_does_not_need_are_not_read() {
    let dir = fresh_folder();
    token(9, 1).write_new(dir.path()).unwrap();
    for name in ["root-0.key", "ledger-0.key", "notes.txt"] {
        std::fs::write(dir.path().join(name), "not a key").unwrap();
    }
    load(dir.path(), None, None).unwrap();
}
