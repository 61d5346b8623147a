use super::*;

fn set(codes: &str) -> CardSet {
    let cards: Vec<Card> = codes.split_whitespace().map(|code| code.parse().unwrap()).collect();
    CardSet::of(&cards).unwrap()
}

#[test]
fn cards_come_in_the_order_of_the_fresh_deck() {
    let all: Vec<Card> = Card::all().collect();
    assert_eq!(CardSet::of(&all).map(CardSet::len), Some(53));
    assert!(CardSet::of(&all).unwrap().eq(Card::all()));
    assert!(set("Jk As 2c Kd").map(Card::code).eq(["2c", "Kd", "As", "Jk"]));
    assert_eq!((set("").first(), set("").is_empty()), (None, true));
}

#[test]
fn a_card_that_is_there_twice_makes_no_set() {
    assert_eq!(CardSet::of(&[Card::JOKER, Card::JOKER]), None);
    let joker = CardSet::of_one(Card::JOKER);
    assert_eq!(joker.with(&[Card::JOKER]), joker);
}

#[test]
fn sets_are_parted() {
    let hand = set("Ac Ah Kd Jk");
    assert_eq!(hand.within(CardSet::of_rank(Rank::Ace)), set("Ac Ah"));
    assert_eq!(hand.without(CardSet::of_rank(Rank::Ace)), set("Kd Jk"));
    assert_eq!(CardSet::of_rank(Rank::Ace), set("Ac Ad Ah As"));
}
