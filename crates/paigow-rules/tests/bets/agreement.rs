//! Compares the two implementations on a sample of hands.

use std::collections::BTreeSet;

use paigow_rules::cards::Card;
use paigow_rules::game::{CardTerm, ColourChoice, DealtHand};
use paigow_rules::hands::{JokerUse, canonical_hands};

use super::census::{COLOURINGS, every_hand, terms};
use super::naive;

fn agrees(cards: &[Card], terms: &[CardTerm]) {
    let hand = DealtHand::of(cards, JokerUse::SemiWild).unwrap();
    let holds = |term: &&CardTerm| term.holds(&hand, Some(ColourChoice::Red));
    let met: BTreeSet<String> = terms.iter().filter(holds).map(ToString::to_string).collect();
    assert_eq!(met, naive::met(cards), "{cards:?}");
}

#[test]
fn a_second_implementation_agrees_on_a_sample_of_seven_cards() {
    let (mut tried, terms) = (0, terms(7));
    for (number, canonical) in canonical_hands::<7>().enumerate() {
        // A prime stride, so that the sample meets every pattern of the enumeration.
        if number % 499 == 0 {
            agrees(&canonical.cards(COLOURINGS[number % 3]), &terms);
            tried += 1;
        }
    }
    assert_eq!(tried, 6_972_147 / 499 + 1);
}

#[test]
fn a_second_implementation_agrees_on_a_sample_of_six_cards() {
    let (mut number, mut tried, terms) = (0, 0, terms(6));
    every_hand(6, |cards| {
        if number % 1_999 == 0 {
            agrees(cards, &terms);
            tried += 1;
        }
        number += 1;
    });
    assert_eq!((number, tried), (22_957_480, 22_957_480 / 1_999 + 1));
}
