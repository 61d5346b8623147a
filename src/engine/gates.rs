//! The gates: clock and revocation. The newest manifest decides, and no byte of an
//! answer depends on them (PGE-FAIR-1, section 4.6 and D4).

use super::refusal::{Reason, Refusal};
use crate::fairness::manifest::{
    ClientPolicy, Epoch, EpochStatus, Manifest, ManifestChain, Policy, SeatAuth,
};
use crate::fairness::record::Envelope;
use crate::fairness::signature::PublicKey;

/// What a call wants to do in an epoch.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Purpose {
    /// Open a round.
    Open,
    /// Deal or settle one.
    Play,
    /// Void one.
    Void,
}

/// Lets a call through that signs under a manifest and relies on records signed under it,
/// or refuses it: a revoked receipt key makes nothing new, and what it may have signed
/// since it leaked proves nothing.
///
/// # Errors
///
/// `KEY_REVOKED`.
pub(super) fn pass_keys(
    manifests: &ManifestChain,
    manifest: &Manifest,
    records: &[&Envelope],
) -> Result<(), Refusal> {
    let (revoked, standing): (Vec<PublicKey>, Vec<PublicKey>) =
        manifest.receipt_public_keys().into_iter().partition(|key| manifests.is_revoked(key));
    let signs = manifest.receipt_keys.first().map(|first| first.key);
    let stands = revoked.is_empty()
        || (signs.is_some_and(|key| standing.contains(&key))
            && records.iter().all(|record| record.all_verify(&standing)));
    if stands {
        Ok(())
    } else {
        Err(Refusal::of(Reason::KeyRevoked, "the receipt key of the round is revoked"))
    }
}

/// Lets a new round through under a policy that the newest manifest has not tightened.
///
/// # Errors
///
/// `LOCK_REQUIRED`, `CHAIN_REQUIRED` or `POLICY_CHANGED`.
pub(super) fn pass_policy(named: Policy, newest: Policy) -> Result<(), Refusal> {
    let gate = |reason| {
        Err(Refusal::of(reason, "the newest manifest asks more of the tenant: name that one"))
    };
    let signs = |auth: SeatAuth| match auth {
        SeatAuth::Off => 0,
        SeatAuth::Optional => 1,
        SeatAuth::Required => 2,
    };
    let commits = |policy: Policy| policy.client == ClientPolicy::Committed;
    if newest.lock_required && !named.lock_required {
        gate(Reason::LockRequired)
    } else if newest.chain_required && !named.chain_required {
        gate(Reason::ChainRequired)
    } else if signs(newest.seat_auth) > signs(named.seat_auth)
        || (commits(newest) && !commits(named))
    {
        gate(Reason::PolicyChanged)
    } else {
        Ok(())
    }
}

/// Lets a call through to an epoch of the ticket's manifest, or refuses it.
///
/// # Errors
///
/// `EPOCH_NOT_OPEN`, `EPOCH_CLOSED` or `EPOCH_REVOKED`.
pub(super) fn pass(
    manifests: &ManifestChain,
    epoch: &Epoch,
    now: u64,
    purpose: Purpose,
) -> Result<(), Refusal> {
    let number = epoch.epoch;
    let status = manifests.newest().manifest.epoch(number).map(|newest| newest.status);
    match (status, purpose) {
        // A void uses no secret, and what is open after a revocation must end as one (D13).
        (Some(_), Purpose::Void) | (Some(EpochStatus::Active), _) => {}
        // A manifest may drop an epoch only after it was revealed.
        (None | Some(EpochStatus::Revealed), _) => {
            return Err(Refusal::of(
                Reason::EpochClosed,
                format!("the secret of epoch {number} is published"),
            ));
        }
        (Some(EpochStatus::Revoked), Purpose::Open | Purpose::Play) => {
            return Err(Refusal::of(
                Reason::EpochRevoked,
                format!("epoch {number} is revoked: its rounds can only be voided"),
            ));
        }
    }
    if now < epoch.open_from {
        return Err(Refusal::of(
            Reason::EpochNotOpen,
            format!("epoch {number} opens at {}", epoch.open_from),
        ));
    }
    let (until, what) = match purpose {
        Purpose::Open => (epoch.open_until, "new rounds"),
        Purpose::Play | Purpose::Void => (epoch.settle_until, "settlement"),
    };
    if now >= until {
        return Err(Refusal::of(
            Reason::EpochClosed,
            format!("epoch {number} closed for {what} at {until}"),
        ));
    }
    Ok(())
}
