//! The refusals of the engine, and their reasons.
#![allow(clippy::unwrap_used)]

use paigow_fairness::signature::Signer;
use paigow_testkit::casino;
mod chains;
use paigow_testkit::contract_reasons;
mod gates;
mod links;
mod manifests;
mod reasons;
mod seats;
mod voids;

use std::collections::BTreeSet;

use casino::{
    Casino, EPOCH, NOW, RoundPlan, announcement, entropy, key, ledger_key, receipt_key, seat,
    seat_key, sign_manifest,
};
use paigow_engine::DealAnswer;
use paigow_engine::KeyRing;
use paigow_fairness::json::{Json, WriteJson as _};
use paigow_fairness::manifest::{ManifestChain, Suite};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;
use paigow_round::record::{CloseLock, DealRecord};
use paigow_round::{
    CallContext, Deal, DealStart, NoEntropy, Reason, Refusal, RefusalClass, SeatDecisions, Settle,
    VoidReason, VoidRound, Wagers,
};
use paigow_rules::cards::Card;
use paigow_rules::game::{Decision, SettingChoice};

fn open(casino: &Casino, plan: &RoundPlan) -> Result<RecordEnvelope, Refusal> {
    open_at(casino, plan, NOW)
}

/// Holds a refusal against the reasons that the contract lists of the method.
#[track_caller]
fn listed<T>(method: &str, answer: Result<T, Refusal>) -> Result<T, Refusal> {
    answer.inspect_err(|refusal| {
        contract_reasons::assert_listed(method, refusal.reason.as_str());
    })
}

fn open_at(casino: &Casino, plan: &RoundPlan, now: u64) -> Result<RecordEnvelope, Refusal> {
    let call = CallContext { now, ..casino.call(&plan.tenant) };
    let request = casino.open(plan);
    let opened = paigow_engine::open_round(
        &casino.context,
        &casino.keys,
        &call,
        &request,
        &mut entropy(plan),
    );
    listed("OpenRound", opened).map(|opened| opened.ticket)
}

fn deal(casino: &Casino, plan: &RoundPlan, request: &Deal) -> Result<DealAnswer, Refusal> {
    deal_at(casino, plan, request, NOW)
}

fn deal_at(
    casino: &Casino,
    plan: &RoundPlan,
    request: &Deal,
    now: u64,
) -> Result<DealAnswer, Refusal> {
    let call = CallContext { now, ..casino.call(&plan.tenant) };
    listed(
        "Deal",
        paigow_engine::deal(&casino.context, &casino.keys, &call, request, &mut entropy(plan)),
    )
}

fn settle(casino: &Casino, tenant: &str, request: &Settle) -> Result<(), Refusal> {
    settle_at(casino, tenant, request, NOW)
}

fn settle_at(casino: &Casino, tenant: &str, request: &Settle, now: u64) -> Result<(), Refusal> {
    let call = CallContext { now, ..casino.call(tenant) };
    listed("Settle", paigow_engine::settle(&casino.context, &casino.keys, &call, request)).map(drop)
}

fn void_round(casino: &Casino, tenant: &str, request: &VoidRound) -> Result<(), Refusal> {
    void_round_at(casino, tenant, request, NOW)
}

fn void_round_at(
    casino: &Casino,
    tenant: &str,
    request: &VoidRound,
    now: u64,
) -> Result<(), Refusal> {
    let call = CallContext { now, ..casino.call(tenant) };
    let answer = paigow_engine::void_round(&casino.context, &casino.keys, &call, request);
    listed("VoidRound", answer).map(drop)
}

#[track_caller]
fn refused<T>(result: Result<T, Refusal>, reason: Reason) -> Refusal {
    match result {
        Ok(_) => panic!("accepted, but {} was due", reason.as_str()),
        Err(refusal) => {
            assert_eq!(refusal.reason, reason, "{refusal}");
            refusal
        }
    }
}

