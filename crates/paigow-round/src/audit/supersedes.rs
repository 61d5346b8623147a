//! `SUPERSEDES`: each lock of phase 2 lists the locks before it, and those are spent.

use super::file::{RoundLines, SpentLines};
use super::outcome;
use super::report::{Finding, joined};
use super::round::RoundAudit;
use crate::record::{CloseLock, MAX_SUPERSEDED};
use crate::spent::{DecisionTerms, KeptActions, ListedAction};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::EpochStatus;

/// The check.
pub(super) fn check(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        round.grounds()?;
        let lines = round.lines;
        let what = "lock that closes the round";
        let locks = lines.spent.iter().map(|spent| &spent.lock).chain(&lines.close_lock);
        let locks: Vec<usize> =
            locks.map(|line| round.usable(Some(line), what)).collect::<Result<_, Finding>>()?;
        if locks.is_empty() {
            return Err(Finding::skipped(format!("no {what}")));
        }
        let payloads = round.spent.iter().chain(&round.close_lock);
        let hashes: Vec<Hash> = lines.spent.iter().map(|spent| spent.lock.hash).collect();
        for (before, (line, lock)) in locks.into_iter().zip(payloads).enumerate() {
            let expected = &hashes[..before];
            if lock.supersedes() != expected {
                let found = joined(lock.supersedes());
                let expected = format!("the locks before it, [{}]", joined(expected));
                return Ok(Finding::failed(line, expected, format!("[{found}]")));
            }
            if before == MAX_SUPERSEDED && !lock.is_void() {
                let expected = "a void lock after 8 spent locks";
                return Ok(Finding::failed(line, expected, "a final lock"));
            }
        }
        if lines.spent.is_empty() {
            return Ok(Finding::Passed);
        }
        outcome::with_decision_terms(round, |terms| spent_in_order(round, terms))
    })
}

/// Compares each lock with the one before it, which has to be spent, and the last one with the
/// actions that it has to keep.
fn spent_in_order(round: &RoundAudit<'_>, terms: &DecisionTerms<'_>) -> Finding {
    let lines = round.lines;
    let mut kept = KeptActions::default();
    for (i, (spent, lock)) in lines.spent.iter().zip(&round.spent).enumerate() {
        let CloseLock::Final { absent, actions, .. } = lock else { continue };
        let Some(listed) = listed(spent, actions) else {
            return Finding::skipped("an action of a spent lock is not in the file");
        };
        let next = lines.spent.get(i + 1).map(|next| &next.lock).or(lines.close_lock.as_ref());
        if terms.spent_cause(absent, &listed, &kept).is_none() {
            let is_last = i + 1 == lines.spent.len();
            let voided = round.close_lock.as_ref().is_some_and(CloseLock::is_void);
            if !(is_last && voided && is_revoked(round)) {
                let line = next.map_or(spent.lock.number, |next| next.number);
                let found = format!("lock {} can still be settled", spent.lock.hash);
                return Finding::failed(line, "a spent lock before it", found);
            }
        }
        terms.keep(&listed, &mut kept);
    }
    if let (Some(line), Some(CloseLock::Final { actions, .. })) =
        (&lines.close_lock, &round.close_lock)
        && let Some((seat, hash)) = kept.dropped(|_, kept| actions.contains(kept))
    {
        let expected = format!("the legal action {hash} of seat {seat}");
        return Finding::failed(line.number, expected, "a lock without it");
    }
    Finding::Passed
}

fn listed(spent: &SpentLines, actions: &[Hash]) -> Option<Vec<ListedAction>> {
    ListedAction::in_order(actions, spent.actions.iter().map(|line| &line.envelope))
}

/// Returns whether the last lock of a round, if it is final and not refused, can still be settled
/// because it is not spent. [`None`] if that cannot be judged.
pub(super) fn stands(round: &RoundAudit<'_>) -> Option<bool> {
    let RoundLines { close_lock: Some(line), actions: lines, .. } = round.lines else {
        return Some(false);
    };
    let Some(CloseLock::Final { absent, actions, .. }) = &round.close_lock else {
        return Some(false);
    };
    if round.refused.contains(&line.number) {
        return Some(false);
    }
    let judged = outcome::with_decision_terms(round, |terms| {
        let mut kept = KeptActions::default();
        for (spent, lock) in round.lines.spent.iter().zip(&round.spent) {
            if let CloseLock::Final { actions, .. } = lock {
                terms.keep(&listed(spent, actions)?, &mut kept);
            }
        }
        let listed = ListedAction::in_order(actions, lines.iter().map(|line| &line.envelope))?;
        Some(terms.spent_cause(absent, &listed, &kept).is_none())
    });
    judged.ok().flatten()
}

/// Returns whether a manifest of the file revokes the round's epoch. No engine settles the round
/// then.
fn is_revoked(round: &RoundAudit<'_>) -> bool {
    let Some(ticket) = &round.ticket else { return false };
    let epoch = ticket.coordinates.epoch;
    round.context.manifests.iter().any(|(_, one)| {
        one.manifest.epoch(epoch).is_some_and(|epoch| epoch.status == EpochStatus::Revoked)
    })
}
