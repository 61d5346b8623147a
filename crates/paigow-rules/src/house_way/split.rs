//! Six or seven cards in two hands, and the choice among several splits.
//!
//! If a rule leaves several splits open, the common definitions of the house ways decide (C1, C2).
//! Foul ones are dropped. Of the others the highest low hand counts first, then the highest high
//! hand, the fewest jokers in front, and the lowest suits in front.

use std::cmp::Reverse;

use super::hand::ChartHand;
use super::setting::LowCards;
use crate::cards::{Card, Rank};
use crate::hands::{HighHand, LowHand, Ranking, is_foul};

/// Six or seven cards in two hands that are not foul.
#[derive(Clone, Copy, Debug)]
pub(super) struct ChartSplit {
    pub(super) low: LowCards,
    /// In the order of the fresh deck.
    pub(super) high: [Card; 5],
    pub(super) low_value: LowHand,
    pub(super) high_value: HighHand,
}

impl ChartSplit {
    /// Returns the split of a hand with these two of its cards in front, or [`None`] if
    /// it is foul.
    pub(super) fn with_front(
        hand: &ChartHand<7>,
        front: [Card; 2],
        ranking: Ranking,
    ) -> Option<Self> {
        splits(hand.cards())
            .find(|(low, _)| low.iter().all(|card| front.contains(card)))
            .and_then(|(low, high)| Self::of(low, high, ranking))
    }

    pub(super) fn of(low: LowCards, high: [Card; 5], ranking: Ranking) -> Option<Self> {
        let (low_value, high_value) = (low.value(ranking), HighHand::of(&high, ranking));
        (!is_foul(low_value, high_value)).then_some(Self { low, high, low_value, high_value })
    }

    /// Returns the key that splits compare by. The greatest is chosen, and no two are equal.
    pub(super) fn merit(&self) -> impl Ord + use<> {
        let jokers = self.low.iter().filter(|card| card.is_joker()).count();
        // The higher rank comes first, and of equal ranks the lower suit, which is their present
        // order. The joker comes after the suits.
        let suit = |card: Card| card.suit().map_or(4, |suit| suit as u8);
        let suits = match *self.low {
            [a, b] if a.rank_or_ace() < b.rank_or_ace() => [suit(b), suit(a)],
            [a, b] => [suit(a), suit(b)],
            [card, ..] => [suit(card), 0],
            [] => [0, 0],
        };
        (self.low_value, self.high_value, Reverse(jokers), Reverse(suits))
    }
}

/// Returns the split that C1 and C2 choose among those that are not foul. `is_wanted` must accept
/// the low hand, and `may_be_left` the high hand.
pub(super) fn choose<const N: usize>(
    hand: &ChartHand<N>,
    ranking: Ranking,
    is_wanted: impl Fn(LowHand) -> bool,
    may_be_left: impl Fn(HighHand) -> bool,
) -> Option<ChartSplit> {
    let mut best: Option<ChartSplit> = None;
    for (low, high) in splits(hand.cards()) {
        let low_value = low.value(ranking);
        if !is_wanted(low_value) || best.is_some_and(|best| best.low_value > low_value) {
            continue;
        }
        let high_value = HighHand::of(&high, ranking);
        if !may_be_left(high_value) || is_foul(low_value, high_value) {
            continue;
        }
        let split = ChartSplit { low, high, low_value, high_value };
        if best.is_none_or(|best| best.merit() < split.merit()) {
            best = Some(split);
        }
    }
    best
}

/// Returns the split that C1 and C2 choose among those whose low hand has cards of these
/// ranks, or [`None`] if every such split is foul. A low hand of one card has no second
/// rank.
pub(super) fn choose_of_ranks<const N: usize>(
    hand: &ChartHand<N>,
    ranking: Ranking,
    a: Rank,
    b: Option<Rank>,
) -> Option<ChartSplit> {
    let ranks = b.map_or((a, None), |b| (a.max(b), Some(a.min(b))));
    choose(hand, ranking, |low| (low.top_rank(), low.second_rank()) == ranks, |_| true)
}

/// Returns the 6 ways to part six cards or the 21 to part seven, the order of the cards
/// kept in both hands.
pub(super) fn splits<const N: usize>(
    cards: &[Card; N],
) -> impl Iterator<Item = (LowCards, [Card; 5])> {
    (0..N).flat_map(move |i| {
        let others = if N == 6 { i..i + 1 } else { i + 1..N };
        others.map(move |j| {
            let mut high = [Card::JOKER; 5];
            let behind = (0..N).filter(|place| *place != i && *place != j);
            for (card, place) in high.iter_mut().zip(behind) {
                *card = cards[place];
            }
            let low =
                if i == j { LowCards::one(cards[i]) } else { LowCards::two([cards[i], cards[j]]) };
            (low, high)
        })
    })
}
