//! `paigow-lab rng raw` and `rng uniform`: words of the keystream, and integers below a bound that
//! are made from them.

use std::io::{self, Write};

use super::{CollectionFormat, Seeds};
use crate::{CommandError, CommandOutcome};
use paigow_fairness::secret::RoundSeed;
use paigow_fairness::shuffle;

/// How many bytes are collected before they are written.
const CHUNK: usize = 1 << 16;

/// A stream of the keystream.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum KeystreamName {
    /// `pge.deck`, of the shuffle.
    Deck,
    /// `pge.dice`, of the action-seat dice.
    Dice,
}

/// The kind of numbers to draw from each seed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum NumberKind {
    /// Unscaled words, before scaling and shuffling.
    Words(KeystreamName),
    /// Integers in `0..bound`, from words of the deck's stream: after scaling, before
    /// shuffling. The bound is 2 to 2^32.
    Below(u64),
}

/// The request of `rng raw` and `rng uniform`.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct NumberCollection {
    /// The kind of the numbers.
    pub drawn: NumberKind,
    /// How many numbers of each seed; if absent, all are of one seed.
    pub per_seed: Option<u64>,
    /// The number of numbers; if absent, until the list ends or the reader closes the output.
    pub count: Option<u64>,
    /// As bytes or as text.
    pub format: CollectionFormat,
}

/// Writes numbers of 32 bits: four bytes each, the lowest first, or one decimal a line.
///
/// The words of a stream are those that the shuffle or the dice take, from the first on. With
/// `per_seed` 52, they are the words of an ordinary deck of 53 cards, seed by seed. Production
/// consumes the same words.
///
/// # Errors
///
/// If a seed cannot be obtained or output fails.
pub fn numbers(
    wanted: &NumberCollection,
    mut seeds: Seeds,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let mut out =
        NumberWriter { format: wanted.format, bytes: Vec::with_capacity(CHUNK + 16), out };
    match wanted.per_seed {
        None => of_seed(&seeds.only()?, wanted.drawn, wanted.count, &mut out)?,
        Some(each) => {
            let mut left = wanted.count;
            let needed = wanted.count.map(|count| count.div_ceil(each));
            while left != Some(0) {
                let Some(seed) = seeds.next_of(needed)? else { break };
                let now = left.map_or(each, |left| left.min(each));
                of_seed(&seed, wanted.drawn, Some(now), &mut out)?;
                left = left.map(|left| left - now);
            }
        }
    }
    out.flush()?;
    seeds.finish()?;
    Ok(CommandOutcome::Well)
}

fn of_seed(
    seed: &RoundSeed,
    drawn: NumberKind,
    count: Option<u64>,
    out: &mut NumberWriter<'_>,
) -> io::Result<()> {
    let count = count.map_or(usize::MAX, |count| usize::try_from(count).unwrap_or(usize::MAX));
    match drawn {
        NumberKind::Words(KeystreamName::Deck) => out.extend(shuffle::deck_words(seed, count)),
        NumberKind::Words(KeystreamName::Dice) => out.extend(shuffle::dice_words(seed, count)),
        NumberKind::Below(bound) => {
            out.extend(shuffle::deck_draws(seed, bound).take(count).map(|number| {
                u32::try_from(number).expect("a bound is at most 2^32, a number below it")
            }))
        }
    }
}

/// A buffer for output, since numbers are small and many.
struct NumberWriter<'o> {
    format: CollectionFormat,
    bytes: Vec<u8>,
    out: &'o mut dyn Write,
}

impl NumberWriter<'_> {
    fn extend(&mut self, numbers: impl Iterator<Item = u32>) -> io::Result<()> {
        for number in numbers {
            match self.format {
                CollectionFormat::Binary => self.bytes.extend_from_slice(&number.to_le_bytes()),
                CollectionFormat::Text => writeln!(self.bytes, "{number}")?,
            }
            if self.bytes.len() >= CHUNK {
                self.out.write_all(&self.bytes)?;
                self.bytes.clear();
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.write_all(&self.bytes)?;
        self.out.flush()
    }
}
