//! Words, unbiased integers, the deck and the dice (PGE-FAIR-1, section 5).

mod decks;

use chacha20::ChaCha20Legacy;
use chacha20::cipher::{KeyIvInit, StreamCipher};
use zeroize::optimization_barrier;

use super::secret::RoundSeed;
use paigow_rules::cards::{Card, DECK_LEN, Deck};

pub use decks::KeystreamDecks;

/// The stream of the deck.
pub(super) const DECK_STREAM: [u8; 8] = *b"pge.deck";
/// The stream of the action-seat dice.
pub(super) const DICE_STREAM: [u8; 8] = *b"pge.dice";

/// A source of independent 32-bit words.
pub trait Words {
    /// Returns the words that exist already, at least one, each with the lowest byte first.
    fn at_hand(&mut self) -> &[[u8; 4]];

    /// Skips the first `count` of the words that can be read ahead.
    fn pass(&mut self, count: usize);

    /// Returns the next word.
    #[inline(always)]
    fn next(&mut self) -> u32 {
        let word = u32::from_le_bytes(self.at_hand()[0]);
        self.pass(1);
        word
    }
}

/// The ChaCha20 keystream as little-endian words: 20 rounds, block counter from 0,
/// one stream per purpose, never shared and never continued.
///
/// Key, state and words are wiped on drop.
struct Keystream {
    cipher: ChaCha20Legacy,
    bytes: [[u8; 4]; Self::WORDS],
    used: usize,
}

impl Keystream {
    /// Four blocks, enough for a deck. Vector instructions make as many at once.
    const WORDS: usize = 64;

    #[inline]
    fn new(seed: &RoundSeed, stream: [u8; 8]) -> Self {
        let cipher = ChaCha20Legacy::new(seed.expose().into(), &stream.into());
        Self { cipher, bytes: [[0; 4]; Self::WORDS], used: Self::WORDS }
    }

    #[inline(never)]
    fn refill(&mut self) {
        // The cipher adds its keystream to the present bytes.
        self.bytes = [[0; 4]; Self::WORDS];
        self.cipher.apply_keystream(self.bytes.as_flattened_mut());
        self.used = 0;
    }
}

impl Words for Keystream {
    #[inline(always)]
    fn at_hand(&mut self) -> &[[u8; 4]] {
        if self.used >= Self::WORDS {
            self.refill();
        }
        &self.bytes[self.used..]
    }

    #[inline(always)]
    fn pass(&mut self, count: usize) {
        self.used += count;
    }
}

impl Drop for Keystream {
    fn drop(&mut self) {
        self.bytes = [[0; 4]; Self::WORDS];
        optimization_barrier(&self.bytes);
    }
}

/// Counts words, so that a laboratory can see how many were rejected.
struct CountedWords<W> {
    words: W,
    used: usize,
}

impl<W: Words> Words for CountedWords<W> {
    fn at_hand(&mut self) -> &[[u8; 4]] {
        self.words.at_hand()
    }

    fn pass(&mut self, count: usize) {
        self.used += count;
        self.words.pass(count);
    }
}

/// How many values a word has.
const WORD_RANGE: u64 = 1 << 32;

/// Returns `word mod bound`, or [`None`] for a word of the incomplete block at the top of
/// `0..range`. Such a word would favour the small residues.
///
/// `limit = range - (range mod bound)` is a multiple of `bound`, so every residue has
/// as many accepted words as any other: the map is exact (PGE-FAIR-1, section 5.2).
const fn residue(word: u64, bound: u64, range: u64) -> Option<u64> {
    let limit = range - range % bound;
    if word < limit { Some(word % bound) } else { None }
}

/// Returns a uniform integer in `0..bound`, for `bound` from 2 to 2^32: the residue of
/// the first word that has one.
fn uniform(words: &mut impl Words, bound: u64) -> u64 {
    loop {
        if let Some(value) = residue(u64::from(words.next()), bound, WORD_RANGE) {
            return value;
        }
    }
}

