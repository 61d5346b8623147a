//! Whole rounds: the records are the engine's, and the views say what the records say.

use std::iter::repeat_n;

use paigow_fairness::record::RecordEnvelope;
use paigow_proto::v1 as pb;
use paigow_round::VoidReason;
use paigow_rules::game::{Ruleset, shipped};
use serde_json::Value;

use crate::rpc::casino::{Casino, RoundPlan, TENANTS, entropy};
use crate::rpc::desk::{ask, deal, open, record, records, service, settle};

/// The payload of a record, read by another reader of JSON.
fn payload(record: &pb::Record) -> Value {
    let envelope = RecordEnvelope::parse(&record.envelope).unwrap();
    serde_json::from_slice(envelope.payload()).unwrap()
}

/// The code of a card by its number in records: 13 * suit + rank, the joker 52.
fn code(card: &Value) -> String {
    let number = usize::try_from(card.as_u64().unwrap()).unwrap();
    if number == 52 {
        return "Jk".to_owned();
    }
    let rank = &"23456789TJQKA"[number % 13..=number % 13];
    let suit = &"cdhs"[number / 13..=number / 13];
    format!("{rank}{suit}")
}

fn codes(cards: &Value) -> Vec<String> {
    cards.as_array().unwrap().iter().map(code).collect()
}

/// An amount in records is a decimal string.
fn amount(value: &Value) -> i64 {
    value.as_str().unwrap().parse().unwrap()
}

/// A text that a record may leave out.
fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// Whether the name of an enum's value is `prefix` and the word of the record.
fn says(name: &str, prefix: &str, word: &Value) -> bool {
    name == format!("{prefix}_{}", word.as_str().unwrap().to_uppercase())
}

/// A category as records write it.
fn words(category: pb::HandCategory) -> String {
    let name = category.as_str_name().strip_prefix("HAND_CATEGORY_").unwrap();
    name.to_lowercase().replace('_', " ")
}

fn setting_is_recorded(setting: &pb::Setting, results: &Value) {
    assert_eq!(setting.low, codes(&results["low"]));
    assert_eq!(setting.high, codes(&results["high"]));
    assert_eq!(words(setting.low_category()), text(&results["low_category"]));
    assert_eq!(words(setting.high_category()), text(&results["high_category"]));
    assert_eq!(setting.clause_id, text(&results["clause"]));
    assert_eq!(setting.house_way, results.get("house_way").is_some());
}

fn line_is_recorded(line: &pb::Line, recorded: &Value) {
    assert_eq!(line.bet, text(&recorded["bet"]));
    assert_eq!(line.stake_minor, amount(&recorded["stake"]));
    assert!(says(line.status().as_str_name(), "LINE_STATUS", &recorded["status"]));
    assert_eq!(line.row, text(&recorded["row"]));
    let pays = line.pays.map(|pays| (Some(pays.num), Some(pays.den)));
    let expected = recorded.get("pays").map(|pays| (pays["num"].as_i64(), pays["den"].as_i64()));
    assert_eq!(pays, expected);
    assert_eq!(line.win_minor, amount(&recorded["win"]));
    assert_eq!(line.commission_minor, amount(&recorded["commission"]));
    assert_eq!(line.return_minor, amount(&recorded["return"]));
    assert_eq!(line.uncovered_minor, recorded.get("uncovered").map(amount));
    let caused_by = recorded.get("caused_by_seat").map(|seat| seat.as_i64().unwrap());
    assert_eq!(line.caused_by_seat.map(i64::from), caused_by);
}

fn seat_is_recorded(seat: &pb::SeatResult, recorded: &Value) {
    assert_eq!(seat.net_minor, amount(&recorded["net"]));
    let lines = recorded["lines"].as_array().unwrap();
    assert_eq!(seat.lines.len(), lines.len());
    seat.lines.iter().zip(lines).for_each(|(line, recorded)| line_is_recorded(line, recorded));
    let Some(base) = &seat.base else {
        assert!(recorded.get("outcome").is_none());
        return;
    };
    setting_is_recorded(base.setting.as_ref().unwrap(), recorded);
    assert_eq!(Some(base.foul), recorded["foul"].as_bool());
    assert!(says(base.high().as_str_name(), "COMPARISON", &recorded["high_result"]));
    assert!(says(base.low().as_str_name(), "COMPARISON", &recorded["low_result"]));
    assert!(says(base.outcome().as_str_name(), "OUTCOME", &recorded["outcome"]));
}