/// A locked round up to its deal.
fn dealt(tenant: &str) -> (Casino, RoundPlan, DealAnswer) {
    let casino = Casino::new();
    let plan = RoundPlan::random(tenant, 1, None, 21);
    let dealt = casino.deal(&plan);
    (casino, plan, dealt)
}

fn ledger(payload: &Json) -> RecordEnvelope {
    RecordEnvelope::seal(RecordKind::Lock, payload, &[&ledger_key()])
}

/// A record that its signer signs again over a changed payload.
fn resigned(record: &RecordEnvelope, key: u8, edit: impl FnOnce(&mut Json)) -> RecordEnvelope {
    let mut payload = record.json().unwrap();
    edit(&mut payload);
    RecordEnvelope::seal(record.kind(), &payload, &[&casino::key(key)])
}

fn insert<'a>(json: &mut Json<'a>, member: &str, value: Json<'a>) {
    let Json::Obj(members) = json else { panic!("no object") };
    members.insert(member.to_owned(), value);
}

#[test]
fn a_required_lock_is_the_ledgers_over_exactly_these_wagers() {
    let casino = Casino::new();
    let plan = RoundPlan::random("locked", 1, None, 20);
    let ticket = open(&casino, &plan).unwrap();
    let start = || DealStart::Ticket(ticket.clone());
    let typed = Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: plan.client_seeds() };
    refused(
        deal(&casino, &plan, &Deal { start: start(), wagers: typed, beacon_signature: None }),
        Reason::LockRequired,
    );

    let payload = casino.lock_payload(&plan, &ticket).to_json();
    let with = |lock: RecordEnvelope| {
        deal(
            &casino,
            &plan,
            &Deal { start: start(), wagers: Wagers::Lock(lock), beacon_signature: None },
        )
    };
    refused(with(RecordEnvelope::unsigned(RecordKind::Lock, &payload)), Reason::LockRequired);
    refused(
        with(RecordEnvelope::seal(RecordKind::Lock, &payload, &[&key(9)])),
        Reason::BadSignature,
    );
    let mut both = ledger(&payload);
    both.add_signature(&key(9));
    refused(with(both), Reason::BadSignature);

    let mut other = plan.clone();
    other.sheet.wagers[0].amount_minor += 1;
    let other = casino.lock_payload(&other, &ticket).to_json();
    assert_ne!(other, payload);
    let sig = |envelope: &RecordEnvelope| {
        use base64::Engine as _;
        base64::engine::general_purpose::STANDARD.encode(envelope.signatures()[0].sig)
    };
    let (good, forged) = (ledger(&payload), ledger(&other));
    let line = forged.to_line().replace(&sig(&forged), &sig(&good));
    refused(with(RecordEnvelope::parse(line.as_bytes()).unwrap()), Reason::BadSignature);
    assert!(with(good).is_ok());
}

#[test]
fn a_required_final_lock_is_the_ledgers_over_exactly_these_decisions() {
    let (casino, plan, dealt) = dealt("seats");
    let (actions, lock) = casino.close(&plan, &dealt);
    let with = |actions: &[RecordEnvelope], lock: &RecordEnvelope| {
        let decisions = SeatDecisions::Locked { actions: actions.to_vec(), lock: lock.clone() };
        settle(&casino, "seats", &Settle::new(dealt.records.to_vec(), decisions))
    };
    let typed = SeatDecisions::Typed(plan.decisions(&dealt));
    let typed = Settle::new(dealt.records.to_vec(), typed);
    refused(settle(&casino, "seats", &typed), Reason::LockRequired);

    let payload = lock.json().unwrap();
    refused(
        with(&actions, &RecordEnvelope::unsigned(RecordKind::Lock, &payload)),
        Reason::LockRequired,
    );
    let engines = RecordEnvelope::seal(RecordKind::Lock, &payload, &[&receipt_key()]);
    refused(with(&actions, &engines), Reason::BadSignature);
    refused(with(&actions[1..], &lock), Reason::LockCoversActions);
    // The ledger may forget a seat, and then it is the list of actions that lacks one.
    let fewer = CloseLock::Final {
        absent: Vec::new(),
        supersedes: Vec::new(),
        actions: actions[1..].iter().map(RecordEnvelope::hash).collect(),
        prev: dealt.records[2].hash(),
        round_id: dealt.round_id,
    };
    let refusal = refused(with(&actions[1..], &ledger(&fewer.to_json())), Reason::DecisionMissing);
    let blamed: Vec<_> = refusal.violations.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(blamed, ["actions"]);
    assert!(with(&actions, &lock).is_ok());
}

