//! The published example of the format, whose records leave out members that an engine always
//! writes (D5).
//!
//! A ticket that states no policy marks the form. The members that such a round leaves out are
//! added here before its records are read, so that the types of the records are those of an
//! engine. An audit asks `has_its_form` before it relies on an added member.

use paigow_fairness::json::{Json, Object, WriteJson as _};
use paigow_fairness::manifest::{Manifest, Policy, Root};
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::RecordKind;

/// Whether a ticket has the form of the published example: it states no policy.
#[must_use]
pub fn has_its_form(ticket: &Json<'_>) -> bool {
    matches!(ticket, Json::Obj(members) if !members.contains_key("policy"))
}

/// Adds the members that a record of the example leaves out.
///
/// The policy is not read by any check: the example states none. The currency is ISO 4217's
/// code for no currency.
#[must_use]
pub fn complete(kind: RecordKind, payload: Json<'_>) -> Json<'_> {
    let Json::Obj(mut members) = payload else { return payload };
    let has = |members: &Object<'_>, key: &str, word: &str| matches!(members.get(key), Some(Json::Str(text)) if text == word);
    match kind {
        RecordKind::Ticket => add(&mut members, "policy", Policy::DEV.to_json()),
        RecordKind::Lock if has(&members, "step", "wagers") => {
            let none = Json::obj([("code", Json::str("XXX")), ("exponent", Json::Int(0))]);
            add(&mut members, "currency", none);
            add(&mut members, "facts", Json::obj([]));
        }
        RecordKind::Deal => add(&mut members, "fees", Json::obj([])),
        RecordKind::Settle if has(&members, "disposition", "settled") => {
            add(&mut members, "results", Json::obj([]));
        }
        RecordKind::Lock
        | RecordKind::Settle
        | RecordKind::Action
        | RecordKind::Manifest
        | RecordKind::EpochReveal => {}
    }
    Json::Obj(members)
}

/// Reads a manifest that may leave out what the example's leaves out: the root stays the one
/// that is `trusted`, and no house way is listed.
///
/// # Errors
///
/// If another member is missing, unknown or malformed.
pub fn manifest(payload: Json<'_>, trusted: &Root) -> Result<Manifest, PayloadError> {
    let Json::Obj(mut members) = payload else { return Manifest::parse(payload) };
    add(&mut members, "house_ways", Json::arr([]));
    add(&mut members, "root", trusted.to_json());
    Manifest::parse(Json::Obj(members))
}

fn add<'j>(members: &mut Object<'j>, key: &'static str, value: Json<'j>) {
    if !members.contains_key(key) {
        members.insert(key, value);
    }
}
