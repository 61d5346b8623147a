//! The epoch: its commitment, its salt, and the proof that the seed was not chosen.

use super::beacons::{self, BLS_WORK};
use super::closes;
use super::report::{Finding, joined};
use super::round::{AuditWorld, RoundAudit};
use crate::record::{EpochReveal, SettleRecord};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{Epoch, EpochStatus, SaltSource, SignedManifest, Suite};
use paigow_fairness::seed;
use paigow_fairness::ticket::Ticket;
use paigow_fairness::vrf::VrfProof;

/// The reason for a skipped check if the file begins after the announcement of the epoch.
pub(super) const NOT_ANNOUNCED: &str = "the manifest that announced the epoch is not in the file";

/// A round of an epoch that commits to its secret.
struct CommittedRound<'r, 'a> {
    ticket: &'r Ticket,
    world: AuditWorld<'a>,
    /// The commitment: in the vrf suite the key.
    commit: Hash,
    source: &'a SaltSource,
}

fn committed<'r, 'a>(round: &'r RoundAudit<'a>) -> Result<CommittedRound<'r, 'a>, Finding> {
    let (ticket, world) = round.grounds()?;
    if world.epoch.suite == Suite::Fresh {
        return Err(Finding::skipped("fresh"));
    }
    match (world.epoch.commitment(), &world.epoch.salt_source) {
        (Some(commit), Some(source)) => Ok(CommittedRound { ticket, world, commit, source }),
        (None, _) | (_, None) => Err(Finding::skipped("the epoch has no commitment")),
    }
}

/// As [`committed`], but only in the suite whose secret is revealed.
fn derived<'r, 'a>(round: &'r RoundAudit<'a>) -> Result<CommittedRound<'r, 'a>, Finding> {
    let grounds = committed(round)?;
    match grounds.world.epoch.suite {
        Suite::Derived => Ok(grounds),
        Suite::Fresh | Suite::Vrf => Err(Finding::skipped("the suite reveals no secret")),
    }
}

/// Returns the reveal of an epoch, with its line.
pub(super) fn revealed<'r>(
    round: &'r RoundAudit<'_>,
    epoch: u32,
) -> Result<&'r (usize, EpochReveal), Finding> {
    let mut reveals = round.context.reveals.iter();
    reveals
        .find(|(line, reveal)| reveal.epoch == epoch && !round.refused.contains(line))
        .ok_or_else(|| Finding::skipped("not revealed"))
}

/// `EPOCH_COMMIT`: the revealed secret opens the manifest's commitment.
pub(super) fn commit(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let grounds = derived(round)?;
        let (line, reveal) = revealed(round, grounds.world.epoch.epoch)?;
        let opened = seed::epoch_commit(reveal.epoch, &reveal.secret);
        Ok(Finding::equal(*line, &grounds.commit, &opened, "the epoch's commitment"))
    })
}

/// `EPOCH_COMMIT` of a reveal by itself: its epoch is listed, and it opens the commitment.
pub(super) fn reveal(
    manifests: &[(usize, SignedManifest)],
    line: usize,
    reveal: &EpochReveal,
) -> Finding {
    let listed = manifests.iter().filter_map(|(_, m)| m.manifest.epoch(reveal.epoch));
    let commits: Vec<Hash> = listed.filter_map(|epoch| epoch.commit).collect();
    let Some(first) = commits.first() else {
        return Finding::failed(line, "an epoch that a manifest commits to", "another epoch");
    };
    let opened = seed::epoch_commit(reveal.epoch, &reveal.secret);
    if commits.contains(&opened) {
        Finding::Passed
    } else {
        Finding::failed(line, format!("the epoch's commitment {first}"), opened.to_string())
    }
}

/// `EPOCH_SALT`: the salt is what its source gives.
pub(super) fn salt(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let grounds = committed(round)?;
        let line = round.manifest_line(grounds.world);
        let number = grounds.world.epoch.epoch;
        let announcement = round.context.announcement(number);
        let beacon = grounds.world.signed.manifest.beacon.as_ref();
        if matches!(grounds.source, SaltSource::Drand { .. })
            && !round.context.effort.may_verify(BLS_WORK)
        {
            return Err(Finding::skipped("the audit takes too much work"));
        }
        match grounds.source.salt(number, announcement.as_ref(), &grounds.commit, beacon) {
            Err(what) => Ok(Finding::failed(line, "a salt signed by its party or beacon", what)),
            Ok(expected) => {
                let stated = &grounds.world.epoch.salt;
                let said = |salt: &Option<Hash>| joined(salt);
                let finding = Finding::equal_as(line, &expected, stated, "the epoch's salt", said);
                let is_party = matches!(grounds.source, SaltSource::Party { .. });
                Ok(finding.and(|| match announcement {
                    None if is_party => Finding::skipped(NOT_ANNOUNCED),
                    None | Some(_) => Finding::Passed,
                }))
            }
        }
    })
}

