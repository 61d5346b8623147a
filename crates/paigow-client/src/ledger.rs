//! The ledger: reads what it signs, keeps it before it sends it, and signs one lock of a step of a round.

use std::error::Error;
use std::fmt;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;

use paigow_proto::v1::{Record, UnsignedRecord, WagerSheet};
use serde_json::Value;
use zeroize::Zeroizing;

use prost::Message as _;

use crate::errors::ClientError;
use crate::keys::{SecretHalf, is_signed_by};
use crate::records::{self, LOCK};
use crate::store::{LedgerStore, LockStep, Place, StoredLock};

/// A signature on its way.
pub type SignatureFuture<'a> =
    Pin<Box<dyn Future<Output = Result<Vec<u8>, ClientError>> + Send + 'a>>;

/// A key that signs locks: in a file, an HSM, a KMS.
pub trait LedgerSigner: fmt::Debug + Send + Sync {
    /// Returns the public key, 64 hexadecimal digits.
    fn public_key(&self) -> &str;

    /// Signs bytes with Ed25519. Returns 64 bytes.
    ///
    /// # Errors
    ///
    /// [`ClientError::Ledger`] if the key cannot sign now.
    fn sign<'a>(&'a self, to_sign: &'a [u8]) -> SignatureFuture<'a>;

    /// Returns the most bytes that it signs; [`None`] if there is no limit. A KMS may sign at most 4,096. A lock of
    /// seven seats with all bets has up to some 3,500.
    fn limit(&self) -> Option<usize> {
        None
    }
}

/// The reason why a signer does not sign.
pub type SignerFailure = Box<dyn Error + Send + Sync>;

type SignFunction = dyn Fn(&[u8]) -> Result<Vec<u8>, SignerFailure> + Send + Sync;

/// Signs with a function over bytes: a KMS, an HSM, another process.
///
/// # Examples
///
/// ```
/// use paigow_client::KeySigner;
///
/// # let ask_the_kms = |to_sign: &[u8]| Ok(to_sign.to_vec());
/// # let public_key = "00";
/// let signer = KeySigner::new(public_key, ask_the_kms).limit(4096);
/// ```
#[derive(Clone)]
pub struct KeySigner {
    public_key: String,
    sign: Arc<SignFunction>,
    limit: Option<usize>,
}

impl fmt::Debug for KeySigner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySigner").field("public_key", &self.public_key).finish_non_exhaustive()
    }
}

impl KeySigner {
    /// Makes a signer. `public_key` has 64 hexadecimal digits. `sign` returns 64 bytes, an Ed25519 signature; it may
    /// block, and is called on a thread for that.
    pub fn new(
        public_key: impl Into<String>,
        sign: impl Fn(&[u8]) -> Result<Vec<u8>, SignerFailure> + Send + Sync + 'static,
    ) -> Self {
        Self { public_key: public_key.into(), sign: Arc::new(sign), limit: None }
    }

    /// Sets the most bytes that the function takes. There is no limit unless it is set.
    #[must_use]
    pub const fn limit(mut self, limit: usize) -> Self {
        self.limit = Some(limit);
        self
    }
}

impl LedgerSigner for KeySigner {
    fn public_key(&self) -> &str {
        &self.public_key
    }

    fn sign<'a>(&'a self, to_sign: &'a [u8]) -> SignatureFuture<'a> {
        let (sign, to_sign) = (Arc::clone(&self.sign), to_sign.to_vec());
        Box::pin(async move {
            let signed = tokio::task::spawn_blocking(move || sign(&to_sign)).await;
            let failed =
                |error: &dyn fmt::Display| ClientError::Ledger(format!("the signer: {error}"));
            signed.map_err(|error| failed(&error))?.map_err(|error| failed(&error))
        })
    }

    fn limit(&self) -> Option<usize> {
        self.limit
    }
}

/// Signs with a key file of `paigow-keys` (`paigow-key-1`, role `ledger`). Its `Debug` shows the public half.
#[derive(Debug)]
pub struct FileSigner {
    public_key: String,
    key: SecretHalf,
}

impl FileSigner {
    /// Reads a key file.
    ///
    /// # Errors
    ///
    /// [`ClientError::File`] if the file cannot be read or is not the key file of a ledger.
    pub fn read(file: impl AsRef<Path>) -> Result<Self, ClientError> {
        let file = file.as_ref();
        let wrong =
            |fault: &dyn fmt::Display| ClientError::File(format!("{}: {fault}", file.display()));
        let text = Zeroizing::new(std::fs::read_to_string(file).map_err(|error| wrong(&error))?);
        let member =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let secret = (member("role") == Some("ledger")).then(|| member("secret")).flatten();
        let secret = secret.and_then(|text| hex::decode(text.trim()).ok()).map(Zeroizing::new);
        let key = secret.and_then(|secret| SecretHalf::of(&secret));
        let key = key.ok_or_else(|| wrong(&"not the key file of a ledger"))?;
        Ok(Self { public_key: key.public_key(), key })
    }
}

