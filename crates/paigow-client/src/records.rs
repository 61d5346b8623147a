//! The records that a ledger signs. They are read before they are signed, and never trusted unread.
//!
//! A record is a DSSE envelope over canonical JSON. The signed bytes are its pre-authentication
//! encoding.

use std::collections::BTreeSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::signature::PublicKey;
use paigow_proto::v1::{self as pb, Choice, UnsignedRecord, WagerSheet};
use serde_json::{Map, Value, json};

use crate::errors::ClientError;

pub(crate) const LOCK: &str = "application/vnd.pge.lock.v1+json";
pub(crate) const ACTION: &str = "application/vnd.pge.action.v1+json";
pub(crate) const TICKET: &str = "application/vnd.pge.ticket.v1+json";

/// A record, parsed.
#[derive(Debug)]
pub(crate) struct ReadRecord {
    pub(crate) kind: String,
    pub(crate) payload: Vec<u8>,
}

impl ReadRecord {
    pub(crate) fn of(envelope: &[u8]) -> Result<Self, ClientError> {
        let no_record = || ClientError::NotTheRecord("the bytes are not a record".to_owned());
        let read: Value = serde_json::from_slice(envelope).map_err(|_| no_record())?;
        let text = |name: &str| read.get(name).and_then(Value::as_str).ok_or_else(no_record);
        let payload = BASE64.decode(text("payload")?).map_err(|_| no_record())?;
        Ok(Self { kind: text("payloadType")?.to_owned(), payload })
    }

    /// Returns the bytes that a signature covers.
    pub(crate) fn to_sign(&self) -> Vec<u8> {
        let (kind, payload) = (&self.kind, &self.payload);
        let mut bytes = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len()).into_bytes();
        bytes.extend_from_slice(payload);
        bytes
    }

    /// Returns its payload.
    pub(crate) fn body(&self) -> Result<Value, ClientError> {
        serde_json::from_slice(&self.payload).map_err(|_| {
            ClientError::NotTheRecord("the payload of a record is not JSON".to_owned())
        })
    }
}

/// Returns the payload of a record.
pub(crate) fn body(envelope: &[u8]) -> Result<Value, ClientError> {
    ReadRecord::of(envelope)?.body()
}

/// Returns the hash by which other records name a record.
pub(crate) fn record_hash(envelope: &[u8]) -> Result<String, ClientError> {
    Ok(Hash::of(&ReadRecord::of(envelope)?.to_sign()).to_hex())
}

/// Returns a record with a signature in its envelope, as the engine writes it.
pub(crate) fn signed(
    envelope: &[u8],
    public_key: &str,
    signature: &[u8],
) -> Result<Vec<u8>, ClientError> {
    let ReadRecord { kind, payload } = ReadRecord::of(envelope)?;
    let key = PublicKey::from_hex(public_key)
        .map_err(|_| ClientError::Ledger("the key of a lock is not a public key".to_owned()))?;
    let (payload, kid) = (BASE64.encode(payload), key.kid());
    let sig = BASE64.encode(signature);
    let line = format!(
        r#"{{"payload":"{payload}","payloadType":"{kind}","signatures":[{{"keyid":"{kid}","sig":"{sig}"}}]}}"#
    );
    Ok(line.into_bytes())
}

/// Checks that the bytes to sign are exactly the record with the payload `expected`.
pub(crate) fn check_to_sign(
    unsigned: &UnsignedRecord,
    kind: &str,
    expected: &Value,
) -> Result<(), ClientError> {
    let refuse = |sentence: &str| Err(ClientError::NotTheRecord(sentence.to_owned()));
    let read = ReadRecord::of(&envelope_of(unsigned)?)?;
    if read.kind != kind || unsigned.to_sign != read.to_sign() {
        return refuse("the bytes to sign are not those of the record");
    }
    if Json::parse_canonical(&read.payload).is_err() {
        return refuse("the record is not in its one spelling");
    }
    let found = read.body()?;
    if in_any_order(&found) != in_any_order(expected) {
        let names = different(&found, expected).join(", ");
        return refuse(&format!("the record differs from what was asked for: {names}"));
    }
    Ok(())
}

/// Returns the envelope of a record to be signed.
pub(crate) fn envelope_of(unsigned: &UnsignedRecord) -> Result<Vec<u8>, ClientError> {
    let record =
        unsigned.record.as_ref().ok_or(ClientError::Contract("a record to sign is missing"))?;
    Ok(record.envelope.to_vec())
}

fn different(one: &Value, other: &Value) -> Vec<String> {
    let (Some(one), Some(other)) = (one.as_object(), other.as_object()) else {
        return vec!["payload".to_owned()];
    };
    let names: BTreeSet<&String> = one.keys().chain(other.keys()).collect();
    names.into_iter().filter(|&name| one.get(name) != other.get(name)).cloned().collect()
}

/// Returns a payload with its wagers and limits sorted: the engine writes them in the order of the ruleset.
fn in_any_order(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(name, inner)| (name.clone(), in_any_order(inner)))
            .collect::<Map<_, _>>()
            .into(),
        Value::Array(items) if items.iter().all(Value::is_object) => {
            let mut items = items.clone();
            // Every item has a bet, and each bet occurs once.
            items.sort_by_key(|item| item["bet"].as_str().unwrap_or_default().to_owned());
            items.into()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            value.clone()
        }
    }
}

/// Returns the part of a wager sheet that a lock has: currency, facts, seats and limits of bets.
pub(crate) fn wagers_of(sheet: &WagerSheet) -> Map<String, Value> {
    let amounts = [
        ("chip_minor", sheet.chip_minor),
        ("table_min_minor", sheet.table_min_minor),
        ("table_max_minor", sheet.table_max_minor),
        ("bank_minor", sheet.bank_minor),
        ("meter_minor", sheet.meter_minor),
    ];
    let numbers = [("banker_seat", sheet.banker_seat), ("action_pile", sheet.action_pile)];
    let mut facts: Map<String, Value> = amounts
        .into_iter()
        .filter_map(|(name, amount)| Some((name.to_owned(), amount?.to_string().into())))
        .collect();
    facts.extend(
        numbers.into_iter().filter_map(|(name, number)| Some((name.to_owned(), number?.into()))),
    );
    let mut seats: Map<String, Value> = Map::new();
    for wager in &sheet.wagers {
        let seat = seats.entry(wager.seat.to_string()).or_insert_with(|| json!({"wagers": []}));
        let mut one = json!({"amount": wager.amount_minor.to_string(), "bet": wager.bet});
        match wager.choice() {
            Choice::Unspecified => {}
            Choice::Red => one["choice"] = "red".into(),
            Choice::Black => one["choice"] = "black".into(),
        }
        if let Some(wagers) = seat["wagers"].as_array_mut() {
            wagers.push(one);
        }
        if !wager.client_seed.is_empty() {
            seat["client_seed"] = wager.client_seed.clone().into();
        }
    }
    let currency = sheet.currency.clone().unwrap_or_default();
    let mut members = Map::new();
    members.insert(
        "currency".to_owned(),
        json!({"code": currency.code, "exponent": currency.exponent}),
    );
    members.insert("facts".to_owned(), facts.into());
    members.insert("seats".to_owned(), seats.into());
    if !sheet.bet_limits.is_empty() {
        let limit =
            |limit: &pb::BetLimit| json!({"bet": limit.bet, "max": limit.max_minor.to_string()});
        members.insert("bet_limits".to_owned(), sheet.bet_limits.iter().map(limit).collect());
    }
    members
}