#[test]
fn two_actions_of_one_seat_are_refused_even_if_the_lock_covers_both() {
    let casino = Casino::new();
    let mut plan = RoundPlan::random("locked", 1, None, 22);
    plan.sheet.wagers.truncate(1);
    plan.sheet.wagers[0].bet = "base".into();
    plan.sheet.wagers[0].amount_minor = 1000;
    plan.committed.clear();
    let dealt = casino.deal(&plan);
    let (actions, lock) = casino.close(&plan, &dealt);
    let [action] = actions.as_slice() else { panic!("one seat") };
    let second = RecordEnvelope::unsigned(
        RecordKind::Action,
        &Json::obj([
            ("low", Json::arr(low_two(&dealt))),
            ("prev", Json::str(dealt.records[2].hash())),
            ("seat", Json::Int(u64::from(plan.sheet.wagers[0].seat.number()))),
        ]),
    );
    let both = vec![action.clone(), second];
    let covering = CloseLock::Final {
        absent: Vec::new(),
        supersedes: Vec::new(),
        actions: both.iter().map(RecordEnvelope::hash).collect(),
        prev: dealt.records[2].hash(),
        round_id: dealt.round_id,
    };
    assert_ne!(ledger(&covering.to_json()), lock);
    let decisions = SeatDecisions::Locked { actions: both, lock: ledger(&covering.to_json()) };
    let request = Settle::new(dealt.records.to_vec(), decisions);
    refused(settle(&casino, "locked", &request), Reason::TwoActionsOneSeat);

    // Typed decisions, where locks are off.
    let plan = RoundPlan { tenant: "dev".to_owned(), ..plan };
    let dealt = casino.deal(&plan);
    let decision = Decision { setting: SettingChoice::HouseWay, double_down: false };
    let seat = plan.sheet.wagers[0].seat;
    let decisions = SeatDecisions::Typed(vec![(seat, decision.clone()), (seat, decision)]);
    let request = Settle::new(dealt.records.to_vec(), decisions);
    let refusal = refused(settle(&casino, "dev", &request), Reason::TwoActionsOneSeat);
    assert_eq!(refusal.violations[0].field, "decisions[1].seat");
}

fn low_two(dealt: &DealAnswer) -> Vec<Json<'static>> {
    let mut cards: Vec<Card> = dealt.hands.values().next().unwrap().clone();
    cards.sort();
    cards.iter().take(2).map(|card| Json::Int(u64::from(card.number()))).collect()
}

#[test]
fn seats_sign_where_they_must() {
    let (casino, plan, dealt) = dealt("strict");
    let (actions, _) = casino.close(&plan, &dealt);
    let with = |first: RecordEnvelope| {
        let mut actions = actions.clone();
        actions[0] = first;
        let lock = CloseLock::Final {
            absent: Vec::new(),
            supersedes: Vec::new(),
            actions: actions.iter().map(RecordEnvelope::hash).collect(),
            prev: dealt.records[2].hash(),
            round_id: dealt.round_id,
        };
        let decisions = SeatDecisions::Locked { actions, lock: ledger(&lock.to_json()) };
        settle(&casino, "strict", &Settle::new(dealt.records.to_vec(), decisions))
    };
    let payload = actions[0].json().unwrap();
    refused(with(RecordEnvelope::unsigned(RecordKind::Action, &payload)), Reason::SeatAuthRequired);
    let strangers = RecordEnvelope::seal(RecordKind::Action, &payload, &[&seat_key(seat(7))]);
    refused(with(strangers), Reason::BadSignature);
    let doubled = {
        let mut payload = payload;
        insert(&mut payload, "double_down", Json::Bool(true));
        let Json::Obj(members) = &payload else { panic!() };
        let Json::Int(number) = *members.get("seat").unwrap() else { panic!() };
        let key = seat_key(seat(u8::try_from(number).unwrap()));
        RecordEnvelope::seal(RecordKind::Action, &payload, &[&key])
    };
    refused(with(doubled), Reason::DecisionUnexpected);
}

