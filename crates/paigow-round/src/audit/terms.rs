//! The terms of an audit: everything that its caller trusts.

use std::collections::{BTreeMap, BTreeSet};

use crate::record::InclusionProofs;
use paigow_fairness::beacon::Beacon;
use paigow_fairness::encoding::Hash;
use paigow_fairness::log_copy::LogCopy;
use paigow_fairness::manifest::Root;
use paigow_fairness::signature::PublicKey;
use paigow_rules::cards::Seat;

/// The terms of an audit. Everything except the root may be missing; then checks are skipped and
/// claims are not shown.
///
/// # Examples
///
/// ```
/// use paigow_fairness::manifest::Root;
/// use paigow_round::audit::AuditTerms;
///
/// let root = Root { keys: Vec::new(), threshold: 1 };
/// let terms = AuditTerms { as_of: Some(1_900_000_000), ..AuditTerms::of(root) };
/// assert!(terms.witnesses.is_empty());
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AuditTerms {
    /// The root keys that are trusted.
    pub root: Root,
    /// The witnesses that are trusted; a salt and the time of a checkpoint need one of them.
    pub witnesses: BTreeSet<PublicKey>,
    /// The chains of public randomness that are trusted, beside quicknet.
    pub beacons: BTreeSet<Hash>,
    /// The hash of the first manifest of the file, if that is not manifest 1.
    pub first_manifest: Option<Hash>,
    /// The closes of rounds that were audited before, by the id of the round.
    pub after: BTreeMap<Hash, Hash>,
    /// The time of the audit, in seconds since 1970. [`None`]: nothing is overdue.
    pub as_of: Option<u64>,
    /// The caller's own seat.
    pub my_seat: Option<MySeat>,
    /// Proofs that rounds are in the tree of the close of their epoch.
    pub proofs: InclusionProofs,
    /// Copies of public logs.
    pub log_copies: Vec<LogCopy>,
}

/// The seat of the caller.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MySeat {
    /// The seat.
    pub seat: Seat,
    /// The public key with which its decisions are signed.
    pub key: Option<PublicKey>,
}

impl AuditTerms {
    /// Whether the caller trusts a chain of public randomness.
    #[must_use]
    pub fn trusts_beacon(&self, chain: &Hash) -> bool {
        *chain == Beacon::QUICKNET || self.beacons.contains(chain)
    }

    /// Returns terms that trust a root and nothing else.
    #[must_use]
    pub const fn of(root: Root) -> Self {
        Self {
            root,
            witnesses: BTreeSet::new(),
            beacons: BTreeSet::new(),
            first_manifest: None,
            after: BTreeMap::new(),
            as_of: None,
            my_seat: None,
            proofs: InclusionProofs::new(),
            log_copies: Vec::new(),
        }
    }
}
