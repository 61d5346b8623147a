use super::*;
use crate::game::Currency;
use crate::game::sheet::{TableFact, TableFacts, Wager, WagerSheet};

fn numbers(cards: &[Card]) -> Vec<u8> {
    cards.iter().map(|card| card.number()).collect()
}

#[test]
fn one_eight_and_fifteen_name_the_player_dealer() {
    // The source: "The player-dealer's position is always one, eight, and
    // fifteen." Three dice never show one.
    for (dice, position) in [
        ([1, 1, 1], 2),
        ([1, 1, 2], 3),
        ([2, 2, 3], 6),
        ([2, 3, 3], 0),
        ([3, 3, 3], 1),
        ([4, 5, 5], 6),
        ([5, 5, 5], 0),
        ([6, 6, 6], 3),
    ] {
        assert_eq!(first_position(dice, 7), position, "{dice:?}");
    }
}

#[test]
fn rows_go_left_to_right_and_right_to_left_in_turn() {
    // Pile 0 of the fresh deck: 0; 7 + 6; 14; 21 + 6; 28; 35 + 6; 42.
    let hands = zigzag(&Deck::FRESH, 0, 0);
    assert_eq!(numbers(&hands[Seat::DEALER]), [0, 13, 14, 27, 28, 41, 42]);
    // Pile 3 is the middle, the same from both sides.
    let three = Seat::new(3).unwrap();
    assert_eq!(numbers(&hands[three]), [3, 10, 17, 24, 31, 38, 45]);
}

#[test]
fn the_action_pile_goes_to_the_first_position_and_the_others_follow_clockwise() {
    let hands = zigzag(&Deck::FRESH, 5, 2);
    // Position 5 gets pile 2, position 6 pile 3, position 0 pile 4.
    let pile = |number: u8| hands[Seat::new(number).unwrap()][0].number();
    assert_eq!([5, 6, 0, 1, 2, 3, 4].map(pile), [2, 3, 4, 5, 6, 0, 1]);
}

#[test]
fn every_card_but_the_last_four_is_dealt_once_whatever_the_dice_and_the_pile() {
    for first in 0..7 {
        for action_pile in 0..7 {
            let hands = zigzag(&Deck::FRESH, first, action_pile);
            assert!(hands.values().all(|hand| hand.len() == 7));
            let mut dealt: Vec<u8> = hands.values().flat_map(|hand| numbers(hand)).collect();
            dealt.sort_unstable();
            assert_eq!(dealt, (0..49).collect::<Vec<u8>>());
        }
    }
}

/// Deals the fresh deck to a table of `file` whose base wagers are at `seats`.
fn dealt(file: &str, seats: &[u8], dice: [u8; 3]) -> TableDeal {
    let ruleset = Ruleset::parse(file).unwrap();
    let wagers = seats.iter().map(|&number| Wager {
        seat: Seat::new(number).unwrap(),
        bet: "base".into(),
        amount_minor: 100,
        choice: None,
    });
    let chip = ruleset.required_facts().contains(&TableFact::ChipMinor).then_some(100);
    let sheet = WagerSheet {
        currency: Currency::new("USD", 2).unwrap(),
        wagers: wagers.collect(),
        facts: TableFacts { chip_minor: chip, ..TableFacts::default() },
    };
    let table = ruleset.check(&sheet).unwrap();
    ruleset.deal(&table, &Deck::FRESH, dice)
}

/// The first cards of the positions in order of their numbers.
fn first_cards(dealt: &TableDeal) -> Vec<(u8, u8)> {
    dealt.hands().iter().map(|(seat, hand)| (seat.number(), hand[0].number())).collect()
}

fn street_ends(file: &str) -> Vec<u8> {
    Ruleset::parse(file).unwrap().street_ends()
}

const EXPRESS: &str = include_str!("../rulesets/express.toml");
const EXPRESS_ACTIVE: &str = include_str!("../rulesets/express-active.toml");
const ONLINE: &str = include_str!("../rulesets/online.toml");
const MANIA: &str = include_str!("../rulesets/mania.toml");
const MINI: &str = include_str!("../rulesets/mini.toml");
const MINI_ACTIVE: &str = include_str!("../rulesets/mini-active.toml");
const MINI_SIX: &str = include_str!("../rulesets/mini-six.toml");

