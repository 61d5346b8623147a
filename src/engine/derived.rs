//! What follows from a server seed: round seed, deck and dice. Names no key ring, so that
//! Audit can use it.

use crate::cards::Deck;
use crate::fairness::encoding::Hash;
use crate::fairness::secret::{RoundSeed, ServerSeed};
use crate::fairness::{seed, shuffle};

/// The secrets and the deck of a round, recomputed.
pub(super) struct Derived {
    pub(super) server_seed: ServerSeed,
    pub(super) round_seed: RoundSeed,
    pub(super) deck: Deck,
    pub(super) dice: [u8; 3],
}

impl Derived {
    /// Recomputes a round from its server seed and the block of client seeds.
    pub(super) fn from_seed(server_seed: ServerSeed, round_id: &Hash, client_block: &[u8]) -> Self {
        let round_seed = seed::round_seed(&server_seed, round_id, client_block, &[]);
        Self {
            deck: shuffle::full_deck(&round_seed),
            dice: shuffle::dice(&round_seed),
            server_seed,
            round_seed,
        }
    }
}
