//! The keys that sign the engine's records, wherever they are kept.

use std::fmt;
use std::sync::Arc;

use paigow_fairness::signature::PublicKey;

use crate::SecretKey;

/// A device or program that keeps signing keys and signs with them, as an HSM does.
///
/// Every signature of the store is verified before it is used. Ed25519 gives one signature for one
/// message. A store that gives others must not be used, since the same request would no longer get
/// the same bytes.
pub trait KeyStore: fmt::Debug + Send + Sync {
    /// Signs `message` with the key whose public half is `key`.
    ///
    /// # Errors
    ///
    /// If the store cannot be reached, or does not sign with this key now.
    fn sign(&self, key: &PublicKey, message: &[u8]) -> Result<[u8; 64], KeyStoreUnavailable>;
}

/// The error of a [`KeyStore`] that does not sign now.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct KeyStoreUnavailable {
    cause: String,
}

impl KeyStoreUnavailable {
    /// States the cause, for the operator: a caller of the service does not get it.
    #[must_use]
    pub fn new(cause: impl Into<String>) -> Self {
        Self { cause: cause.into() }
    }
}

impl fmt::Display for KeyStoreUnavailable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.cause)
    }
}

impl std::error::Error for KeyStoreUnavailable {}

/// A receipt key of a replica. Its `Debug` prints the public half only.
#[derive(Clone, Debug)]
pub enum ReceiptSigner {
    /// The process holds the secret half.
    Held(SecretKey),
    /// A key store holds it.
    Stored {
        /// The public half.
        public: PublicKey,
        /// The store that signs.
        store: Arc<dyn KeyStore>,
    },
}

impl ReceiptSigner {
    /// Returns the public half.
    #[must_use]
    pub const fn public(&self) -> PublicKey {
        match self {
            Self::Held(key) => key.public(),
            Self::Stored { public, .. } => *public,
        }
    }

    /// Returns the key itself, if the process holds it.
    #[must_use]
    pub const fn held(&self) -> Option<&SecretKey> {
        match self {
            Self::Held(key) => Some(key),
            Self::Stored { .. } => None,
        }
    }
}
