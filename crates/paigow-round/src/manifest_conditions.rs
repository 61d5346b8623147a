//! The gates: clock and revocation. The newest manifest decides, and no byte of an
//! answer depends on them (PGE-FAIR-1, section 4.6 and D4).

use super::refusal::{FactKey, Reason, Refusal};
use paigow_fairness::manifest::{
    Epoch, EpochStatus, Manifest, ManifestChain, ManifestTenant, Policy, SeatAuth, SignedManifest,
};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::signature::PublicKey;

/// The purpose of a call in an epoch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EpochPurpose {
    /// Open a round.
    Open,
    /// Deal or settle one.
    Play,
    /// Void one.
    Void,
}

/// Checks that no receipt key of a call is revoked.
///
/// The call signs under a manifest and relies on records signed under it. A revoked key signs no
/// new record. Its signatures since the leak prove nothing.
///
/// # Errors
///
/// `KEY_REVOKED`.
pub fn pass_keys(
    manifests: &ManifestChain,
    manifest: &Manifest,
    records: &[&RecordEnvelope],
) -> Result<(), Refusal> {
    let Some(standing) = standing(manifests, manifest) else { return Ok(()) };
    let signs = manifest.receipt_keys.first().map(|first| first.key);
    let stands = signs.is_some_and(|key| standing.contains(&key))
        && records.iter().all(|record| record.all_verify(&standing));
    if stands {
        Ok(())
    } else {
        let refusal = Refusal::of(Reason::KeyRevoked, "the receipt key of the round is revoked");
        Err(refusal.with_newest(manifests))
    }
}

/// Returns those receipt keys of a manifest that the chain does not revoke; [`None`] if all of them
/// are valid.
fn standing(manifests: &ManifestChain, manifest: &Manifest) -> Option<Vec<PublicKey>> {
    let is_revoked = |key: &PublicKey| manifests.is_revoked(key);
    if !manifest.receipt_keys.iter().any(|listed| is_revoked(&listed.key)) {
        return None;
    }
    let mut keys = manifest.receipt_public_keys();
    keys.retain(|key| !is_revoked(key));
    Some(keys)
}

/// Checks the close of an earlier round, which verifies under the receipt keys of `manifest`.
///
/// A signature by a revoked key counts only with a proof that it is older than the revocation
/// (PGE-FAIR-1, section 3.6). This release does not know such proofs.
///
/// # Errors
///
/// `KEY_REVOKED`.
pub fn pass_close(
    manifests: &ManifestChain,
    manifest: &Manifest,
    close: &RecordEnvelope,
) -> Result<(), Refusal> {
    if standing(manifests, manifest).is_none_or(|standing| close.all_verify(&standing)) {
        return Ok(());
    }
    let what = "the receipt key that signed the close of the round before is revoked";
    Err(Refusal::at(Reason::KeyRevoked, "prev", what).with_newest(manifests))
}

/// Checks that the tenant of a new round has the same policy in the named and in the newest
/// manifest.
///
/// No switch has a side that is safer in every deployment. Without client seeds, a colluder who
/// knows the epoch secret only predicts a deck. With a client seed of his own, he chooses it (D10).
/// So any difference closes the gate.
///
/// # Errors
///
/// `LOCK_REQUIRED`, `CHAIN_REQUIRED`, `SEAT_AUTH_REQUIRED` where the newest manifest has
/// begun to require it, else `POLICY_CHANGED`.
pub fn pass_policy(
    manifests: &ManifestChain,
    named: Policy,
    newest: Policy,
) -> Result<(), Refusal> {
    if named == newest {
        return Ok(());
    }
    let required = |policy: Policy| policy.seat_auth == SeatAuth::Required;
    let reason = if newest.lock_required && !named.lock_required {
        Reason::LockRequired
    } else if newest.chain_required && !named.chain_required {
        Reason::ChainRequired
    } else if required(newest) && !required(named) {
        Reason::SeatAuthRequired
    } else {
        Reason::PolicyChanged
    };
    let what = "the newest manifest has another policy for the tenant: name that one";
    Err(Refusal::of(reason, what).with_newest(manifests))
}

/// Checks that the newest manifest has not dropped a ledger key that the named manifest lists for
/// the tenant.
///
/// The holder of such a key could still lock the round's wagers, and a lock is the ledger's word.
/// While one key replaces another, both may be listed.
///
/// # Errors
///
/// `POLICY_CHANGED`.
pub fn pass_ledger_keys(
    manifests: &ManifestChain,
    named: &ManifestTenant,
    newest: &ManifestTenant,
) -> Result<(), Refusal> {
    if named.ledger_keys.iter().all(|key| newest.ledger_keys.contains(key)) {
        return Ok(());
    }
    Err(Refusal::of(
        Reason::PolicyChanged,
        "the newest manifest no longer lists a ledger key of the one that is named: name a later \
         one",
    )
    .with_newest(manifests))
}

