//! A canary in every field of a request that the contract marks with `debug_redact`.
//!
//! One field of each request holds a canary; the other fields are good. The status is searched
//! here; the log is searched with that of the rounds.

use std::collections::BTreeSet;

use paigow_proto::v1 as pb;
use paigow_testkit::casino::{Casino, RoundPlan};
use paigow_testkit::taints::{assert_clean, spellings};
use paigow_testkit::wire::{self, WireClient};
use prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, ReflectMessage, Value,
};
use tonic::Status;

/// The canary of a text field and, as bytes, of a bytes field.
const TEXT: &str = "c4na:rY-5eed";
/// The canary of a 32-bit field.
const INT32: i32 = 1_987_654_321;
/// The canary of a 64-bit field.
const INT64: i64 = 4_321_987_654_321;

/// The fields whose value a status repeats to its caller: a name that nothing is known by, and a
/// limit that a wager breaks. The log has none of them.
pub(crate) const REPEATED: [&str; 4] = ["chip_minor", "house_way", "ruleset", "table_min_minor"];

/// Every spelling of the canaries.
pub(crate) fn taints() -> BTreeSet<Vec<u8>> {
    let mut taints = BTreeSet::new();
    spellings(TEXT.as_bytes(), &mut taints);
    taints.insert(INT32.to_string().into_bytes());
    taints.insert(INT64.to_string().into_bytes());
    taints
}

/// Sends every request with a canary in one marked field, and searches the statuses. Returns how
/// many fields had one, and which of [`REPEATED`] a status repeated.
pub(crate) async fn send(
    client: &mut WireClient,
    casino: &Casino,
    plan: &RoundPlan,
) -> (usize, BTreeSet<&'static str>) {
    let deal = wire::deal_request(casino, plan);
    let dealt = client.deal(deal.clone()).await.unwrap().into_inner();
    let settle = wire::settle_request(casino, plan, &wire::dealt(&dealt));
    let hands = dealt.hands.iter().map(|hand| pb::Hand { cards: hand.cards.clone() }).collect();
    let way = pb::set_house_way_request::By::Ruleset("mikes".to_owned());
    let set = pb::SetHouseWayRequest { hands, by: Some(way) };
    let hand = |hand: &pb::DealtHand| {
        let low = Some(pb::LowHand { cards: hand.cards[..2].to_vec() });
        pb::HandToEvaluate { cards: hand.cards.clone(), low }
    };
    let evaluate = pb::EvaluateHandsRequest {
        ruleset: "mikes".to_owned(),
        hands: dealt.hands.iter().map(hand).collect(),
        all_settings: true,
    };
    let weigh = pb::WeighSettingsRequest {
        ruleset: "mikes".to_owned(),
        cards: dealt.hands[0].cards.clone(),
        dealer_cards: Vec::new(),
    };
    let ruleset = pb::GetRulesetRequest { ruleset: "mikes".to_owned() };
    let rulesets = pb::ListRulesetsRequest::default();
    let replay = pb::Replay { ruleset: plan.ruleset.clone(), ..pb::Replay::default() };
    let audits = [
        pb::audit_request::Subject::Transcript(b"{}".to_vec()),
        pb::audit_request::Subject::Replay(replay),
    ];

    let mut search = Search::default();
    let open = wire::open_request(casino, plan);
    search.vary("OpenRoundRequest", &open, async |one| client.open_round(one).await.err()).await;
    search.vary("DealRequest", &deal, async |one| client.deal(one).await.err()).await;
    let asked = wire::prepare_requests(casino, plan, &wire::dealt(&dealt));
    let void = wire::void_request(casino, plan, &wire::dealt(&dealt));
    search.vary("VoidRoundRequest", &void, async |one| client.void_round(one).await.err()).await;
    search
        .vary("PrepareOpenRequest", &asked.open, async |one| client.prepare_open(one).await.err())
        .await;
    search
        .vary("PrepareDealRequest", &asked.deal, async |one| client.prepare_deal(one).await.err())
        .await;
    search
        .vary("PrepareSettleRequest", &asked.settle, async |one| {
            client.prepare_settle(one).await.err()
        })
        .await;
    search
        .vary("PrepareVoidRequest", &asked.void, async |one| client.prepare_void(one).await.err())
        .await;
    search.vary("SettleRequest", &settle, async |one| client.settle(one).await.err()).await;
    search
        .vary("SetHouseWayRequest", &set, async |one| client.set_house_way(one).await.err())
        .await;
    search
        .vary("EvaluateHandsRequest", &evaluate, async |one| client.evaluate_hands(one).await.err())
        .await;
    search
        .vary("WeighSettingsRequest", &weigh, async |one| client.weigh_settings(one).await.err())
        .await;
    search
        .vary("GetRulesetRequest", &ruleset, async |one| client.get_ruleset(one).await.err())
        .await;
    search
        .vary("ListRulesetsRequest", &rulesets, async |one| client.list_rulesets(one).await.err())
        .await;
    for subject in audits {
        let audit = pb::AuditRequest { subject: Some(subject), ..pb::AuditRequest::default() };
        search.vary("AuditRequest", &audit, async |one| client.audit(one).await.err()).await;
    }
    assert!(search.refused > search.sent / 2, "{} of {} refused", search.refused, search.sent);
    operators(client, search.refused).await;
    (search.sent, search.repeated)
}