fn deal_is_recorded(answer: &pb::DealResponse) {
    let recorded = payload(&answer.records[2]);
    assert_eq!(answer.round_id, text(&recorded["round_id"]));
    assert_eq!(answer.deck_commit, text(&recorded["deck_commit"]));
    assert_eq!(answer.commit, text(&payload(&answer.records[0])["commit"]));
    let dice: Vec<_> = answer.dice.iter().map(|die| Value::from(*die)).collect();
    assert_eq!(Value::from(dice), recorded["dice"]);
    let visible = recorded["visible"].as_object().unwrap();
    let seats: Vec<String> = answer.hands.iter().map(|hand| hand.seat.to_string()).collect();
    assert!(seats.iter().eq(visible.keys()));
    for hand in &answer.hands {
        assert_eq!(hand.cards, codes(&visible[&hand.seat.to_string()]));
        let dealt = i32::try_from(hand.cards.len()).unwrap();
        assert!(hand.street_ends == [dealt] || hand.street_ends == [3, dealt]);
        assert!(answer.final_lines.is_empty() || hand.street_ends == [3, 7]);
    }
    match (&answer.dealer, recorded.get("dealer")) {
        (Some(dealer), Some(recorded)) => {
            assert_eq!(dealer.low, codes(&recorded["low"]));
            assert_eq!(dealer.high, codes(&recorded["high"]));
            assert!(dealer.house_way && !dealer.clause_id.is_empty());
        }
        (dealer, recorded) => assert!(dealer.is_none() && recorded.is_none()),
    }
    let no_lines = Vec::new();
    let mut recorded_lines =
        recorded.get("lines").map_or(&no_lines, |l| l.as_array().unwrap()).iter();
    for seat in &answer.final_lines {
        for line in &seat.lines {
            let recorded = recorded_lines.next().unwrap();
            assert_eq!(recorded["seat"], Value::from(seat.seat));
            line_is_recorded(line, recorded);
        }
    }
    assert!(recorded_lines.next().is_none());
    let fees = recorded["fees"].as_object().unwrap();
    let due = fees.values().filter(|fee| amount(fee) > 0).count();
    assert_eq!(answer.fees.len(), due);
    for fee in &answer.fees {
        assert_eq!(fee.amount_minor, amount(&fees[&fee.seat.to_string()]));
    }
}

fn settlement_is_recorded(dealt: &pb::DealResponse, answer: &pb::SettleResponse) {
    let recorded = payload(answer.records.last().unwrap());
    let results = &recorded["results"];
    assert_eq!(answer.round_id, text(&recorded["round_id"]));
    assert_eq!(answer.server_seed, text(&recorded["server_seed"]));
    assert_eq!(answer.round_seed, text(&recorded["round_seed"]));
    assert_eq!(answer.deck, codes(&recorded["deck"]));
    let bank = answer.bank.as_ref().unwrap();
    assert_eq!(bank.cards, codes(&recorded["dealer"]));
    assert_eq!(bank.net_minor, amount(&results["bank"]["net"]));
    setting_is_recorded(bank.setting.as_ref().unwrap(), &results["bank"]);
    assert_eq!(answer.commission_minor, amount(&results["commission"]));
    assert_eq!(answer.fees_minor, amount(&results["fees"]));
    assert_eq!(answer.house_net_minor, amount(&results["house_net"]));
    let seats = results["seats"].as_object().unwrap();
    assert_eq!(answer.seats.len(), seats.len());
    let mut of_banker = answer.commission_minor;
    for seat in &answer.seats {
        seat_is_recorded(seat, &seats[&seat.seat.to_string()]);
        let fee =
            dealt.fees.iter().find(|fee| fee.seat == seat.seat).map_or(0, |fee| fee.amount_minor);
        assert_eq!(seat.fee_minor, fee);
        let lines: i64 = seat.lines.iter().map(|line| line.return_minor - line.stake_minor).sum();
        assert_eq!(lines - seat.fee_minor - seat.bank_commission_minor, seat.net_minor);
        of_banker -= seat.lines.iter().map(|line| line.commission_minor).sum::<i64>();
        let banks = seat.seat == bank.seat;
        assert!(banks || seat.bank_commission_minor == 0);
    }
    let paid: i64 = answer.seats.iter().map(|seat| seat.bank_commission_minor).sum();
    assert_eq!(paid, of_banker);
    let nets: i64 = answer.seats.iter().map(|seat| seat.net_minor).sum();
    assert_eq!(nets + bank.net_minor + answer.house_net_minor, 0);
}

