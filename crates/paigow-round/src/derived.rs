//! Values that follow from a server seed: round seed, deck and dice. This module names no key ring,
//! so that Audit can use it.

use paigow_fairness::encoding::Hash;
use paigow_fairness::secret::{RoundSeed, ServerSeed};
use paigow_fairness::{seed, shuffle};
use paigow_rules::cards::Deck;

/// The secrets and the deck of a round, recomputed.
#[derive(Debug)]
pub struct DerivedRound {
    /// The house's secret contribution to the round.
    pub server_seed: ServerSeed,
    /// The key of the round's keystream.
    pub round_seed: RoundSeed,
    /// All 53 cards, in the order of the deal.
    pub deck: Deck,
    /// The three dice, 1 to 6 each.
    pub dice: [u8; 3],
}

impl DerivedRound {
    /// Recomputes a round from its server seed, the block of client seeds and the beacon's part.
    #[must_use]
    pub fn from_seed(
        server_seed: ServerSeed,
        round_id: &Hash,
        client_block: &[u8],
        external: &[u8],
    ) -> Self {
        let round_seed = seed::round_seed(&server_seed, round_id, client_block, external);
        Self {
            deck: shuffle::full_deck(&round_seed),
            dice: shuffle::dice(&round_seed),
            server_seed,
            round_seed,
        }
    }
}
