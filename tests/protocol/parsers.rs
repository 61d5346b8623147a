//! Parsers take anything: what they accept they write back byte for byte, what they refuse
//! they refuse without a panic.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;
use paigow_testkit::fuzzed::written_again;
use paigow_testkit::logs::{log_proofs, proof_records};

use casino::{Casino, RoundPlan, SeededChoices};
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_round::VoidReason;
use paigow_rules::game::{Currency, Ruleset, TableFacts, Wager, WagerSheet};
use paigow_rules::house_way::HouseWay;
use proptest::prelude::*;

/// Records of every kind and form.
fn records() -> Vec<RecordEnvelope> {
    let casino = Casino::new();
    let plans = (31..).map(|seed| RoundPlan::random("strict", 1, None, seed));
    let has_base = |plan: &RoundPlan| plan.sheet.wagers.iter().any(|wager| wager.bet == "base");
    let plan = plans.into_iter().find(has_base).unwrap();
    let dealt = casino.deal(&plan);
    let settled = casino.settle(&plan, &dealt).records;
    let void = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
    let voided =
        paigow_engine::void_round(&casino.context, &casino.keys, &casino.call("strict"), &void)
            .unwrap();
    let close = casino.close_epoch(&[&dealt.records[..], &settled, &voided.records].concat());
    [
        casino.manifests.clone(),
        dealt.records.to_vec(),
        settled,
        voided.records,
        vec![casino.reveal(), close],
        proof_records(&log_proofs(&casino.manifests, 1)),
    ]
    .concat()
}

