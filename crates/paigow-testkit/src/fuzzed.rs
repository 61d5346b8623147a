//! The targets of the fuzzers: one function for each program of `fuzz/`.
//!
//! Each takes any bytes, and panics if the code under test breaks a promise. A parser either
//! refuses the bytes, or its value writes the same bytes again. If a format has several spellings,
//! the written text is read as the same value.

mod request;
mod rounds;

use std::sync::LazyLock;

use paigow_config::Config;
use paigow_config::access;
use paigow_evidence::EvidenceLine;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::{Json, WriteJson as _};
use paigow_fairness::log_proof::LogProof;
use paigow_fairness::manifest::{Manifest, ManifestChain, Root, rule_faults};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;
use paigow_fairness::transcript;
use paigow_files::keys::{KeyFile, ParseKeyFileError};
use paigow_files::release::{self, Release};
use paigow_round::Catalogue;
use paigow_round::audit::{AuditReport, CheckCode, VerdictReason, audit};
use paigow_round::record::{Action, DealRecord, EpochClose, EpochReveal, Lock, SettleRecord};
use paigow_rules::cards::Card;
use paigow_rules::game::Ruleset;
use paigow_rules::house_way::HouseWay;

use crate::casino::{Casino, root_key, sign_manifest};

pub use request::request;
pub use rounds::{audit_agrees, prepare_agrees};

/// A target. It takes any bytes, and panics if a promise is broken.
pub type Target = fn(&[u8]);

/// Every target with its name in `fuzz/`.
pub const TARGETS: [(&str, Target); 14] = [
    ("access_file", access_file),
    ("audit_agrees", audit_agrees),
    ("config", config),
    ("evidence_line", evidence_line),
    ("house_way", house_way),
    ("json", json),
    ("key_file", key_file),
    ("manifest", manifest),
    ("prepare_agrees", prepare_agrees),
    ("record", record),
    ("release", release),
    ("request", request),
    ("ruleset", ruleset),
    ("transcript", transcript),
];

/// The casino of every target: its signed records are made once.
static CASINO: LazyLock<Casino> = LazyLock::new(Casino::new);

/// Reads JSON as `serde_json` does, and canonical JSON as the bytes that are written.
pub fn json(bytes: &[u8]) {
    let canonical = Json::parse_canonical(bytes);
    let Ok(value) = Json::parse(bytes) else {
        assert!(canonical.is_err(), "canonical JSON is JSON");
        return;
    };
    let other: serde_json::Value = serde_json::from_slice(bytes).unwrap();
    assert!(is_same(&value, &other), "{value:?}\n{other:?}");
    if !is_printable(&value) {
        // Such text has no canonical form.
        assert!(canonical.is_err());
        return;
    }
    let written = value.to_bytes();
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&written).unwrap(), other);
    assert_eq!(Json::parse_canonical(&written).as_ref(), Ok(&value));
    assert_eq!(canonical.is_ok(), written == bytes);
}

/// Whether all text of a value is printable ASCII.
fn is_printable(value: &Json<'_>) -> bool {
    let are_plain = |text: &str| text.bytes().all(|byte| (0x20..0x7f).contains(&byte));
    match value {
        Json::Bool(_) | Json::Int(_) => true,
        Json::Str(text) => are_plain(text),
        Json::Arr(items) => items.iter().all(is_printable),
        Json::Obj(members) => {
            members.iter().all(|(key, value)| are_plain(key) && is_printable(value))
        }
    }
}

fn is_same(value: &Json<'_>, other: &serde_json::Value) -> bool {
    match value {
        Json::Bool(value) => other.as_bool() == Some(*value),
        Json::Int(number) => other.as_u64() == Some(*number),
        Json::Str(text) => other.as_str() == Some(text),
        Json::Arr(items) => other.as_array().is_some_and(|others| {
            items.len() == others.len() && items.iter().zip(others).all(|(a, b)| is_same(a, b))
        }),
        Json::Obj(members) => other.as_object().is_some_and(|others| {
            let of = |(key, value): (&str, &Json<'_>)| {
                others.get(key).is_some_and(|other| is_same(value, other))
            };
            members.len() == others.len() && members.iter().all(of)
        }),
    }
}

/// Reads an envelope, and its payload as the kind of record that it states.
pub fn record(bytes: &[u8]) {
    let Ok(record) = RecordEnvelope::parse(bytes) else { return };
    let line = record.to_line_bytes();
    assert_eq!(record.to_json().to_bytes(), line);
    assert_eq!(RecordEnvelope::parse(&line).as_ref(), Ok(&record));
    assert_eq!(Json::parse_canonical(bytes).is_ok(), line == bytes);
    let Ok(payload) = record.json() else { return };
    if let Some(again) = written_again(record.kind(), payload.clone()) {
        assert!(again == without_active(payload), "{} is written otherwise", record.kind().name());
    }
}

