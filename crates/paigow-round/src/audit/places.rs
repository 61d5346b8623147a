//! The place of a round: whether the operator could choose it after seeing its cards.

use std::collections::{BTreeMap, BTreeSet};

use super::epochs::NOT_ANNOUNCED;
use super::report::Finding;
use super::round::RoundAudit;
use crate::record::CloseLock;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{ClientPolicy, Manifest, ManifestTenant};

/// The manifest that announced the round's epoch, if it is known.
fn announcement<'a>(round: &RoundAudit<'a>) -> Result<&'a Manifest, Finding> {
    let (ticket, _) = round.grounds()?;
    let hash = round.context.announcement(ticket.coordinates.epoch);
    let mut manifests = round.context.manifests.iter();
    hash.and_then(|hash| manifests.find(|(_, signed)| signed.hash == hash))
        .map(|(_, signed)| &signed.manifest)
        .ok_or_else(|| Finding::skipped(NOT_ANNOUNCED))
}

/// Returns the entry of the round's tenant in the announcing manifest.
fn tenant<'m>(round: &RoundAudit<'_>, manifest: &'m Manifest) -> Option<&'m ManifestTenant> {
    let tenant = &round.ticket.as_ref()?.coordinates.tenant;
    manifest.tenants.iter().find(|listed| listed.tenant == *tenant)
}

/// The last part of `POLICY`: the manifest that announced the epoch lists tenant and table.
pub(super) fn fault(round: &RoundAudit<'_>) -> Option<Finding> {
    let manifest = announcement(round).ok()?;
    let line = round.lines.ticket.number;
    let Some(tenant) = tenant(round, manifest) else {
        let expected = "a tenant of the manifest that announced the epoch";
        return Some(Finding::failed(line, expected, "another tenant"));
    };
    let table = &round.ticket.as_ref()?.coordinates.table;
    let is_listed = tenant.tables.as_ref().is_none_or(|tables| tables.contains(table));
    let expected = "a table that the announcement of the epoch lists";
    (!is_listed).then(|| Finding::failed(line, expected, table.to_string()))
}

/// `PLACE_LISTED`: the table was listed before the salt was known. Never fails, as `POLICY` checks
/// the same.
pub(super) fn listed(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| listed_tables(round).map(|_| Finding::Passed))
}

/// Returns how many tables the announcing manifest lists over all tenants. Every round of its
/// tenants must be at one of them or have client seeds.
pub(super) fn listed_tables(round: &RoundAudit<'_>) -> Result<usize, Finding> {
    let manifest = announcement(round)?;
    if tenant(round, manifest).is_none_or(|tenant| tenant.tables.is_none()) {
        return Err(Finding::skipped("the announcement of the epoch pins no tables"));
    }
    let free = manifest
        .tenants
        .iter()
        .find(|tenant| tenant.tables.is_none() && tenant.policy.client != ClientPolicy::Committed);
    if let Some(free) = free {
        let tenant = &free.tenant;
        return Err(Finding::skipped(format!("tenant {tenant} may use any name of a table")));
    }
    let listed = manifest.tenants.iter().flat_map(|tenant| {
        tenant.tables.iter().flatten().map(move |table| (&tenant.tenant, table))
    });
    Ok(listed.collect::<BTreeSet<_>>().len())
}

/// `PLACE_NOT_CHOSEN`: the caller's seat has opened a commitment, and no other ticket of the file
/// has its seed. Never fails: a seed that a player used twice proves no one's fault.
pub(super) fn not_chosen(round: &RoundAudit<'_>, seeds: &LockedSeeds) -> Finding {
    Finding::or_skip(|| {
        let (ticket, _) = round.grounds()?;
        let Some(mine) = &round.context.terms.my_seat else {
            return Err(Finding::skipped("no seat is named as yours"));
        };
        announcement(round)?;
        round.usable(round.lines.wager_lock.as_ref(), "lock of the wagers")?;
        if matches!(round.close_lock, Some(CloseLock::Void { .. })) {
            return Err(Finding::skipped("the round is void"));
        }
        let seat = mine.seat;
        let seed = round.wager_lock.as_ref().and_then(|lock| lock.client_seeds.get(&seat));
        let (Some(seed), true) = (seed, ticket.client.contains_key(&seat)) else {
            return Err(Finding::skipped(format!("seat {seat} has committed to no seed")));
        };
        let hash = round.lines.ticket.hash;
        let mut tickets = seeds.0.get(seed).into_iter().flatten();
        match tickets.find(|(ticket, _)| **ticket != hash) {
            None => Ok(Finding::Passed),
            Some((_, line)) => {
                let why = format!("the seed of seat {seat} stands in line {line} too");
                Err(Finding::skipped(why))
            }
        }
    })
}

/// The client seeds in the locks of wagers of a file. For each seed, the tickets that have it, and
/// a line of the lock.
#[derive(Default)]
pub(super) struct LockedSeeds(BTreeMap<Vec<u8>, BTreeMap<Hash, usize>>);

impl LockedSeeds {
    /// Collects the client seeds of the rounds of a file.
    pub(super) fn of(rounds: &[RoundAudit<'_>]) -> Self {
        let mut seeds = BTreeMap::<_, BTreeMap<_, _>>::new();
        for round in rounds {
            let (Some(line), Some(lock)) = (&round.lines.wager_lock, &round.wager_lock) else {
                continue;
            };
            for seed in lock.client_seeds.values() {
                let tickets = seeds.entry(seed.clone()).or_default();
                tickets.entry(round.lines.ticket.hash).or_insert(line.number);
            }
        }
        Self(seeds)
    }
}
