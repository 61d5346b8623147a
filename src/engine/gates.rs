//! The gates: clock and revocation. The newest manifest decides, and no byte of an
//! answer depends on them (PGE-FAIR-1, section 4.6 and D4).

use super::refusal::{Reason, Refusal};
use crate::fairness::manifest::{Epoch, EpochStatus, ManifestChain};

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
    match status {
        // A manifest may drop an epoch only after it was revealed.
        None | Some(EpochStatus::Revealed) => {
            return Err(Refusal::of(
                Reason::EpochClosed,
                format!("the secret of epoch {number} is published"),
            ));
        }
        Some(EpochStatus::Revoked) if purpose != Purpose::Void => {
            return Err(Refusal::of(
                Reason::EpochRevoked,
                format!("epoch {number} is revoked: its rounds can only be voided"),
            ));
        }
        Some(EpochStatus::Active | EpochStatus::Revoked) => {}
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
