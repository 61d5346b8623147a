//! The chain of manifests, from the trusted root to the one in force.

use std::collections::BTreeSet;
use std::fmt::{self, Display};

use super::{EpochStatus, Manifest, SaltSource, Suite, key_json, parse_key};
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

    fn same_as(&self, other: &Self) -> bool {
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
    /// What it says.
    pub manifest: Manifest,
}

/// What is wrong with a chain of manifests.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ManifestFault {
    /// Which manifest, from 0.
    pub index: usize,
    /// What is wrong with it.
    pub what: String,
}

impl Display for ManifestFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "manifest {} of the chain: {}", self.index + 1, self.what)
    }
}

/// Verifies manifests in order against the trusted root: signatures, `seq`, `prev`.
///
/// A manifest that names another root must be signed by enough keys of both, and the
/// new root is trusted from there on (rotation by cross-signing). A file may begin with
/// a later manifest than the first.
///
/// # Errors
///
/// The first fault.
pub fn verify_chain<'e>(
    root: &Root,
    envelopes: impl IntoIterator<Item = &'e RecordEnvelope>,
) -> Result<Vec<SignedManifest>, ManifestFault> {
    verify_chain_as(|payload, _| Manifest::parse(payload), root, envelopes)
}

/// Verifies a chain as [`verify_chain`], and reads each payload with `parse`, which is given
/// the root that is trusted before the manifest.
///
/// # Errors
///
/// The first fault.
pub fn verify_chain_as<'e>(
    parse: impl Fn(Json<'_>, &Root) -> Result<Manifest, PayloadError>,
    root: &Root,
    envelopes: impl IntoIterator<Item = &'e RecordEnvelope>,
) -> Result<Vec<SignedManifest>, ManifestFault> {
    let mut trusted = root.clone();
    let mut chain: Vec<SignedManifest> = Vec::new();
    for (index, envelope) in envelopes.into_iter().enumerate() {
        let fault = |what: String| ManifestFault { index, what };
        if envelope.kind() != RecordKind::Manifest {
            return Err(fault("not a manifest record".to_owned()));
        }
        let manifest = envelope
            .json()
            .map_err(PayloadError::from)
            .and_then(|json| parse(json, &trusted))
            .map_err(|error| fault(error.to_string()))?;
        if !trusted.accepts(envelope) {
            return Err(fault(format!(
                "not signed by {} of the {} trusted root keys",
                trusted.threshold,
                trusted.keys.len()
            )));
        }
        if !manifest.root.same_as(&trusted) {
            if !manifest.root.accepts(envelope) {
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
        chain.push(SignedManifest { envelope: envelope.clone(), hash: envelope.hash(), manifest });
    }
    Ok(chain)
}

/// A verified chain of manifests that an engine works from; never empty.
#[derive(Clone, Debug)]
pub struct ManifestChain {
    chain: Vec<SignedManifest>,
}

/// Seven days in seconds: how long rounds can be settled at the least.
const SETTLE_MARGIN: u64 = 7 * 24 * 3600;

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
        let mut faults = content_faults(&manifests);
        if chain.is_empty() {
            faults.push(ManifestFault { index: 0, what: "there is none".to_owned() });
        }
        if faults.is_empty() { Ok(Self { chain }) } else { Err(faults) }
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

/// Says what keeps this release from working by a chain of manifests, oldest first: their
/// content, whoever signed them.
#[must_use]
pub fn content_faults(chain: &[&Manifest]) -> Vec<ManifestFault> {
    let mut faults = Vec::new();
    // Every epoch that was ever listed: its number is used up.
    let mut listed = BTreeSet::new();
    let mut suite = None;
    let mut before = None;
    for (index, manifest) in chain.iter().enumerate() {
        let mut note = |what: String| faults.push(ManifestFault { index, what });
        check_manifest(manifest, &mut note);
        if let Some(before) = before {
            check_succession(before, manifest, &mut note);
        }
        for epoch in &manifest.epochs {
            let number = epoch.epoch;
            if before.is_none_or(|before: &Manifest| before.epoch(number).is_none()) {
                let salted = matches!(epoch.salt_source, Some(SaltSource::Party { .. }));
                if salted && epoch.salt.is_some() {
                    note(format!("epoch {number}: listed with its salt before it was announced"));
                }
                // Its secret is published; with another secret its rounds, which keep their
                // ids, would get a second answer.
                if listed.contains(&number) {
                    note(format!("epoch {number}: listed again after it was dropped"));
                }
            }
        }
        listed.extend(manifest.epochs.iter().map(|epoch| epoch.epoch));
        suite = suite.or_else(|| manifest.epochs.first().map(|epoch| epoch.suite));
        if manifest.epochs.iter().any(|epoch| Some(epoch.suite) != suite) {
            note("one chain of manifests serves one suite".to_owned());
        }
        before = Some(*manifest);
    }
    faults
}

fn check_manifest(manifest: &Manifest, note: &mut impl FnMut(String)) {
    if manifest.receipt_keys.is_empty() {
        note("receipt_keys: none".to_owned());
    }
    let mut fresh = false;
    let mut windows = Vec::new();
    for epoch in &manifest.epochs {
        let mut fault = |what: &str| note(format!("epoch {}: {what}", epoch.epoch));
        fresh |= epoch.suite == Suite::Fresh;
        if let Some(what) = epoch.suite_fault() {
            fault(what);
        } else if let (Some(commit), Some(source)) = (&epoch.commit, &epoch.salt_source) {
            if matches!(source, SaltSource::Drand { .. }) {
                fault("UNSUPPORTED: a drand salt cannot be verified in this release");
            }
            match source.salt(commit) {
                Err(what) => fault(what),
                Ok(expected) => {
                    if epoch.salt.is_some() && epoch.salt != expected {
                        fault("the salt is not what its source gives");
                    }
                    if matches!(source, SaltSource::Party { value: Some(_), .. })
                        && epoch.salt.is_none()
                    {
                        fault("a value without the salt that it gives");
                    }
                }
            }
        }
        if !(epoch.open_from < epoch.open_until
            && epoch.open_until.saturating_add(SETTLE_MARGIN) <= epoch.settle_until)
        {
            fault("open_from < open_until, and settle_until at least 7 days later");
        }
        windows.push((epoch.open_from, epoch.open_until, epoch.epoch));
    }
    windows.sort_unstable();
    if windows.windows(2).any(|pair| pair[1].0 < pair[0].1) {
        note("the windows of two epochs overlap".to_owned());
    }
    note_repeated("epoch", manifest.epochs.iter().map(|epoch| epoch.epoch), note);
    note_repeated("tenant", manifest.tenants.iter().map(|tenant| &tenant.tenant), note);
    note_repeated("ruleset", manifest.rulesets.iter().map(|ruleset| &ruleset.name), note);
    note_repeated("house way", manifest.house_ways.iter().map(|way| &way.name), note);
    for tenant in &manifest.tenants {
        let policy = tenant.policy;
        if fresh && !(policy.lock_required && policy.chain_required) {
            note(format!(
                "tenant {}: the fresh suite needs lock: required and chain: required",
                tenant.tenant
            ));
        }
        if policy.lock_required && tenant.ledger_keys.is_empty() {
            note(format!("tenant {}: lock: required needs a ledger key", tenant.tenant));
        }
    }
}

/// Notes each name that is listed more than once.
fn note_repeated<T: Ord + Display>(
    kind: &str,
    names: impl Iterator<Item = T>,
    note: &mut impl FnMut(String),
) {
    let mut names: Vec<T> = names.collect();
    names.sort_unstable();
    let runs = names.chunk_by(|a, b| a == b).filter(|run| run.len() > 1);
    runs.for_each(|run| note(format!("{kind} {}: listed more than once", run[0])));
}

fn check_succession(before: &Manifest, after: &Manifest, note: &mut impl FnMut(String)) {
    for old in &before.epochs {
        match after.epoch(old.epoch) {
            Some(new) if old.may_become(new) => {}
            Some(_) => {
                note(format!("epoch {}: only its completion and its status may change", old.epoch))
            }
            None if old.status == EpochStatus::Revealed => {}
            None => note(format!("epoch {}: an epoch is listed until it is revealed", old.epoch)),
        }
    }
}
