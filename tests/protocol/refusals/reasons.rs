//! Every reason that a caller can cause, provoked; what a program needs stands in
//! `ErrorInfo.metadata`, under the keys that the contract names for the reason.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use paigow::rpc::status;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::manifest::{ClientPolicy, EpochStatus, Manifest, Suite};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::seed::{Coordinates, ruleset_hash};
use paigow_fairness::signature::Signer as _;
use paigow_proto::v1 as pb;
use paigow_proto::v1::ErrorReason;
use paigow_round::record::CloseLock;
use paigow_round::{
    CallContext, CallerSwitch, Catalogue, Deal, DealStart, HandSetter, OpenRound, OperatorPermit,
    PrepareDeal, PrepareSettle, Reason, Refusal, SeatDecisions, SetHouseWay, Settle, SpentLock,
    SwitchScope, VoidReason, VoidRound, VoidStart, Wagers, WeighSettings,
};
use paigow_rules::cards::Seat;
use paigow_rules::game::{Currency, Decision, Ruleset, SettingChoice, shipped};
use paigow_rules::house_way;
use paigow_testkit::beacons::beacon_signature;
use paigow_testkit::casino::DRAND;
use paigow_testkit::wire;
use paigow_wire::request;
use tonic_types::StatusExt as _;

use crate::refusals::casino::{
    Casino, NOW, OPEN_FROM, RoundPlan, SETTLE_UNTIL, entropy, id, key, ledger_key, seat,
    sign_manifest, successor,
};
use crate::refusals::{dealt, ledger};

/// The metadata of each reason that was provoked.
#[derive(Default)]
struct Provoked(BTreeMap<String, BTreeMap<String, String>>);

impl Provoked {
    /// Notes a refusal as in its status; `said` is the metadata without `field`.
    #[track_caller]
    fn by<T>(&mut self, answer: Result<T, Refusal>, reason: &str, said: &[(&str, String)]) {
        let Err(refusal) = answer else { panic!("accepted, but {reason} was due") };
        let status = status::of_refusal(&refusal);
        let info = status.get_details_error_info().unwrap();
        assert_eq!(info.reason, reason, "{refusal:?}");
        let told: BTreeMap<String, String> = info.metadata.into_iter().collect();
        for (key, value) in said {
            assert_eq!(told.get(*key), Some(value), "{reason}.{key}: {refusal:?}");
        }
        let but_field = told.keys().filter(|key| *key != "field").count();
        assert!(but_field == said.iter().filter(|(key, _)| *key != "field").count(), "{told:?}");
        let named = ErrorReason::from_str_name(&format!("ERROR_REASON_{reason}")).unwrap();
        let (always, at_times) = named.metadata();
        for key in always {
            assert!(told.contains_key(*key), "{reason} without {key}");
        }
        for key in told.keys().map(String::as_str) {
            assert!(always.contains(&key) || at_times.contains(&key), "{reason} with {key}");
        }
        // The first violation has the reason of the status, and every other one of its own.
        if let Some(bad) = status.get_details_bad_request() {
            assert_eq!(bad.field_violations[0].reason, reason);
            assert_eq!(Some(&bad.field_violations[0].field), told.get("field"));
            assert!(bad.field_violations.iter().all(|one| !one.reason.is_empty()));
        }
        self.0.insert(reason.to_owned(), told);
    }
}

fn is(key: &str, value: impl ToString) -> (&str, String) {
    (key, value.to_string())
}

