//! Reads a keyring folder, and checks every secret against its published values.

use std::cmp::Reverse;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::manifests::read_manifests;
use super::regular::read_regular;
use super::{
    KeyFault, KeyFile, KeyRole, MANIFESTS, Passphrase, ROOT, SignerError, SignerKey, SocketSigner,
};
use paigow_engine::KeyRing;
use paigow_engine::TokenKey;
use paigow_engine::is_secret_of;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::{Epoch, ManifestChain, Root, Suite};
use paigow_fairness::payload::{Members, PayloadError};
use paigow_fairness::signature::PublicKey;

/// The most bytes of a root of trust: sixteen keys need a thirtieth of it.
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
    /// The receipt key that must sign under the newest manifest, if the folder lacks it.
    pub awaited: Option<PublicKey>,
    /// The files of keys that no manifest lists yet, in ascending order. They are not in `keys`.
    pub staged: Vec<PathBuf>,
}

impl LoadedKeys {
    /// Returns the keyring if records can be signed with it under its newest manifest.
    ///
    /// # Errors
    ///
    /// If the folder `dir` lacks the receipt key that signs.
    pub fn that_signs(self, dir: &Path) -> Result<Self, Vec<KeyFault>> {
        match &self.awaited {
            Some(key) => Err(vec![not_there(dir, key)]),
            None => Ok(self),
        }
    }
}

fn not_there(dir: &Path, key: &PublicKey) -> KeyFault {
    KeyFault::at(dir, format!("receipt key {}, which signs, is not there", key.kid()))
}

/// Reads a keyring folder and trusts `root`, or without one the folder's `root.json`.
///
/// The manifests are in `manifests`: a file, or a folder of `*.jsonl` files. Without it they are
/// in the file `manifests.jsonl` of the keyring folder. The files of a folder hold the records
/// together, in any order, and may repeat a record.
///
/// Checks the manifest chain against the root, and every epoch secret against the commitment that a
/// manifest lists. Also checks that a chain of the fresh suite has a token key. A receipt key or a
/// secret that no manifest lists yet is staged: it is read, and not used. Root, ledger and witness
/// keys in the folder are not read.
///
/// # Errors
///
/// Returns every fault. A missing receipt key is no fault here, even if it is the key that signs:
/// [`LoadedKeys::that_signs`] refuses it.
pub fn load(
    dir: &Path,
    manifests: Option<&Path>,
    root: Option<Root>,
) -> Result<LoadedKeys, Vec<KeyFault>> {
    load_with(dir, manifests, root, &KeyAccess::default())
}

/// Access to keys that are not in plain files.
#[derive(Clone, Debug, Default)]
pub struct KeyAccess {
    /// The passphrase of the key files.
    pub passphrase: Option<Passphrase>,
    /// The key store that holds receipt keys.
    pub signer: Option<Arc<SocketSigner>>,
}

/// Does as [`load`] with files under a passphrase, and with the receipt keys of a key store that
/// the manifests list.
///
/// # Errors
///
/// As [`load`]. Also if the key store does not answer, or if one of these keys does not sign a
/// trial text twice alike.
pub fn load_with(
    dir: &Path,
    manifests: Option<&Path>,
    root: Option<Root>,
    access: &KeyAccess,
) -> Result<LoadedKeys, Vec<KeyFault>> {
    let root = match root {
        Some(root) => root,
        None => read_root(&dir.join(ROOT)).map_err(|fault| vec![fault])?,
    };
    let place = manifests.map_or_else(|| dir.join(MANIFESTS), Path::to_owned);
    let records = read_manifests(&place)?;
    let manifests = ManifestChain::load(&root, &records).map_err(|faults| {
        faults.into_iter().map(|f| KeyFault::at(&place, f.to_string())).collect::<Vec<_>>()
    })?;

    let (mut faults, mut staged) = (Vec::new(), Vec::new());
    let mut keys = ring(dir, access.passphrase.as_ref(), &manifests, &mut staged, &mut faults);
    if let Some(signer) = &access.signer
        && let Err(error) = add_stored_keys(signer, &manifests, &mut keys)
    {
        faults.push(KeyFault::at(signer.path(), error.to_string()));
    }
    let signing = manifests.newest().manifest.receipt_keys.first().map(|listed| listed.key);
    let awaited = signing.filter(|key| keys.receipt_key(key).is_none());
    if faults.is_empty() {
        return Ok(LoadedKeys { keys, manifests, root, awaited, staged });
    }
    faults.extend(awaited.map(|key| not_there(dir, &key)));
    Err(faults)
}

