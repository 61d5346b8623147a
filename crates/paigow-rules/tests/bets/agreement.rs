//! The two implementations against each other on a sample of hands.

use std::collections::BTreeSet;

use paigow_rules::cards::Card;
use paigow_rules::game::{ConditionsMet, DealtHand};
use paigow_rules::hands::canonical_hands;

use super::census::{COLOURINGS, every_hand};
use super::naive;

fn agrees(cards: &[Card]) {
    let met = ConditionsMet::by(&DealtHand::of(cards).unwrap()).to_string();
    let met: BTreeSet<&str> = met.split(' ').filter(|name| !name.is_empty()).collect();
    assert_eq!(met, naive::met(cards), "{cards:?}");
}

#[test]
fn a_second_implementation_agrees_on_a_sample_of_seven_cards() {
    let mut tried = 0;
    for (number, canonical) in canonical_hands::<7>().enumerate() {
        // A prime stride, so that no pattern of the enumeration is passed over.
        if number % 499 == 0 {
            agrees(&canonical.cards(COLOURINGS[number % 3]));
            tried += 1;
        }
    }
    assert_eq!(tried, 6_972_147 / 499 + 1);
}

#[test]
fn a_second_implementation_agrees_on_a_sample_of_six_cards() {
    let (mut number, mut tried) = (0, 0);
    every_hand(6, |cards| {
        if number % 1_999 == 0 {
            agrees(cards);
            tried += 1;
        }
        number += 1;
    });
    assert_eq!((number, tried), (22_957_480, 22_957_480 / 1_999 + 1));
}
