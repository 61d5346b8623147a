//! Which cards of a hand go in front, in the terms of its class.

use super::super::setting::LowCards;
use crate::cards::{Card, Rank, Suit};

/// Which cards of a hand of a class go in front, and what decides, in four bytes.
///
/// A card in front is the joker, or it has a rank and is of the flush suit, beside it or
/// either; of several that fit it is the one of the lowest suit.
// From bit 0 the first card and from bit 6 the second, if there is one: the index of the
// rank, or one of the two numbers above them, and which of the cards of that rank. From
// bit 16 the place of the clauses that decide.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct ClassSplit(u32);

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

const SIDES: [Side; 3] = [Side::Either, Side::OfFlush, Side::BesideFlush];
const JOKER: u32 = 13;
const NONE: u32 = 14;
const SECOND_AT: u32 = 6;
const DECIDED_AT: u32 = 16;

impl InFront {
    const fn bits(self) -> u32 {
        match self {
            Self::Joker => JOKER,
            Self::Of(rank, side) => rank.index() as u32 | (side as u32) << 4,
        }
    }

    fn from_bits(bits: u32) -> Option<Self> {
        match bits & 15 {
            JOKER => Some(Self::Joker),
            rank => {
                let rank = Rank::ALL.get(rank as usize)?;
                Some(Self::Of(*rank, *SIDES.get((bits >> 4 & 3) as usize)?))
            }
        }
    }

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

impl ClassSplit {
    /// Stands for a class whose hands the clauses have to be asked about one by one.
    pub(super) const UNDECIDED: Self = Self(u32::MAX);
    /// How many places of clauses there is room for.
    pub(super) const MOST_DECIDED: u16 = u16::MAX;

    /// Returns the split with one card or two in front, and the place of what decides,
    /// below [`Self::MOST_DECIDED`].
    pub(super) fn new(front: &[InFront], decided: u16) -> Self {
        let bits = |place: usize| front.get(place).map_or(NONE, |card| card.bits());
        Self(bits(0) | bits(1) << SECOND_AT | u32::from(decided) << DECIDED_AT)
    }

    /// Returns the place of what decides.
    pub(super) const fn decided(self) -> usize {
        (self.0 >> DECIDED_AT) as usize
    }

    /// Parts a hand of the class, its cards in the order of the fresh deck, in a low and
    /// a high hand. Nothing if it is not of the class.
    pub(super) fn part<const N: usize>(
        self,
        cards: &[Card; N],
        flush: Option<Suit>,
    ) -> Option<(LowCards, [Card; 5])> {
        // The places of the cards in front.
        let mut low = [N; 2];
        for in_front in 0..N - 5 {
            let bits = if in_front == 0 { self.0 } else { self.0 >> SECOND_AT };
            let wanted = InFront::from_bits(bits & 0x3f)?;
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
            [one, _] => LowCards::one(cards[one]),
        };
        Some((low, high))
    }
}
