//! The player's side: a seed, and a key for the round. In a browser this is WebCrypto's work.

use crate::keys::SecretHalf;
use sha2::{Digest as _, Sha256};

/// Returns 32 random bytes: the client seed of a seat, for one round.
///
/// # Panics
///
/// If the operating system has no random bytes.
#[must_use]
pub fn new_seed() -> [u8; 32] {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).expect("the system has random bytes");
    seed
}

/// Returns the commitment to a seed, 64 hexadecimal digits. `prefix` is that of the seat in
/// [`Round::commit_prefixes`](crate::Round::commit_prefixes).
#[must_use]
pub fn commitment(prefix: &[u8], seed: &[u8; 32]) -> String {
    hex::encode(Sha256::new().chain_update(prefix).chain_update(seed).finalize())
}

/// The key that signs a player's decisions in one round. Its `Debug` shows the public half.
///
/// # Examples
///
/// ```
/// let key = paigow_client::SeatKey::generate();
/// assert_eq!(key.public_key().len(), 64);
/// assert_eq!(key.sign(b"the bytes of a decision").len(), 64);
/// ```
#[derive(Debug)]
pub struct SeatKey(SecretHalf);

impl SeatKey {
    /// Makes a new key.
    ///
    /// # Panics
    ///
    /// If the operating system has no random bytes.
    #[must_use]
    pub fn generate() -> Self {
        Self::from_secret(&new_seed())
    }

    /// Returns the key of 32 secret bytes.
    ///
    /// # Panics
    ///
    /// Never: any 32 bytes are a key.
    #[must_use]
    pub fn from_secret(secret: &[u8; 32]) -> Self {
        Self(SecretHalf::of(secret).expect("32 bytes are a key"))
    }

    /// Returns the public half, 64 hexadecimal digits.
    #[must_use]
    pub fn public_key(&self) -> String {
        self.0.public_key()
    }

    /// Returns the signature of bytes, 64 bytes.
    #[must_use]
    pub fn sign(&self, to_sign: &[u8]) -> [u8; 64] {
        self.0.sign(to_sign)
    }
}
