//! The tails of the chi-square distribution.
//!
//! The code uses only additions, multiplications and divisions, which IEEE 754 fixes to the last
//! bit. It also uses the logarithm, exponential and log-gamma of `libm`, which consist of such
//! operations. So a p-value has the same bits on every machine.

#![expect(clippy::float_arithmetic, reason = "a probability is no fraction of counts here")]

/// The probabilities that a chi-square variable is at most, and at least, the observed value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct TailProbabilities {
    pub(super) lower: f64,
    pub(super) upper: f64,
}

/// A bound of terms and steps that no test reaches: some thousands are enough for 140,555 degrees
/// of freedom.
const MOST_STEPS: u32 = 1_000_000;

/// Returns both tails at `statistic`, with `dof` degrees of freedom, at least 1.
///
/// They are the regularised incomplete gamma functions P and Q of `dof / 2` and `statistic / 2`.
/// Below the mean the power series of P gives them, above it the continued fraction of Q (Lentz's
/// algorithm). So the smaller of the two is exact to about ten digits, however small it is.
pub(super) fn chi_square_tails(dof: u64, statistic: f64) -> TailProbabilities {
    let (a, x) = (as_float(dof) / 2.0, statistic / 2.0);
    if x <= 0.0 {
        TailProbabilities { lower: 0.0, upper: 1.0 }
    } else if x.is_infinite() {
        TailProbabilities { lower: 1.0, upper: 0.0 }
    } else if x < a + 1.0 {
        let lower = (series(a, x) * front(a, x)).min(1.0);
        TailProbabilities { lower, upper: 1.0 - lower }
    } else {
        let upper = (fraction(a, x) * front(a, x)).min(1.0);
        TailProbabilities { lower: 1.0 - upper, upper }
    }
}

/// Returns a count as a float: exact up to 2^53.
#[expect(clippy::cast_precision_loss, reason = "53 bits of a count are enough for a p-value")]
pub(super) const fn as_float(count: u64) -> f64 {
    count as f64
}

/// Returns `x^a e^-x / Gamma(a)`.
fn front(a: f64, x: f64) -> f64 {
    libm::exp(a * libm::log(x) - x - libm::lgamma(a))
}

/// Returns the sum of `x^n / (a (a + 1) ... (a + n))`.
fn series(a: f64, x: f64) -> f64 {
    let (mut term, mut sum, mut at) = (1.0 / a, 1.0 / a, a);
    for _ in 0..MOST_STEPS {
        at += 1.0;
        term *= x / at;
        sum += term;
        if term < sum * f64::EPSILON {
            break;
        }
    }
    sum
}

/// Returns `1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - 2 (2 - a) / ...))`.
fn fraction(a: f64, x: f64) -> f64 {
    const TINY: f64 = 1e-300;
    let away_from_zero = |value: f64| if value.abs() < TINY { TINY } else { value };
    let mut b = x + 1.0 - a;
    let mut c = 1.0 / TINY;
    let mut d = 1.0 / away_from_zero(b);
    let (mut h, mut n) = (d, 0.0);
    for _ in 0..MOST_STEPS {
        n += 1.0;
        b += 2.0;
        let numerator = n * (a - n);
        d = 1.0 / away_from_zero(numerator * d + b);
        c = away_from_zero(b + numerator / c);
        h *= d * c;
        if (d * c - 1.0).abs() < f64::EPSILON {
            break;
        }
    }
    h
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_near(found: f64, expected: f64, relative: f64, what: &str) {
        assert!((found / expected - 1.0).abs() < relative, "{what}: {found}, not {expected}");
    }

    #[test]
    fn the_upper_tail_at_published_critical_values_is_the_significance() {
        // NIST/SEMATECH e-Handbook of Statistical Methods, section 1.3.6.7.4, upper-tail
        // critical values, printed to three decimals.
        for (dof, significance, critical) in [
            (1, 0.10, 2.706),
            (1, 0.05, 3.841),
            (1, 0.001, 10.828),
            (2, 0.01, 9.210),
            (5, 0.025, 12.833),
            (10, 0.01, 23.209),
            (30, 0.05, 43.773),
            (52, 0.05, 69.832),
            (52, 0.01, 78.616),
            (100, 0.10, 118.498),
            (100, 0.001, 149.449),
        ] {
            let what = format!("{dof} degrees of freedom at {significance}");
            is_near(chi_square_tails(dof, critical).upper, significance, 1e-3, &what);
        }
    }

    #[test]
    fn the_lower_tail_at_published_critical_values_is_the_significance() {
        // The same handbook, lower-tail critical values.
        for (dof, significance, critical) in
            [(1, 0.10, 0.016), (10, 0.01, 2.558), (52, 0.05, 36.437), (100, 0.001, 61.918)]
        {
            let what = format!("{dof} degrees of freedom at {significance}");
            let within = if dof == 1 { 3e-2 } else { 1e-3 };
            is_near(chi_square_tails(dof, critical).lower, significance, within, &what);
        }
    }

    #[test]
    fn an_even_number_of_degrees_of_freedom_has_a_closed_form() {
        // Q(k, x) = e^-x (1 + x + x^2/2! + ... + x^(k-1)/(k-1)!): the chance of fewer than
        // k events where x are expected.
        for dof in [2_u32, 4, 10, 52, 204, 700] {
            for factor in [0.5, 0.8, 1.0, 1.2, 1.7] {
                let x = f64::from(dof) * factor / 2.0;
                let (mut term, mut sum) = ((-x).exp(), 0.0);
                for j in 1..=dof / 2 {
                    sum += term;
                    term *= x / f64::from(j);
                }
                let found = chi_square_tails(u64::from(dof), 2.0 * x).upper;
                is_near(found, sum, 1e-10, &format!("{dof} at {factor}"));
            }
        }
    }

    #[test]
    fn many_degrees_of_freedom_keep_their_digits() {
        // By the closed forms for even and odd numbers (a Poisson sum; for an odd number
        // with terms of half-integer order) in decimal arithmetic of 60 digits.
        for (dof, statistic, upper) in [
            (2_704, 2_704.0, 4.963_833_852_688_909e-1),
            (2_704, 2_850.5, 2.463_306_149_634_614e-2),
            (2_704, 3_100.0, 1.292_910_039_110_477e-7),
            (2_755, 2_600.0, 9.829_799_292_102_827e-1),
            (2_755, 2_901.25, 2.586_558_308_354_051e-2),
            (140_555, 140_000.0, 8.524_275_543_367_57e-1),
            (140_555, 141_500.0, 3.756_821_947_994_884e-2),
            (140_555, 143_000.0, 2.256_192_711_623_071e-6),
        ] {
            is_near(chi_square_tails(dof, statistic).upper, upper, 1e-8, &format!("{dof}"));
        }
    }

    #[test]
    fn nothing_and_everything_are_the_ends() {
        assert_eq!(chi_square_tails(5, 0.0), TailProbabilities { lower: 0.0, upper: 1.0 });
        assert_eq!(
            chi_square_tails(5, f64::INFINITY),
            TailProbabilities { lower: 1.0, upper: 0.0 }
        );
    }
}
