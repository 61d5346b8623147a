//! Signing: every record of the engine is signed here, by the receipt key of its manifest.

use std::fmt;

use crate::{KeyRing, ReceiptSigner};
use paigow_fairness::json::WriteJson;
use paigow_fairness::manifest::Manifest;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::refusal::{Reason, Refusal};

/// Signs a record of the engine with the receipt key that signs under a manifest: the first that
/// it lists.
///
/// # Errors
///
/// `KEY_NOT_LOADED` if this replica does not hold the key; `KEY_STORE_UNAVAILABLE` if the key is in
/// a key store that does not sign, or whose signature is not the key's.
pub(super) fn sign(
    keys: &KeyRing,
    manifest: &Manifest,
    kind: RecordKind,
    payload: &impl WriteJson,
) -> Result<RecordEnvelope, Refusal> {
    let signing = manifest.receipt_keys.first().and_then(|listed| keys.receipt_key(&listed.key));
    match signing {
        None => {
            let what = "this replica does not hold the manifest's receipt key";
            Err(Refusal::of(Reason::KeyNotLoaded, what))
        }
        Some(ReceiptSigner::Held(key)) => Ok(RecordEnvelope::seal(kind, payload, &[key])),
        Some(ReceiptSigner::Stored { public, store }) => {
            let unavailable = |cause: &dyn fmt::Display| {
                let what = "the key store does not sign now";
                Refusal::of(Reason::KeyStoreUnavailable, what).with_alarm("cause", cause)
            };
            let mut record = RecordEnvelope::unsigned(kind, payload);
            let signature = store.sign(public, record.to_sign()).map_err(|e| unavailable(&e))?;
            record.attach(public, &signature).map_err(|error| unavailable(&error))?;
            Ok(record)
        }
    }
}