/// Forward Fisher-Yates: for `i` from 0 to `n - 2`, `j = i + draw(n - i)`, swap items
/// `i` and `j`.
///
/// Position `i` is final after step `i`, so a partial deal is a prefix of the full
/// one (PGE-FAIR-1, section 5.3).
fn permute<T>(items: &mut [T], mut draw: impl FnMut(u64) -> u64) {
    let len = items.len();
    for i in 0..len.saturating_sub(1) {
        let bound = u64::try_from(len - i).expect("a deck has at most 53 cards");
        let step = usize::try_from(draw(bound)).expect("a draw is below its bound");
        items.swap(i, i + step);
    }
}

/// Shuffles the fresh deck of `len` cards with `words`, as the protocol defines.
fn shuffled(words: &mut impl Words, len: usize) -> Vec<Card> {
    let mut deck: Vec<Card> = Card::all().take(len).collect();
    permute(&mut deck, |bound| uniform(words, bound));
    deck
}

/// Returns the deck of a round: `cards` is 53, or 52 for a deck without the joker.
#[must_use]
pub fn deck(seed: &RoundSeed, cards: usize) -> Vec<Card> {
    shuffled(&mut Keystream::new(seed, DECK_STREAM), cards)
}

/// Returns the deck of 53 cards of a round: as [`deck()`], without its divisions.
#[must_use]
pub fn full_deck(seed: &RoundSeed) -> Deck {
    decks::shuffled_to(DECK_LEN, &mut Keystream::new(seed, DECK_STREAM))
}

/// Returns the three action-seat dice of a round, each 1 to 6, in the order drawn.
#[must_use]
pub fn dice(seed: &RoundSeed) -> [u8; 3] {
    thrown(&mut Keystream::new(seed, DICE_STREAM))
}

/// Throws three dice with `words`.
fn thrown(words: &mut impl Words) -> [u8; 3] {
    [(); 3].map(|()| 1 + u8::try_from(uniform(words, 6)).expect("below 6"))
}

/// The draws that a round takes from its keystream, and their number, for the laboratory.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RoundDraws {
    /// As [`deck()`].
    pub deck: Vec<Card>,
    /// How many words the deck took: one a draw, and one for every rejected word.
    pub deck_words: usize,
    /// As [`dice()`].
    pub dice: [u8; 3],
    /// How many words the dice took.
    pub dice_words: usize,
}

/// Draws the deck and the dice of a round and counts the words.
///
/// # Panics
///
/// Never: a residue of 6 fits a byte.
#[must_use]
pub fn drawn(seed: &RoundSeed, cards: usize) -> RoundDraws {
    let counted = |stream| CountedWords { words: Keystream::new(seed, stream), used: 0 };
    let (mut for_deck, mut for_dice) = (counted(DECK_STREAM), counted(DICE_STREAM));
    RoundDraws {
        deck: shuffled(&mut for_deck, cards),
        dice: thrown(&mut for_dice),
        deck_words: for_deck.used,
        dice_words: for_dice.used,
    }
}

/// The first `count` words of the deck's stream: keystream bytes `4k..4k + 3` are the
/// little-endian word `k`.
pub fn deck_words(seed: &RoundSeed, count: usize) -> impl Iterator<Item = u32> {
    words(seed, DECK_STREAM).take(count)
}

/// The first `count` words of the dice's stream.
pub fn dice_words(seed: &RoundSeed, count: usize) -> impl Iterator<Item = u32> {
    words(seed, DICE_STREAM).take(count)
}

/// The words of a stream, without an end.
pub(super) fn words(seed: &RoundSeed, stream: [u8; 8]) -> impl Iterator<Item = u32> {
    let mut words = Keystream::new(seed, stream);
    std::iter::repeat_with(move || words.next())
}

/// Returns the integers in `0..bound` that the deck's stream gives, for `bound` from 2 to 2^32.
/// They are the draws of the shuffle, but all below one bound.
pub fn deck_draws(seed: &RoundSeed, bound: u64) -> impl Iterator<Item = u64> {
    let mut words = Keystream::new(seed, DECK_STREAM);
    std::iter::repeat_with(move || uniform(&mut words, bound))
}

#[cfg(test)]
pub(super) mod tests;