impl LedgerSigner for FileSigner {
    fn public_key(&self) -> &str {
        &self.public_key
    }

    fn sign<'a>(&'a self, to_sign: &'a [u8]) -> SignatureFuture<'a> {
        Box::pin(std::future::ready(Ok(self.key.sign(to_sign).to_vec())))
    }
}

/// Signs locks, and keeps them in a database. Clones share both.
///
/// # Examples
///
/// ```no_run
/// use paigow_client::{ClientError, FileSigner, Ledger, LedgerStore};
///
/// # async fn open() -> Result<(), ClientError> {
/// let store = LedgerStore::sqlite("ledger.db", "mark").await?;
/// let ledger = Ledger::new(FileSigner::read("ledger.key")?, store);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
pub struct Ledger {
    pub(crate) signer: Arc<dyn LedgerSigner>,
    pub(crate) store: LedgerStore,
}

impl Ledger {
    /// Makes a ledger of a signer and a database.
    pub fn new(signer: impl LedgerSigner + 'static, store: LedgerStore) -> Self {
        Self { signer: Arc::new(signer), store }
    }

    /// Returns the database.
    #[must_use]
    pub const fn store(&self) -> &LedgerStore {
        &self.store
    }

    /// Returns the signed lock of a step, if there is one. If a crash has left a lock without its
    /// signature, it is signed now: the platform has asked for it.
    ///
    /// # Errors
    ///
    /// Those of [`Ledger::lock`].
    pub async fn stored(
        &self,
        place: &Place,
        step: LockStep,
    ) -> Result<Option<StoredLock>, ClientError> {
        match self.store.lock(place, step).await? {
            Some(lock) => Ok(Some(self.signed(lock).await?)),
            None => Ok(None),
        }
    }

    /// Signs the lock of a step, or returns the one that was signed.
    ///
    /// `unsigned` is the engine's answer to a `Prepare` call. `expected` is the payload that the platform asked for,
    /// made without the engine. `content` is stored with the lock.
    ///
    /// # Errors
    ///
    /// - [`ClientError::NotTheRecord`] if the bytes to sign are another record.
    /// - [`ClientError::SignedOtherwise`] if the step has another lock, or a lock of the other step follows the same
    ///   record.
    /// - [`ClientError::Restored`] and [`ClientError::LedgerUnavailable`] of the database.
    /// - [`ClientError::Ledger`] if the lock is too long for the signer, or its signature is wrong.
    pub async fn lock(
        &self,
        place: &Place,
        step: LockStep,
        unsigned: &UnsignedRecord,
        expected: &Value,
        content: Vec<u8>,
    ) -> Result<StoredLock, ClientError> {
        records::check_to_sign(unsigned, LOCK, expected)?;
        let envelope = records::envelope_of(unsigned)?;
        let lock =
            self.store.claim(place, step, envelope, unsigned.to_sign.clone(), content).await?;
        if lock.to_sign != unsigned.to_sign {
            let Place { table, round_no, .. } = place;
            let locked = match step {
                LockStep::Wagers => WagerSheet::decode(&lock.content[..]).ok().map(Box::new),
                LockStep::Close => None,
            };
            let message = format!("round {round_no} at {table} is locked otherwise");
            return Err(ClientError::SignedOtherwise { message, locked });
        }
        self.signed(lock).await
    }

    async fn signed(&self, lock: StoredLock) -> Result<StoredLock, ClientError> {
        if lock.signature.is_some() {
            return Ok(lock);
        }
        let length = lock.to_sign.len();
        if let Some(limit) = self.signer.limit().filter(|&limit| length > limit) {
            return Err(ClientError::Ledger(format!(
                "the lock has {length} bytes, and the signer takes {limit}"
            )));
        }
        self.store.mark_locks().await?;
        let signature = self.signer.sign(&lock.to_sign).await?;
        if !is_signed_by(self.signer.public_key(), &lock.to_sign, &signature) {
            let sentence = "the signer has made a signature that its public key does not verify";
            return Err(ClientError::Ledger(sentence.to_owned()));
        }
        self.store.signed(lock, self.signer.public_key(), &signature).await
    }

    /// Returns a signed lock as calls and transcripts take it: its signature is in the envelope.
    ///
    /// # Errors
    ///
    /// [`ClientError::Ledger`] if the lock has no signature.
    pub fn record(lock: &StoredLock) -> Result<Record, ClientError> {
        let (Some(key), Some(signature)) = (&lock.public_key, &lock.signature) else {
            return Err(ClientError::Ledger("the lock has no signature".to_owned()));
        };
        let envelope = records::signed(&lock.envelope, key, signature)?;
        Ok(Record { envelope, signatures: Vec::new() })
    }
}
