//! A clause of a chart: the hands that it applies to, and the cards that it puts in front.

use super::hand::ChartHand;
use super::shape::Shape;
use super::split::{ChartSplit, choose, choose_of_ranks, splits};
use crate::cards::{Card, Rank};
use crate::hands::{Category, HighHand, Ranking};

/// A condition of a clause on the straights and flushes among the cards.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum StraightOrFlush {
    /// Some five cards are a straight, a flush or a straight flush.
    Held,
    /// No five cards are.
    NotHeld,
    /// Some are, and all of those are A-K-Q-J-T with the joker among them, beside
    /// a natural ace.
    AceHighByJokerOnly,
}

/// The cards that a clause puts in front: two of seven cards, one of six.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Front {
    /// Cards of the largest group, the highest of these.
    FirstGroup,
    /// Cards of the next group.
    SecondGroup,
    /// One card of the largest group and the highest singleton.
    FirstGroupAndHighest,
    /// The two highest singletons.
    TwoHighest,
    /// The second and the third highest singletons.
    SecondAndThird,
    /// The highest singleton.
    Highest,
    /// The second highest singleton.
    SecondHighest,
    /// The highest pair that leaves a complete hand, of whatever cards.
    PairLeavingComplete,
    /// The highest cards that leave a complete hand.
    HighestLeavingComplete,
    /// The highest cards that leave a hand of the best category.
    HighestLeavingBest,
    /// The highest cards that leave a hand of a category that the clause lists as best.
    HighestLeavingListed,
    /// The lowest cards that do.
    LowestLeavingListed,
}

/// A condition and a front. An empty condition holds for every hand.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct Rule {
    pub(super) shapes: Vec<Shape>,
    pub(super) straight_or_flush: Option<StraightOrFlush>,
    /// The rank of the largest group is one of these.
    pub(super) first_rank: Option<Vec<Rank>>,
    /// The rank of the next group is one of these.
    pub(super) second_rank: Option<Vec<Rank>>,
    /// The highest singletons are at least these, one by one.
    pub(super) singletons_at_least: Vec<Rank>,
    /// The category of the best five cards is one of these.
    pub(super) best: Option<Vec<Category>>,
    pub(super) front: Front,
    /// The front is a pair, or its cards are at least these, one by one.
    pub(super) front_at_least: Vec<Rank>,
    /// The front is higher than this one would be.
    pub(super) front_beats: Option<Front>,
}

impl Rule {
    /// Returns the split that the rule asks for, or [`None`] if it does not apply to the hand
    /// or every split that it asks for is foul.
    pub(super) fn decide<const N: usize>(
        &self,
        hand: &ChartHand<N>,
        ranking: Ranking,
    ) -> Option<ChartSplit> {
        if !self.applies(hand, ranking) {
            return None;
        }
        let listed = self.best.as_deref().unwrap_or_default();
        let split = self.front.split(hand, ranking, listed)?;
        let is_high_enough = self.front_at_least.is_empty()
            || split.low_value.pair_rank().is_some()
            || self
                .front_at_least
                .iter()
                .zip([Some(split.low_value.top_rank()), split.low_value.second_rank()])
                .all(|(least, rank)| rank >= Some(*least));
        let beats_other = self
            .front_beats
            .and_then(|other| other.split(hand, ranking, listed))
            .is_none_or(|other| split.low_value > other.low_value);
        (is_high_enough && beats_other).then_some(split)
    }

    fn applies<const N: usize>(&self, hand: &ChartHand<N>, ranking: Ranking) -> bool {
        let one_of = |ranks: &Option<Vec<Rank>>, place| match ranks {
            Some(ranks) => hand.group(place).is_some_and(|rank| ranks.contains(&rank)),
            None => true,
        };
        self.shapes.contains(&hand.shape())
            && one_of(&self.first_rank, 0)
            && one_of(&self.second_rank, 1)
            && self
                .singletons_at_least
                .iter()
                .enumerate()
                .all(|(place, least)| hand.singleton(place).is_some_and(|rank| rank >= *least))
            && match self.straight_or_flush {
                None => true,
                Some(StraightOrFlush::Held) => hand.holds_straight_or_flush(),
                Some(StraightOrFlush::NotHeld) => !hand.holds_straight_or_flush(),
                Some(StraightOrFlush::AceHighByJokerOnly) => {
                    is_ace_high_by_joker_only(hand, ranking)
                }
            }
            && self
                .best
                .as_ref()
                .is_none_or(|categories| hand.best().is_some_and(|best| categories.contains(&best)))
    }

    /// Returns whether the rule sets all hands of so many cards of `shape` whose large groups have
    /// these ranks. `straight_or_flush` is whether the cards have a straight or flush.
    pub(super) fn is_sure(
        &self,
        cards: usize,
        shape: Shape,
        first: Rank,
        second: Option<Rank>,
        straight_or_flush: bool,
    ) -> bool {
        let admits = |ranks: &Option<Vec<Rank>>, rank| match (ranks, rank) {
            (None, _) => true,
            (Some(ranks), Some(rank)) => ranks.contains(&rank),
            (Some(_), None) => false,
        };
        self.shapes.contains(&shape)
            && admits(&self.first_rank, Some(first))
            && admits(&self.second_rank, second)
            && self.singletons_at_least.is_empty()
            && self.best.is_none()
            && self.front_at_least.is_empty()
            && self.front_beats.is_none()
            && match self.straight_or_flush {
                None => true,
                Some(StraightOrFlush::Held) => straight_or_flush,
                Some(StraightOrFlush::NotHeld) => !straight_or_flush,
                Some(StraightOrFlush::AceHighByJokerOnly) => false,
            }
            && self.front.is_sure(cards, shape, straight_or_flush)
    }
}

