use std::array;

use super::super::setting::{CitedClause, LowCards};
use super::super::{Clause, shipped};
use super::*;
use crate::hands::Wheel;

/// Puts the two cards in front for which `chosen` is highest.
fn front_by<'a, K: Ord>(
    clause: &'a Clause,
    cards: &[Card],
    chosen: impl Fn(&Card) -> K,
) -> Option<Setting<'a>> {
    let mut cards: [Card; 7] = cards.try_into().ok()?;
    cards.sort_by_key(chosen);
    let [.., first, second] = cards;
    let mut high: [Card; 5] = array::from_fn(|place| cards[place]);
    high.sort_unstable();
    let low = LowCards::two([first, second]);
    Some(Setting::of(low, high, CitedClause::new(clause, None), Wheel::Second.into()))
}

fn breach<'a>(set: impl Fn(&[Card]) -> Option<Setting<'a>>) -> Breach {
    prove_hands_of::<7>(set, Wheel::Second.into(), 0, 499, |_| {}).unwrap_err().breach
}

fn clause() -> &'static Clause {
    &shipped()[0].clauses()[0]
}

#[test]
fn a_way_without_an_answer_is_refuted() {
    assert_eq!(breach(|_| None), Breach::Unset);
}

#[test]
fn a_way_with_the_highest_cards_in_front_is_refuted_as_foul() {
    let foul = breach(|cards| front_by(clause(), cards, |card| card.rank_or_ace()));
    assert_eq!(foul, Breach::Foul(clause().id.clone()));
}

#[test]
fn a_way_that_looks_at_the_suits_is_refuted() {
    // The first two cards of the fresh deck: the lowest clubs.
    let breach = breach(|cards| {
        let setting = front_by(clause(), cards, |card| std::cmp::Reverse(*card))?;
        let low = LowHand::of_cards(&setting.low, Wheel::Second)?;
        let is_legal = !is_foul(low, HighHand::of(&setting.high, Wheel::Second));
        // Foul settings are replaced, because the proof would report them first.
        if is_legal { Some(setting) } else { shipped()[0].set(cards) }
    });
    assert!(matches!(breach, Breach::DependsOnSuits(_)), "{breach:?}");
}

#[test]
fn a_way_that_drops_a_card_is_refuted() {
    let breach = breach(|cards| {
        let mut setting = shipped()[0].set(cards)?;
        setting.high[0] = setting.low[0];
        Some(setting)
    });
    assert_eq!(breach, Breach::OtherCards);
}

#[test]
fn a_refutation_says_which_hand_is_set_how() {
    let cards: Vec<Card> = "9c 2h".split(' ').flat_map(str::parse).collect();
    for (breach, text) in [
        (Breach::Unset, "9c 2h: is not set"),
        (Breach::OtherCards, "9c 2h: is set with other cards"),
        (Breach::Foul("K1".to_owned()), "9c 2h: is set foul by K1"),
        (Breach::DependsOnSuits(cards.clone()), "9c 2h: is set unlike 9c 2h"),
    ] {
        assert_eq!(Refutation { cards: cards.clone(), breach }.to_string(), text);
    }
}

#[test]
fn the_shares_of_a_proof_add_up() {
    let way = &shipped()[0];
    let whole = way.prove(0, 1_000, |_| {}).unwrap();
    let mut parts = Proof::default();
    let mut told = 0;
    for first in [0, 1_000, 2_000] {
        parts.add(way.prove(first, 3_000, |hands| told += hands).unwrap());
    }
    assert_eq!(parts, whole);
    assert_eq!(told, whole.hands);
}
