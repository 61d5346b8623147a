//! Tests every five-card hand against the oracle and against counts computed by hand, and the
//! special cases of the rules one by one.

mod oracle;

use std::collections::BTreeMap;

use super::*;
use crate::cards::{Card, Rank};

fn cards<const N: usize>(codes: &str) -> [Card; N] {
    let cards: Vec<Card> = codes.split(' ').map(|code| code.parse().unwrap()).collect();
    cards.try_into().unwrap()
}

/// A joker that is wild.
const WILD: Ranking = Ranking { wheel: Wheel::Second, joker: JokerUse::Wild };

fn high(codes: &str) -> HighHand {
    HighHand::of(&cards(codes), Wheel::Second)
}

fn low(codes: &str) -> LowHand {
    LowHand::of(&cards(codes), Wheel::Second)
}

fn foul(front: &str, behind: &str) -> bool {
    is_foul(low(front), high(behind))
}

/// Calls `visit` with each of the 2,869,685 hands of five.
fn every_five(mut visit: impl FnMut(&[Card; 5])) {
    let deck: Vec<Card> = Card::all().collect();
    for a in 0..53 {
        for b in a + 1..53 {
            for c in b + 1..53 {
                for d in c + 1..53 {
                    for e in d + 1..53 {
                        visit(&[deck[a], deck[b], deck[c], deck[d], deck[e]]);
                    }
                }
            }
        }
    }
}

/// Asserts that both evaluators order all hands of five alike, ties included.
fn assert_the_oracle_agrees(ranking: impl Into<Ranking>) {
    let ranking = ranking.into();
    let mut meaning: BTreeMap<HighHand, oracle::Value> = BTreeMap::new();
    every_five(|five| {
        let value = HighHand::of(five, ranking);
        let expected = oracle::value(five, ranking);
        assert_eq!(value.category(), expected.0, "{five:?}");
        match meaning.get(&value) {
            Some(known) => assert_eq!(*known, expected, "{five:?} ties with another hand"),
            None => {
                meaning.insert(value, expected);
            }
        }
    });
    // Each value has one meaning, and the meanings strictly rise, so both orders are the same.
    assert!(meaning.values().is_sorted_by(|lower, higher| lower < higher));
}

#[test]
fn the_oracle_agrees_on_every_five_cards_with_the_wheel_second() {
    assert_the_oracle_agrees(Wheel::Second);
}

#[test]
fn the_oracle_agrees_on_every_five_cards_with_the_wheel_lowest() {
    assert_the_oracle_agrees(Wheel::Lowest);
}

/// `n` choose `k`.
fn choose(n: u32, k: u32) -> u32 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

/// The counts without the joker: those of textbooks.
///
/// There are ten straights. A hand of five ranks is one of 4^5 choices of suits, and four of these
/// are flushes.
fn counts_of_naturals() -> [u32; 12] {
    let straights = 10;
    let pair = choose(4, 2);
    let trips = choose(4, 3);
    [
        (choose(13, 5) - straights) * (4_u32.pow(5) - 4),
        13 * pair * choose(12, 3) * 4_u32.pow(3),
        choose(13, 2) * pair * pair * 11 * 4,
        13 * trips * choose(12, 2) * 4 * 4,
        straights * (4_u32.pow(5) - 4),
        (choose(13, 5) - straights) * 4,
        13 * trips * 12 * pair,
        13 * 48,
        (straights - 1) * 4,
        4,
        0,
        0,
    ]
}