#[test]
fn a_required_chain_has_no_gap() {
    let casino = Casino::new();
    let plan = |round_no, prev| RoundPlan::random("base", round_no, prev, 23);
    let first = casino.play(&plan(1, None));
    let second = casino.play(&plan(2, first.last().cloned()));
    let close = |records: &[RecordEnvelope]| records.last().cloned();
    refused(open(&casino, &plan(3, None)), Reason::ChainRequired);
    refused(open(&casino, &plan(3, close(&first))), Reason::ChainBroken);
    refused(open(&casino, &plan(2, Some(first[2].clone()))), Reason::ChainBroken);
    refused(open(&casino, &plan(1, close(&first))), Reason::ChainBroken);
    let forged = RecordEnvelope::seal(
        RecordKind::Settle,
        &close(&second).unwrap().json().unwrap(),
        &[&key(9)],
    );
    let refusal = refused(open(&casino, &plan(3, Some(forged.clone()))), Reason::ManifestUnknown);
    assert!(refusal.message.contains("prev"), "{refusal}");
    // Under the id of a key that is known the same signature is a bad one.
    let line = forged.to_line().replace(&*key(9).kid(), &receipt_key().kid());
    let forged = RecordEnvelope::parse(line.as_bytes()).unwrap();
    refused(open(&casino, &plan(3, Some(forged))), Reason::BadSignature);
    let unsigned =
        RecordEnvelope::unsigned(RecordKind::Settle, &close(&second).unwrap().json().unwrap());
    refused(open(&casino, &plan(3, Some(unsigned))), Reason::BadSignature);
    assert!(open(&casino, &plan(3, close(&second))).is_ok());
}

#[test]
fn records_that_were_changed_or_mixed_are_refused() {
    let (casino, plan, dealt) = dealt("locked");
    let request = casino.settle_request(&plan, &dealt);
    let with = |at: usize, record: RecordEnvelope| {
        let mut request = request.clone();
        request.records[at] = record;
        settle(&casino, "locked", &request)
    };
    let mut other_plan = plan.clone();
    other_plan.table = "table-2".to_owned();
    let other = casino.deal(&other_plan);

    refused(with(0, resigned(&dealt.records[0], 9, |_| {})), Reason::BadSignature);
    refused(with(0, dealt.records[1].clone()), Reason::Phase);
    refused(with(0, other.records[0].clone()), Reason::ChainBroken);
    refused(with(1, other.records[1].clone()), Reason::ChainBroken);
    refused(with(1, dealt.records[2].clone()), Reason::Phase);
    refused(with(2, other.records[2].clone()), Reason::ChainBroken);
    refused(with(2, resigned(&dealt.records[2], 9, |_| {})), Reason::BadSignature);
    let unknown = resigned(&dealt.records[0], 2, |p| {
        insert(p, "manifest", Json::str("ab".repeat(32)));
    });
    refused(with(0, unknown), Reason::ManifestUnknown);
    let ruleset = resigned(&dealt.records[0], 2, |p| {
        insert(p, "ruleset", Json::str("ab".repeat(32)));
    });
    refused(with(0, ruleset), Reason::Ruleset);
    let softer = resigned(&dealt.records[0], 2, |p| {
        let Json::Obj(members) = p else { panic!() };
        insert(members.get_mut("policy").unwrap(), "lock", Json::str("off"));
    });
    refused(with(0, softer), Reason::Record);
    let mut short = request.clone();
    short.records.pop();
    refused(settle(&casino, "locked", &short), Reason::Phase);
    short.records.clear();
    refused(settle(&casino, "locked", &short), Reason::FieldMissing);
    assert!(settle(&casino, "locked", &request).is_ok());
}

