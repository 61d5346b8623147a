//! Tests the canonical form against another parser, and against the writer.

use std::collections::BTreeMap;

use super::read::MAX_INTEGER;
use super::*;
use paigow_rules::cards::Seat;
use proptest::prelude::*;

#[test]
fn members_are_sorted_and_nothing_is_spaced() {
    let value =
        Json::obj([("b", Json::arr([Json::Int(1), Json::Bool(true)])), ("a", Json::str("x\"\\y"))])
            .with("c", None)
            .with("B", Some(Json::obj([])));
    assert_eq!(value.to_bytes(), br#"{"B":{},"a":"x\"\\y","b":[1,true]}"#);
}

#[test]
fn only_the_canonical_spelling_is_canonical() {
    for text in [r#"{"a":1,"b":[]}"#, "[]", "0", "9007199254740991", r#""\"""#, "true"] {
        assert!(Json::parse_canonical(text.as_bytes()).is_ok(), "{text}");
    }
    for text in [
        r#"{"b":1,"a":1}"#,
        r#"{"a": 1}"#,
        r#"{"a":1,"a":1}"#,
        "null",
        "1.0",
        "-1",
        "01",
        "1e3",
        "9007199254740992",
        "99999999999999999999",
        "\"é\"",
        r#""\/""#,
        r#""\u0041""#,
        "[1,]",
        "{}x",
        " {}",
        "",
        "{",
        "\"",
        "[[",
        "\"\u{7f}\"",
        "tru",
        "{\"a\"}",
    ] {
        assert!(Json::parse_canonical(text.as_bytes()).is_err(), "{text}");
    }
}

#[test]
fn keys_may_come_in_any_order_however_many_there_are() {
    // The least, the greatest, the next to the least and so on: each key belongs in the middle of
    // the keys before it. If each key were inserted into a sorted list, this would take an hour.
    let members = 500_000;
    let keys = (0..members).map(|at| if at % 2 == 0 { at / 2 } else { members - 1 - at / 2 });
    let text: Vec<String> = keys.map(|key| format!("\"{key:06}\":{key}")).collect();
    let object = |text: &[String]| format!("{{{}}}", text.join(","));
    let shuffled = object(&text);
    let Ok(Json::Obj(read)) = Json::parse(shuffled.as_bytes()) else { panic!("an object") };
    assert_eq!(read.len(), members);
    let sorted = read
        .iter()
        .zip(0..)
        .all(|((key, value), at)| key.parse() == Ok(at) && *value == Json::Int(at));
    assert!(sorted);
    assert!(Json::parse_canonical(shuffled.as_bytes()).is_err());
    // One of the first keys, repeated at the end.
    let twice = object(&[&text[..], &text[3..4]].concat());
    assert_eq!(Json::parse(twice.as_bytes()).unwrap_err().what, "a key twice");
}

#[test]
fn deep_nesting_is_refused_not_recursed_into() {
    let text = "[".repeat(100_000);
    assert_eq!(Json::parse(text.as_bytes()).unwrap_err().what, "nested too deep");
}

#[test]
fn every_byte_at_every_place_of_a_string_is_taken_as_another_parser_takes_it() {
    for (at, byte) in (0..150).flat_map(|at| (0..=u8::MAX).map(move |byte| (at, byte))) {
        let mut text = [b'x'; 152];
        (text[0], text[151]) = (b'"', b'"');
        text[1 + at] = byte;
        let theirs: Option<String> = serde_json::from_slice(&text).ok();
        let theirs = theirs.map(|text| Json::Str(text.into()));
        assert_eq!(Json::parse(&text).ok(), theirs, "byte {byte} at {at}");
        let printable = theirs.filter(|_| (b' '..=b'~').contains(&byte));
        assert_eq!(Json::parse_canonical(&text).ok(), printable, "byte {byte} at {at}");
    }
}

fn json() -> impl Strategy<Value = Json<'static>> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Json::Bool),
        (0..=MAX_INTEGER).prop_map(Json::Int),
        "[ -~]{0,12}".prop_map(|text| Json::Str(text.into())),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Arr),
            prop::collection::vec(("[ -~]{0,6}", inner), 0..6)
                .prop_map(|members| Json::Obj(members.into_iter().collect())),
        ]
    })
}

/// A record of every kind of member.
struct Written {
    text: String,
    bytes: Vec<u8>,
    amount: i64,
    numbers: Vec<u32>,
}

