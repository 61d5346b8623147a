//! What some five of the cards dealt make, for bets that are judged on all cards dealt.

use crate::cards::{Card, Rank, Suit};
use crate::game::sheet::ColourChoice;

/// Bit `rank index`: the ranks of one suit, or of all.
type RankBits = u16;

/// Ten, jack, queen, king, ace.
const ROYAL: RankBits = 0b1_1111_0000_0000;
/// Ace, two, three, four, five.
const ACE_TO_FIVE: RankBits = 0b1_0000_0000_1111;
/// Ace and queen.
const ACE_AND_QUEEN: RankBits = 0b1_0100_0000_0000;
/// King and queen.
const KING_AND_QUEEN: RankBits = 0b0_1100_0000_0000;

/// Six or seven cards as the bonus bets look at them: any five of them may make a
/// row, and the joker is used afresh for each.
///
/// The joker is an ace, or completes a straight, a flush, a straight flush or a
/// royal flush; it pairs only aces.
#[derive(Clone, Copy, Debug)]
pub struct DealtHand {
    suits: [RankBits; 4],
    joker: u32,
    /// How many cards there are of each rank, the joker an ace.
    counts: [u8; 13],
    /// The highest rank, the joker an ace.
    highest: Rank,
}

impl DealtHand {
    /// Looks at six or seven different cards; returns nothing for any others.
    #[must_use]
    pub fn of(cards: &[Card]) -> Option<Self> {
        let mut seen = Self { suits: [0; 4], joker: 0, counts: [0; 13], highest: Rank::Two };
        for card in cards {
            seen.highest = seen.highest.max(card.rank_or_ace());
            seen.counts[usize::from(card.rank_or_ace().index())] += 1;
            match (card.rank(), card.suit()) {
                (Some(rank), Some(suit)) => seen.suits[suit_index(suit)] |= 1 << rank.index(),
                (None, _) | (_, None) => seen.joker = 1,
            }
        }
        // A card that is there twice leaves its mark once.
        let different: u32 = seen.suits.iter().map(|ranks| ranks.count_ones()).sum();
        let all_differ = usize::try_from(different + seen.joker) == Ok(cards.len());
        (all_differ && matches!(cards.len(), 6 | 7)).then_some(seen)
    }

    /// Whether the joker is among the cards.
    #[must_use]
    pub const fn has_joker(&self) -> bool {
        self.joker == 1
    }

    /// Whether the cards are one straight flush of seven; with the joker, six of
    /// one suit that fit into one with it.
    #[must_use]
    pub fn is_seven_card_straight_flush(&self) -> bool {
        self.suits.iter().any(|&ranks| longest_window(ranks, 7) + self.joker >= 7)
    }

    /// Whether there are four aces and the joker.
    #[must_use]
    pub fn has_five_aces(&self) -> bool {
        self.counts[usize::from(Rank::Ace.index())] == 5
    }

    /// Whether there is a royal flush, the joker allowed.
    #[must_use]
    pub fn has_royal_flush(&self) -> bool {
        self.suits.iter().any(|&ranks| (ranks & ROYAL).count_ones() + self.joker >= 5)
    }

    /// Whether there is a royal flush, the joker allowed, and beside it a real king
    /// and a real queen of one suit.
    #[must_use]
    pub fn has_royal_match(&self) -> bool {
        self.has_royal_flush_beside(KING_AND_QUEEN)
    }

    /// Whether there is a royal flush, the joker allowed, and beside it a real ace
    /// and a real queen of one suit.
    #[must_use]
    pub fn has_royal_flush_with_ace_queen(&self) -> bool {
        self.has_royal_flush_beside(ACE_AND_QUEEN)
    }

    fn has_royal_flush_beside(&self, two: RankBits) -> bool {
        // Exactly five cards make the royal flush, so the other two are those of
        // another suit: six would leave the joker or a single card of the two.
        let royal = self.suits.iter().any(|&ranks| (ranks & ROYAL).count_ones() + self.joker == 5);
        royal && self.suits.contains(&two)
    }