#[test]
fn a_deal_that_the_seed_does_not_give_is_an_alarm_not_an_answer() {
    // An insider with the receipt key signs another deal and gets it locked.
    let (casino, plan, dealt) = dealt("dev");
    let forged = |edit: &dyn Fn(&mut DealRecord)| {
        let mut deal = DealRecord::parse(dealt.records[2].json().unwrap()).unwrap();
        edit(&mut deal);
        let deal = RecordEnvelope::seal(RecordKind::Deal, &deal, &[&receipt_key()]);
        let records = vec![dealt.records[0].clone(), dealt.records[1].clone(), deal];
        let decisions = plan.decisions(&dealt).into_iter().map(|(seat, _)| {
            (seat, Decision { setting: SettingChoice::HouseWay, double_down: false })
        });
        let decisions = SeatDecisions::Typed(decisions.collect());
        settle(&casino, "dev", &Settle::new(records, decisions))
    };
    assert!(forged(&|_| {}).is_ok());
    let first = dealt.hands.seats().next().unwrap();
    refused(forged(&|deal| deal.visible.get_mut(first).unwrap().swap(0, 1)), Reason::DeckMismatch);
    refused(forged(&|deal| deal.dice = vec![6, 6, 6]), Reason::DeckMismatch);
    refused(forged(&|deal| deal.fees = paigow_rules::cards::BySeat::new()), Reason::DeckMismatch);
    let other = paigow_fairness::encoding::Hash::ZERO;
    let refusal = refused(forged(&|deal| deal.deck_commit = other), Reason::DeckMismatch);
    assert_eq!(refusal.reason.class(), RefusalClass::Internal);
    let fact = |refusal: &Refusal, name: &str| refusal.alarm.get(name).cloned().unwrap();
    assert_eq!(fact(&refusal, "differs"), "deck_commit");
    assert_eq!(fact(&refusal, "recorded_deck_commit"), other.to_string());
    assert_eq!(fact(&refusal, "computed_deck_commit"), dealt.deck_commit.to_string());
    assert_eq!(fact(&refusal, "signed_by"), receipt_key().public().kid());

    // The same with a ticket whose commitment is another.
    let ticket = resigned(&dealt.records[0], 2, |p| {
        insert(p, "commit", Json::str("11".repeat(32)));
    });
    let wagers = Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: plan.client_seeds() };
    let request = Deal { start: DealStart::Ticket(ticket), wagers, beacon_signature: None };
    let refusal = refused(deal(&casino, &plan, &request), Reason::DeckMismatch);
    assert_eq!(fact(&refusal, "record"), "ticket");
    assert_eq!(fact(&refusal, "recorded_commit"), "11".repeat(32));
    assert_eq!(fact(&refusal, "computed_commit"), dealt.commit.to_string());
    assert_eq!(fact(&refusal, "computed_twice"), "same");
}

