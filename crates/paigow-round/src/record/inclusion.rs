//! Inclusion proofs: that one round is in the tree of the public close of its epoch.

use super::epoch_close::EpochClose;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::json::Json;
use paigow_fairness::merkle::{leaf_hash, root_of_path};
use paigow_fairness::payload::{Members, PayloadError};

/// The longest path: a tree of 2^63 leaves has it.
const MAX_PATH: usize = 63;

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
/// assert_eq!((proof.epoch, proof.round_no), (1, 1));
/// assert_eq!(proof.to_json().to_bytes(), text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct InclusionProof {
    /// The place of the leaf in the tree, from 0.
    pub index: u64,
    /// The epoch of the round.
    pub epoch: u32,
    /// The tenant of the round.
    pub tenant: Identifier,
    /// The table of the round.
    pub table: Identifier,
    /// The number of the round.
    pub round_no: u64,
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
        let proof = Self {
            index: 0,
            epoch: u32::try_from(epoch).map_err(|_| members.blame("epoch", "out of range"))?,
            tenant: members.parsed("tenant")?,
            table: members.parsed("table")?,
            round_no: members.decimal("round_no")?,
            closes,
            leaf: bytes,
            path: Vec::new(),
        };
        members.finish()?;
        Ok(proof)
    }

    /// Whether this proves that the round with this number at a table of the close has a leaf with
    /// this hash.
    #[must_use]
    pub fn proves(&self, close: &EpochClose, table: &Identifier, number: u64, leaf: &Hash) -> bool {
        let is_there = self.epoch == close.epoch && self.tenant == close.tenant;
        is_there
            && self.table == *table
            && self.round_no == number
            && leaf_hash(&self.leaf) == *leaf
            && self.is_in(close)
    }

    /// Whether the leaf is in the tree of a close.
    #[must_use]
    pub fn is_in(&self, close: &EpochClose) -> bool {
        let root = root_of_path(leaf_hash(&self.leaf), self.index, close.leaves, &self.path);
        root == Some(close.root)
    }
}
