//! The operator: announces epochs, salts them, rotates receipt keys, and puts files into keyrings.

use std::path::Path;

use paigow_engine::{SecretKey, VrfSecretKey};
use paigow_fairness::manifest::{
    Epoch, EpochStatus, ExternalPolicy, Manifest, ReceiptKey, Root, SaltSource, Suite,
};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::{epoch_commit, epoch_salt_party, epoch_salt_statement};
use paigow_fairness::signature::Signer as _;
use paigow_files::keys::{KeyFile, KeyRole, MANIFESTS};
use paigow_testkit::casino::{
    OPEN_FROM, announcement, filler, receipt_key, root_key, sign_manifest, successor, witness_key,
};

use crate::replica::TENANT;
use crate::{beacon, disk};

/// How many seconds after the one before an epoch opens.
const EPOCH_EVERY: u64 = 20;

/// For how many seconds it takes new rounds.
const EPOCH_OPEN: u64 = 20;

/// For how many seconds after that its rounds can be settled: the least that a manifest may say.
const SETTLED_WITHIN: u64 = 7 * 86_400;

/// A file for a keyring.
#[derive(Clone, Debug)]
pub(crate) enum KeyringFile {
    /// All manifests.
    Manifests(Vec<u8>),
    /// A key.
    Key(KeyFile),
}

impl KeyringFile {
    /// Puts the file into a keyring.
    pub(crate) fn put(&self, keyring: &Path) {
        match self {
            Self::Manifests(text) => disk::replace(&keyring.join(MANIFESTS), text),
            // It may be there: what was sent twice arrives twice.
            Self::Key(key) => drop(key.write_new(keyring)),
        }
    }
}

/// The operator, with every key.
pub(crate) struct Operator {
    suite: Suite,
    chain: Vec<RecordEnvelope>,
    receipts: Vec<SecretKey>,
}

fn secret(epoch: u32) -> EpochSecret {
    EpochSecret::new(filler(u64::from(epoch) + 7_000))
}

impl Operator {
    /// Makes an operator whose first epoch is announced and salted. With `external` every round waits for a beacon.
    pub(crate) fn new(suite: Suite, external: ExternalPolicy) -> Self {
        let mut operator = Self { suite, chain: Vec::new(), receipts: vec![receipt_key()] };
        let mut first = announcement(suite);
        first.epochs = vec![unsalted(suite, 0)];
        first.beacon = (external == ExternalPolicy::Drand).then(beacon::chain);
        for tenant in first.tenants.iter_mut().filter(|tenant| tenant.tenant.as_str() == TENANT) {
            tenant.policy.external = external;
        }
        operator.chain.push(sign_manifest(&first));
        operator.salt();
        operator
    }

    /// The root that everybody trusts.
    pub(crate) fn root() -> Root {
        Root { keys: vec![root_key().public()], threshold: 1 }
    }

    /// Returns the manifests, oldest first.
    pub(crate) fn chain(&self) -> &[RecordEnvelope] {
        &self.chain
    }

    fn newest(&self) -> Manifest {
        successor(self.chain.last().expect("there is a first"))
    }

    /// Returns the epoch that comes next.
    pub(crate) fn next_epoch(&self) -> u32 {
        u32::try_from(self.newest().epochs.len()).expect("a world has few epochs")
    }

    /// Returns when the newest epoch opens, in Unix seconds.
    pub(crate) fn newest_opens(&self) -> u64 {
        self.newest().epochs.last().map_or(0, |epoch| epoch.open_from)
    }

    /// Announces the next epoch. Returns its secret's file.
    pub(crate) fn announce(&mut self) -> KeyringFile {
        let epoch = self.next_epoch();
        let mut manifest = self.newest();
        manifest.epochs.push(unsalted(self.suite, epoch));
        self.chain.push(sign_manifest(&manifest));
        KeyringFile::Key(KeyFile::Epoch { epoch, secret: secret(epoch) })
    }

    /// Completes the epoch that was announced last with its salt.
    pub(crate) fn salt(&mut self) {
        let mut manifest = self.newest();
        let epoch = manifest.epochs.last_mut().expect("one was announced");
        let value = filler(u64::from(epoch.epoch) + 9_000);
        let commit = epoch.commitment().expect("it has a secret");
        let statement = epoch_salt_statement(epoch.epoch, &manifest.prev, &commit, &value);
        let key = witness_key().public();
        let signed = (value, witness_key().sign(&statement));
        epoch.salt_source = Some(SaltSource::Party { key, value: Some(signed) });
        epoch.salt = Some(epoch_salt_party(&key.to_bytes(), &value));
        self.chain.push(sign_manifest(&manifest));
    }

    /// Has another receipt key sign from here on. Returns its file.
    pub(crate) fn rotate_receipt_key(&mut self) -> KeyringFile {
        let number = self.receipts.len() as u64;
        let key = SecretKey::from_bytes(&filler(11_000 + number));
        let mut manifest = self.newest();
        manifest.receipt_keys.insert(0, ReceiptKey { key: key.public(), revoked: false });
        self.chain.push(sign_manifest(&manifest));
        self.receipts.push(key.clone());
        KeyringFile::Key(KeyFile::Signing { role: KeyRole::Receipt, key })
    }

    /// Returns the file of all manifests.
    pub(crate) fn manifests_file(&self) -> KeyringFile {
        let lines = self.chain.iter().map(|record| record.to_line() + "\n");
        KeyringFile::Manifests(lines.collect::<String>().into_bytes())
    }

    /// Returns every file of the first epoch.
    pub(crate) fn first_files(&self) -> Vec<KeyringFile> {
        let key = self.receipts[0].clone();
        vec![
            KeyringFile::Key(KeyFile::Signing { role: KeyRole::Receipt, key }),
            KeyringFile::Key(KeyFile::Epoch { epoch: 0, secret: secret(0) }),
            self.manifests_file(),
        ]
    }
}

fn unsalted(suite: Suite, epoch: u32) -> Epoch {
    let is_vrf = suite == Suite::Vrf;
    let open_from = OPEN_FROM + EPOCH_EVERY * u64::from(epoch);
    Epoch {
        epoch,
        suite,
        commit: (!is_vrf).then(|| epoch_commit(epoch, &secret(epoch))),
        vrf_key: is_vrf.then(|| VrfSecretKey::new(&secret(epoch)).public()),
        salt_source: Some(SaltSource::Party { key: witness_key().public(), value: None }),
        salt: None,
        open_from,
        open_until: open_from + EPOCH_OPEN,
        settle_until: open_from + EPOCH_OPEN + SETTLED_WITHIN,
        status: EpochStatus::Active,
    }
}