#[test]
fn client_seeds_that_do_not_fit_leave_only_the_void() {
    let casino = Casino::new();
    let plan = RoundPlan::random("strict", 1, None, 24);
    let ticket = open(&casino, &plan).unwrap();
    let with = |edit: &dyn Fn(&mut std::collections::BTreeMap<_, Vec<u8>>)| {
        let mut lock = casino.lock_payload(&plan, &ticket);
        edit(&mut lock.client_seeds);
        let lock = ledger(&lock.to_json());
        let wagers = Wagers::Lock(lock.clone());
        (
            deal(
                &casino,
                &plan,
                &Deal { start: DealStart::Ticket(ticket.clone()), wagers, beacon_signature: None },
            ),
            lock,
        )
    };
    let first = plan.committed[0];
    let (wrong, lock) = with(&|seeds| {
        seeds.insert(first, vec![0; 16]);
    });
    // The refusal must name the seat at fault, because the round is lost for all.
    let blamed = |result| {
        let refusal = refused(result, Reason::ClientCommit);
        let [one] = &refusal.violations[..] else { panic!("{refusal:?}") };
        assert_eq!(one.field, format!("lock.seats[{first}].client_seed"));
        assert!(one.message.starts_with(&format!("seat {first} ")), "{}", one.message);
    };
    blamed(wrong);
    blamed(with(&|seeds| drop(seeds.remove(&first))).0);
    assert!(with(&|_| {}).0.is_ok());
    let void = casino.void_request(&plan, &[ticket, lock], VoidReason::ClientSeed);
    assert!(void_round(&casino, "strict", &void).is_ok());
}

#[test]
fn a_round_is_its_tenants_alone() {
    let (casino, plan, dealt) = dealt("dev");
    let request = casino.settle_request(&plan, &dealt);
    let refusal = refused(settle(&casino, "base", &request), Reason::Tenant);
    assert_eq!(refusal.reason.class(), RefusalClass::PermissionDenied);
    let stranger = RoundPlan { tenant: "dev".to_owned(), ..plan.clone() };
    let call = casino.call("nobody");
    let opened = paigow_engine::open_round(
        &casino.context,
        &casino.keys,
        &call,
        &casino.open(&stranger),
        &mut entropy(&plan),
    );
    refused(opened, Reason::Tenant);
}

#[test]
fn a_replica_with_other_keys_cannot_answer() {
    let (casino, plan, dealt) = dealt("dev");
    let deal_request = casino.deal_request(&plan);
    let mut without = casino.clone();
    without.keys = KeyRing::default();
    refused(open(&without, &plan), Reason::KeyNotLoaded);
    refused(deal(&without, &plan, &deal_request), Reason::KeyNotLoaded);
    let mut other = casino.clone();
    other.keys.add_epoch(EPOCH, EpochSecret::new([9; 32]));
    refused(open(&other, &plan), Reason::KeyNotLoaded);
    refused(settle(&other, "dev", &casino.settle_request(&plan, &dealt)), Reason::KeyNotLoaded);
    let mut stranger = casino.clone();
    stranger.keys = KeyRing::default();
    stranger.keys.add_epoch(EPOCH, casino.secret.clone());
    stranger.keys.add_receipt_key(key(9));
    let refusal = refused(open(&stranger, &plan), Reason::KeyNotLoaded);
    assert_eq!(refusal.reason.class(), RefusalClass::Unavailable);
}

#[test]
fn what_the_policy_wants_named_must_be_named() {
    let casino = Casino::new();
    let plan = RoundPlan::random("locked", 1, None, 25);
    let request = paigow_round::OpenRound { epoch: None, manifest: None, ..casino.open(&plan) };
    let with = |tenant: &str| {
        paigow_engine::open_round(
            &casino.context,
            &casino.keys,
            &casino.call(tenant),
            &request,
            &mut entropy(&plan),
        )
    };
    let refusal = refused(with("locked"), Reason::FieldMissing);
    let fields: Vec<_> = refusal.violations.iter().map(|v| v.field.as_str()).collect();
    assert_eq!(fields, ["epoch", "manifest"]);
    assert!(with("dev").is_ok(), "the policy dev takes the open epoch and the newest manifest");
}