/// Reads a payload as its kind and writes it again.
pub fn written_again(kind: RecordKind, payload: Json<'_>) -> Option<Json<'static>> {
    match kind {
        RecordKind::Manifest => Manifest::parse(payload).ok().map(|m| m.to_json()),
        RecordKind::Ticket => Ticket::parse(payload).ok().map(|t| t.to_json()),
        RecordKind::Lock => Lock::parse(payload).ok().map(|lock| match lock {
            Lock::Wagers(lock) => lock.to_json(),
            Lock::Close(lock) => lock.to_json(),
        }),
        RecordKind::Deal => DealRecord::parse(payload).ok().map(|d| d.to_json()),
        RecordKind::Action => {
            let (action, house_way) = Action::parse(payload).ok()?;
            let none = Hash::ZERO;
            Some(action.to_json(&house_way.unwrap_or(none)))
        }
        RecordKind::Settle => SettleRecord::parse(payload).ok().map(|s| s.to_json()),
        RecordKind::EpochReveal => EpochReveal::parse(payload).ok().map(|r| r.to_json()),
        RecordKind::EpochClose => EpochClose::parse(payload).ok().map(|r| r.to_json()),
        RecordKind::LogProof => LogProof::parse(payload).ok().map(|r| r.to_json()),
    }
}

/// The payload without `status: active` of an epoch: the one member with a second spelling, which
/// is to leave it out.
fn without_active(mut payload: Json<'_>) -> Json<'_> {
    if let Json::Obj(members) = &mut payload
        && let Some(Json::Arr(epochs)) = members.get_mut("epochs")
    {
        for epoch in epochs {
            if let Json::Obj(epoch) = epoch
                && epoch.get("status").is_some_and(|status| *status == Json::text("active"))
            {
                epoch.remove("status");
            }
        }
    }
    payload
}

/// Reads the payload of a manifest, and loads the manifest as the first of a chain.
pub fn manifest(bytes: &[u8]) {
    let Ok(payload) = Json::parse_canonical(bytes) else { return };
    let Ok(manifest) = Manifest::parse(payload.clone()) else { return };
    assert!(manifest.to_json() == without_active(payload), "a manifest is written otherwise");
    assert_eq!(Manifest::parse(manifest.to_json()).as_ref(), Ok(&manifest));
    let faults = rule_faults(&[&manifest]);
    let root = Root { keys: vec![root_key().public()], threshold: 1 };
    let signed = sign_manifest(&manifest);
    match ManifestChain::load(&root, std::slice::from_ref(&signed)) {
        Ok(chain) => {
            assert!(faults.is_empty(), "{faults:?}");
            assert_eq!((&chain.newest().manifest, chain.newest().hash), (&manifest, signed.hash()));
        }
        Err(refused) => assert!(!refused.is_empty()),
    }
}

/// Reads a transcript, and audits it unchanged and as it is written again.
pub fn transcript(bytes: &[u8]) {
    let report = audited(bytes);
    let Ok(records) = transcript::parse(bytes) else {
        let reasons = [VerdictReason::Failed(CheckCode::Format), VerdictReason::NoTranscript];
        assert!(reasons.contains(&report.reason), "{:?}", report.reason);
        return;
    };
    let text = transcript::write(&records);
    assert_eq!(transcript::parse(text.as_bytes()).as_ref(), Ok(&records));
    assert_eq!(format!("{:?}", audited(text.as_bytes())), format!("{report:?}"));
}

fn audited(text: &[u8]) -> AuditReport {
    static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::shipped);
    audit(text, &CASINO.terms(), &CATALOGUE)
}

/// Reads the file of a ruleset. No catalogue lists it: that counts every pair of hands of a game
/// that is not shipped.
pub fn ruleset(bytes: &[u8]) {
    let Ok(file) = std::str::from_utf8(bytes) else { return };
    match Ruleset::parse(file) {
        Ok(ruleset) => {
            assert_eq!(ruleset.text(), file);
            assert_eq!(Ruleset::parse(file).as_ref(), Ok(&ruleset));
        }
        Err(faults) => assert!(!faults.is_empty()),
    }
}

/// Reads the file of a house way, and sets hands by it.
pub fn house_way(bytes: &[u8]) {
    let Ok(file) = std::str::from_utf8(bytes) else { return };
    let way = match HouseWay::parse(file) {
        Ok(way) => way,
        Err(faults) => return assert!(!faults.is_empty()),
    };
    assert_eq!(way.text(), file);
    assert!(HouseWay::parse(file).is_ok_and(|again| again.has_rules_of(&way)));
    for hand in HANDS {
        let hand: Vec<Card> = hand.split(' ').map(|card| card.parse().unwrap()).collect();
        let hand = &hand[..way.cards()];
        let Some(set) = way.interpret(hand) else { continue };
        let mut cards = [set.low.as_slice(), &set.high].concat();
        let mut dealt = hand.to_vec();
        cards.sort_unstable();
        dealt.sort_unstable();
        assert_eq!(cards, dealt);
    }
}

/// Hands of many kinds. A way of six cards uses the first six.
const HANDS: [&str; 8] = [
    "2d Ac As 9c Ah Ad Jk",
    "Kc Qc Jc Tc 9c 8c 7c",
    "2c 3d 4h 5s 7c 9d Jh",
    "Ac Ad Kh Ks Qc Qd Jk",
    "5c 5d 5h 8s 8c 8d 2h",
    "Ah 2h 3h 4h 5h 6h Jk",
    "Tc Td 9h 9s 4c 4d As",
    "Kc Kd Kh Ks Ac Qd 3h",
];

/// Reads a key file, which must be the text that its key writes. There is no passphrase, so no key is
/// derived.
pub fn key_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let members = match KeyFile::parse(text, None) {
        Ok(KeyFile::Signing { role, key }) => {
            let secret = hex::encode(key.expose());
            format!("role {}\npublic {}\nsecret {secret}\n", role.name(), key.public())
        }
        Ok(KeyFile::Epoch { epoch, secret }) => {
            let commit = paigow_fairness::seed::epoch_commit(epoch, &secret);
            let secret = hex::encode(secret.expose());
            format!("role epoch\nepoch {epoch}\ncommit {commit}\nsecret {secret}\n")
        }
        Ok(KeyFile::Token { kid, serial, key }) => {
            let (kid, secret) = (hex::encode(kid), hex::encode(key.expose()));
            format!("role token\nid {kid}\nserial {serial}\nsecret {secret}\n")
        }
        Err(ParseKeyFileError::PassphraseMissing) => {
            assert!(text.contains("\nscrypt ") && text.contains("\nsealed "));
            return;
        }
        Err(ParseKeyFileError::Form(_)) => return,
        Err(ParseKeyFileError::WrongPassphrase) => panic!("no passphrase was given"),
    };
    // No message repeats the key.
    assert!(text == format!("paigow-key-1\n{members}"), "a key file has a second spelling");
}

