//! The best five cards of a class, found from its ranks and from its flush.
//!
//! The best five cards of a hand are all of one suit, or their ranks alone decide. So the best of a
//! class is the better of two values that are found separately.

use super::shapes::{self, CountsByRank};
use crate::cards::Rank;
use crate::hands::high::{ACE_HIGH, WHEEL_LOWEST, WHEEL_SECOND};
use crate::hands::{Category, HighHand, JokerUse, Ranking, Wheel};

/// Returns every value of five cards, the lowest first: the 7,462 of a deck without the joker, and
/// five aces. A wild joker adds twelve more, the other fives of a kind.
#[must_use]
pub fn every_high_hand(ranking: impl Into<Ranking>) -> Vec<HighHand> {
    let Ranking { wheel, joker } = ranking.into();
    let fives: &[Rank] = match joker {
        JokerUse::SemiWild => &[],
        JokerUse::Wild => &Rank::ALL[..12],
    };
    let five_of_a_suit = (0..1_u16 << 13).filter(|held| held.count_ones() == 5);
    let mut values: Vec<HighHand> = five_of_a_suit
        .map(|held| by_suit(held, false, wheel))
        .chain(shapes::ways(0, 13, 5, 4).iter().map(|counts| by_ranks(counts, false, wheel)))
        .chain(fives.iter().map(|rank| HighHand::new(Category::FiveOfAKind, [rank.index()])))
        .chain([HighHand::new(Category::FiveAces, [Rank::Ace.index()])])
        .collect();
    values.sort_unstable();
    values.dedup();
    values
}

/// Returns the best value by ranks. The joker is an ace or the rank that completes a straight.
pub(super) fn by_ranks(counts: &CountsByRank, joker: bool, wheel: Wheel) -> HighHand {
    let held = (0..13).filter(|rank| counts[*rank] > 0).fold(0, |held, rank| held | 1 << rank);
    let straight = straight_top(held, joker, wheel);
    let straight = straight.map(|top| HighHand::new(Category::Straight, [top]));
    let mut counts = *counts;
    counts[usize::from(Rank::Ace.index())] += u8::from(joker);
    straight.into_iter().fold(grouped(&counts), HighHand::max)
}

/// Returns the best value of the cards of one suit. With the joker they are five or more.
pub(super) fn by_suit(held: u16, joker: bool, wheel: Wheel) -> HighHand {
    match straight_top(held, joker, wheel) {
        Some(ACE_HIGH) => HighHand::new(Category::RoyalFlush, [ACE_HIGH]),
        Some(top) => HighHand::new(Category::StraightFlush, [top]),
        None => {
            let is_held = |rank: &u8| held >> rank & 1 == 1;
            let descending = || (0..13_u8).rev();
            let mut ranks: Vec<u8> = descending().filter(is_held).take(5).collect();
            if joker {
                // The highest rank that the other four lack.
                ranks.truncate(4);
                ranks.extend(descending().find(|rank| !ranks.contains(rank)));
                ranks.sort_unstable_by(|a, b| b.cmp(a));
            }
            HighHand::new(Category::Flush, ranks)
        }
    }
}

/// Returns the nibble of the best straight among ranks, one of which the joker may be.
fn straight_top(held: u16, joker: bool, wheel: Wheel) -> Option<u8> {
    // Bit 0 is the ace below the deuce, bit 13 the ace above the king.
    let places = held << 1 | held >> Rank::Ace.index();
    let is_there = |lowest: u8| (places >> lowest & 31).count_ones() + u32::from(joker) >= 5;
    let second = [(9, ACE_HIGH), (0, WHEEL_SECOND)];
    let lowest = [(9, ACE_HIGH)];
    let first: &[(u8, u8)] = match wheel {
        Wheel::Second => &second,
        Wheel::Lowest => &lowest,
    };
    // A straight from place `n` on has the rank with the index `n + 3` on top.
    let below = (1..=8).rev().map(|lowest| (lowest, lowest + 3));
    first
        .iter()
        .copied()
        .chain(below)
        .chain([(0, WHEEL_LOWEST)])
        .find(|(lowest, _)| is_there(*lowest))
        .map(|(_, top)| top)
}

/// Returns the best five that are no straight and no flush, the joker being among the
/// aces.
fn grouped(counts: &CountsByRank) -> HighHand {
    // (how many, rank), the largest first, then the highest; a rank that is held more
    // often than it is used comes again behind.
    let mut groups: Vec<(u8, u8)> = (0..13)
        .zip(counts)
        .filter(|(_, held)| **held > 0)
        .map(|(rank, held)| (*held, rank))
        .collect();
    groups.sort_unstable_by(|a, b| b.cmp(a));
    let highest_but = |used: &[u8], many: usize| -> Vec<u8> {
        let others = (0..13_u8).rev().filter(|rank| counts[usize::from(*rank)] > 0);
        others.filter(|rank| !used.contains(rank)).take(many).collect()
    };
    let with = |category: Category, used: &[u8], kickers: usize| {
        HighHand::new(category, used.iter().copied().chain(highest_but(used, kickers)))
    };
    match groups[..] {
        [(5, rank), ..] => with(Category::FiveAces, &[rank], 0),
        [(4, rank), ..] => with(Category::FourOfAKind, &[rank], 1),
        [(3, three), (2.., _), ..] => {
            let second = groups[1..].iter().filter(|(held, _)| *held >= 2).map(|(_, rank)| *rank);
            HighHand::new(Category::FullHouse, [three].into_iter().chain(second.max()))
        }
        [(3, rank), ..] => with(Category::ThreeOfAKind, &[rank], 2),
        [(2, higher), (2, lower), ..] => with(Category::TwoPair, &[higher, lower], 1),
        [(2, rank), ..] => with(Category::Pair, &[rank], 3),
        [..] => with(Category::HighCard, &[], 5),
    }
}
