//! The trees of closed epochs, over rounds that are audited one by one.
//!
//! For a round that left the window, only the hash of its leaf is kept, some 100 bytes.

use std::collections::BTreeMap;

use super::EarlierRounds;
use crate::audit::AuditContext;
use crate::audit::closes::{self, ProvenTable};
use crate::record::EpochRounds;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::merkle::{leaf_hash, tree_hash};
use paigow_fairness::seed::Coordinates;

/// The rounds of each epoch and tenant of which a close counts.
#[derive(Debug, Default)]
pub(super) struct EpochTrees(BTreeMap<(u32, Identifier), EpochTree>);

/// A table of an epoch.
pub(super) type ClosedPlace = (u32, Identifier, Identifier);

#[derive(Debug)]
struct EpochTree {
    /// The rounds of the window.
    open: EpochRounds,
    /// The hashes of the leaves of rounds that left it, by table and number.
    leaves: BTreeMap<Identifier, BTreeMap<u64, Hash>>,
    /// Whether a round came again after it had left the window.
    is_broken: bool,
}

impl EpochTree {
    fn finish(&mut self, table: &Identifier, number: u64) {
        let Some(leaf) = self.open.take_leaf(table, number) else { return };
        let known = self.leaves.entry(table.clone()).or_default().insert(number, leaf);
        self.is_broken |= known.is_some();
    }
}

impl EpochTrees {
    /// Adds the records of a telling, if they make a leaf of a closed epoch.
    pub(super) fn add(&mut self, seen: &EarlierRounds) {
        if seen.leaf.is_empty() {
            return;
        }
        let Coordinates { epoch, tenant, table, round_no } = &seen.coordinates;
        let tree = self.0.entry((*epoch, tenant.clone())).or_insert_with(|| EpochTree {
            open: EpochRounds::new(*epoch, tenant.clone()),
            leaves: BTreeMap::new(),
            is_broken: false,
        });
        seen.leaf.iter().for_each(|record| tree.open.add(table, *round_no, *record));
    }

    /// Takes a round that left the window.
    pub(super) fn let_go(&mut self, place: &Coordinates) {
        if let Some(tree) = self.0.get_mut(&(place.epoch, place.tenant.clone())) {
            tree.finish(&place.table, place.round_no);
        }
    }

    /// Takes the last rounds, and makes the trees.
    pub(super) fn finish(self) -> FinishedTrees {
        let finish = |(place, mut tree): (_, EpochTree)| {
            for (table, number) in tree.open.places() {
                tree.finish(&table, number);
            }
            let leaves: Vec<Hash> =
                tree.leaves.values().flat_map(BTreeMap::values).copied().collect();
            (place, FinishedTree { count: leaves.len(), root: tree_hash(&leaves), tree })
        };
        FinishedTrees(self.0.into_iter().map(finish).collect())
    }
}

/// The trees of closed epochs, of all rounds of the input.
pub(super) struct FinishedTrees(BTreeMap<(u32, Identifier), FinishedTree>);

struct FinishedTree {
    tree: EpochTree,
    count: usize,
    root: Option<Hash>,
}

impl FinishedTrees {
    /// Returns the reason why rounds of a table are missing, or are not those of the tree.
    pub(super) fn missing(
        &self,
        context: &AuditContext<'_>,
        (epoch, tenant, table): &ClosedPlace,
    ) -> Result<(), String> {
        let place = (*epoch, tenant.clone());
        let (Some(counted), Some(whole)) =
            (closes::close_of(context, *epoch, tenant), self.0.get(&place))
        else {
            return Err("the close of the epoch is not in the file".to_owned());
        };
        if whole.tree.is_broken {
            return Err("a round is told again too many rounds later".to_owned());
        }
        let listed = counted.close.tables.iter().find(|listed| listed.table == *table);
        let (Some(listed), Some(rounds)) = (listed, whole.tree.leaves.get(table)) else {
            return Err("no round of the table can be read".to_owned());
        };
        let is_proven = |(number, leaf): (&u64, &Hash)| {
            let round = Coordinates {
                epoch: *epoch,
                tenant: tenant.clone(),
                table: table.clone(),
                round_no: *number,
            };
            let proof = counted.proven(&round, context.terms.proofs.of(&round));
            matches!(proof, Ok(Some(proof)) if leaf_hash(&proof.leaf) == *leaf)
        };
        ProvenTable {
            numbers: &rounds.keys().copied().collect(),
            count: whole.count,
            root: whole.root,
            is_proven: rounds.iter().all(is_proven),
        }
        .missing(context, &place, &counted.close, listed)
    }
}
