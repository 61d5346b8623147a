//! Averages, standard errors and z-scores. No other numbers of a simulation are fractional.
#![expect(clippy::float_arithmetic, reason = "statistics for people; no outcome rests on them")]

use serde::{Deserialize, Serialize};

use super::document::{SimulatedBet, SimulatedRow};

/// The least number of expected hits of a row with a z-score. Below it, a single hit has too much
/// weight.
const FEWEST: f64 = 10.0;

/// How many standard errors from the exact value are a finding.
const FAR: f64 = 6.0;

/// The estimate of the return of a bet by the rounds.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Estimate {
    /// Per minor unit staked; of a win by the hands of others, minor units for each of them.
    #[serde(rename = "return")]
    pub(super) mean: String,
    pub(super) standard_error: Option<String>,
    /// The source of the standard error: `exact`, the known variance, or `sample`, the spread of
    /// the rounds.
    pub(super) error_from: String,
    /// How many standard errors the average is above the exact one.
    pub(super) z: Option<String>,
}

/// The estimate of the probability of a row by the rounds.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RowEstimate {
    pub(super) probability: String,
    /// How many standard errors it is above the exact one.
    pub(super) z: Option<String>,
}

/// Estimates the return of a bet; [`None`] if there is nothing to divide by.
///
/// With one seat the exact variance, if known, gives the standard error. Hands of one round are not
/// independent, so with more seats the spread of the rounds gives it.
pub(super) fn estimate(bet: &SimulatedBet, rounds: u64, seats: u8) -> Option<Estimate> {
    let by_others = is_by_others(bet);
    let units = if by_others {
        // Each seat's wager, for the hand of each other seat.
        real(rounds) * f64::from(seats) * (f64::from(seats) - 1.0)
    } else {
        big(bet.staked_minor)
    };
    if rounds == 0 || units <= 0.0 {
        return None;
    }
    let n = real(rounds);
    let mean = big(bet.returned_minor) / units;
    let of_one = |text: &String| decimal(text);
    let exact = bet.exact.as_ref().and_then(|exact| of_one(&exact.mean));
    let known = bet.exact.as_ref().and_then(|exact| exact.variance.as_ref()).and_then(of_one);
    let (error, error_from) = match known.filter(|_| seats == 1 && !by_others) {
        Some(variance) => (Some((variance / n).sqrt()), "exact"),
        None if rounds < 2 => (None, "sample"),
        None => {
            let average = big(bet.returned_minor) / n;
            // The mean of the squares minus the square of the mean, both of whole numbers that fit.
            let spread = (big(bet.squares) / n - average * average) * n / (n - 1.0);
            (Some((spread.max(0.0) / n).sqrt() * n / units), "sample")
        }
    };
    let z = exact.zip(error).filter(|(_, error)| *error > 0.0);
    Some(Estimate {
        mean: format!("{mean:.9}"),
        standard_error: error.map(|error| format!("{error:.9}")),
        error_from: error_from.to_owned(),
        z: z.map(|(exact, error)| format!("{:.3}", (mean - exact) / error)),
    })
}

/// The estimate of the dependence between the results of two seats against one dealer, per unit
/// staked.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TwoSeatEstimate {
    /// The covariance of the returns of two seats of one round.
    pub(super) covariance: String,
    /// From the spread of the rounds.
    pub(super) standard_error: String,
    /// The covariance of the sample, divided by its variance of one seat: at most 1.
    pub(super) correlation: String,
    /// The variance of the sum of the seats' returns in a round, for 1 seat, 2 seats and so on.
    /// Seats are alike, so it follows from the covariance of two.
    pub(super) variance_by_seats: Vec<String>,
}

/// Estimates the dependence between the results of two seats. Average and variance of one seat are
/// the exact ones if they are known, else those of the sample.
pub(super) fn two_seats(bet: &SimulatedBet, rounds: u64, seats: u8) -> Option<TwoSeatEstimate> {
    let stake = bet.stake_minor.filter(|stake| *stake > 0)?;
    if seats < 2 || rounds < 2 || is_by_others(bet) {
        return None;
    }
    let (n, k) = (real(rounds), f64::from(seats));
    let stake = big(stake.into());
    let pairs = k * (k - 1.0);
    let exact = |of: fn(&super::document::ExactBetReturn) -> Option<f64>| of(bet.exact.as_ref()?);
    let sampled = big(bet.returned_minor) / (n * k * stake);
    let mean = exact(|exact| decimal(&exact.mean)).unwrap_or(sampled);
    let products = big(bet.products) / n;
    let covariance = products / (pairs * stake * stake) - mean * mean;
    let spread = (big(bet.product_squares) / n - products * products).max(0.0);
    let error = (spread / n).sqrt() / (pairs * stake * stake);
    let own_squares = big(bet.squares - bet.products) / (n * k * stake * stake);
    let variance = exact(|exact| decimal(exact.variance.as_ref()?));
    let variance = variance.unwrap_or(own_squares - mean * mean);
    // Both of the sample, so that it is at most 1.
    let own = |of_one: f64| of_one - sampled * sampled;
    let (of_one, of_two) = (own(own_squares), own(products / (pairs * stake * stake)));
    let correlation = if of_one > 0.0 { of_two / of_one } else { 0.0 };
    let of_all = |seats: u8| {
        let seats = f64::from(seats);
        format!("{:.6}", seats * variance + seats * (seats - 1.0) * covariance)
    };
    Some(TwoSeatEstimate {
        covariance: format!("{covariance:.9}"),
        standard_error: format!("{error:.9}"),
        correlation: format!("{correlation:.6}"),
        variance_by_seats: (1..=seats).map(of_all).collect(),
    })
}

/// Returns whether the bet has no stake, because the hands of other seats win it.
fn is_by_others(bet: &SimulatedBet) -> bool {
    bet.stake_minor.is_none()
}

/// Estimates the probability of a row. It has no z-score if few hits are expected.
///
/// With more seats than one it has none either, since hands of one round are not independent.
pub(super) fn row_estimate(row: &SimulatedRow, lines: u64, seats: u8) -> Option<RowEstimate> {
    if lines == 0 {
        return None;
    }
    let n = real(lines);
    let exact = row.exact.as_ref().and_then(|text| decimal(text)).filter(|_| seats == 1);
    let z = exact.filter(|p| n * p >= FEWEST && *p < 1.0);
    let z = z.map(|p| (real(row.hits) - n * p) / (n * p * (1.0 - p)).sqrt());
    Some(RowEstimate {
        probability: format!("{:.9}", real(row.hits) / n),
        z: z.map(|z| format!("{z:.3}")),
    })
}

/// Reads `num/den`.
fn decimal(text: &str) -> Option<f64> {
    let (num, den) = text.split_once('/')?;
    let (num, den): (i128, i128) = (num.parse().ok()?, den.parse().ok()?);
    (den != 0).then(|| big(num) / big(den))
}

#[expect(clippy::cast_precision_loss, reason = "an estimate has no more digits")]
const fn real(number: u64) -> f64 {
    number as f64
}

#[expect(clippy::cast_precision_loss, reason = "an estimate has no more digits")]
const fn big(number: i128) -> f64 {
    number as f64
}

/// Returns whether chance does not explain the distance of a z-score from 0.
pub(super) fn is_far(z: &str) -> bool {
    z.parse::<f64>().is_ok_and(|z| z.abs() > FAR)
}
