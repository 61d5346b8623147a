//! Reading a keyring folder, every secret held against what is published of it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::regular::read_regular;
use super::{KeyFault, KeyFile, KeyRole, MANIFESTS, ROOT};
use paigow_engine::KeyRing;
use paigow_engine::TokenKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::{ManifestChain, Root, Suite};
use paigow_fairness::payload::{Members, PayloadError};
use paigow_fairness::seed::epoch_commit;
use paigow_fairness::signature::PublicKey;
use paigow_fairness::transcript;

/// How many bytes a chain of manifests has at most: some ten thousand of them.
const CHAIN_BYTES: usize = 256 << 20;

/// How many bytes a root of trust has at most: sixteen keys take a thirtieth of it.
const ROOT_BYTES: usize = 64 << 10;

/// A keyring folder that has been checked.
#[derive(Clone, Debug)]
pub struct LoadedKeys {
    /// Receipt keys, epoch secrets and token keys.
    pub keys: KeyRing,
    /// The manifests, verified against `root`.
    pub manifests: ManifestChain,
    /// The root that was trusted.
    pub root: Root,
}

/// Reads a keyring folder and trusts `root`, or without one the folder's `root.json`.
///
/// Checks the manifest chain against the root; every epoch secret against the
/// commitment that a manifest lists; every receipt key against the manifests, the
/// newest one's signing key being there; that a chain of the fresh suite has a token key.
/// Root, ledger and witness keys in the folder are not read.
///
/// # Errors
///
/// Every fault found.
pub fn load(dir: &Path, root: Option<Root>) -> Result<LoadedKeys, Vec<KeyFault>> {
    let root = match root {
        Some(root) => root,
        None => read_root(&dir.join(ROOT)).map_err(|fault| vec![fault])?,
    };
    let path = dir.join(MANIFESTS);
    let fault = |what: String| vec![KeyFault::at(&path, what)];
    let text = read_regular(&path, CHAIN_BYTES).map_err(|error| fault(error.to_string()))?;
    let records = transcript::parse(&text).map_err(|error| fault(error.to_string()))?;
    let manifests = ManifestChain::load(&root, &records).map_err(|faults| {
        faults.into_iter().map(|f| KeyFault::at(&path, f.to_string())).collect::<Vec<_>>()
    })?;

    let mut faults = Vec::new();
    let keys = ring(dir, &manifests, &mut faults);
    if faults.is_empty() { Ok(LoadedKeys { keys, manifests, root }) } else { Err(faults) }
}

/// Reads the keys of the folder into a ring, every one checked against the manifests.
fn ring(dir: &Path, manifests: &ManifestChain, faults: &mut Vec<KeyFault>) -> KeyRing {
    let mut ring = KeyRing::default();
    let mut tokens: Vec<(u32, [u8; 8], TokenKey)> = Vec::new();
    for path in ring_files(dir, faults) {
        let mut fault = |what: &str| faults.push(KeyFault::at(&path, what));
        let key = match KeyFile::read(&path, None) {
            Ok(key) => key,
            Err(error) => {
                faults.push(error);
                continue;
            }
        };
        if path.file_name().is_none_or(|name| name != key.file_name().as_str()) {
            fault("the name is not that of the key inside");
            continue;
        }
        match key {
            KeyFile::Signing { role: KeyRole::Receipt, key } => {
                if lists_receipt_key(manifests, &key.public()) {
                    ring.add_receipt_key(key);
                } else {
                    fault("no manifest lists this receipt key");
                }
            }
            // Not named like a file of the ring, so never read; see `ring_files`.
            KeyFile::Signing {
                role: KeyRole::Root | KeyRole::Ledger | KeyRole::Witness, ..
            } => {}
            KeyFile::Epoch { epoch, secret } => match commit_of(manifests, epoch) {
                None => fault("no manifest lists a commitment for this epoch"),
                Some(commit) if commit == epoch_commit(epoch, &secret) => {
                    ring.add_epoch(epoch, secret);
                }
                Some(_) => fault("not the secret that the manifest commits to"),
            },
            KeyFile::Token { kid, serial, key } => tokens.push((serial, kid, key)),
        }
    }

    // The highest serial first: it seals.
    tokens.sort_by_key(|token| Reverse(token.0));
    if tokens.windows(2).any(|pair| pair[0].0 == pair[1].0) {
        faults.push(KeyFault::at(dir, "two token keys have one serial"));
    }
    let newest = &manifests.newest().manifest;
    if tokens.is_empty() && newest.epochs.iter().any(|epoch| epoch.suite == Suite::Fresh) {
        faults.push(KeyFault::at(dir, "the fresh suite needs a token key"));
    }
    for (_, kid, key) in tokens {
        ring.add_token_key(kid, key);
    }
    let signing = newest.receipt_keys.first();
    if let Some(signing) = signing.filter(|listed| ring.receipt_key(&listed.key).is_none()) {
        let what = format!("receipt key {}, which signs, is not there", signing.key.kid());
        faults.push(KeyFault::at(dir, what));
    }
    ring
}

/// Returns the files of the folder that are named as keys of a replica, by name.
fn ring_files(dir: &Path, faults: &mut Vec<KeyFault>) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(dir)
        .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect::<Result<Vec<_>, _>>());
    let mut paths = match listed {
        Ok(paths) => paths,
        Err(error) => {
            faults.push(KeyFault::at(dir, error.to_string()));
            return Vec::new();
        }
    };
    paths.retain(|path| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| {
            let of_ring = ["receipt-", "epoch-", "token-"];
            name.ends_with(".key") && of_ring.iter().any(|start| name.starts_with(start))
        })
    });
    paths.sort();
    paths
}

