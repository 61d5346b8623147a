//! Tests the classes against the evaluator of five cards, against independent counts, and against
//! the published counts.

use std::collections::BTreeMap;

use super::*;
use crate::cards::{Rank, Suit};
use crate::hands::{CanonicalHand, Category, canonical_hands};

const WHEELS: [Wheel; 2] = [Wheel::Second, Wheel::Lowest];
const REVERSED: [Suit; 4] = [Suit::Spades, Suit::Hearts, Suit::Diamonds, Suit::Clubs];

#[test]
fn there_are_as_many_classes_as_combinatorics_says() {
    // Rank shapes: ways to hold 7, or 6 beside the joker, of 13 ranks four times each. Flush shapes
    // of seven naturals: 5, 6 or 7 of 13 ranks with 2, 1 or no others. Of these others there are
    // 91, 13 and 1. With the joker: 4, 5 or 6 of a suit.
    let seven = HandClasses::<7>::get();
    let natural = 1_287 * 91 + 1_716 * 13 + 1_716;
    let joker = 715 * 91 + 1_287 * 13 + 1_716;
    assert_eq!(seven.rank_shapes(), 49_205 + 18_395);
    assert_eq!(seven.len() - seven.rank_shapes(), natural + joker);
    assert_eq!((seven.rank_shapes(), natural + joker, seven.len()), (67_600, 224_653, 292_253));

    let six = HandClasses::<6>::get();
    assert_eq!(six.rank_shapes(), 18_395 + 6_175);
    assert_eq!(six.len() - six.rank_shapes(), 1_287 * 13 + 1_716 + 715 * 13 + 1_287);
}

/// Asserts that each class has hands of its own, and that all classes together have this number of
/// hands.
fn assert_classes_part_the_hands<const N: usize>(classes: &HandClasses<N>, hands: u64) {
    let mut counted = 0;
    for class in classes.all() {
        counted += classes.multiplicity(class);
        for suits in [Suit::ALL, REVERSED] {
            let cards = classes.hand(class, suits);
            let mut distinct = cards.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            assert_eq!((classes.class_of(&cards), distinct.len()), (class, N), "{cards:?}");
        }
    }
    assert_eq!(counted, hands);
}

#[test]
fn every_hand_of_seven_is_of_one_class() {
    assert_classes_part_the_hands(HandClasses::<7>::get(), 154_143_080);
}

#[test]
fn every_hand_of_six_is_of_one_class() {
    assert_classes_part_the_hands(HandClasses::<6>::get(), 22_957_480);
}

/// Asserts that a hand and its class have the same best five cards, for every naming of the suits.
fn assert_best_five<const N: usize>(classes: &HandClasses<N>, hand: CanonicalHand<N>) -> HandClass {
    let cards = hand.cards(Suit::ALL);
    let class = classes.class_of(&cards);
    for wheel in WHEELS {
        let best = classes.best_high(class, wheel);
        assert_eq!(Some(best), HighHand::best_of(&cards, wheel), "{cards:?}");
    }
    assert!(hand.namings().all(|named| classes.class_of(&named) == class), "{cards:?}");
    class
}

#[test]
fn the_best_five_are_those_of_the_evaluator_on_hands_a_prime_step_apart() {
    for hand in canonical_hands::<7>().step_by(997) {
        assert_best_five(HandClasses::<7>::get(), hand);
    }
    for hand in canonical_hands::<6>().step_by(211) {
        assert_best_five(HandClasses::<6>::get(), hand);
    }
}

/// Asserts the best five cards of every canonical hand, and the number of hands of each class that
/// the canonical hands stand for.
fn assert_every_hand<const N: usize>(classes: &HandClasses<N>) {
    let mut counted = vec![0; classes.len()];
    for hand in canonical_hands::<N>() {
        let multiplicity = hand.multiplicity();
        counted[assert_best_five(classes, hand).index()] += multiplicity;
    }
    assert!(classes.all().map(|class| classes.multiplicity(class)).eq(counted));
}