/// The counts with the joker beside four naturals.
///
/// Four different ranks make a straight with the joker if they lie in one of the ten straights.
/// Each straight has five such fours. Neighbours share one: the four ranks between their ends.
/// Others share none, so there are 10 * 5 - 9 = 41. A-K-Q-J-T has five of them. With an ace in
/// them, A-K-Q-J-T and A-2-3-4-5 have four each. If the cards make neither a straight nor a flush
/// (4 of the 4^4 choices of suits), the joker is an ace.
fn counts_with_the_joker() -> [u32; 12] {
    let suits = 4_u32.pow(4);
    let fours = 10 * 5 - 9;
    let fours_with_an_ace = 4 + 4;
    let pair = choose(4, 2);
    let trips = choose(4, 3);
    [
        // Four ranks below the ace.
        (choose(12, 4) - (fours - fours_with_an_ace)) * (suits - 4),
        // An ace and three other ranks; or a pair below aces and two other ranks.
        (choose(12, 3) - fours_with_an_ace) * (suits - 4) + 12 * pair * choose(11, 2) * 4 * 4,
        // An ace, a pair and another rank; or two pairs below aces.
        4 * 12 * pair * 11 * 4 + choose(12, 2) * pair * pair,
        // Two aces and two other ranks; or trips below aces and another rank.
        pair * choose(12, 2) * 4 * 4 + 12 * trips * 11 * 4,
        fours * (suits - 4),
        (choose(13, 4) - fours) * 4,
        // Two aces and a pair; or trips below aces and an ace.
        pair * 12 * pair + 12 * trips * 4,
        // Three aces and another card; or quads below aces.
        trips * 48 + 12,
        (fours - 5) * 4,
        5 * 4,
        0,
        1,
    ]
}

#[test]
fn each_category_has_as_many_hands_as_combinatorics_says() {
    let (naturals, joker) = (counts_of_naturals(), counts_with_the_joker());
    assert_eq!(naturals.iter().sum::<u32>(), choose(52, 5));
    assert_eq!(joker.iter().sum::<u32>(), choose(52, 4));
    assert_eq!(choose(52, 5) + choose(52, 4), choose(53, 5));

    let mut counted = [[0_u32; 12]; 2];
    every_five(|five| {
        let with_joker = usize::from(five.iter().any(|card| card.is_joker()));
        counted[with_joker][high_category(five) as usize] += 1;
    });
    assert_eq!(counted, [naturals, joker]);
}

fn high_category(five: &[Card; 5]) -> Category {
    HighHand::of(five, Wheel::Second).category()
}

#[test]
fn the_wheel_is_second_or_lowest_as_the_rules_say() {
    let [wheel, kings, sixes, aces] =
        ["Ac 2d 3h 4s 5c", "Kc Qd Jh Ts 9c", "6c 5d 4h 3s 2c", "Ac Kd Qh Js Tc"].map(cards::<5>);
    let second = |five| HighHand::of(five, Wheel::Second);
    assert!(second(&wheel) > second(&kings) && second(&wheel) < second(&aces));
    let lowest = |five| HighHand::of(five, Wheel::Lowest);
    assert!(lowest(&wheel) < lowest(&sixes));
    // The same holds for straight flushes.
    let [wheel, kings] = ["Ac 2c 3c 4c 5c", "Kc Qc Jc Tc 9c"].map(cards::<5>);
    assert!(second(&wheel) > second(&kings) && lowest(&wheel) < lowest(&kings));
}

#[test]
fn a_joker_with_deuce_to_five_makes_the_better_straight() {
    let five = cards("2c 3d 4h 5s Jk");
    assert_eq!(
        HighHand::of(&five, Wheel::Second),
        HighHand::of(&cards("Ac 2c 3d 4h 5s"), Wheel::Second)
    );
    assert_eq!(
        HighHand::of(&five, Wheel::Lowest),
        HighHand::of(&cards("6c 2c 3d 4h 5s"), Wheel::Lowest)
    );
}

#[test]
fn the_joker_of_a_flush_is_the_highest_rank_not_in_it() {
    assert_eq!(high("Ah Kh 9h 5h Jk"), high("Ah Kh Qh 9h 5h"));
    assert_eq!(high("Kh Qh 9h 5h Jk"), high("Ah Kh Qh 9h 5h"));
    assert!(high("Ah Kh 9h 5h Jk") > high("As Ks Js Ts 8s"));
}

#[test]
fn the_joker_completes_straights_and_straight_flushes() {
    assert_eq!(high("9c 8d 6h 5s Jk"), high("9c 8d 7c 6h 5s"));
    assert_eq!(high("9c 8c 6c 5c Jk"), high("9d 8d 7d 6d 5d"));
    assert_eq!(high("Kc Qc Jc Tc Jk").category(), Category::RoyalFlush);
    assert_eq!(high("Qc Jc Tc 9c Jk"), high("Kd Qd Jd Td 9d"));
    assert_eq!(high("3c 4c 5c Ac Jk").category(), Category::StraightFlush);
}