impl Front {
    /// Whether hands of so many cards have such a front.
    pub(super) const fn is_of(self, cards: usize) -> bool {
        match self {
            Self::FirstGroupAndHighest
            | Self::TwoHighest
            | Self::SecondAndThird
            | Self::PairLeavingComplete => cards == 7,
            Self::Highest | Self::SecondHighest => cards == 6,
            Self::FirstGroup
            | Self::SecondGroup
            | Self::HighestLeavingComplete
            | Self::HighestLeavingBest
            | Self::HighestLeavingListed
            | Self::LowestLeavingListed => true,
        }
    }

    /// Returns whether the front depends on the categories that the clause lists.
    pub(super) const fn needs_listed(self) -> bool {
        matches!(self, Self::HighestLeavingListed | Self::LowestLeavingListed)
    }

    /// Whether so many cards of `shape` have those that the front names.
    pub(super) const fn exists(self, cards: usize, shape: Shape) -> bool {
        let [first, second, _] = shape.large_groups();
        match self {
            Self::FirstGroup => first >= 2,
            Self::SecondGroup => second >= 2,
            Self::FirstGroupAndHighest => first >= 2 && shape.singletons(cards) >= 1,
            Self::Highest => shape.singletons(cards) >= 1,
            Self::TwoHighest | Self::SecondHighest => shape.singletons(cards) >= 2,
            Self::SecondAndThird => shape.singletons(cards) >= 3,
            Self::PairLeavingComplete
            | Self::HighestLeavingComplete
            | Self::HighestLeavingBest
            | Self::HighestLeavingListed
            | Self::LowestLeavingListed => true,
        }
    }

    /// Returns whether the front exists in all hands of so many cards of `shape` and is never foul.
    /// `straight_or_flush` is whether the cards have a straight or flush.
    const fn is_sure(self, cards: usize, shape: Shape, straight_or_flush: bool) -> bool {
        let [first, second, third] = shape.large_groups();
        self.exists(cards, shape)
            && match self {
                // A pair stays behind one card.
                Self::FirstGroup if cards == 6 => first >= 3 || second >= 2,
                // An equal pair, trips or two pair stay behind.
                Self::FirstGroup => first >= 4 || second == 3 || third == 2,
                // The largest group stays behind: higher than a pair, or the higher pair.
                Self::SecondGroup => true,
                // A pair stays behind.
                Self::FirstGroupAndHighest => first >= 3,
                // A group stays behind unpaired cards.
                Self::Highest | Self::TwoHighest => first >= 2,
                // The highest card, or a group, stays behind unpaired cards.
                Self::SecondHighest | Self::SecondAndThird => true,
                Self::PairLeavingComplete
                | Self::HighestLeavingListed
                | Self::LowestLeavingListed => false,
                Self::HighestLeavingComplete => straight_or_flush,
                // The cards beside the best five are never higher than these.
                Self::HighestLeavingBest => true,
            }
    }

    /// Returns the split with this front, or [`None`] if the hand lacks the cards or every
    /// such split is foul. `listed` are the categories that the clause lists.
    fn split<const N: usize>(
        self,
        hand: &ChartHand<N>,
        ranking: Ranking,
        listed: &[Category],
    ) -> Option<ChartSplit> {
        let of_ranks = |a, b| choose_of_ranks(hand, ranking, a, Some(b));
        let of_rank = |rank| choose_of_ranks(hand, ranking, rank, (N == 7).then_some(rank));
        let is_listed = |high: HighHand| listed.contains(&high.category());
        match self {
            Self::FirstGroup => of_rank(hand.group(0)?),
            Self::SecondGroup => of_rank(hand.group(1)?),
            Self::FirstGroupAndHighest => of_ranks(hand.group(0)?, hand.singleton(0)?),
            Self::TwoHighest => of_ranks(hand.singleton(0)?, hand.singleton(1)?),
            Self::SecondAndThird => of_ranks(hand.singleton(1)?, hand.singleton(2)?),
            Self::Highest => of_rank(hand.singleton(0)?),
            Self::SecondHighest => of_rank(hand.singleton(1)?),
            Self::PairLeavingComplete => {
                choose(hand, ranking, |low| low.pair_rank().is_some(), HighHand::is_complete)
            }
            Self::HighestLeavingComplete => choose(hand, ranking, |_| true, HighHand::is_complete),
            Self::HighestLeavingBest => {
                let best = hand.best()?;
                choose(hand, ranking, |_| true, |high| high.category() == best)
            }
            Self::HighestLeavingListed => choose(hand, ranking, |_| true, is_listed),
            Self::LowestLeavingListed => {
                let lowest = splits(hand.cards())
                    .filter_map(|(low, high)| ChartSplit::of(low, high, ranking))
                    .filter(|split| is_listed(split.high_value))
                    .map(|split| split.low_value)
                    .min()?;
                choose(hand, ranking, |low| low == lowest, is_listed)
            }
        }
    }
}

/// Whether every straight and flush among the cards is an A-K-Q-J-T with the joker in it, and a
/// natural ace is there too. Such a hand may be played as a pair of aces.
fn is_ace_high_by_joker_only<const N: usize>(hand: &ChartHand<N>, ranking: Ranking) -> bool {
    let is_ace = |card: &Card| card.rank() == Some(Rank::Ace);
    let is_broadway = |five: &[Card; 5]| {
        five.iter().any(|card| card.is_joker())
            && five.iter().all(|card| card.rank_or_ace() >= Rank::Ten)
    };
    hand.holds_straight_or_flush()
        && hand.cards().iter().any(is_ace)
        && splits(hand.cards())
            .all(|(_, five)| !HighHand::of(&five, ranking).is_complete() || is_broadway(&five))
}
