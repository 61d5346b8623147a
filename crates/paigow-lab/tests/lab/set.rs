//! `paigow-lab set` against the published house-way vectors.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::binary::{lines, run};

const VECTORS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../tests/vectors/house-ways-mikes.jsonl"
));

fn set(cards: &Value) -> BTreeSet<&str> {
    cards.as_array().unwrap().iter().map(|card| card.as_str().unwrap()).collect()
}

#[test]
fn every_published_hand_is_set_as_published() {
    let output = run(&["set", "mikes"], VECTORS.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    let answers = lines(&output);
    assert_eq!(answers.len(), VECTORS.lines().count());
    for (line, answer) in VECTORS.lines().zip(&answers) {
        let vector: Value = serde_json::from_str(line).unwrap();
        let id = &vector["id"];
        assert_eq!(set(&answer["low"]), set(&vector["low"]), "{id}");
        assert_eq!(set(&answer["high"]), set(&vector["high"]), "{id}");
        assert_eq!(answer["clause"], vector["clause"], "{id}");
        assert!(answer["text"].as_str().is_some_and(|text| !text.is_empty()), "{id}");
    }
}

#[test]
fn a_bad_line_is_answered_in_its_place_and_in_the_exit_code() {
    let first = VECTORS.lines().next().unwrap();
    let output = run(&["set", "mikes"], format!("{first}\nno hand\n{first}").as_bytes());
    assert_eq!(output.status.code(), Some(1));
    let answers = lines(&output);
    assert_eq!(answers.len(), 3);
    assert_eq!(answers[1]["line"], 2);
    assert_eq!(answers[0], answers[2]);
}

#[test]
fn an_unknown_house_way_is_a_usage_error_that_names_the_known_ones() {
    let output = run(&["set", "nobodys"], b"");
    assert_eq!(output.status.code(), Some(64));
    assert!(String::from_utf8(output.stderr).unwrap().contains("mikes"));
}
