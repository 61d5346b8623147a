//! The server seed of a round: derived, or taken out of its ticket.

use crate::KeyRing;
use crate::{deck_mismatch, sealed};
use paigow_fairness::manifest::{Epoch, Suite};
use paigow_fairness::secret::ServerSeed;
use paigow_fairness::seed::{self, Coordinates};
use paigow_fairness::ticket::Ticket;
use paigow_round::refusal::{FactKey, Reason, Refusal};
use paigow_round::round::Round;

/// Derives the server seed of a round in an epoch of the derived suite.
///
/// # Errors
///
/// `KEY_NOT_LOADED` if this replica does not hold the epoch's secret, `EPOCH_NOT_OPEN`
/// while the epoch has no salt.
pub(super) fn derive(
    keys: &KeyRing,
    epoch: &Epoch,
    coordinates: &Coordinates,
) -> Result<ServerSeed, Refusal> {
    let salt = epoch.salt.ok_or_else(|| {
        Refusal::of(
            Reason::EpochNotOpen,
            "the manifest announces the epoch; a later one has its salt",
        )
        .with(FactKey::Epoch, epoch.epoch)
    })?;
    let (secret, commit) = keys.epoch(epoch.epoch).ok_or_else(|| {
        Refusal::of(Reason::KeyNotLoaded, "this replica does not hold the epoch's secret")
    })?;
    // A ring with another secret must never answer, whoever loaded it.
    if epoch.commit != Some(commit) {
        return Err(Refusal::of(
            Reason::KeyNotLoaded,
            "this replica holds another secret than the epoch's",
        ));
    }
    Ok(coordinates.derived_server_seed(secret, &salt))
}

/// Recovers the server seed of a ticket and holds it against the ticket's commitment.
///
/// # Errors
///
/// `KEY_NOT_LOADED`, or `DECK_MISMATCH` if the seed does not open the commitment.
pub(super) fn of_ticket(keys: &KeyRing, round: &Round<'_>) -> Result<ServerSeed, Refusal> {
    let ticket: &Ticket = &round.ticket;
    let seed = match ticket.suite {
        Suite::Derived => derive(keys, round.epoch, &ticket.coordinates)?,
        Suite::Fresh => {
            let unsealed = |kid| move || deck_mismatch::of_seal(round, kid);
            let blob = ticket.sealed.as_deref().ok_or_else(unsealed(None))?;
            let kid = sealed::sealing_key(blob).ok_or_else(unsealed(None))?;
            let key = keys.token_key(kid).ok_or_else(|| {
                Refusal::of(Reason::KeyNotLoaded, "this replica does not hold the token key")
            })?;
            let opened = sealed::open(key, blob, &ticket.round_id, &ticket.commit);
            opened.ok_or_else(unsealed(Some(kid)))?
        }
    };
    let commit = |seed: &ServerSeed| {
        seed::round_commit(seed, &ticket.round_id, &ticket.ruleset, &ticket.engine)
    };
    let computed = commit(&seed);
    if computed == ticket.commit {
        return Ok(seed);
    }
    let again = match ticket.suite {
        Suite::Derived => derive(keys, round.epoch, &ticket.coordinates)?,
        Suite::Fresh => seed,
    };
    Err(deck_mismatch::of_commitment(round, [computed, commit(&again)]))
}
