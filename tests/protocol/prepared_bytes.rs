//! The `Prepare` calls write the locks and actions of the conformance kit, byte by byte.
//!
//! A program in Python made the kit's transcripts. This test reads the content of their locks and
//! actions as plain JSON, and turns it into typed requests to the engine, in another order.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;

use paigow_engine::KeyRing;
use paigow_fairness::manifest::{ManifestChain, Root};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::signature::PublicKey;
use paigow_fairness::ticket::Ticket;
use paigow_round::{
    CallContext, Catalogue, PrepareDeal, PrepareSettle, Refusal, RoundContext, SpentLock,
    VoidReason, VoidRound,
};
use paigow_rules::cards::{Card, Seat};
use paigow_rules::game::{
    BetLimit, ColourChoice, Currency, Decision, SettingChoice, TableFacts, Wager, WagerSheet,
};
use serde_json::Value;

/// The records of one round of a transcript, in their order.
struct KitRound {
    ticket: RecordEnvelope,
    wagers: Option<RecordEnvelope>,
    deal: Option<RecordEnvelope>,
    /// The locks of the close, each with the actions before it; the last one closes.
    closes: Vec<SpentLock>,
    is_closed: bool,
}

/// The payload of a record; some files have one that is no JSON.
fn json(record: &RecordEnvelope) -> Value {
    serde_json::from_slice(record.payload()).unwrap_or_default()
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap()
}

fn seat(value: &Value) -> Seat {
    let number = value.as_u64().or_else(|| value.as_str()?.parse().ok()).unwrap();
    Seat::new(u8::try_from(number).unwrap()).unwrap()
}

/// The closed rounds of a transcript.
fn rounds(records: &[RecordEnvelope]) -> Vec<KitRound> {
    let mut rounds: Vec<KitRound> = Vec::new();
    let mut actions = Vec::new();
    for record in records {
        match (record.kind(), rounds.last_mut()) {
            (RecordKind::Ticket, _) => {
                let (wagers, deal, closes) = (None, None, Vec::new());
                let ticket = record.clone();
                rounds.push(KitRound { ticket, wagers, deal, closes, is_closed: false });
            }
            (RecordKind::Lock, Some(round)) if json(record)["step"] == "wagers" => {
                round.wagers = Some(record.clone());
            }
            (RecordKind::Deal, Some(round)) => round.deal = Some(record.clone()),
            (RecordKind::Action, Some(_)) => actions.push(record.clone()),
            (RecordKind::Lock, Some(round)) => {
                let actions = std::mem::take(&mut actions);
                round.closes.push(SpentLock { actions, lock: record.clone() });
            }
            (RecordKind::Settle, Some(round)) => round.is_closed = true,
            _ => {}
        }
    }
    rounds.retain(|round| round.is_closed);
    rounds
}

/// The sheet that a lock states, its wagers and posted limits from the last to the first.
fn sheet(lock: &Value) -> (WagerSheet, Vec<(usize, Vec<u8>)>) {
    let amount = |value: &Value| text(value).parse::<i64>().unwrap();
    let facts = &lock["facts"];
    let limits = lock.get("bet_limits").and_then(Value::as_array).into_iter().flatten().rev();
    let limits = limits.map(|limit| BetLimit {
        bet: text(&limit["bet"]).to_owned().into(),
        max_minor: amount(&limit["max"]),
    });
    let money = |name: &str| facts.get(name).map(amount);
    let facts = TableFacts {
        action_pile: facts.get("action_pile").map(|n| u8::try_from(n.as_u64().unwrap()).unwrap()),
        bank_minor: money("bank_minor"),
        banker_seat: facts.get("banker_seat").map(seat),
        chip_minor: money("chip_minor"),
        meter_minor: money("meter_minor"),
        table_max_minor: money("table_max_minor"),
        table_min_minor: money("table_min_minor"),
        bet_limits: limits.collect(),
    };
    let exponent = u8::try_from(lock["currency"]["exponent"].as_u64().unwrap()).unwrap();
    let currency = Currency::new(text(&lock["currency"]["code"]), exponent).unwrap();
    let (mut wagers, mut seeds) = (Vec::new(), BTreeMap::new());
    for (number, at) in lock["seats"].as_object().unwrap().iter().rev() {
        let seat = Seat::new(number.parse().unwrap()).unwrap();
        for wager in at["wagers"].as_array().unwrap().iter().rev() {
            let choice = wager.get("choice").map(|choice| match text(choice) {
                "red" => ColourChoice::Red,
                _ => ColourChoice::Black,
            });
            if let Some(seed) = at.get("client_seed") {
                seeds.insert(seat, (wagers.len(), hex::decode(text(seed)).unwrap()));
            }
            let amount_minor = amount(&wager["amount"]);
            wagers.push(Wager {
                seat,
                bet: text(&wager["bet"]).to_owned().into(),
                amount_minor,
                choice,
            });
        }
    }
    (WagerSheet { currency, wagers, facts }, seeds.into_values().collect())
}

