use super::*;
use paigow_engine::SecretKey;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{
    AbsentPolicy, ClientPolicy, EpochStatus, ExternalPolicy, Manifest, ManifestTenant, Policy,
    ReceiptKey, SeatAuth,
};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::transcript;

fn identifier(name: &str) -> Identifier {
    name.parse().unwrap()
}

/// The root key, the receipt key and the ledger key of the folder.
fn signing_keys() -> [SecretKey; 3] {
    [1, 2, 3].map(|byte| SecretKey::from_bytes(&[byte; 32]))
}

/// The first manifest of the folder.
fn first_manifest() -> Manifest {
    let [root, receipt, ledger] = signing_keys();
    Manifest {
        beacon: None,
        log: None,
        builds: None,
        engine: identifier("pge-1"),
        epochs: vec![Epoch {
            epoch: 1,
            suite: Suite::Fresh,
            commit: None,
            vrf_key: None,
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
        root: Root { keys: vec![root.public()], threshold: 1 },
        rulesets: vec![],
        seq: 1,
        tenants: vec![ManifestTenant {
            ledger_keys: vec![ledger.public()],
            policy: Policy {
                external: ExternalPolicy::None,
                client: ClientPolicy::None,
                lock_required: true,
                chain_required: true,
                seat_auth: SeatAuth::Off,
                absent: AbsentPolicy::Off,
            },
            tables: None,
            tenant: identifier("acme"),
        }],
    }
}

/// Signs a manifest with the root key of the folder.
fn sealed(manifest: &Manifest) -> RecordEnvelope {
    let [root, ..] = signing_keys();
    RecordEnvelope::seal(RecordKind::Manifest, &manifest.to_json(), &[&root])
}

/// Makes a folder of the fresh suite: it has a root key and a receipt key, and no token key yet.
fn fresh_folder() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let [_, receipt, _] = signing_keys();
    let manifest = first_manifest();
    let record = sealed(&manifest);
    std::fs::write(dir.path().join(MANIFESTS), record.to_line()).unwrap();
    std::fs::write(dir.path().join(ROOT), write_root(&manifest.root)).unwrap();
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

    // A secret of a listed epoch whose commitment is another, and a file name that does not fit its
    // key.
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

/// Makes a chain of manifests. Each manifest has enough tables to make the chain long.
fn long_chain(length: u64) -> Vec<RecordEnvelope> {
    let mut manifest = first_manifest();
    let tables = (0..1000).map(|table| identifier(&format!("{}{table:04}", "t".repeat(50))));
    manifest.tenants[0].tables = Some(tables.collect());
    let mut chain: Vec<RecordEnvelope> = Vec::new();
    for seq in 1..=length {
        manifest.seq = seq;
        manifest.prev = chain.last().map_or(Hash::ZERO, RecordEnvelope::hash);
        chain.push(sealed(&manifest));
    }
    chain
}

#[test]
fn a_folder_of_manifests_has_more_than_a_mebibyte_in_any_order() {
    let dir = fresh_folder();
    token(9, 1).write_new(dir.path()).unwrap();
    let place = tempfile::tempdir().unwrap();
    let chain = long_chain(30);
    let mut written = 0;
    // The file names list the newest manifests first, some files have several, and some records
    // occur twice.
    for (number, records) in chain.chunks(4).enumerate() {
        let text: String = records.iter().rev().map(|record| record.to_line() + "\n").collect();
        written += text.len();
        std::fs::write(place.path().join(format!("{:02}.jsonl", 99 - number)), text).unwrap();
    }
    std::fs::write(place.path().join("again.jsonl"), chain[6].to_line()).unwrap();
    // None of these is a file of manifests.
    for name in [".half.jsonl", "notes.txt", "jsonl"] {
        std::fs::write(place.path().join(name), "no manifest").unwrap();
    }
    assert!(written > 1 << 20, "{written} bytes");
    let loaded = load(dir.path(), Some(place.path()), None).unwrap();
    let hashes: Vec<Hash> = loaded.manifests.all().iter().map(|signed| signed.hash).collect();
    assert_eq!(hashes, chain.iter().map(RecordEnvelope::hash).collect::<Vec<_>>());

    // The same records in one file, in their order.
    let file = place.path().join("all.txt");
    std::fs::write(&file, transcript::write(&chain)).unwrap();
    let loaded = load(dir.path(), Some(&file), None).unwrap();
    assert_eq!(loaded.manifests.newest().manifest.seq, 30);
}

#[test]
fn every_fault_of_a_folder_of_manifests_names_its_file() {
    let dir = fresh_folder();
    token(9, 1).write_new(dir.path()).unwrap();
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let told = |what: &str| {
        let faults = load(dir.path(), Some(place.path()), None).unwrap_err();
        let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
        let folder = format!("{}/", place.path().display());
        assert_eq!(faults.join("\n").replace(&folder, ""), what);
    };
    let none = format!("{}: manifest 1 of the chain: there is none", place.path().display());
    told(&none);
    let chain = long_chain(3);
    std::fs::write(path("1.jsonl"), transcript::write(&chain[..2])).unwrap();
    let mut other = first_manifest();
    (other.seq, other.prev) = (2, chain[0].hash());
    std::fs::write(path("2.jsonl"), transcript::write([&chain[0], &sealed(&other)])).unwrap();
    std::fs::write(path("3.jsonl"), "rubbish\n").unwrap();
    let seat = RecordEnvelope::unsigned(RecordKind::Lock, &Json::obj([("v", Json::Int(1))]));
    std::fs::write(path("4.jsonl"), transcript::write([&chain[2], &seat])).unwrap();
    told(
        "2.jsonl: line 2: manifest 2 is not the one in 1.jsonl\n\
         3.jsonl: line 1: not JSON of the record profile: not a value (null, floats and negative numbers are none), at byte 0\n\
         4.jsonl: line 2: not a manifest record",
    );
    // A manifest that is missing between two others is a fault of the chain.
    for name in ["2.jsonl", "3.jsonl"] {
        std::fs::remove_file(path(name)).unwrap();
    }
    std::fs::write(path("1.jsonl"), transcript::write(&chain[..1])).unwrap();
    std::fs::write(path("4.jsonl"), transcript::write(&chain[2..])).unwrap();
    told(&format!(
        "{}: manifest 2 of the chain: seq or prev does not follow the manifest before",
        place.path().display()
    ));
}
