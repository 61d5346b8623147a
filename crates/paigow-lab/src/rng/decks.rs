//! `paigow-lab rng decks`: shuffled decks.

use std::io::Write;

use super::{CollectionFormat, Seeds};
use crate::{CommandError, CommandOutcome};
use paigow_fairness::shuffle;
use paigow_rules::cards::codes;

/// The request of `rng decks`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct DeckCollection {
    /// 53, or 52 for decks without the joker.
    pub cards: usize,
    /// How many; as many as there are seeds if absent.
    pub count: Option<u64>,
    /// As bytes or as text.
    pub format: CollectionFormat,
}

/// Writes one deck for each seed, its cards in the order in which they are dealt.
///
/// Binary: one byte a card, its number 0 to 52. The number is `13 * suit + rank` (clubs, diamonds,
/// hearts, spades; deuce 0 to ace 12); the joker is 52. Text: one line of card codes a deck.
///
/// # Errors
///
/// If a seed cannot be obtained or output fails.
pub fn decks(
    wanted: &DeckCollection,
    mut seeds: Seeds,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let mut left = wanted.count;
    while left != Some(0) {
        let Some(seed) = seeds.next_of(wanted.count)? else { break };
        let deck = shuffle::deck(&seed, wanted.cards);
        match wanted.format {
            CollectionFormat::Binary => {
                let numbers: Vec<u8> = deck.iter().map(|card| card.number()).collect();
                out.write_all(&numbers)?;
            }
            CollectionFormat::Text => writeln!(out, "{}", codes(&deck))?,
        }
        left = left.map(|left| left - 1);
    }
    seeds.finish()?;
    Ok(CommandOutcome::Well)
}
