use std::collections::BTreeMap;

use super::*;

#[test]
fn amounts_have_one_spelling() {
    for (text, value) in [("0", 0), ("1", 1), ("-10", -10), ("9223372036854775807", i64::MAX)] {
        assert_eq!(parse_money(text), Some(value));
    }
    for text in ["", "-", "-0", "00", "01", "+1", "1.0", " 1", "1e2", "9223372036854775808"] {
        assert_eq!(parse_money(text), None, "{text}");
    }
}

#[test]
fn a_member_left_over_is_an_error_by_path() {
    let value = Json::obj([("a", Json::obj([("b", Json::Int(1)), ("c", Json::Int(2))]))]);
    let mut members = Members::of(value).unwrap();
    let error = members.object("a", |a| a.int("b", 1)).unwrap_err();
    assert_eq!(error.to_string(), "a.c: an unknown member");
}

#[test]
fn an_error_names_where_it_is_from_the_beginning_of_the_payload() {
    fn wager(members: &mut Members) -> Result<u64, PayloadError> {
        members.object("chip", |chip| chip.int("amount", 9))
    }
    fn seats(members: &mut Members) -> Result<BTreeMap<Seat, Vec<u64>>, PayloadError> {
        members.by_seat("seats", |m, key| m.object(key, |m| m.objects("wagers", wager)))
    }
    for (payload, error) in [
        ("7", ": not an object"),
        (r#"{"seats":7}"#, "seats: not an object"),
        (r#"{"seats":{"2":7}}"#, "seats.2: not an object"),
        (r#"{"seats":{"1":{"wagers":[]},"9":{}}}"#, "seats.9: not a seat"),
        (r#"{"seats":{"2":{"wagers":7}}}"#, "seats.2.wagers: not an array"),
        (r#"{"seats":{"2":{"wagers":[7]}}}"#, "seats.2.wagers[0]: not an object"),
        (
            r#"{"seats":{"2":{"wagers":[{"chip":{"amount":9}},{"chip":{"amount":10}}]}}}"#,
            "seats.2.wagers[1].chip.amount: not an integer in range",
        ),
        (
            r#"{"seats":{"2":{"wagers":[{"chip":{"amount":9,"b":1}}]}}}"#,
            "seats.2.wagers[0].chip.b: an unknown member",
        ),
    ] {
        let value = Json::parse_canonical(payload.as_bytes()).unwrap();
        let read = Members::of(value).and_then(|mut members| seats(&mut members));
        assert_eq!(read.unwrap_err().to_string(), error, "{payload}");
    }
}
