//! Statements of the sources about whole kinds of hands, checked on samples of these.

use paigow_rules::cards::{Card, Suit};
use paigow_rules::hands::{Category, HighHand, LowHand, Wheel, canonical_hands};

use super::way;

/// Whether some split has a pair in front of a complete hand.
fn pair_and_complete_is_possible(cards: &[Card; 7]) -> bool {
    (0..7).any(|i| {
        (i + 1..7).any(|j| {
            if LowHand::of(&[cards[i], cards[j]], Wheel::Second).pair_rank().is_none() {
                return false;
            }
            let mut behind = (0..7).filter(|place| *place != i && *place != j);
            let five = [(); 5].map(|()| cards[behind.next().unwrap()]);
            HighHand::of(&five, Wheel::Second).is_complete()
        })
    })
}

#[test]
fn mikes_plays_a_pair_on_top_of_a_complete_hand_where_it_can() {
    // The note under the chart of the source: "Always play a pair on top and a complete
    // hand (straight or better) behind if possible."
    for hand in canonical_hands::<7>().step_by(29) {
        let cards = hand.cards(Suit::ALL);
        if pair_and_complete_is_possible(&cards) {
            let setting = way("mikes").set(&cards).unwrap();
            let low = LowHand::of_cards(&setting.low, Wheel::Second).unwrap();
            let high = HighHand::of(&setting.high, Wheel::Second);
            assert!(low.pair_rank().is_some() && high.is_complete(), "{cards:?}");
        }
    }
}

#[test]
fn the_online_chart_is_entered_by_the_category_of_the_best_five() {
    for hand in canonical_hands::<7>().step_by(101) {
        let cards = hand.cards(Suit::ALL);
        let id = way("online").set(&cards).unwrap().clause.id();
        let digits: String = id[1..].chars().take_while(char::is_ascii_digit).collect();
        let section: &[Category] = match digits.parse().unwrap() {
            1..=2 => &[Category::FiveAces],
            3..=5 => &[Category::RoyalFlush],
            6..=12 => &[Category::StraightFlush],
            13..=17 => &[Category::FourOfAKind],
            18..=23 | 27..=29 | 37 => &[Category::FullHouse],
            24..=26 => &[Category::Flush],
            30..=32 => &[Category::Straight],
            33..=36 => &[Category::ThreeOfAKind],
            38 => &[Category::Pair],
            39..=40 => &[Category::TwoPair],
            41..=42 => &[Category::HighCard],
            other => panic!("no rule {other}"),
        };
        let best = HighHand::best_of(&cards, Wheel::Second).unwrap().category();
        assert!(section.contains(&best), "{cards:?} by {id}");
    }
}

#[test]
fn mini_keeps_the_category_of_its_best_five_cards() {
    // House way 2. Two three of a kinds and three pairs (house ways 3 and 4) play a full
    // house and two pairs behind. A royal flush of six is a straight flush of six
    // (house way 5).
    for hand in canonical_hands::<6>().step_by(11) {
        let cards = hand.cards(Suit::ALL);
        let setting = way("mini").set(&cards).unwrap();
        let best = HighHand::best_of(&cards, Wheel::Second).unwrap().category();
        let kept = HighHand::of(&setting.high, Wheel::Second).category();
        let royal_of_six = best == Category::RoyalFlush && kept == Category::StraightFlush;
        assert!(kept == best || royal_of_six, "{cards:?} by {}", setting.clause.id());
    }
}