#[tokio::test]
async fn rounds_of_every_ruleset_under_every_policy_say_what_their_records_say() {
    let casino = Casino::new();
    let (mut envy, mut early, mut banked, mut fees) = (0, 0, 0, 0);
    for tenant in TENANTS {
        let service = service(&casino, tenant);
        // Every ruleset twice, and one more often in which the hands of other seats pay at times.
        let twice = shipped().iter().chain(shipped()).map(Ruleset::id);
        for (seed, ruleset) in (0..).zip(twice.chain(repeat_n("mini-community", 20))) {
            let plan = RoundPlan::random_of(ruleset, tenant, 1, None, seed);
            let dealt = casino.deal(&plan);
            let shown = service.deal(ask(deal(&casino, &plan))).await.unwrap().into_inner();
            assert_eq!(shown.records, records(&dealt.records), "{tenant} {seed}");
            assert_eq!(shown.action_seat, i32::from(dealt.action_seat.number()));
            deal_is_recorded(&shown);
            early += shown.final_lines.len();

            let settled = casino.settle(&plan, &dealt);
            let request = settle(&casino, &plan, &dealt);
            let answer = service.settle(ask(request)).await.unwrap().into_inner();
            assert_eq!(answer.records, records(&settled.records), "{tenant} {seed}");
            settlement_is_recorded(&shown, &answer);
            let banker = plan.sheet.facts.banker_seat.map_or(0, |seat| i32::from(seat.number()));
            assert_eq!(answer.bank.as_ref().unwrap().seat, banker);
            let lines = answer.seats.iter().flat_map(|seat| &seat.lines);
            envy += lines.filter(|line| line.caused_by_seat.is_some()).count();
            banked += answer.seats.iter().filter(|seat| seat.bank_commission_minor > 0).count();
            fees += answer.seats.iter().filter(|seat| seat.fee_minor > 0).count();
        }
    }
    assert!(envy > 0 && early > 0, "wins by other seats' hands and bets final in the deal");
    assert!(banked > 0 && fees > 0, "bankers who win and seats with a fee: {banked}, {fees}");
}

#[tokio::test]
async fn a_ticket_is_the_engines_under_both_suites() {
    for casino in [Casino::new(), Casino::fresh()] {
        let plan = RoundPlan::random("strict", 1, None, 3);
        let call = casino.call("strict");
        let opened = paigow_engine::open_round(
            &casino.context,
            &casino.keys,
            &call,
            &casino.open(&plan),
            &mut entropy(&plan),
        )
        .unwrap();
        let service = service(&casino, "strict");
        let answer = service.open_round(ask(open(&casino, &plan))).await.unwrap().into_inner();
        assert_eq!(answer.ticket, Some(record(&opened.ticket)));
        let recorded = payload(answer.ticket.as_ref().unwrap());
        assert_eq!(answer.commit, text(&recorded["commit"]));
        assert_eq!(answer.round_id, plan.coordinates().round_id().to_string());
    }
}

#[tokio::test]
async fn a_void_gives_stakes_and_fees_back_and_reveals_nothing() {
    let casino = Casino::new();
    for tenant in ["dev", "locked"] {
        let plan = RoundPlan::random(tenant, 1, None, 5);
        let dealt = casino.deal(&plan);
        let asked = casino.void_request(&plan, &dealt.records, VoidReason::Equipment);
        let lock = asked.lock;
        // With a lock, the lock says why.
        let reason =
            if lock.is_some() { pb::VoidReason::Unspecified } else { pb::VoidReason::Equipment };
        let request = pb::VoidRoundRequest {
            records: records(&dealt.records),
            lock: lock.as_ref().map(record),
            reason: reason.into(),
            ..pb::VoidRoundRequest::default()
        };
        let answer = service(&casino, tenant).void_round(ask(request)).await.unwrap().into_inner();
        let recorded = payload(&answer.records[1]);
        assert_eq!(text(&recorded["reason"]), "equipment");
        let returns = recorded["returns"].as_object().unwrap();
        assert_eq!(answer.returns.len(), returns.len());
        for back in &answer.returns {
            assert_eq!(back.amount_minor, amount(&returns[&back.seat.to_string()]));
        }
        let staked: i64 = plan.sheet.wagers.iter().map(|wager| wager.amount_minor).sum();
        let fees: i64 = dealt.fees.values().sum();
        let given: i64 = answer.returns.iter().map(|back| back.amount_minor).sum();
        assert_eq!(given, staked + fees);
    }
}

#[tokio::test]
async fn hands_come_back_set_with_the_clause_that_decided() {
    let casino = Casino::new();
    let service = service(&casino, "dev");
    let hand = "2d Ac As 9c Ah Ad Jk".split(' ').map(str::to_owned).collect();
    let hands = vec![pb::Hand { cards: hand }];
    use pb::set_house_way_request::By;
    let by_way =
        pb::SetHouseWayRequest { hands: hands.clone(), by: Some(By::HouseWay("mikes".to_owned())) };
    let by_ruleset = pb::SetHouseWayRequest { hands, by: Some(By::Ruleset("mikes".to_owned())) };
    let answer = service.set_house_way(ask(by_way)).await.unwrap().into_inner();
    let [set] = &answer.settings[..] else { panic!("one setting") };
    // Mike's house way, K1: five aces give the pair of aces in front.
    assert_eq!(set.clause_id, "K1");
    assert_eq!(set.low, ["Ac", "Ad"]);
    assert_eq!(set.low_name, "pair of aces");
    assert_eq!(set.low_category(), pb::HandCategory::Pair);
    assert_eq!(set.high_category(), pb::HandCategory::ThreeOfAKind);
    assert_eq!(set.high.len(), 5);
    assert!(!set.clause_text.is_empty() && set.house_way.len() == 64);
    let again = service.set_house_way(ask(by_ruleset)).await.unwrap().into_inner();
    assert_eq!(again, answer);
}

