//! The cards that a hand of the player and one of the dealer share, by their ranks.

use crate::deck::{RepresentativeSet, SymmetricDeck};
use paigow_rules::cards::{Card, Rank, Suit};
use paigow_rules::hands::{HandClasses, HandKey};

/// The most cards that two different hands share.
const MOST: usize = 6;

/// How many cards of each rank are shared, and whether the joker is.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct SharedRanks {
    pub(super) counts: [u8; 13],
    pub(super) joker: bool,
}

impl SharedRanks {
    /// Returns how many cards there are.
    pub(super) fn len(&self) -> usize {
        self.naturals() + usize::from(self.joker)
    }

    /// Returns how many cards there are beside the joker.
    pub(super) fn naturals(&self) -> usize {
        self.counts.iter().map(|count| usize::from(*count)).sum()
    }

    /// Returns the number of the rank shape of a hand of these ranks.
    pub(super) fn shape<const N: usize>(&self, classes: &HandClasses<N>) -> usize {
        let start = if self.joker { HandKey::EMPTY.plus(Card::JOKER) } else { HandKey::EMPTY };
        let ranks = Rank::ALL.into_iter().zip(self.counts);
        let key = ranks
            .fold(start, |key, (rank, count)| (0..count).fold(key, |key, _| key.plus_rank(rank)));
        classes.class(key).index()
    }

    /// Returns every choice of `len` cards of a deck.
    pub(super) fn all(deck: &SymmetricDeck, len: usize) -> Vec<Self> {
        let mut all = Vec::new();
        let nothing = Self { counts: [0; 13], joker: false };
        nothing.each_more(deck, len, &mut |ranks| all.push(*ranks));
        all
    }

    /// Calls `visit` with every choice of these cards and `more` others of the deck.
    pub(super) fn each_more(
        &self,
        deck: &SymmetricDeck,
        more: usize,
        visit: &mut impl FnMut(&Self),
    ) {
        let mut ranks = *self;
        ranks.add_from(deck, 0, more, visit);
        if more > 0 && !self.joker && deck.holds(Card::JOKER) {
            ranks.joker = true;
            ranks.add_from(deck, 0, more - 1, visit);
        }
    }

    fn add_from(
        &mut self,
        deck: &SymmetricDeck,
        from: usize,
        more: usize,
        visit: &mut impl FnMut(&Self),
    ) {
        if more == 0 {
            return visit(self);
        }
        for rank in from..13 {
            let held = self.counts[rank];
            let left = deck.suits_of(Rank::ALL[rank]) - usize::from(held);
            for (taken, count) in (1..=more.min(left)).zip(held + 1..) {
                self.counts[rank] = count;
                self.add_from(deck, rank + 1, more - taken, visit);
            }
            self.counts[rank] = held;
        }
    }

    /// Returns the possible places of these cards among those of a hand of `hand`'s ranks, by
    /// rising rank. Each entry has as many places as [`Self::naturals`].
    pub(super) fn places_in(&self, hand: &Self, places: &mut Vec<[u8; MOST]>) {
        places.clear();
        places.push([0; MOST]);
        let (mut first, mut filled) = (0_u8, 0);
        for (count, held) in self.counts.iter().zip(&hand.counts) {
            if *count > 0 {
                let begun = std::mem::take(places);
                for chosen in (0_u32..1 << held).filter(|set| set.count_ones() == u32::from(*count))
                {
                    for before in &begun {
                        let mut next = *before;
                        let here = (0..*held).filter(|place| chosen >> place & 1 == 1);
                        for (slot, place) in next[filled..].iter_mut().zip(here) {
                            *slot = first + place;
                        }
                        places.push(next);
                    }
                }
                filled += usize::from(*count);
            }
            first += held;
        }
    }

    /// Returns the set of these cards, in these suits by rising rank.
    pub(super) fn set(&self, deck: &SymmetricDeck, suits: &[u8]) -> RepresentativeSet {
        let mut ranks = [0_u16; 4];
        let each = (0..13).flat_map(|rank| (0..self.counts[rank]).map(move |_| rank));
        for (rank, suit) in each.zip(suits) {
            ranks[usize::from(*suit)] |= 1 << rank;
        }
        deck.set_of(ranks, self.joker)
    }
}

/// The ways in which cards agree in suits.
#[derive(Debug)]
pub(super) struct SuitPatterns {
    /// By the suits of the cards, two bits each, the first lowest: the number of the pattern.
    numbers: Vec<u8>,
    /// The suits of each pattern.
    pub(super) patterns: Vec<Vec<u8>>,
}

impl SuitPatterns {
    /// Lists the patterns of `len` cards, six at most.
    pub(super) fn of(len: usize) -> Self {
        let mut patterns: Vec<Vec<u8>> = Vec::new();
        let numbers = (0_usize..1 << (2 * len)).map(|code| {
            // Suits are named in the order in which they come.
            let mut names = [None; Suit::ALL.len()];
            let mut named = 0;
            let pattern: Vec<u8> = (0..len)
                .map(|place| {
                    *names[code >> (2 * place) & 3].get_or_insert_with(|| {
                        named += 1;
                        named - 1
                    })
                })
                .collect();
            let known = patterns.iter().position(|known| *known == pattern);
            let number = known.unwrap_or_else(|| {
                patterns.push(pattern);
                patterns.len() - 1
            });
            // There are 187 at most.
            u8::try_from(number).unwrap_or(u8::MAX)
        });
        let numbers = numbers.collect();
        Self { numbers, patterns }
    }

    /// Returns the pattern of the cards at some places of a hand with these suits.
    #[inline]
    pub(super) fn number(&self, suits: u16, places: &[u8]) -> usize {
        let code = places.iter().rev().fold(0, |code, place| code << 2 | suits >> (2 * place) & 3);
        usize::from(self.numbers[usize::from(code)])
    }
}
