//! The signers of a command of the ceremony: key files, programs, or a signature that was made
//! elsewhere.

use std::fmt;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use paigow_engine::SecretKey;
use paigow_fairness::dsse::{Dsse, PayloadType};
use paigow_fairness::encoding::hex_bytes;
use paigow_fairness::signature::{PublicKey, Signer as _};
use paigow_files::command::{CommandError, passphrase, public_key, read_file, signing_key};
use paigow_files::keys::{KeyRole, ProgramSigner, SignerError, SignerKey};

/// The keys of a command that signs.
///
/// A key is in a file, or a program signs with it (`--signer`), or it is anywhere else. Then
/// `--to-sign` writes the bytes to be signed. The same command with `--signature` takes the
/// signature of exactly these bytes.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct SigningArguments {
    /// A key file. Repeatable.
    #[arg(long = "key", value_name = "FILE")]
    pub keys: Vec<PathBuf>,
    /// The file whose first line is the passphrase of the key files. `-` is standard input.
    #[arg(long, value_name = "FILE")]
    pub passphrase_file: Option<PathBuf>,
    /// A program that signs, with its arguments, as 'paigow-pkcs11 --token root'. Repeatable.
    #[arg(long = "signer", value_name = "COMMAND")]
    pub signers: Vec<String>,
    /// The public half of the key that signs: of a key elsewhere, or of one of several keys of a
    /// signer.
    #[arg(long, value_name = "KEY", value_parser = public_key)]
    pub public: Option<PublicKey>,
    /// Writes the bytes that the key of --public has to sign to a new file, and ends.
    #[arg(long, value_name = "FILE", requires = "public", conflicts_with = "signature")]
    pub to_sign: Option<PathBuf>,
    /// The file with the signature of these bytes: 64 bytes, or their hexadecimal or base64 text.
    #[arg(long, value_name = "FILE", requires = "public")]
    pub signature: Option<PathBuf>,
}

impl SigningArguments {
    /// Names one key file.
    #[must_use]
    pub fn file(path: &Path) -> Self {
        Self { keys: vec![path.to_owned()], ..Self::default() }
    }

    /// Whether no key is named.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty() && self.signers.is_empty() && self.public.is_none()
    }

    /// Reads the key files and starts the programs. Keys in files must have one of `roles`. A
    /// program is asked for its keys of these roles.
    ///
    /// # Errors
    ///
    /// If no key is named, or more than one and the bytes go elsewhere. Also if a key cannot be
    /// read or found.
    pub fn open(&self, roles: &[KeyRole]) -> Result<Vec<CeremonyKey>, CommandError> {
        let usage = |what: &str| Err(CommandError::Usage(what.to_owned()));
        let elsewhere = self.to_sign.is_some() || self.signature.is_some();
        if elsewhere && !(self.keys.is_empty() && self.signers.is_empty()) {
            return usage(
                "--to-sign and --signature are for one key: leave out --key and --signer",
            );
        }
        if self.keys.is_empty() && self.signers.is_empty() && !elsewhere {
            return usage(
                "name a key: --key FILE, --signer COMMAND, or --public KEY with --to-sign FILE",
            );
        }
        let passphrase = self.passphrase_file.as_deref().map(passphrase).transpose()?;
        let mut keys = Vec::new();
        for path in &self.keys {
            let key = signing_key(path, roles, passphrase.as_ref())?;
            let name = path.display().to_string();
            keys.push(CeremonyKey { name, public: key.public(), place: KeyPlace::File(key) });
        }
        for command in &self.signers {
            keys.push(program(command, roles, self.public)?);
        }
        if let (Some(public), true) = (self.public, elsewhere) {
            let place = match (&self.to_sign, &self.signature) {
                (Some(file), _) => KeyPlace::ToSign(file.clone()),
                (None, file) => KeyPlace::Signed(file.clone().unwrap_or_default()),
            };
            keys.push(CeremonyKey { name: public.to_string(), public, place });
        }
        Ok(keys)
    }

    /// Does as [`Self::open`] for a command that signs once.
    ///
    /// # Errors
    ///
    /// As [`Self::open`]. Also if more than one key is named.
    pub fn open_one(&self, roles: &[KeyRole]) -> Result<CeremonyKey, CommandError> {
        let mut keys = self.open(roles)?;
        match (keys.pop(), keys.is_empty()) {
            (Some(key), true) => Ok(key),
            _ => Err(CommandError::Usage("name one key: this command signs once".to_owned())),
        }
    }
}