#[test]
fn otherwise_the_joker_is_an_ace() {
    assert_eq!(high("Ac Ad Ah As Jk").category(), Category::FiveAces);
    assert_eq!(high("Ac Kd 9h 5s Jk"), high("Ac Ad Kd 9h 5s"));
    assert_eq!(high("Kc Kd 9h 5s Jk"), high("Kc Kd Ah 9h 5s"));
    assert_eq!(high("Kc Kd Kh Ks Jk").category(), Category::FourOfAKind);
    assert_eq!(high("Kc Kd 9h 9s Jk").category(), Category::TwoPair);
    assert_eq!(low("Jk Ah").pair_rank(), Some(Rank::Ace));
    assert_eq!(low("Jk Kh"), low("Ac Kd"));
}

#[test]
fn suits_never_break_a_tie() {
    assert_eq!(high("Ac Kd 9h 5s 3c"), high("Ad Kh 9s 5c 3d"));
    assert_eq!(high("2c 4c 6c 8c Tc"), high("2s 4s 6s 8s Ts"));
    assert_eq!(low("Kc Kd"), low("Kh Ks"));
    assert_eq!(low("Kc 2d"), low("2s Kh"));
}

#[test]
fn kickers_decide_down_to_the_last() {
    assert!(high("Ac Kd 9h 5s 3c") > high("Ad Kh 9s 5c 2d"));
    assert!(high("9c 9d Ah Ks 3c") > high("9h 9s Ad Kc 2d"));
    assert!(high("9c 9d 4h 4s 3c") > high("9h 9s 4d 4c 2d"));
    assert!(high("Tc Td 2h 2s 3c") > high("9h 9s 8d 8c Ad"));
    assert!(high("9c 9d 9h 2s 2c") > high("8h 8s 8d Ac Ad"));
    assert!(low("2c 2d") > low("Ac Kd"));
    assert!(low("Ac 3d") > low("Ac 2d"));
    assert!(low("Ac 2d") > low("Kc Qd"));
}

#[test]
fn a_pair_in_front_of_a_high_card_hand_is_foul() {
    assert!(foul("2c 2d", "Ac Kd Qh Js 9c"));
}

#[test]
fn a_pair_in_front_of_a_lower_pair_is_foul() {
    assert!(foul("Kc Kd", "Qc Qd Ah Js 9c"));
    assert!(foul("Jk As", "Kc Kd Qh Js 9c"));
}

#[test]
fn a_pair_in_front_of_an_equal_pair_is_legal() {
    assert!(!foul("Qc Qd", "Qh Qs 4c 3d 2h"));
    assert!(!foul("Jk As", "Ac Ad 4c 3d 2h"));
}

#[test]
fn unpaired_cards_are_compared_with_the_two_top_cards() {
    assert!(foul("Ac 2d", "Kc Qd Jh 9s 8c"));
    assert!(foul("Ac Qd", "As Jd Th 9s 7c"));
    assert!(!foul("Ac Jd", "As Jh Th 9s 7c"));
    assert!(!foul("Ac Td", "As Jh 9h 8s 7c"));
    assert!(foul("Jk 2d", "Kc Qd Jh 9s 8c"));
    assert!(!foul("Kc Qd", "Jk Jd 9h 8s 6c"));
}

#[test]
fn nothing_is_foul_in_front_of_two_pair_or_better() {
    for behind in [
        "3c 3d 2h 2s 4c",
        "2c 2d 2h 3s 4c",
        "2c 3d 4h 5s 6c",
        "2c 3c 4c 5c 7c",
        "2c 2d 2h 3s 3c",
        "2c 2d 2h 2s 3c",
        "2c 3c 4c 5c 6c",
    ] {
        assert!(!foul("Ah Jk", behind), "{behind}");
    }
    assert!(!foul("Ac Kd", "2c 2d 3h 4s 5c"), "unpaired cards in front of a pair");
}

fn one(code: &str) -> LowHand {
    LowHand::of_one(code.parse().unwrap())
}

#[test]
fn one_card_counts_by_its_rank_and_the_joker_is_above_the_ace() {
    assert!(one("2c") < one("3c") && one("Kc") < one("Ac") && one("Ac") < one("Jk"));
    assert_eq!(one("9c"), one("9s"));
    assert_eq!((one("Jk").top_rank(), one("Jk").second_rank()), (Rank::Ace, None));
    assert_eq!((one("Jk").category(), one("Jk").pair_rank()), (Category::HighCard, None));
}

