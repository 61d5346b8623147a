//! The house ways that are compiled in: known answers, suits, and every hand.
#![allow(clippy::unwrap_used)]

#[path = "support/canonical.rs"]
mod canonical;

use std::collections::BTreeSet;
use std::thread;

use canonical::every_canonical;
use paigow::cards::{Card, Suit};
use paigow::hands::{HighHand, LowHand, Wheel, is_foul};
use paigow::house_way::{HouseWay, shipped};

fn way(id: &str) -> &'static HouseWay {
    shipped().iter().find(|way| way.id() == id).unwrap()
}

#[derive(serde::Deserialize)]
struct Known {
    id: String,
    cards: Vec<String>,
    low: Vec<String>,
    high: Vec<String>,
    clause: String,
    high_category: String,
}

fn parse(codes: &[String]) -> Vec<Card> {
    let mut cards: Vec<Card> = codes.iter().map(|code| code.parse().unwrap()).collect();
    cards.sort_unstable();
    cards
}

#[test]
fn mikes_sets_the_known_hands() {
    let way = way("mikes");
    let mut cited = BTreeSet::new();
    for line in include_str!("vectors/house-ways-mikes.jsonl").lines() {
        let known: Known = serde_json::from_str(line).unwrap();
        let setting = way.set(&parse(&known.cards)).unwrap();
        assert_eq!(setting.clause.id(), known.clause, "{}", known.id);
        assert_eq!(setting.low[..], parse(&known.low)[..], "{}", known.id);
        assert_eq!(setting.high[..], parse(&known.high)[..], "{}", known.id);
        let category = HighHand::of(&setting.high, Wheel::Second).category();
        assert_eq!(category.name(), known.high_category, "{}", known.id);
        cited.insert(known.clause);
    }
    let clauses: BTreeSet<String> = way.clauses().iter().map(|clause| clause.id.clone()).collect();
    assert_eq!(cited, clauses, "every clause has a known hand");
}

/// The 24 orders of four suits.
fn renamings() -> Vec<[Suit; 4]> {
    let mut orders = Vec::new();
    for a in Suit::ALL {
        for b in Suit::ALL {
            for c in Suit::ALL {
                for d in Suit::ALL {
                    if BTreeSet::from([a, b, c, d]).len() == 4 {
                        orders.push([a, b, c, d]);
                    }
                }
            }
        }
    }
    orders
}

/// Sets one hand and asserts that the setting is legal. Returns its values.
fn assert_legal(way: &HouseWay, cards: &[Card; 7]) -> (LowHand, HighHand) {
    let setting = way.set(cards).unwrap();
    let mut dealt = *cards;
    dealt.sort_unstable();
    let mut set: Vec<Card> = setting.low.iter().copied().chain(setting.high).collect();
    assert!(setting.low.is_sorted() && setting.high.is_sorted(), "{cards:?}");
    set.sort_unstable();
    assert_eq!(set[..], dealt[..]);
    let (low, high) =
        (LowHand::of_cards(&setting.low).unwrap(), HighHand::of(&setting.high, way.wheel()));
    assert!(!is_foul(low, high), "{cards:?} by {}", setting.clause.id());
    (low, high)
}

/// Whether some split has a pair in front of a complete hand.
fn pair_and_complete_is_possible(cards: &[Card; 7], wheel: Wheel) -> bool {
    (0..7).any(|i| {
        (i + 1..7).any(|j| {
            if LowHand::of(&[cards[i], cards[j]]).pair_rank().is_none() {
                return false;
            }
            let mut behind = (0..7).filter(|place| *place != i && *place != j);
            let five = [(); 5].map(|()| cards[behind.next().unwrap()]);
            HighHand::of(&five, wheel).is_complete()
        })
    })
}

/// Asserts all that is asked of one hand in one naming of its suits.
fn assert_good(way: &HouseWay, cards: &[Card; 7]) -> (LowHand, HighHand) {
    let (low, high) = assert_legal(way, cards);
    if way.id() == "mikes" && pair_and_complete_is_possible(cards, way.wheel()) {
        // The note under the chart of the source: "Always play a pair on top and a
        // complete hand (straight or better) behind if possible."
        assert!(low.pair_rank().is_some() && high.is_complete(), "{cards:?}");
    }
    (low, high)
}

#[test]
fn the_canonical_hands_are_all_the_hands() {
    let (mut canonical, mut with_joker, mut hands) = (0, 0, 0);
    every_canonical(|_, hand| {
        canonical += 1;
        with_joker += u32::from(hand.joker);
        hands += hand.multiplicity();
    });
    // Orbits of the 24 renamings of suits; 53 choose 7.
    assert_eq!((canonical, with_joker, hands), (6_972_147, 962_988, 154_143_080));
}

#[test]
fn a_sample_of_hands_is_set_legally() {
    for way in shipped() {
        every_canonical(|number, hand| {
            if number % 29 == 0 {
                assert_good(way, &hand.cards(Suit::ALL));
            }
        });
    }
}

#[test]
fn renaming_the_suits_of_a_sample_changes_no_outcome() {
    let renamings = renamings();
    for way in shipped() {
        every_canonical(|number, hand| {
            if number % 499 == 0 {
                let values = assert_good(way, &hand.cards(Suit::ALL));
                for names in &renamings {
                    assert_eq!(assert_legal(way, &hand.cards(*names)), values);
                }
            }
        });
    }
}

#[test]
#[ignore = "long form: cargo test --release --test house_ways -- --ignored"]
fn every_hand_is_set_legally_whatever_its_suits() {
    let renamings = renamings();
    for way in shipped() {
        let workers = 4;
        let hands: u64 = thread::scope(|scope| {
            let threads: Vec<_> = (0..workers)
                .map(|worker| {
                    let renamings = &renamings;
                    scope.spawn(move || {
                        let mut hands = 0;
                        every_canonical(|number, hand| {
                            if number % workers != worker {
                                return;
                            }
                            let values = assert_good(way, &hand.cards(Suit::ALL));
                            for names in renamings {
                                let cards = hand.cards(*names);
                                assert_eq!(assert_legal(way, &cards), values, "{cards:?}");
                            }
                            hands += hand.multiplicity();
                        });
                        hands
                    })
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).sum()
        });
        assert_eq!(hands, 154_143_080, "{}", way.id());
    }
}
