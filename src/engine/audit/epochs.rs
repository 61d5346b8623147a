//! The epoch: its commitment, its salt, and that the seed was never a choice.

use super::report::Finding;
use super::round::{RoundAudit, World};
use crate::engine::record::{EpochReveal, SettleRecord};
use crate::fairness::encoding::Hash;
use crate::fairness::manifest::{SaltSource, Suite};
use crate::fairness::seed;
use crate::fairness::ticket::Ticket;

/// A round of the derived suite with the commitment of its epoch.
struct Grounds<'r, 'a> {
    ticket: &'r Ticket,
    world: World<'a>,
    commit: Hash,
    source: &'a SaltSource,
}

fn derived<'r, 'a>(round: &'r RoundAudit<'a>) -> Result<Grounds<'r, 'a>, Finding> {
    let (ticket, world) = round.grounds()?;
    if world.epoch.suite == Suite::Fresh {
        return Err(Finding::skipped("fresh"));
    }
    match (world.epoch.commit, &world.epoch.salt_source) {
        (Some(commit), Some(source)) => Ok(Grounds { ticket, world, commit, source }),
        (None, _) | (_, None) => Err(Finding::skipped("the epoch has no commitment")),
    }
}

fn revealed<'r>(
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

/// `EPOCH_SALT`: the salt is what its source gives.
pub(super) fn salt(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let grounds = derived(round)?;
        let line = round.lines.ticket.number;
        match grounds.source.salt(&grounds.commit) {
            Err(what) => Ok(Finding::failed(line, "a salt signed by its party", what)),
            Ok(expected) => {
                Ok(Finding::equal(line, &expected, &grounds.world.epoch.salt, "the epoch's salt"))
            }
        }
    })
}

/// `SALT_AFTER_COMMIT`: an earlier manifest announced the epoch without its salt, and
/// nothing else of it has changed (D2).
pub(super) fn salt_after_commit(round: &RoundAudit<'_>) -> Finding {
    Finding::or_skip(|| {
        let grounds = derived(round)?;
        if matches!(grounds.source, SaltSource::None) {
            return Err(Finding::skipped("the epoch has no salt: salt_source none"));
        }
        let completed = grounds.world.signed.manifest.seq;
        let number = grounds.world.epoch.epoch;
        let earlier = round.context.manifests.iter().filter(|m| m.manifest.seq < completed);
        let mut announced = false;
        for signed in earlier {
            let Some(epoch) = signed.manifest.epoch(number) else { continue };
            if !epoch.may_become(grounds.world.epoch) {
                let expected = "the epoch as it was announced";
                return Ok(Finding::failed(round.lines.ticket.number, expected, "a changed epoch"));
            }
            announced |= epoch.salt.is_none()
                && epoch.salt_source.as_ref().is_some_and(|s| s.announced() == *s);
        }
        if announced {
            Ok(Finding::Passed)
        } else {
            Err(Finding::skipped("the manifest that announced the epoch is not in the file"))
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
