//! Parsers take anything: what they accept they write back byte for byte, what they refuse
//! they refuse without a panic.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "each test uses a part of the casino")]
#[path = "support/casino.rs"]
mod casino;

use casino::{Casino, Choices, Plan};
use paigow::engine::VoidReason;
use paigow::engine::record::{Action, DealRecord, EpochReveal, Lock, SettleRecord};
use paigow::fairness::json::{Json, WriteJson as _};
use paigow::fairness::manifest::Manifest;
use paigow::fairness::record::{Envelope, Kind};
use paigow::fairness::ticket::Ticket;
use paigow::fairness::transcript;
use paigow::game::Ruleset;
use paigow::house_way::HouseWay;
use proptest::prelude::*;

/// Records of every kind and form.
fn records() -> Vec<Envelope> {
    let casino = Casino::new();
    let plans = (31..).map(|seed| Plan::random("strict", 1, None, seed));
    let has_base = |plan: &Plan| plan.sheet.wagers.iter().any(|wager| wager.bet == "base");
    let plan = plans.into_iter().find(has_base).unwrap();
    let dealt = casino.deal(&plan);
    let settled = casino.settle(&plan, &dealt).records;
    let void = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
    let voided = casino.engine.settle(&casino.keys, &casino.call("strict"), &void).unwrap();
    [
        casino.manifests.clone(),
        dealt.records.to_vec(),
        settled,
        voided.records,
        vec![casino.reveal()],
    ]
    .concat()
}

/// Reads a payload as its kind and writes it again.
fn written_again(kind: Kind, payload: Json) -> Option<Json> {
    match kind {
        Kind::Manifest => Manifest::parse(payload).ok().map(|m| m.to_json()),
        Kind::Ticket => Ticket::parse(payload).ok().map(|t| t.to_json()),
        Kind::Lock => Lock::parse(payload).ok().map(|lock| match lock {
            Lock::Wagers(lock) => lock.to_json(),
            Lock::Close(lock) => lock.to_json(),
        }),
        Kind::Deal => DealRecord::parse(payload).ok().map(|d| d.to_json()),
        Kind::Action => {
            let (action, house_way) = Action::parse(payload).ok()?;
            let none = paigow::fairness::encoding::Hash::ZERO;
            Some(action.to_json(&house_way.unwrap_or(none)))
        }
        Kind::Settle => SettleRecord::parse(payload).ok().map(|s| s.to_json()),
        Kind::EpochReveal => EpochReveal::parse(payload).ok().map(|r| r.to_json()),
    }
}

/// Puts something else somewhere in a value.
fn mutate(json: &mut Json, choices: &mut Choices) {
    let odd = |choices: &mut Choices| match choices.below(9) {
        0 => Json::Int(0),
        1 => Json::Int(choices.below(60)),
        2 => Json::Int((1 << 53) - 1),
        3 => Json::text(""),
        4 => Json::str("9223372036854775807"),
        5 => Json::str("ff".repeat(32)),
        6 => Json::Arr(Vec::new()),
        7 => Json::obj([]),
        _ => Json::Bool(choices.one_in(2)),
    };
    let len = match json {
        Json::Arr(items) => items.len(),
        Json::Obj(members) => members.len(),
        Json::Bool(_) | Json::Int(_) | Json::Str(_) => 0,
    };
    if len == 0 || choices.one_in(4) {
        *json = odd(choices);
        return;
    }
    let at = usize::try_from(choices.below(len as u64)).unwrap();
    match json {
        Json::Arr(items) if choices.one_in(6) => drop(items.remove(at)),
        Json::Arr(items) if choices.one_in(6) => items.push(odd(choices)),
        Json::Arr(items) => mutate(&mut items[at], choices),
        Json::Obj(members) => {
            let key = members.keys().nth(at).unwrap().to_owned();
            match choices.below(6) {
                0 => drop(members.remove(&key)),
                1 => drop(members.insert("7".to_owned(), odd(choices))),
                _ => mutate(members.get_mut(&key).unwrap(), choices),
            }
        }
        Json::Bool(_) | Json::Int(_) | Json::Str(_) => {}
    }
}

#[test]
fn every_record_is_written_back_byte_for_byte() {
    let records = records();
    let kinds: std::collections::BTreeSet<Kind> = records.iter().map(Envelope::kind).collect();
    assert_eq!(kinds.len(), Kind::ALL.len());
    for record in records {
        let again = written_again(record.kind(), record.json().unwrap()).unwrap();
        assert_eq!(again.to_bytes(), record.payload(), "{}", record.kind().name());
        assert_eq!(Envelope::parse(record.to_line().as_bytes()), Ok(record));
    }
}

fn changed(text: &str, seed: u64) -> String {
    let mut choices = Choices(seed);
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=choices.below(3) {
        let at = usize::try_from(choices.below(bytes.len() as u64)).unwrap();
        match choices.below(3) {
            0 => bytes[at] = b"\"[]{}=\n9a-.,#'"[usize::try_from(choices.below(14)).unwrap()],
            1 => drop(bytes.remove(at)),
            _ => {
                let line = text.lines().nth(usize::try_from(choices.below(40)).unwrap());
                bytes.splice(at..at, line.unwrap_or("x").bytes());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn a_changed_payload_is_refused_or_written_back(which: prop::sample::Index, seed: u64) {
        let records = records();
        let record = which.get(&records);
        let mut choices = Choices(seed);
        let mut payload = record.json().unwrap();
        for _ in 0..=choices.below(3) {
            mutate(&mut payload, &mut choices);
        }
        // `status: active` is the one member with a second spelling, which is to leave it out.
        if let Some(again) = written_again(record.kind(), payload.clone()) {
            prop_assert_eq!(again, payload);
        }
    }

    #[test]
    fn any_text_is_a_transcript_or_an_error(text in "\\PC*") {
        prop_assert!(transcript::parse(text.as_bytes()).is_err() || text.is_empty());
    }

    #[test]
    fn a_changed_rules_file_is_read_or_its_faults_are_listed(seed: u64) {
        let house_way = paigow::house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap().text();
        if let Err(faults) = HouseWay::parse(&changed(house_way, seed)) {
            prop_assert!(!faults.is_empty());
        }
        let ruleset = paigow::game::shipped().iter().find(|game| game.id() == "mikes").unwrap().text();
        if let Err(faults) = Ruleset::parse(&changed(ruleset, seed)) {
            prop_assert!(!faults.is_empty());
        }
    }
}
