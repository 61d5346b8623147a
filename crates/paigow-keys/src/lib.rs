//! The key ceremony: makes keys, signs manifests and releases, witnesses salts and reveals epochs.
//! It works offline on files, and links no network crate.
//!
//! The order of a ceremony for one epoch:
//!
//! 1. Each root holder makes a `root` key. The operator makes a `receipt` key, an `epoch`
//!    secret and, per tenant, a `ledger` key. The laboratory makes a `witness` key.
//! 2. A description ([`manifest::example`]) lists the public halves and announces the
//!    epoch with the laboratory's key. [`manifest::sign`], then
//!    [`manifest::add_signature`] until the threshold; the record is a line of
//!    `manifests.jsonl` and is published.
//! 3. The laboratory, having seen it published, draws and signs the salt with [`salt`], by a
//!    program and with a list of its own.
//! 4. The description with the salt's value makes the next manifest, signed likewise.
//!    [`next()`] writes the description to start from.
//! 5. After `settle_until`, [`reveal()`] publishes the epoch's secret. In the vrf suite
//!    [`prove_seeds()`] proves the seeds of rounds without a settlement instead. Operator and
//!    witness sign the close with [`sign_close`].

mod close;
mod description;
mod dev_close;
mod draw;
mod epochs;
pub mod manifest;
mod next;
mod prove_seeds;
mod release;
mod reveal;
mod signing;
mod witness;

use std::io::Write;
use std::path::{Path, PathBuf};

use paigow_engine::SecretKey;
use paigow_engine::TokenKey;
use paigow_engine::VrfSecretKey;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;
use paigow_fairness::transcript;
use paigow_files::command::{CommandError, read_file};
use paigow_files::keys::{KeyEntropy, KeyFault, KeyFile, KeyRole, Passphrase};

pub use close::sign_close;
pub use dev_close::dev_close;
pub use epochs::{EpochPlan, PlannedSuite, epochs};
pub use next::next;
pub use prove_seeds::{SeedsToProve, prove_seeds};
pub use release::sign_release;
pub use reveal::reveal;
pub use signing::{CeremonyKey, SigningArguments};
pub use witness::{SaltRequest, salt};

/// The kind of a new key.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NewKey {
    /// A signing key.
    Signing(KeyRole),
    /// The secret of an epoch of the derived or the vrf suite, 0 to 2^31 - 1.
    Epoch(u32),
    /// A token key of the fresh suite with its serial number.
    Token(u32),
}

/// The place and the protection of the file of a new key.
#[derive(Clone, Debug, Default)]
pub struct KeyOutput {
    /// The existing folder of the file.
    pub dir: PathBuf,
    /// A second source of at least 32 bytes, which is mixed with the output of the system's
    /// generator.
    pub mix: Option<PathBuf>,
    /// The passphrase that protects the secret in the file.
    pub passphrase: Option<Passphrase>,
}

/// Makes a key, writes its file into a folder and its public half to `out`.
///
/// `entropy` has to pass the start-up tests of SP 800-90B.
///
/// # Errors
///
/// Returns [`CommandError`] if entropy fails its tests or repeats an earlier output. Also if the
/// file to mix is not a file, or if the key's file exists already or cannot be written.
pub fn new_key(
    new: NewKey,
    to: &KeyOutput,
    entropy: KeyEntropy<'_>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let secret = draw::draw(&to.dir, to.mix.as_deref(), entropy)?;
    let (role, key, public) = match new {
        NewKey::Signing(role) => {
            let key = SecretKey::from_bytes(&secret);
            let public = vec![("kid", key.public().kid()), ("public", key.public().to_string())];
            (role.name(), KeyFile::Signing { role, key }, public)
        }
        NewKey::Epoch(epoch) => {
            let secret = EpochSecret::new(*secret);
            let commit = epoch_commit(epoch, &secret);
            let vrf = VrfSecretKey::new(&secret).public();
            let public = vec![
                ("epoch", epoch.to_string()),
                ("commit", commit.to_string()),
                ("vrf_key", vrf.to_string()),
            ];
            ("epoch", KeyFile::Epoch { epoch, secret }, public)
        }
        NewKey::Token(serial) => {
            let mut kid = [0; 8];
            entropy(&mut kid)?;
            let public = vec![("id", hex::encode(kid)), ("serial", serial.to_string())];
            ("token", KeyFile::Token { kid, serial, key: TokenKey::new(*secret) }, public)
        }
    };
    let path = to.write(&key, entropy)?;
    let file = path.display().to_string();
    let lines = [("role", role.to_owned())].into_iter().chain(public).chain([("file", file)]);
    for (name, value) in lines {
        writeln!(out, "{name:<7} {value}")?;
    }
    Ok(())
}

impl KeyOutput {
    /// Writes the file of a key and returns its path.
    fn write(&self, key: &KeyFile, entropy: KeyEntropy<'_>) -> Result<PathBuf, CommandError> {
        match &self.passphrase {
            None => key.write_new(&self.dir),
            Some(passphrase) => {
                let mut salt = [0; 16];
                entropy(&mut salt)?;
                key.write_new_sealed(&self.dir, passphrase, salt)
            }
        }
        .map_err(cannot_create)
    }
}

fn cannot_create(fault: KeyFault) -> CommandError {
    CommandError::CannotCreate(fault.to_string())
}

/// Reads records in JSON Lines.
fn records(path: &Path) -> Result<Vec<RecordEnvelope>, CommandError> {
    transcript::parse(&read_file(path)?)
        .map_err(|error| CommandError::Data(format!("{}: {error}", path.display())))
}
