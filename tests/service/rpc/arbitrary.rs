//! Any request is answered or refused with a reason, and none panics.

#![expect(clippy::wildcard_enum_match_arm, reason = "the types are of prost-reflect")]

use std::cell::RefCell;

use paigow_fairness::record::RecordEnvelope;
use paigow_proto::v1 as pb;
use paigow_round::audit::{AuditVerdict, audit};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Kind, ReflectMessage, Value};
use tonic::{Code, Status};

use crate::rpc::casino::{Casino, RoundPlan, SeededChoices, TENANTS};
use crate::rpc::desk::{ask, deal, open, records, service, settle};
use crate::rpc::wire;

/// Texts that something may stumble over, and some that are good somewhere.
const TEXTS: [&str; 24] = [
    "",
    "mikes",
    "base",
    "outlaw_9",
    "express-2",
    "mini",
    "online",
    "dynasty",
    "red_black",
    "double_down",
    "USD",
    "Ah",
    "Jk",
    "2c",
    "é♠",
    "\0",
    "table-1",
    "dev",
    "9223372036854775808",
    "AB",
    "abc",
    "00ff00ff00ff00ff00ff00ff00ff00ff",
    "0000000000000000000000000000000000000000000000000000000000000000",
    "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
];

/// Numbers at the edges of ranges.
const NUMBERS: [i64; 14] = [
    0,
    1,
    2,
    6,
    7,
    8,
    -1,
    1000,
    i64::MAX,
    i64::MIN,
    2_147_483_647,
    -2_147_483_648,
    1_000_000_000_000_000,
    1_000_000_000_000_000_001,
];

fn pick<T: Clone>(choices: &mut SeededChoices, from: &[T]) -> T {
    let at = choices.below(u64::try_from(from.len()).unwrap());
    from[usize::try_from(at).unwrap()].clone()
}

/// The values from which the tests below draw.
struct Pool {
    descriptors: DescriptorPool,
    lines: Vec<Vec<u8>>,
}

impl Pool {
    fn new(casino: &Casino) -> Self {
        let mut lines = vec![Vec::new(), b"{}".to_vec(), vec![0xff, 0xfe]];
        let dev = casino.play(&RoundPlan::random("dev", 1, None, 1));
        let locked = casino.play(&RoundPlan::random("locked", 1, None, 1));
        let envelopes = casino.manifests.iter().chain(&dev).chain(&locked);
        lines.extend(envelopes.map(|envelope| envelope.to_line().into_bytes()));
        Self { descriptors: DescriptorPool::decode(paigow_proto::DESCRIPTORS).unwrap(), lines }
    }

    fn value(&self, field: &FieldDescriptor, choices: &mut SeededChoices) -> Value {
        match field.kind() {
            Kind::Message(message) => {
                let mut value = DynamicMessage::new(message);
                self.fill(&mut value, choices);
                Value::Message(value)
            }
            Kind::Enum(_) => Value::EnumNumber(pick(choices, &[0, 1, 2, 3, 9, -1])),
            Kind::Bool => Value::Bool(choices.one_in(2)),
            Kind::Int32 => Value::I32(i32::try_from(pick(choices, &NUMBERS)).unwrap_or(i32::MIN)),
            Kind::Int64 => Value::I64(pick(choices, &NUMBERS)),
            Kind::String => Value::String(pick(choices, &TEXTS).to_owned()),
            Kind::Bytes => Value::Bytes(pick(choices, &self.lines).into()),
            other => panic!("the contract has no {other:?}"),
        }
    }

    /// A value of the field, or a list of up to nine.
    fn content(&self, field: &FieldDescriptor, choices: &mut SeededChoices) -> Value {
        if !field.is_list() {
            return self.value(field, choices);
        }
        let len = choices.below(10);
        Value::List((0..len).map(|_| self.value(field, choices)).collect())
    }

    fn fill(&self, message: &mut DynamicMessage, choices: &mut SeededChoices) {
        for field in message.descriptor().fields() {
            if !choices.one_in(4) {
                let content = self.content(&field, choices);
                message.set_field(&field, content);
            }
        }
    }

