//! The high hand of five cards.

use std::{fmt, iter};

use super::ranks::{RankCounts, RankSet, plural};
use super::{Category, JokerUse, Ranking, Wheel};
use crate::cards::{Card, Rank};

/// The value of a high hand of five cards, in the order of the games.
///
/// The category counts first, then the ranks as in poker. The joker has the rank that it replaces.
/// Equal values are copies. Values made under one [`Ranking`] compare only with each other.
// The category above five nibbles; the nibble that decides first is the highest,
// and those that never decide are zero.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct HighHand(u32);

/// The nibble of a straight with the ace on top.
pub(super) const ACE_HIGH: u8 = Rank::Ace.index() + 1;
/// The nibble of A-2-3-4-5 where it is second: between the ace and the king on top.
pub(super) const WHEEL_SECOND: u8 = Rank::King.index() + 1;
/// The nibble of A-2-3-4-5 where it is lowest: the five on top, below a six.
pub(super) const WHEEL_LOWEST: u8 = Rank::Five.index();

/// The ranks of A-K-Q-J-T.
const BROADWAY: RankSet = RankSet::of([Rank::Ace, Rank::King, Rank::Queen, Rank::Jack, Rank::Ten]);
/// The ranks of A-2-3-4-5.
const WHEEL: RankSet = RankSet::of([Rank::Ace, Rank::Two, Rank::Three, Rank::Four, Rank::Five]);

impl HighHand {
    /// Returns the value of five distinct cards, in any order.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_rules::cards::Card;
    /// use paigow_rules::hands::{HighHand, Wheel};
    ///
    /// let hand = |text: &str| {
    ///     let cards: Vec<Card> = text.split(' ').map(|card| card.parse().unwrap()).collect();
    ///     let cards: [Card; 5] = cards.try_into().unwrap();
    ///     HighHand::of(&cards, Wheel::Second)
    /// };
    /// let kings = hand("Kc Kd Ah Qs 9c");
    /// assert_eq!(kings.to_string(), "pair of kings, ace queen nine");
    /// // The joker completes the straight A-2-3-4-5.
    /// assert!(hand("Ah 2d 3c Jk 5s") > kings);
    /// ```
    #[must_use]
    pub fn of(cards: &[Card; 5], ranking: impl Into<Ranking>) -> Self {
        let Ranking { wheel, joker } = ranking.into();
        let mut counts = RankCounts::default();
        let mut suits = [false; 4];
        let mut naturals = 0;
        for card in cards {
            if let (Some(rank), Some(suit)) = (card.rank(), card.suit()) {
                counts.insert(rank);
                suits[suit as usize] = true;
                naturals += 1;
            }
        }
        // No straight or flush holds a rank twice. If the naturals do not, the joker may replace a
        // rank that they lack.
        let ranks = counts.held();
        if ranks.len() == naturals {
            let is_flush = suits.iter().filter(|held| **held).count() == 1;
            match (is_flush, straight_top(ranks, wheel)) {
                (true, Some(ACE_HIGH)) => return Self::new(Category::RoyalFlush, [ACE_HIGH]),
                (true, Some(top)) => return Self::new(Category::StraightFlush, [top]),
                (true, None) => return Self::flush(ranks),
                (false, Some(top)) => return Self::new(Category::Straight, [top]),
                (false, None) => {}
            }
        }
        if naturals < 5 {
            counts.insert(match joker {
                JokerUse::SemiWild => Rank::Ace,
                JokerUse::Wild => counts.most_held().unwrap_or(Rank::Ace),
            });
        }
        Self::grouped(counts)
    }

    /// Returns the best five of five or more distinct cards, or [`None`] if there are fewer cards.
    #[must_use]
    pub fn best_of(cards: &[Card], ranking: impl Into<Ranking>) -> Option<Self> {
        let ranking = ranking.into();
        let mut best = None;
        for (a, &first) in cards.iter().enumerate() {
            for (b, &second) in cards.iter().enumerate().skip(a + 1) {
                for (c, &third) in cards.iter().enumerate().skip(b + 1) {
                    for (d, &fourth) in cards.iter().enumerate().skip(c + 1) {
                        for &fifth in cards.iter().skip(d + 1) {
                            let five = [first, second, third, fourth, fifth];
                            best = best.max(Some(Self::of(&five, ranking)));
                        }
                    }
                }
            }
        }
        best
    }

    /// Returns the category.
    #[must_use]
    pub const fn category(self) -> Category {
        Category::ALL[(self.0 >> 20) as usize]
    }

    /// Returns the highest rank of a hand without a pair or better, or [`None`] for any other hand.
    #[must_use]
    pub fn high_card_rank(self) -> Option<Rank> {
        let [highest, ..] = self.ranks();
        (self.category() == Category::HighCard).then_some(highest)
    }

    /// Whether the hand is complete: a straight or better.
    #[must_use]
    pub fn is_complete(self) -> bool {
        self.category() >= Category::Straight
    }

    /// Returns the flush of `ranks`. If only four are given, the joker is the highest rank that
    /// they lack.
    fn flush(mut ranks: RankSet) -> Self {
        if ranks.len() < 5
            && let Some(joker) = ranks.complement().highest()
        {
            ranks.insert(joker);
        }
        Self::new(Category::Flush, ranks.descending().map(Rank::index))
    }

