//! A second evaluator that is slow and plain, to check the first against.
//!
//! It shares no code with the first. It tries the joker as an ace, or as the fifth of a rank, and
//! as every absent card. Hands are sorted lists of numbers, and values are compared as lists.

use crate::cards::Card;
use crate::hands::{Category, JokerUse, Ranking, Wheel};

/// A category, and the numbers that decide within it in order. Ranks are 2 to 14.
pub(super) type Value = (Category, Vec<u8>);

/// A card as a rank 2 to 14 and a suit. The joker has no suit as an ace or as the fifth of a rank.
type Plain = (u8, Option<u8>);

/// Returns the value of five cards.
pub(super) fn value(cards: &[Card; 5], ranking: Ranking) -> Value {
    let Ranking { wheel, joker } = ranking;
    let plain: Vec<Plain> = cards
        .iter()
        .filter(|card| !card.is_joker())
        .map(|card| (card.number() % 13 + 2, Some(card.number() / 13)))
        .collect();
    if plain.len() == 5 {
        return natural_value(&plain, wheel);
    }
    let with = |joker: Plain| {
        let mut five = plain.clone();
        five.push(joker);
        natural_value(&five, wheel)
    };
    let absent = (0..52_u8)
        .map(|number| (number % 13 + 2, Some(number / 13)))
        .filter(|card| !plain.contains(card))
        .map(with);
    let completes = |(category, _): &Value| {
        [Category::Straight, Category::Flush, Category::StraightFlush, Category::RoyalFlush]
            .contains(category)
    };
    match joker {
        JokerUse::SemiWild => absent.filter(completes).fold(with((14, None)), Value::max),
        JokerUse::Wild => {
            let [first, ..] = plain[..] else { panic!("four cards beside the joker") };
            let is_four = plain.iter().all(|(rank, _)| *rank == first.0);
            let fifth = is_four.then(|| with((first.0, None)));
            absent.chain(fifth).max().unwrap()
        }
    }
}

/// Returns the value of five cards whose joker, if there is one, already has its rank and suit.
fn natural_value(cards: &[Plain], wheel: Wheel) -> Value {
    let mut ranks: Vec<u8> = cards.iter().map(|(rank, _)| *rank).collect();
    ranks.sort_unstable_by(|a, b| b.cmp(a));

    // Pairs of count and rank, the largest group first.
    let mut groups: Vec<(usize, u8)> = Vec::new();
    for rank in 2..=14 {
        let held = ranks.iter().filter(|r| **r == rank).count();
        if held > 0 {
            groups.push((held, rank));
        }
    }
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let sizes: Vec<usize> = groups.iter().map(|(held, _)| *held).collect();
    let by_group: Vec<u8> = groups.iter().map(|(_, rank)| *rank).collect();

    let is_flush = cards[0].1.is_some() && cards.iter().all(|(_, suit)| *suit == cards[0].1);
    // The places of straights in halves: 13.5 is between the king and the ace.
    let straight = if ranks == [14, 5, 4, 3, 2] {
        Some(match wheel {
            Wheel::Second => 27,
            Wheel::Lowest => 10,
        })
    } else {
        ranks.windows(2).all(|pair| pair[0] == pair[1] + 1).then(|| 2 * ranks[0])
    };

    match (is_flush, straight) {
        (true, Some(28)) => (Category::RoyalFlush, vec![]),
        (true, Some(place)) => (Category::StraightFlush, vec![place]),
        (true, None) => (Category::Flush, ranks),
        (false, Some(place)) => (Category::Straight, vec![place]),
        (false, None) => {
            let category = match sizes[..] {
                [5] if ranks[0] == 14 => Category::FiveAces,
                [5] => Category::FiveOfAKind,
                [4, 1] => Category::FourOfAKind,
                [3, 2] => Category::FullHouse,
                [3, 1, 1] => Category::ThreeOfAKind,
                [2, 2, 1] => Category::TwoPair,
                [2, 1, 1, 1] => Category::Pair,
                [1, 1, 1, 1, 1] => Category::HighCard,
                _ => panic!("five cards in groups of {sizes:?}"),
            };
            (category, by_group)
        }
    }
}
