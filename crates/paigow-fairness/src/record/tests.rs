use super::*;
use crate::encoding::Hash;
use crate::json::Json;
use crate::tests::key::SecretKey;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use proptest::prelude::*;

fn sample() -> RecordEnvelope {
    let key = SecretKey::from_bytes(&[1; 32]);
    RecordEnvelope::seal(RecordKind::Action, &Json::obj([("seat", Json::Int(1))]), &[&key])
}

#[test]
fn a_line_reads_back_as_itself() {
    let envelope = sample();
    assert_eq!(RecordEnvelope::parse(envelope.to_line().as_bytes()), Ok(envelope.clone()));
    let key = SecretKey::from_bytes(&[1; 32]).public();
    assert!(envelope.all_verify(&[key]) && envelope.is_signed());
    assert!(!envelope.all_verify(&[SecretKey::from_bytes(&[2; 32]).public()]));
}

#[test]
fn a_record_is_signed_hashed_and_written_as_dsse_has_it_whatever_its_length() {
    let key = SecretKey::from_bytes(&[1; 32]);
    // The lengths around each power of ten, where the decimal number gets one digit more.
    for len in (0..140).chain(990..1010).chain(9_990..10_010) {
        let payload = Json::str("x".repeat(len));
        let record = RecordEnvelope::seal(RecordKind::Lock, &payload, &[&key]);
        let bytes = payload.to_bytes();
        let name = "application/vnd.pge.lock.v1+json";
        let signed = format!("DSSEv1 32 {name} {} \"{}\"", bytes.len(), "x".repeat(len));
        assert_eq!(record.payload(), bytes, "{len}");
        assert_eq!(record.hash(), Hash::of(signed.as_bytes()), "{len}");
        assert!(key.public().verifies(signed.as_bytes(), &record.signatures()[0].sig), "{len}");
        // Two encoders of base64 that share no code.
        assert_eq!(record.to_line().as_bytes(), record.to_json().to_bytes(), "{len}");
        assert_eq!(RecordEnvelope::parse(&record.to_line_bytes()), Ok(record), "{len}");
    }
}

#[test]
fn a_record_is_marked_by_its_content_and_its_key() {
    let (a, b) = (SecretKey::from_bytes(&[1; 32]), SecretKey::from_bytes(&[2; 32]));
    let record =
        |n, keys: &[&SecretKey]| RecordEnvelope::seal(RecordKind::Deal, &Json::Int(n), keys);
    assert_eq!(record(1, &[&a]).mark(), record(1, &[&a]).mark());
    let marks = [record(1, &[&a]), record(2, &[&a]), record(1, &[&b]), record(1, &[])];
    let marks: std::collections::BTreeSet<_> = marks.iter().map(RecordEnvelope::mark).collect();
    assert_eq!(marks.len(), 4);
    assert_eq!(record(1, &[]).mark(), *record(1, &[]).hash().as_bytes());
}

#[test]
fn one_key_named_twice_counts_once() {
    let (a, b) = (SecretKey::from_bytes(&[1; 32]), SecretKey::from_bytes(&[2; 32]));
    let twice = RecordEnvelope::seal(RecordKind::Manifest, &Json::obj([]), &[&a, &a]);
    let keys = [a.public(), a.public(), b.public()];
    assert_eq!(twice.count_signers(&keys), 1);
    let both = RecordEnvelope::seal(RecordKind::Manifest, &Json::obj([]), &[&a, &b]);
    assert_eq!(both.count_signers(&keys), 2);
}

#[test]
fn the_kind_is_under_the_signature() {
    let line = sample().to_line().replace("pge.action", "pge.settle");
    let other = RecordEnvelope::parse(line.as_bytes()).unwrap();
    assert!(!other.all_verify(&[SecretKey::from_bytes(&[1; 32]).public()]));
}

#[test]
fn lax_base64_and_odd_members_are_refused() {
    let line = sample().to_line();
    assert!(RecordEnvelope::parse(line.as_bytes()).is_ok());
    let payload = STANDARD.encode(br#"{"seat":1}"#);
    assert!(payload.ends_with("=="), "the case below needs padding");
    for (from, to) in [
        (payload.as_str(), payload.trim_end_matches('=')),
        (payload.as_str(), &payload.replace("fQ==", "fR==")),
        ("\"payload\":", "\"payloads\":"),
        (".v1+json", ".v2+json"),
        ("{\"keyid\"", "{\"x\":1,\"keyid\""),
        ("\"signatures\":[", "\"signatures\":[1,"),
    ] {
        let changed = line.replacen(from, to, 1);
        assert_ne!(changed, line, "{from}");
        assert!(RecordEnvelope::parse(changed.as_bytes()).is_err(), "{from} -> {to}");
    }
}

proptest! {
    #[test]
    fn any_bytes_are_an_envelope_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        prop_assert!(RecordEnvelope::parse(&bytes).is_err());
    }

    #[test]
    fn a_changed_byte_is_an_error_or_another_record(at in 0usize..300, to in any::<u8>()) {
        let key = SecretKey::from_bytes(&[1; 32]).public();
        let envelope = sample();
        let mut line = envelope.to_line().into_bytes();
        let at = at % line.len();
        prop_assume!(line[at] != to);
        line[at] = to;
        if let Ok(changed) = RecordEnvelope::parse(&line) {
            let same_payload = changed.hash() == envelope.hash();
            let hint_only = same_payload && changed.all_verify(&[key]);
            prop_assert!(hint_only || !changed.all_verify(&[key]));
        }
    }
}

#[test]
fn the_payload_type_of_a_kind_has_its_word() {
    for kind in RecordKind::ALL {
        let word = kind.payload_type().strip_prefix("application/vnd.pge.").unwrap();
        assert_eq!(word.strip_suffix(".v1+json"), Some(kind.name()));
    }
}
