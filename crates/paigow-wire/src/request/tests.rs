//! The faults that each reader refuses, and the fields that the refusal names.

use super::{
    Audit, ListManifests, deal, list_manifests, list_rulesets, open_round, prepare_deal,
    prepare_open, prepare_settle, prepare_void, set_house_way, settle, void_round,
};
use paigow_engine::SecretKey;
use paigow_fairness::encoding::hex_text;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::Root;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::signature::Signer as _;
use paigow_proto::v1 as pb;
use paigow_proto::v1::{audit_request, deal_request, decision, replay, set_house_way_request};
use paigow_round::{
    DealStart, HandSetter, Reason, Refusal, SeatDecisions, VoidReason, VoidStart, Wagers,
};

/// Returns the fields at fault, in order.
fn fields(refusal: &Refusal) -> Vec<&str> {
    refusal.violations.iter().map(|violation| violation.field.as_str()).collect()
}

/// The root of the server.
fn own_root() -> Root {
    Root { keys: vec![SecretKey::from_bytes(&[99; 32]).public()], threshold: 1 }
}

fn audit(request: pb::AuditRequest) -> Result<Audit, Refusal> {
    super::audit(request, &own_root())
}

fn hex_of(byte: &str) -> String {
    byte.repeat(32)
}

/// Makes a record that can be read. Only the engine judges its content.
fn record() -> pb::Record {
    pb::Record {
        envelope: RecordEnvelope::unsigned(RecordKind::Lock, &Json::obj([])).to_line_bytes(),
        signatures: Vec::new(),
    }
}

/// Makes a record that cannot be read.
fn unread(envelope: &[u8]) -> pb::Record {
    pb::Record { envelope: envelope.to_vec(), signatures: Vec::new() }
}

fn opening() -> pb::OpenRoundRequest {
    pb::OpenRoundRequest {
        epoch: None,
        manifest: String::new(),
        manifest_sequence: 0,
        table: "table-1".to_owned(),
        round_no: 1,
        ruleset: "mikes".to_owned(),
        client_commits: vec![pb::ClientCommit { seat: 2, commit: hex_of("ab") }],
        seat_keys: Vec::new(),
        prev: None,
        beacon_round: 0,
    }
}

fn wager(seat: i32) -> pb::Wager {
    pb::Wager {
        seat,
        bet: "base".to_owned(),
        amount_minor: 1000,
        choice: 0,
        client_seed: String::new(),
    }
}

fn sheet() -> pb::WagerSheet {
    pb::WagerSheet {
        currency: Some(pb::Currency { code: "USD".to_owned(), exponent: 2 }),
        wagers: vec![wager(1), wager(2)],
        bank_minor: Some(500_000),
        action_pile: Some(6),
        ..pb::WagerSheet::default()
    }
}

#[test]
fn an_opening_is_read_field_by_field() {
    let open = open_round(&opening()).unwrap();
    assert_eq!(
        (open.table.as_str(), open.round_no, open.ruleset.as_str()),
        ("table-1", 1, "mikes")
    );
    assert_eq!((open.epoch, open.manifest), (None, None));
    let [(seat, commit)] = &open.client_commits[..] else { panic!("one commitment") };
    assert_eq!((seat.number(), commit.as_bytes()), (2, &[0xab; 32]));

    let named = pb::OpenRoundRequest {
        epoch: Some(i32::MAX),
        manifest: hex_of("01"),
        round_no: i64::MAX,
        ..opening()
    };
    let open = open_round(&named).unwrap();
    assert_eq!((open.epoch, open.round_no), (Some(2_147_483_647), 9_223_372_036_854_775_807));
    assert_eq!(open.manifest.unwrap().as_bytes(), &[1; 32]);
}

#[test]
fn every_fault_of_an_opening_is_found_at_once() {
    let wrong = pb::OpenRoundRequest {
        epoch: Some(-1),
        manifest: "AB".to_owned(),
        manifest_sequence: -1,
        table: "a table".to_owned(),
        round_no: 0,
        ruleset: String::new(),
        client_commits: vec![
            pb::ClientCommit { seat: 1, commit: hex_of("cd") },
            pb::ClientCommit { seat: 0, commit: hex_of("CD") },
        ],
        seat_keys: vec![pb::SeatKey {
            seat: 8,
            public_key: hex_of("zz"),
            house_way_if_absent: false,
        }],
        prev: Some(unread(b"{}")),
        beacon_round: 0,
    };
    let refusal = open_round(&wrong).unwrap_err();
    assert_eq!(refusal.reason, Reason::NumberRange);
    assert_eq!(
        fields(&refusal),
        [
            "epoch",
            "manifest",
            "manifest_sequence",
            "table",
            "round_no",
            "ruleset",
            "client_commits[1].seat",
            "client_commits[1].commit",
            "seat_keys[0].seat",
            "seat_keys[0].public_key",
            "prev.envelope",
        ]
    );
}