#[test]
fn express_deals_packets_counter_clockwise_from_the_position_the_dice_name() {
    // 1 + 1 + 2 = 4 names position 3; then 2, 1, 0, 6, 5, 4.
    let dealt = dealt(EXPRESS, &[1], [1, 1, 2]);
    let packets = [(0, 21), (1, 14), (2, 7), (3, 0), (4, 42), (5, 35), (6, 28)];
    assert_eq!(first_cards(&dealt), packets);
    assert_eq!(numbers(&dealt.hands()[position(3)]), (0..7).collect::<Vec<u8>>());
    assert_eq!(dealt.first, position(3));
    assert_eq!(street_ends(EXPRESS), [7]);
}

#[test]
fn express_may_skip_the_seats_without_a_base_wager_and_never_the_dealer() {
    // The order 3, 2, 1, 0, 6, 5, 4 without 3, 2 and 6.
    let dealt = dealt(EXPRESS_ACTIVE, &[1, 4, 5], [1, 1, 2]);
    assert_eq!(first_cards(&dealt), [(0, 7), (1, 0), (4, 21), (5, 14)]);
    // "The next active seating position with a wager will receive the first card packet."
    assert_eq!((dealt.first, dealt.action_seat), (position(1), position(1)));
}

#[test]
fn the_dealer_is_not_dealt_to_first_for_a_seat_that_is_passed_over() {
    // 1 + 1 + 1 = 3 names position 2; then 1, 0, 6, 5, 4, 3. The next seat with a wager is 5.
    let dealt_to = |seats: &[u8], dice| dealt(EXPRESS_ACTIVE, seats, dice);
    let late = dealt_to(&[4, 5], [1, 1, 1]);
    assert_eq!(first_cards(&late), [(0, 14), (4, 7), (5, 0)]);
    assert_eq!((late.first, late.action_seat), (position(5), position(5)));
    // 2 + 3 + 3 = 8 names the dealer.
    assert_eq!(first_cards(&dealt_to(&[4, 5], [2, 3, 3])), [(0, 0), (4, 14), (5, 7)]);
}

#[test]
fn online_deals_packets_clockwise() {
    // 6 + 6 + 1 = 13 names position 5; then 6, 0, 1, 2, 3, 4.
    let dealt = dealt(ONLINE, &[2], [6, 6, 1]);
    let packets = [(0, 14), (1, 21), (2, 28), (3, 35), (4, 42), (5, 0), (6, 7)];
    assert_eq!(first_cards(&dealt), packets);
}

#[test]
fn mania_deals_three_cards_to_each_position_and_then_four() {
    // 2 + 3 + 3 = 8 names the dealer; position 2 is the third.
    let dealt = dealt(MANIA, &[2], [2, 3, 3]);
    assert_eq!(numbers(&dealt.hands()[position(2)]), [6, 7, 8, 29, 30, 31, 32]);
    assert_eq!(numbers(&dealt.hands()[Seat::DEALER]), [0, 1, 2, 21, 22, 23, 24]);
    assert_eq!(street_ends(MANIA), [3, 7]);
    assert_eq!((dealt.first, dealt.action_seat), (Seat::DEALER, position(1)));
}

#[test]
fn mini_deals_packets_of_six_to_the_seats_and_then_to_the_dealer_whoever_sits() {
    for seats in [&[1][..], &[7], &[2, 5]] {
        let dealt = dealt(MINI, seats, [6, 6, 6]);
        let packets = [(0, 42), (1, 0), (2, 6), (3, 12), (4, 18), (5, 24), (6, 30), (7, 36)];
        assert_eq!(first_cards(&dealt), packets);
    }
    assert_eq!(street_ends(MINI), [6]);
}

#[test]
fn mini_with_dice_counts_its_positions_clockwise() {
    // 1 + 1 + 1 = 3 names position 2 of seven; then 3, 4, 5, 6, 0, 1.
    let six = first_cards(&dealt(MINI_SIX, &[1], [1, 1, 1]));
    assert_eq!(six, [(0, 30), (1, 36), (2, 0), (3, 6), (4, 12), (5, 18), (6, 24)]);
    let with_dice = MINI.replace("dice = \"none\"", "dice = \"three\"");
    // The same dice name position 2 of eight, and 3 + 3 + 3 = 9 the dealer's.
    let dealt_to = |dice| first_cards(&dealt(&with_dice, &[1], dice));
    assert_eq!(dealt_to([1, 1, 1])[2], (2, 0));
    assert_eq!(dealt_to([1, 1, 1])[1], (1, 42));
    assert_eq!(dealt_to([3, 3, 3])[0], (0, 0));
}

#[test]
fn mini_may_deal_to_active_seats_only() {
    // Seats 2 and 5 and then the dealer, without dice.
    assert_eq!(first_cards(&dealt(MINI_ACTIVE, &[2, 5], [6, 6, 6])), [(0, 12), (2, 0), (5, 6)]);
}
