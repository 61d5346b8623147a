use prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value,
};

use crate::v1 as pb;

/// The canary of a text field. For a bytes field, the bytes of this text.
const CANARY_TEXT: &str = "5eed";
/// The canary of a 64-bit field.
const CANARY_INT64: i64 = 987_654_321;
/// The canary of a 32-bit field.
const CANARY_INT32: i32 = 424_242;
/// The value of a text field that is not marked.
const CLEAR_TEXT: &str = "a public id";
/// The value of a number field that is not marked.
const CLEAR_NUMBER: i32 = 3;

/// The messages without a redacted field: what the server is, what it serves, which currency.
/// A new message is added here only if everything in it is public.
const PUBLIC: [&str; 50] = [
    "Banking",
    "BaseReturn",
    "Beacon",
    "Bet",
    "ClosedRounds",
    "Commission",
    "CommitPrefix",
    "Condition",
    "Currency",
    "Dealing",
    "DoubleDown",
    "EngineCheck",
    "Epoch",
    "EpochHolding",
    "EvidenceCoverage",
    "EvidenceStatus",
    "ExactReturn",
    "FeeBand",
    "Fees",
    "Fraction",
    "GetEngineRequest",
    "GetEngineResponse",
    "GetRulesetResponse",
    "GetStatusRequest",
    "GetStatusResponse",
    "HouseWay",
    "LastVerification",
    "ListHouseWaysRequest",
    "ListHouseWaysResponse",
    "ListManifestsRequest",
    "ListManifestsResponse",
    "ListOpenTicketsRequest",
    "ListRulesetsResponse",
    "Meter",
    "OtherSeats",
    "PayTableRow",
    "PinnedTables",
    "PrepareOpenResponse",
    "PushRule",
    "ReceiptKeyHolding",
    "Ruleset",
    "SwitchInForce",
    "TableFact",
    "TailRefusalsRequest",
    "TailRefusalsResponse",
    "TenantPolicy",
    "TermGroup",
    "TranslatedTitle",
    "VerifyEngineRequest",
    "VerifyEngineResponse",
];

fn pool() -> DescriptorPool {
    DescriptorPool::decode(crate::DESCRIPTORS).unwrap()
}

fn message(pool: &DescriptorPool, name: &str) -> MessageDescriptor {
    pool.get_message_by_name(&format!("paigow.v1.{name}")).unwrap()
}

fn is_redacted(field: &FieldDescriptor) -> bool {
    field.options().get_field_by_name("debug_redact").unwrap().as_bool().unwrap()
}

fn is_member(field: &FieldDescriptor) -> bool {
    field.containing_oneof().is_some_and(|oneof| !oneof.is_synthetic())
}

/// Fills every field of a message. Marked fields get canaries, and so do all fields if `all` is
/// set. Of each `oneof`, the member `pick` is filled.
fn fill(descriptor: &MessageDescriptor, pick: usize, all: bool) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    let members = descriptor.oneofs().filter(|oneof| !oneof.is_synthetic()).map(|oneof| {
        let members: Vec<FieldDescriptor> = oneof.fields().collect();
        members[pick % members.len()].clone()
    });
    let plain = descriptor.fields().filter(|field| !is_member(field));
    for field in plain.chain(members) {
        let one = value(&field, pick, all || is_redacted(&field));
        let value = if field.is_list() { Value::List(vec![one.clone(), one]) } else { one };
        message.set_field(&field, value);
    }
    message
}

fn value(field: &FieldDescriptor, pick: usize, canary: bool) -> Value {
    match field.kind() {
        Kind::Message(message) => Value::Message(fill(&message, pick, canary)),
        Kind::Enum(_) => Value::EnumNumber(1),
        Kind::Bool => Value::Bool(true),
        Kind::Int32 => Value::I32(if canary { CANARY_INT32 } else { CLEAR_NUMBER }),
        Kind::Int64 => Value::I64(if canary { CANARY_INT64 } else { CLEAR_NUMBER.into() }),
        Kind::String => Value::String(if canary { CANARY_TEXT } else { CLEAR_TEXT }.to_owned()),
        Kind::Bytes => Value::Bytes(if canary { CANARY_TEXT } else { CLEAR_TEXT }.into()),
        kind @ (Kind::Double
        | Kind::Float
        | Kind::Uint32
        | Kind::Uint64
        | Kind::Sint32
        | Kind::Sint64
        | Kind::Fixed32
        | Kind::Fixed64
        | Kind::Sfixed32
        | Kind::Sfixed64) => panic!("no value for {} of kind {kind:?}", field.name()),
    }
}

/// Returns every way in which a canary is printed.
fn canaries() -> [String; 4] {
    let bytes: Vec<String> = CANARY_TEXT.bytes().map(|byte| byte.to_string()).collect();
    [CANARY_TEXT.to_owned(), bytes.join(","), CANARY_INT64.to_string(), CANARY_INT32.to_string()]
}

