//! Merkle trees as RFC 9162, section 2.1.1, hashes them.

use crate::encoding::Hash;

/// The longest path: a tree of 2^63 leaves has it.
pub const MAX_PATH: usize = 63;

/// Returns the hash of a leaf.
#[must_use]
pub fn leaf_hash(leaf: &[u8]) -> Hash {
    Hash::of_parts(&[&[0], leaf])
}

/// Returns the hash of the tree over the hashes of leaves, or [`None`] if there is no leaf.
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

/// A tree with the hashes of all its nodes, for proofs of many of its leaves.
#[derive(Clone, Debug)]
pub struct MerkleTree {
    /// The hashes of each level, the leaves first. A node without a neighbour moves up unchanged.
    levels: Vec<Vec<Hash>>,
}

impl MerkleTree {
    /// Makes the tree over the hashes of leaves.
    #[must_use]
    pub fn new(leaves: Vec<Hash>) -> Self {
        let mut levels = vec![leaves];
        while let Some(below) = levels.last().filter(|level| level.len() > 1) {
            let node = |pair: &[Hash]| match pair {
                [left, right] => Hash::of_parts(&[&[1], left.as_bytes(), right.as_bytes()]),
                alone => alone[0],
            };
            levels.push(below.chunks(2).map(node).collect());
        }
        Self { levels }
    }

    /// Returns the hashes that lead from a leaf to the hash of the tree, the lowest first (RFC
    /// 9162, section 2.1.3.1).
    ///
    /// Returns [`None`] if there is no such leaf.
    #[must_use]
    pub fn path(&self, index: usize) -> Option<Vec<Hash>> {
        self.levels[0].get(index)?;
        let neighbour =
            |(height, level): (usize, &Vec<Hash>)| level.get((index >> height) ^ 1).copied();
        Some(self.levels.iter().enumerate().filter_map(neighbour).collect())
    }
}

/// Returns the hash of the tree of `size` leaves to which a path leads from the leaf at `index`
/// (RFC 9162, section 2.1.3.2).
///
/// Returns [`None`] if the path does not fit that tree.
///
/// # Examples
///
/// ```
/// use paigow_fairness::merkle::{MerkleTree, leaf_hash, root_of_path, tree_hash};
///
/// let leaves = [b"a", b"b", b"c"].map(|leaf| leaf_hash(leaf));
/// let path = MerkleTree::new(leaves.to_vec()).path(2).unwrap();
/// assert_eq!(root_of_path(leaves[2], 2, 3, &path), tree_hash(&leaves));
/// assert_eq!(root_of_path(leaves[2], 2, 3, &[]), None);
/// ```
#[must_use]
pub fn root_of_path(leaf: Hash, index: u64, size: u64, path: &[Hash]) -> Option<Hash> {
    if index >= size {
        return None;
    }
    let (mut place, mut last, mut hash) = (index, size - 1, leaf);
    for other in path {
        if last == 0 {
            return None;
        }
        if place % 2 == 1 || place == last {
            hash = Hash::of_parts(&[&[1], other.as_bytes(), hash.as_bytes()]);
            // A subtree without a neighbour on its right moves up unchanged.
            while place % 2 == 0 && place != 0 {
                (place, last) = (place / 2, last / 2);
            }
        } else {
            hash = Hash::of_parts(&[&[1], hash.as_bytes(), other.as_bytes()]);
        }
        (place, last) = (place / 2, last / 2);
    }
    (last == 0).then_some(hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_leaf_of_every_small_tree_has_one_path() {
        let leaves: Vec<Hash> = (0..40_u8).map(|n| leaf_hash(&[n])).collect();
        for size in 1..=leaves.len() {
            let tree = &leaves[..size];
            let root = tree_hash(tree).unwrap();
            let whole = MerkleTree::new(tree.to_vec());
            let count = u64::try_from(size).unwrap();
            for (place, leaf) in tree.iter().enumerate() {
                let index = u64::try_from(place).unwrap();
                let mut path = whole.path(place).unwrap();
                assert_eq!(root_of_path(*leaf, index, count, &path), Some(root));
                for other in (0..count).filter(|other| *other != index) {
                    assert_ne!(root_of_path(*leaf, other, count, &path), Some(root));
                }
                path.push(root);
                assert_eq!(root_of_path(*leaf, index, count, &path), None);
            }
            assert_eq!(whole.path(size), None);
        }
    }
}
