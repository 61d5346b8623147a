//! Facts about any five of the dealt cards, for bets that are judged on all dealt cards.

use crate::cards::{Card, Rank, Suit};
use crate::game::sheet::ColourChoice;
use crate::hands::JokerUse;

/// Bit `rank index`: the ranks of one suit, or of all.
pub type RankBits = u16;

/// Ten, jack, queen, king, ace.
const ROYAL: RankBits = 0b1_1111_0000_0000;

/// Three, six or seven cards as the bonus bets look at them.
///
/// Any five of six or seven cards, or all of three, can make the hand that is asked for. The joker
/// is used afresh each time. A semi-wild joker is an ace, or completes a straight, a flush, a
/// straight flush or a royal flush; it pairs only aces. A wild joker is any card that is not in the
/// hand, or the fifth of a rank.
#[derive(Clone, Copy, Debug)]
pub struct DealtHand {
    suits: [RankBits; 4],
    joker: u32,
    /// How many cards there are of each rank; a joker that is semi-wild is an ace.
    counts: [u8; 13],
    /// One where there is a joker that is wild.
    wild: u8,
    /// How many cards make a straight or a flush: five, or three of three cards.
    whole: u32,
}

impl DealtHand {
    /// Looks at three, six or seven different cards; returns [`None`] for any others.
    #[must_use]
    pub fn of(cards: &[Card], joker: JokerUse) -> Option<Self> {
        let whole = match cards.len() {
            3 => 3,
            6 | 7 => 5,
            _ => return None,
        };
        let mut seen = Self { suits: [0; 4], joker: 0, counts: [0; 13], wild: 0, whole };
        for card in cards {
            match (card.rank(), card.suit()) {
                (Some(rank), Some(suit)) => {
                    seen.suits[suit_index(suit)] |= 1 << rank.index();
                    seen.counts[usize::from(rank.index())] += 1;
                }
                (None, _) | (_, None) => {
                    seen.joker = 1;
                    match joker {
                        JokerUse::SemiWild => seen.counts[usize::from(Rank::Ace.index())] += 1,
                        JokerUse::Wild => seen.wild = 1,
                    }
                }
            }
        }
        // A duplicate card sets its bit only once.
        let different: u32 = seen.suits.iter().map(|ranks| ranks.count_ones()).sum();
        let all_differ = usize::try_from(different + seen.joker) == Ok(cards.len());
        all_differ.then_some(seen)
    }

    /// Returns the cards without the joker.
    #[must_use]
    pub const fn natural(mut self) -> Self {
        let is_ace = self.joker == 1 && self.wild == 0;
        self.counts[Rank::Ace.index() as usize] -= if is_ace { 1 } else { 0 };
        self.joker = 0;
        self.wild = 0;
        self
    }

    /// Whether the joker is among the cards.
    #[must_use]
    pub const fn has_joker(&self) -> bool {
        self.joker == 1
    }

    /// Whether there are four aces and the joker.
    #[must_use]
    pub const fn has_five_aces(&self) -> bool {
        self.counts[Rank::Ace.index() as usize] + self.wild == 5
    }

    /// Whether there is a royal flush, the joker allowed.
    #[must_use]
    pub fn has_royal_flush(&self) -> bool {
        self.suits.iter().any(|&ranks| (ranks & ROYAL).count_ones() + self.joker >= 5)
    }

    /// Whether five of seven cards are a royal flush, the joker allowed, and the other two real cards
    /// of these two ranks in one suit.
    #[must_use]
    pub fn has_royal_flush_beside(&self, two: RankBits) -> bool {
        let is_beside = |beside: usize| {
            let left = |suit: usize| self.suits[suit] & if suit == beside { !two } else { !0 };
            let is_royal = |suit: usize| (left(suit) & ROYAL).count_ones() + self.joker == 5;
            self.suits[beside] & two == two && (0..4).any(is_royal)
        };
        (0..4).any(is_beside)
    }

    /// Whether there are real cards of these ranks in one suit.
    #[must_use]
    pub fn has_in_one_suit(&self, ranks: RankBits) -> bool {
        self.suits.iter().any(|held| held & ranks == ranks)
    }

    /// Whether there are real cards of some ranks in one suit, and of others in another suit.
    #[must_use]
    pub fn has_in_two_suits(&self, ranks: RankBits, others: RankBits) -> bool {
        let suits = || self.suits.iter().enumerate();
        suits().any(|(suit, held)| {
            let beside =
                |(other, held): (usize, &RankBits)| other != suit && held & others == others;
            held & ranks == ranks && suits().any(beside)
        })
    }

    /// Whether `cards` of one suit are there, the joker allowed.
    #[must_use]
    pub fn has_suited(&self, cards: u32) -> bool {
        self.suits.iter().any(|ranks| ranks.count_ones() + self.joker >= cards)
    }

    /// Whether `cards` of successive ranks are there, the joker allowed.
    #[must_use]
    pub fn has_run(&self, cards: u32) -> bool {
        let ranks = self.suits.iter().fold(0, |all, ranks| all | ranks);
        self.makes_run(ranks, cards)
    }