/// Returns the `Debug` of a message with a canary in every marked field: plain and pretty, once
/// for each member of its `oneof`s.
fn printed<M: Message + Default + std::fmt::Debug>(message: &MessageDescriptor) -> Vec<String> {
    let picks = message.oneofs().map(|oneof| oneof.fields().len()).max().unwrap_or(1);
    let print = |pick| {
        let bytes = fill(message, pick, false).encode_to_vec();
        let message = M::decode(bytes.as_slice()).unwrap();
        [format!("{message:?}"), format!("{message:#?}"), format!("{:?}", Some(&message))]
    };
    let mut texts: Vec<String> = (0..picks).flat_map(print).collect();
    texts.iter_mut().for_each(|text| text.retain(|c| !c.is_whitespace()));
    texts
}

type Print = fn(&MessageDescriptor) -> Vec<String>;

macro_rules! messages {
    ($($name:ident)*) => {
        [$((stringify!($name), printed::<pb::$name> as Print)),*]
    };
}

/// The messages with a redacted field.
fn redacted() -> Vec<(&'static str, Print)> {
    let messages = messages! {
        AuditRequest AuditResponse AuditStreamRequest AuditStreamResponse AuditedClose
        AuditedRound Bank BaseResult BetLimit Check Claim ClientCommit DealRequest DealResponse
        DealtHand Decision EpochReplay EvaluateHandsRequest EvaluateHandsResponse EvaluatedHand
        EvaluatedSetting Fee GetRulesetRequest Hand HandToEvaluate HouseWaySetting Line
        ListOpenTicketsResponse ListRulesetsRequest LowHand OpenRoundRequest OpenRoundResponse
        OpenTicket PrepareDealRequest PrepareDealResponse PrepareOpenRequest
        PrepareSettleRequest PrepareSettleResponse PrepareVoidRequest PrepareVoidResponse Record
        RefusedCall Replay SeatAction SeatKey SeatLines SeatResult ServerSeedReplay
        SetHouseWayRequest SetHouseWayResponse Setting SettleRequest SettleResponse Signature
        SpentLock UnsignedRecord VoidReturn VoidRoundRequest VoidRoundResponse Wager WagerSheet
        WeighSettingsRequest WeighSettingsResponse WeighedSetting
    };
    messages.to_vec()
}

#[test]
fn every_message_is_redacted_or_reviewed_as_public() {
    let names = |is_marked: bool| {
        let mut names: Vec<String> = pool()
            .all_messages()
            .filter(|message| message.package_name() == "paigow.v1")
            .filter(|message| message.fields().any(|field| is_redacted(&field)) == is_marked)
            .map(|message| message.name().to_owned())
            .collect();
        names.sort_unstable();
        names
    };
    let marked: Vec<&str> = redacted().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names(true), marked);
    assert_eq!(names(false), PUBLIC);
}

#[test]
fn no_debug_prints_a_redacted_field() {
    let pool = pool();
    for (name, print) in redacted() {
        let message = message(&pool, name);
        let texts = print(&message);
        for text in &texts {
            assert!(text.contains(name), "{text}");
            for canary in canaries() {
                assert!(!text.contains(&canary), "{name} prints {canary}: {text}");
            }
            for field in message.fields().filter(is_redacted) {
                // A flag or an enum value cannot be a canary, so its name must be absent too.
                let label = format!("{}:", field.name());
                let count = format!("{label}2,");
                if field.is_list() {
                    assert!(text.contains(&count), "{name}: no {count} in {text}");
                } else if !message.oneofs().any(|oneof| oneof.name() == field.name()) {
                    let labels = [format!("{{{label}"), format!(",{label}")];
                    assert!(!labels.iter().any(|at| text.contains(at)), "{name}: {text}");
                }
            }
        }
        for field in message.fields().filter(is_member).filter(is_redacted) {
            let member: String = field.name().split('_').collect::<String>() + "(..)";
            let found = texts.iter().any(|text| text.to_lowercase().contains(&member));
            assert!(found, "{name}: no {member} in {texts:?}");
        }
    }
}

#[test]
fn a_debug_prints_the_fields_without_the_mark() {
    let pool = pool();
    let mut clear = 0;
    for (name, print) in redacted() {
        let message = message(&pool, name);
        let fields = message.fields().filter(|field| !is_redacted(field) && !is_member(field));
        for field in fields {
            clear += 1;
            let label = format!("{}:", field.name());
            let texts = print(&message);
            assert!(texts.iter().all(|text| text.contains(&label)), "{label} in {texts:?}");
        }
    }
    assert!(clear > 10, "{clear} clear fields");
}

#[test]
fn a_canary_is_found_where_a_field_has_no_mark() {
    let pool = pool();
    let ruleset = fill(&message(&pool, "Ruleset"), 0, true).encode_to_vec();
    let text = format!("{:?}", pb::Ruleset::decode(ruleset.as_slice()).unwrap());
    let [text_canary, _, int64, int32] = canaries();
    for canary in [text_canary, int64, int32] {
        assert!(text.contains(&canary), "{text}");
    }
    let bytes = format!("{:?}", CANARY_TEXT.as_bytes()).replace(' ', "");
    assert!(bytes.contains(&canaries()[1]), "{bytes}");
}