/// Reads the keys of the folder into a ring, and checks each against the manifests. Keys that no
/// manifest lists yet go to `staged`.
fn ring(
    dir: &Path,
    passphrase: Option<&Passphrase>,
    manifests: &ManifestChain,
    staged: &mut Vec<PathBuf>,
    faults: &mut Vec<KeyFault>,
) -> KeyRing {
    let mut ring = KeyRing::default();
    let mut tokens: Vec<(u32, [u8; 8], TokenKey)> = Vec::new();
    for path in ring_files(dir, faults) {
        let mut fault = |what: &str| faults.push(KeyFault::at(&path, what));
        let key = match KeyFile::read(&path, passphrase) {
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
                    staged.push(path);
                }
            }
            // Its name is not that of a file of the ring, so it is never read: see `ring_files`.
            KeyFile::Signing {
                role: KeyRole::Root | KeyRole::Ledger | KeyRole::Witness | KeyRole::Log,
                ..
            } => {}
            KeyFile::Epoch { epoch, secret } => match listed_epoch(manifests, epoch) {
                None => staged.push(path),
                Some(listed) if listed.commitment().is_none() => {
                    fault("the manifest lists no commitment for this epoch");
                }
                Some(listed) if is_secret_of(&secret, listed) => ring.add_epoch(epoch, secret),
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
    ring
}

/// Adds the receipt keys of a key store that a manifest lists. Each first signs a trial text.
fn add_stored_keys(
    signer: &Arc<SocketSigner>,
    manifests: &ManifestChain,
    ring: &mut KeyRing,
) -> Result<(), SignerError> {
    for SignerKey { role, public } in signer.keys()? {
        if role == KeyRole::Receipt && lists_receipt_key(manifests, &public) {
            signer.try_key(&public)?;
            ring.add_stored_receipt_key(public, Arc::clone(signer) as _);
        }
    }
    Ok(())
}

/// Returns the files of the folder whose names are those of a replica's keys, by name.
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

fn listed_epoch(manifests: &ManifestChain, epoch: u32) -> Option<&Epoch> {
    manifests.all().iter().find_map(|signed| signed.manifest.epoch(epoch))
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
    /// The chains of public randomness to trust, beside quicknet.
    pub beacons: Vec<Hash>,
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

/// Reads a root of trust, with `"witnesses":["<64 hex>"]` and `"beacons":["<64 hex>"]` if there are any,
/// at most 16 each.
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
    let hash = |text: &str| text.parse().map_err(|_| "not a hash");
    let beacons = members.optional("beacons", |m, name| distinct(m, name, hash))?;
    members.finish()?;
    let beacons = beacons.unwrap_or_default();
    Ok(TrustFile { root: Root { keys, threshold }, witnesses, beacons })
}

fn distinct_keys(members: &mut Members<'_>, name: &str) -> Result<Vec<PublicKey>, PayloadError> {
    distinct(members, name, |text| PublicKey::from_hex(text).map_err(|_| "not a public key"))
}

/// Takes an array of 1 to 16 texts that differ, each read with `read`.
fn distinct<T: Ord>(
    members: &mut Members<'_>,
    name: &str,
    read: impl Fn(&str) -> Result<T, &'static str>,
) -> Result<Vec<T>, PayloadError> {
    let mut items = members.list(name, |item| match item {
        Json::Str(text) => read(&text),
        Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a string"),
    })?;
    let listed = items.len();
    items.sort();
    items.dedup();
    if items.len() < listed || !(1..=16).contains(&listed) {
        return Err(members.blame(name, "1 to 16, each once"));
    }
    Ok(items)
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
mod tests;
