use super::*;

#[test]
fn a_hand_is_its_packets_one_after_another() {
    let deck: Vec<Card> = Card::all().collect();
    let hand = Hand::of(&deck[..3]).and_then(|hand| hand.with(&deck[40..44])).unwrap();
    assert_eq!(hand[..], [&deck[..3], &deck[40..44]].concat()[..]);
    assert_eq!(hand.to_string(), "2c 3c 4c 3s 4s 5s 6s");
    assert_eq!(Hand::of(&hand), Some(hand));
}

#[test]
fn no_hand_has_eight_cards() {
    let deck: Vec<Card> = Card::all().collect();
    assert_eq!(Hand::of(&deck[..7]).map(|hand| hand.len()), Some(7));
    assert_eq!(Hand::of(&deck[..8]), None);
    assert_eq!(Hand::of(&deck[..6]).and_then(|hand| hand.with(&deck[6..8])), None);
    assert_eq!(Hand::of(&deck[..1]).and_then(|hand| hand.with(&deck[1..8])), None);
    assert!(Hand::of(&[]).is_some_and(|hand| hand.is_empty() && hand == Hand::EMPTY));
}

#[test]
fn the_debug_of_a_hand_tells_no_card() {
    let hand = Hand::of(&[Card::JOKER]).unwrap();
    assert_eq!(format!("{hand:?}"), "Hand(1 cards)");
}