/// Checks that the newest manifest still lists a ledger key of `tenant` that signed the lock of the
/// wagers.
///
/// The lock has already been verified under the keys of `tenant`, which are those of the ticket's
/// manifest, `signed`.
///
/// A tenant that the newest manifest has dropped lists no key there, so no deal follows a lock of
/// its ledger. The newest manifest decides no other fact of the tenant, as the records of a round
/// are made under that of its ticket (D4). No signature is verified again if no key was dropped. A
/// lock without a signature, which only the ticket's policy allows, relies on no key.
///
/// Settlements and voids do not pass here. A round that was dealt ends as it began, since a
/// rotation of keys must not turn wins into refunds. An operator that suspects a theft revokes the
/// epoch.
///
/// # Errors
///
/// `POLICY_CHANGED`.
pub fn pass_lock(
    manifests: &ManifestChain,
    signed: &SignedManifest,
    tenant: &ManifestTenant,
    lock: &RecordEnvelope,
) -> Result<(), Refusal> {
    let newest = manifests.newest();
    if newest.hash == signed.hash {
        return Ok(());
    }
    let listed = newest.manifest.tenant(&tenant.tenant).map_or(&[][..], |t| &t.ledger_keys);
    let stands = |key: &&PublicKey| listed.contains(key);
    let keys = tenant.ledger_keys.iter();
    if !lock.is_signed()
        || keys.clone().all(|key| stands(&key))
        || lock.any_verifies(keys.filter(stands))
    {
        return Ok(());
    }
    Err(Refusal::of(
        Reason::PolicyChanged,
        "the newest manifest no longer lists the ledger key that signed the lock",
    )
    .with_newest(manifests))
}

/// Lets a call through to an epoch of the ticket's manifest, or refuses it.
///
/// # Errors
///
/// `EPOCH_NOT_OPEN`, `EPOCH_CLOSED` or `EPOCH_REVOKED`.
pub fn pass(
    manifests: &ManifestChain,
    epoch: &Epoch,
    now: u64,
    purpose: EpochPurpose,
) -> Result<(), Refusal> {
    let number = epoch.epoch;
    let status = manifests.newest().manifest.epoch(number).map(|newest| newest.status);
    match (status, purpose) {
        // A void uses no secret. A round that is open after a revocation must end as a void, until
        // `settle_until` (D13). That also holds if the newest manifest no longer lists the epoch.
        // Its window is that of the ticket's manifest, which no later manifest may change.
        (None | Some(EpochStatus::Revoked | EpochStatus::Revealed), EpochPurpose::Void)
        | (
            Some(EpochStatus::Active),
            EpochPurpose::Open | EpochPurpose::Play | EpochPurpose::Void,
        ) => {}
        // A manifest may drop an epoch only after it was revealed.
        (None | Some(EpochStatus::Revealed), EpochPurpose::Open | EpochPurpose::Play) => {
            return Err(Refusal::of(
                Reason::EpochClosed,
                format!("the secret of epoch {number} is published"),
            )
            .with(FactKey::Epoch, number));
        }
        (Some(EpochStatus::Revoked), EpochPurpose::Open | EpochPurpose::Play) => {
            return Err(Refusal::of(
                Reason::EpochRevoked,
                format!("epoch {number} is revoked: its rounds can only be voided"),
            )
            .with(FactKey::Epoch, number));
        }
    }
    if now < epoch.open_from {
        return Err(Refusal::of(
            Reason::EpochNotOpen,
            format!("epoch {number} opens at {}", epoch.open_from),
        )
        .with(FactKey::Epoch, number)
        .with(FactKey::OpensAt, epoch.open_from));
    }
    let (until, what) = match purpose {
        EpochPurpose::Open => (epoch.open_until, "new rounds"),
        EpochPurpose::Play | EpochPurpose::Void => (epoch.settle_until, "settlement"),
    };
    if now >= until {
        return Err(Refusal::of(
            Reason::EpochClosed,
            format!("epoch {number} closed for {what} at {until}"),
        )
        .with(FactKey::Epoch, number)
        .with(FactKey::ClosedAt, until));
    }
    Ok(())
}