    /// Changes one thing somewhere in a message.
    fn disturb(&self, message: &mut DynamicMessage, choices: &mut SeededChoices) {
        let fields: Vec<FieldDescriptor> = message.descriptor().fields().collect();
        let set: Vec<FieldDescriptor> =
            fields.iter().filter(|field| message.has_field(field)).cloned().collect();
        if set.is_empty() || choices.one_in(6) {
            let field = pick(choices, &fields);
            let content = self.content(&field, choices);
            return message.set_field(&field, content);
        }
        let field = pick(choices, &set);
        match message.get_field_mut(&field) {
            Value::Message(inner) => self.disturb(inner, choices),
            Value::List(items) => match items.len() {
                0 => {}
                len => {
                    let at = usize::try_from(choices.below(u64::try_from(len).unwrap())).unwrap();
                    match (choices.below(4), &mut items[at]) {
                        (0, _) => drop(items.remove(at)),
                        (1, item) => {
                            let item = item.clone();
                            items.push(item);
                        }
                        (_, Value::Message(inner)) => self.disturb(inner, choices),
                        (_, item) => *item = self.value(&field, choices),
                    }
                }
            },
            Value::Bytes(bytes) => {
                let mut changed = bytes.to_vec();
                if let Some(at) = u64::try_from(changed.len()).ok().filter(|len| *len > 0) {
                    let at = usize::try_from(choices.below(at)).unwrap();
                    changed[at] ^= 1 << choices.below(8);
                }
                *bytes = changed.into();
            }
            other => *other = self.value(&field, choices),
        }
    }

    fn message(&self, name: &str) -> DynamicMessage {
        let name = format!("paigow.v1.{name}");
        DynamicMessage::new(self.descriptors.get_message_by_name(&name).unwrap())
    }
}

/// Holds a refusal to what every refusal has.
fn refused_well(status: &Status) {
    let reason = paigow::rpc::status::reason(status);
    assert!(reason.is_some(), "{:?} without a reason", status.code());
    assert!(!matches!(status.code(), Code::Ok | Code::Unknown | Code::Internal), "{reason:?}");
    assert!(status.details().len() < 6000);
}

/// How many requests came out how.
#[derive(Debug, Default)]
struct Tally {
    undecodable: u32,
    refused: u32,
    answered: u32,
    /// The rounds that were closed, and found good by an audit.
    closed: u32,
}

/// Holds a close, with the records that it was asked with, to what an audit says of them.
fn closed_well(casino: &Casino, before: &[pb::Record], close: &[pb::Record]) {
    let played = before.iter().chain(close);
    let played = played.map(|record| RecordEnvelope::parse(&record.envelope).unwrap());
    let lines: Vec<String> =
        casino.manifests.iter().cloned().chain(played).map(|record| record.to_line()).collect();
    let text = lines.join("\n") + "\n";
    let report = audit(text.as_bytes(), &casino.terms(), &casino.context.catalogue);
    assert_eq!(report.verdict(), AuditVerdict::Pending, "{:?}", report.checks);
}

