//! Unscaled words: the first block of each of many seeds, before scaling and shuffling.

use super::generator::Generator;
use super::goodness::{ExpectedCounts, goodness};
use super::plan::{CheckRun, CheckTest, add, pieces, rounds_of};
use paigow_fairness::secret::RoundSeed;

/// How many seeds are a piece of work.
const PIECE: u64 = 10_000;

/// The bytes of a block.
const BYTES: usize = 64;

/// The binomial coefficients: how many of the 2^32 words differ from a word in 0 to 32 bits.
const WORDS_BY_DISTANCE: [u64; 33] = {
    let mut row = [0; 33];
    row[0] = 1;
    let mut power = 0;
    while power < 32 {
        let mut place = 32;
        while place > 0 {
            row[place] += row[place - 1];
            place -= 1;
        }
        power += 1;
    }
    row
};

struct BlockTally {
    /// For each byte of the block, the counts of its values.
    bytes: Vec<u64>,
    /// In how many bits words differ if the seeds differ in one.
    distances: [u64; 33],
}

impl Default for BlockTally {
    fn default() -> Self {
        Self { bytes: vec![0; BYTES * 256], distances: [0; 33] }
    }
}

impl BlockTally {
    fn count(&mut self, generator: &dyn Generator, round: u64, seed: &RoundSeed) {
        let block = generator.block(seed);
        for (place, byte) in block.iter().flat_map(|word| word.to_le_bytes()).enumerate() {
            self.bytes[256 * place + usize::from(byte)] += 1;
        }
        let mut other = *seed.expose();
        let bit = usize::try_from(round % 256).expect("below 256");
        other[bit / 8] ^= 1 << (bit % 8);
        let other = generator.block(&RoundSeed::new(other));
        for (word, other) in block.iter().zip(other) {
            let distance = (word ^ other).count_ones();
            self.distances[usize::try_from(distance).expect("at most 32")] += 1;
        }
    }
}

/// Returns the number of pieces of work of the tests.
pub(super) fn work(decks: u64) -> usize {
    pieces(decks, PIECE)
}

/// Tests the first 64 bytes of as many seeds as there are decks, table `raw`.
///
/// - `byte`: each value of each byte is as frequent as any other.
/// - `one bit apart`: how many bits of a word differ if the seeds differ in one bit, bit `r mod
///   256` for round `r + 1`.
pub(super) fn tests(run: &CheckRun<'_>) -> Vec<CheckTest> {
    let seeds = run.seeds("raw");
    let gathered = run.gather(work(run.plan.decks), |piece, tally: &mut BlockTally| {
        rounds_of(piece, PIECE, run.plan.decks, &seeds, |round, seed| {
            tally.count(run.generator, round, seed);
        });
    });
    let mut tally = BlockTally::default();
    for one in gathered {
        add(&mut tally.bytes, &one.bytes);
        add(&mut tally.distances, &one.distances);
    }
    let bytes = tally.bytes.chunks(256).enumerate().map(|(place, observed)| CheckTest {
        group: "byte",
        name: format!("byte {place} of a block"),
        result: goodness(observed, ExpectedCounts::Equal),
    });
    let apart = CheckTest {
        group: "one bit apart",
        name: "bits that differ in a word".to_owned(),
        result: goodness(&tally.distances, ExpectedCounts::Weights(&WORDS_BY_DISTANCE)),
    };
    bytes.chain([apart]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_add_up_to_all_words() {
        assert_eq!(WORDS_BY_DISTANCE.iter().sum::<u64>(), 1 << 32);
        // 32 choose 1, 2 and 16.
        let [_, one, two, ..] = WORDS_BY_DISTANCE;
        assert_eq!((one, two, WORDS_BY_DISTANCE[16]), (32, 496, 601_080_390));
    }
}
