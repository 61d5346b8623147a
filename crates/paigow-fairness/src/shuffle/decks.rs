//! Decks by the million, of rounds or one after another: the shuffle without a division.

use super::{DECK_STREAM, Keystream, WORD_RANGE, Words};
use crate::secret::RoundSeed;
use paigow_rules::cards::{Card, DECK_LEN, Deck};

/// The decks of a simulation. The words of one seed shuffle them one after another, each only as
/// far as cards are requested.
///
/// A draw is the `residue` of a word, computed in another way, without a division.
pub struct KeystreamDecks(Keystream);

impl std::fmt::Debug for KeystreamDecks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Decks(..)")
    }
}

impl KeystreamDecks {
    /// Begins with the first word of the deck's stream of `seed`.
    #[must_use]
    pub fn new(seed: &RoundSeed) -> Self {
        Self(Keystream::new(seed, DECK_STREAM))
    }

    /// Returns the first `N` cards of the next deck, of which there are 53.
    ///
    /// # Panics
    ///
    /// If `N` is above 53.
    #[inline]
    #[must_use]
    pub fn deal<const N: usize>(&mut self) -> [Card; N] {
        first_cards(&mut self.0)
    }

    /// Skips this many decks, as if the first `N` cards of each had been dealt.
    ///
    /// # Panics
    ///
    /// If `N` is above 53.
    pub fn skip<const N: usize>(&mut self, decks: u64) {
        for _ in 0..decks {
            first_cards::<N>(&mut self.0);
        }
    }
}

/// Deals the first cards of the fresh deck shuffled with `words`.
#[inline]
fn first_cards<const N: usize>(words: &mut impl Words) -> [Card; N] {
    const { assert!(N <= DECK_LEN) };
    let deck = shuffled_to(N, words);
    std::array::from_fn(|i| deck[i])
}

/// Shuffles the fresh deck with `words` as far as its first `cards`. These are then the same as
/// after the whole shuffle.
#[inline]
pub(super) fn shuffled_to(cards: usize, words: &mut impl Words) -> Deck {
    // All draws are made before the first exchange. Otherwise the processor has to guess whether
    // the next exchange touches the same card, and to begin again after a wrong guess.
    let steps = steps(cards, words);
    let mut deck = Deck::FRESH;
    for (place, step) in steps.iter().enumerate().take(cards) {
        deck.swap(place, place + usize::from(*step));
    }
    deck
}

/// Draws with `words`, for each of the first `cards` places, the distance of the card that moves
/// there. The last card of the deck has no other to be exchanged with.
#[inline]
fn steps(cards: usize, words: &mut impl Words) -> [u8; DRAWS.len()] {
    let mut steps = [0; DRAWS.len()];
    let count = cards.min(steps.len());
    let mut drawn = 0;
    // Takes all existing words at once. One request for each word took half as long again.
    while drawn < count {
        let mut used = 0;
        let to_draw = DRAWS[drawn..count].iter().zip(&mut steps[drawn..count]);
        for (word, (draw, step)) in words.at_hand().iter().zip(to_draw) {
            used += 1;
            let Some(residue) = draw.of(u32::from_le_bytes(*word)) else { break };
            *step = residue;
            drawn += 1;
        }
        words.pass(used);
    }
    steps
}

/// A draw below one bound.
#[derive(Clone, Copy)]
struct Draw {
    bound: u64,
    /// The highest word that has a residue.
    last: u32,
    /// 2^64 divided by the bound, rounded up.
    inverse: u64,
}

/// The draw at each place of the deck.
#[expect(clippy::cast_possible_truncation, reason = "the highest word has 32 bits")]
const DRAWS: [Draw; DECK_LEN - 1] = {
    let mut draws = [Draw { bound: 0, last: 0, inverse: 0 }; DECK_LEN - 1];
    let mut i = 0;
    while i < draws.len() {
        let bound = (DECK_LEN - i) as u64;
        let last = WORD_RANGE - WORD_RANGE % bound - 1;
        draws[i] = Draw { bound, last: last as u32, inverse: u64::MAX / bound + 1 };
        i += 1;
    }
    draws
};

impl Draw {
    /// Returns the value that `word` draws, or [`None`] if the word is rejected, as the shuffle's
    /// `residue`.
    #[inline]
    fn of(self, word: u32) -> Option<u8> {
        (word <= self.last).then(|| self.residue(word))
    }

    /// Returns `word mod bound`: the fraction of `word / bound` in units of 2^-64, times the bound.
    ///
    /// Rounding the inverse up adds less than a unit of the result, as the word has 32 bits and the
    /// bound six. Lemire, Kaser, Kurz: Faster remainder by direct computation, 2019, theorem 1.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "a residue is below 53")]
    const fn residue(self, word: u32) -> u8 {
        let fraction = self.inverse.wrapping_mul(word as u64);
        ((fraction as u128 * self.bound as u128) >> 64) as u8
    }
}

#[cfg(test)]
mod tests;
