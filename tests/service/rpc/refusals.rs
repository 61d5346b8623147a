//! Statuses: code, reason and the path of every field at fault.

use paigow::rpc::Impediments;
use paigow_proto::v1 as pb;
use paigow_round::NoEntropy;
use pb::deal_request::{Start, Wagers};
use tonic::Code;
use tonic_types::StatusExt;

use crate::rpc::casino::{Casino, RoundPlan, id, key};
use crate::rpc::desk::{
    ask, blamed, deal, open, record, records, service, service_with, settle, sheet,
};

#[tokio::test]
async fn a_sheet_is_blamed_wager_by_wager() {
    let casino = Casino::new();
    let service = service(&casino, "dev");
    let plan = RoundPlan::random("dev", 1, None, 1);
    let wager = |seat, bet: &str, amount_minor| pb::Wager {
        seat,
        bet: bet.to_owned(),
        amount_minor,
        ..pb::Wager::default()
    };
    let typed = pb::WagerSheet {
        wagers: vec![
            wager(7, "base", 1000),
            wager(1, "dynasty", 1000),
            wager(1, "base", 0),
            wager(2, "base", 1000),
            wager(2, "base", 1000),
        ],
        bank_minor: None,
        chip_minor: Some(1),
        ..sheet(&plan)
    };
    let request = pb::DealRequest {
        beacon_signature: String::new(),
        start: Some(Start::Open(open(&casino, &RoundPlan { committed: Vec::new(), ..plan }))),
        wagers: Some(Wagers::Sheet(typed)),
    };
    let status = service.deal(ask(request)).await.unwrap_err();
    let (code, _, mut fields) = blamed(&status);
    fields.sort();
    assert_eq!(code, Code::InvalidArgument);
    assert_eq!(
        fields,
        [
            "sheet.bank_minor",
            "sheet.chip_minor",
            "sheet.wagers[0].seat",
            "sheet.wagers[1].bet",
            "sheet.wagers[2].amount_minor",
            "sheet.wagers[4].bet",
        ]
    );
}

#[tokio::test]
async fn wagers_that_could_win_too_much_together_are_refused_when_prepared_and_when_dealt() {
    let casino = Casino::new();
    let service = service(&casino, "dev");
    let plan = RoundPlan::random_of("express", "dev", 1, None, 1);
    // Dynasty 2,500.00 at 2,000 to 1 and Protection 9,000.00 at 120 to 1: 6,080,000.00. A seat may
    // win 6,000,000.00.
    let wager = |seat, bet: &str, amount_minor| pb::Wager {
        seat,
        bet: bet.to_owned(),
        amount_minor,
        ..pb::Wager::default()
    };
    let at_seat = |seat| {
        [("base", 1_000), ("dynasty", 250_000), ("protection", 900_000)]
            .map(|(bet, stake)| wager(seat, bet, stake))
    };
    let refused = |wagers: Vec<pb::Wager>| {
        let typed = pb::WagerSheet { wagers, ..sheet(&plan) };
        let opening = open(&casino, &RoundPlan { committed: Vec::new(), ..plan.clone() });
        let service = &service;
        async move {
            let ticket =
                service.open_round(ask(opening.clone())).await.unwrap().into_inner().ticket;
            let request = pb::PrepareDealRequest { ticket, sheet: Some(typed.clone()) };
            let prepared = service.prepare_deal(ask(request)).await.unwrap_err();
            let request = pb::DealRequest {
                start: Some(Start::Open(opening)),
                wagers: Some(Wagers::Sheet(typed)),
                beacon_signature: String::new(),
            };
            let dealt = service.deal(ask(request)).await.unwrap_err();
            assert_eq!(blamed(&prepared), blamed(&dealt));
            let facts = |status: &tonic::Status| {
                status.get_error_details().error_info().unwrap().metadata.clone()
            };
            assert_eq!(facts(&prepared), facts(&dealt));
            (blamed(&dealt), facts(&dealt))
        }
    };
    let (said, facts) = refused(at_seat(3).to_vec()).await;
    let sheet_is_blamed = ["sheet.wagers".to_owned()].to_vec();
    let reason = "AMOUNT_LIMIT".to_owned();
    assert_eq!(said, (Code::InvalidArgument, reason.clone(), sheet_is_blamed.clone()));
    assert_eq!((&*facts["seat"], &*facts["maximum"]), ("3", "600000000"));
    // Six seats, each of which may win 5,001,025.00 and more: 30,000,000.00 are the most of all.
    let lower = |seat| [wager(seat, "base", 2_500), wager(seat, "dynasty", 250_000)];
    let (said, facts) = refused((1..=6).flat_map(lower).collect()).await;
    assert_eq!(said, (Code::InvalidArgument, reason, sheet_is_blamed));
    assert_eq!((facts.get("seat"), &*facts["maximum"]), (None, "3000000000"));
}

