//! A game that exposes the dealer's hand: what the deal shows, and what comes before and after.
#![allow(clippy::unwrap_used)]

use paigow_fairness::encoding::Hash;
use paigow_fairness::json::{Json, WriteJson as _};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_round::audit::{AuditVerdict, CheckCode, audit};
use paigow_round::record::{DealRecord, ExposedDealer, SettleRecord};
use paigow_round::{
    Catalogue, DealStart, PrepareDeal, Reason, SeatDecisions, Settle, VoidReason, Wagers,
};
use paigow_rules::cards::Card;
use paigow_rules::game::shipped;
use paigow_testkit::casino::{Casino, RoundPlan, TENANTS, entropy, receipt_key};

fn plan(ruleset: &str, tenant: &str, seed: u64) -> RoundPlan {
    RoundPlan::random_of(ruleset, tenant, 1, None, seed)
}

fn deal_record(record: &RecordEnvelope) -> DealRecord {
    DealRecord::parse(record.json().unwrap()).unwrap()
}

fn members(record: &RecordEnvelope) -> Vec<String> {
    let Json::Obj(members) = record.json().unwrap() else { panic!("no object") };
    members.keys().map(ToString::to_string).collect()
}

#[test]
fn the_deal_shows_the_hand_that_the_settlement_sets_and_the_round_matches() {
    let casino = Casino::new();
    for tenant in TENANTS {
        for seed in 0..20 {
            let plan = plan("face-up", tenant, seed);
            let dealt = casino.deal(&plan);
            let settled = casino.settle(&plan, &dealt);
            let shown = dealt.dealer.clone().unwrap();
            assert_eq!(shown, settled.settled.settlement.bank.setting, "{tenant}");
            assert_eq!(deal_record(&dealt.records[2]).dealer, Some(ExposedDealer::of(&shown)));
            let mut cards = [&shown.low[..], &shown.high[..]].concat();
            let mut own = settled.settled.dealer.clone();
            cards.sort_unstable();
            own.sort_unstable();
            assert_eq!(cards, own, "all cards of the dealer and no other");

            let records = [&casino.manifests[..], &dealt.records, &settled.records].concat();
            let text = transcript::write(records.iter().chain(&[casino.reveal()]));
            let report = audit(text.as_bytes(), &casino.terms(), &Catalogue::shipped());
            assert_eq!(report.verdict(), AuditVerdict::Match, "{tenant}: {:?}", report.checks);
        }
    }
}

#[test]
fn no_other_game_shows_anything_of_the_dealer_or_has_the_member() {
    let casino = Casino::new();
    for ruleset in shipped().iter().filter(|ruleset| !ruleset.exposes_dealer()) {
        let dealt = casino.deal(&plan(ruleset.id(), "dev", 3));
        assert_eq!(dealt.dealer, None, "{}", ruleset.id());
        assert!(!members(&dealt.records[2]).contains(&"dealer".to_owned()), "{}", ruleset.id());
    }
}

#[test]
fn nothing_is_shown_before_the_wagers_are_locked() {
    let casino = Casino::new();
    let plan = plan("face-up", "locked", 5);
    let call = casino.call(&plan.tenant);
    let open = casino.open(&plan);
    let opened =
        paigow_engine::open_round(&casino.context, &casino.keys, &call, &open, &mut entropy(&plan))
            .unwrap();
    let (sheet, client_seeds) = (plan.sheet.clone(), plan.client_seeds());
    let ticket = opened.ticket.clone();
    let prepared = PrepareDeal { ticket, sheet: sheet.clone(), client_seeds: client_seeds.clone() };
    let lock =
        paigow_engine::prepare_deal(&casino.context, &casino.keys, &call, &prepared).unwrap();
    for record in [&opened.ticket, &lock] {
        let found = members(record);
        for member in ["dealer", "visible", "deck", "deck_commit", "dice"] {
            assert!(!found.contains(&member.to_owned()), "{member} in {}", record.kind().name());
        }
    }
    // Without a lock that the ledger signed, Deal shows no card.
    let deal = |wagers| {
        let start = DealStart::Ticket(opened.ticket.clone());
        let request = paigow_round::Deal { start, wagers, beacon_signature: None };
        paigow_engine::deal(&casino.context, &casino.keys, &call, &request, &mut entropy(&plan))
    };
    let refused = deal(Wagers::Sheet { sheet, client_seeds }).unwrap_err();
    assert_eq!(refused.reason, Reason::LockRequired);
    let refused = deal(Wagers::Lock(lock.clone())).unwrap_err();
    assert_eq!(refused.reason, Reason::LockRequired);
    let locked = casino.lock(&plan, &opened.ticket);
    assert_eq!(locked.payload(), lock.payload());
    assert!(deal(Wagers::Lock(locked)).unwrap().dealer.is_some());
}

