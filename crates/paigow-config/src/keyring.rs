//! `[keyring]`: the places of the keys, and the trusted root.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::faults::{ConfigFaults, path};
use paigow_fairness::manifest::Root;
use paigow_fairness::signature::PublicKey;

/// Settings of the keyring folder.
#[derive(Clone, Debug)]
pub struct KeyringConfig {
    /// The folder.
    pub directory: PathBuf,
    /// The file or folder of the manifests, if it is not the file in `directory`.
    pub manifests: Option<PathBuf>,
    /// The file whose first line is the passphrase of the key files.
    pub passphrase_file: Option<PathBuf>,
    /// The Unix socket of the key store that holds receipt keys.
    pub signer: Option<PathBuf>,
    /// How long an answer of the key store may take.
    pub signer_timeout: Duration,
    /// Whether to make a development keyring if there is no keyring.
    pub generate: bool,
    /// The root to trust, if it is not the folder's own.
    pub root: Option<Root>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawKeyring {
    directory: String,
    manifests: String,
    passphrase_file: String,
    signer: String,
    signer_timeout_ms: u64,
    generate: bool,
    root_keys: List,
    threshold: usize,
}

/// A list: a list in a file, with commas in the environment.
#[derive(Clone, Debug, Deserialize)]
#[serde(untagged)]
enum List {
    Items(Vec<String>),
    Text(String),
}

impl Serialize for List {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // Sorted, because the keys of a root are a set.
        let mut items = self.items();
        items.sort_unstable();
        serializer.collect_seq(items)
    }
}

impl List {
    fn items(&self) -> Vec<&str> {
        match self {
            Self::Items(items) => items.iter().map(String::as_str).collect(),
            Self::Text(text) => {
                text.split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
            }
        }
    }
}

impl RawKeyring {
    pub(super) fn check(&self, faults: &mut ConfigFaults) -> KeyringConfig {
        if self.directory.is_empty() {
            faults.add("keyring.directory", "must not be empty");
        }
        let mut keys = Vec::new();
        for (index, item) in self.root_keys.items().into_iter().enumerate() {
            match PublicKey::from_hex(item) {
                Ok(key) if !keys.contains(&key) => keys.push(key),
                Ok(_) => {
                    faults.add("keyring.root_keys", format_args!("key {index} is there twice"))
                }
                Err(error) => {
                    faults.add("keyring.root_keys", format_args!("key {index}: {error}"));
                }
            }
        }
        let given = self.root_keys.items().len();
        if given > 0 && self.generate {
            let what = "a development keyring has its own: leave it empty, or set \
                        keyring.generate to false";
            faults.add("keyring.root_keys", what);
        }
        if !self.manifests.is_empty() && self.generate {
            let what = "a development keyring has its own: leave it empty, or set \
                        keyring.generate to false";
            faults.add("keyring.manifests", what);
        }
        for (key, value) in [("passphrase_file", &self.passphrase_file), ("signer", &self.signer)] {
            if !value.is_empty() && self.generate {
                let what = "a development keyring has its keys in plain files: leave it empty, or \
                            set keyring.generate to false";
                faults.add(&format!("keyring.{key}"), what);
            }
        }
        faults.within("keyring.signer_timeout_ms", &self.signer_timeout_ms, 10, 60_000);
        faults.within("keyring.threshold", &self.threshold, 1, given.max(1));
        KeyringConfig {
            directory: self.directory.clone().into(),
            manifests: path(&self.manifests),
            passphrase_file: path(&self.passphrase_file),
            signer: path(&self.signer),
            signer_timeout: Duration::from_millis(self.signer_timeout_ms),
            generate: self.generate,
            root: (given > 0).then_some(Root { keys, threshold: self.threshold }),
        }
    }
}