#[tokio::test]
async fn an_inline_opening_is_blamed_under_its_field() {
    let casino = Casino::new();
    let plan = RoundPlan { committed: Vec::new(), ..RoundPlan::random("dev", 1, None, 1) };
    let unknown = pb::OpenRoundRequest { ruleset: "none".to_owned(), ..open(&casino, &plan) };
    let alone = service(&casino, "dev").open_round(ask(unknown.clone())).await.unwrap_err();
    let expected =
        |field: &str| (Code::InvalidArgument, "RULESET".to_owned(), vec![field.to_owned()]);
    assert_eq!(blamed(&alone), expected("ruleset"));
    let request = pb::DealRequest {
        start: Some(Start::Open(unknown)),
        wagers: Some(Wagers::Sheet(sheet(&plan))),
        beacon_signature: String::new(),
    };
    let inline = service(&casino, "dev").deal(ask(request)).await.unwrap_err();
    assert_eq!(blamed(&inline), expected("open.ruleset"));
}

#[tokio::test]
async fn closed_gates_name_their_precondition() {
    let casino = Casino::new();
    let plan = RoundPlan::random("strict", 1, None, 4);
    let Some(Start::Ticket(ticket)) = deal(&casino, &plan).start else { panic!("a ticket") };
    let typed = pb::DealRequest {
        start: Some(Start::Ticket(ticket)),
        wagers: Some(Wagers::Sheet(sheet(&plan))),
        beacon_signature: String::new(),
    };
    let status = service(&casino, "strict").deal(ask(typed)).await.unwrap_err();
    assert_eq!(blamed(&status).1, "LOCK_REQUIRED");
    assert_eq!(status.code(), Code::FailedPrecondition);
    let failure = status.get_details_precondition_failure().unwrap();
    assert_eq!(failure.violations[0].r#type, "LOCK_REQUIRED");

    let inline = pb::DealRequest {
        start: Some(Start::Open(open(&casino, &plan))),
        wagers: Some(Wagers::Sheet(sheet(&plan))),
        beacon_signature: String::new(),
    };
    let status = service(&casino, "strict").deal(ask(inline)).await.unwrap_err();
    assert_eq!(
        (status.code(), blamed(&status).1.as_str()),
        (Code::FailedPrecondition, "OPEN_FIRST")
    );
}

#[tokio::test]
async fn another_tenants_round_is_denied_and_unknown_keys_are_unavailable() {
    let casino = Casino::new();
    let plan = RoundPlan::random("locked", 1, None, 4);
    let status = service(&casino, "strict").deal(ask(deal(&casino, &plan))).await.unwrap_err();
    assert_eq!(blamed(&status), (Code::PermissionDenied, "TENANT".to_owned(), Vec::new()));

    let keyless = Casino { keys: paigow_engine::KeyRing::default(), ..casino.clone() };
    let status = service(&keyless, "locked").deal(ask(deal(&casino, &plan))).await.unwrap_err();
    assert_eq!(blamed(&status), (Code::Unavailable, "KEY_NOT_LOADED".to_owned(), Vec::new()));

    // One that no replica has, one that another may have, and one that says nothing of it.
    for (manifest_sequence, code, reason) in [
        (1, Code::FailedPrecondition, "MANIFEST_NOT_LISTED"),
        (99, Code::Unavailable, "MANIFEST_UNKNOWN"),
        (0, Code::Unavailable, "MANIFEST_UNKNOWN"),
    ] {
        let manifest = "00".repeat(32);
        let unknown = pb::OpenRoundRequest { manifest, manifest_sequence, ..open(&casino, &plan) };
        let status = service(&casino, "locked").open_round(ask(unknown)).await.unwrap_err();
        assert_eq!(blamed(&status), (code, reason.to_owned(), Vec::new()));
    }
}

#[tokio::test]
async fn decisions_are_blamed_where_they_stand() {
    let casino = Casino::new();
    let service = service(&casino, "dev");
    let plan = RoundPlan::random("dev", 1, None, 9);
    let dealt = casino.deal(&plan);
    let good = settle(&casino, &plan, &dealt);
    assert!(good.decisions.len() > 1, "the plan has seats with a base wager");
    let seat = good.decisions[0].seat;
    let not_mine = dealt
        .hands
        .iter()
        .find(|(other, _)| i32::from(other.number()) != seat)
        .map(|(_, cards)| cards[..2].iter().map(ToString::to_string).collect())
        .unwrap();
    let mut stolen = good.clone();
    stolen.decisions[0].setting = Some(pb::decision::Setting::Low(pb::LowHand { cards: not_mine }));
    let mut twice = good.clone();
    twice.decisions[1].seat = seat;
    let mut missing = good.clone();
    missing.decisions.clear();
    for (request, reason, field) in [
        (stolen, "LOW_CARDS", "decisions[0].low"),
        (twice, "TWO_ACTIONS_ONE_SEAT", "decisions[1].seat"),
        (missing, "DECISION_MISSING", "decisions"),
    ] {
        let status = service.settle(ask(request)).await.unwrap_err();
        let (code, found, fields) = blamed(&status);
        assert_eq!(
            (code, found.as_str(), fields[0].as_str()),
            (Code::InvalidArgument, reason, field)
        );
    }
}

#[tokio::test]
async fn records_are_blamed_by_their_place() {
    let casino = Casino::new();
    let service = service(&casino, "dev");
    let plan = RoundPlan::random("dev", 1, None, 9);
    let dealt = casino.deal(&plan);
    let good = settle(&casino, &plan, &dealt);
    let mut torn = good.clone();
    torn.records[1].envelope.truncate(20);
    let mut swapped = good.clone();
    swapped.records.swap(1, 2);
    let mut forged = good;
    let ticket = &dealt.records[0];
    let kind = paigow_fairness::record::RecordKind::Ticket;
    let again =
        paigow_fairness::record::RecordEnvelope::seal(kind, &ticket.json().unwrap(), &[&key(9)]);
    forged.records[0] = record(&again);
    for (request, reason, field) in [
        (torn, "RECORD", "records[1].envelope"),
        (swapped, "PHASE", "records[1]"),
        (forged, "BAD_SIGNATURE", "records[0]"),
    ] {
        let status = service.settle(ask(request)).await.unwrap_err();
        let expected = (Code::InvalidArgument, reason.to_owned(), vec![field.to_owned()]);
        assert_eq!(blamed(&status), expected);
    }
}

#[tokio::test]
async fn a_chain_is_asked_for_where_the_policy_wants_it() {
    let casino = Casino::new();
    let first = RoundPlan::random("base", 1, None, 2);
    let closed = casino.play(&first);
    let plan = RoundPlan::random("base", 2, closed.last().cloned(), 2);
    let good = open(&casino, &plan);
    let service = service(&casino, "base");
    service.open_round(ask(good.clone())).await.unwrap();
    let unchained = pb::OpenRoundRequest { prev: None, ..good.clone() };
    let status = service.open_round(ask(unchained)).await.unwrap_err();
    assert_eq!(blamed(&status).1, "CHAIN_REQUIRED");
    let other = RoundPlan { table: id("table-2").to_string(), ..first };
    let other = records(&casino.play(&other)).pop();
    let status = service.open_round(ask(pb::OpenRoundRequest { prev: other, ..good })).await;
    let expected = (Code::InvalidArgument, "CHAIN_BROKEN".to_owned(), vec!["prev".to_owned()]);
    assert_eq!(blamed(&status.unwrap_err()), expected);
}

#[tokio::test]
async fn without_entropy_new_rounds_are_unavailable_and_open_ones_go_on() {
    let casino = Casino::fresh();
    let plan = RoundPlan { committed: Vec::new(), ..RoundPlan::random("locked", 1, None, 6) };
    let service = service_with(&casino, "locked", |_| Err(NoEntropy));
    assert!(!service.state.standing.now().any());
    let status = service.open_round(ask(open(&casino, &plan))).await.unwrap_err();
    let (code, reason, fields) = blamed(&status);
    assert_eq!((code, reason.as_str()), (Code::Unavailable, "ENTROPY"));
    assert!(fields.is_empty());
    // Health follows the standing.
    let no_entropy = Impediments { no_entropy: true, ..Impediments::default() };
    assert_eq!(service.state.standing.now(), no_entropy);
    let dealt = service.deal(ask(deal(&casino, &plan))).await.unwrap().into_inner();
    let answer = crate::rpc::wire::dealt(&dealt);
    let request = settle(&casino, &plan, &answer);
    assert!(service.settle(ask(request)).await.is_ok());
}
