//! The chain of manifests, from the trusted root to the one in force.

use super::rules::{KeyRoles, ManifestFault, rule_faults};
use super::{Manifest, key_json, parse_key};
use crate::dsse::{Dsse, PayloadType};
use crate::encoding::Hash;
use crate::json::Json;
use crate::payload::{Members, PayloadError};
use crate::record::{RecordEnvelope, RecordKind};
use crate::signature::PublicKey;

/// The root of trust: keys and how many of them must sign (D18).
///
/// Given out of band; distinct keys count once.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Root {
    /// The keys.
    pub keys: Vec<PublicKey>,
    /// How many distinct keys must sign, at least 1.
    pub threshold: usize,
}

impl Root {
    /// Whether enough of the root's keys have signed.
    #[must_use]
    pub fn accepts<K: PayloadType>(&self, envelope: &Dsse<K>) -> bool {
        self.threshold > 0 && envelope.count_signers(&self.keys) >= self.threshold
    }

    /// Whether two roots have the same keys, in any order, and the same threshold.
    #[must_use]
    pub fn same_as(&self, other: &Self) -> bool {
        let sorted = |root: &Self| {
            let mut keys = root.keys.clone();
            keys.sort();
            keys.dedup();
            keys
        };
        self.threshold == other.threshold && sorted(self) == sorted(other)
    }

    /// Returns the root as a manifest names it.
    ///
    /// # Panics
    ///
    /// Never: the threshold of a root fits 64 bits.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        let threshold = u64::try_from(self.threshold).expect("a threshold fits 64 bits");
        Json::obj([
            ("keys", Json::arr(self.keys.iter().map(key_json))),
            ("threshold", Json::Int(threshold)),
        ])
    }

    pub(super) fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        Ok(Self {
            keys: members.objects("keys", parse_key)?,
            threshold: usize::from(members.byte("threshold", 16)?),
        })
    }
}

/// A manifest with its record.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SignedManifest {
    /// The record as it was signed.
    pub envelope: RecordEnvelope,
    /// Its hash.
    pub hash: Hash,
    /// The manifest in it.
    pub manifest: Manifest,
}

/// Verifies manifests in order against the trusted root: signatures, `seq`, `prev`.
///
/// A manifest that names another root must be signed by enough keys of both. The new root is
/// trusted from there on (rotation by cross-signing). A file may begin with a later manifest than
/// the first. The first one of the file must name a trusted root key. Otherwise one root could have
/// many chains, each with a salt of its own. Two manifests of one `seq` that one root has signed
/// are a fork.
///
/// # Errors
///
/// The first fault.
pub fn verify_chain<'e>(
    root: &Root,
    envelopes: impl IntoIterator<Item = &'e RecordEnvelope>,
) -> Result<Vec<SignedManifest>, ManifestFault> {
    verify_chain_while(&mut |_| true, root, envelopes)
}

/// As [`verify_chain`], but calls `may_verify` before it verifies signatures, with the most
/// verifications that follow. If `may_verify` returns false, the result is of no use.
///
/// # Errors
///
/// The first fault.
pub fn verify_chain_while<'e>(
    may_verify: &mut dyn FnMut(usize) -> bool,
    root: &Root,
    envelopes: impl IntoIterator<Item = &'e RecordEnvelope>,
) -> Result<Vec<SignedManifest>, ManifestFault> {
    let mut is_accepted = |root: &Root, envelope: &RecordEnvelope| {
        may_verify(root.keys.len() * envelope.signatures().len()) && root.accepts(envelope)
    };
    let mut trusted = root.clone();
    let mut chain: Vec<SignedManifest> = Vec::new();
    // The root that was trusted before each manifest of the chain.
    let mut roots: Vec<Root> = Vec::new();
    for (index, envelope) in envelopes.into_iter().enumerate() {
        let fault = |what: String| ManifestFault { index, rule: None, what };
        if envelope.kind() != RecordKind::Manifest {
            return Err(fault("not a manifest record".to_owned()));
        }
        let manifest = envelope
            .json()
            .map_err(PayloadError::from)
            .and_then(Manifest::parse)
            .map_err(|error| fault(error.to_string()))?;
        let hash = envelope.hash();
        let of_one_number = chain
            .iter()
            .zip(&roots)
            .filter(|(one, _)| one.manifest.seq == manifest.seq && one.hash != hash);
        if let Some((one, _)) =
            of_one_number.into_iter().find(|(_, root)| is_accepted(root, envelope))
        {
            return Err(fault(format!(
                "a fork: two manifests of sequence number {} under one root, {} and {hash}",
                manifest.seq, one.hash
            )));
        }
        if !is_accepted(&trusted, envelope) {
            return Err(fault(format!(
                "not signed by {} of the {} trusted root keys",
                trusted.threshold,
                trusted.keys.len()
            )));
        }
        if chain.is_empty() && !manifest.root.keys.iter().any(|key| trusted.keys.contains(key)) {
            let what = "the first manifest of the file names none of the trusted root keys";
            return Err(fault(what.to_owned()));
        }
        roots.push(trusted.clone());
        if !manifest.root.same_as(&trusted) {
            if !is_accepted(&manifest.root, envelope) {
                return Err(fault("names another root whose keys have not signed it".to_owned()));
            }
            trusted = manifest.root.clone();
        }
        let linked = match chain.last() {
            Some(last) => manifest.seq == last.manifest.seq + 1 && manifest.prev == last.hash,
            None if manifest.seq == 1 => manifest.prev == Hash::ZERO,
            None => manifest.seq > 1,
        };
        if !linked {
            return Err(fault("seq or prev does not follow the manifest before".to_owned()));
        }
        chain.push(SignedManifest { envelope: envelope.clone(), hash, manifest });
    }
    Ok(chain)
}

