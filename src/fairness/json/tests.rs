//! Canonical spelling, against another parser and against itself.

use super::read::MAX_INTEGER;
use super::*;
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
fn deep_nesting_is_refused_not_recursed_into() {
    let text = "[".repeat(100_000);
    assert_eq!(Json::parse(text.as_bytes()).unwrap_err().what, "nested too deep");
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Json::Bool),
        (0..=MAX_INTEGER).prop_map(Json::Int),
        "[ -~]{0,12}".prop_map(Json::Str),
    ];
    leaf.prop_recursive(4, 32, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Json::Arr),
            prop::collection::vec(("[ -~]{0,6}", inner), 0..6)
                .prop_map(|members| Json::Obj(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_is_read_back(value in json()) {
        prop_assert_eq!(Json::parse_canonical(&value.to_bytes()), Ok(value));
    }

    #[test]
    fn an_independent_parser_reads_the_same(value in json()) {
        // serde_json sorts nothing and escapes by itself: only the values are compared.
        let theirs: serde_json::Value = serde_json::from_slice(&value.to_bytes()).unwrap();
        prop_assert_eq!(Json::parse(theirs.to_string().as_bytes()), Ok(value));
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