/// `SALT_AFTER_COMMIT`: the manifest that first lists the epoch announces it without its
/// salt, and none after it changes anything but its completion and its status (D2).
///
/// Skipped if the file begins too late to decide, or if the caller does not trust the epoch's
/// witness. A drand salt needs a pinned witness that dated the announcement before the beacon's
/// round was published.
pub(super) fn salt_after_commit(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let (_, world) = round.grounds()?;
        if world.epoch.suite == Suite::Fresh {
            return Err(Finding::skipped("fresh"));
        }
        let number = world.epoch.epoch;
        let mut listings: Vec<(usize, &Epoch)> = Vec::new();
        for (line, signed) in &round.context.manifests {
            let before = listings.last().map(|(_, epoch)| *epoch);
            match (before, signed.manifest.epoch(number)) {
                (None, None) => {}
                (Some(before), None) if before.status == EpochStatus::Revealed => {}
                (Some(before), Some(epoch)) if !before.may_become(epoch) => {
                    let expected = "the epoch as it was announced";
                    return Ok(Finding::failed(*line, expected, "a changed epoch"));
                }
                (_, Some(epoch)) => listings.push((*line, epoch)),
                (Some(_), None) => {
                    let expected = "the epoch listed until it is revealed";
                    return Ok(Finding::failed(*line, expected, "no such epoch"));
                }
            }
        }
        let Some((line, first)) = listings.first() else {
            return Err(Finding::skipped("no manifest lists the epoch"));
        };
        let source = committed(round)?.source;
        let is_open = first.salt_source.as_ref().is_some_and(|own| own.announced() == *own);
        let is_announced = round.context.announcement(number).is_some();
        let has_salt = first.salt.is_some() || !is_open;
        match source {
            SaltSource::None => Err(Finding::skipped("the epoch has no salt: salt_source none")),
            SaltSource::Party { .. } | SaltSource::Drand { .. } if is_announced && has_salt => {
                let expected = "an epoch that is announced before it has its salt";
                let found = "an epoch listed with its salt at once";
                Ok(Finding::failed(*line, expected, found))
            }
            SaltSource::Party { .. } | SaltSource::Drand { .. } if !is_announced => {
                Err(Finding::skipped(NOT_ANNOUNCED))
            }
            SaltSource::Party { key, .. } if !round.context.terms.witnesses.contains(key) => {
                Err(Finding::skipped("the key of the epoch's witness is not among those given"))
            }
            SaltSource::Party { .. } => Ok(Finding::Passed),
            SaltSource::Drand { named, .. } => beacons::announced_before(round, *line, named),
        }
    })
}

/// Returns the proof of the seed of a void, with the line of the epoch close that has it. Returns
/// [`None`] if that close has no such proof.
pub(super) fn proof_of_void<'r>(
    round: &'r RoundAudit<'_>,
) -> Result<Option<(usize, &'r VrfProof)>, Finding> {
    let (ticket, _) = round.grounds()?;
    let place = &ticket.coordinates;
    let counted = closes::usable_close(round, place)?;
    Ok(counted.and_then(|counted| {
        let proof = counted.close.seed_proof(&place.table, place.round_no)?;
        Some((counted.line, proof))
    }))
}

/// `SEED_PROOF`: the proof of the server seed verifies under the key of the epoch. The close of the
/// epoch has the proof of a void.
pub(super) fn seed_proof(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let (ticket, world) = round.grounds()?;
        let close = round.closed()?;
        let Some(key) = world.epoch.vrf_key else {
            return match close {
                (line, SettleRecord::Settled(settled)) if settled.seed_proof.is_some() => {
                    Ok(Finding::failed(line, "no proof of a seed in this suite", "a proof"))
                }
                (_, SettleRecord::Settled(_) | SettleRecord::Void(_)) => {
                    Err(Finding::skipped("the suite has no proofs of seeds"))
                }
            };
        };
        let salt = world.epoch.salt.ok_or_else(|| Finding::skipped("no salt"))?;
        let seed_of = |proof: &VrfProof| ticket.coordinates.proven_server_seed(&key, &salt, proof);
        let expected = "a proof of the server seed under the key of the epoch";
        match close {
            (line, SettleRecord::Settled(settled)) => Ok(match &settled.seed_proof {
                None => Finding::failed(line, expected, "none"),
                Some(proof) => match seed_of(proof) {
                    None => Finding::failed(line, expected, "another"),
                    Some(seed) if seed != settled.server_seed => {
                        Finding::failed(line, "the server seed of the proof", "another")
                    }
                    Some(_) => Finding::Passed,
                },
            }),
            (_, SettleRecord::Void(_)) => {
                let none = "the round is void, and no close of the epoch proves its seed";
                let (line, proof) = proof_of_void(round)?.ok_or_else(|| Finding::skipped(none))?;
                let Some(seed) = seed_of(proof) else {
                    return Ok(Finding::failed(line, expected, "another"));
                };
                let opened =
                    seed::round_commit(&seed, &ticket.round_id, &ticket.ruleset, &ticket.engine);
                let what = "the commitment of the proven seed";
                Ok(Finding::equal(line, &ticket.commit, &opened, what))
            }
        }
    })
}

/// `SEED_WAS_NOT_CHOSEN`: the server seed is the one derived from the epoch's secret. For a
/// round that revealed none, the derived seed opens the ticket's commitment.
pub(super) fn seed_was_not_chosen(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let grounds = derived(round)?;
        let (_, reveal) = revealed(round, grounds.world.epoch.epoch)?;
        let salt = grounds.world.epoch.salt.ok_or_else(|| Finding::skipped("no salt"))?;
        let ticket = grounds.ticket;
        let seed = ticket.coordinates.derived_server_seed(&reveal.secret, &salt);
        if let Ok((line, SettleRecord::Settled(settled))) = round.closed()
            && settled.server_seed != seed
        {
            return Ok(Finding::failed(line, "the seed of the epoch's secret", "another"));
        }
        let opened = seed::round_commit(&seed, &ticket.round_id, &ticket.ruleset, &ticket.engine);
        let line = round.lines.ticket.number;
        Ok(Finding::equal(line, &opened, &ticket.commit, "the commitment of the derived seed"))
    })
}
