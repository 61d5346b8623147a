//! The generator under test: that of production, or in tests one with a planted flaw.

use paigow_fairness::secret::RoundSeed;
use paigow_fairness::shuffle;
use paigow_rules::cards::{Card, DECK_LEN};

/// A generator of everything that a round draws from its seed.
pub(super) trait Generator: Sync {
    /// Returns the first 16 words of the deck's stream.
    fn block(&self, seed: &RoundSeed) -> [u32; 16];
    /// Fills `draws` with integers in `0..bound`.
    fn draws(&self, seed: &RoundSeed, bound: u64, draws: &mut [usize]);
    /// Returns the deck of 53 cards.
    fn deck(&self, seed: &RoundSeed) -> [Card; DECK_LEN];
    /// Returns the three dice.
    fn dice(&self, seed: &RoundSeed) -> [u8; 3];
}

/// The generator that deals in production.
#[derive(Clone, Copy, Debug)]
pub(super) struct Production;

impl Generator for Production {
    fn block(&self, seed: &RoundSeed) -> [u32; 16] {
        let mut words = shuffle::deck_words(seed, 16);
        std::array::from_fn(|_| words.next().expect("as many as asked for"))
    }

    fn draws(&self, seed: &RoundSeed, bound: u64, draws: &mut [usize]) {
        for (draw, number) in draws.iter_mut().zip(shuffle::deck_draws(seed, bound)) {
            *draw = usize::try_from(number).expect("below 53");
        }
    }

    fn deck(&self, seed: &RoundSeed) -> [Card; DECK_LEN] {
        *shuffle::full_deck(seed)
    }

    fn dice(&self, seed: &RoundSeed) -> [u8; 3] {
        shuffle::dice(seed)
    }
}