fn lists_receipt_key(manifests: &ManifestChain, key: &PublicKey) -> bool {
    manifests.all().iter().any(|signed| signed.manifest.receipt_public_keys().contains(key))
}

fn commit_of(manifests: &ManifestChain, epoch: u32) -> Option<Hash> {
    manifests.all().iter().find_map(|signed| signed.manifest.epoch(epoch)?.commit)
}

fn read_root(path: &Path) -> Result<Root, KeyFault> {
    let text = read_regular(path, ROOT_BYTES);
    let text = text.map_err(|error| KeyFault::at(path, error.to_string()))?;
    parse_root(&text).map_err(|error| KeyFault::at(path, error.to_string()))
}

/// The content of a `root.json`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TrustFile {
    /// The root to trust.
    pub root: Root,
    /// The witnesses whose signature under a salt counts.
    pub witnesses: Vec<PublicKey>,
}

/// Reads a root of trust: `{"keys":["<64 hex>"],"threshold":1}`, 1 to 16 distinct keys. Its
/// witnesses are for audits.
///
/// # Errors
///
/// As [`parse_trust`].
pub fn parse_root(text: &[u8]) -> Result<Root, PayloadError> {
    parse_trust(text).map(|trust| trust.root)
}

/// Reads a root of trust, with `"witnesses":["<64 hex>"]` if there are any, at most 16.
///
/// # Errors
///
/// If a member is missing, unknown or malformed.
pub fn parse_trust(text: &[u8]) -> Result<TrustFile, PayloadError> {
    let mut members = Members::of(Json::parse(text)?)?;
    let keys = distinct_keys(&mut members, "keys")?;
    let threshold = usize::from(members.byte("threshold", 16)?);
    if !(1..=keys.len()).contains(&threshold) {
        return Err(members.blame("threshold", "1 to the number of keys"));
    }
    let witnesses = members.optional("witnesses", distinct_keys)?.unwrap_or_default();
    members.finish()?;
    Ok(TrustFile { root: Root { keys, threshold }, witnesses })
}

fn distinct_keys(members: &mut Members<'_>, name: &str) -> Result<Vec<PublicKey>, PayloadError> {
    let mut keys = members.list(name, |item| match item {
        Json::Str(text) => PublicKey::from_hex(&text).map_err(|_| "not a public key"),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a public key"),
    })?;
    let listed = keys.len();
    keys.sort();
    keys.dedup();
    if keys.len() < listed || !(1..=16).contains(&listed) {
        return Err(members.blame(name, "1 to 16 distinct keys"));
    }
    Ok(keys)
}

/// Returns the text that [`parse_root`] reads.
///
/// # Panics
///
/// Never: a root has at most 16 keys and JSON is text.
#[must_use]
pub fn write_root(root: &Root) -> String {
    let threshold = u64::try_from(root.threshold).expect("a root has at most 16 keys");
    let json = Json::obj([
        ("keys", Json::arr(root.keys.iter().map(Json::str))),
        ("threshold", Json::Int(threshold)),
    ]);
    String::from_utf8(json.to_bytes()).expect("hexadecimal and punctuation are text") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_engine::SecretKey;
    use paigow_fairness::encoding::Identifier;
    use paigow_fairness::manifest::{
        AbsentPolicy, ClientPolicy, Epoch, EpochStatus, Manifest, ManifestTenant, Policy,
        ReceiptKey, SeatAuth,
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
        let faults = load(dir, None).unwrap_err();
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
        let keys = load(dir.path(), None).unwrap().keys;
        assert_eq!(keys.sealing_key().unwrap().0, [5; 8]);
        assert!([9, 5, 7].iter().all(|byte| keys.token_key([*byte; 8]).is_some()));
        token(8, 3).write_new(dir.path()).unwrap();
        assert!(fault(dir.path()).ends_with("two token keys have one serial"));
    }

    #[test]
    fn keys_that_no_manifest_lists_are_refused() {
        let dir = fresh_folder();
        token(9, 1).write_new(dir.path()).unwrap();
        load(dir.path(), None).unwrap();
        let epoch = KeyFile::Epoch { epoch: 2, secret: EpochSecret::new([4; 32]) };
        let path = epoch.write_new(dir.path()).unwrap();
        assert!(fault(dir.path()).ends_with("no manifest lists a commitment for this epoch"));
        std::fs::remove_file(path).unwrap();
        let stranger =
            KeyFile::Signing { role: KeyRole::Receipt, key: SecretKey::from_bytes(&[8; 32]) };
        let path = stranger.write_new(dir.path()).unwrap();
        assert!(fault(dir.path()).ends_with("no manifest lists this receipt key"));
        std::fs::rename(path, dir.path().join("receipt-0.key")).unwrap();
        assert!(fault(dir.path()).ends_with("the name is not that of the key inside"));
    }

    #[test]
    fn keys_that_a_replica_does_not_need_are_not_read() {
        let dir = fresh_folder();
        token(9, 1).write_new(dir.path()).unwrap();
        for name in ["root-0.key", "ledger-0.key", "notes.txt"] {
            std::fs::write(dir.path().join(name), "not a key").unwrap();
        }
        load(dir.path(), None).unwrap();
    }
}