    /// Returns the value of five cards that are no straight and no flush.
    fn grouped(counts: RankCounts) -> Self {
        let category = match [5, 4, 3, 2].map(|times| counts.held_exactly(times).len()) {
            [1, ..] if counts.held().highest() == Some(Rank::Ace) => Category::FiveAces,
            [1, ..] => Category::FiveOfAKind,
            [_, 1, ..] => Category::FourOfAKind,
            [_, _, 1, 1] => Category::FullHouse,
            [_, _, 1, _] => Category::ThreeOfAKind,
            [_, _, _, 2] => Category::TwoPair,
            [_, _, _, 1] => Category::Pair,
            [_, _, _, _] => Category::HighCard,
        };
        let ranks =
            [5, 4, 3, 2, 1].into_iter().flat_map(|times| counts.held_exactly(times).descending());
        Self::new(category, ranks.map(Rank::index))
    }

    /// Returns the value with these nibbles, at most five, beginning with the one that decides
    /// first.
    pub(super) fn new(category: Category, nibbles: impl IntoIterator<Item = u8>) -> Self {
        let nibbles = nibbles.into_iter().chain(iter::repeat(0)).take(5);
        Self(nibbles.fold(category as u32, |value, nibble| value << 4 | u32::from(nibble)))
    }

    /// Returns the nibbles, beginning with the one that decides first.
    fn nibbles(self) -> [u32; 5] {
        [16, 12, 8, 4, 0].map(|shift| self.0 >> shift & 15)
    }

    /// Returns the ranks in the order in which they decide, for every category except straights.
    /// Places that never decide hold a deuce.
    pub(super) fn ranks(self) -> [Rank; 5] {
        self.nibbles().map(|nibble| Rank::ALL.get(nibble as usize).copied().unwrap_or(Rank::Ace))
    }
}

/// Returns the nibble of the best straight that holds all of `ranks`. If there are four, the joker
/// is the one rank that they lack.
fn straight_top(ranks: RankSet, wheel: Wheel) -> Option<u8> {
    if ranks.is_subset(BROADWAY) {
        return Some(ACE_HIGH);
    }
    let is_wheel = ranks.is_subset(WHEEL);
    if is_wheel && wheel == Wheel::Second {
        return Some(WHEEL_SECOND);
    }
    let (lowest, highest) = (ranks.lowest()?.index(), ranks.highest()?.index());
    let top = (lowest + 4).min(Rank::King.index());
    if highest <= top {
        return Some(top);
    }
    is_wheel.then_some(WHEEL_LOWEST)
}

/// Returns whether some five of `cards` are a straight, a flush or a straight flush.
///
/// The cards are distinct. The joker fills one gap or adds to any suit.
#[must_use]
pub fn holds_straight_or_flush(cards: &[Card]) -> bool {
    let mut suits = [0_u8; 4];
    // Bit 0 is the ace below the deuce, bit 13 the ace above the king.
    let mut places = 0_u16;
    let mut jokers = 0_u8;
    for card in cards {
        match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => {
                suits[suit as usize] += 1;
                places |= 2 << rank.index();
                if rank == Rank::Ace {
                    places |= 1;
                }
            }
            (None, _) | (_, None) => jokers = 1,
        }
    }
    suits.iter().any(|count| count + jokers >= 5)
        || (0..10).any(|low| (places >> low & 31).count_ones() + u32::from(jokers) >= 5)
}

impl fmt::Display for HighHand {
    /// Writes the hand as at the table: `pair of kings, ace queen nine`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [a, b, c, d, e] = self.ranks();
        let name = self.category().name();
        match self.category() {
            Category::HighCard => {
                write!(f, "{} high, {} {} {} {}", a.name(), b.name(), c.name(), d.name(), e.name())
            }
            Category::Pair => {
                write!(f, "pair of {}, {} {} {}", plural(a), b.name(), c.name(), d.name())
            }
            Category::TwoPair => {
                write!(f, "two pair, {} and {}, {}", plural(a), plural(b), c.name())
            }
            Category::ThreeOfAKind => write!(f, "three {}, {} {}", plural(a), b.name(), c.name()),
            Category::Flush => {
                write!(f, "flush, {} {} {} {} {}", a.name(), b.name(), c.name(), d.name(), e.name())
            }
            Category::FullHouse => write!(f, "full house, {} over {}", plural(a), plural(b)),
            Category::FourOfAKind => write!(f, "four {}, {}", plural(a), b.name()),
            Category::Straight | Category::StraightFlush => {
                let [top, ..] = self.nibbles();
                if top == u32::from(ACE_HIGH) {
                    write!(f, "{name}, ace high")
                } else if top == u32::from(WHEEL_SECOND) || top == u32::from(WHEEL_LOWEST) {
                    write!(f, "{name}, ace to five")
                } else {
                    write!(f, "{name}, {} high", a.name())
                }
            }
            Category::FiveOfAKind => write!(f, "five {}", plural(a)),
            Category::RoyalFlush | Category::FiveAces => f.write_str(name),
        }
    }
}

impl fmt::Debug for HighHand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
