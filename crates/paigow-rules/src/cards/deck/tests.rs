use super::*;

#[test]
fn a_deck_has_all_cards_and_none_twice() {
    let mut cards: Vec<Card> = Card::all().collect();
    assert_eq!(Deck::FRESH[..], cards[..]);
    cards.swap(3, 50);
    assert_eq!(Deck::of(&cards).unwrap()[..], cards[..]);
    assert_eq!(Deck::of(&cards[1..]), None);
    cards[7] = cards[8];
    assert_eq!(Deck::of(&cards), None);
}

#[test]
fn debug_prints_no_card() {
    assert_eq!(format!("{:?}", Deck::FRESH), "Deck(..)");
}
