//! The secret keys that a replica holds. The code path of Audit cannot name this type.

use std::collections::BTreeMap;
use std::sync::Arc;

use aws_lc_rs::constant_time::verify_slices_are_equal;
use paigow_fairness::encoding::Hash;
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;
use paigow_fairness::signature::{PublicKey, Signer as _, Verifier};

use crate::{KeyStore, ReceiptSigner, SecretKey, TokenKey, VrfSecretKey};

/// A replica's secrets: epoch secrets, receipt keys and token keys. A receipt key may be in a key
/// store.
///
/// Its `Debug` names the secrets that it holds, and never prints a byte of them.
#[derive(Clone, Debug, Default)]
pub struct KeyRing {
    epochs: BTreeMap<u32, EpochKey>,
    receipts: BTreeMap<PublicKey, ReceiptSigner>,
    tokens: Vec<([u8; 8], TokenKey)>,
}

/// The secret of an epoch, with the public values that every round is checked against.
#[derive(Clone, Debug)]
struct EpochKey {
    secret: EpochSecret,
    /// The commitment to it (derived suite).
    commit: Hash,
    /// The secret as the key of a verifiable random function (vrf suite).
    vrf: VrfSecretKey,
}

impl KeyRing {
    /// Adds the secret of an epoch of the derived or the vrf suite.
    pub fn add_epoch(&mut self, epoch: u32, secret: EpochSecret) {
        let commit = epoch_commit(epoch, &secret);
        let vrf = VrfSecretKey::new(&secret);
        self.epochs.insert(epoch, EpochKey { secret, commit, vrf });
    }

    /// Adds a receipt key that the process holds.
    pub fn add_receipt_key(&mut self, key: SecretKey) {
        self.receipts.insert(key.public(), ReceiptSigner::Held(key));
    }

    /// Adds a receipt key that a key store holds. A key that the process holds as well is used
    /// from the process.
    pub fn add_stored_receipt_key(&mut self, public: PublicKey, store: Arc<dyn KeyStore>) {
        self.receipts.entry(public).or_insert(ReceiptSigner::Stored { public, store });
    }

    /// Adds a token key of the fresh suite; the first one added seals.
    pub fn add_token_key(&mut self, kid: [u8; 8], key: TokenKey) {
        self.tokens.push((kid, key));
    }

    /// Returns the secret of an epoch, if it is held, and the commitment to it.
    #[must_use]
    pub fn epoch(&self, epoch: u32) -> Option<(&EpochSecret, Hash)> {
        self.epochs.get(&epoch).map(|key| (&key.secret, key.commit))
    }

    /// Returns the secret of an epoch as the key of the vrf suite, if it is held.
    #[must_use]
    pub fn vrf_key(&self, epoch: u32) -> Option<&VrfSecretKey> {
        self.epochs.get(&epoch).map(|key| &key.vrf)
    }

    /// Returns every epoch held with its secret, ascending.
    pub fn epochs(&self) -> impl Iterator<Item = (u32, &EpochSecret)> {
        self.epochs.iter().map(|(epoch, key)| (*epoch, &key.secret))
    }

    /// Returns the receipt key with a public half, if it is held.
    #[must_use]
    pub fn receipt_key(&self, public: &PublicKey) -> Option<&ReceiptSigner> {
        self.receipts.get(public)
    }

    /// Returns the names of the held secrets, never a byte of them. Two rings with the same names
    /// hold the same secrets, since each name commits to its secret.
    #[must_use]
    pub fn held(&self) -> Vec<String> {
        let epochs = self.epochs.keys().map(|epoch| format!("epoch {epoch}"));
        let receipts = self.receipts.values().map(|key| match key {
            ReceiptSigner::Held(key) => format!("receipt {}", key.public()),
            ReceiptSigner::Stored { public, .. } => format!("receipt {public} in the key store"),
        });
        let tokens = self.tokens.iter().map(|(kid, _)| format!("token {}", hex::encode(kid)));
        epochs.chain(receipts).chain(tokens).collect()
    }

    /// Returns the token key that seals new tickets.
    #[must_use]
    pub fn sealing_key(&self) -> Option<&([u8; 8], TokenKey)> {
        self.tokens.first()
    }

    /// Returns the ids of the token keys that are held.
    pub fn token_keys(&self) -> impl Iterator<Item = [u8; 8]> {
        self.tokens.iter().map(|(kid, _)| *kid)
    }

    /// Returns the token key with an id.
    #[must_use]
    pub fn token_key(&self, kid: [u8; 8]) -> Option<&TokenKey> {
        self.tokens.iter().find(|(id, _)| *id == kid).map(|(_, key)| key)
    }
}

/// A key that the process holds signs the message again. Ed25519 is deterministic (RFC 8032,
/// section 5.1.6), and the key's own signatures verify, so an equal signature is good. Any other
/// signature is verified with the public key. So no replica accepts or refuses a signature that
/// another does not.
///
/// The comparison takes constant time, since the expected signature must stay unknown.
impl Verifier for KeyRing {
    fn verifies(&self, key: &PublicKey, message: &[u8], signature: &[u8; 64]) -> bool {
        let held = self.receipt_key(key).and_then(ReceiptSigner::held);
        let is_own =
            held.is_some_and(|own| verify_slices_are_equal(&own.sign(message), signature).is_ok());
        is_own || key.verifies(message, signature)
    }
}

#[cfg(test)]
mod tests;
