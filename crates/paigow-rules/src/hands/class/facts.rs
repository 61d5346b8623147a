//! The facts of all dealt cards that bets ask for, as far as the class of a hand decides them.

use super::shapes::CountsByRank;
use crate::cards::Rank;

/// The hands that any five cards of a class make. The joker is used afresh for each: as an ace, or
/// as a card that completes a straight, a flush or a straight flush.
// The place of the best five in thirteen bits, as there are 7,463; then a bit for each
// fact, and above them the highest rank.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct HandFacts(u32);

const BEST: u32 = 0x1fff;

const JOKER: u32 = 1 << 13;
const STRAIGHT: u32 = 1 << 14;
const FLUSH: u32 = 1 << 15;
const STRAIGHT_FLUSH: u32 = 1 << 16;
const ROYAL_FLUSH: u32 = 1 << 17;
const SEVEN_CARD_STRAIGHT_FLUSH: u32 = 1 << 18;
const ACE_TO_FIVE_SUITED: u32 = 1 << 19;
const NO_PAIR: u32 = 1 << 20;
const TWO_PAIR: u32 = 1 << 21;
const THREE_PAIR: u32 = 1 << 22;
const THREE: u32 = 1 << 23;
const FOUR: u32 = 1 << 24;
const HIGHEST_AT: u32 = 25;

impl HandFacts {
    /// Returns the facts that the ranks decide.
    pub(super) fn by_ranks(counts: &CountsByRank, joker: bool) -> Self {
        let mut counts = *counts;
        let held = (0..13).filter(|rank| counts[*rank] > 0).fold(0, |held, rank| held | 1 << rank);
        counts[usize::from(Rank::Ace.index())] += u8::from(joker);
        let twice = counts.iter().filter(|count| **count >= 2).count();
        let most = counts.iter().copied().max().unwrap_or(0);
        let is_straight = longest_window(held, 5) + u32::from(joker) >= 5;
        let highest = (0..13_u32).rev().find(|rank| counts[*rank as usize] > 0).unwrap_or(0);
        Self::default()
            .with(JOKER, joker)
            .with(STRAIGHT, is_straight)
            .with(NO_PAIR, most == 1)
            .with(TWO_PAIR, twice >= 2)
            .with(THREE_PAIR, twice == 3 && most == 2 && !is_straight)
            .with(THREE, most >= 3)
            .with(FOUR, most >= 4)
            .with(highest << HIGHEST_AT, true)
    }

    /// Returns the same facts with those that the cards of a suit decide. With the joker they are
    /// five or more.
    pub(super) fn with_suit(self, held: u16) -> Self {
        const ROYAL: u16 = 0b1_1111_0000_0000;
        const ACE_TO_FIVE: u16 = 0b1_0000_0000_1111;
        let joker = u32::from(self.has(JOKER));
        let in_a_row = |len| longest_window(held, len) + joker >= len;
        Self(self.0 & !THREE_PAIR)
            .with(FLUSH, true)
            .with(STRAIGHT_FLUSH, in_a_row(5))
            .with(ROYAL_FLUSH, (held & ROYAL).count_ones() + joker >= 5)
            .with(SEVEN_CARD_STRAIGHT_FLUSH, in_a_row(7))
            .with(ACE_TO_FIVE_SUITED, joker == 0 && held & ACE_TO_FIVE == ACE_TO_FIVE)
    }

    /// Returns the same facts with another place of the best five.
    pub(super) const fn with_best(self, id: u16) -> Self {
        Self(self.0 & !BEST | id as u32)
    }

    const fn with(self, fact: u32, is_so: bool) -> Self {
        if is_so { Self(self.0 | fact) } else { self }
    }

    const fn has(self, fact: u32) -> bool {
        self.0 & fact != 0
    }

    /// Returns the facts as a number below 2^29.
    pub(crate) const fn bits(self) -> u32 {
        self.0
    }

    /// Returns the facts that [`Self::bits`] has given.
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// Returns the place of the best five among all values, [`crate::hands::every_high_hand`], if
    /// A-2-3-4-5 is second. The lowest is 0.
    #[inline]
    #[must_use]
    pub const fn best_high_id(self) -> u16 {
        (self.0 & 0x1fff) as u16
    }

    /// Whether the joker is among the cards.
    #[must_use]
    pub const fn has_joker(self) -> bool {
        self.has(JOKER)
    }

    /// Whether five ranks succeed one another, the joker allowed.
    #[must_use]
    pub const fn has_straight(self) -> bool {
        self.has(STRAIGHT)
    }

    /// Whether five cards are of one suit, the joker allowed.
    #[must_use]
    pub const fn has_flush(self) -> bool {
        self.has(FLUSH)
    }

    /// Whether there is a straight flush, the joker allowed.
    #[must_use]
    pub const fn has_straight_flush(self) -> bool {
        self.has(STRAIGHT_FLUSH)
    }

    /// Whether there is a royal flush, the joker allowed.
    #[must_use]
    pub const fn has_royal_flush(self) -> bool {
        self.has(ROYAL_FLUSH)
    }

    /// Whether the cards are one straight flush of seven, the joker allowed.
    #[must_use]
    pub const fn is_seven_card_straight_flush(self) -> bool {
        self.has(SEVEN_CARD_STRAIGHT_FLUSH)
    }

    /// Whether there is A-2-3-4-5 of one suit, and no joker in the hand.
    #[must_use]
    pub const fn has_luhn_tao_wheel(self) -> bool {
        self.has(ACE_TO_FIVE_SUITED)
    }

    /// Whether the ranks all differ; the joker is an ace.
    #[must_use]
    pub const fn has_no_pair(self) -> bool {
        self.has(NO_PAIR)
    }

    /// Whether two ranks or more are held twice or more; the joker is an ace.
    #[must_use]
    pub const fn has_two_pair(self) -> bool {
        self.has(TWO_PAIR)
    }

    /// Whether three ranks are held twice, and there is no three of a kind, straight or
    /// flush; the joker is an ace.
    #[must_use]
    pub const fn is_three_pair(self) -> bool {
        self.has(THREE_PAIR)
    }

    /// Whether three cards are of one rank; the joker is an ace.
    #[must_use]
    pub const fn has_three_of_a_kind(self) -> bool {
        self.has(THREE)
    }

    /// Whether four cards are of one rank; the joker is an ace.
    #[must_use]
    pub const fn has_four_of_a_kind(self) -> bool {
        self.has(FOUR)
    }

    /// Whether three cards are of one rank and two of another; the joker is an ace.
    #[must_use]
    pub const fn has_full_house(self) -> bool {
        self.has(THREE) && self.has(TWO_PAIR)
    }

    /// Whether the hand is a pai gow: different ranks only, and no straight and no
    /// flush, those that the joker completes included.
    #[must_use]
    pub const fn is_pai_gow(self) -> bool {
        self.has(NO_PAIR) && !self.has(STRAIGHT) && !self.has(FLUSH)
    }

    /// Returns the highest rank; the joker is an ace.
    #[must_use]
    pub fn highest(self) -> Rank {
        Rank::ALL.get((self.0 >> HIGHEST_AT) as usize).copied().unwrap_or(Rank::Ace)
    }
}

/// Returns the most ranks that lie within `length` successive ones, the ace below the
/// deuce or above the king.
fn longest_window(held: u16, length: u32) -> u32 {
    let places = held << 1 | held >> Rank::Ace.index();
    let window = (1 << length) - 1;
    (0..=14 - length).map(|lowest| (places >> lowest & window).count_ones()).max().unwrap_or(0)
}
