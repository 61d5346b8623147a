//! Inclusion proofs: that one round is in the tree of the public close of its epoch.

use std::collections::BTreeMap;

use super::epoch_close::EpochClose;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::merkle::{MAX_PATH, leaf_hash, root_of_path};
use paigow_fairness::payload::{Members, PayloadError};
use paigow_fairness::seed::Coordinates;

/// A proof that a round is in the tree of an epoch close. It is an input of an audit, no record.
///
/// # Examples
///
/// ```
/// use paigow_fairness::json::Json;
/// use paigow_round::record::InclusionProof;
///
/// let text = br#"{"index":"0","leaf":{"closes":[],"deals":[],"epoch":1,"locks":[],"round_no":"1","table":"T1","tenant":"acme","tickets":[]},"path":[]}"#;
/// let proof = InclusionProof::parse(Json::parse_canonical(text)?)?;
/// assert_eq!((proof.place.epoch, proof.place.round_no), (1, 1));
/// assert_eq!(proof.to_json().to_bytes(), text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InclusionProof {
    /// The place of the leaf in the tree, from 0.
    pub index: u64,
    /// Where the round stands.
    pub place: Coordinates,
    /// The closes of the round that the leaf lists.
    pub closes: Vec<Hash>,
    /// The bytes of the leaf.
    pub leaf: Vec<u8>,
    /// The hashes of the subtrees on the way to the root, the lowest first.
    pub path: Vec<Hash>,
}

impl InclusionProof {
    /// Returns the proof as it is written, one object a line.
    ///
    /// # Panics
    ///
    /// Never: a leaf was read or written as canonical JSON.
    #[must_use]
    pub fn to_json(&self) -> Json<'_> {
        let leaf = Json::parse_canonical(&self.leaf).expect("a leaf is canonical JSON");
        Json::obj([
            ("index", Json::str(self.index)),
            ("leaf", leaf),
            ("path", Json::arr(self.path.iter().map(Json::str))),
        ])
    }

    /// Reads a proof.
    ///
    /// # Errors
    ///
    /// If a member is missing, unknown or malformed.
    pub fn parse(value: Json) -> Result<Self, PayloadError> {
        let mut members = Members::of(value)?;
        let leaf = members.value("leaf")?;
        let bytes = leaf.to_bytes();
        let mut proof = Self::of_leaf(leaf, bytes)?;
        proof.index = members.decimal("index")?;
        proof.path = members.list("path", |item| match item {
            Json::Str(text) => text.parse().map_err(|_| "not a hash"),
            Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a hash"),
        })?;
        if proof.path.len() > MAX_PATH {
            return Err(members.blame("path", "more than 63 hashes"));
        }
        members.finish()?;
        Ok(proof)
    }

    /// Reads a leaf, at no place yet.
    fn of_leaf(leaf: Json, bytes: Vec<u8>) -> Result<Self, PayloadError> {
        let mut members = Members::of(leaf)?;
        let epoch = members.int("epoch", (1 << 31) - 1)?;
        let mut hashes = |key| -> Result<Vec<Hash>, PayloadError> {
            let listed: Vec<Hash> = members.list(key, |item| match item {
                Json::Str(text) => text.parse().map_err(|_| "not a hash"),
                Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => Err("not a hash"),
            })?;
            if listed.is_sorted_by(|a, b| a < b) {
                Ok(listed)
            } else {
                Err(members.blame(key, "hashes ascend, each once"))
            }
        };
        let closes = hashes("closes")?;
        for key in ["deals", "locks", "tickets"] {
            hashes(key)?;
        }
        let place = Coordinates {
            epoch: u32::try_from(epoch).map_err(|_| members.blame("epoch", "out of range"))?,
            tenant: members.parsed("tenant")?,
            table: members.parsed("table")?,
            round_no: members.decimal("round_no")?,
        };
        if place.round_no == 0 {
            return Err(members.blame("round_no", "round numbers begin with 1"));
        }
        members.finish()?;
        Ok(Self { index: 0, place, closes, leaf: bytes, path: Vec::new() })
    }

    /// Whether the path leads from the leaf to the tree of a close.
    #[must_use]
    pub fn leads_to(&self, close: &EpochClose) -> bool {
        let root = root_of_path(leaf_hash(&self.leaf), self.index, close.leaves, &self.path);
        root == Some(close.root)
    }
}

/// Inclusion proofs by the places of their rounds.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct InclusionProofs(BTreeMap<Coordinates, Vec<InclusionProof>>);

impl InclusionProofs {
    /// Returns no proofs.
    #[must_use]
    pub const fn new() -> Self {
        Self(BTreeMap::new())
    }

    /// Returns the proofs of the round at a place, in the order given.
    #[must_use]
    pub fn of(&self, place: &Coordinates) -> &[InclusionProof] {
        self.0.get(place).map_or(&[], Vec::as_slice)
    }
}

impl FromIterator<InclusionProof> for InclusionProofs {
    fn from_iter<I: IntoIterator<Item = InclusionProof>>(proofs: I) -> Self {
        let mut by_place: BTreeMap<Coordinates, Vec<InclusionProof>> = BTreeMap::new();
        for proof in proofs {
            by_place.entry(proof.place.clone()).or_default().push(proof);
        }
        Self(by_place)
    }
}
