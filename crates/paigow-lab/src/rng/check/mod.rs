//! `paigow-lab rng check`: the battery on scaled numbers and shuffled decks.
//!
//! A statistical test cannot tell ChaCha20 from a weaker cipher; it proves the plumbing:
//! the order of bytes, what a seed is used for, the scaling, the shuffle, the deal. All
//! tests are Pearson's chi-square against exact expectations:
//!
//! | group | counted | degrees of freedom | seeds of table |
//! |---|---|---|---|
//! | `byte` | each byte of the first block of a seed | 255 each | `raw` |
//! | `one bit apart` | bits that differ in a word where seeds differ in one bit | up to 32 | `raw` |
//! | `uniform` | integers below 2 to 53 | bound - 1 | `uniform-N` |
//! | `serial` | pairs of successive integers | bound^2 - 1 | `serial-N` |
//! | `p-values` | p-values of these two groups, by tenths | 9 | |
//! | `position` | the card at each position | 52 each | `decks` |
//! | `table` | positions by cards, times 52/53 | 2,704 | `decks` |
//! | `pair` | ordered pairs at 53 fixed pairs of positions | 2,755 each | `decks` |
//! | `first three` | the first three cards, in order | 140,555 | `decks` |
//! | `step` | how much higher the card at a position is than in the deck before, modulo 53 | 52 each | `decks` |
//! | `matches` | positions that have the card they had in the deck before | about 9 | `decks` |
//! | `class` | the hand of seven in each packet, against all 154,143,080 hands | up to 16 | `decks` |
//! | `successive classes` | the hands of two successive decks | up to 288 | `decks` |
//! | `dice` | the three dice | 215 | `decks` |
//! | `start` | the position that Express deals to first | 6 | `decks` |
//! | `dice and deck` | the first die by the first card | 317 | `decks` |
//!
//! `paigow-lab rng raw` (`--per-seed 64`), `uniform` (`--per-seed 4096`) and `decks` with
//! `--seed` and `--table` give a laboratory the very numbers that are counted here. Decks and
//! dice are those of rounds 1, 2, 3, ...; bounds up to 53 each have a table of their own,
//! with 4,096 integers of each seed.

mod classes;
mod collected;
mod dealt;
mod decks;
mod gamma;
mod generator;
mod goodness;
mod plan;
mod raw;
mod report;
mod scaled;
mod start;
mod verdict;

#[cfg(test)]
mod tests;

use std::io::Write;

use indicatif::{ProgressBar, ProgressStyle};

use generator::Production;
use plan::{CheckRun, CheckTest};
use report::{CheckReport, CheckSubject};

pub use collected::check_decks;
pub use plan::CheckPlan;

use crate::{CommandError, CommandOutcome};
use paigow_files::system;

/// The default secret: the SHA-256 of `paigow-lab rng check`.
pub const DEFAULT_SECRET: [u8; 32] = [
    0x62, 0x8e, 0xfe, 0x87, 0xd9, 0x73, 0x53, 0xf8, 0x7b, 0x24, 0xb0, 0xc1, 0xaf, 0xb3, 0xd0, 0xda,
    0xf4, 0x33, 0xc6, 0x67, 0x16, 0x03, 0x8c, 0x80, 0xdf, 0xe4, 0x23, 0x81, 0x74, 0xeb, 0xc2, 0xb1,
];

/// Decks and draws of a short run, enough for all tests but the first three cards.
pub const SHORT: (u64, u64) = (50_000, 100_000);

/// Draws a secret from the operating system.
///
/// # Errors
///
/// If it has no random numbers.
pub fn secret_of_entropy() -> Result<[u8; 32], CommandError> {
    let mut secret = [0; 32];
    system::entropy(&mut secret)?;
    Ok(secret)
}

/// Runs the battery on the generator that deals in production.
///
/// Writes the result as a table, or with `json` as one object:
/// `{"seed":"...","decks":n,"draws":n,"significance":0.01,"rule":"holm","passed":true,
/// "tests":[...]}`. A test is `{"group":"position","name":"card at position
/// 0","samples":n,"cells":n,"dof":n, "statistic":x,"p_upper":x,"p_lower":x,"failure":null}`.
///
/// - `statistic` is null if an impossible value was counted.
/// - `p_upper` is the chance of a statistic that large.
/// - `p_lower` is the chance of a statistic that small.
/// - `failure` is `"too_uneven"`, `"too_even"` or null.
///
/// A test with too few samples is `{"group":"...","name":"...","needs":n}`, with the number of
/// samples that it needs.
///
/// The output follows from seed, decks and draws to the last bit of every p-value, whatever the
/// number of threads. A sound generator fails for one seed in a hundred. Another seed decides
/// whether it was chance. Ends with findings if a test failed.
///
/// # Errors
///
/// If output fails.
pub fn check(
    plan: &CheckPlan,
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let work = scaled::PIECES + raw::work(plan.decks) + decks::work(plan.decks);
    let progress = progress_bar(u64::try_from(work).unwrap_or(u64::MAX));
    let tests = run(&CheckRun { plan, generator: &Production, progress: &progress })?;
    progress.finish_and_clear();
    let subject = CheckSubject::Generator(plan);
    written(&CheckReport { subject, tests: &tests, failures: &verdict::judge(&tests) }, json, out)
}

/// Writes a report.
fn written(
    report: &CheckReport<'_>,
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    if json {
        writeln!(out, "{}", report.json())?;
    } else {
        report.text(out)?;
    }
    Ok(if report.is_passed() { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

fn run(run: &CheckRun<'_>) -> Result<Vec<CheckTest>, CommandError> {
    let mut tests = raw::tests(run);
    let scaled = scaled::tests(run);
    let of_scaled = verdict::p_values(&scaled);
    tests.extend(scaled);
    tests.push(of_scaled);
    tests.extend(decks::tests(run)?);
    Ok(tests)
}

fn progress_bar(pieces: u64) -> ProgressBar {
    let template = "{wide_bar} {percent} %, {eta} to go";
    let style = ProgressStyle::with_template(template).expect("a constant that a test draws");
    ProgressBar::new(pieces).with_style(style)
}