#[test]
fn client_seeds_and_fresh_seeds_need_the_ticket_first() {
    let casino = Casino::new();
    let mut plan = RoundPlan::random("dev", 1, None, 26);
    plan.committed = vec![plan.sheet.wagers[0].seat];
    let inline = Deal {
        start: DealStart::Open(Box::new(casino.open(&plan))),
        wagers: Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: plan.client_seeds() },
        beacon_signature: None,
    };
    refused(deal(&casino, &plan, &inline), Reason::OpenFirst);
    let fresh = Casino::fresh();
    let plan = RoundPlan { committed: Vec::new(), ..RoundPlan::random("locked", 1, None, 27) };
    let ticket = open(&fresh, &plan).unwrap();
    let inline = Deal {
        start: DealStart::Open(Box::new(fresh.open(&plan))),
        wagers: Wagers::Lock(fresh.lock(&plan, &ticket)),
        beacon_signature: None,
    };
    refused(deal(&fresh, &plan, &inline), Reason::OpenFirst);
}

#[test]
fn without_entropy_no_fresh_round_begins() {
    let casino = Casino::fresh();
    let plan = RoundPlan { committed: Vec::new(), ..RoundPlan::random("locked", 1, None, 28) };
    let call = casino.call("locked");
    let mut nothing = || Err(NoEntropy);
    let opened = paigow_engine::open_round(
        &casino.context,
        &casino.keys,
        &call,
        &casino.open(&plan),
        &mut nothing,
    );
    let refusal = refused(opened, Reason::Entropy);
    assert_eq!(refusal.reason.class(), RefusalClass::Unavailable);
    // An open round needs none: it is dealt and settled.
    let ticket = open(&casino, &plan).unwrap();
    let wagers = Wagers::Lock(casino.lock(&plan, &ticket));
    let request = Deal { start: DealStart::Ticket(ticket), wagers, beacon_signature: None };
    let dealt =
        paigow_engine::deal(&casino.context, &casino.keys, &call, &request, &mut nothing).unwrap();
    assert!(settle(&casino, "locked", &casino.settle_request(&plan, &dealt)).is_ok());
}

#[test]
fn a_fresh_epoch_needs_locks_and_chains_to_load() {
    let mut manifest = announcement(Suite::Fresh);
    manifest.tenants[0].policy.chain_required = false;
    let root = Casino::new().context.root;
    let faults = ManifestChain::load(&root, &[sign_manifest(&manifest)]).unwrap_err();
    assert!(faults[0].what.contains("lock: required and chain: required"), "{faults:?}");
}

#[test]
fn every_violation_of_a_sheet_is_named_by_its_path() {
    let casino = Casino::new();
    let mut plan = RoundPlan::random("dev", 1, None, 28);
    plan.committed.clear();
    plan.sheet.facts.action_pile = Some(9);
    plan.sheet.facts.chip_minor = Some(100);
    plan.sheet.wagers.truncate(1);
    plan.sheet.wagers[0].bet = "dynasty".into();
    let wagers = Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: Vec::new() };
    let start = DealStart::Open(Box::new(casino.open(&plan)));
    let refusal = refused(
        deal(&casino, &plan, &Deal { start, wagers, beacon_signature: None }),
        Reason::TableFact,
    );
    let fields: Vec<_> = refusal.violations.iter().map(|v| v.field.as_str()).collect();
    assert_eq!(fields, ["sheet.action_pile", "sheet.chip_minor", "sheet.wagers[0].bet"]);
}