fn newest(casino: &Casino) -> [(&'static str, String); 2] {
    let newest = casino.context.manifests.newest();
    [
        ("newestManifest", newest.hash.to_string()),
        ("newestManifestSequence", newest.manifest.seq.to_string()),
    ]
}

/// The casino after one more manifest.
fn after(casino: &Casino, edit: impl FnOnce(&mut Manifest)) -> Casino {
    let mut manifest = successor(casino.manifest());
    edit(&mut manifest);
    Casino::with_manifests([&casino.manifests[..], &[sign_manifest(&manifest)]].concat())
}

fn opened(
    casino: &Casino,
    plan: &RoundPlan,
    edit: impl FnOnce(&mut OpenRound),
) -> Result<(), Refusal> {
    let mut request = casino.open(plan);
    edit(&mut request);
    let call = casino.call(&plan.tenant);
    let (context, keys) = (&casino.context, &casino.keys);
    paigow_engine::open_round(context, keys, &call, &request, &mut entropy(plan)).map(drop)
}

fn by_house_way() -> Decision {
    Decision { setting: SettingChoice::HouseWay, double_down: false }
}

/// Faults of single fields, and of cards, wagers and decisions under the rules.
fn of_requests(provoked: &mut Provoked) {
    let (casino, plan, dealt) = dealt("dev");
    let (context, keys, call) = (&casino.context, &casino.keys, casino.call("dev"));
    let field = |path: &str| is("field", path);
    provoked.by(request::deal(&pb::DealRequest::default()), "FIELD_MISSING", &[field("start")]);
    let open = wire::open_request(&casino, &plan);
    let request = pb::OpenRoundRequest { table: "a table".to_owned(), ..open.clone() };
    provoked.by(request::open_round(&request), "FIELD_INVALID", &[field("table")]);
    let request = pb::OpenRoundRequest { round_no: 0, ..open };
    let said = [field("round_no"), is("minimum", 1), is("maximum", i64::MAX)];
    provoked.by(request::open_round(&request), "NUMBER_RANGE", &said);
    let hands = |cards: &[&str], count: usize| pb::SetHouseWayRequest {
        hands: vec![pb::Hand { cards: cards.iter().map(|c| (*c).to_owned()).collect() }; count],
        by: Some(pb::set_house_way_request::By::HouseWay("mikes".to_owned())),
    };
    let set = |request: &pb::SetHouseWayRequest| {
        request::set_house_way(request).and_then(|set| context.set_house_way(&set))
    };
    provoked.by(set(&hands(&["??"], 1)), "UNKNOWN_CARD", &[field("hands[0].cards[0]")]);
    let said = [field("hands[0].cards"), is("expected", 7)];
    provoked.by(set(&hands(&["Ah"], 1)), "HAND", &said);
    let said = [field("hands"), is("maximum", 64)];
    provoked.by(set(&hands(&["Ah"], 65)), "BATCH_LIMIT", &said);
    let mini = shipped().iter().find(|ruleset| ruleset.id() == "mini").unwrap();
    let text = mini
        .text()
        .replacen("bank_per_base = 2", "bank_per_base = 4", 1)
        .replacen("[base]\npays = \"1/1\"", "[base]\npays = \"2/1\"", 1)
        .replacen("allow_player_advantage = false", "allow_player_advantage = true", 1);
    let generous = Ruleset::parse(&text).unwrap();
    let hash = ruleset_hash("mini", generous.text().as_bytes());
    let catalogue = Catalogue::new(house_way::shipped().to_vec(), vec![generous]).unwrap();
    let cards = "Ah Ad Kc 7s 4c 2h".split(' ').map(|card| card.parse().unwrap()).collect();
    let weigh = WeighSettings { ruleset: "mini".to_owned(), cards, dealer_cards: Vec::new() };
    let weighed = Casino::with_catalogue(catalogue).context.weigh_settings(&weigh);
    provoked.by(weighed, "NOT_COUNTED", &[is("ruleset", hash)]);
    let by = HandSetter::HouseWay("nobodys".to_owned());
    let ways = SetHouseWay { hands: Vec::new(), by };
    provoked.by(context.set_house_way(&ways), "HOUSE_WAY", &[field("house_way")]);
    let record = pb::Record { envelope: b"{}".to_vec(), signatures: Vec::new() };
    let request = pb::SettleRequest { records: vec![record], ..pb::SettleRequest::default() };
    provoked.by(request::settle(&request), "RECORD", &[field("records[0].envelope")]);
    let unsigned = wire::records(&dealt.records)[0].clone();
    let signature = pb::Signature {
        public_key: ledger_key().public().to_string(),
        signature: ledger_key().sign(b"another record").to_vec(),
    };
    let record = pb::Record { signatures: vec![signature], ..unsigned };
    let request = pb::SettleRequest { records: vec![record], ..pb::SettleRequest::default() };
    let said = [field("records[0].signatures[0].signature")];
    provoked.by(request::settle(&request), "BAD_SIGNATURE", &said);
    let audit = pb::AuditRequest {
        subject: Some(pb::audit_request::Subject::Transcript(Vec::new())),
        ..pb::AuditRequest::default()
    };
    let audit = request::audit(audit, &context.root).map(drop);
    provoked.by(audit, "TRANSCRIPT", &[field("transcript")]);

    // Wagers: each fault can be mended by what the metadata says.
    let deal = |edit: &dyn Fn(&mut PrepareDeal)| {
        let (sheet, client_seeds) = (plan.sheet.clone(), plan.client_seeds());
        let mut request = PrepareDeal { ticket: dealt.records[0].clone(), sheet, client_seeds };
        edit(&mut request);
        paigow_engine::prepare_deal(context, keys, &call, &request)
    };
    let first = &plan.sheet.wagers[0];
    let wager = [is("seat", first.seat), is("bet", &first.bet)];
    let at = |member: &str| field(&format!("sheet.wagers[0].{member}"));
    let said = [&wager[..], &[at("seat"), is("minimum", 1), is("maximum", 6)]].concat();
    let said: Vec<_> = said.into_iter().filter(|(key, _)| *key != "seat").collect();
    let said = [&said[..], &[is("seat", 7)]].concat();
    provoked.by(deal(&|request| request.sheet.wagers[0].seat = seat(7)), "SEAT", &said);
    let said = [at("bet"), is("seat", first.seat)];
    provoked.by(deal(&|request| request.sheet.wagers[0].bet = "no-bet".into()), "WAGER", &said);
    let minimum = context.catalogue.game_named("mikes").unwrap().ruleset.base().limits.minimum;
    let base = plan.sheet.wagers.iter().position(|wager| wager.bet == "base").unwrap();
    let said = [
        field(&format!("sheet.wagers[{base}].amount_minor")),
        is("seat", plan.sheet.wagers[base].seat),
        is("bet", "base"),
        is("minimum", minimum),
    ];
    let low = deal(&|request| request.sheet.wagers[base].amount_minor = 1);
    provoked.by(low, "AMOUNT_LIMIT", &said);
    let told = &provoked.0["AMOUNT_LIMIT"];
    let least: i64 = told["minimum"].parse().unwrap();
    assert!(deal(&|request| request.sheet.wagers[base].amount_minor = least).is_ok());
    let said = [field("sheet.currency"), is("currency", "USD"), is("exponent", 2)];
    let euros = |request: &mut PrepareDeal| {
        request.sheet.currency = Currency::new("EUR", 2).unwrap();
    };
    provoked.by(deal(&euros), "CURRENCY", &said);
    let said = [field("sheet.action_pile"), is("minimum", 0), is("maximum", 6)];
    provoked.by(deal(&|request| request.sheet.facts.action_pile = None), "TABLE_FACT", &said);

    // Decisions.
    let settle = |decisions: Vec<(Seat, Decision)>| {
        let request = Settle::new(dealt.records.to_vec(), SeatDecisions::Typed(decisions));
        paigow_engine::settle(context, keys, &call, &request)
    };
    let good = plan.decisions(&dealt);
    let one = good[0].0;
    let said = [field("decisions"), is("seat", one)];
    provoked.by(settle(good[1..].to_vec()), "DECISION_MISSING", &said);
    let other = Seat::players(7).find(|s| good.iter().all(|(seat, _)| seat != s)).unwrap();
    let more = [&good[..], &[(other, by_house_way())]].concat();
    let said = [field(&format!("decisions[{}]", good.len())), is("seat", other)];
    provoked.by(settle(more), "DECISION_UNEXPECTED", &said);
    let twice = [&good[..], &good[..1]].concat();
    let said = [field(&format!("decisions[{}].seat", good.len())), is("seat", one)];
    provoked.by(settle(twice), "TWO_ACTIONS_ONE_SEAT", &said);
    let mut short = good.clone();
    short[0].1.setting = SettingChoice::Low(dealt.hands[one][..1].to_vec());
    let said = [field("decisions[0].low"), is("seat", one), is("expected", 2)];
    provoked.by(settle(short), "LOW_CARDS", &said);
}

/// Faults between records.
fn of_records(provoked: &mut Provoked) {
    let (casino, plan, dealt) = dealt("locked");
    let (context, keys, call) = (&casino.context, &casino.keys, casino.call("locked"));
    let field = |path: &str| is("field", path);
    let [ticket, lock, deal] = &dealt.records;
    let next = RoundPlan { round_no: 3, ..plan.clone() };
    let close = casino.settle(&plan, &dealt).records.pop().unwrap();
    let before = Coordinates { round_no: 2, ..next.coordinates() }.round_id();
    let said = [field("prev"), is("expected", before), is("found", dealt.round_id)];
    let broken = opened(&casino, &next, |open| open.prev = Some(close.clone()));
    provoked.by(broken, "CHAIN_BROKEN", &said);
    let request = Deal {
        start: DealStart::Ticket(lock.clone()),
        wagers: Wagers::Lock(lock.clone()),
        beacon_signature: None,
    };
    let answer = paigow_engine::deal(context, keys, &call, &request, &mut entropy(&plan));
    let said = [field("ticket"), is("expected", "ticket"), is("found", "lock")];
    provoked.by(answer, "PHASE", &said);
    let settle = |actions: Vec<RecordEnvelope>, lock: RecordEnvelope, spent: Vec<SpentLock>| {
        let decisions = SeatDecisions::Locked { actions, lock };
        let request = Settle { spent, ..Settle::new(dealt.records.to_vec(), decisions) };
        paigow_engine::settle(context, keys, &call, &request)
    };
    let (actions, last) = casino.close(&plan, &dealt);
    let fewer = settle(actions[1..].to_vec(), last.clone(), Vec::new());
    provoked.by(fewer, "LOCK_COVERS_ACTIONS", &[field("lock")]);
    // A lock that is not spent, one that is not listed, and a decision that is dropped.
    let final_lock = |actions: &[RecordEnvelope], supersedes: Vec<Hash>| {
        let actions = actions.iter().map(RecordEnvelope::hash).collect();
        let (prev, round_id, absent) = (deal.hash(), dealt.round_id, Vec::new());
        ledger(&CloseLock::Final { absent, actions, prev, round_id, supersedes }.to_json())
    };
    let unspent = SpentLock { actions: actions.clone(), lock: last.clone() };
    let lock_after = final_lock(&actions, vec![last.hash()]);
    let said = [field("spent[0].lock"), is("lock", last.hash())];
    let answer = settle(actions.clone(), lock_after, vec![unspent]);
    provoked.by(answer, "LOCK_NOT_SPENT", &said);
    let spent = SpentLock {
        actions: vec![actions[0].clone()],
        lock: final_lock(&actions[..1], Vec::new()),
    };
    let answer = settle(actions.clone(), last.clone(), vec![spent.clone()]);
    provoked.by(answer, "SUPERSEDES", &[field("lock")]);
    let mut decisions = plan.decisions(&dealt);
    let first = decisions[0].0;
    let low = dealt.hands[first][..2].to_vec();
    decisions[0].1.setting = match &decisions[0].1.setting {
        SettingChoice::HouseWay => SettingChoice::Low(low),
        SettingChoice::Low(_) => SettingChoice::HouseWay,
    };
    let prepare = |absent_seats: Vec<Seat>| {
        let (records, spent) = (dealt.records.to_vec(), vec![spent.clone()]);
        let decisions = decisions.clone();
        let decisions =
            decisions.into_iter().filter(|(seat, _)| !absent_seats.contains(seat)).collect();
        let request = PrepareSettle { records, decisions, absent_seats, spent };
        paigow_engine::prepare_settle(context, keys, &call, &request)
    };
    let said = [field("decisions[0]"), is("seat", first), is("action", actions[0].hash())];
    provoked.by(prepare(Vec::new()), "DECISION_DROPPED", &said);
    let said = [field("absent_seats[0]"), is("seat", first)];
    provoked.by(prepare(vec![first]), "ABSENT_SEAT", &said);

    // Client seeds, keys of seats, and what a policy requires.
    let strict = RoundPlan::random("strict", 1, None, 21);
    let strict_call = casino.call("strict");
    let open = casino.open(&strict);
    let strict_ticket = |open: &OpenRound| {
        let answer =
            paigow_engine::open_round(context, keys, &strict_call, open, &mut entropy(&strict));
        answer.unwrap().ticket
    };
    let prepare = |ticket: RecordEnvelope, client_seeds: Vec<(usize, Vec<u8>)>| {
        let request = PrepareDeal { ticket, sheet: strict.sheet.clone(), client_seeds };
        paigow_engine::prepare_deal(context, keys, &strict_call, &request)
    };
    let seeds = strict.client_seeds();
    let said = [field("sheet.wagers[0].client_seed"), is("seat", strict.sheet.wagers[0].seat)];
    let answer = prepare(strict_ticket(&open), seeds[1..].to_vec());
    provoked.by(answer, "CLIENT_COMMIT", &said);
    let keyless = OpenRound { seat_keys: Vec::new(), ..open };
    let table = strict.checked();
    let decides = |seat: &Seat| table.base_stake(*seat).is_some();
    let one = table.seats().map(|(seat, _)| seat).find(decides).unwrap();
    let answer = prepare(strict_ticket(&keyless), seeds);
    provoked.by(answer, "SEAT_AUTH_REQUIRED", &[is("seat", one)]);
    let sheet = Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: Vec::new() };
    let request =
        Deal { start: DealStart::Ticket(ticket.clone()), wagers: sheet, beacon_signature: None };
    let answer = paigow_engine::deal(context, keys, &call, &request, &mut entropy(&plan));
    provoked.by(answer, "LOCK_REQUIRED", &[]);
    provoked.by(opened(&casino, &next, |_| {}), "CHAIN_REQUIRED", &[]);
    let call = casino.call("base");
    let answer = VoidRound::new(vec![ticket.clone()], Some(VoidReason::Operator), None);
    provoked.by(paigow_engine::void_round(context, keys, &call, &answer), "TENANT", &[]);
}

