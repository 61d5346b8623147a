//! The secret keys that a replica holds. The code path of Audit cannot name this.

use std::collections::BTreeMap;
use std::sync::Arc;

use paigow_fairness::encoding::Hash;
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;
use paigow_fairness::signature::PublicKey;

use crate::{KeyStore, ReceiptSigner, SecretKey, TokenKey};

/// A replica's secrets: epoch secrets, receipt keys and token keys. A receipt key may be in a key
/// store.
///
/// Its `Debug` says which it holds, never a byte of them.
#[derive(Clone, Debug, Default)]
pub struct KeyRing {
    /// With the commitment to each, which every round is held against.
    epochs: BTreeMap<u32, (EpochSecret, Hash)>,
    receipts: BTreeMap<PublicKey, ReceiptSigner>,
    tokens: Vec<([u8; 8], TokenKey)>,
}

impl KeyRing {
    /// Adds the secret of an epoch of the derived suite.
    pub fn add_epoch(&mut self, epoch: u32, secret: EpochSecret) {
        let commit = epoch_commit(epoch, &secret);
        self.epochs.insert(epoch, (secret, commit));
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
        self.epochs.get(&epoch).map(|(secret, commit)| (secret, *commit))
    }

    /// Returns every epoch held with its secret, ascending.
    pub fn epochs(&self) -> impl Iterator<Item = (u32, &EpochSecret)> {
        self.epochs.iter().map(|(epoch, (secret, _))| (*epoch, secret))
    }

    /// Returns the receipt key with a public half, if it is held.
    #[must_use]
    pub fn receipt_key(&self, public: &PublicKey) -> Option<&ReceiptSigner> {
        self.receipts.get(public)
    }

    /// Returns which secrets are held, never a byte of them: two rings that say the same
    /// hold the same, since what names a secret commits to it.
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
