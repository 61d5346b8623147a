//! The keyring folder: a replica's secrets and the manifests that they belong to.
//!
//! | file | what | secret |
//! |---|---|---|
//! | `manifests.jsonl` | the manifest chain from its first, one record a line; it may be elsewhere, and in several files | no |
//! | `root.json` | `{"keys":["<64 hex>"],"threshold":1}`, the root to trust where none is given; `"witnesses":["<64 hex>"]` for audits | no |
//! | `receipt-<kid>.key` | a key that signs the engine's records | yes |
//! | `epoch-<n>.key` | the secret of an epoch | yes |
//! | `token-<kid>.key` | a key that seals seeds of the fresh suite | yes |
//! | `closed-<n>.jsonl` | what `paigow-keys dev-close` published of an epoch, in a development folder | no |
//! | `root-<kid>.key`, `ledger-<kid>.key` | what only a development folder holds beside | yes |
//!
//! A [`KeyFile`] says how a key is written. Secrets have mode 0600, the folder 0700. No
//! error quotes a file.
//!
//! A server calls [`open_dev`] for a development folder, [`load`] for any other:
//!
//! ```no_run
//! # use paigow_files::keys;
//! # fn entropy(_: &mut [u8]) -> std::io::Result<()> { Ok(()) }
//! # fn main() -> Result<(), Vec<keys::KeyFault>> {
//! let rules = paigow_round::Catalogue::shipped();
//! let dev = keys::open_dev("keys".as_ref(), &rules, 1_795_132_800, &mut entropy)?;
//! let production = keys::load("keys".as_ref(), None, Some(dev.root))?;
//! println!("{} manifests", production.manifests.all().len());
//! # Ok(())
//! # }
//! ```

mod dev;
mod file;
mod load;
mod manifests;
mod regular;
mod sealed_secret;
mod signer;

use std::fmt;
use std::path::Path;

pub use dev::{DevKeyring, create_dev, listed_house_ways, listed_rulesets, open_dev, preview_dev};
pub use file::{KeyFile, KeyRole, ParseKeyFileError};
pub use load::{
    KeyAccess, LoadedKeys, TrustFile, load, load_with, parse_root, parse_trust, write_root,
};
pub use regular::{read_regular, read_secret};
pub use sealed_secret::{Passphrase, PassphraseLength};
pub use signer::{KEY_STORE_TRIAL, ProgramSigner, SignerError, SignerKey, SocketSigner};

/// The name of the manifest chain in a keyring folder.
pub const MANIFESTS: &str = "manifests.jsonl";
/// The name of the root of trust in a keyring folder.
pub const ROOT: &str = "root.json";

/// Fills a buffer with random bytes of the operating system.
pub type KeyEntropy<'a> = &'a mut dyn FnMut(&mut [u8]) -> std::io::Result<()>;

/// A fault of a keyring folder; shown as `path: what`.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeyFault {
    /// The file or folder.
    pub path: String,
    /// A description of the fault, in lower case without a full stop. It never contains a byte of
    /// the file.
    pub what: String,
}

impl KeyFault {
    /// Makes a fault of a file or folder.
    pub fn at(path: &Path, what: impl Into<String>) -> Self {
        Self { path: path.display().to_string(), what: what.into() }
    }
}

impl fmt::Display for KeyFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.what)
    }
}
