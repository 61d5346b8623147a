//! The house ways that are compiled in: known answers, and proofs over many hands or all.
#![allow(clippy::unwrap_used)]

mod charts;
mod compiled;
mod known;
mod notes;
mod proof;
mod wild;

use paigow_rules::cards::Card;
use paigow_rules::house_way::{HouseWay, shipped};

fn way(id: &str) -> &'static HouseWay {
    shipped().iter().find(|way| way.id() == id).unwrap()
}

/// Reads cards, and puts them in the order of the fresh deck.
fn cards<'a>(codes: impl IntoIterator<Item = &'a str>) -> Vec<Card> {
    let mut cards: Vec<Card> = codes.into_iter().map(|code| code.parse().unwrap()).collect();
    cards.sort_unstable();
    cards
}
