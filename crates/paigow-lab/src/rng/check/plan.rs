//! The plan of the tests: their seeds, and the processors that they run on.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use indicatif::ProgressBar;

use super::generator::Generator;
use super::goodness::{Goodness, SampleShortage};
use crate::rng::source::SeedDerivation;
use paigow_fairness::secret::RoundSeed;

/// The size, the secret and the threads of a check.
#[derive(Clone, Debug)]
pub struct CheckPlan {
    /// The secret that every seed is derived from, see [`SeedDerivation`]; each test has a table
    /// of its own.
    pub secret: [u8; 32],
    /// How many decks are dealt.
    pub decks: u64,
    /// How many integers are drawn for each test of a bound.
    pub draws: u64,
    /// How many threads work; the result does not depend on it.
    pub threads: usize,
}

/// One test with its result.
#[derive(Clone, Debug)]
pub(super) struct CheckTest {
    /// Which group of tests it belongs to.
    pub(super) group: &'static str,
    /// The name that distinguishes it in its group.
    pub(super) name: String,
    /// Its result, or how many samples it needs.
    pub(super) result: Result<Goodness, SampleShortage>,
}

/// A run of the battery.
pub(super) struct CheckRun<'a> {
    pub(super) plan: &'a CheckPlan,
    pub(super) generator: &'a dyn Generator,
    pub(super) progress: &'a ProgressBar,
}

impl CheckRun<'_> {
    /// Returns the seeds of a table.
    pub(super) fn seeds(&self, table: &str) -> SeedDerivation {
        let table = table.parse().expect("the names of tables are constants");
        SeedDerivation::new(self.plan.secret, table)
    }

    /// Runs `count` pieces of work on all threads. Each thread gathers in a value of its own;
    /// returns these values. The distribution of pieces over values is random, so the sum must be
    /// the same in any order.
    pub(super) fn gather<T: Default + Send>(
        &self,
        count: usize,
        work: impl Fn(usize, &mut T) + Sync,
    ) -> Vec<T> {
        let next = AtomicUsize::new(0);
        let gathered = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for _ in 0..self.plan.threads.max(1) {
                scope.spawn(|| {
                    let mut mine = T::default();
                    loop {
                        let piece = next.fetch_add(1, Ordering::Relaxed);
                        if piece >= count {
                            break;
                        }
                        work(piece, &mut mine);
                        self.progress.inc(1);
                    }
                    gathered.lock().expect("no thread panics while it holds it").push(mine);
                });
            }
        });
        gathered.into_inner().expect("no thread panics while it holds it")
    }
}

/// Calls `f` with the seed of each round of a piece. Rounds are numbered from 1, pieces from 0.
pub(super) fn rounds_of(
    piece: usize,
    size: u64,
    rounds: u64,
    seeds: &SeedDerivation,
    mut f: impl FnMut(u64, &RoundSeed),
) {
    let first = u64::try_from(piece).expect("pieces are counted") * size;
    for round in first..rounds.min(first + size) {
        f(round, &seeds.seed(round + 1));
    }
}

/// Adds counts cell by cell.
pub(super) fn add(to: &mut [u64], from: &[u64]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

/// Returns how many pieces of `size` make `rounds`.
pub(super) fn pieces(rounds: u64, size: u64) -> usize {
    usize::try_from(rounds.div_ceil(size)).unwrap_or(usize::MAX)
}
