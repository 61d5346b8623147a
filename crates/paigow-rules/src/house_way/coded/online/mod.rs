//! Seven cards, two in front: the house way of the online chart.
//!
//! The chart has a section for each category of the best five cards. Its rows are read from the
//! top, and the first that fits decides. A row that keeps a flush or a straight refers to the rows
//! of its length, in `rows.rs`. If the split of a row is foul, the rows of its own section follow.
//!
//! The cards are grouped by rank, the joker being an ace. A singleton is alone of its rank. If a
//! row names ranks and several cards have them, C1 and C2 choose.

mod flush;
mod grouped;
mod rows;
mod straight;

use super::super::hand::ChartHand;
use super::super::shape::Shape;
use super::super::split::{ChartSplit, choose_of_ranks};
use crate::cards::{Card, Rank, Suit};
use crate::hands::Ranking;

use rows::{places, windows};

super::clauses! {
    O1 O2
    O3 O3x O4a O4b O4c O4d O4e O4ex O4f O4i O4j O4k O5
    O6 O7 O8 O8x O9 O9x O10 O10x O11i O11j O11k O12
    O21 O22 O23
    O27 O28 O29
    O13 O14 O15 O16 O17
    O37 O18 O19 O20
    O24 O25a O25b O25c O25d O25e O25ex O25f O25i O25j O25k O26
    O30 O31a O31ax O31b O31c O31d O31e O31f O31i O31j O31k O32
    O33 O34 O35 O36
    O38 O39 O40 O41 O42
    F5 F6J F6 F7J F7
    S5 S6A S6J S6 S7AJ S7A S7J1 S7J2 S7J7 S7J6 S7
}

/// Seven cards in two hands, the rule that decided, and the row that it refers to.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnlineSetting {
    pub(super) rule: Id,
    pub(super) row: Option<Id>,
    pub(super) split: ChartSplit,
}

impl Id {
    /// Decides by the rule alone, if its split is not foul.
    fn by(self, split: Option<ChartSplit>) -> Option<OnlineSetting> {
        Some(OnlineSetting { rule: self, row: None, split: split? })
    }

    /// Decides by the rule and the row that it refers to.
    fn with(self, row: Option<(Self, ChartSplit)>) -> Option<OnlineSetting> {
        let (row, split) = row?;
        Some(OnlineSetting { rule: self, row: Some(row), split })
    }
}

/// Sets seven distinct cards. Every hand has a row whose split is not foul.
pub(super) fn set(cards: &[Card; 7], ranking: Ranking) -> Option<OnlineSetting> {
    let hand = ChartHand::of(cards, ranking);
    OnlineHand::of(&hand, ranking).set()
}

/// A hand that the chart is applied to.
#[derive(Clone, Copy, Debug)]
struct OnlineHand<'a> {
    hand: &'a ChartHand<7>,
    ranking: Ranking,
    /// How many jokers there are.
    jokers: u32,
    /// The suit of five or more cards, the joker included.
    flush: Option<Suit>,
    /// The first place of the highest straight flush.
    straight_flush: Option<u8>,
    beside: RankPattern,
}

/// The pattern of ranks in the hand, with or without a straight or a flush.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum RankPattern {
    NoPair,
    OnePair,
    TwoPairs,
    ThreePairs,
    ThreeAndTwo,
    /// Three of a kind, or four.
    ThreeOrMore,
}

impl RankPattern {
    const fn of(shape: Shape) -> Self {
        match shape {
            Shape::One => Self::NoPair,
            Shape::Two => Self::OnePair,
            Shape::TwoTwo => Self::TwoPairs,
            Shape::TwoTwoTwo => Self::ThreePairs,
            Shape::ThreeTwo => Self::ThreeAndTwo,
            Shape::FiveTwo
            | Shape::Five
            | Shape::FourThree
            | Shape::FourTwo
            | Shape::Four
            | Shape::ThreeThree
            | Shape::ThreeTwoTwo
            | Shape::Three => Self::ThreeOrMore,
        }
    }
}

/// The place of the ten: a royal flush begins there.
const TEN: u8 = Rank::Ten.index() + 1;

impl<'a> OnlineHand<'a> {
    fn of(hand: &'a ChartHand<7>, ranking: Ranking) -> Self {
        let cards = hand.cards();
        let jokers = u32::from(cards.iter().any(|card| card.is_joker()));
        let mut suits = [jokers; 4];
        for suit in cards.iter().filter_map(|card| card.suit()) {
            suits[suit as usize] += 1;
        }
        let flush = Suit::ALL.into_iter().find(|suit| suits[*suit as usize] >= 5);
        let straight_flush = flush.and_then(|_| {
            let suited = places(cards.iter().copied().filter(|card| card.suit() == flush));
            windows(suited, 5, jokers).next_back()
        });
        let beside = RankPattern::of(hand.shape());
        Self { hand, ranking, jokers, flush, straight_flush, beside }
    }

    /// Finds the section of the hand and asks its rows.
    fn set(&self) -> Option<OnlineSetting> {
        // Without a flush, the hand has a straight.
        let has_straight = || self.hand.holds_straight_or_flush();
        match (self.hand.shape(), self.straight_flush) {
            (Shape::FiveTwo | Shape::Five, _) => self.five_aces(),
            (_, Some(TEN)) => self.royal_flush(),
            (_, Some(_)) => self.straight_flush(),
            (Shape::ThreeTwo, None) if self.flush.is_some() => self.full_house_with_flush(),
            (Shape::ThreeTwo, None) if has_straight() => self.full_house_with_straight(),
            (Shape::FourThree | Shape::FourTwo | Shape::Four, None) => self.four_of_a_kind(),
            (Shape::ThreeThree | Shape::ThreeTwoTwo | Shape::ThreeTwo, None) => self.full_house(),
            (_, None) if self.flush.is_some() => self.flush(),
            (_, None) if has_straight() => self.straight(),
            (Shape::Three, None) => self.three_of_a_kind(),
            (Shape::TwoTwoTwo | Shape::TwoTwo | Shape::Two | Shape::One, None) => self.pairs(),
        }
    }

    /// Returns the split with these two cards in front, if it is not foul.
    fn front(&self, front: [Card; 2]) -> Option<ChartSplit> {
        ChartSplit::with_front(self.hand, front, self.ranking)
    }

    fn of_ranks(&self, a: Rank, b: Rank) -> Option<ChartSplit> {
        choose_of_ranks(self.hand, self.ranking, a, Some(b))
    }

    fn pair_of(&self, rank: Rank) -> Option<ChartSplit> {
        self.of_ranks(rank, rank)
    }

    fn pair_of_group(&self, place: usize) -> Option<ChartSplit> {
        self.pair_of(self.hand.group(place)?)
    }

    fn singletons(&self, first: usize, second: usize) -> Option<ChartSplit> {
        self.of_ranks(self.hand.singleton(first)?, self.hand.singleton(second)?)
    }

    /// Whether the pair, or the higher of several, is the joker with the one natural ace.
    fn is_pair_by_joker(&self) -> bool {
        self.jokers == 1 && self.hand.group(0) == Some(Rank::Ace)
    }

    /// Returns the natural ace, if there is one.
    fn natural_ace(&self) -> Option<Card> {
        self.hand.cards().iter().copied().find(|card| card.rank() == Some(Rank::Ace))
    }

    /// Returns the card that is the singleton at `place`, the highest being 0.
    fn singleton(&self, place: usize) -> Option<Card> {
        let rank = self.hand.singleton(place)?;
        self.hand.cards().iter().copied().find(|card| card.rank_or_ace() == rank)
    }
}
