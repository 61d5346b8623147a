//! Signing: every record of the engine is signed here, by the receipt key of its manifest.

use crate::{KeyRing, SecretKey};
use paigow_fairness::json::WriteJson;
use paigow_fairness::manifest::Manifest;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::refusal::{Reason, Refusal};

/// Returns the receipt key that signs under a manifest: the first that it lists.
///
/// # Errors
///
/// `KEY_NOT_LOADED` if this replica does not hold it.
pub(super) fn signer<'k>(keys: &'k KeyRing, manifest: &Manifest) -> Result<&'k SecretKey, Refusal> {
    manifest.receipt_keys.first().and_then(|listed| keys.receipt_key(&listed.key)).ok_or_else(
        || {
            Refusal::of(
                Reason::KeyNotLoaded,
                "this replica does not hold the manifest's receipt key",
            )
        },
    )
}

/// Signs a record of the engine under a manifest.
///
/// # Errors
///
/// As [`signer`].
pub(super) fn sign(
    keys: &KeyRing,
    manifest: &Manifest,
    kind: RecordKind,
    payload: &impl WriteJson,
) -> Result<RecordEnvelope, Refusal> {
    Ok(RecordEnvelope::seal(kind, payload, &[signer(keys, manifest)?]))
}