#[test]
fn one_card_is_foul_in_front_of_a_high_card_hand_with_a_lower_top_card() {
    // Rules of the games: "joker in front of ace high is legal, in front of king high
    // foul".
    let foul = |front, behind| is_foul(one(front), high(behind));
    assert!(foul("Ac", "Kc Qd Jh 9s 8c") && foul("Jk", "Kc Qd Jh 9s 8c"));
    assert!(!foul("Jk", "As Qd Jh 9s 8c") && !foul("Ac", "As Qd Jh 9s 8c"));
    assert!(!foul("Kc", "Jk Qd Jh 9s 7c") && foul("Ac", "Qd Jh 9s 8c 7c"));
    assert!(!foul("Jk", "2c 2d 3h 4s 5c"), "any pair behind is enough");
}

#[test]
fn a_low_hand_is_of_one_or_two_cards() {
    let of = |codes: &str| {
        let cards: Vec<Card> = codes.split_terminator(' ').map(|c| c.parse().unwrap()).collect();
        LowHand::of_cards(&cards, Wheel::Second)
    };
    assert_eq!(of("Jk"), Some(one("Jk")));
    assert_eq!(of("6d 6c"), Some(low("6c 6d")));
    assert_eq!((of(""), of("6c 6d 6h")), (None, None));
}

#[test]
fn the_best_five_are_found_among_more() {
    assert_eq!(
        HighHand::best_of(&cards::<7>("2c 7d Ah Kh 9h 5h Jk"), Wheel::Second),
        Some(high("Ah Kh 9h 5h Jk"))
    );
    assert_eq!(HighHand::best_of(&cards::<4>("2c 7d Ah Kh"), Wheel::Second), None);
    assert_eq!(
        HighHand::best_of(&cards::<5>("2c 7d Ah Kh Jk"), Wheel::Second),
        Some(high("2c 7d Ah Kh Jk"))
    );
}

#[test]
fn a_complete_hand_is_a_straight_or_better() {
    assert!(high("2c 3d 4h 5s 6c").is_complete());
    assert!(high("Ac Ad Ah As Jk").is_complete());
    assert!(!high("Ac Ad Ah Ks Qc").is_complete());
}

/// Every single hand of five, and a sample of hands of seven at a prime stride.
#[test]
fn straights_and_flushes_are_found_as_the_evaluator_finds_them() {
    let within_five = |five: &[Card; 5]| match high_category(five) {
        Category::Straight | Category::Flush | Category::StraightFlush | Category::RoyalFlush => {
            true
        }
        Category::HighCard
        | Category::Pair
        | Category::TwoPair
        | Category::ThreeOfAKind
        | Category::FullHouse
        | Category::FourOfAKind
        | Category::FiveOfAKind
        | Category::FiveAces => false,
    };
    every_five(|five| assert_eq!(holds_straight_or_flush(five), within_five(five), "{five:?}"));

    let deck: Vec<Card> = Card::all().collect();
    let mut number = 0_usize;
    every_five(|five| {
        number += 1;
        if !number.is_multiple_of(101) {
            return;
        }
        let mut others = deck.iter().filter(|card| !five.contains(card));
        let sixth = *others.nth(number % 40).unwrap();
        let seventh = *others.next().unwrap();
        let seven = [five[0], five[1], five[2], five[3], five[4], sixth, seventh];
        let mut found = false;
        for leave in 0..7 {
            for also in leave + 1..7 {
                let rest: Vec<Card> = (0..7)
                    .filter(|place| *place != leave && *place != also)
                    .map(|place| seven[place])
                    .collect();
                found |= within_five(&rest.try_into().unwrap());
            }
        }
        assert_eq!(holds_straight_or_flush(&seven), found, "{seven:?}");
    });
}

#[test]
fn every_hand_of_five_with_a_wild_joker_is_what_the_oracle_says() {
    assert_the_oracle_agrees(WILD);
    assert_the_oracle_agrees(Ranking { wheel: Wheel::Lowest, ..WILD });
}