/// Sends the bytes to the method that takes `name`.
fn send(casino: &Casino, tenant: &str, name: &str, bytes: &[u8], tally: &mut Tally) {
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    let service = service(casino, tenant);
    macro_rules! call {
        ($method:ident, $request:ty, $look:expr) => {
            match <$request>::decode(bytes) {
                Err(_) => tally.undecodable += 1,
                Ok(message) => match runtime.block_on(service.$method(ask(message.clone()))) {
                    Err(status) => {
                        refused_well(&status);
                        tally.refused += 1;
                    }
                    Ok(answer) => {
                        tally.answered += 1;
                        tally.closed += $look(&message, &answer.into_inner());
                    }
                },
            }
        };
        ($method:ident, $request:ty) => {
            call!($method, $request, |_, _| 0)
        };
    }
    match name {
        "OpenRoundRequest" => call!(open_round, pb::OpenRoundRequest),
        "DealRequest" => call!(deal, pb::DealRequest),
        "SetHouseWayRequest" => call!(set_house_way, pb::SetHouseWayRequest),
        "EvaluateHandsRequest" => call!(evaluate_hands, pb::EvaluateHandsRequest),
        "WeighSettingsRequest" => call!(weigh_settings, pb::WeighSettingsRequest),
        "GetRulesetRequest" => call!(get_ruleset, pb::GetRulesetRequest),
        "SettleRequest" => {
            call!(
                settle,
                pb::SettleRequest,
                |request: &pb::SettleRequest, answer: &pb::SettleResponse| {
                    closed_well(casino, &request.records, &answer.records);
                    1
                }
            )
        }
        "VoidRoundRequest" => {
            call!(
                void_round,
                pb::VoidRoundRequest,
                |request: &pb::VoidRoundRequest, answer: &pb::VoidRoundResponse| {
                    closed_well(casino, &request.records, &answer.records);
                    1
                }
            )
        }
        "PrepareOpenRequest" => call!(prepare_open, pb::PrepareOpenRequest),
        "PrepareDealRequest" => call!(prepare_deal, pb::PrepareDealRequest),
        "PrepareSettleRequest" => call!(prepare_settle, pb::PrepareSettleRequest),
        "PrepareVoidRequest" => call!(prepare_void, pb::PrepareVoidRequest),
        "AuditRequest" => call!(audit, pb::AuditRequest),
        "ListManifestsRequest" => call!(list_manifests, pb::ListManifestsRequest),
        "ListRulesetsRequest" => call!(list_rulesets, pb::ListRulesetsRequest),
        "ListHouseWaysRequest" => call!(list_house_ways, pb::ListHouseWaysRequest),
        _ => panic!("no method takes {name}"),
    }
}

const REQUESTS: [&str; 13] = [
    "OpenRoundRequest",
    "DealRequest",
    "SetHouseWayRequest",
    "EvaluateHandsRequest",
    "WeighSettingsRequest",
    "GetRulesetRequest",
    "SettleRequest",
    "VoidRoundRequest",
    "PrepareOpenRequest",
    "PrepareDealRequest",
    "PrepareSettleRequest",
    "PrepareVoidRequest",
    "AuditRequest",
];

/// The requests of which an empty one is good; no other is.
const GOOD_EMPTY: [&str; 3] =
    ["ListManifestsRequest", "ListRulesetsRequest", "ListHouseWaysRequest"];

/// A good request of the plan, as bytes.
fn good(casino: &Casino, name: &str, plan: &RoundPlan) -> Vec<u8> {
    match name {
        "OpenRoundRequest" => open(casino, plan).encode_to_vec(),
        "DealRequest" => deal(casino, plan).encode_to_vec(),
        "SettleRequest" => settle(casino, plan, &casino.deal(plan)).encode_to_vec(),
        "VoidRoundRequest" => wire::void_request(casino, plan, &casino.deal(plan)).encode_to_vec(),
        "PrepareOpenRequest" => {
            wire::prepare_requests(casino, plan, &casino.deal(plan)).open.encode_to_vec()
        }
        "PrepareDealRequest" => {
            wire::prepare_requests(casino, plan, &casino.deal(plan)).deal.encode_to_vec()
        }
        "PrepareSettleRequest" => {
            wire::prepare_requests(casino, plan, &casino.deal(plan)).settle.encode_to_vec()
        }
        "PrepareVoidRequest" => {
            wire::prepare_requests(casino, plan, &casino.deal(plan)).void.encode_to_vec()
        }
        "AuditRequest" => {
            let lines = records(&casino.manifests).into_iter().chain(records(&casino.play(plan)));
            let text: Vec<u8> =
                lines.flat_map(|line| [line.envelope, b"\n".to_vec()].concat()).collect();
            let subject = Some(pb::audit_request::Subject::Transcript(text));
            pb::AuditRequest { subject, ..Default::default() }.encode_to_vec()
        }
        "GetRulesetRequest" => {
            pb::GetRulesetRequest { ruleset: plan.ruleset.clone() }.encode_to_vec()
        }
        "EvaluateHandsRequest" => {
            let cards = "2d Ac As 9c Ah Ad Jk".split(' ').map(str::to_owned).collect();
            let low = Some(pb::LowHand { cards: vec!["Jk".to_owned(), "9c".to_owned()] });
            let hands = vec![pb::HandToEvaluate { cards, low }; 2];
            let ruleset = "mikes".to_owned();
            pb::EvaluateHandsRequest { ruleset, hands, all_settings: true }.encode_to_vec()
        }
        "WeighSettingsRequest" => {
            let cards = "2d Ac As 9c Ah Ad Jk".split(' ').map(str::to_owned).collect();
            let (ruleset, dealer_cards) = ("mikes".to_owned(), Vec::new());
            pb::WeighSettingsRequest { ruleset, cards, dealer_cards }.encode_to_vec()
        }
        _ => {
            let cards = "2d Ac As 9c Ah Ad Jk".split(' ').map(str::to_owned).collect();
            let by = pb::set_house_way_request::By::HouseWay("mikes".to_owned());
            let hands = vec![pb::Hand { cards }; 2];
            pb::SetHouseWayRequest { hands, by: Some(by) }.encode_to_vec()
        }
    }
}

