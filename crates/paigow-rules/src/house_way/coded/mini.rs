//! Six cards, one in front: the house ways of Mini Pai Gow.
//!
//! The cards are grouped by rank, the joker being an ace. The first of these that fits
//! names the candidates for the low hand:
//!
//! | rule | condition | candidates |
//! |---|---|---|
//! | M1 | five aces | the other card |
//! | M2 | four and a pair | the cards of the pair |
//! | M3 | four of a kind | the higher singleton |
//! | M4 | two three of a kind | the cards of the higher |
//! | M5 | three and a pair | the singleton |
//! | M6 | three pairs | the cards of the highest |
//! | M7 | some five are a straight flush | cards that leave a straight flush |
//! | M8 | some five are a flush | cards that leave a flush |
//! | M9 | some five are a straight | cards that leave a straight |
//! | M10 | three of a kind | the highest singleton |
//! | M11 | two pairs | the higher singleton |
//! | M12 | a pair | the highest singleton |
//! | M13 | no pair | the second highest card |
//!
//! Of the candidates the highest goes in front, the joker above the ace; of equals the
//! one that leaves the highest high hand, then the one of the lowest suit. M7 to M9 have
//! the letter `a` if the candidates are of more than one rank, the joker and the ace
//! being two, and `b` if not.

use std::cmp::Reverse;

use super::super::groups::Groups;
use crate::cards::Card;
use crate::hands::{Category, HighHand, LowHand, Wheel, holds_straight_or_flush};

super::clauses! { M1 M2 M3 M4 M5 M6 M7a M7b M8a M8b M9a M9b M10 M11 M12 M13 }

/// Six cards in two hands, and the rule that decided.
#[derive(Clone, Copy, Debug)]
pub(super) struct MiniSetting {
    pub(super) rule: Id,
    pub(super) low: Card,
    /// In the order of the fresh deck.
    pub(super) high: [Card; 5],
}

/// Sets six distinct cards. Every hand has the cards that its rule names.
pub(super) fn set(cards: &[Card; 6], wheel: Wheel) -> Option<MiniSetting> {
    let mut cards = *cards;
    cards.sort_unstable();
    let groups = Groups::of(&cards);
    // The rule and the place of the group that the low card is of.
    let (rule, place) = match groups.sizes() {
        [5, ..] => (Id::M1, 1),
        [4, 2, ..] => (Id::M2, 1),
        [4, ..] => (Id::M3, 1),
        [3, 3, ..] => (Id::M4, 0),
        [3, 2, ..] => (Id::M5, 2),
        [2, 2, 2, ..] => (Id::M6, 0),
        sizes => {
            if holds_straight_or_flush(&cards) {
                return keep_made_hand(&cards, wheel);
            }
            match sizes {
                [3, ..] => (Id::M10, 1),
                [2, 2, ..] => (Id::M11, 2),
                [2, ..] => (Id::M12, 1),
                [..] => (Id::M13, 1),
            }
        }
    };
    let candidates =
        splits(&cards, wheel).filter(|split| Some(split.low.rank_or_ace()) == groups.rank(place));
    Some(highest(candidates)?.set(rule))
}

/// Sets a hand without a full house or better of which some five are a straight, a
/// flush or a straight flush.
fn keep_made_hand(cards: &[Card; 6], wheel: Wheel) -> Option<MiniSetting> {
    let best = splits(cards, wheel).map(|split| made(split.high_value)).max();
    let candidates = || splits(cards, wheel).filter(|split| Some(made(split.high_value)) == best);
    let low_hands = || candidates().map(|split| LowHand::of_one(split.low));
    let more_than_one = low_hands().min() != low_hands().max();
    let rule = match (best, more_than_one) {
        (Some(MadeHand::StraightFlush), true) => Id::M7a,
        (Some(MadeHand::StraightFlush), false) => Id::M7b,
        (Some(MadeHand::Flush), true) => Id::M8a,
        (Some(MadeHand::Flush), false) => Id::M8b,
        (Some(MadeHand::Straight | MadeHand::Less) | None, true) => Id::M9a,
        (Some(MadeHand::Straight | MadeHand::Less) | None, false) => Id::M9b,
    };
    Some(highest(candidates())?.set(rule))
}

/// What M7 to M9 look for, lowest first; a royal flush is a straight flush.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
enum MadeHand {
    Less,
    Straight,
    Flush,
    StraightFlush,
}

fn made(high: HighHand) -> MadeHand {
    match high.category() {
        Category::StraightFlush | Category::RoyalFlush => MadeHand::StraightFlush,
        Category::Flush => MadeHand::Flush,
        Category::Straight => MadeHand::Straight,
        Category::HighCard
        | Category::Pair
        | Category::TwoPair
        | Category::ThreeOfAKind
        | Category::FullHouse
        | Category::FourOfAKind
        | Category::FiveAces => MadeHand::Less,
    }
}

/// One of the six ways to part the cards.
#[derive(Clone, Copy, Debug)]
struct MiniSplit {
    low: Card,
    high: [Card; 5],
    high_value: HighHand,
}

impl MiniSplit {
    const fn set(self, rule: Id) -> MiniSetting {
        MiniSetting { rule, low: self.low, high: self.high }
    }
}

fn splits(cards: &[Card; 6], wheel: Wheel) -> impl Iterator<Item = MiniSplit> {
    (0..6).map(move |place| {
        let mut high = [Card::JOKER; 5];
        let behind = cards.iter().enumerate().filter(|(other, _)| *other != place);
        for (card, (_, other)) in high.iter_mut().zip(behind) {
            *card = *other;
        }
        MiniSplit { low: cards[place], high, high_value: HighHand::of(&high, wheel) }
    })
}

fn highest(candidates: impl Iterator<Item = MiniSplit>) -> Option<MiniSplit> {
    candidates
        .max_by_key(|split| (LowHand::of_one(split.low), split.high_value, Reverse(split.low)))
}
