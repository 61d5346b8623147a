//! The section of the straight.

use super::rows::{StraightPlaces, places, windows};
use super::{Id, OnlineHand, OnlineSetting, RankPattern, TEN};
use crate::cards::{Card, Rank};

/// The places of A-K-Q-J-T.
const BROADWAY: StraightPlaces = 31 << TEN;
/// The place of the ace above the king.
const HIGH_ACE: StraightPlaces = 1 << (TEN + 4);

impl OnlineHand<'_> {
    pub(super) fn full_house_with_straight(&self) -> Option<OnlineSetting> {
        let three = self.hand.group(0)?;
        if three == Rank::Ace {
            Id::O27.by(self.pair_of_group(1))
        } else if three > Rank::Ten {
            Id::O28.by(self.pair_of(three))
        } else {
            // Of four ranks a straight needs the joker beside a natural ace.
            Id::O29.by(self.pair_of(Rank::Ace))
        }
    }

    pub(super) fn straight(&self) -> Option<OnlineSetting> {
        match self.beside {
            RankPattern::ThreeOrMore | RankPattern::ThreeAndTwo => {
                Id::O30.with(self.straight_row(None))
            }
            RankPattern::OnePair if self.is_pair_by_joker() => self.pair_by_joker(),
            RankPattern::OnePair => self.natural_pair(),
            RankPattern::TwoPairs => self.two_pairs(),
            RankPattern::ThreePairs => Id::O31k.by(self.pair_of(Rank::Ace)),
            RankPattern::NoPair => Id::O32.with(self.straight_row(None)),
        }
    }

    fn pair_by_joker(&self) -> Option<OnlineSetting> {
        let ace = self.natural_ace()?;
        if !self.leaves_straight(|card| *card == ace) {
            return Id::O31e.with(self.straight_row(None));
        }
        Id::O31a
            .by(self.front([ace, self.singleton(0)?]))
            .or_else(|| Id::O31ax.with(self.straight_row(None)))
    }

    fn natural_pair(&self) -> Option<OnlineSetting> {
        let pair = self.hand.group(0)?;
        if self.jokers == 1 && self.leaves_straight(|card| card.rank() == Some(pair)) {
            return Id::O31b.by(self.pair_of(pair));
        }
        // The joker may be the ace here, and no other card.
        let joker = if self.jokers == 1 { HIGH_ACE } else { 0 };
        let held = places(self.hand.cards().iter().copied()) | joker;
        let holds_broadway = held & BROADWAY == BROADWAY;
        if holds_broadway && pair == Rank::King {
            Id::O31c.by(self.of_ranks(Rank::Ace, Rank::Queen))
        } else if holds_broadway && (Rank::Ten..Rank::King).contains(&pair) {
            Id::O31d.by(self.of_ranks(Rank::Ace, Rank::King))
        } else {
            Id::O31e.with(self.straight_row(None))
        }
    }

    fn two_pairs(&self) -> Option<OnlineSetting> {
        let (higher, lower) = (self.hand.group(0)?, self.hand.group(1)?);
        let lacks_aces = self.hand.cards().iter().all(|card| card.rank_or_ace() != Rank::Ace);
        if self.leaves_straight(|card| card.rank() == Some(lower)) {
            Id::O31f.by(self.pair_of(lower))
        } else if lower == Rank::Two && higher < Rank::Five && lacks_aces {
            Id::O31i.with(self.straight_row(None))
        } else {
            Id::O31j.by(self.pair_of(lower))
        }
    }

    /// Whether the hand without some of its natural cards still holds a straight.
    fn leaves_straight(&self, is_gone: impl Fn(&Card) -> bool) -> bool {
        let left = places(self.hand.cards().iter().copied().filter(|card| !is_gone(card)));
        windows(left, 5, self.jokers).next().is_some()
    }
}