/// Asks what operators ask, after `refused` calls with a canary, and searches the answers. Such calls
/// are remembered, and nothing of their requests.
async fn operators(client: &mut WireClient, refused: usize) {
    let status = client.get_status(pb::GetStatusRequest {}).await.unwrap().into_inner();
    assert_clean("GetStatus", &status.encode_to_vec(), &taints());
    let tail = pb::TailRefusalsRequest { past: 1000, follow: false };
    let mut calls = client.tail_refusals(tail).await.unwrap().into_inner();
    let mut remembered = 0;
    while let Some(call) = calls.message().await.unwrap() {
        remembered += 1;
        assert_clean("TailRefusals", &call.encode_to_vec(), &taints());
    }
    assert_eq!(remembered, refused, "every refused call is remembered");
    let list = pb::ListOpenTicketsRequest::default();
    let status = client.list_open_tickets(list).await.unwrap_err();
    assert_clean("the status of ListOpenTickets", status.details(), &taints());
}

#[derive(Default)]
struct Search {
    sent: usize,
    refused: usize,
    /// The fields of [`REPEATED`] whose canary stood in a status.
    repeated: BTreeSet<&'static str>,
}

impl Search {
    /// Calls with `request` once for each of its marked fields, a canary in it.
    async fn vary<M: Message + Default>(
        &mut self,
        name: &str,
        request: &M,
        mut call: impl AsyncFnMut(M) -> Option<Status>,
    ) {
        let pool = DescriptorPool::decode(paigow_proto::DESCRIPTORS).unwrap();
        let descriptor = pool.get_message_by_name(&format!("paigow.v1.{name}")).unwrap();
        let bytes = request.encode_to_vec();
        let good = DynamicMessage::decode(descriptor, bytes.as_slice()).unwrap();
        for (path, bad) in with_canary(&good, false) {
            let bad = M::decode(bad.encode_to_vec().as_slice()).unwrap();
            self.sent += 1;
            let Some(status) = call(bad).await else { continue };
            self.refused += 1;
            let metadata = format!("{:?}", status.metadata());
            let told = [status.message().as_bytes(), status.details(), metadata.as_bytes()];
            let told = told.concat();
            let field = path.rsplit('.').next().unwrap();
            if let Some(repeated) = REPEATED.into_iter().find(|name| *name == field) {
                let is_told = |taint: &Vec<u8>| told.windows(taint.len()).any(|part| part == taint);
                if taints().iter().any(is_told) {
                    self.repeated.insert(repeated);
                }
                continue;
            }
            assert_clean(&format!("the status of {name}.{path}"), &told, &taints());
        }
    }
}

fn is_marked(field: &FieldDescriptor) -> bool {
    field.options().get_field_by_name("debug_redact").unwrap().as_bool().unwrap()
}

/// Returns the message with a canary in each of its marked fields, one at a time; `within` is
/// whether the message itself is in a marked field. Each with the path of the field.
fn with_canary(message: &DynamicMessage, within: bool) -> Vec<(String, DynamicMessage)> {
    let mut all = Vec::new();
    for field in message.descriptor().fields() {
        let marked = within || is_marked(&field);
        let values = if let Kind::Message(kind) = field.kind() {
            let inner = inner(message, &field, &kind);
            let rest = if field.is_list() { list(message, &field) } else { Vec::new() };
            let change = |(path, changed)| {
                let changed = Value::Message(changed);
                let value = if field.is_list() {
                    Value::List([vec![changed], rest.iter().skip(1).cloned().collect()].concat())
                } else {
                    changed
                };
                (format!("{}.{path}", field.name()), value)
            };
            with_canary(&inner, marked).into_iter().map(change).collect()
        } else if marked && let Some(value) = canary(&field.kind()) {
            let value = if field.is_list() { Value::List(vec![value]) } else { value };
            vec![(field.name().to_owned(), value)]
        } else {
            // No mark, or a flag or the number of an enum, which is no canary.
            Vec::new()
        };
        all.extend(values.into_iter().map(|(path, value)| {
            let mut changed = message.clone();
            changed.set_field(&field, value);
            (path, changed)
        }));
    }
    all
}

fn list(message: &DynamicMessage, field: &FieldDescriptor) -> Vec<Value> {
    message.get_field(field).as_list().unwrap().to_vec()
}

/// Returns the message in a field, of a list the first; an empty message if the field is empty.
fn inner(
    message: &DynamicMessage,
    field: &FieldDescriptor,
    kind: &MessageDescriptor,
) -> DynamicMessage {
    let value = if field.is_list() {
        list(message, field).first().cloned()
    } else {
        message.has_field(field).then(|| message.get_field(field).into_owned())
    };
    let message = value.and_then(|value| value.as_message().cloned());
    message.unwrap_or_else(|| DynamicMessage::new(kind.clone()))
}

fn canary(kind: &Kind) -> Option<Value> {
    match kind {
        Kind::String => Some(Value::String(TEXT.to_owned())),
        Kind::Bytes => Some(Value::Bytes(TEXT.into())),
        Kind::Int32 => Some(Value::I32(INT32)),
        Kind::Int64 => Some(Value::I64(INT64)),
        Kind::Bool | Kind::Enum(_) | Kind::Message(_) => None,
        kind @ (Kind::Double
        | Kind::Float
        | Kind::Uint32
        | Kind::Uint64
        | Kind::Sint32
        | Kind::Sint64
        | Kind::Fixed32
        | Kind::Fixed64
        | Kind::Sfixed32
        | Kind::Sfixed64) => panic!("no canary of kind {kind:?}"),
    }
}