/// Reads an access file. No fault repeats the hash of a token.
pub fn access_file(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    match access::parse(text) {
        Ok(read) => {
            assert_eq!(access::parse(text).as_ref(), Ok(&read));
            assert!(read.tenants().next().is_some());
            for client in read.clients() {
                assert!(read.tenants().any(|tenant| *tenant == *client.tenant));
                assert!(!client.roles.is_empty());
            }
        }
        Err(faults) => {
            assert!(!faults.is_empty());
            for token in token_hashes(text) {
                // A text that has the token twice may have it elsewhere.
                let is_told = || faults.iter().any(|fault| fault.contains(&token));
                assert!(text.matches(&token).count() > 1 || !is_told(), "{faults:?}");
            }
        }
    }
}

/// The values of `token_sha256` that are as long as half a hash or longer.
fn token_hashes(text: &str) -> Vec<String> {
    let Ok(file) = text.parse::<toml::Table>() else { return Vec::new() };
    let items = |table: &toml::Table, key: &str| {
        table.get(key).and_then(toml::Value::as_array).cloned().unwrap_or_default()
    };
    let tenants = items(&file, "tenants");
    let clients =
        tenants.iter().filter_map(toml::Value::as_table).flat_map(|t| items(t, "clients"));
    clients
        .filter_map(|client| Some(client.get("token_sha256")?.as_str()?.to_owned()))
        .filter(|token| token.len() >= 32)
        .collect()
}

/// Reads a line of evidence, and writes it unchanged.
pub fn evidence_line(bytes: &[u8]) {
    if let Ok(line) = EvidenceLine::parse(bytes) {
        assert_eq!(line.to_bytes().escape_ascii().to_string(), bytes.escape_ascii().to_string());
    }
}

/// Reads a configuration file. The settings in effect are written as a file that gives the same.
pub fn config(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(config) = Config::of_text(text) else { return };
    let again = Config::of_text(&config.by_kind()).unwrap();
    assert_eq!(again.to_string(), config.to_string());
    assert_eq!(again.digest(), config.digest());
}

/// Reads a release record, and writes it unchanged.
pub fn release(bytes: &[u8]) {
    let Ok((envelope, record)) = release::read(bytes) else { return };
    assert_eq!(record.to_json().to_bytes(), envelope.payload());
    assert_eq!(Release::parse(record.to_json()).as_ref(), Ok(&record));
    let line = envelope.to_line();
    let (again, _) = release::read(line.as_bytes()).unwrap();
    assert!(again == envelope, "an envelope is read otherwise");
}
