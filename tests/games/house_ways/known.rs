//! The published settings of the three ways of the sources.

use std::collections::BTreeSet;

use paigow_rules::cards::Card;
use paigow_rules::hands::{HighHand, Wheel};

use super::{cards, way};

#[derive(serde::Deserialize)]
struct Known {
    id: String,
    cards: Vec<String>,
    low: Vec<String>,
    high: Vec<String>,
    clause: String,
    high_category: String,
}

fn parse(codes: &[String]) -> Vec<Card> {
    cards(codes.iter().map(String::as_str))
}

/// Sets the hands of a file of known answers. Returns the clauses of the way that none
/// of them cites.
fn not_cited(id: &str, file: &str) -> Vec<String> {
    let way = way(id);
    let mut cited = BTreeSet::new();
    for line in file.lines() {
        let known: Known = serde_json::from_str(line).unwrap();
        let setting = way.set(&parse(&known.cards)).unwrap();
        assert_eq!(setting.clause.id(), known.clause, "{}", known.id);
        assert_eq!(setting.low[..], parse(&known.low)[..], "{}", known.id);
        assert_eq!(setting.high[..], parse(&known.high)[..], "{}", known.id);
        let category = HighHand::of(&setting.high, Wheel::Second).category();
        assert_eq!(category.name(), known.high_category, "{}", known.id);
        cited.extend(known.clause.split('/').map(str::to_owned));
    }
    let clauses = way.clauses().iter().map(|clause| clause.id.clone());
    clauses.filter(|id| !cited.contains(id)).collect()
}

#[test]
fn mikes_sets_the_known_hands() {
    let left = not_cited(
        "mikes",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/house-ways-mikes.jsonl")),
    );
    assert!(left.is_empty(), "every clause has a known hand: {left:?}");
}

#[test]
fn mini_sets_the_known_hands() {
    let left = not_cited(
        "mini",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/house-ways-mini.jsonl")),
    );
    assert!(left.is_empty(), "every clause has a known hand: {left:?}");
}

#[test]
fn online_sets_the_known_hands() {
    let left = not_cited(
        "online",
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/vectors/house-ways-online.jsonl")),
    );
    // No hand reaches these: the long form of the proofs.
    assert_eq!(left, ["O4ex", "S7AJ", "S7J7"]);
}
