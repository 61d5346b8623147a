use prost::Message;
use prost_reflect::{
    DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value,
};

use super::pb;

/// What stands in every text: as text, as bytes in decimal, as bytes in hexadecimal.
const PLANTED: &str = "5eed";
/// What stands in every amount and count.
const AMOUNT: i64 = 987_654_321;
/// What stands in every 32-bit number that is not a seat or a threshold.
const NUMBER: i32 = 424_242;

/// Messages of public facts: what the server is, what it serves, which currency.
const PUBLIC: [&str; 13] = [
    "Bet",
    "Currency",
    "EngineCheck",
    "ExactReturn",
    "Fraction",
    "GetEngineRequest",
    "GetEngineResponse",
    "HouseWay",
    "OtherSeats",
    "PayTableRow",
    "Ruleset",
    "VerifyEngineRequest",
    "VerifyEngineResponse",
];

/// Fills every field of a message; of each `oneof`, the member `pick`.
fn fill(descriptor: &MessageDescriptor, pick: usize) -> DynamicMessage {
    let mut message = DynamicMessage::new(descriptor.clone());
    let of_oneofs = descriptor.oneofs().filter(|oneof| !oneof.is_synthetic()).map(|oneof| {
        let members: Vec<FieldDescriptor> = oneof.fields().collect();
        members[pick % members.len()].clone()
    });
    let alone =
        |field: &FieldDescriptor| field.containing_oneof().is_none_or(|oneof| oneof.is_synthetic());
    let fields: Vec<FieldDescriptor> = descriptor.fields().filter(alone).chain(of_oneofs).collect();
    for field in fields {
        let one = value(&field, pick);
        let value = if field.is_list() { Value::List(vec![one.clone(), one]) } else { one };
        message.set_field(&field, value);
    }
    message
}

fn value(field: &FieldDescriptor, pick: usize) -> Value {
    match (field.kind(), field.name()) {
        (Kind::Message(message), _) => Value::Message(fill(&message, pick)),
        (Kind::Enum(_), _) => Value::EnumNumber(1),
        (Kind::Bool, _) => Value::Bool(true),
        (Kind::Int32, "seat" | "threshold") => Value::I32(3),
        (Kind::Int32, _) => Value::I32(NUMBER),
        (Kind::Int64, _) => Value::I64(AMOUNT),
        (Kind::String, "round_id") => Value::String("a public id".to_owned()),
        (Kind::String, _) => Value::String(PLANTED.to_owned()),
        (Kind::Bytes, _) => Value::Bytes(PLANTED.into()),
        (kind, name) => panic!("no value for {name} of kind {kind:?}"),
    }
}

/// Prints a message with everything planted, in both manners.
fn printed<M: Message + Default + std::fmt::Debug>(pool: &DescriptorPool, name: &str) -> String {
    let descriptor = pool.get_message_by_name(&format!("paigow.v1.{name}")).unwrap();
    let mut all = String::new();
    for pick in 0..2 {
        let bytes = fill(&descriptor, pick).encode_to_vec();
        let message = M::decode(bytes.as_slice()).unwrap();
        all += &format!("{message:?} {message:#?} {:?} ", Some(&message));
    }
    all.retain(|c| !c.is_whitespace());
    all
}

macro_rules! messages {
    ($($name:ident)*) => {
        [$((stringify!($name), printed::<pb::$name> as fn(&DescriptorPool, &str) -> String)),*]
    };
}

#[test]
fn no_message_prints_what_it_carries() {
    let pool = DescriptorPool::decode(crate::DESCRIPTORS).unwrap();
    let redacted = messages! {
        AuditRequest AuditResponse AuditStreamRequest AuditStreamResponse AuditedRound Bank
        BaseResult Check ClientCommit DealRequest DealResponse DealtHand Decision EpochReplay
        Fee Hand HouseWaySetting Line LowHand OpenRoundRequest OpenRoundResponse Record Replay
        SeatKey SeatLines SeatResult ServerSeedReplay SetHouseWayRequest SetHouseWayResponse
        Setting SettleRequest SettleResponse VoidReturn Wager WagerSheet
    };
    let planted: Vec<String> = PLANTED.bytes().map(|byte| byte.to_string()).collect();
    let secrets = [PLANTED.to_owned(), planted.join(","), AMOUNT.to_string(), NUMBER.to_string()];
    for (name, printed) in redacted {
        let text = printed(&pool, name);
        assert!(text.contains(name), "{text}");
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{name} prints {secret}: {text}");
        }
    }

    // A new message is one or the other.
    let mut named: Vec<&str> = redacted.iter().map(|(name, _)| *name).chain(PUBLIC).collect();
    named.sort_unstable();
    let mut all: Vec<String> = pool
        .all_messages()
        .filter(|message| message.package_name() == "paigow.v1")
        .map(|message| message.name().to_owned())
        .collect();
    all.sort_unstable();
    assert_eq!(all, named);
}

#[test]
fn the_secrets_of_the_test_above_are_really_there() {
    let pool = DescriptorPool::decode(crate::DESCRIPTORS).unwrap();
    let text = printed::<pb::Ruleset>(&pool, "Ruleset");
    assert!(text.contains(PLANTED) && text.contains(&NUMBER.to_string()), "{text}");
    let text = printed::<pb::Bet>(&pool, "Bet");
    assert!(text.contains(&AMOUNT.to_string()), "{text}");
}