#[test]
fn a_void_after_the_hand_was_shown_returns_every_stake_and_reveals_no_more() {
    let casino = Casino::new();
    for tenant in TENANTS {
        let plan = plan("face-up", tenant, 7);
        let dealt = casino.deal(&plan);
        let request = casino.void_request(&plan, &dealt.records, VoidReason::PlayerLeft);
        let call = casino.call(tenant);
        let voided =
            paigow_engine::void_round(&casino.context, &casino.keys, &call, &request).unwrap();
        let staked = plan.sheet.wagers.iter().map(|wager| (wager.seat, wager.amount_minor));
        assert_eq!(voided.returns, staked.collect(), "{tenant}");
        let SettleRecord::Void(_) =
            SettleRecord::parse(voided.records.last().unwrap().json().unwrap()).unwrap()
        else {
            panic!("a void")
        };
        let records = [&casino.manifests[..], &dealt.records, &voided.records].concat();
        let text = transcript::write(records.iter().chain(&[casino.reveal()]));
        let report = audit(text.as_bytes(), &casino.terms(), &Catalogue::shipped());
        assert_eq!(report.verdict(), AuditVerdict::Match, "{tenant}: {:?}", report.checks);
    }
}

/// Another hand of the dealer, from the one that a deal shows and the cards of a seat.
type Forgery = fn(&mut DealRecord);

/// A low and a high card exchanged; a player's hand; no hand.
const FORGERIES: [(&str, Forgery); 3] = [
    ("set otherwise", |deal| {
        let dealer = deal.dealer.as_mut().unwrap();
        std::mem::swap(&mut dealer.low[0], &mut dealer.high[4]);
        dealer.low.sort_unstable();
        dealer.high.sort_unstable();
    }),
    ("a player's", |deal| {
        let mut cards: Vec<Card> = deal.visible.iter().next().unwrap().1.clone();
        cards.sort_unstable();
        deal.dealer = Some(ExposedDealer { low: cards[..2].to_vec(), high: cards[2..].to_vec() });
    }),
    ("none", |deal| deal.dealer = None),
];

#[test]
fn another_hand_that_an_insider_signed_is_neither_settled_nor_passed_by_an_audit() {
    let casino = Casino::new();
    let plan = plan("face-up", "dev", 11);
    let dealt = casino.deal(&plan);
    for (name, forge) in FORGERIES {
        let mut deal = deal_record(&dealt.records[2]);
        forge(&mut deal);
        assert_ne!(deal.to_bytes(), deal_record(&dealt.records[2]).to_bytes(), "{name}");
        let forged = RecordEnvelope::seal(RecordKind::Deal, &deal, &[&receipt_key()]);
        let records = vec![dealt.records[0].clone(), dealt.records[1].clone(), forged.clone()];
        let decisions = SeatDecisions::Typed(plan.decisions(&dealt));
        let call = casino.call("dev");
        let request = Settle::new(records, decisions);
        let refused =
            paigow_engine::settle(&casino.context, &casino.keys, &call, &request).unwrap_err();
        assert_eq!(refused.reason, Reason::DeckMismatch, "{name}");
        assert_eq!(refused.alarm.get("differs").map(String::as_str), Some("dealer"), "{name}");

        // All key holders sign again what follows it.
        let settled = casino.settle(&plan, &dealt);
        let mut records = vec![dealt.records[0].clone(), dealt.records[1].clone(), forged];
        relinked(&mut records, &dealt.records[2].hash(), &settled.records);
        let all = [&casino.manifests[..], &records].concat();
        let text = transcript::write(all.iter().chain(&[casino.reveal()]));
        let report = audit(text.as_bytes(), &casino.terms(), &Catalogue::shipped());
        assert_eq!(report.verdict(), AuditVerdict::Mismatch, "{name}");
        assert_eq!(report.code(), Some(CheckCode::DealerShown), "{name}: {:?}", report.checks);
    }
}

/// Adds the records after a deal, each with the hashes before it repaired, signed by its keys.
fn relinked(records: &mut Vec<RecordEnvelope>, deal: &Hash, rest: &[RecordEnvelope]) {
    let mut mended = vec![(deal.to_hex(), records[2].hash().to_hex())];
    for record in rest {
        let mut text = String::from_utf8(record.payload().to_vec()).unwrap();
        for (old, new) in &mended {
            text = text.replace(old, new);
        }
        let json = Json::parse_canonical(text.as_bytes()).unwrap();
        let again = if record.kind() == RecordKind::Settle {
            RecordEnvelope::seal(record.kind(), &json, &[&receipt_key()])
        } else {
            RecordEnvelope::unsigned(record.kind(), &json)
        };
        mended.push((record.hash().to_hex(), again.hash().to_hex()));
        records.push(again);
    }
}