/// Refusals by manifests, by the clock and by the operator.
fn of_gates(provoked: &mut Provoked) {
    let (casino, plan, dealt) = dealt("dev");
    let field = |path: &str| is("field", path);
    let plain = |casino: &Casino| opened(casino, &plan, |_| {});
    let unlisted = opened(&casino, &plan, |open| open.ruleset = "nobodys".to_owned());
    provoked.by(unlisted, "RULESET", &[field("ruleset")]);
    let named = |sequence: u64| {
        opened(&casino, &plan, |open| {
            (open.manifest, open.manifest_sequence) = (Some(Hash::ZERO), Some(sequence));
        })
    };
    provoked.by(named(2), "MANIFEST_NOT_LISTED", &newest(&casino));
    provoked.by(named(3), "MANIFEST_UNKNOWN", &newest(&casino));
    let at = |now: u64| {
        let call = CallContext { now, ..casino.call("dev") };
        let (context, keys) = (&casino.context, &casino.keys);
        let open = casino.open(&plan);
        paigow_engine::open_round(context, keys, &call, &open, &mut entropy(&plan))
    };
    let epoch = is("epoch", 7);
    provoked.by(at(OPEN_FROM - 1), "EPOCH_NOT_OPEN", &[epoch.clone(), is("opensAt", OPEN_FROM)]);
    let closed_at = casino.context.manifests.newest().manifest.epochs[0].open_until;
    assert!(NOW < closed_at && closed_at < SETTLE_UNTIL);
    let said = [epoch.clone(), is("closedAt", closed_at)];
    provoked.by(at(SETTLE_UNTIL), "EPOCH_CLOSED", &said);
    let revoked = after(&casino, |m| m.epochs[0].status = EpochStatus::Revoked);
    provoked.by(plain(&revoked), "EPOCH_REVOKED", &[epoch]);
    let revoked = after(&casino, |m| m.receipt_keys[0].revoked = true);
    provoked.by(plain(&revoked), "KEY_REVOKED", &newest(&revoked));
    let changed = after(&casino, |m| {
        m.tenants.iter_mut().for_each(|tenant| tenant.policy.client = ClientPolicy::Committed);
    });
    let old = |to: &Casino| {
        opened(to, &plan, |open| {
            open.manifest = Some(casino.manifest().hash());
            open.manifest_sequence = None;
        })
    };
    provoked.by(old(&changed), "POLICY_CHANGED", &newest(&changed));
    let dropped = after(&casino, |m| m.rulesets.clear());
    let hash = casino.context.catalogue.game_named("mikes").unwrap().hash;
    provoked.by(old(&dropped), "RULESET_DISABLED", &[is("ruleset", hash)]);
    let pinned = after(&casino, |m| {
        m.tenants.iter_mut().for_each(|tenant| tenant.tables = Some(vec![id("table-7")]));
    });
    provoked.by(plain(&pinned), "TABLE_NOT_LISTED", &[]);
    let elsewhere = after(&casino, |m| m.engine = id("pge-2"));
    provoked.by(plain(&elsewhere), "ENGINE_NOT_HERE", &[is("engine", "pge-2")]);
    let mut without = casino.clone();
    without.context.catalogue = Catalogue::default();
    provoked.by(plain(&without), "RULESET_NOT_LOADED", &[is("ruleset", hash)]);
    let (context, keys) = (&casino.context, &casino.keys);
    let deal = |request: &Deal, permit: OperatorPermit| {
        let call = CallContext { permit: Arc::new(permit), ..casino.call("dev") };
        paigow_engine::deal(context, keys, &call, request, &mut entropy(&plan))
    };
    let wagers = || Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: plan.client_seeds() };
    let open = DealStart::Open(Box::new(OpenRound {
        client_commits: vec![(seat(1), Hash::ZERO)],
        ..casino.open(&plan)
    }));
    let request = Deal { start: open, wagers: wagers(), beacon_signature: None };
    provoked.by(deal(&request, OperatorPermit::default()), "OPEN_FIRST", &[]);
    let of_ticket = Deal {
        start: DealStart::Ticket(dealt.records[0].clone()),
        wagers: wagers(),
        beacon_signature: None,
    };
    let with_beacon = Casino::with_beacon(Suite::Derived);
    let waiting = RoundPlan::random(DRAND, 1, None, 3);
    // Round 1 of the beacon is published now.
    let last = (SETTLE_UNTIL - NOW).div_ceil(3);
    let too_late = opened(&with_beacon, &waiting, |open| open.beacon_round = Some(last + 1));
    provoked.by(too_late, "BEACON_ROUND", &[is("minimum", 1), is("maximum", last)]);
    let mut request = with_beacon.deal_request(&waiting);
    request.beacon_signature = Some(beacon_signature(2));
    let answer = paigow_engine::deal(
        &with_beacon.context,
        &with_beacon.keys,
        &with_beacon.call(DRAND),
        &request,
        &mut entropy(&waiting),
    );
    provoked.by(answer, "BEACON_SIGNATURE", &[field("beacon_signature")]);
    let one = |name: &str| Some(BTreeSet::from([name.to_owned()]));
    let permit = OperatorPermit { rulesets: one("mania"), ..OperatorPermit::default() };
    provoked.by(deal(&of_ticket, permit), "RULESET_NOT_ALLOWED", &[]);
    let permit = OperatorPermit { currencies: one("EUR"), ..OperatorPermit::default() };
    provoked.by(deal(&of_ticket, permit), "CURRENCY_NOT_ALLOWED", &[]);
    let switch = CallerSwitch {
        every_ruleset: Some(SwitchScope::Tenant),
        rulesets: BTreeSet::new(),
        why: "a drill".to_owned(),
    };
    let halted = OperatorPermit { halted: switch.clone(), ..OperatorPermit::default() };
    provoked.by(deal(&of_ticket, halted), "HALTED", &[is("scope", "tenant")]);
    let closed_to_new_rounds = switch;
    let permit = OperatorPermit { closed_to_new_rounds, ..OperatorPermit::default() };
    let inline = OpenRound { client_commits: Vec::new(), ..casino.open(&plan) };
    let inline =
        Deal { start: DealStart::Open(Box::new(inline)), wagers: wagers(), beacon_signature: None };
    provoked.by(deal(&inline, permit), "CLOSED_TO_NEW_ROUNDS", &[is("scope", "tenant")]);
    // A fresh ticket that is lost cannot be made again: what is wrong is the epoch's suite.
    let fresh = Casino::fresh();
    let plan = RoundPlan::random("locked", 1, None, 21);
    let start = VoidStart::Open(Box::new(fresh.open(&plan)));
    let void = VoidRound { start, ..VoidRound::new(Vec::new(), Some(VoidReason::Operator), None) };
    let call = fresh.call("locked");
    let answer = paigow_engine::void_round(&fresh.context, &fresh.keys, &call, &void);
    provoked.by(answer, "FIELD_INVALID", &[field("open.epoch")]);
    // A record of a kind that no engine signs here.
    let stranger =
        RecordEnvelope::seal(RecordKind::Ticket, &dealt.records[0].json().unwrap(), &[&key(9)]);
    let void = VoidRound::new(vec![stranger], Some(VoidReason::Operator), None);
    let call = casino.call("dev");
    let answer = paigow_engine::void_round(context, keys, &call, &void);
    provoked.by(answer, "BAD_SIGNATURE", &[field("records[0]")]);
}

