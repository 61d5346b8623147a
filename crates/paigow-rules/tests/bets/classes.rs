//! Compares the facts that the class of a hand decides with the conditions of the bets.

use paigow_rules::cards::{Card, Suit};
use paigow_rules::game::DealtHand;
use paigow_rules::hands::{HandClass, HandClasses, HandFacts, JokerUse, canonical_hands};

/// Asserts that the facts of a class are those of one of its hands.
fn assert_facts(facts: HandFacts, cards: &[Card]) {
    let hand = DealtHand::of(cards, JokerUse::SemiWild).unwrap();
    for (name, by_class, by_hand) in [
        ("joker", facts.has_joker(), hand.has_joker()),
        ("straight", facts.has_straight(), hand.has_straight()),
        ("flush", facts.has_flush(), hand.has_flush()),
        ("straight flush", facts.has_straight_flush(), hand.has_straight_flush()),
        ("royal flush", facts.has_royal_flush(), hand.has_royal_flush()),
        ("seven", facts.is_seven_card_straight_flush(), hand.has_suited_run(7)),
        (
            "Luhn Tao",
            facts.has_luhn_tao_wheel(),
            !hand.has_joker() && hand.has_in_one_suit(0b1_0000_0000_1111),
        ),
        ("no pair", facts.has_no_pair(), !hand.has_alike(2)),
        ("two pair", facts.has_two_pair(), hand.ranks_held_twice() >= 2),
        (
            "three pair",
            facts.is_three_pair(),
            hand.ranks_held_twice() == 3
                && !hand.has_alike(3)
                && !hand.has_straight()
                && !hand.has_flush(),
        ),
        ("three", facts.has_three_of_a_kind(), hand.has_alike(3)),
        ("four", facts.has_four_of_a_kind(), hand.has_alike(4)),
        ("full house", facts.has_full_house(), hand.has_full_house()),
        ("pai gow", facts.is_pai_gow(), hand.is_pai_gow()),
    ] {
        assert_eq!(by_class, by_hand, "{name}: {cards:?}");
    }
    assert!(hand.is_highest(facts.highest()), "{cards:?}");
}

#[test]
fn the_facts_of_every_class_are_those_of_a_hand_of_it() {
    let seven = HandClasses::<7>::get();
    for class in seven.all() {
        assert_facts(seven.facts(class), &seven.hand(class, Suit::ALL));
    }
    let six = HandClasses::<6>::get();
    for class in six.all() {
        assert_facts(six.facts(class), &six.hand(class, Suit::ALL));
    }
}

#[test]
fn the_facts_of_hands_a_prime_step_apart_are_those_of_their_classes() {
    let facts = |class: HandClass| HandClasses::<7>::get().facts(class);
    for hand in canonical_hands::<7>().step_by(101) {
        let cards = hand.cards(Suit::ALL);
        assert_facts(facts(HandClasses::<7>::get().class_of(&cards)), &cards);
    }
}
