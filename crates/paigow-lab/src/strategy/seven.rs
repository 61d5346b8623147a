//! A strategy for seven cards. The player knows only his own.

use super::StrategyStep;
use super::hand::StrategyHand;
use paigow_rules::cards::Rank;
use paigow_rules::hands::Wheel;
use paigow_rules::house_way::LowCards;

/// From the simplest to the finest.
pub(super) const STEPS: [StrategyStep; 8] = [
    StrategyStep {
        text: "One pair, three or four of a kind: keep them high, the two highest other cards low. \
               Two pair: the lower one low. Three pair: the highest low. Full house: the pair low. \
               A straight or flush: keep one, with the highest low hand. Nothing: the second and \
               third highest cards low.",
        low: plain,
        doubles: None,
    },
    StrategyStep {
        text: "Two pair and a single ace: keep both pairs high, unless the higher is kings, or is \
               jacks or queens beside sevens or better.",
        low: two_pair_with_an_ace,
        doubles: None,
    },
    StrategyStep {
        text: "Three aces: one of them and the highest other card low.",
        low: three_aces,
        doubles: None,
    },
    StrategyStep {
        text: "Three of a kind and a straight or flush: keep the straight or flush, a pair low.",
        low: three_beside_complete,
        doubles: None,
    },
    StrategyStep {
        text: "Four sevens or better: two of them low, unless a king or an ace can go low.",
        low: four_of_a_kind,
        doubles: None,
    },
    StrategyStep {
        text: "Nothing but ace high, the third card a ten or lower: the second and fourth low.",
        low: ace_high,
        doubles: None,
    },
    StrategyStep {
        text: "One pair, tens or better, and a straight or flush that leaves a queen or lower low: \
               the pair high, if a king or an ace goes low.",
        low: pair_beside_complete,
        doubles: None,
    },
    StrategyStep {
        text: "Two pair, eights or lower beside sixes or lower, and a single king: keep both high.",
        low: two_pair_with_a_king,
        doubles: None,
    },
];

fn plain(hand: &StrategyHand) -> Option<LowCards> {
    let (groups, singles) = (&hand.groups, &hand.singles);
    let pair = |place: usize| hand.low(&[groups[place]; 2]);
    let highest = || hand.low(&singles[..2]);
    match hand.sizes[..] {
        [5, 2] if groups[1] == Rank::King => pair(1),
        [5, ..] | [3, 3, ..] | [2, 2, 2, ..] => pair(0),
        [4, 2 | 3, ..] | [3, 2, ..] | [2, 2, ..] => pair(1),
        [4 | 3, ..] => highest(),
        [2, ..] => hand.beside_complete().or_else(highest),
        _ => hand.beside_complete().or_else(|| hand.low(&singles[1..3])),
    }
}

fn two_pair_with_an_ace(hand: &StrategyHand) -> Option<LowCards> {
    let (high, low) = two_pair(hand)?;
    let is_kept = high <= Rank::Ten || (high <= Rank::Queen && low < Rank::Seven);
    (hand.singles[0] == Rank::Ace && is_kept).then(|| hand.low(&hand.singles[..2])).flatten()
}

fn two_pair_with_a_king(hand: &StrategyHand) -> Option<LowCards> {
    let (high, low) = two_pair(hand)?;
    let is_kept = high <= Rank::Eight && low < Rank::Seven;
    (hand.singles[0] == Rank::King && is_kept).then(|| hand.low(&hand.singles[..2])).flatten()
}

/// Returns the ranks of two pair and three single cards.
fn two_pair(hand: &StrategyHand) -> Option<(Rank, Rank)> {
    (hand.sizes == [2, 2, 1, 1, 1]).then(|| (hand.groups[0], hand.groups[1]))
}

fn is_three_of_a_kind(hand: &StrategyHand) -> bool {
    hand.sizes == [3, 1, 1, 1, 1]
}

fn three_aces(hand: &StrategyHand) -> Option<LowCards> {
    let applies = is_three_of_a_kind(hand) && hand.groups[0] == Rank::Ace;
    applies.then(|| hand.low(&[Rank::Ace, hand.singles[0]])).flatten()
}

fn three_beside_complete(hand: &StrategyHand) -> Option<LowCards> {
    is_three_of_a_kind(hand).then(|| hand.pair_beside_complete()).flatten()
}

fn four_of_a_kind(hand: &StrategyHand) -> Option<LowCards> {
    let applies =
        hand.sizes == [4, 1, 1, 1] && hand.groups[0] >= Rank::Seven && hand.singles[0] < Rank::King;
    applies.then(|| hand.low(&[hand.groups[0]; 2])).flatten()
}

fn ace_high(hand: &StrategyHand) -> Option<LowCards> {
    let singles = &hand.singles;
    let applies = singles.len() == 7
        && singles[0] == Rank::Ace
        && singles[2] <= Rank::Ten
        && hand.beside_complete().is_none();
    applies.then(|| hand.low(&[singles[1], singles[3]])).flatten()
}

fn pair_beside_complete(hand: &StrategyHand) -> Option<LowCards> {
    if hand.sizes[..2] != [2, 1] || hand.groups[0] < Rank::Ten || hand.singles[0] < Rank::King {
        return None;
    }
    let low = hand.beside_complete()?.value(Wheel::Second);
    let is_low = low.pair_rank().is_none() && low.top_rank() <= Rank::Queen;
    is_low.then(|| hand.low(&hand.singles[..2])).flatten()
}