/// The decisions that actions state, from the last seat to the first, cards descending.
fn decisions(actions: &[RecordEnvelope], absent: &[Seat]) -> Vec<(Seat, Decision)> {
    let one = |action: &RecordEnvelope| {
        let action = json(action);
        let card =
            |n: &Value| Card::from_number(u8::try_from(n.as_u64().unwrap()).unwrap()).unwrap();
        let setting = match action.get("low") {
            Some(low) => {
                SettingChoice::Low(low.as_array().unwrap().iter().rev().map(card).collect())
            }
            None => SettingChoice::HouseWay,
        };
        let double_down = action.get("double_down").is_some();
        (seat(&action["seat"]), Decision { setting, double_down })
    };
    actions.iter().rev().map(one).filter(|(seat, _)| !absent.contains(seat)).collect()
}

/// Counts of the records that were prepared as in the kit, and the reasons for the others.
#[derive(Debug, Default)]
struct Prepared {
    wagers: u32,
    finals: u32,
    actions: u32,
    voids: u32,
    superseding: u32,
    refused: BTreeMap<&'static str, u32>,
}

impl Prepared {
    fn answer<T>(&mut self, answer: Result<T, Refusal>) -> Option<T> {
        answer.map_err(|why| *self.refused.entry(why.reason.as_str()).or_default() += 1).ok()
    }

    fn round(&mut self, case: &str, context: &RoundContext, round: &KitRound) {
        let ticket = Ticket::parse(round.ticket.json().unwrap()).unwrap();
        let Some(signed) = context.manifests.by_hash(&ticket.manifest) else { return };
        let Some(epoch) = signed.manifest.epoch(ticket.coordinates.epoch) else { return };
        let call = CallContext {
            tenant: ticket.coordinates.tenant.clone(),
            now: epoch.open_from,
            permit: Arc::default(),
        };
        let Some(wagers) = &round.wagers else { return };
        let keys = KeyRing::default();
        // A lock that was not dealt to may be one that no engine takes.
        if round.deal.is_some() {
            let (sheet, client_seeds) = sheet(&json(wagers));
            let ask = PrepareDeal { ticket: round.ticket.clone(), sheet, client_seeds };
            if let Some(lock) =
                self.answer(paigow_engine::prepare_deal(context, &keys, &call, &ask))
            {
                assert_eq!(lock.payload(), wagers.payload(), "{case}");
                self.wagers += 1;
            }
        }
        let Some((close, spent)) = round.closes.split_last() else { return };
        let stated = json(&close.lock);
        let records: Vec<RecordEnvelope> = [Some(&round.ticket), Some(wagers), round.deal.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect();
        if stated["step"] == "void" {
            let mut void =
                VoidRound::new(records, VoidReason::from_name(text(&stated["reason"])), None);
            void.spent = spent.to_vec();
            let prepared = paigow_engine::prepare_void(context, &keys, &call, &void);
            let Some(prepared) = self.answer(prepared) else { return };
            assert_eq!(prepared.lock.payload(), close.lock.payload(), "{case}");
            self.voids += 1;
        } else {
            let absent_seats: Vec<Seat> =
                stated["absent"].as_array().into_iter().flatten().rev().map(seat).collect();
            let decisions = decisions(&close.actions, &absent_seats);
            let ask = PrepareSettle { records, decisions, absent_seats, spent: spent.to_vec() };
            let prepared = paigow_engine::prepare_settle(context, &keys, &call, &ask);
            let Some(prepared) = self.answer(prepared) else { return };
            assert_eq!(prepared.lock.unwrap().payload(), close.lock.payload(), "{case}");
            let written: Vec<&[u8]> =
                prepared.actions.values().map(RecordEnvelope::payload).collect();
            let expected: Vec<&[u8]> = close.actions.iter().map(RecordEnvelope::payload).collect();
            assert_eq!(written, expected, "{case}");
            self.actions += u32::try_from(written.len()).unwrap();
            self.finals += 1;
        }
        self.superseding += u32::from(!spent.is_empty());
    }
}

#[test]
fn the_locks_and_actions_of_the_kit_are_what_is_prepared() {
    let mut prepared = Prepared::default();
    for line in include_str!("../../verifiers/conformance/records.jsonl").lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        if case["expect"]["verdict"] == "mismatch" {
            continue;
        }
        let input = &case["input"];
        let lines = input["transcript"].as_array().unwrap().iter();
        // Some files have lines that are no records.
        let records: Vec<RecordEnvelope> =
            lines.filter_map(|line| RecordEnvelope::parse(text(line).as_bytes()).ok()).collect();
        let keys = input["root_keys"].as_array().unwrap().iter();
        let root = Root {
            keys: keys.map(|key| PublicKey::from_hex(text(key)).unwrap()).collect(),
            threshold: usize::try_from(input["threshold"].as_u64().unwrap()).unwrap(),
        };
        let (manifests, rest): (Vec<_>, Vec<_>) =
            records.into_iter().partition(|record| record.kind() == RecordKind::Manifest);
        // A file may begin in the middle of a chain; a server never does.
        let Ok(chain) = ManifestChain::load(&root, &manifests) else { continue };
        let context = RoundContext { catalogue: Catalogue::shipped(), manifests: chain, root };
        for round in rounds(&rest) {
            prepared.round(text(&case["about"]), &context, &round);
        }
    }
    assert!(prepared.wagers >= 300 && prepared.finals >= 300, "{prepared:?}");
    assert!(prepared.actions >= 700 && prepared.voids >= 30, "{prepared:?}");
    assert!(prepared.superseding >= 20, "{prepared:?}");
}
