//! `dealing.jsonl` and `hands.jsonl`: the cards of each position, and which hand is higher.

use std::cmp::Ordering;

use paigow_rules::cards::{Card, Deck, Seat};
use paigow_rules::game::{Currency, Ruleset, Wager, WagerSheet, WagerTable, shipped};
use paigow_rules::hands::{HighHand, JokerUse, LowHand, Ranking, Wheel, is_foul};
use serde_json::{Value, json};

use super::money::facts;
use super::{cards, confirm, dice, number, text};

pub(super) fn ruleset(id: &str) -> &'static Ruleset {
    shipped().iter().find(|ruleset| ruleset.id() == id).unwrap()
}

/// A base wager at every seat, or at those that the case names.
fn table(ruleset: &Ruleset, input: &Value) -> WagerTable {
    let mut facts = facts(&input["facts"]);
    let known = |name| ruleset.required_facts().iter().any(|fact| fact.name() == name);
    facts.bank_minor = known("bank_minor").then_some(1_000_000);
    facts.chip_minor = known("chip_minor").then_some(100);
    let wager = |seat| Wager { seat, bet: "base".into(), amount_minor: 10_000, choice: None };
    let seats: Vec<Seat> = match input.get("bases") {
        Some(bases) => {
            bases.as_array().unwrap().iter().map(|one| Seat::new(number(one)).unwrap()).collect()
        }
        None => Seat::players(ruleset.seats()).collect(),
    };
    let wagers = seats.into_iter().map(wager).collect();
    let currency = Currency::new("USD", 2).unwrap();
    ruleset.check(&WagerSheet { currency, wagers, facts }).unwrap()
}

fn deal(input: &Value) -> Value {
    let own = input.get("rulesets").map(|own| Ruleset::parse(own[0].as_str().unwrap()).unwrap());
    let ruleset = own.as_ref().unwrap_or_else(|| ruleset(text(input, "ruleset")));
    let deck = input["deck"].as_array().unwrap().iter();
    let deck: Vec<Card> = deck.map(|one| Card::from_number(number(one)).unwrap()).collect();
    let deck = Deck::of(&deck).unwrap();
    let dealt = ruleset.deal(&table(ruleset, input), &deck, dice(input));
    let codes = |cards: &[Card]| cards.iter().map(|card| card.code()).collect::<Value>();
    let hands: serde_json::Map<_, _> =
        dealt.hands().iter().map(|(seat, hand)| (seat.to_string(), codes(hand))).collect();
    json!({ "hands": hands })
}

fn of_hands(op: &str, input: &Value) -> Value {
    let joker = match input["joker"].as_str() {
        Some("wild") => JokerUse::Wild,
        _ => JokerUse::SemiWild,
    };
    let ranking = Ranking { wheel: Wheel::Second, joker };
    let high = |cards: &[Card]| HighHand::of(cards.try_into().unwrap(), ranking);
    let low = |cards: &[Card]| LowHand::of_cards(cards, ranking).unwrap();
    let hand = |member: &str| cards(&input[member]);
    let result = |compared| match compared {
        Ordering::Greater => json!({ "result": "win" }),
        Ordering::Equal => json!({ "result": "copy" }),
        Ordering::Less => json!({ "result": "lose" }),
    };
    match op {
        "high" => json!({ "category": high(&hand("cards")).category().name() }),
        "compare_high" => result(high(&hand("own")).cmp(&high(&hand("other")))),
        "compare_low" => result(low(&hand("own")).cmp(&low(&hand("other")))),
        "foul" => json!({ "foul": is_foul(low(&hand("low")), high(&hand("high"))) }),
        other => panic!("an unknown operation: {other}"),
    }
}

#[test]
fn every_position_is_dealt_what_the_kit_says() {
    confirm("dealing", &[("deal", 80)], |_, input| Some(deal(input)));
}

#[test]
fn hands_compare_as_the_kit_says() {
    let counts = [("high", 28), ("compare_high", 18), ("compare_low", 13), ("foul", 16)];
    confirm("hands", &counts, |op, input| Some(of_hands(op, input)));
}