/// The reasons of the transport and of limits: tests of a whole server provoke them.
const OF_A_SERVER: [(&str, &str); 11] = [
    ("AUDIT_WORK", include_str!("../../service/server/limits.rs")),
    ("COMPRESSION", include_str!("../../../src/server/call_limits/tests.rs")),
    ("CREDENTIALS", include_str!("../../service/server/callers.rs")),
    ("DEADLINE", include_str!("../../service/server/limits.rs")),
    ("EVIDENCE_NOT_IN_FILES", include_str!("../../service/server/operators.rs")),
    ("MESSAGE", include_str!("../../service/server/calls.rs")),
    ("MESSAGE_SIZE", include_str!("../../service/server/limits.rs")),
    ("METHOD", include_str!("../../service/server/calls.rs")),
    ("ROLE", include_str!("../../service/server/callers.rs")),
    ("TENANT_CONCURRENCY", include_str!("../../service/server/callers.rs")),
    ("TENANT_RATE", include_str!("../../service/server/callers.rs")),
];

/// The reasons that no caller can cause, and why not.
const OF_THE_REPLICA: [(&str, &str); 9] = [
    ("CONSERVATION", "an alarm: the engine itself is at fault"),
    ("DECK_MISMATCH", "an alarm: the engine's own records do not agree"),
    ("ENGINE_UNVERIFIED", "the replica is not what its release record says"),
    ("ENTROPY", "the operating system has none"),
    ("KEY_NOT_LOADED", "the replica lacks a key of its own"),
    ("KEY_STORE_UNAVAILABLE", "the key store of the replica does not sign"),
    ("NOT_RECORDED", "the evidence store does not take the records"),
    ("OVERLOADED", "the replica has no room, whoever calls"),
    ("SERVER", "the server has failed"),
];

#[test]
fn every_reason_that_a_caller_can_cause_says_what_a_program_needs() {
    let mut provoked = Provoked::default();
    of_requests(&mut provoked);
    of_records(&mut provoked);
    of_gates(&mut provoked);
    let mut met: BTreeSet<&str> = provoked.0.keys().map(String::as_str).collect();
    for (reason, tests) in OF_A_SERVER {
        assert!(tests.contains(&format!("\"{reason}\"")), "{reason}");
        assert!(met.insert(reason), "{reason}");
    }
    for (reason, why) in OF_THE_REPLICA {
        assert!(!why.is_empty() && met.insert(reason), "{reason}");
    }
    let all: BTreeSet<&str> = (1..)
        .map_while(|number| ErrorReason::try_from(number).ok())
        .map(|reason| reason.as_str_name().strip_prefix("ERROR_REASON_").unwrap())
        .collect();
    assert_eq!(met, all);
    assert!(Reason::ALL.iter().all(|reason| all.contains(reason.as_str())));
}
