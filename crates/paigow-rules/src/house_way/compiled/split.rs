//! The cards of a hand that go in front, in the terms of its class.

use super::super::decided::{ClausePlaces, SettingDecision};
use super::super::setting::LowCards;
use crate::cards::{Card, CardSet, Rank, Suit};

/// The cards of the hands of a class that go in front, and the clause that decides.
///
/// If several cards fit a place in front, it is the one of the lowest suit.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct ClassSplit {
    /// The second is [`None`] if one card goes in front.
    pub(super) front: [Option<FrontCard>; 2],
    pub(super) by: ClausePlaces,
}

/// A card in front.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum FrontCard {
    Joker,
    Of(Rank, RankSide),
}

/// Which of the cards of a rank.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum RankSide {
    Either,
    OfFlush,
    BesideFlush,
}

impl FrontCard {
    /// Returns the cards that this names.
    fn named(self, flush: Option<Suit>) -> CardSet {
        let (rank, side) = match self {
            Self::Joker => return CardSet::of_one(Card::JOKER),
            Self::Of(rank, side) => (rank, side),
        };
        let of_flush =
            flush.map_or(CardSet::default(), |suit| CardSet::of_one(Card::new(rank, suit)));
        match side {
            RankSide::Either => CardSet::of_rank(rank),
            RankSide::OfFlush => of_flush,
            RankSide::BesideFlush => CardSet::of_rank(rank).without(of_flush),
        }
    }
}

impl ClassSplit {
    /// Parts a hand of the class into a low and a high hand. Returns [`None`] if it is not of the
    /// class.
    pub(super) fn part(&self, hand: CardSet, flush: Option<Suit>) -> Option<SettingDecision> {
        let mut behind = hand;
        let mut take = |wanted: FrontCard| {
            let card = behind.within(wanted.named(flush)).first()?;
            behind = behind.without(CardSet::of_one(card));
            Some(card)
        };
        let low = match self.front {
            [Some(one), None] => LowCards::one(take(one)?),
            [Some(one), Some(two)] => LowCards::two([take(one)?, take(two)?]),
            [None, _] => return None,
        };
        let mut high = [Card::JOKER; 5];
        for (place, card) in high.iter_mut().zip(behind) {
            *place = card;
        }
        Some(SettingDecision { low, high, by: self.by })
    }
}
