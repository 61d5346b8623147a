//! A key that signs in tests, from the library that does not sign in play.

use std::sync::Arc;

use ed25519_dalek::{Signer as _, SigningKey};

use crate::signature::{PublicKey, Signer};

pub(crate) struct SecretKey(SigningKey);

impl SecretKey {
    pub(crate) fn from_bytes(bytes: &[u8; 32]) -> Self {
        Self(SigningKey::from_bytes(bytes))
    }

    pub(crate) fn public(&self) -> PublicKey {
        PublicKey::from_bytes(&self.0.verifying_key().to_bytes()).unwrap()
    }
}

impl Signer for SecretKey {
    fn kid(&self) -> Arc<str> {
        self.public().kid().into()
    }

    fn sign(&self, message: &[u8]) -> [u8; 64] {
        self.0.sign(message).to_bytes()
    }
}