/// A verified chain of manifests that an engine works from; never empty.
#[derive(Clone, Debug)]
pub struct ManifestChain {
    chain: Vec<SignedManifest>,
    roles: KeyRoles,
}

impl ManifestChain {
    /// Verifies a chain from its first manifest and checks that this release can work
    /// from it.
    ///
    /// # Errors
    ///
    /// Every fault of content, or the first of signatures and links.
    pub fn load(root: &Root, envelopes: &[RecordEnvelope]) -> Result<Self, Vec<ManifestFault>> {
        let chain = verify_chain(root, envelopes).map_err(|fault| vec![fault])?;
        let manifests: Vec<&Manifest> = chain.iter().map(|signed| &signed.manifest).collect();
        let mut faults = rule_faults(&manifests);
        if chain.is_empty() {
            faults.push(ManifestFault { index: 0, rule: None, what: "there is none".to_owned() });
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut roles = KeyRoles::default();
        for signed in &chain {
            roles.add(&signed.manifest);
        }
        Ok(Self { chain, roles })
    }

    /// Returns the manifest in force: the newest.
    ///
    /// # Panics
    ///
    /// Never: a chain is not empty.
    #[must_use]
    pub fn newest(&self) -> &SignedManifest {
        self.chain.last().expect("a chain is not empty")
    }

    /// Returns a manifest by its hash.
    #[must_use]
    pub fn by_hash(&self, hash: &Hash) -> Option<&SignedManifest> {
        self.chain.iter().find(|signed| signed.hash == *hash)
    }

    /// Returns the manifest that announces an epoch: the first that lists it.
    ///
    /// Returns [`None`] if no manifest lists it. Also returns [`None`] if the chain begins later
    /// than manifest 1 and lists the epoch from its beginning: an earlier manifest may have
    /// announced it.
    #[must_use]
    pub fn announcement(&self, epoch: u32) -> Option<&SignedManifest> {
        let first = self.chain.iter().position(|signed| signed.manifest.epoch(epoch).is_some())?;
        let announcement = &self.chain[first];
        (first > 0 || announcement.manifest.seq == 1).then_some(announcement)
    }

    /// Returns the role that a manifest gives a key: `root`, `receipt`, `ledger` or `witness`.
    #[must_use]
    pub fn role(&self, key: &PublicKey) -> Option<&'static str> {
        self.roles.role(key)
    }

    /// Returns the keys of the witnesses that salt the epochs of any manifest, each once, ascending.
    pub fn witness_keys(&self) -> impl Iterator<Item = &PublicKey> {
        self.roles.keys("witness")
    }

    /// Returns all manifests, oldest first.
    #[must_use]
    pub fn all(&self) -> &[SignedManifest] {
        &self.chain
    }

    /// Whether any manifest marks the receipt key as revoked.
    #[must_use]
    pub fn is_revoked(&self, key: &PublicKey) -> bool {
        self.chain
            .iter()
            .any(|s| s.manifest.receipt_keys.iter().any(|k| k.key == *key && k.revoked))
    }
}
