//! Which cards of a hand go in front, in the terms of its class.

use super::super::decided::{Decided, Places};
use super::super::setting::LowCards;
use crate::cards::{Card, Rank, Suit};

/// Which cards of the hands of a class go in front, and what decides.
///
/// Of several cards that a place in front names it is the one of the lowest suit.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct Split {
    /// The second is nothing where one card goes in front.
    pub(super) front: [Option<InFront>; 2],
    pub(super) by: Places,
}

/// A card in front.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum InFront {
    Joker,
    Of(Rank, Side),
}

/// Which of the cards of a rank.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum Side {
    Either,
    OfFlush,
    BesideFlush,
}

impl InFront {
    /// Whether `card` is one that this names.
    fn fits(self, card: Card, flush: Option<Suit>) -> bool {
        match self {
            Self::Joker => card.is_joker(),
            Self::Of(rank, side) => {
                card.rank() == Some(rank)
                    && match side {
                        Side::Either => true,
                        Side::OfFlush => card.suit() == flush,
                        Side::BesideFlush => card.suit() != flush,
                    }
            }
        }
    }
}

impl Split {
    /// Parts a hand of the class, its cards in the order of the fresh deck, in a low and
    /// a high hand. Nothing if it is not of the class.
    pub(super) fn part<const N: usize>(
        &self,
        cards: &[Card; N],
        flush: Option<Suit>,
    ) -> Option<Decided> {
        // The places of the cards in front.
        let mut low = [N; 2];
        for (in_front, wanted) in self.front.into_iter().flatten().enumerate() {
            low[in_front] =
                (0..N).find(|place| *place != low[0] && wanted.fits(cards[*place], flush))?;
        }
        let mut high = [Card::JOKER; 5];
        let behind = (0..N).filter(|place| !low.contains(place));
        for (card, place) in high.iter_mut().zip(behind) {
            *card = cards[place];
        }
        let low = match low {
            [one, two] if two < N => LowCards::two([cards[one], cards[two]]),
            [one, _] => LowCards::one(*cards.get(one)?),
        };
        Some(Decided { low, high, by: self.by })
    }
}