    /// Whether `cards` of successive ranks and one suit are there, the joker allowed.
    #[must_use]
    pub fn has_suited_run(&self, cards: u32) -> bool {
        self.suits.iter().any(|&ranks| self.makes_run(ranks, cards))
    }

    /// Whether `cards` successive ranks are among `ranks`, the joker allowed.
    fn makes_run(&self, ranks: RankBits, cards: u32) -> bool {
        // A suit seldom has so many ranks.
        ranks.count_ones() + self.joker >= cards
            && longest_window(ranks, cards) + self.joker >= cards
    }

    /// Whether there is a straight flush of five cards, of three cards one of three; the joker allowed.
    #[must_use]
    pub fn has_straight_flush(&self) -> bool {
        self.has_suited_run(self.whole)
    }

    /// Whether five cards, of three cards three, are of one suit; the joker allowed.
    #[must_use]
    pub fn has_flush(&self) -> bool {
        self.has_suited(self.whole)
    }

    /// Whether five ranks, of three cards three, succeed one another; the joker allowed.
    #[must_use]
    pub fn has_straight(&self) -> bool {
        self.has_run(self.whole)
    }

    /// Whether so many cards are of one rank, the joker allowed; one that is semi-wild is an ace.
    #[must_use]
    pub fn has_alike(&self, cards: u8) -> bool {
        self.counts.iter().any(|&count| count > 0 && count + self.wild >= cards)
    }

    /// Whether three cards are of one rank and two of another, the joker allowed; one that is
    /// semi-wild is an ace.
    #[must_use]
    pub fn has_full_house(&self) -> bool {
        let held = |least: u8| self.counts.iter().filter(|&&count| count >= least).count();
        let is_made = held(3) >= 1 && held(2) >= 2;
        is_made || self.wild == 1 && (held(2) >= 2 || held(3) >= 1 && held(1) >= 2)
    }

    /// Returns how many ranks are held twice or more. A joker that is semi-wild is an ace; a wild one
    /// is one more of a rank that is held once, if there is one.
    #[must_use]
    pub fn ranks_held_twice(&self) -> usize {
        let held_twice = self.counts.iter().filter(|&&count| count >= 2).count();
        held_twice + usize::from(self.wild == 1 && self.counts.contains(&1))
    }

    /// Whether a rank of `least` or higher is held twice or more, the joker allowed; one that is
    /// semi-wild is an ace.
    #[must_use]
    pub fn has_pair_of(&self, least: Rank) -> bool {
        let from_least = &self.counts[usize::from(least.index())..];
        from_least.iter().any(|&count| count > 0 && count + self.wild >= 2)
    }

    /// Whether the hand is a pai gow: different ranks only, and no straight and no
    /// flush, those that the joker completes included.
    #[must_use]
    pub fn is_pai_gow(&self) -> bool {
        !self.has_alike(2) && !self.has_straight() && !self.has_flush()
    }

    /// Whether `rank` is the highest; the joker is an ace.
    #[must_use]
    pub fn is_highest(&self, rank: Rank) -> bool {
        let ace = usize::from(Rank::Ace.index());
        let held = |place: &usize| self.counts[*place] > 0 || self.wild == 1 && *place == ace;
        (0..13).rev().find(held) == Some(usize::from(rank.index()))
    }

    /// Whether each rank is held as often as `counts` says, or more often, the joker allowed; one that
    /// is semi-wild is an ace.
    #[must_use]
    pub fn has_ranks(&self, counts: &[u8; 13]) -> bool {
        let missing =
            self.counts.iter().zip(counts).map(|(held, asked)| asked.saturating_sub(*held));
        missing.sum::<u8>() <= self.wild
    }

    /// Whether all cards but the joker are red, or all black.
    #[must_use]
    pub fn is_one_colour(&self) -> bool {
        [ColourChoice::Red, ColourChoice::Black].into_iter().any(|colour| self.held_of(colour) == 0)
    }

    /// Returns how many cards are of `colour`, 0 to 7; the joker is of neither.
    #[must_use]
    pub fn held_of(&self, colour: ColourChoice) -> u8 {
        let is_red = match colour {
            ColourChoice::Red => true,
            ColourChoice::Black => false,
        };
        let suits = Suit::ALL.into_iter().filter(|suit| suit.is_red() == is_red);
        let held: u32 = suits.map(|suit| self.suits[suit_index(suit)].count_ones()).sum();
        u8::try_from(held).unwrap_or(u8::MAX)
    }
}

const fn suit_index(suit: Suit) -> usize {
    match suit {
        Suit::Clubs => 0,
        Suit::Diamonds => 1,
        Suit::Hearts => 2,
        Suit::Spades => 3,
    }
}

/// Returns the most cards of `ranks` that lie within `length` successive ranks, the
/// ace below the deuce or above the king.
fn longest_window(ranks: RankBits, length: u32) -> u32 {
    let ace = usize::from(Rank::Ace.index());
    // Bit 0 is the low ace, bit 13 the high one.
    let ranks = (ranks << 1) | (ranks >> ace);
    let window = (1 << length) - 1;
    (0..=14 - length).map(|lowest| (ranks & (window << lowest)).count_ones()).max().unwrap_or(0)
}
