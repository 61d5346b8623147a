//! Two hands a round, the fastest simulation there is. Of each deck only the cards of a player and
//! of the dealer are drawn. Their results are looked up by class.
//!
//! The rounds are cut into blocks of 4,096. The seed of block `b` is
//! `SHA-256(enc("pge-lab/v1/simulated-hands", master, u64_le(b)))`. The words of its deck stream
//! shuffle its decks one after another, each as far as both hands go. The first cards are the
//! player's, the next the dealer's. Nothing else is dealt, so the ruleset's packets and streets
//! play no part. A test compares the figures with the settlement of the same hands by the engine.

mod book;
mod counts;

use std::ops::Range;

use self::book::{AT_ONCE, TwoHandBook};
pub(super) use self::counts::TwoHandCounts;
use paigow_fairness::encoding::Hash;
use paigow_fairness::secret::RoundSeed;
use paigow_fairness::shuffle::KeystreamDecks;
use paigow_round::ListedGame;
use paigow_rules::cards::Card;
use paigow_rules::hands::HandClasses;

/// The derivation in words, for the output.
pub(super) const DERIVATION: &str = "seed(b) = SHA-256(enc(\"pge-lab/v1/simulated-hands\", \
                                     seed, u64_le(b))), rounds 4096 b to 4096 b + 4095";

/// How many rounds have one seed.
pub(super) const BLOCK: u64 = 1 << 12;

/// The results of two hands of a game.
#[derive(Debug)]
pub(super) struct TwoHandSimulation(BookBySize);

#[derive(Debug)]
enum BookBySize {
    Six(TwoHandBook<6>),
    Seven(TwoHandBook<7>),
}

impl TwoHandSimulation {
    /// Prepares the look-ups of a game, or returns the reason why its hands cannot be looked up.
    pub(super) fn new(game: &ListedGame) -> Result<Self, String> {
        Ok(Self(if game.ruleset.hand_cards() == 6 {
            BookBySize::Six(TwoHandBook::new(game, HandClasses::<6>::get())?)
        } else {
            BookBySize::Seven(TwoHandBook::new(game, HandClasses::<7>::get())?)
        }))
    }

    /// Plays rounds of one block.
    pub(super) fn play(
        &self,
        game: &ListedGame,
        master: &[u8; 32],
        rounds: Range<u64>,
    ) -> TwoHandCounts {
        match &self.0 {
            BookBySize::Six(book) => play::<6, 12>(book, game, master, rounds),
            BookBySize::Seven(book) => play::<7, 14>(book, game, master, rounds),
        }
    }
}

fn play<const N: usize, const BOTH: usize>(
    book: &TwoHandBook<N>,
    game: &ListedGame,
    master: &[u8; 32],
    rounds: Range<u64>,
) -> TwoHandCounts {
    let mut counts = TwoHandCounts::new(&game.ruleset);
    let (block, begin) = (rounds.start / BLOCK, rounds.start % BLOCK);
    let mut decks = decks(master, block);
    decks.skip::<BOTH>(begin);
    let mut left = usize::try_from(rounds.end - rounds.start).unwrap_or(0);
    let mut pairs = [[Card::JOKER; BOTH]; AT_ONCE];
    while left > 0 {
        let some = left.min(AT_ONCE);
        pairs[..some].fill_with(|| decks.deal());
        book.look_up(&game.ruleset, &pairs[..some], &mut counts);
        left -= some;
    }
    counts
}

fn decks(master: &[u8; 32], block: u64) -> KeystreamDecks {
    let fields: [&[u8]; 2] = [master, &block.to_le_bytes()];
    let seed = Hash::of_tuple("pge-lab/v1/simulated-hands", &fields);
    KeystreamDecks::new(&RoundSeed::new(*seed.as_bytes()))
}

/// The cards of the player and those of the dealer.
#[inline]
fn halves<const N: usize>(cards: &[Card]) -> (&[Card; N], &[Card; N]) {
    let (seat, rest) = cards.split_first_chunk().expect("two hands are dealt");
    (seat, rest.first_chunk().expect("two hands are dealt"))
}

#[cfg(test)]
mod tests;
