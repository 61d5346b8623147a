//! The numbers of the rounds of each table, and the missing ones.

use std::collections::BTreeMap;

use super::standing::{RoundStanding, VerdictReason};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::seed::Coordinates;

/// A table in an epoch.
pub(super) type Table = (u32, Identifier, Identifier);

/// The numbers of the rounds of each table whose tickets require the chain.
#[derive(Clone, Debug, Default)]
pub(super) struct RoundNumbers {
    /// Runs of numbers without a break: the last number of each by its first.
    runs: BTreeMap<Table, BTreeMap<u64, u64>>,
}

impl RoundNumbers {
    /// Adds a round.
    pub(super) fn add(&mut self, round: &RoundStanding) {
        let Some((place, true)) = &round.place else { return };
        let runs = self.runs.entry(table(place)).or_default();
        let number = place.round_no;
        let before = runs.range(..=number).next_back().map(|(first, last)| (*first, *last));
        if before.is_some_and(|(_, last)| last >= number) {
            return;
        }
        // The run that ends right before the number, and the one that begins right after it.
        let joins = before.filter(|(_, last)| last + 1 == number);
        let first = joins.map_or(number, |(first, _)| first);
        let last = number.checked_add(1).and_then(|next| runs.remove(&next)).unwrap_or(number);
        runs.insert(first, last);
    }

    /// Returns the first gap of the file.
    pub(super) fn first_gap(&self) -> Option<VerdictReason> {
        self.runs.iter().find_map(|((_, _, table), runs)| first_gap(table, runs))
    }

    /// Checks that the rounds of the table of a round have no gap, and begin with the first or
    /// after one that the caller named. Returns the reason if not.
    pub(super) fn has_every_round(
        &self,
        round: &RoundStanding,
        after: &BTreeMap<Hash, Hash>,
    ) -> Result<(), String> {
        let Some((place, is_chained)) = &round.place else {
            return Err("the ticket cannot be read".to_owned());
        };
        if !is_chained {
            return Err("the chain is off: rounds may be left out".to_owned());
        }
        let own = table(place);
        let runs = self.runs.get(&own);
        match runs
            .and_then(|runs| first_gap(&own.2, runs).or_else(|| rounds_before(&own, runs, after)))
        {
            None => Ok(()),
            Some(missing) => Err(missing.to_string()),
        }
    }

    /// Checks that the rounds of each table begin with the first, or after one that the caller
    /// named. Returns the reason if not.
    pub(super) fn begin_at_known_rounds(&self, after: &BTreeMap<Hash, Hash>) -> Result<(), String> {
        match self.runs.iter().find_map(|(table, runs)| rounds_before(table, runs, after)) {
            None => Ok(()),
            Some(missing) => Err(missing.to_string()),
        }
    }
}

/// Returns the rounds of a table before its first in the file, if the caller named no close of the
/// last of them.
fn rounds_before(
    (epoch, tenant, table): &Table,
    runs: &BTreeMap<u64, u64>,
    after: &BTreeMap<Hash, Hash>,
) -> Option<VerdictReason> {
    let (lowest, _) = runs.first_key_value()?;
    let last = lowest.checked_sub(1).filter(|last| *last > 0)?;
    let before =
        Coordinates { epoch: *epoch, tenant: tenant.clone(), table: table.clone(), round_no: last };
    let is_known = after.contains_key(&before.round_id());
    (!is_known).then(|| VerdictReason::Gap { table: table.clone(), first: 1, last })
}

/// The first gap between runs of numbers.
fn first_gap(table: &Identifier, runs: &BTreeMap<u64, u64>) -> Option<VerdictReason> {
    let (_, last) = runs.first_key_value()?;
    let (next, _) = runs.range(last + 1..).next()?;
    Some(VerdictReason::Gap { table: table.clone(), first: last + 1, last: next - 1 })
}

pub(super) fn table(place: &Coordinates) -> Table {
    (place.epoch, place.tenant.clone(), place.table.clone())
}
