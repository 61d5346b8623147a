//! The secret of a key file under a passphrase.
//!
//! The key of ChaCha20-Poly1305 is scrypt of the passphrase, with the salt of the file, the cost N
//! = 2^17, r = 8 and p = 1. The nonce is 12 zero bytes, since the salt makes each key new. The
//! lines of the file before `sealed` are the associated data, so a change of them is detected.

use std::fmt;
use std::path::Path;

use chacha20poly1305::aead::{AeadInOut as _, KeyInit as _};
use chacha20poly1305::{ChaCha20Poly1305, Key, Nonce};
use zeroize::Zeroizing;

use super::KeyFault;
use super::regular::read_secret;
use paigow_fairness::encoding::hex_bytes;

/// The cost of a new file: 128 MiB of memory, and some tenths of a second.
const COST: u8 = 17;

/// The accepted costs: 32 MiB to 1 GiB.
const COSTS: std::ops::RangeInclusive<u8> = 15..=20;

/// The fewest bytes of a passphrase.
const SHORTEST: usize = 12;

/// The most bytes of a passphrase.
const LONGEST: usize = 1024;

/// The passphrase of key files. Its `Debug` prints no byte, and its memory is wiped on drop.
#[derive(Clone)]
pub struct Passphrase(Zeroizing<Vec<u8>>);

impl Passphrase {
    /// Takes the first line of a text.
    ///
    /// # Errors
    ///
    /// If it has fewer than 12 bytes or more than 1,024.
    pub fn new(text: &[u8]) -> Result<Self, PassphraseLength> {
        let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default();
        if (SHORTEST..=LONGEST).contains(&line.len()) {
            Ok(Self(Zeroizing::new(line.to_vec())))
        } else {
            Err(PassphraseLength)
        }
    }

    /// Reads the first line of a file that only its owner may read.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, its group or others may read or write it, or its line has
    /// fewer than 12 bytes or more than 1,024.
    pub fn read(path: &Path) -> Result<Self, KeyFault> {
        let bytes = read_secret(path, LONGEST + 1)
            .map_err(|error| KeyFault::at(path, error.to_string()))?;
        Self::new(&bytes).map_err(|error| KeyFault::at(path, error.to_string()))
    }
}

impl fmt::Debug for Passphrase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Passphrase(..)")
    }
}

/// The error of a passphrase that is too short or too long.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("a passphrase is one line of 12 to 1024 bytes")]
pub struct PassphraseLength;

/// The parameters that make the key of a file from its passphrase; shown as `17 <32 hex>`.
pub(super) struct Scrypt {
    /// The logarithm of N.
    cost: u8,
    salt: [u8; 16],
}

impl Scrypt {
    pub(super) const fn new(salt: [u8; 16]) -> Self {
        Self { cost: COST, salt }
    }

    /// Reads the output of `Display`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let (cost, salt) = text.split_once(' ')?;
        let cost = COSTS.into_iter().find(|known| known.to_string() == cost)?;
        Some(Self { cost, salt: hex_bytes(salt).ok()? })
    }

    fn key(&self, passphrase: &Passphrase) -> Zeroizing<[u8; 32]> {
        let params = scrypt::Params::new(self.cost, 8, 1).expect("2^20 and 8 are parameters");
        let mut key = Zeroizing::new([0; 32]);
        scrypt::scrypt(&passphrase.0, &self.salt, &params, &mut *key)
            .expect("32 bytes are a length of scrypt");
        key
    }

    fn cipher(&self, passphrase: &Passphrase) -> ChaCha20Poly1305 {
        ChaCha20Poly1305::new(&Key::from(*self.key(passphrase)))
    }
}

impl fmt::Display for Scrypt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.cost, hex::encode(self.salt))
    }
}

/// The error of a wrong passphrase, or of a file that was changed.
pub(super) struct UnsealError;

/// Seals a secret; `open` has the lines before it.
pub(super) fn seal(
    passphrase: &Passphrase,
    scrypt: &Scrypt,
    open: &str,
    secret: &[u8; 32],
) -> [u8; 48] {
    let mut sealed = [0; 48];
    let (text, tag) = sealed.split_at_mut(32);
    text.copy_from_slice(secret);
    let made = scrypt
        .cipher(passphrase)
        .encrypt_inout_detached(&Nonce::default(), open.as_bytes(), text.into())
        .expect("32 bytes are not too long to seal");
    tag.copy_from_slice(&made);
    sealed
}

/// Opens the output of [`seal`].
pub(super) fn unseal(
    passphrase: &Passphrase,
    scrypt: &Scrypt,
    open: &str,
    sealed: &[u8; 48],
) -> Result<Zeroizing<[u8; 32]>, UnsealError> {
    let mut secret = Zeroizing::new([0; 32]);
    let (text, tag) = sealed.split_at(32);
    secret.copy_from_slice(text);
    let tag: [u8; 16] = tag.try_into().expect("16 of 48 bytes");
    scrypt
        .cipher(passphrase)
        .decrypt_inout_detached(
            &Nonce::default(),
            open.as_bytes(),
            secret.as_mut_slice().into(),
            &tag.into(),
        )
        .map_err(|_| UnsealError)?;
    Ok(secret)
}