/// Rule of Commission Free Pai Gow Express: "the joker can replace any card not already included in
/// the player's hand and can also be used to complete a five of a kind".
#[test]
fn a_wild_joker_makes_the_most_of_either_hand() {
    for (codes, name) in [
        ("Kc Kd Kh Ks Jk", "five kings"),
        ("Ac Ad Ah As Jk", "five aces"),
        ("Kc Kd Kh 2s Jk", "four kings, two"),
        ("Kc Kd 2h 2s Jk", "full house, kings over twos"),
        ("2c 2d 9h Ks Jk", "three twos, king nine"),
        ("2c 7d 9h Ks Jk", "pair of kings, nine seven two"),
        ("2c 3c 4c 9c Jk", "flush, ace nine four three two"),
        ("2c 3c 4c 5c Jk", "straight flush, ace to five"),
    ] {
        assert_eq!(HighHand::of(&cards(codes), WILD).to_string(), name);
    }
    let five_kings = HighHand::of(&cards("Kc Kd Kh Ks Jk"), WILD);
    assert!(HighHand::of(&cards("Ac Ad Ah As Jk"), WILD) > five_kings);
    assert!(five_kings > HighHand::of(&cards("Ac Kc Qc Jc Tc"), WILD));
    let low = |codes| LowHand::of(&cards(codes), WILD).to_string();
    assert_eq!(
        ["7c Jk", "Jk As", "7c 8d"].map(low),
        ["pair of sevens", "pair of aces", "eight seven"]
    );
}

#[test]
fn every_value_of_a_hand_is_listed_once_the_lowest_first() {
    let rankings = [Wheel::Second.into(), Wheel::Lowest.into(), WILD];
    // The 7,462 values of poker and five aces. With a wild joker, five of any rank.
    for (ranking, fives) in rankings.into_iter().zip([1, 1, 13]) {
        let mut values = std::collections::BTreeSet::new();
        every_five(|five| {
            values.insert(HighHand::of(five, ranking));
        });
        assert_eq!(values.len(), 7_462 + fives);
        assert!(every_high_hand(ranking).into_iter().eq(values));
    }
    // Two of 13 ranks or a pair; a rank, or the joker.
    for (cards, values) in [(0, 0), (1, 13 + 1), (2, 78 + 13), (3, 0)] {
        let every = every_low_hand(cards);
        assert_eq!(every.len(), values);
        assert!(every.is_sorted_by(|lower, higher| lower < higher));
    }
}

#[test]
fn hands_print_as_at_the_table() {
    for (codes, name) in [
        ("Ac Kd 9h 5s 3c", "ace high, king nine five three"),
        ("Kc Kd Ah Qs 9c", "pair of kings, ace queen nine"),
        ("6c 6d 2h 2s Ac", "two pair, sixes and twos, ace"),
        ("6c 6d 6h 2s Ac", "three sixes, ace two"),
        ("2c 3d 4h 5s 6c", "straight, six high"),
        ("Kc Qd Jh Ts Jk", "straight, ace high"),
        ("2c 3d 4h 5s Ac", "straight, ace to five"),
        ("Ah Kh 9h 5h Jk", "flush, ace king queen nine five"),
        ("Kc Kd Kh 9s 9c", "full house, kings over nines"),
        ("Kc Kd Kh Ks 9c", "four kings, nine"),
        ("9c 8c 7c 6c 5c", "straight flush, nine high"),
        ("Ac 2c 3c 4c 5c", "straight flush, ace to five"),
        ("Ac Kc Qc Jc Tc", "royal flush"),
        ("Ac Ad Ah As Jk", "five aces"),
    ] {
        assert_eq!(high(codes).to_string(), name, "{codes}");
    }
    let lowest = HighHand::of(&cards("2c 3d 4h 5s Ac"), Wheel::Lowest);
    assert_eq!(lowest.to_string(), "straight, ace to five");
    assert_eq!(low("6c 6d").to_string(), "pair of sixes");
    assert_eq!(low("Qc Jk").to_string(), "ace queen");
    for (code, name) in [("9c", "nine"), ("Ah", "ace"), ("Jk", "joker")] {
        assert_eq!(one(code).to_string(), name);
    }
}

#[test]
fn categories_are_in_order_and_named_once() {
    assert!(Category::ALL.is_sorted_by(|lower, higher| lower < higher));
    let names: std::collections::BTreeSet<_> =
        Category::ALL.iter().map(ToString::to_string).collect();
    assert_eq!(names.len(), Category::ALL.len());
}
