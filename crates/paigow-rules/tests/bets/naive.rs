//! A second implementation that shares nothing with the first: it tries every five
//! cards of the hand and every card that the joker may be.

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

/// Whether the group passes, its joker being some card that is not in the group.
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

/// Every five of the cards, and the one or two that are left.
fn fives(cards: &[Card]) -> Vec<(Vec<Card>, Vec<Card>)> {
    (0..1_u32 << cards.len())
        .filter(|taken| taken.count_ones() == 5)
        .map(|taken| {
            let (five, others): (Vec<_>, Vec<_>) =
                (0..cards.len()).partition(|place| taken >> place & 1 == 1);
            let cards = |places: Vec<usize>| places.into_iter().map(|place| cards[place]).collect();
            (cards(five), cards(others))
        })
        .collect()
}

/// Whether the cards are two real ones of these ranks and of one suit.
fn is_suited(cards: &[Card], ranks: [u8; 2]) -> bool {
    let [a, b] = cards else { return false };
    let (a, b) = (plain(*a), plain(*b));
    a.1 < 4 && a.1 == b.1 && [a.0.min(b.0), a.0.max(b.0)] == ranks
}

/// How many cards there are of each rank, most first; the joker is an ace.
pub(crate) fn groups(cards: &[Card]) -> Vec<usize> {
    let rank = |card: &Card| if card.is_joker() { 14 } else { plain(*card).0 };
    let mut groups: Vec<usize> =
        (2..=14).map(|wanted| cards.iter().filter(|card| rank(card) == wanted).count()).collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    groups
}

/// The conditions that six or seven cards meet, as the files of counts write them.
pub(crate) fn met(cards: &[Card]) -> BTreeSet<&'static str> {
    let fives = fives(cards);
    let some_five = |test: fn(&[Plain]) -> bool| fives.iter().any(|(five, _)| passes(five, test));
    let royal_beside = |ranks| {
        fives.iter().any(|(five, others)| passes(five, is_royal) && is_suited(others, ranks))
    };
    let joker = cards.iter().any(|card| card.is_joker());
    let groups = groups(cards);
    let rank = |card: &Card| if card.is_joker() { 14 } else { plain(*card).0 };
    let highest = cards.iter().map(rank).max().unwrap();

    let seven_straight_flush =
        cards.len() == 7 && passes(cards, |all| is_flush(all) && is_straight(all));
    // The lowest ace to five: a straight with an ace and a deuce.
    let ace_to_five = |five: &[Plain]| {
        let holds = |rank| five.iter().any(|card| card.0 == rank);
        is_flush(five) && is_straight(five) && holds(14) && holds(2)
    };
    let wheels: Vec<&Vec<Card>> = fives
        .iter()
        .filter(|(five, _)| !joker && passes(five, ace_to_five))
        .map(|(_, others)| others)
        .collect();
    let flush = some_five(is_flush);
    let straight = some_five(is_straight);
    let all_differ = groups[0] == 1;
    let pai_gow = all_differ && !flush && !straight;
    let colours: Vec<bool> = cards
        .iter()
        .filter(|card| !card.is_joker())
        .map(|card| matches!(plain(*card).1, 1 | 2))
        .collect();
    let one_colour = colours.iter().all(|red| *red == colours[0]) && !flush && !straight;
    [
        ("luhn_tao_wheel_with_ace_queen", wheels.iter().any(|two| is_suited(two, [12, 14]))),
        ("natural_seven_card_straight_flush", seven_straight_flush && !joker),
        ("royal_flush_with_ace_queen", royal_beside([12, 14])),
        ("royal_match", royal_beside([12, 13])),
        ("joker_seven_card_straight_flush", seven_straight_flush && joker),
        ("five_aces", groups[0] == 5),
        ("luhn_tao_wheel", !wheels.is_empty()),
        ("natural_ace_to_five_straight_flush", !wheels.is_empty() && !seven_straight_flush),
        ("royal_flush", some_five(is_royal)),
        ("straight_flush", some_five(|five| is_flush(five) && is_straight(five))),
        ("four_of_a_kind", groups[0] >= 4),
        ("nine_high", pai_gow && highest == 9),
        ("ten_high", pai_gow && highest == 10),
        ("jack_high", pai_gow && highest == 11),
        ("queen_high", pai_gow && highest == 12),
        ("king_high", pai_gow && highest == 13),
        ("ace_high", pai_gow && highest == 14),
        ("one_colour:any", one_colour && !joker),
        ("one_colour:no_pair", one_colour && !joker && all_differ),
        ("one_colour_with_joker:any", one_colour && joker),
        ("one_colour_with_joker:no_pair", one_colour && joker && all_differ),
        ("full_house", groups[0] >= 3 && groups[1] >= 2),
        ("flush", flush),
        ("three_of_a_kind", groups[0] >= 3),
        ("straight", straight),
        ("three_pair", groups[..3] == [2, 2, 2] && !flush && !straight),
        ("two_pair", groups[1] >= 2),
    ]
    .into_iter()
    .filter_map(|(name, holds)| holds.then_some(name))
    .collect()
}