#[tokio::test]
async fn the_replica_says_what_it_is_and_serves() {
    let casino = Casino::new();
    let service = service(&casino, "base");
    let answer =
        service.get_engine(ask(pb::GetEngineRequest::default())).await.unwrap().into_inner();
    assert_eq!((answer.version.as_str(), answer.tenant.as_str()), ("1.2.3", "base"));
    assert_eq!((answer.algorithm.as_str(), answer.engine.as_str()), ("PGE-FAIR-1", "pge-1"));
    assert_eq!((answer.root_keys.len(), answer.root_threshold), (1, 1));
    let manifests = service.list_manifests(ask(pb::ListManifestsRequest::default())).await.unwrap();
    let manifests = manifests.into_inner().manifests;
    assert_eq!(manifests, records(&casino.manifests));
    let rulesets = service.list_rulesets(ask(pb::ListRulesetsRequest::default())).await.unwrap();
    let rulesets = rulesets.into_inner().rulesets;
    assert!(rulesets.iter().all(|ruleset| ruleset.open_for_new_rounds));
    let ways = service.list_house_ways(ask(pb::ListHouseWaysRequest {})).await.unwrap();
    let ways = ways.into_inner().house_ways;
    let ids: Vec<&str> = rulesets.iter().map(|ruleset| ruleset.id.as_str()).collect();
    assert_eq!(ids, shipped().iter().map(|ruleset| ruleset.id()).collect::<Vec<_>>());
    let named = |id: &str| rulesets.iter().find(|ruleset| ruleset.id == id).unwrap();
    let ruleset = named("mikes");
    assert_eq!((ruleset.id.as_str(), ruleset.cards, ruleset.seats), ("mikes", 53, 6));
    let bets: Vec<&str> = ruleset.bets.iter().map(|bet| bet.id.as_str()).collect();
    assert_eq!(bets, ["base", "wrangler_push", "outlaw_9"]);
    assert!(ruleset.bets[0].rows.is_empty() && !ruleset.bets[2].rows.is_empty());
    let way = ways.iter().find(|way| way.id == "mikes").unwrap();
    assert_eq!(way.hash, ruleset.house_way_hash);
    let recorded = payload(manifests.last().unwrap());
    let listed = recorded["rulesets"].as_array().unwrap().iter();
    let listed: Vec<&str> = listed.map(|listed| text(&listed["hash"])).collect();
    assert_eq!(listed, rulesets.iter().map(|ruleset| &ruleset.hash).collect::<Vec<_>>());

    // House edges as published: 2.998796 % and 7.765575 %.
    let exact = |ruleset: &pb::Ruleset, bet: &str| {
        let bet = ruleset.bets.iter().find(|one| one.id == bet).unwrap();
        bet.exact_return.as_ref().map(|exact| exact.decimal.clone())
    };
    assert!(exact(ruleset, "outlaw_9").unwrap().starts_with("0.97001204"));
    // Three times 963,391,160,428,028 and twice 2,433,915,132,264,776 of 8,250,459,031,214,400.
    assert!(exact(ruleset, "wrangler_push").unwrap().starts_with("0.94031177"));
    // 29.91 % lost less 0.95 of 28.61 % won, as published of the house way: 2.73 %.
    assert!(exact(named("mania"), "base").unwrap().starts_with("0.9727"));
    let express = named("express-3");
    assert!(exact(express, "dynasty").unwrap().starts_with("0.9223442"));
    let dynasty = express.bets.iter().find(|bet| bet.id == "dynasty").unwrap();
    let envy = dynasty.other_seats.as_ref().unwrap();
    assert_eq!((envy.bet.as_str(), envy.threshold_minor), ("envy", 500));
    assert_eq!(dynasty.rows[0].others_minor, 500_000);
    let asks: Vec<&str> =
        express.bets.iter().filter(|bet| bet.asks_choice).map(|bet| bet.id.as_str()).collect();
    assert_eq!(asks, ["red_black"]);
    let mini = named("mini");
    assert!(mini.double_down.is_some() && mini.banking.is_some() && mini.hand_cards == 6);
    assert!(named("online").currency.is_none());
}
