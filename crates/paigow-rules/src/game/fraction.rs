//! Exact fractions, for the returns of bets.

use std::cmp::Ordering;
use std::fmt;

/// The largest denominator, and the largest absolute numerator: 2^120. This leaves room to write
/// decimal digits in 128 bits.
const LARGEST: u128 = 1 << 120;

/// An exact fraction in lowest terms. Its denominator is above 0.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Fraction {
    num: i128,
    den: i128,
}

impl Fraction {
    /// 0.
    pub const ZERO: Self = Self { num: 0, den: 1 };
    /// 1.
    pub const ONE: Self = Self { num: 1, den: 1 };

    /// Returns `num / den` in lowest terms. Returns [`None`] unless `den` is above 0 and both are
    /// then at most 2^120.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_rules::game::Fraction;
    ///
    /// let half = Fraction::new(2, 4).unwrap();
    /// assert_eq!((half.num(), half.den()), (1, 2));
    /// assert_eq!(half.plus(half), Some(Fraction::ONE));
    /// assert_eq!(Fraction::new(1, 0), None);
    /// ```
    #[must_use]
    pub fn new(num: i128, den: i128) -> Option<Self> {
        if den <= 0 {
            return None;
        }
        let divisor = common_divisor(num.unsigned_abs(), den.unsigned_abs());
        let largest = num.unsigned_abs().max(den.unsigned_abs()) / divisor;
        // The divisor is at most `den`, so it fits.
        let divisor = i128::try_from(divisor).ok()?;
        (largest <= LARGEST).then_some(Self { num: num / divisor, den: den / divisor })
    }

    /// Returns the numerator, below 0 if the fraction is.
    #[must_use]
    pub const fn num(self) -> i128 {
        self.num
    }

    /// Returns the denominator, at least 1.
    #[must_use]
    pub const fn den(self) -> i128 {
        self.den
    }

    /// Returns the sum, or [`None`] if it overflows.
    #[must_use]
    pub fn plus(self, other: Self) -> Option<Self> {
        let ours = self.num.checked_mul(other.den)?;
        let theirs = other.num.checked_mul(self.den)?;
        Self::new(ours.checked_add(theirs)?, self.den.checked_mul(other.den)?)
    }

    /// Returns the difference, or [`None`] if it overflows.
    #[must_use]
    pub fn minus(self, other: Self) -> Option<Self> {
        self.plus(Self { num: -other.num, den: other.den })
    }

    /// Returns the product, or [`None`] if it overflows.
    #[must_use]
    pub fn times(self, other: Self) -> Option<Self> {
        Self::new(self.num.checked_mul(other.num)?, self.den.checked_mul(other.den)?)
    }

    /// Returns 1 divided by this fraction, or [`None`] unless this is above 0.
    #[must_use]
    pub fn reciprocal(self) -> Option<Self> {
        Self::new(self.den, self.num)
    }

    /// Returns the square root cut off after `places` decimal places, at most 18. It is the largest
    /// such fraction whose square is not above this one.
    ///
    /// Returns [`None`] if this fraction is below 0, or if the root overflows.
    #[must_use]
    pub fn square_root(self, places: u32) -> Option<Self> {
        let (num, den) = (u128::try_from(self.num).ok()?, self.den.unsigned_abs());
        // Two digits of the radicand for each of the root, as in long division.
        let (mut radicand, mut rest) = (num / den, num % den);
        for _ in 0..2 * places.min(18) {
            rest *= 10;
            radicand = radicand.checked_mul(10)?.checked_add(rest / den)?;
            rest %= den;
        }
        let scale = 10_i128.pow(places.min(18));
        Self::new(i128::try_from(radicand.isqrt()).ok()?, scale)
    }

    /// Writes the fraction with `places` decimal places, as `-0.655023`. It is rounded to the
    /// nearest such number, and halves away from 0.
    #[must_use]
    pub fn decimal(self, places: usize) -> String {
        let (num, den) = (self.num.unsigned_abs(), self.den.unsigned_abs());
        let (mut whole, mut rest) = (num / den, num % den);
        let mut decimals = Vec::new();
        for _ in 0..places {
            rest *= 10;
            decimals.push(rest / den);
            rest %= den;
        }
        if rest * 2 >= den {
            let nines = decimals.iter().rev().take_while(|digit| **digit == 9).count();
            let end = places - nines;
            decimals[end..].fill(0);
            match end.checked_sub(1) {
                Some(last) => decimals[last] += 1,
                None => whole += 1,
            }
        }
        let is_zero = whole == 0 && decimals.iter().all(|digit| *digit == 0);
        let sign = if self.num < 0 && !is_zero { "-" } else { "" };
        let point = if places > 0 { "." } else { "" };
        let decimals: String = decimals.iter().map(ToString::to_string).collect();
        format!("{sign}{whole}{point}{decimals}")
    }
}

impl From<i64> for Fraction {
    fn from(whole: i64) -> Self {
        Self { num: whole.into(), den: 1 }
    }
}

impl Ord for Fraction {
    fn cmp(&self, other: &Self) -> Ordering {
        // Whole part by whole part, as continued fractions: no product can overflow.
        let (mut a, mut b) = (*self, *other);
        loop {
            let wholes = (a.num.div_euclid(a.den), b.num.div_euclid(b.den));
            let rests = (a.num.rem_euclid(a.den), b.num.rem_euclid(b.den));
            match (wholes.0.cmp(&wholes.1), rests) {
                (Ordering::Equal, (0, _) | (_, 0)) => return rests.0.cmp(&rests.1),
                (Ordering::Equal, (_, _)) => {
                    // The reciprocals of the rests compare the other way round.
                    let reciprocal = Self { num: a.den, den: rests.0 };
                    a = Self { num: b.den, den: rests.1 };
                    b = reciprocal;
                }
                (unequal, _) => return unequal,
            }
        }
    }
}

impl PartialOrd for Fraction {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Fraction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.num, self.den)
    }
}

const fn common_divisor(a: u128, b: u128) -> u128 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests;
