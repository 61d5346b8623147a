//! Ed25519: the one module of the client that signs.

use std::fmt;

use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair as _};
use paigow_fairness::signature::PublicKey;

/// A secret key. Its `Debug` shows the public half.
pub(crate) struct SecretHalf(Ed25519KeyPair);

impl fmt::Debug for SecretHalf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.public_key())
    }
}

impl SecretHalf {
    /// Returns the key of 32 secret bytes; [`None`] if there are more or fewer.
    pub(crate) fn of(secret: &[u8]) -> Option<Self> {
        Ed25519KeyPair::from_seed_unchecked(secret).ok().map(Self)
    }

    /// Returns the public half, 64 hexadecimal digits.
    pub(crate) fn public_key(&self) -> String {
        hex::encode(self.0.public_key())
    }

    /// Returns the signature of bytes.
    pub(crate) fn sign(&self, to_sign: &[u8]) -> [u8; 64] {
        self.0.sign(to_sign).as_ref().try_into().expect("a signature has 64 bytes")
    }
}

/// Returns whether a public key verifies a signature.
pub(crate) fn is_signed_by(public_key: &str, to_sign: &[u8], signature: &[u8]) -> bool {
    let key = PublicKey::from_hex(public_key);
    let signature: Result<&[u8; 64], _> = signature.try_into();
    matches!((key, signature), (Ok(key), Ok(signature)) if key.verifies(to_sign, signature))
}
