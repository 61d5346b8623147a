//! The conformance kit answered by the crate's own functions: every case of the layers
//! below whole rounds. Hands set, rows paid and transcripts are asked of `paigow-lab`
//! (tests/system/verifiers.rs); words made up for a draw are given to it inside `fairness::shuffle`.
#![allow(clippy::unwrap_used)]

mod bytes;
mod draws;
mod money;
mod rows;
mod table;

use std::collections::BTreeMap;
use std::path::Path;

use paigow_rules::cards::{Card, Seat};
use serde_json::Value;

/// Answers the cases of a layer, and holds how many there are of each operation against
/// `counts`. `answer` gives nothing for an operation that it cannot be asked.
fn confirm(
    layer: &str,
    counts: &[(&str, usize)],
    mut answer: impl FnMut(&str, &Value) -> Option<Value>,
) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("verifiers/conformance");
    let text = std::fs::read_to_string(path.join(format!("{layer}.jsonl"))).unwrap();
    let (mut found, mut wrong) = (BTreeMap::new(), Vec::new());
    for line in text.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let op = case["op"].as_str().unwrap();
        *found.entry(op.to_owned()).or_insert(0) += 1;
        let Some(answer) = answer(op, &case["input"]) else { continue };
        if answer != case["expect"] {
            wrong.push(format!("{}: {}, found {answer}", case["case"], case["expect"]));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let counts = counts.iter().map(|(op, count)| ((*op).to_owned(), *count)).collect();
    assert_eq!(found, counts, "{layer}");
}

fn text<'a>(input: &'a Value, member: &str) -> &'a str {
    input[member].as_str().unwrap_or_else(|| panic!("no {member} in {input}"))
}

fn bytes(input: &Value, member: &str) -> Vec<u8> {
    hex::decode(text(input, member)).unwrap()
}

fn array<const N: usize>(input: &Value, member: &str) -> [u8; N] {
    bytes(input, member).try_into().unwrap()
}

fn number<T: TryFrom<u64, Error: std::fmt::Debug>>(value: &Value) -> T {
    value.as_u64().unwrap().try_into().unwrap()
}

fn seat(number: &str) -> Seat {
    Seat::new(number.parse().unwrap()).unwrap()
}

fn cards(codes: &Value) -> Vec<Card> {
    codes.as_array().unwrap().iter().map(|code| code.as_str().unwrap().parse().unwrap()).collect()
}

fn numbers(cards: &[Card]) -> Value {
    cards.iter().map(|card| card.number()).collect()
}

fn dice(input: &Value) -> [u8; 3] {
    // Without dice any will do.
    let thrown: Vec<u8> = input["dice"].as_array().unwrap().iter().map(number).collect();
    if thrown.is_empty() { [1, 1, 1] } else { thrown.try_into().unwrap() }
}