/// Runs a property of enough cases, each of which counts in the tally that is returned.
fn tallied<S: Strategy>(cases: &S, property: impl Fn(S::Value, &mut Tally)) -> Tally {
    let tally = RefCell::new(Tally::default());
    let mut runner = TestRunner::new(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(64)
    });
    let ran = runner.run(cases, |case| {
        property(case, &mut tally.borrow_mut());
        Ok(())
    });
    ran.unwrap_or_else(|failed| panic!("{failed}"));
    tally.into_inner()
}

#[test]
fn any_bytes_are_answered_or_refused() {
    let casino = Casino::new();
    let tally = tallied(&prop::collection::vec(any::<u8>(), 0..120), |bytes, tally| {
        for name in REQUESTS {
            send(&casino, "dev", name, &bytes, tally);
        }
    });
    // Most are no message at all; the empty one is a message of each kind.
    let mut empty = Tally::default();
    for name in REQUESTS {
        send(&casino, "dev", name, &[], &mut empty);
    }
    assert!(tally.undecodable > 200, "{tally:?}");
    assert_eq!((empty.undecodable, empty.refused), (0, 13), "{empty:?}");
    let mut good = Tally::default();
    for name in GOOD_EMPTY {
        send(&casino, "dev", name, &[], &mut good);
    }
    assert_eq!(good.answered, 3, "{good:?}");
}

#[test]
fn any_message_is_answered_or_refused() {
    let casino = Casino::new();
    let pool = Pool::new(&casino);
    let tally = tallied(&any::<u64>(), |seed, tally| {
        let mut choices = SeededChoices(seed);
        for name in REQUESTS.into_iter().chain(GOOD_EMPTY) {
            let mut message = pool.message(name);
            pool.fill(&mut message, &mut choices);
            let tenant = pick(&mut choices, &TENANTS);
            send(&casino, tenant, name, &message.encode_to_vec(), tally);
        }
    });
    // Every one is a message, and hardly one is good.
    assert_eq!(tally.undecodable, 0, "{tally:?}");
    assert!(tally.refused > 200, "{tally:?}");
}

#[test]
fn a_good_request_with_a_fault_or_two_is_answered_or_refused() {
    let casino = Casino::new();
    let pool = Pool::new(&casino);
    let tally = tallied(&any::<u64>(), |seed, tally| {
        let mut choices = SeededChoices(seed);
        for name in REQUESTS {
            let tenant = pick(&mut choices, &TENANTS);
            let bytes = good(&casino, name, &RoundPlan::random(tenant, 1, None, seed));
            // As it is, it is answered: what is refused is refused for its fault.
            let mut untouched = Tally::default();
            send(&casino, tenant, name, &bytes, &mut untouched);
            assert_eq!(untouched.answered, 1, "{name} of {tenant}: {untouched:?}");
            tally.closed += untouched.closed;

            let mut message = pool.message(name);
            message.merge(bytes.as_slice()).unwrap();
            for _ in 0..=choices.below(3) {
                pool.disturb(&mut message, &mut choices);
            }
            send(&casino, tenant, name, &message.encode_to_vec(), tally);
        }
    });
    assert_eq!(tally.undecodable, 0, "{tally:?}");
    assert!(tally.refused > 20 && tally.answered > 20, "{tally:?}");
    // The untouched ones at the least.
    assert!(tally.closed >= 64, "{tally:?}");
}
