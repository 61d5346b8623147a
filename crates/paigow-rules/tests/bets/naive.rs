//! An independent second implementation: it tries every five cards of the hand, and every card for
//! the joker.

use std::collections::BTreeSet;

use paigow_rules::cards::Card;

/// Rank 2 to 14 and suit 0 to 3.
pub(crate) type Plain = (u8, u8);

pub(crate) fn plain(card: Card) -> Plain {
    (card.number() % 13 + 2, card.number() / 13)
}

pub(crate) fn is_flush(cards: &[Plain]) -> bool {
    cards.iter().all(|card| card.1 == cards[0].1)
}

pub(crate) fn is_straight(cards: &[Plain]) -> bool {
    let mut ranks: Vec<u8> = cards.iter().map(|card| card.0).collect();
    let is_run = |ranks: &mut Vec<u8>| {
        ranks.sort_unstable();
        ranks.windows(2).all(|pair| pair[1] == pair[0] + 1)
    };
    if is_run(&mut ranks) {
        return true;
    }
    for rank in &mut ranks {
        if *rank == 14 {
            *rank = 1;
        }
    }
    is_run(&mut ranks)
}

fn is_royal(cards: &[Plain]) -> bool {
    is_flush(cards) && is_straight(cards) && cards.iter().map(|card| card.0).min() == Some(10)
}

/// Whether the group passes for some card in place of its joker. That card is not in the group.
pub(crate) fn passes(group: &[Card], test: impl Fn(&[Plain]) -> bool) -> bool {
    let real: Vec<Plain> =
        group.iter().copied().filter(|card| !card.is_joker()).map(plain).collect();
    if real.len() == group.len() {
        return test(&real);
    }
    Card::all().filter(|card| !card.is_joker()).map(plain).any(|stands_for| {
        let mut group = real.clone();
        group.push(stands_for);
        !real.contains(&stands_for) && test(&group)
    })
}

/// Returns every choice of this many cards, each with the remaining cards.
fn subsets(cards: &[Card], size: u32) -> Vec<(Vec<Card>, Vec<Card>)> {
    (0..1_u32 << cards.len())
        .filter(|taken| taken.count_ones() == size)
        .map(|taken| {
            let (some, others): (Vec<_>, Vec<_>) =
                (0..cards.len()).partition(|place| taken >> place & 1 == 1);
            let cards = |places: Vec<usize>| places.into_iter().map(|place| cards[place]).collect();
            (cards(some), cards(others))
        })
        .collect()
}

/// Whether the cards have exactly these ranks and one suit, and no joker.
fn is_suited(cards: &[Card], ranks: &[u8]) -> bool {
    let mut held: Vec<u8> = cards.iter().map(|card| plain(*card).0).collect();
    held.sort_unstable();
    let real: Vec<Plain> = cards.iter().map(|card| plain(*card)).collect();
    cards.iter().all(|card| !card.is_joker()) && held == ranks && is_flush(&real)
}

/// Returns the number of cards of each rank, the largest first. The joker is an ace.
pub(crate) fn groups(cards: &[Card]) -> Vec<usize> {
    let rank = |card: &Card| if card.is_joker() { 14 } else { plain(*card).0 };
    let mut groups: Vec<usize> =
        (2..=14).map(|wanted| cards.iter().filter(|card| rank(card) == wanted).count()).collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    groups
}

/// Returns the terms with compiled-in counts that six or seven cards meet.
pub(crate) fn met(cards: &[Card]) -> BTreeSet<String> {
    let fives = subsets(cards, 5);
    let some = |size, test: fn(&[Plain]) -> bool| {
        subsets(cards, size).iter().any(|(some, _)| passes(some, test))
    };
    let natural = |test: fn(&[Plain]) -> bool| {
        let real = |five: &[Card]| five.iter().all(|card| !card.is_joker());
        fives.iter().any(|(five, _)| real(five) && passes(five, test))
    };
    let is_straight_flush: fn(&[Plain]) -> bool = |cards| is_flush(cards) && is_straight(cards);
    let royal_beside = |ranks: [u8; 2]| {
        let mut fives = fives.iter();
        cards.len() == 7
            && fives.any(|(five, others)| passes(five, is_royal) && is_suited(others, &ranks))
    };
    let groups = groups(cards);
    let rank = |card: &Card| if card.is_joker() { 14 } else { plain(*card).0 };
    let highest = cards.iter().map(rank).max().unwrap();
    let wheels: Vec<&Vec<Card>> = fives
        .iter()
        .filter(|(five, _)| is_suited(five, &[2, 3, 4, 5, 14]))
        .map(|(_, others)| others)
        .collect();
    let (flush, straight) = (some(5, is_flush), some(5, is_straight));
    let colours: Vec<bool> = cards
        .iter()
        .filter(|card| !card.is_joker())
        .map(|card| matches!(plain(*card).1, 1 | 2))
        .collect();
    let red = colours.iter().filter(|red| **red).count();
    let named = |name: &str, holds| (name.to_owned(), holds);
    let mut all = vec![
        named("five_aces", groups[0] == 5),
        named("royal_flush", some(5, is_royal)),
        named("straight_flush", some(5, is_straight_flush)),
        named("four_of_a_kind", groups[0] >= 4),
        named("full_house", groups[0] >= 3 && groups[1] >= 2),
        named("flush", flush),
        named("straight", straight),
        named("three_of_a_kind", groups[0] >= 3),
        named("two_pair", groups[1] >= 2),
        named("pair", groups[0] >= 2),
        named("natural_royal_flush", natural(is_royal)),
        named("natural_straight_flush", natural(is_straight_flush)),
        named("pai_gow", groups[0] == 1 && !flush && !straight),
        named("joker", cards.iter().any(|card| card.is_joker())),
        named("one_colour", red == 0 || red == colours.len()),
        named("one_suit:A5432", !wheels.is_empty()),
        named("one_suit:A5432+AQ", wheels.iter().any(|two| is_suited(two, &[12, 14]))),
        named("royal_flush_beside:AQ", royal_beside([12, 14])),
        named("royal_flush_beside:KQ", royal_beside([12, 13])),
    ];
    for (letter, rank) in "789TJQKA".chars().zip(7..) {
        all.push((format!("highest:{letter}"), highest == rank));
    }
    let pairs = groups.iter().filter(|group| **group >= 2).count();
    all.extend((0..=3).map(|number| (format!("pairs:{number}"), pairs == number)));
    for size in [6, 7].into_iter().filter(|size| *size as usize <= cards.len()) {
        all.push((format!("suited:{size}"), some(size, is_flush)));
        all.push((format!("run:{size}"), some(size, is_straight)));
        all.push((format!("suited_run:{size}"), some(size, is_straight_flush)));
    }
    // The named colour is red.
    all.extend((0..=7).map(|number| (format!("named_colour:{number}"), red == number)));
    all.into_iter().filter_map(|(name, holds)| holds.then_some(name)).collect()
}