#[test]
#[ignore = "long: every hand of seven, the evaluator 42 times each"]
fn the_best_five_of_every_hand_of_seven_are_those_of_the_evaluator() {
    assert_every_hand(HandClasses::<7>::get());
}

#[test]
#[ignore = "long: every hand of six, the evaluator 12 times each"]
fn the_best_five_of_every_hand_of_six_are_those_of_the_evaluator() {
    assert_every_hand(HandClasses::<6>::get());
}

/// Counts the hands of seven cards whose class meets a condition.
fn hands(is_so: impl Fn(HandFacts, Category) -> bool) -> u64 {
    let classes = HandClasses::<7>::get();
    let is_counted = |class: &HandClass| {
        is_so(classes.facts(*class), classes.best_high(*class, Wheel::Second).category())
    };
    classes.all().filter(is_counted).map(|class| classes.multiplicity(class)).sum()
}

#[test]
fn the_best_five_of_all_hands_count_as_published() {
    // Bonus bets, section 5 item 1: in the order of poker 7,470,676 threes of a kind and
    // 11,236,028 straights; section 3, Pai Gow Bonus: the others.
    for (category, published) in [
        (Category::FiveAces, 1_128),
        (Category::RoyalFlush, 26_132),
        (Category::StraightFlush, 184_832),
        (Category::FourOfAKind, 307_472),
        (Category::FullHouse, 4_188_528),
        (Category::Flush, 6_172_088),
        (Category::Straight, 11_236_028),
        (Category::ThreeOfAKind, 7_470_676),
    ] {
        assert_eq!(hands(|_, best| best == category), published, "{category}");
    }
}

#[test]
fn the_facts_of_all_hands_count_as_published() {
    // Bonus bets, section 3: Dynasty, Protection, Queen's Dragon.
    assert_eq!(hands(|facts, _| facts.is_three_pair()), 2_862_000);
    let both = |facts: HandFacts, best| {
        facts.has_three_of_a_kind() && facts.has_straight() && best <= Category::Straight
    };
    assert_eq!(hands(both), 201_824);
    let seven_in_a_row = |facts: HandFacts| facts.is_seven_card_straight_flush();
    assert_eq!(hands(|facts, _| seven_in_a_row(facts) && !facts.has_joker()), 32);
    assert_eq!(hands(|facts, _| seven_in_a_row(facts) && facts.has_joker()), 196);
    assert_eq!(hands(|facts, _| facts.has_luhn_tao_wheel() && !seven_in_a_row(facts)), 4_320);

    let mut pai_gow = BTreeMap::new();
    for highest in Rank::ALL {
        let counted = hands(|facts, _| facts.is_pai_gow() && facts.highest() == highest);
        pai_gow.insert(highest.letter(), counted);
    }
    pai_gow.retain(|_, counted| *counted > 0);
    let published = [
        ('9', 31_080),
        ('T', 248_640),
        ('J', 963_480),
        ('Q', 2_719_500),
        ('K', 6_386_940),
        ('A', 14_430_780),
    ];
    assert_eq!(pai_gow, BTreeMap::from(published));
}

#[test]
fn a_key_grows_and_shrinks_by_a_card() {
    let cards: [Card; 7] =
        ["Ac", "Jk", "9h", "9s", "2d", "Kh", "8c"].map(|code| code.parse().unwrap());
    let key = HandKey::of(&cards);
    assert_eq!(cards.iter().rev().fold(HandKey::EMPTY, |key, card| key.plus(*card)), key);
    let [first, ..] = cards;
    assert_eq!(key.minus(first), HandKey::of(&cards[1..]));
    assert_eq!(key.minus(first).plus(first), key);
    let exchanged = key.minus(Card::JOKER).plus("3c".parse().unwrap());
    assert_ne!(HandClasses::<7>::get().class(exchanged), HandClasses::<7>::get().class(key));
}
