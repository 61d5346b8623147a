//! Decks that renaming suits does not change, and their sets of cards up to such renaming.

use paigow_rules::cards::{Card, Rank, Suit};

/// A deck in which every suit has the same ranks: the 53 cards, or fewer for a check that counts
/// one by one.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SymmetricDeck {
    /// Bit `n`: the rank with index `n`.
    ranks: u16,
    suits: usize,
    joker: bool,
}

impl SymmetricDeck {
    /// Returns the deck of the games: 52 cards and the joker.
    #[must_use]
    pub const fn full() -> Self {
        Self { ranks: (1 << 13) - 1, suits: 4, joker: true }
    }

    /// Returns the deck of these ranks in each of the first `suits` suits, one to four,
    /// with the joker or without.
    #[must_use]
    pub fn reduced(ranks: &[Rank], suits: usize, joker: bool) -> Self {
        let ranks = ranks.iter().fold(0, |held, rank| held | 1 << rank.index());
        Self { ranks, suits: suits.clamp(1, 4), joker }
    }

    /// Returns the cards, in the order of the fresh deck.
    pub fn cards(&self) -> impl Iterator<Item = Card> + '_ {
        Card::all().filter(|card| self.holds(*card))
    }

    /// Whether `card` is in the deck.
    #[must_use]
    pub fn holds(&self, card: Card) -> bool {
        match (card.rank(), card.suit()) {
            (Some(rank), Some(suit)) => self.ranks_of(suit) >> rank.index() & 1 == 1,
            (None, _) | (_, None) => self.joker,
        }
    }

    /// Returns the ranks of a suit, bit `n` the rank with index `n`.
    pub(super) const fn ranks_of(&self, suit: Suit) -> u16 {
        if (suit as usize) < self.suits { self.ranks } else { 0 }
    }

    /// Returns how many suits have a rank.
    pub(super) const fn suits_of(&self, rank: Rank) -> usize {
        if self.ranks >> rank.index() & 1 == 1 { self.suits } else { 0 }
    }

    /// Returns the set that represents the one with these ranks of each suit, and perhaps the
    /// joker.
    pub(super) fn set_of(&self, mut ranks: [u16; 4], joker: bool) -> RepresentativeSet {
        ranks.sort_unstable_by(|a, b| b.cmp(a));
        RepresentativeSet::new(&ranks[..self.suits], joker)
    }

    /// Returns how many cards there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.ranks.count_ones() as usize * self.suits + self.joker as usize
    }

    /// Returns whether the deck has no card.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns every set of `len` cards up to a renaming of suits, with how many sets it
    /// stands for.
    #[must_use]
    pub fn sets(&self, len: usize) -> Vec<RepresentativeSet> {
        // The sets of ranks by their number of ranks, each in rising order.
        let mut ranks = vec![Vec::new(); len + 1];
        for held in (0..=self.ranks).filter(|held| held & !self.ranks == 0) {
            if let Some(as_many) = ranks.get_mut(held.count_ones() as usize) {
                as_many.push(held);
            }
        }
        let mut sets = Vec::new();
        for joker in [false, true] {
            if let Some(naturals) = len.checked_sub(usize::from(joker))
                && (self.joker || !joker)
            {
                self.each_suit(&ranks, &mut Vec::new(), naturals, joker, &mut sets);
            }
        }
        sets
    }

    /// Appends the ranks held of the next suit, never above those of the suit before, and
    /// after the last suit the set.
    fn each_suit(
        &self,
        ranks: &[Vec<u16>],
        suits: &mut Vec<u16>,
        left: usize,
        joker: bool,
        sets: &mut Vec<RepresentativeSet>,
    ) {
        if suits.len() == self.suits {
            sets.push(RepresentativeSet::new(suits, joker));
            return;
        }
        let highest = suits.last().copied().unwrap_or(self.ranks);
        let least = if suits.len() + 1 == self.suits { left } else { 0 };
        for (count, as_many) in ranks.iter().enumerate().take(left + 1).skip(least) {
            for held in &as_many[..as_many.partition_point(|held| *held <= highest)] {
                suits.push(*held);
                self.each_suit(ranks, suits, left - count, joker, sets);
                suits.pop();
            }
        }
    }
}

/// A set of cards that represents all sets that differ from it by a renaming of suits.
// Bit `n` is the card with number `n`; the eight highest bits are the multiplicity.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct RepresentativeSet(u64);

const MULTIPLICITY_SHIFT: u32 = 56;

impl RepresentativeSet {
    /// `suits` has the ranks held of each suit, never rising.
    fn new(suits: &[u16], joker: bool) -> Self {
        let mut cards = u64::from(joker) << Card::JOKER.number();
        for (held, suit) in suits.iter().zip(Suit::ALL) {
            cards |= u64::from(*held) << Card::new(Rank::Two, suit).number();
        }
        // Of the orders of the suits, an exchange of suits with the same ranks changes nothing.
        let (mut orders, mut unchanged, mut run) = (1, 1, 1);
        for (place, pair) in (2_u64..).zip(suits.windows(2)) {
            orders *= place;
            run = if pair[0] == pair[1] { run + 1 } else { 1 };
            unchanged *= run;
        }
        Self(cards | (orders / unchanged) << MULTIPLICITY_SHIFT)
    }

    /// Returns how many sets it represents, itself included: 1 to 24.
    #[must_use]
    pub const fn multiplicity(self) -> u64 {
        self.0 >> MULTIPLICITY_SHIFT
    }

    /// Returns the cards, a bit for each by its number.
    pub(super) const fn cards(self) -> u64 {
        self.0 & ((1 << MULTIPLICITY_SHIFT) - 1)
    }

    /// Returns how many cards are in the set.
    pub(super) const fn len(self) -> usize {
        self.cards().count_ones() as usize
    }

    /// Returns the ranks held of a suit, bit `n` the rank with index `n`.
    pub(super) fn ranks_of(self, suit: Suit) -> u16 {
        let first = Card::new(Rank::Two, suit).number();
        u16::try_from(self.cards() >> first & 0x1fff).unwrap_or(0)
    }

    /// Whether `card` is in the set.
    #[must_use]
    pub const fn holds(self, card: Card) -> bool {
        self.cards() >> card.number() & 1 == 1
    }
}

#[cfg(test)]
mod tests;
