//! The sums over the cards of a hand that identify its class.

use crate::cards::{Card, Rank, Suit};

/// The addend of each of the six ranks from the deuce.
///
/// No other choice of up to seven cards of these ranks, with at most four of a rank, has the same
/// sum.
const LOWER: [u64; 6] = [1, 5, 24, 112, 521, 2247];
/// The addend of each of the seven ranks from the eight, with the same property.
const HIGHER: [u64; 7] = [1, 5, 24, 112, 521, 2247, 9244];
/// The addend of each rank in the sum that identifies two cards: the marks of a Golomb ruler.
///
/// No other two ranks, and no single rank, have the same sum.
const PAIRED: [u64; 13] = [4, 6, 20, 35, 52, 59, 77, 78, 86, 89, 99, 122, 127];

// The sum over the higher ranks is in the lowest sixteen bits. Above it each suit has a counter of
// four bits. Then comes the sum that identifies two ranks. The highest bits have the sum over the
// lower ranks with the joker. The two sums that are read most often cost one instruction each. The
// test for a flush and its constant fit in one instruction.
const COUNTERS_AT: u32 = 16;
const PAIRED_AT: u32 = 32;
const LOWER_AT: u32 = 48;
/// Above the lower ranks, so that both are looked up together.
const JOKER: u64 = 1 << (LOWER_AT + 14);
const ONE_OF_EACH_SUIT: u64 = 0x1111 << COUNTERS_AT;
/// The counters begin at three, so that their highest bits show which have reached five.
const NO_CARDS: u64 = 3 * ONE_OF_EACH_SUIT;
const FLUSHES: u64 = 8 * ONE_OF_EACH_SUIT;

/// The bit of the joker in a set of the cards of a suit; those below are the ranks.
pub(super) const JOKER_BIT: u16 = 1 << 13;
const EVERY_JOKER: u64 = 0x0001_0001_0001_0001 * JOKER_BIT as u64;

/// How many sums over the lower ranks there may be, with or without the joker.
pub(super) const LOWER_SUMS: usize = 1 << 16;
/// How many sums over the higher ranks there may be.
pub(super) const HIGHER_SUMS: usize = 1 << 16;
/// How many sums of two ranks there may be.
pub(super) const PAIRED_SUMS: usize = 1 << 8;
/// How many sets of the cards of a suit there are, the joker being one of them.
pub(super) const SUITED_SETS: usize = 1 << 14;

/// The sum over the cards of a hand. One addition adds a card, and the sum identifies the class of
/// the hand.
///
/// The joker counts in every suit. A key of other cards than those of one deck has no meaning.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct HandKey {
    /// The sums over the ranks, the joker, and how many cards of each suit there are.
    sums: u64,
    /// The ranks held of each suit and the joker, sixteen bits a suit, clubs lowest.
    suits: u64,
}

/// The addend of each card, by its number. The entries above the joker's are not used.
const OF_CARDS: [HandKey; 64] = {
    let mut keys = [HandKey { sums: JOKER + ONE_OF_EACH_SUIT, suits: EVERY_JOKER }; 64];
    let mut number = 0;
    while number < 52 {
        let (suit, rank) = (number / 13, number % 13);
        let by_rank =
            if rank < LOWER.len() { LOWER[rank] << LOWER_AT } else { HIGHER[rank - LOWER.len()] };
        let counter = 1 << (COUNTERS_AT + 4 * Suit::ALL[suit] as u32);
        keys[number] = HandKey {
            sums: by_rank + (PAIRED[rank] << PAIRED_AT) + counter,
            suits: 1 << (16 * suit + rank),
        };
        number += 1;
    }
    keys
};

/// The addend of one card to a [`HandKey`].
///
/// A caller that adds the same cards many times keeps these values. [`HandKey::plus`] looks them
/// up.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CardKey(HandKey);

impl CardKey {
    /// Returns what `card` adds.
    #[inline]
    #[must_use]
    pub const fn of(card: Card) -> Self {
        Self(OF_CARDS[(card.number() & 63) as usize])
    }
}

impl HandKey {
    /// The key of no cards.
    pub const EMPTY: Self = Self { sums: NO_CARDS, suits: 0 };

    /// Returns the key of distinct cards.
    #[must_use]
    pub fn of(cards: &[Card]) -> Self {
        cards.iter().fold(Self::EMPTY, |key, card| key.plus(*card))
    }

    /// Returns the key with one more card, which the hand does not hold.
    #[inline]
    #[must_use]
    pub const fn plus(self, card: Card) -> Self {
        self.plus_key(CardKey::of(card))
    }

    /// Returns the key with one more card, which the hand does not hold.
    #[inline]
    #[must_use]
    pub const fn plus_key(self, CardKey(added): CardKey) -> Self {
        Self {
            sums: self.sums.wrapping_add(added.sums),
            suits: self.suits.wrapping_add(added.suits),
        }
    }

    /// Returns the key with one more card of a rank, in a suit that does not matter.
    ///
    /// The card completes no flush, and the hand has at most four cards of a rank.
    #[inline]
    #[must_use]
    pub const fn plus_rank(self, rank: Rank) -> Self {
        let of_clubs = OF_CARDS[rank.index() as usize].sums;
        let sums = of_clubs & !(15 * ONE_OF_EACH_SUIT);
        Self { sums: self.sums.wrapping_add(sums), suits: self.suits }
    }

    /// Returns the key without a card, which the hand holds.
    #[inline]
    #[must_use]
    pub const fn minus(self, card: Card) -> Self {
        let CardKey(taken) = CardKey::of(card);
        Self {
            sums: self.sums.wrapping_sub(taken.sums),
            suits: self.suits.wrapping_sub(taken.suits),
        }
    }

    /// Returns the sum over the lower ranks, with the joker above it.
    #[inline]
    pub(super) const fn lower(self) -> usize {
        (self.sums >> LOWER_AT) as usize
    }

    /// Returns the sum over the higher ranks.
    #[inline]
    pub(super) const fn higher(self) -> usize {
        (self.sums & 0xffff) as usize
    }

    /// Returns the sum that identifies two ranks.
    #[inline]
    pub(super) const fn paired(self) -> u32 {
        (self.sums >> PAIRED_AT & 0x3ff) as u32
    }

    /// Returns the suit of five or more cards, the joker included, if there is one.
    #[inline]
    #[must_use]
    pub const fn flush(self) -> Option<Suit> {
        let flushes = self.sums & FLUSHES;
        if flushes == 0 {
            return None;
        }
        let suit = (flushes.trailing_zeros() - COUNTERS_AT) / 4;
        Some(Suit::ALL[(suit & 3) as usize])
    }

    /// Returns the ranks held of a suit, and the joker.
    #[inline]
    pub(super) const fn suited(self, suit: Suit) -> usize {
        (self.suits >> (16 * suit as u32) & 0x3fff) as usize
    }
}

/// Returns the key of cards of which only the ranks count.
pub(super) fn of_ranks(counts: &[u8; 13], joker: bool) -> HandKey {
    let card = |rank: Rank| Card::new(rank, Suit::Clubs);
    let mut sums = if joker { JOKER } else { 0 };
    for (rank, count) in Rank::ALL.into_iter().zip(counts) {
        let of_rank = OF_CARDS[usize::from(card(rank).number())].sums & !(15 * ONE_OF_EACH_SUIT);
        sums += of_rank * u64::from(*count);
    }
    HandKey { sums: sums + NO_CARDS, suits: 0 }
}
