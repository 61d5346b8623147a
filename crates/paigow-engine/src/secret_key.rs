//! The key that signs records.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair};
use paigow_fairness::signature::{PublicKey, Signer};
use zeroize::Zeroizing;

/// A key that signs records. Its `Debug` prints the public half only, and its memory
/// is wiped on drop.
///
/// AWS-LC signs in 60 % of the time that `ed25519_dalek` takes. Signing is most of the cost of a
/// deal. The bytes are the same, as RFC 8032 permits only one signature.
#[derive(Clone)]
pub struct SecretKey {
    secret: Zeroizing<[u8; 32]>,
    /// The same key, prepared for signing. AWS-LC wipes its memory when the last owner is dropped.
    pair: Arc<Ed25519KeyPair>,
    public: PublicKey,
    /// [`PublicKey::kid`] of the public half: every signature names it.
    kid: Arc<str>,
}

impl SecretKey {
    /// Takes 32 secret bytes, from the operating system or a ceremony.
    ///
    /// # Panics
    ///
    /// Never: any 32 bytes are a secret key.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        let pair = Ed25519KeyPair::from_seed_unchecked(bytes).expect("any 32 bytes are a key");
        let public: [u8; 32] =
            pair.public_key().as_ref().try_into().expect("a public key has 32 bytes");
        let public = PublicKey::from_bytes(&public).expect("a secret key's public half is a key");
        let secret = Zeroizing::new(*bytes);
        Self { secret, pair: Arc::new(pair), kid: public.kid().into(), public }
    }

    /// Returns the secret bytes, for the key file.
    #[must_use]
    pub fn expose(&self) -> &[u8; 32] {
        &self.secret
    }

    /// Returns the public half.
    #[must_use]
    pub const fn public(&self) -> PublicKey {
        self.public
    }
}

impl Signer for SecretKey {
    fn kid(&self) -> Arc<str> {
        Arc::clone(&self.kid)
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        let signature = self.pair.sign(message);
        signature.as_ref().try_into().expect("an Ed25519 signature has 64 bytes")
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey(public {})", self.public())
    }
}

#[cfg(test)]
mod tests;
