//! The trees of closed epochs, over rounds that are audited one by one.
//!
//! Of a round that left the window only the hash of its leaf is held, some 100 bytes.

use std::collections::BTreeMap;

use super::EarlierRounds;
use crate::audit::AuditContext;
use crate::audit::closes::{self, CountedClose, ProvenTable};
use crate::record::EpochRounds;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::merkle::tree_hash;
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
    /// Whether a round was told again after it had left the window.
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

    /// Returns why the rounds of a table are not all there, or not those of the tree.
    pub(super) fn missing(
        &mut self,
        context: &AuditContext<'_>,
        (epoch, tenant, table): &ClosedPlace,
    ) -> Result<(), String> {
        let counted = closes::close_of(context, *epoch, tenant);
        let tree = self.0.get_mut(&(*epoch, tenant.clone()));
        let (Some(CountedClose { close, .. }), Some(tree)) = (counted, tree) else {
            return Err("the close of the epoch is not in the file".to_owned());
        };
        for (table, number) in tree.open.places() {
            tree.finish(&table, number);
        }
        if tree.is_broken {
            return Err("a round is told again too many rounds later".to_owned());
        }
        let listed = close.tables.iter().find(|listed| listed.table == *table);
        let (Some(listed), Some(rounds)) = (listed, tree.leaves.get(table)) else {
            return Err("no round of the table can be read".to_owned());
        };
        let leaves: Vec<Hash> = tree.leaves.values().flat_map(BTreeMap::values).copied().collect();
        let proven = |number: &u64| {
            let leaf = rounds.get(number);
            let mut proofs = context.terms.proofs.iter();
            leaf.is_some_and(|leaf| proofs.any(|proof| proof.proves(close, table, *number, leaf)))
        };
        let place = (*epoch, tenant.clone());
        ProvenTable {
            numbers: &rounds.keys().copied().collect(),
            count: leaves.len(),
            root: tree_hash(&leaves),
            is_proven: rounds.keys().all(proven),
        }
        .missing(context, &place, close, listed)
    }
}
