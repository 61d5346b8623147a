//! Integers below a bound: after scaling, before shuffling.

use super::goodness::{ExpectedCounts, goodness};
use super::plan::{CheckRun, CheckTest};
use paigow_rules::cards::DECK_LEN;

/// How many integers are drawn from a seed: many blocks of the keystream.
const PER_SEED: u64 = 4096;

/// The bounds of the shuffle and of the dice.
const BOUNDS: std::ops::RangeInclusive<usize> = 2..=DECK_LEN;

/// How many pieces of work the tests are.
pub(super) const PIECES: usize = 2 * (DECK_LEN - 1);

/// Tests every bound from 2 to 53 twice, each time on seeds of its own.
///
/// - `uniform`, table `uniform-N`: each integer is as frequent as any other.
/// - `serial`, table `serial-N`: each pair of successive integers is as frequent as any other.
///   Pairs do not overlap.
pub(super) fn tests(run: &CheckRun<'_>) -> Vec<CheckTest> {
    let done = run.gather(PIECES, |piece, done: &mut Vec<(usize, CheckTest)>| {
        let bound = BOUNDS.start() + piece / 2;
        let test = if piece % 2 == 0 { frequency(run, bound) } else { serial(run, bound) };
        done.push((piece, test));
    });
    let mut done: Vec<(usize, CheckTest)> = done.into_iter().flatten().collect();
    done.sort_by_key(|(piece, _)| *piece);
    // The frequencies of all bounds first.
    done.sort_by_key(|(piece, _)| piece % 2);
    done.into_iter().map(|(_, test)| test).collect()
}

fn frequency(run: &CheckRun<'_>, bound: usize) -> CheckTest {
    let mut observed = vec![0; bound];
    draw(run, &format!("uniform-{bound}"), bound, |draws| {
        for draw in draws {
            observed[*draw] += 1;
        }
    });
    let result = goodness(&observed, ExpectedCounts::Equal);
    CheckTest { group: "uniform", name: format!("bound {bound}"), result }
}

fn serial(run: &CheckRun<'_>, bound: usize) -> CheckTest {
    let mut observed = vec![0; bound * bound];
    draw(run, &format!("serial-{bound}"), bound, |draws| {
        for [first, second] in draws.as_chunks().0 {
            observed[first * bound + second] += 1;
        }
    });
    let result = goodness(&observed, ExpectedCounts::Equal);
    CheckTest { group: "serial", name: format!("bound {bound}"), result }
}

/// Draws as many integers as planned and shows them seed by seed.
fn draw(run: &CheckRun<'_>, table: &str, bound: usize, mut show: impl FnMut(&[usize])) {
    let seeds = run.seeds(table);
    let below = u64::try_from(bound).expect("a bound is at most 53");
    let mut left = run.plan.draws;
    for round_no in 1.. {
        let now = left.min(PER_SEED);
        if now == 0 {
            break;
        }
        let mut draws = vec![0; usize::try_from(now).expect("at most 4,096")];
        run.generator.draws(&seeds.seed(round_no), below, &mut draws);
        show(&draws);
        left -= now;
    }
}
