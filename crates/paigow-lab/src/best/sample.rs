//! Compares counts of best play with random hands, each of which is weighed by itself.
#![expect(clippy::float_arithmetic, reason = "statistics for people; no outcome rests on them")]

use std::io::Write;

use super::super::simulate::seeds;
use super::super::{CommandError, CommandOutcome};
use super::out_of_range;
use paigow_exact::{BestPlay, HandWorths, Played, SettingWorth};
use paigow_fairness::shuffle;
use paigow_rules::game::Ruleset;
use paigow_rules::house_way::HouseWay;

/// How many standard errors a sample may be off.
const ERRORS: f64 = 4.5;

/// An estimated share: its name, the value by the counts, and the values of the hands.
struct SampledShare {
    name: &'static str,
    counted: f64,
    sum: f64,
    squares: f64,
}

impl SampledShare {
    fn new(name: &'static str, counted: f64) -> Self {
        Self { name, counted, sum: 0.0, squares: 0.0 }
    }

    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }
}

/// Weighs random hands and compares their averages with the counts.
pub(super) fn run(
    ruleset: &Ruleset,
    dealer: &HouseWay,
    held: &BestPlay,
    (hands, seed): (u32, &[u8; 32]),
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let unfit = || out_of_range(ruleset);
    let worths = HandWorths::new(ruleset, dealer).ok_or_else(unfit)?;
    let share = |count: u128| real(count) / real(held.pairs);
    let best = held.best;
    let way = held.way.unwrap_or_default();
    let net = |played: &Played| {
        let won = share(played.won) + share(played.doubled_won);
        let lost = share(played.lost) + share(played.doubled_lost);
        won * float(held.terms.pays.num()) / float(held.terms.pays.den()) - lost
    };
    let otherwise: u64 = held.differences.iter().map(|difference| difference.best.hands).sum();
    let mut estimates = [
        SampledShare::new("pairs that best play wins", share(best.won)),
        SampledShare::new("pairs that best play loses", share(best.lost)),
        SampledShare::new("hands that best play doubles on", ratio(best.doubled, best.hands)),
        SampledShare::new("hands that best play sets otherwise", ratio(otherwise, best.hands)),
        SampledShare::new("cost of the house way", net(&best) - net(&way)),
    ];
    for number in 0..u64::from(hands) {
        let deck = shuffle::full_deck(&seeds::round(seed, number));
        let cards = &deck.as_slice()[..ruleset.hand_cards()];
        let settings = worths.settings(cards).ok_or_else(unfit)?;
        let set = dealer.set(cards).ok_or_else(unfit)?;
        let of_way = settings.iter().find(|setting| {
            (setting.high_value, setting.low_value) == (set.high_value, set.low_value)
        });
        let best = settings.first().ok_or_else(unfit)?;
        let of_way = of_way.ok_or_else(unfit)?;
        let all = held.pairs / u128::from(held.best.hands);
        let of_all = |count: u64| real(count.into()) / real(all);
        let worth = |setting: &SettingWorth| {
            float(setting.expectation.num()) / float(setting.expectation.den())
        };
        let differs = setting_differs(best, of_way);
        for (estimate, value) in estimates.iter_mut().zip([
            of_all(best.won),
            of_all(best.lost),
            if best.doubled.is_some() { 1.0 } else { 0.0 },
            if differs { 1.0 } else { 0.0 },
            worth(best) - worth(of_way),
        ]) {
            estimate.add(value);
        }
    }
    let (mut is_well, mut is_judged) = (true, true);
    writeln!(out, "{hands} hands, seed {}, against {}\n", hex::encode(seed), held.terms)?;
    writeln!(out, "{:37} {:>12} {:>12}  standard errors", "share", "counted", "sampled")?;
    for estimate in &estimates {
        let count = f64::from(hands);
        let mean = estimate.sum / count;
        let variance = (estimate.squares / count - mean * mean).max(0.0);
        let error = libm::sqrt(variance / count);
        // A sample of equal values has no error to compare with.
        let off = (error > 0.0).then(|| (mean - estimate.counted) / error);
        is_well &= off.is_none_or(|off| off.abs() <= ERRORS);
        is_judged &= off.is_some();
        let told = off.map_or_else(|| "too few hands".to_owned(), |off| format!("{off:.2}"));
        writeln!(out, "{:37} {:>12.8} {mean:>12.8}  {told}", estimate.name, estimate.counted)?;
    }
    let told = match (is_well, is_judged) {
        (false, _) => "do NOT agree",
        (true, true) => "agree",
        (true, false) => "agree where the sample has hands enough",
    };
    writeln!(out, "\nthe counts and the sample {told}, at {ERRORS} standard errors")?;
    Ok(if is_well { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

fn setting_differs(best: &SettingWorth, of_way: &SettingWorth) -> bool {
    best.expectation != of_way.expectation
}

#[expect(clippy::cast_precision_loss, reason = "estimates have the precision of a sample")]
fn float(value: i128) -> f64 {
    value as f64
}

#[expect(clippy::cast_precision_loss, reason = "estimates have the precision of a sample")]
fn real(count: u128) -> f64 {
    count as f64
}

fn ratio(part: u64, all: u64) -> f64 {
    real(part.into()) / real(all.into())
}