    /// Whether there is A-2-3-4-5 of one suit, and no joker in the hand.
    #[must_use]
    pub fn has_luhn_tao_wheel(&self) -> bool {
        !self.has_joker() && self.suits.iter().any(|&ranks| ranks & ACE_TO_FIVE == ACE_TO_FIVE)
    }

    /// Whether the cards are A-2-3-4-5 of one suit and the ace and the queen of
    /// another.
    #[must_use]
    pub fn is_luhn_tao_wheel_with_ace_queen(&self) -> bool {
        self.has_luhn_tao_wheel() && self.suits.contains(&ACE_AND_QUEEN)
    }

    /// Whether there is a straight flush, the joker allowed.
    #[must_use]
    pub fn has_straight_flush(&self) -> bool {
        self.suits.iter().any(|&ranks| longest_window(ranks, 5) + self.joker >= 5)
    }

    /// Whether four cards are of one rank; the joker is an ace.
    #[must_use]
    pub fn has_four_of_a_kind(&self) -> bool {
        self.counts.iter().any(|&count| count >= 4)
    }

    /// Whether three cards are of one rank and two of another; the joker is an ace.
    #[must_use]
    pub fn has_full_house(&self) -> bool {
        self.has_three_of_a_kind() && self.ranks_held_twice() >= 2
    }

    /// Whether five cards are of one suit, the joker allowed.
    #[must_use]
    pub fn has_flush(&self) -> bool {
        self.suits.iter().any(|ranks| ranks.count_ones() + self.joker >= 5)
    }

    /// Whether three cards are of one rank; the joker is an ace.
    #[must_use]
    pub fn has_three_of_a_kind(&self) -> bool {
        self.counts.iter().any(|&count| count >= 3)
    }

    /// Whether five ranks succeed one another, the joker allowed.
    #[must_use]
    pub fn has_straight(&self) -> bool {
        let ranks = self.suits.iter().fold(0, |all, ranks| all | ranks);
        longest_window(ranks, 5) + self.joker >= 5
    }

    /// Whether three ranks are held twice, and there is no three of a kind, straight
    /// or flush; the joker is an ace.
    #[must_use]
    pub fn is_three_pair(&self) -> bool {
        self.ranks_held_twice() == 3
            && !self.has_three_of_a_kind()
            && !self.has_straight()
            && !self.has_flush()
    }

    /// Whether two ranks or more are held twice or more; the joker is an ace.
    #[must_use]
    pub fn has_two_pair(&self) -> bool {
        self.ranks_held_twice() >= 2
    }

    /// Whether the ranks all differ; the joker is an ace.
    #[must_use]
    pub fn has_no_pair(&self) -> bool {
        self.counts.iter().all(|&count| count <= 1)
    }

    /// Whether the hand is a pai gow: different ranks only, and no straight and no
    /// flush, those that the joker completes included.
    #[must_use]
    pub fn is_pai_gow(&self) -> bool {
        self.has_no_pair() && !self.has_straight() && !self.has_flush()
    }

    /// Returns the highest rank; the joker is an ace.
    #[must_use]
    pub const fn highest(&self) -> Rank {
        self.highest
    }

    /// Whether all cards but the joker are red, or all black.
    #[must_use]
    pub fn is_one_colour(&self) -> bool {
        [ColourChoice::Red, ColourChoice::Black].into_iter().any(|colour| self.held_of(colour) == 0)
    }

    /// Returns how many cards are of `colour`, 0 to 7; the joker is of neither.
    #[must_use]
    pub fn held_of(&self, colour: ColourChoice) -> usize {
        let is_red = match colour {
            ColourChoice::Red => true,
            ColourChoice::Black => false,
        };
        let suits = Suit::ALL.into_iter().filter(|suit| suit.is_red() == is_red);
        suits.map(|suit| self.suits[suit_index(suit)].count_ones() as usize).sum()
    }

    fn ranks_held_twice(&self) -> usize {
        self.counts.iter().filter(|&&count| count >= 2).count()
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
