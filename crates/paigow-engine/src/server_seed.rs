//! The server seed of a round: derived, computed by the epoch's VRF, or opened from its ticket.

use crate::{KeyRing, VrfSecretKey};
use crate::{deck_mismatch, sealed};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{Epoch, Suite};
use paigow_fairness::secret::ServerSeed;
use paigow_fairness::seed::{self, Coordinates};
use paigow_fairness::ticket::Ticket;
use paigow_fairness::vrf::VrfProof;
use paigow_round::refusal::{FactKey, Reason, Refusal};
use paigow_round::round::Round;

/// Returns the server seed of a round in an epoch of the derived suite.
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
    let salt = salt(epoch)?;
    let (secret, commit) = keys.epoch(epoch.epoch).ok_or_else(not_held)?;
    // A ring with another secret must never answer, wherever it came from.
    if epoch.commit != Some(commit) {
        return Err(another());
    }
    Ok(coordinates.derived_server_seed(secret, &salt))
}

/// Returns the server seed of a round in an epoch of the vrf suite.
///
/// # Errors
///
/// As [`derive`].
pub(super) fn vrf_output(
    keys: &KeyRing,
    epoch: &Epoch,
    coordinates: &Coordinates,
) -> Result<ServerSeed, Refusal> {
    let output = vrf_key(keys, epoch)?.output(&coordinates.vrf_input(&salt(epoch)?));
    Ok(seed::vrf_server_seed(&output))
}

fn vrf_key<'k>(keys: &'k KeyRing, epoch: &Epoch) -> Result<&'k VrfSecretKey, Refusal> {
    let key = keys.vrf_key(epoch.epoch).ok_or_else(not_held)?;
    if epoch.vrf_key == Some(key.public()) { Ok(key) } else { Err(another()) }
}

fn salt(epoch: &Epoch) -> Result<Hash, Refusal> {
    epoch.salt.ok_or_else(|| {
        Refusal::of(
            Reason::EpochNotOpen,
            "the manifest announces the epoch; a later one has its salt",
        )
        .with(FactKey::Epoch, epoch.epoch)
    })
}

fn not_held() -> Refusal {
    Refusal::of(Reason::KeyNotLoaded, "this replica does not hold the epoch's secret")
}

fn another() -> Refusal {
    Refusal::of(Reason::KeyNotLoaded, "this replica holds another secret than the epoch's")
}

/// Recovers the server seed of a ticket, and compares it with the ticket's commitment.
///
/// # Errors
///
/// `KEY_NOT_LOADED`, or `DECK_MISMATCH` if the seed does not open the commitment.
pub(super) fn of_ticket(keys: &KeyRing, round: &Round<'_>) -> Result<ServerSeed, Refusal> {
    opening(keys, round, recovered(keys, round)?)
}

/// The same with the proof of the seed, in the vrf suite.
///
/// # Errors
///
/// As [`of_ticket`].
pub(super) fn proven_of_ticket(
    keys: &KeyRing,
    round: &Round<'_>,
) -> Result<(ServerSeed, Option<VrfProof>), Refusal> {
    match round.ticket.suite {
        Suite::Derived | Suite::Fresh => Ok((of_ticket(keys, round)?, None)),
        Suite::Vrf => {
            let input = round.ticket.coordinates.vrf_input(&salt(round.epoch)?);
            let (output, proof) = vrf_key(keys, round.epoch)?.prove(&input);
            Ok((opening(keys, round, seed::vrf_server_seed(&output))?, Some(proof)))
        }
    }
}

fn recovered(keys: &KeyRing, round: &Round<'_>) -> Result<ServerSeed, Refusal> {
    let ticket: &Ticket = &round.ticket;
    match ticket.suite {
        Suite::Derived => derive(keys, round.epoch, &ticket.coordinates),
        Suite::Vrf => vrf_output(keys, round.epoch, &ticket.coordinates),
        Suite::Fresh => {
            let unsealed = |kid| move || deck_mismatch::of_seal(round, kid);
            let blob = ticket.sealed.as_deref().ok_or_else(unsealed(None))?;
            let kid = sealed::sealing_key(blob).ok_or_else(unsealed(None))?;
            let key = keys.token_key(kid).ok_or_else(|| {
                Refusal::of(Reason::KeyNotLoaded, "this replica does not hold the token key")
            })?;
            let opened = sealed::open(key, blob, &ticket.round_id, &ticket.commit);
            opened.ok_or_else(unsealed(Some(kid)))
        }
    }
}

/// Returns the seed if it opens the commitment of the ticket.
fn opening(keys: &KeyRing, round: &Round<'_>, seed: ServerSeed) -> Result<ServerSeed, Refusal> {
    let ticket: &Ticket = &round.ticket;
    let commit = |seed: &ServerSeed| {
        seed::round_commit(seed, &ticket.round_id, &ticket.ruleset, &ticket.engine)
    };
    let computed = commit(&seed);
    if computed == ticket.commit {
        return Ok(seed);
    }
    let again = recovered(keys, round)?;
    Err(deck_mismatch::of_commitment(round, [computed, commit(&again)]))
}
