//! Merkle trees as RFC 9162, section 2.1.1, hashes them.

use crate::encoding::Hash;

/// Returns the hash of a leaf.
#[must_use]
pub fn leaf_hash(leaf: &[u8]) -> Hash {
    Hash::of_parts(&[&[0], leaf])
}

/// Returns the hash of the tree over the hashes of leaves, or [`None`] if there is none.
///
/// # Examples
///
/// ```
/// use paigow_fairness::merkle::{leaf_hash, tree_hash};
///
/// let leaves = [leaf_hash(b""), leaf_hash(&[0])];
/// // The first two inputs of the tests of Certificate Transparency.
/// assert_eq!(
///     tree_hash(&leaves[..1]).unwrap().to_string(),
///     "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
/// );
/// assert_eq!(
///     tree_hash(&leaves).unwrap().to_string(),
///     "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125"
/// );
/// ```
#[must_use]
pub fn tree_hash(leaves: &[Hash]) -> Option<Hash> {
    match leaves {
        [] => None,
        [leaf] => Some(*leaf),
        more => {
            // The largest power of two below their number.
            let left = more.len().next_power_of_two() / 2;
            let (left, right) = more.split_at(left);
            let (left, right) = (tree_hash(left)?, tree_hash(right)?);
            Some(Hash::of_parts(&[&[1], left.as_bytes(), right.as_bytes()]))
        }
    }
}
