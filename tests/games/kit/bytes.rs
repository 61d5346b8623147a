//! `encoding.jsonl`: tuples, canonical JSON, envelopes, keys and signatures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use paigow_fairness::encoding::enc;
use paigow_fairness::json::Json;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::signature::PublicKey;
use serde_json::{Value, json};

use super::{array, bytes, confirm, text};

/// Reads an envelope with this payload, in base64.
fn envelope(kind: &str, payload: &str) -> Option<RecordEnvelope> {
    let line = json!({ "payload": payload, "payloadType": kind, "signatures": [] });
    RecordEnvelope::parse(line.to_string().as_bytes()).ok()
}

fn answer(op: &str, input: &Value) -> Value {
    match op {
        "enc" => {
            let fields = input["fields"].as_array().unwrap().iter();
            let fields: Vec<_> =
                fields.map(|field| hex::decode(field.as_str().unwrap()).unwrap()).collect();
            let fields: Vec<&[u8]> = fields.iter().map(Vec::as_slice).collect();
            json!({ "bytes": hex::encode(enc(text(input, "label"), &fields)) })
        }
        // Base64 is read in envelopes alone.
        "base64" => match envelope("application/vnd.pge.deal.v1+json", text(input, "text")) {
            Some(read) => json!({ "valid": true, "bytes": hex::encode(read.payload()) }),
            None => json!({ "valid": false }),
        },
        "canonical" => {
            json!({ "canonical": Json::parse_canonical(&bytes(input, "bytes")).is_ok() })
        }
        "record_hash" => {
            let payload = STANDARD.encode(bytes(input, "payload"));
            let record = envelope(text(input, "type"), &payload).unwrap();
            json!({ "hash": record.hash().to_hex() })
        }
        "kid" => json!({ "kid": PublicKey::from_bytes(&array(input, "public")).unwrap().kid() }),
        "ed25519" => {
            let signature: Option<[u8; 64]> = bytes(input, "signature").try_into().ok();
            let key = PublicKey::from_bytes(&array(input, "public")).ok();
            let valid = key.zip(signature).is_some_and(|(key, signature)| {
                let verifies = || key.verifies(&bytes(input, "message"), &signature);
                let first = verifies();
                // A key that is used so often has a table.
                assert!((0..600).all(|_| verifies() == first));
                first
            });
            json!({ "valid": valid })
        }
        other => panic!("an unknown operation: {other}"),
    }
}

#[test]
fn bytes_are_encoded_and_signatures_judged_as_the_kit_says() {
    let counts = [
        ("enc", 3),
        ("base64", 9),
        ("canonical", 20),
        ("record_hash", 9),
        ("kid", 1),
        ("ed25519", 11),
    ];
    confirm("encoding", &counts, |op, input| Some(answer(op, input)));
}