/// Starts a program and finds its key.
fn program(
    command: &str,
    roles: &[KeyRole],
    wanted: Option<PublicKey>,
) -> Result<CeremonyKey, CommandError> {
    // Without its arguments, which may be many.
    let name = command.split_ascii_whitespace().next().unwrap_or_default();
    let told = |error: SignerError| CommandError::Unavailable(format!("{name}: {error}"));
    let mut signer = ProgramSigner::start(command).map_err(told)?;
    let mut keys = signer.keys().map_err(told)?;
    keys.retain(|key| roles.contains(&key.role) && wanted.is_none_or(|one| one == key.public));
    let [SignerKey { public, .. }] = keys[..] else {
        let names: Vec<&str> = roles.iter().map(|role| role.name()).collect();
        let what = match keys.len() {
            0 => format!("the signer lists no {} key", names.join(" or ")),
            n => {
                format!("the signer lists {n} {} keys: name one with --public", names.join(" or "))
            }
        };
        return Err(CommandError::Usage(format!("{name}: {what}")));
    };
    let place = KeyPlace::Program(Box::new(signer));
    Ok(CeremonyKey { name: name.to_owned(), public, place })
}

/// A key that a command signs with, wherever it is kept.
#[derive(Debug)]
pub struct CeremonyKey {
    /// Its name in messages.
    name: String,
    public: PublicKey,
    place: KeyPlace,
}

#[derive(Debug)]
enum KeyPlace {
    File(SecretKey),
    Program(Box<ProgramSigner>),
    /// Elsewhere: the bytes are written to a file.
    ToSign(PathBuf),
    /// Elsewhere: the file has the signature.
    Signed(PathBuf),
}

impl fmt::Display for CeremonyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

impl CeremonyKey {
    /// Returns the public half.
    #[must_use]
    pub const fn public(&self) -> PublicKey {
        self.public
    }

    /// Returns whether the key is on another machine. Bytes and signature then travel in files.
    pub(super) const fn is_elsewhere(&self) -> bool {
        matches!(self.place, KeyPlace::ToSign(_) | KeyPlace::Signed(_))
    }

    /// Signs `bytes`. With `--to-sign`, writes them to its file instead and returns [`None`].
    ///
    /// # Errors
    ///
    /// If the program gives no signature, or if a file cannot be read or written. Also if the
    /// signature in it is not the key's over these bytes.
    pub fn sign(&mut self, bytes: &[u8]) -> Result<Option<[u8; 64]>, CommandError> {
        match &mut self.place {
            KeyPlace::File(key) => Ok(Some(key.sign(bytes))),
            KeyPlace::Program(signer) => signer
                .sign(&self.public, bytes)
                .map(Some)
                .map_err(|error| CommandError::Unavailable(format!("{}: {error}", self.name))),
            KeyPlace::ToSign(path) => {
                let cannot =
                    |error| CommandError::CannotCreate(format!("{}: {error}", path.display()));
                OpenOptions::new()
                    .write(true)
                    .create_new(true)
                    .open(&*path)
                    .and_then(|mut file| file.write_all(bytes).and_then(|()| file.sync_all()))
                    .map_err(cannot)?;
                Ok(None)
            }
            KeyPlace::Signed(path) => {
                let refuse = |what: &str| CommandError::Data(format!("{}: {what}", path.display()));
                let signature = signature(&read_file(path)?).ok_or_else(|| {
                    refuse("not a signature: 64 bytes, or their hexadecimal or base64 text")
                })?;
                if !self.public.verifies(bytes, &signature) {
                    return Err(refuse(
                        "not the signature of this key over the bytes of --to-sign: they change \
                         with every argument of the command",
                    ));
                }
                Ok(Some(signature))
            }
        }
    }
}

/// Reads a signature in the forms that tools write.
fn signature(bytes: &[u8]) -> Option<[u8; 64]> {
    if let Ok(raw) = bytes.try_into() {
        return Some(raw);
    }
    let text = std::str::from_utf8(bytes).ok()?.trim_ascii();
    hex_bytes(text).ok().or_else(|| STANDARD.decode(text).ok()?.try_into().ok())
}

/// Adds the signature of each key to a record. Returns whether the record has them all. If the
/// bytes go elsewhere first, no signature is added.
///
/// # Errors
///
/// As [`CeremonyKey::sign`]. Also if the record has as many signatures as an envelope can have.
pub(super) fn add_signature<K: PayloadType>(
    record: &mut Dsse<K>,
    key: &mut CeremonyKey,
) -> Result<bool, CommandError> {
    let Some(signature) = key.sign(record.to_sign())? else { return Ok(false) };
    record
        .attach(&key.public, &signature)
        .map_err(|error| CommandError::Usage(format!("{key}: {error}")))?;
    Ok(true)
}
