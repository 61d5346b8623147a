//! A second count of the six-card tables, for which no counts are published.
//!
//! It values every five of the 53 cards once, and tries the joker as an ace and as every other
//! card. The value of a hand is that of its best five cards.

use paigow_rules::cards::Card;
use paigow_rules::game::BonusBet;

use super::census::every_hand;
use super::naive::{Plain, groups, is_flush, is_straight, passes};
use super::tables::table;

/// The rows of the tables, best first, and the hands that lose.
const ROWS: [&str; 10] = [
    "five-aces",
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "full-house",
    "flush",
    "straight",
    "three-of-a-kind",
    "two-pair",
    "",
];

/// The place in `ROWS` of five cards.
fn place(five: &[Card]) -> usize {
    let is_royal = |cards: &[Plain]| cards.iter().all(|card| card.0 >= 10);
    let is_both = |cards: &[Plain]| is_flush(cards) && is_straight(cards);
    match groups(five)[..2] {
        [5, _] => 0,
        _ if passes(five, |cards| is_both(cards) && is_royal(cards)) => 1,
        _ if passes(five, is_both) => 2,
        [4, _] => 3,
        [3, 2] => 4,
        _ if passes(five, is_flush) => 5,
        _ if passes(five, is_straight) => 6,
        [3, _] => 7,
        [2, 2] => 8,
        _ => 9,
    }
}

/// Numbers every five cards: the combinatorial number system.
struct Numbering {
    /// The number of ways to take 0 to 5 cards from the cards below each card.
    below: [[usize; 6]; 53],
}

impl Numbering {
    fn new() -> Self {
        let mut below = [[1, 0, 0, 0, 0, 0]; 53];
        for card in 1..53 {
            for taken in 1..6 {
                // Either the highest of these cards is taken, or it is not.
                below[card][taken] = below[card - 1][taken - 1] + below[card - 1][taken];
            }
        }
        Self { below }
    }

    /// The number of five ascending cards, 0 to 2,869,684.
    fn of<'a>(&self, five: impl Iterator<Item = &'a Card>) -> usize {
        five.zip(1..).map(|(card, taken)| self.below[usize::from(card.number())][taken]).sum()
    }
}

/// Counts the hands of this many cards by the best of their fives.
fn counts_by_best_five(hand_cards: usize) -> [u64; 10] {
    let numbering = Numbering::new();
    let mut places = vec![u8::MAX; 2_869_685];
    every_hand(5, |five| places[numbering.of(five.iter())] = u8::try_from(place(five)).unwrap());
    assert!(places.iter().all(|place| *place < 10));
    let fives: Vec<Vec<usize>> = (0..1_u32 << hand_cards)
        .filter(|taken| taken.count_ones() == 5)
        .map(|taken| (0..hand_cards).filter(|card| taken >> card & 1 == 1).collect())
        .collect();
    let mut counts = [0; 10];
    every_hand(hand_cards, |hand| {
        let place = |five: &Vec<usize>| places[numbering.of(five.iter().map(|card| &hand[*card]))];
        let best = fives.iter().map(place).min().unwrap();
        counts[usize::from(best)] += 1;
    });
    counts
}

fn row_counts(bet: &BonusBet, hand_cards: usize) -> Vec<u64> {
    let counts = bet.row_counts(hand_cards).unwrap();
    assert_eq!(bet.rows.iter().map(|row| row.id.as_str()).collect::<Vec<_>>(), ROWS[..9]);
    counts.rows.into_iter().chain([counts.losing]).collect()
}

#[test]
fn a_second_count_of_all_six_card_hands_agrees() {
    let counts = counts_by_best_five(6);
    for id in ["mini-a", "mini-b", "mini-c", "mini-community"] {
        assert_eq!(row_counts(&table(id).bonus_bet(), 6), counts, "{id}");
    }
}
