//! Reading a keyring folder, every secret held against what is published of it.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use super::{KeyFault, KeyFile, MANIFESTS, ROOT, Role};
use crate::fairness::encoding::Hash;
use crate::fairness::json::Json;
use crate::fairness::keyring::KeyRing;
use crate::fairness::manifest::{ManifestChain, Root, Suite};
use crate::fairness::payload::{Members, PayloadError};
use crate::fairness::secret::TokenKey;
use crate::fairness::seed::epoch_commit;
use crate::fairness::signature::PublicKey;
use crate::fairness::transcript;

/// A keyring folder that has been checked.
#[derive(Clone, Debug)]
pub struct Loaded {
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
pub fn load(dir: &Path, root: Option<Root>) -> Result<Loaded, Vec<KeyFault>> {
    let root = match root {
        Some(root) => root,
        None => read_root(&dir.join(ROOT)).map_err(|fault| vec![fault])?,
    };
    let path = dir.join(MANIFESTS);
    let fault = |what: String| vec![KeyFault::at(&path, what)];
    let text = std::fs::read(&path).map_err(|error| fault(error.to_string()))?;
    let records = transcript::parse(&text).map_err(|error| fault(error.to_string()))?;
    let manifests = ManifestChain::load(&root, &records).map_err(|faults| {
        faults.into_iter().map(|f| KeyFault::at(&path, f.to_string())).collect::<Vec<_>>()
    })?;

    let mut faults = Vec::new();
    let keys = ring(dir, &manifests, &mut faults);
    if faults.is_empty() { Ok(Loaded { keys, manifests, root }) } else { Err(faults) }
}

/// Reads the keys of the folder into a ring, every one checked against the manifests.
fn ring(dir: &Path, manifests: &ManifestChain, faults: &mut Vec<KeyFault>) -> KeyRing {
    let mut ring = KeyRing::default();
    let mut tokens: Vec<(u32, [u8; 8], TokenKey)> = Vec::new();
    for path in ring_files(dir, faults) {
        let mut fault = |what: &str| faults.push(KeyFault::at(&path, what));
        let key = match KeyFile::read(&path) {
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
            KeyFile::Signing { role: Role::Receipt, key } => {
                if lists_receipt_key(manifests, &key.public()) {
                    ring.add_receipt_key(key);
                } else {
                    fault("no manifest lists this receipt key");
                }
            }
            // Not named like a file of the ring, so never read; see `ring_files`.
            KeyFile::Signing { role: Role::Root | Role::Ledger | Role::Witness, .. } => {}
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
    let text = std::fs::read(path).map_err(|error| KeyFault::at(path, error.to_string()))?;
    parse_root(&text).map_err(|error| KeyFault::at(path, error.to_string()))
}

/// Reads a root of trust: `{"keys":["<64 hex>"],"threshold":1}`, 1 to 16 distinct keys.
///
/// # Errors
///
/// If a member is missing, unknown or malformed.
pub fn parse_root(text: &[u8]) -> Result<Root, PayloadError> {
    let mut members = Members::of(Json::parse(text)?)?;
    let mut keys = members.list("keys", |item| match item {
        Json::Str(text) => PublicKey::from_hex(&text).map_err(|_| "not a public key"),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a public key"),
    })?;
    let threshold = usize::from(members.byte("threshold", 16)?);
    let listed = keys.len();
    keys.sort();
    keys.dedup();
    if keys.len() < listed || !(1..=16).contains(&listed) {
        return Err(members.blame("keys", "1 to 16 distinct keys"));
    }
    if !(1..=listed).contains(&threshold) {
        return Err(members.blame("threshold", "1 to the number of keys"));
    }
    members.finish()?;
    Ok(Root { keys, threshold })
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
