//! The sections of hands in which only the groups of equal rank count.

use super::super::super::shape::Shape;
use super::{Id, OnlineHand, OnlineSetting, RankPattern};
use crate::cards::Rank;

impl OnlineHand<'_> {
    pub(super) fn five_aces(&self) -> Option<OnlineSetting> {
        if self.hand.shape() == Shape::FiveTwo && self.hand.group(1) == Some(Rank::King) {
            return Id::O1.by(self.pair_of(Rank::King));
        }
        // Two natural aces: with the joker behind, the low hand is not lower, so C1 keeps it there.
        Id::O2.by(self.pair_of(Rank::Ace))
    }

    pub(super) fn four_of_a_kind(&self) -> Option<OnlineSetting> {
        let (four, next) = (self.hand.group(0)?, self.hand.group(1)?);
        let shape = self.hand.shape();
        if shape == Shape::FourThree && four.index().abs_diff(next.index()) == 1 {
            Id::O13.by(self.pair_of(next))
        } else if shape == Shape::FourThree {
            Id::O14.by(self.pair_of(four.max(next)))
        } else if shape == Shape::FourTwo && four > next {
            Id::O15.by(self.pair_of(four))
        } else if shape == Shape::FourTwo {
            Id::O16.by(self.pair_of(next))
        } else {
            Id::O17.by(self.singletons(0, 1))
        }
    }

    pub(super) fn full_house(&self) -> Option<OnlineSetting> {
        let ranks = [0, 1, 2].map(|place| self.hand.group(place));
        let shape = self.hand.shape();
        if shape == Shape::ThreeThree {
            Id::O37.by(self.pair_of_group(0))
        } else if shape == Shape::ThreeTwoTwo
            && ranks == [Some(Rank::Ace), Some(Rank::Three), Some(Rank::Two)]
        {
            Id::O18.by(self.pair_of(Rank::Ace))
        } else if shape == Shape::ThreeTwoTwo {
            Id::O19.by(self.pair_of_group(1))
        } else {
            Id::O20.by(self.pair_of_group(1))
        }
    }

    pub(super) fn three_of_a_kind(&self) -> Option<OnlineSetting> {
        let three = self.hand.group(0)?;
        let (highest, second) = (self.hand.singleton(0)?, self.hand.singleton(1)?);
        if three == Rank::Ace {
            Id::O33.by(self.of_ranks(three, highest))
        } else if three == Rank::King && second >= Rank::Ten {
            Id::O34.by(self.singletons(0, 1))
        } else if three == Rank::King {
            Id::O35.by(self.of_ranks(three, highest))
        } else {
            Id::O36.by(self.singletons(0, 1))
        }
    }

    pub(super) fn pairs(&self) -> Option<OnlineSetting> {
        match self.beside {
            RankPattern::ThreePairs => Id::O40.by(self.pair_of_group(0)),
            RankPattern::TwoPairs => Id::O39.by(self.pair_of_group(1)),
            RankPattern::OnePair => Id::O38.by(self.singletons(0, 1)),
            RankPattern::NoPair | RankPattern::ThreeAndTwo | RankPattern::ThreeOrMore => {
                self.high_card()
            }
        }
    }

    fn high_card(&self) -> Option<OnlineSetting> {
        let ranks = [0, 1, 2, 3].map(|place| self.hand.singleton(place));
        let is_exception = matches!(
            ranks,
            [
                Some(Rank::Ace),
                Some(Rank::King | Rank::Queen),
                Some(Rank::Eight | Rank::Nine | Rank::Ten),
                Some(Rank::Seven | Rank::Eight),
            ]
        );
        if is_exception {
            Id::O41.by(self.singletons(1, 3))
        } else {
            Id::O42.by(self.singletons(1, 2))
        }
    }
}