impl WriteJson for Written {
    fn write_json(&self, out: ValueWriter<'_>) {
        let seats = self.numbers.iter().zip((0..8).filter_map(Seat::new));
        let seats: Vec<(Seat, u32)> = seats.map(|(n, seat)| (seat, *n)).collect();
        out.obj(|o| {
            o.member("amount").decimal(self.amount);
            o.member("hex").hex(&self.bytes);
            o.member("nothing").obj(|_| {});
            o.member("numbers").arr(&self.numbers, |n, out| out.int(*n));
            o.member("seats").seats(seats.iter().map(|(seat, n)| (seat, n)), |n, out| out.int(*n));
            o.member("text").str(&self.text);
        });
    }
}

#[test]
#[should_panic(expected = "b before a")]
fn members_out_of_their_order_are_not_written() {
    struct Wrong;
    impl WriteJson for Wrong {
        fn write_json(&self, out: ValueWriter<'_>) {
            out.obj(|o| {
                o.member("b").int(1_u8);
                o.member("a").int(2_u8);
            });
        }
    }
    WriteJson::to_bytes(&Wrong);
}

proptest! {
    #[test]
    fn what_is_written_at_once_is_what_a_tree_of_values_says(
        text in "[ -~]{0,8}",
        bytes in prop::collection::vec(any::<u8>(), 0..100),
        amount in any::<i64>(),
        numbers in prop::collection::vec(any::<u32>(), 0..8),
    ) {
        let int = |n: &u32| Json::Int(u64::from(*n));
        let seats = (0..).zip(&numbers).map(|(seat, n): (u8, _)| (seat.to_string(), int(n)));
        let tree = Json::obj([
            ("amount", Json::str(amount)),
            ("hex", Json::Str(hex::encode(&bytes).into())),
            ("nothing", Json::obj([])),
            ("numbers", Json::arr(numbers.iter().map(int))),
            ("seats", Json::Obj(seats.collect())),
            ("text", Json::str(&text)),
        ]);
        let written = Written { text, bytes, amount, numbers };
        prop_assert_eq!(written.to_json(), tree.clone());
        prop_assert_eq!(WriteJson::to_bytes(&written), tree.to_bytes());
    }

    #[test]
    fn what_is_written_is_read_back(value in json()) {
        let bytes = value.to_bytes();
        prop_assert_eq!(Json::parse_canonical(&bytes), Ok(value));
    }

    #[test]
    fn an_independent_parser_reads_the_same(value in json()) {
        // serde_json neither sorts nor escapes in this way, so only the values are compared.
        let theirs: serde_json::Value = serde_json::from_slice(&value.to_bytes()).unwrap();
        let theirs = theirs.to_string();
        prop_assert_eq!(Json::parse(theirs.as_bytes()), Ok(value));
    }

    #[test]
    fn text_of_any_language_is_read_as_another_library_writes_it(text in any::<String>()) {
        let theirs = serde_json::to_vec(&text).unwrap();
        prop_assert_eq!(Json::parse(&theirs), Ok(Json::Str(text.into())));
    }

    #[test]
    fn members_are_set_and_taken_in_any_order(
        steps in prop::collection::vec((any::<bool>(), "[a-d]{1,2}", any::<u32>()), 0..30),
    ) {
        let (mut ours, mut tree) = (Object::default(), BTreeMap::new());
        for (sets, key, number) in steps {
            let value = Json::Int(number.into());
            if sets {
                prop_assert_eq!(ours.insert(key.clone(), value.clone()), tree.insert(key, value));
            } else {
                prop_assert_eq!(ours.remove(&key), tree.remove(&key));
            }
            let members: Vec<_> = tree.iter().map(|(key, value)| (key.as_str(), value)).collect();
            prop_assert_eq!(ours.iter().collect::<Vec<_>>(), members);
            prop_assert_eq!((ours.len(), ours.is_empty()), (tree.len(), tree.is_empty()));
            prop_assert!(tree.iter().all(|(key, value)| ours.get(key) == Some(value)));
        }
    }

    #[test]
    fn what_is_read_as_canonical_is_written_so(
        bytes in r#"\{("[ab"\\\\/é]{0,2}":([0-9]{1,3}|"[a\\\\"/n ]{0,3}"|\[\]| ?true)[, ]{0,2}){0,3}\}"#
    ) {
        let bytes = bytes.as_bytes();
        if let Ok(value) = Json::parse(bytes) {
            let is_canonical = value.to_bytes() == bytes && bytes.iter().all(u8::is_ascii);
            prop_assert_eq!(Json::parse_canonical(bytes).is_ok(), is_canonical);
        }
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
        if let Ok(value) = Json::parse_canonical(&bytes) {
            prop_assert_eq!(value.to_bytes(), bytes);
        }
    }
}