#[test]
fn a_key_of_small_order_is_no_seats_key() {
    // The neutral element: forged signatures verify under it.
    let neutral = format!("01{}", "00".repeat(31));
    let wrong = pb::OpenRoundRequest {
        seat_keys: vec![pb::SeatKey { seat: 1, public_key: neutral, house_way_if_absent: false }],
        ..opening()
    };
    assert_eq!(fields(&open_round(&wrong).unwrap_err()), ["seat_keys[0].public_key"]);
}

#[test]
fn a_list_longer_than_its_limit_is_one_fault() {
    let many =
        pb::OpenRoundRequest { client_commits: vec![pb::ClientCommit::default(); 8], ..opening() };
    assert_eq!(fields(&open_round(&many).unwrap_err()), ["client_commits"]);
    let many = pb::WagerSheet { wagers: vec![pb::Wager::default(); 113], ..sheet() };
    let refusal = deal(&pb::DealRequest {
        beacon_signature: String::new(),
        start: Some(deal_request::Start::Ticket(record())),
        wagers: Some(deal_request::Wagers::Sheet(many)),
    })
    .unwrap_err();
    assert_eq!((refusal.reason, fields(&refusal)), (Reason::Wager, vec!["sheet.wagers"]));
}

#[test]
fn a_deal_takes_either_start_and_either_wagers() {
    let mut typed = sheet();
    typed.wagers[1].client_seed = "00ff".repeat(16);
    typed.wagers[1].choice = pb::Choice::Black.into();
    let request = pb::DealRequest {
        start: Some(deal_request::Start::Open(opening())),
        wagers: Some(deal_request::Wagers::Sheet(typed)),
        beacon_signature: String::new(),
    };
    let read = deal(&request).unwrap();
    assert!(matches!(read.start, DealStart::Open(_)));
    let Wagers::Sheet { sheet, client_seeds } = read.wagers else { panic!("a sheet") };
    assert_eq!(sheet.wagers.iter().map(|w| w.seat.number()).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(sheet.wagers[0].choice, None);
    assert_eq!(sheet.wagers[1].choice, Some(paigow_rules::game::ColourChoice::Black));
    assert_eq!(sheet.facts.bank_minor, Some(500_000));
    assert_eq!(sheet.facts.action_pile, Some(6));
    let [(place, seed)] = &client_seeds[..] else { panic!("one seed") };
    assert_eq!((*place, seed), (1, &[0, 0xff].repeat(16)));

    let signed = pb::DealRequest {
        start: Some(deal_request::Start::Ticket(record())),
        wagers: Some(deal_request::Wagers::Lock(record())),
        beacon_signature: String::new(),
    };
    let read = deal(&signed).unwrap();
    assert!(matches!((read.start, read.wagers), (DealStart::Ticket(_), Wagers::Lock(_))));
}

#[test]
fn every_fault_of_a_deal_is_found_at_once() {
    let refusal = deal(&pb::DealRequest::default()).unwrap_err();
    assert_eq!(refusal.reason, Reason::FieldMissing);
    assert_eq!(fields(&refusal), ["start", "wagers"]);

    let wrong = pb::WagerSheet {
        currency: Some(pb::Currency { code: "usd".to_owned(), exponent: 2 }),
        wagers: vec![
            pb::Wager { seat: -1, ..wager(1) },
            pb::Wager { bet: String::new(), choice: 9, ..wager(2) },
            pb::Wager { client_seed: "ab".repeat(15), ..wager(3) },
            pb::Wager { client_seed: "ab".repeat(65), ..wager(3) },
            pb::Wager { client_seed: "AB".repeat(16), ..wager(3) },
        ],
        banker_seat: Some(0),
        action_pile: Some(7),
        ..sheet()
    };
    let refusal = deal(&pb::DealRequest {
        beacon_signature: String::new(),
        start: Some(deal_request::Start::Open(pb::OpenRoundRequest {
            table: String::new(),
            ..opening()
        })),
        wagers: Some(deal_request::Wagers::Sheet(wrong)),
    })
    .unwrap_err();
    assert_eq!(
        fields(&refusal),
        [
            "open.table",
            "sheet.currency.code",
            "sheet.wagers[0].seat",
            "sheet.wagers[1].bet",
            "sheet.wagers[1].choice",
            "sheet.wagers[2].client_seed",
            "sheet.wagers[3].client_seed",
            "sheet.wagers[4].client_seed",
            "sheet.banker_seat",
            "sheet.action_pile",
        ]
    );
}

#[test]
fn a_currency_is_blamed_where_it_is_wrong() {
    for (currency, reason, field) in [
        (None, Reason::FieldMissing, "sheet.currency"),
        (Some(("", 2)), Reason::FieldMissing, "sheet.currency.code"),
        (Some(("USD", 5)), Reason::NumberRange, "sheet.currency.exponent"),
        (Some(("USD", -1)), Reason::NumberRange, "sheet.currency.exponent"),
        (Some(("USD", i32::MAX)), Reason::NumberRange, "sheet.currency.exponent"),
    ] {
        let currency = currency
            .map(|(code, exponent): (&str, i32)| pb::Currency { code: code.to_owned(), exponent });
        let refusal = deal(&pb::DealRequest {
            beacon_signature: String::new(),
            start: Some(deal_request::Start::Ticket(record())),
            wagers: Some(deal_request::Wagers::Sheet(pb::WagerSheet { currency, ..sheet() })),
        })
        .unwrap_err();
        assert_eq!((refusal.reason, fields(&refusal)), (reason, vec![field]));
    }
}

#[test]
fn hands_are_read_card_by_card() {
    let hand = |codes: &str| pb::Hand { cards: codes.split(' ').map(str::to_owned).collect() };
    let request = pb::SetHouseWayRequest {
        hands: vec![hand("Ah Jk"), hand("2c")],
        by: Some(set_house_way_request::By::HouseWay("mikes".to_owned())),
    };
    let read = set_house_way(&request).unwrap();
    assert_eq!(read.by, HandSetter::HouseWay("mikes".to_owned()));
    assert_eq!(paigow_rules::cards::codes(&read.hands[0]), "Ah Jk");

    let request =
        pb::SetHouseWayRequest { hands: vec![hand("Ah 1c jk"), hand("2c 10h")], by: None };
    let refusal = set_house_way(&request).unwrap_err();
    assert_eq!(refusal.reason, Reason::UnknownCard);
    assert_eq!(
        fields(&refusal),
        ["hands[0].cards[1]", "hands[0].cards[2]", "hands[1].cards[1]", "by"]
    );

    let many = pb::SetHouseWayRequest { hands: vec![pb::Hand::default(); 65], ..request };
    let refusal = set_house_way(&many).unwrap_err();
    assert_eq!((refusal.reason, fields(&refusal)), (Reason::BatchLimit, vec!["hands", "by"]));
}

#[test]
fn a_page_has_the_size_asked_for_within_its_bounds() {
    for (asked, size) in [(0, 100), (1, 1), (1000, 1000), (1001, 1000), (i32::MAX, 1000)] {
        let request = pb::ListManifestsRequest { after_sequence: 7, page_size: asked };
        assert_eq!(list_manifests(&request).unwrap(), ListManifests { after: 7, page_size: size });
        let request = pb::ListRulesetsRequest { page_size: asked, page_token: hex_of("ab") };
        let read = list_rulesets(&request).unwrap();
        assert_eq!(
            (read.page_size, read.after.map(|hash| hash.to_string())),
            (size, Some(hex_of("ab")))
        );
    }
    let bad = pb::ListManifestsRequest { after_sequence: -1, page_size: -1 };
    let refusal = list_manifests(&bad).unwrap_err();
    assert_eq!(
        (refusal.reason, fields(&refusal)),
        (Reason::NumberRange, vec!["after_sequence", "page_size"])
    );
    let bad = pb::ListRulesetsRequest { page_size: -1, page_token: "AB".to_owned() };
    assert_eq!(fields(&list_rulesets(&bad).unwrap_err()), ["page_token", "page_size"]);
}

fn house_way(seat: i32) -> pb::Decision {
    pb::Decision { seat, setting: Some(decision::Setting::HouseWay(true)), double_down: false }
}

fn settlement() -> pb::SettleRequest {
    pb::SettleRequest {
        records: vec![record(), record(), record()],
        ..pb::SettleRequest::default()
    }
}

#[test]
fn a_settlement_is_typed_or_signed() {
    let typed = pb::SettleRequest { decisions: vec![house_way(3)], ..settlement() };
    let SeatDecisions::Typed(decided) = settle(&typed).unwrap().decisions else {
        panic!("typed decisions")
    };
    assert_eq!(decided[0].0.number(), 3);

    let signed =
        pb::SettleRequest { actions: vec![record()], lock: Some(record()), ..settlement() };
    assert!(matches!(
        settle(&signed).unwrap().decisions,
        SeatDecisions::Locked { actions, .. } if actions.len() == 1
    ));

    // A seat that has only bonus wagers makes no decision.
    assert!(matches!(
        settle(&settlement()).unwrap().decisions,
        SeatDecisions::Typed(none) if none.is_empty()
    ));

    let both = pb::SettleRequest { lock: Some(record()), ..typed.clone() };
    assert_eq!(fields(&settle(&both).unwrap_err()), ["decisions"]);
    let unlocked = pb::SettleRequest { lock: None, ..signed };
    let refusal = settle(&unlocked).unwrap_err();
    assert_eq!((refusal.reason, fields(&refusal)), (Reason::FieldMissing, vec!["lock"]));
}

#[test]
fn every_fault_of_a_settlement_is_found_at_once() {
    let low = |codes: &[&str]| {
        let cards = codes.iter().map(|code| (*code).to_owned()).collect();
        Some(decision::Setting::Low(pb::LowHand { cards }))
    };
    let wrong = pb::SettleRequest {
        records: vec![record(), pb::Record::default(), unread(&[0xff])],
        decisions: vec![
            pb::Decision { setting: None, ..house_way(1) },
            pb::Decision { setting: low(&["Ah", "??"]), ..house_way(9) },
            pb::Decision { setting: Some(decision::Setting::HouseWay(false)), ..house_way(2) },
            pb::Decision { setting: low(&["Ah"; 8]), ..house_way(3) },
        ],
        actions: vec![unread(b"[]")],
        ..settlement()
    };
    assert_eq!(
        fields(&settle(&wrong).unwrap_err()),
        [
            "records[1].envelope",
            "records[2].envelope",
            "decisions[0].setting",
            "decisions[1].seat",
            "decisions[1].low.cards[1]",
            "decisions[2].house_way",
            "decisions[3].low.cards",
            "actions[0].envelope",
        ]
    );
    let refusal = settle(&pb::SettleRequest::default()).unwrap_err();
    assert_eq!(fields(&refusal), ["records"]);
    let many = pb::SettleRequest { records: vec![record(); 4], ..settlement() };
    assert_eq!(settle(&many).unwrap_err().reason, Reason::Phase);
}

fn void() -> pb::VoidRoundRequest {
    pb::VoidRoundRequest { records: vec![record()], ..pb::VoidRoundRequest::default() }
}

#[test]
fn a_void_may_leave_its_reason_to_the_lock() {
    let named = pb::VoidRoundRequest { reason: pb::VoidReason::Equipment.into(), ..void() };
    let read = void_round(&named).unwrap();
    assert!(matches!((read.reason, read.lock), (Some(VoidReason::Equipment), None)));
    let locked = pb::VoidRoundRequest { lock: Some(record()), ..void() };
    let read = void_round(&locked).unwrap();
    assert!(matches!((read.reason, read.lock), (None, Some(_))));
    let refusal = void_round(&void()).unwrap_err();
    assert_eq!((refusal.reason, fields(&refusal)), (Reason::FieldMissing, vec!["reason"]));
    let unknown = pb::VoidRoundRequest { reason: -3, ..void() };
    let refusal = void_round(&unknown).unwrap_err();
    assert_eq!((refusal.reason, fields(&refusal)), (Reason::FieldInvalid, vec!["reason"]));
    // The ledger has to state a reason before its lock can be written.
    let refusal = prepare_void(pb::PrepareVoidRequest {
        records: vec![record()],
        ..pb::PrepareVoidRequest::default()
    });
    assert_eq!(fields(&refusal.unwrap_err()), ["reason"]);
}

#[test]
fn a_void_is_of_records_or_of_an_opening() {
    let reason = pb::VoidReason::Operator.into();
    let open = Some(pb::OpenRoundRequest { table: String::new(), ..opening() });
    let request = |records: Vec<pb::Record>, open| pb::VoidRoundRequest {
        records,
        open,
        reason,
        ..pb::VoidRoundRequest::default()
    };
    let by_opening = void_round(&request(Vec::new(), Some(opening()))).unwrap();
    assert!(matches!(by_opening.start, VoidStart::Open(open) if open.round_no == 1));
    let by_records = void_round(&request(vec![record(); 3], None)).unwrap();
    assert!(matches!(by_records.start, VoidStart::Records(records) if records.len() == 3));
    for (records, open, at) in [
        (Vec::new(), None, "records"),
        (vec![record()], open.clone(), "open"),
        (Vec::new(), open, "open.table"),
        (vec![record(); 4], None, "records"),
    ] {
        assert_eq!(fields(&void_round(&request(records, open)).unwrap_err()), [at]);
    }
    let spent = vec![pb::SpentLock { actions: vec![record()], lock: None }];
    let revoking_manifest = Some(record());
    let void = pb::VoidRoundRequest { spent, revoking_manifest, ..request(vec![record()], None) };
    assert_eq!(fields(&void_round(&void).unwrap_err()), ["spent[0].lock"]);
    let none_spent = pb::VoidRoundRequest { spent: Vec::new(), ..void };
    assert_eq!(fields(&void_round(&none_spent).unwrap_err()), ["revoking_manifest"]);
}

#[test]
fn a_prepare_call_names_what_it_lacks() {
    let nothing = pb::PrepareOpenRequest::default();
    assert_eq!(fields(&prepare_open(&nothing).unwrap_err()), ["open"]);
    let nameless = pb::PrepareOpenRequest { open: Some(pb::OpenRoundRequest::default()) };
    let faults = ["open.table", "open.round_no", "open.ruleset"];
    assert_eq!(fields(&prepare_open(&nameless).unwrap_err()), faults);
    let nothing = pb::PrepareDealRequest::default();
    assert_eq!(fields(&prepare_deal(&nothing).unwrap_err()), ["ticket", "sheet"]);
    let sheet = Some(pb::WagerSheet { wagers: vec![wager(9)], ..pb::WagerSheet::default() });
    let wrong = pb::PrepareDealRequest { ticket: Some(unread(b"{}")), sheet };
    let faults = ["ticket.envelope", "sheet.currency", "sheet.wagers[0].seat"];
    assert_eq!(fields(&prepare_deal(&wrong).unwrap_err()), faults);
    let nothing = pb::PrepareSettleRequest::default();
    assert_eq!(fields(&prepare_settle(&nothing).unwrap_err()), ["records"]);
    let wrong = pb::PrepareSettleRequest {
        records: vec![record(); 3],
        decisions: vec![house_way(0)],
        absent_seats: vec![1, 9],
        spent: vec![pb::SpentLock::default()],
    };
    let faults = ["decisions[0].seat", "absent_seats[1]", "spent[0].lock"];
    assert_eq!(fields(&prepare_settle(&wrong).unwrap_err()), faults);
}

#[test]
fn signatures_beside_a_record_are_written_into_its_envelope() {
    let key = SecretKey::from_bytes(&[7; 32]);
    let unsigned = RecordEnvelope::unsigned(RecordKind::Lock, &Json::obj([]));
    let signature = pb::Signature {
        public_key: key.public().to_string(),
        signature: key.sign(unsigned.to_sign()).to_vec(),
    };
    let with = |signatures: Vec<pb::Signature>| {
        let lock = Some(pb::Record { signatures, ..record() });
        void_round(&pb::VoidRoundRequest { lock, ..void() })
    };
    let sealed = RecordEnvelope::seal(RecordKind::Lock, &Json::obj([]), &[&key]);
    let read = with(vec![signature.clone()]).unwrap().lock.unwrap();
    assert_eq!(read.to_line_bytes(), sealed.to_line_bytes());
    assert_eq!(read.hash(), unsigned.hash());

    let mut other = signature.clone();
    other.signature[0] ^= 1;
    let others_key = SecretKey::from_bytes(&[8; 32]).public().to_string();
    let of_another = pb::Signature { public_key: others_key, ..signature.clone() };
    let bad = |signature| vec![signature];
    for (signatures, reason, field) in [
        (bad(other), Reason::BadSignature, "lock.signatures[0].signature"),
        (bad(of_another), Reason::BadSignature, "lock.signatures[0].signature"),
        (
            bad(pb::Signature { signature: vec![1; 63], ..signature.clone() }),
            Reason::FieldInvalid,
            "lock.signatures[0].signature",
        ),
        (
            bad(pb::Signature { public_key: String::new(), ..signature.clone() }),
            Reason::FieldMissing,
            "lock.signatures[0].public_key",
        ),
        (
            bad(pb::Signature { signature: Vec::new(), ..signature.clone() }),
            Reason::FieldMissing,
            "lock.signatures[0].signature",
        ),
        (vec![signature.clone(); 17], Reason::Record, "lock.signatures"),
    ] {
        let refusal = with(signatures).unwrap_err();
        assert_eq!((refusal.reason, fields(&refusal)), (reason, vec![field]), "{refusal}");
    }
    // A record that already has signatures takes only as many more as the maximum allows.
    let full = pb::Record { envelope: sealed.to_line_bytes(), signatures: vec![signature; 16] };
    let refusal = void_round(&pb::VoidRoundRequest { lock: Some(full), ..void() }).unwrap_err();
    let at = vec!["lock.signatures[15].signature"];
    assert_eq!((refusal.reason, fields(&refusal)), (Reason::Record, at));
}

fn replay_request() -> pb::Replay {
    pb::Replay {
        seed: Some(replay::Seed::RoundSeed(hex_of("11"))),
        ruleset: "mikes".to_owned(),
        sheet: Some(sheet()),
        decisions: vec![house_way(1)],
    }
}

fn audit_of(subject: audit_request::Subject) -> pb::AuditRequest {
    pb::AuditRequest { subject: Some(subject), ..pb::AuditRequest::default() }
}

#[test]
fn root_keys_and_threshold_go_together() {
    let key = |number| hex_text(&SecretKey::from_bytes(&[number; 32]).public().to_bytes());
    let named = |count: u8| (0..count).map(key).collect::<Vec<_>>();
    let transcript = || audit_of(audit_request::Subject::Transcript(b"{}".to_vec()));
    assert_eq!(audit(transcript()).unwrap().terms.root, own_root());
    for (keys, threshold, trusted) in [(1, 0, 1), (1, 1, 1), (3, 2, 2), (16, 16, 16)] {
        let request = pb::AuditRequest { root_keys: named(keys), threshold, ..transcript() };
        let root = audit(request).unwrap().terms.root;
        assert_eq!((root.keys.len(), root.threshold), (usize::from(keys), trusted));
    }
    for (keys, threshold, field) in
        [(0, 1, "threshold"), (1, 2, "threshold"), (1, -1, "threshold"), (17, 1, "root_keys")]
    {
        let request = pb::AuditRequest { root_keys: named(keys), threshold, ..transcript() };
        assert_eq!(fields(&audit(request).unwrap_err()), [field], "{keys} {threshold}");
    }
    // The threshold is two of two, but only one key can sign.
    let root_keys = vec![key(1), key(2), key(1)];
    let refusal = audit(pb::AuditRequest { root_keys, threshold: 2, ..transcript() }).unwrap_err();
    assert_eq!((refusal.reason, fields(&refusal)), (Reason::FieldInvalid, vec!["root_keys[2]"]));
}

#[test]
fn every_term_of_an_audit_is_read_and_its_faults_are_named() {
    let key = hex_text(&SecretKey::from_bytes(&[3; 32]).public().to_bytes());
    let close = |id: &str| pb::AuditedClose { round_id: hex_of(id), close: hex_of("cd") };
    let good = pb::AuditRequest {
        witness_keys: vec![key.clone()],
        first_manifest: hex_of("ab"),
        after: vec![close("01"), close("02")],
        as_of: 1_900_000_000,
        my_seat: 3,
        my_seat_key: key.clone(),
        ..audit_of(audit_request::Subject::Transcript(b"{}".to_vec()))
    };
    let terms = audit(good.clone()).unwrap().terms;
    let mine = terms.my_seat.unwrap();
    assert_eq!((mine.seat.to_string(), mine.key.unwrap().to_string()), ("3".to_owned(), key));
    assert_eq!((terms.witnesses.len(), terms.after.len()), (1, 2));
    assert_eq!(terms.first_manifest.unwrap().to_string(), hex_of("ab"));
    assert_eq!(terms.as_of, Some(1_900_000_000));
    let none = audit(pb::AuditRequest { as_of: 0, ..good.clone() }).unwrap().terms;
    assert_eq!(none.as_of, None);

    let bad = pb::AuditRequest {
        witness_keys: vec![hex_of("zz")],
        first_manifest: "ab".to_owned(),
        after: vec![close("01"), close("01"), pb::AuditedClose::default()],
        as_of: -1,
        my_seat: 8,
        my_seat_key: "ab".to_owned(),
        ..good.clone()
    };
    let refusal = audit(bad).unwrap_err();
    let expected = [
        "witness_keys[0]",
        "first_manifest",
        "after[1].round_id",
        "after[2].round_id",
        "after[2].close",
        "as_of",
        "my_seat",
        "my_seat_key",
    ];
    assert_eq!(fields(&refusal), expected);
    let refusal = audit(pb::AuditRequest { my_seat: 0, ..good }).unwrap_err();
    assert_eq!(fields(&refusal), ["my_seat_key"]);
}

#[test]
fn every_fault_of_an_audit_is_found_at_once() {
    let nothing = audit_request::Subject::Transcript(Vec::new());
    for (subject, reason, field) in
        [(None, Reason::FieldMissing, "subject"), (Some(nothing), Reason::Transcript, "transcript")]
    {
        let refusal = audit(pb::AuditRequest { subject, ..pb::AuditRequest::default() });
        let refusal = refusal.unwrap_err();
        assert_eq!((refusal.reason, fields(&refusal)), (reason, vec![field]));
    }
    let wrong = pb::Replay {
        seed: Some(replay::Seed::Epoch(pb::EpochReplay {
            epoch_secret: "5eed".to_owned(),
            epoch_salt: "x".to_owned(),
            epoch: -1,
            tenant: String::new(),
            table: "/".to_owned(),
            round_no: -1,
        })),
        ruleset: String::new(),
        sheet: None,
        decisions: vec![house_way(0)],
    };
    let request = pb::AuditRequest {
        label: "é".repeat(257),
        root_keys: vec!["00".to_owned()],
        threshold: 1,
        ..audit_of(audit_request::Subject::Replay(wrong))
    };
    let refusal = audit(request).unwrap_err();
    assert_eq!(
        fields(&refusal),
        [
            "label",
            "replay.epoch.epoch_secret",
            "replay.epoch.epoch_salt",
            "replay.epoch.epoch",
            "replay.epoch.tenant",
            "replay.epoch.table",
            "replay.epoch.round_no",
            "replay.ruleset",
            "replay.sheet",
            "replay.decisions[0].seat",
            "root_keys[0]",
        ]
    );
    let quoted = refusal.violations.iter().any(|violation| violation.message.contains("5eed"));
    assert!(!quoted, "a message quotes a seed");

    let server = pb::ServerSeedReplay { server_seed: "5eed".to_owned(), round_id: String::new() };
    for (seed, blamed) in [
        (None, vec!["replay.seed"]),
        (Some(replay::Seed::RoundSeed("5eed".to_owned())), vec!["replay.round_seed"]),
        (
            Some(replay::Seed::ServerSeed(server)),
            vec!["replay.server_seed.server_seed", "replay.server_seed.round_id"],
        ),
    ] {
        let replay = pb::Replay { seed, ..replay_request() };
        let refusal = audit(audit_of(audit_request::Subject::Replay(replay))).unwrap_err();
        assert_eq!(fields(&refusal), blamed);
        assert!(!refusal.violations.iter().any(|violation| violation.message.contains("5eed")));
    }
}

#[test]
fn a_replay_takes_a_label_of_256_characters() {
    let subject = audit_request::Subject::Replay(replay_request());
    let read = audit(pb::AuditRequest { label: "é".repeat(256), ..audit_of(subject) }).unwrap();
    assert_eq!(read.label.chars().count(), 256);
    assert!(matches!(read.subject, super::Subject::Replay(_)));
}