/// Puts something else somewhere in a value.
fn mutate(json: &mut Json, choices: &mut SeededChoices) {
    let odd = |choices: &mut SeededChoices| match choices.below(9) {
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
    let kinds: std::collections::BTreeSet<RecordKind> =
        records.iter().map(RecordEnvelope::kind).collect();
    assert_eq!(kinds.len(), RecordKind::ALL.len());
    for record in records {
        let again = written_again(record.kind(), record.json().unwrap()).unwrap();
        assert_eq!(again.to_bytes(), record.payload(), "{}", record.kind().name());
        assert_eq!(RecordEnvelope::parse(record.to_line().as_bytes()), Ok(record));
    }
}

/// One seat with a wager, a seed and a key, and every fact that has a range of its own.
fn plan_of_one_seat() -> RoundPlan {
    let sheet = WagerSheet {
        currency: Currency::new("USD", 2).unwrap(),
        wagers: vec![Wager {
            seat: casino::seat(1),
            bet: "base".to_owned().into(),
            amount_minor: 2500,
            choice: None,
        }],
        facts: TableFacts {
            bank_minor: Some(1_000_000),
            action_pile: Some(3),
            ..TableFacts::default()
        },
    };
    let seats = vec![casino::seat(1)];
    let (committed, signing) = (seats.clone(), seats);
    RoundPlan { sheet, committed, signing, ..RoundPlan::random("strict", 1, None, 99) }
}

/// The payload of a record with one member put in, or put in place of another.
fn with(record: &RecordEnvelope, path: &[&str], value: Json<'static>) -> Json<'static> {
    let mut payload = record.json().unwrap().into_owned();
    let (last, above) = path.split_last().unwrap();
    let mut at = &mut payload;
    for key in above {
        let Json::Obj(members) = at else { panic!("no object above {key}") };
        at = members.get_mut(key).unwrap();
    }
    let Json::Obj(members) = at else { panic!("no object above {last}") };
    members.insert((*last).to_owned(), value);
    payload
}

/// A member of a record, by its path.
fn member(record: &RecordEnvelope, path: &[&str]) -> Json<'static> {
    path.iter().fold(record.json().unwrap().into_owned(), |at, key| {
        let Json::Obj(mut members) = at else { panic!("no object above {key}") };
        members.remove(key).unwrap()
    })
}

#[test]
fn a_record_of_a_round_is_refused_for_one_member_out_of_its_range() {
    let (casino, plan) = (Casino::new(), plan_of_one_seat());
    let dealt = casino.deal(&plan);
    let (actions, _) = casino.close(&plan, &dealt);
    let [ticket, lock, deal] = &dealt.records[..] else { panic!("three records of a deal") };
    let action = &actions[0];
    let bytes = |len: usize| Json::str("5a".repeat(len));
    let wagers = || member(lock, &["seats", "1"]);
    let cards = || member(deal, &["visible", "1"]);
    let commit = || member(ticket, &["client", "1"]);
    let seat_key = || member(ticket, &["seat_keys", "1"]);
    let (taken, refused) = (true, false);
    let seed = ["seats", "1", "client_seed"].as_slice();
    let pile = ["facts", "action_pile"].as_slice();
    let cases: [(&RecordEnvelope, &[&str], Json<'static>, bool); 33] = [
        (lock, seed, bytes(15), refused),
        (lock, seed, bytes(16), taken),
        (lock, seed, bytes(64), taken),
        (lock, seed, bytes(65), refused),
        (lock, pile, Json::Int(0), taken),
        (lock, pile, Json::Int(6), taken),
        (lock, pile, Json::Int(7), refused),
        (lock, &["seats", "0"], wagers(), refused),
        (lock, &["seats", "7"], wagers(), taken),
        (lock, &["seats", "8"], wagers(), refused),
        (action, &["seat"], Json::Int(0), refused),
        (action, &["seat"], Json::Int(7), taken),
        (action, &["seat"], Json::Int(8), refused),
        (deal, &["phase"], Json::Int(0), refused),
        (deal, &["phase"], Json::Int(1), taken),
        (deal, &["phase"], Json::Int(2), refused),
        (deal, &["visible", "0"], cards(), refused),
        (deal, &["visible", "7"], cards(), taken),
        (deal, &["visible", "8"], cards(), refused),
        (ticket, &["client", "0"], commit(), refused),
        (ticket, &["client", "7"], commit(), taken),
        (ticket, &["client", "8"], commit(), refused),
        (ticket, &["seat_keys", "0"], seat_key(), refused),
        (ticket, &["seat_keys", "7"], seat_key(), taken),
        (ticket, &["seat_keys", "8"], seat_key(), refused),
        (ticket, &["seat_keys", "1", "absent"], Json::str("house_way"), taken),
        (ticket, &["seat_keys", "1", "absent"], Json::str("off"), refused),
        (ticket, &["policy", "absent"], Json::str("optional"), taken),
        (ticket, &["policy", "absent"], Json::str("off"), refused),
        (ticket, &["round_no"], Json::str("0"), refused),
        (ticket, &["round_no"], Json::str("1"), taken),
        (ticket, &["epoch"], Json::Int((1 << 31) - 1), taken),
        (ticket, &["epoch"], Json::Int(1 << 31), refused),
    ];
    for (record, path, value, is_taken) in cases {
        let payload = with(record, path, value.clone());
        let again = written_again(record.kind(), payload.clone());
        let expected = is_taken.then_some(payload);
        assert_eq!(again, expected, "{}: {path:?} {value:?}", record.kind().name());
    }
}

#[test]
fn an_envelope_takes_16_signatures_each_with_a_name_of_64_characters() {
    let signed = |count: u8| {
        let keys: Vec<_> = (0..count).map(casino::key).collect();
        RecordEnvelope::seal(RecordKind::Deal, &Json::obj([]), &keys.iter().collect::<Vec<_>>())
    };
    let read = |envelope: &RecordEnvelope| RecordEnvelope::parse(envelope.to_line().as_bytes());
    assert_eq!(read(&signed(16)).unwrap().signatures().len(), 16);
    assert!(read(&signed(17)).is_err());
    // A full record could not be read with one more signature.
    assert!(signed(16).is_full() && !signed(15).is_full());

    let one = signed(1);
    let named = |keyid: &str| {
        let line = one.to_line().replace(&*one.signatures()[0].keyid, keyid);
        RecordEnvelope::parse(line.as_bytes()).map(|read| read.signatures()[0].keyid.to_string())
    };
    assert_eq!(named(&"k".repeat(64)).unwrap(), "k".repeat(64));
    assert!(named(&"k".repeat(65)).is_err());
    assert!(named("a key").is_err());
}

fn changed(text: &str, seed: u64) -> String {
    let mut choices = SeededChoices(seed);
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
        let mut choices = SeededChoices(seed);
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
        let house_way = paigow_rules::house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap().text();
        if let Err(faults) = HouseWay::parse(&changed(house_way, seed)) {
            prop_assert!(!faults.is_empty());
        }
        let ruleset = paigow_rules::game::shipped().iter().find(|game| game.id() == "mikes").unwrap().text();
        if let Err(faults) = Ruleset::parse(&changed(ruleset, seed)) {
            prop_assert!(!faults.is_empty());
        }
    }
}