#[test]
fn decisions_are_exactly_those_of_the_seats_with_a_base_wager() {
    let casino = Casino::new();
    let mut plan = RoundPlan::random("dev", 1, None, 29);
    plan.committed.clear();
    let wager = plan.sheet.wagers[0].clone();
    let with = |number, bet: &str, amount_minor| paigow_rules::game::Wager {
        seat: seat(number),
        bet: bet.to_owned().into(),
        amount_minor,
        ..wager.clone()
    };
    plan.sheet.wagers = vec![with(1, "base", 1000), with(2, "outlaw_9", 1), with(3, "base", 1000)];
    let dealt = casino.deal(&plan);
    let request = |decisions| Settle::new(dealt.records.to_vec(), SeatDecisions::Typed(decisions));
    let house_way = || Decision { setting: SettingChoice::HouseWay, double_down: false };
    let low = |cards: &[Card]| Decision {
        setting: SettingChoice::Low(cards.to_vec()),
        double_down: false,
    };
    let hand = |number| dealt.hands[seat(number)].as_slice();
    for (decisions, reason, field) in [
        (vec![(seat(1), house_way())], Reason::DecisionMissing, "decisions"),
        (
            vec![(seat(1), house_way()), (seat(2), house_way()), (seat(3), house_way())],
            Reason::DecisionUnexpected,
            "decisions[1]",
        ),
        (
            vec![(seat(0), house_way()), (seat(1), house_way()), (seat(3), house_way())],
            Reason::DecisionUnexpected,
            "decisions[0].seat",
        ),
        (
            vec![(seat(1), low(&hand(3)[..2])), (seat(3), house_way())],
            Reason::LowCards,
            "decisions[0].low",
        ),
        (
            vec![(seat(1), low(&hand(1)[..3])), (seat(3), house_way())],
            Reason::LowCards,
            "decisions[0].low",
        ),
    ] {
        let refusal = refused(settle(&casino, "dev", &request(decisions)), reason);
        assert_eq!(refusal.violations[0].field, field, "{refusal}");
    }
    let good = vec![(seat(1), low(&hand(1)[..2])), (seat(3), house_way())];
    assert!(settle(&casino, "dev", &request(good)).is_ok());
}

/// A ledger that behaves as D1 says: at most one lock a round and phase.
#[derive(Default)]
struct Ledger(BTreeSet<(String, u8)>);

impl Ledger {
    fn sign(&mut self, payload: &Json) -> Option<RecordEnvelope> {
        let Json::Obj(members) = payload else { panic!("no object") };
        let (Json::Str(round), Json::Str(step)) =
            (members.get("round_id").unwrap(), members.get("step").unwrap())
        else {
            panic!("no lock")
        };
        let phase = if step == "wagers" { 1 } else { 2 };
        let closed = phase == 1 && self.0.contains(&(round.to_string(), 2));
        (!closed && self.0.insert((round.to_string(), phase))).then(|| ledger(payload))
    }
}

#[test]
fn with_an_honest_ledger_a_final_round_cannot_be_voided_nor_a_void_one_settled() {
    for void_first in [false, true] {
        let (casino, plan, dealt) = dealt("locked");
        let mut honest = Ledger::default();
        assert!(honest.sign(&dealt.records[1].json().unwrap()).is_some());
        let (actions, last) = casino.close(&plan, &dealt);
        let asked = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
        let void_lock = asked.lock.unwrap();
        let payloads = [last.json().unwrap(), void_lock.json().unwrap()];
        let (first, second) =
            if void_first { (&payloads[1], &payloads[0]) } else { (&payloads[0], &payloads[1]) };
        let signed = honest.sign(first).unwrap();
        assert!(honest.sign(second).is_none(), "one lock of phase 2 a round");

        // The remaining attempts without the second signature.
        let records = dealt.records.to_vec();
        let as_final = |lock: RecordEnvelope| {
            Settle::new(records.clone(), SeatDecisions::Locked { actions: actions.clone(), lock })
        };
        let as_void = |lock: Option<RecordEnvelope>| {
            VoidRound::new(records.clone(), Some(VoidReason::Operator), lock)
        };
        let unsigned = RecordEnvelope::unsigned(RecordKind::Lock, second);
        if void_first {
            refused(settle(&casino, "locked", &as_final(signed.clone())), Reason::Phase);
            refused(settle(&casino, "locked", &as_final(unsigned)), Reason::LockRequired);
            assert!(void_round(&casino, "locked", &as_void(Some(signed))).is_ok());
        } else {
            refused(void_round(&casino, "locked", &as_void(Some(signed.clone()))), Reason::Phase);
            refused(void_round(&casino, "locked", &as_void(Some(unsigned))), Reason::LockRequired);
            refused(void_round(&casino, "locked", &as_void(None)), Reason::LockRequired);
            assert!(settle(&casino, "locked", &as_final(signed)).is_ok());
        }
    }
}
