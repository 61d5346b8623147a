//! Money: whole minor units of one currency, and odds as exact fractions.

use std::fmt;

use super::fraction::Fraction;

/// The largest stake of one wager, in minor units (PGE-FAIR-1, D14).
pub const MAX_STAKE: i64 = 1_000_000_000_000_000;

/// The largest bank that a player-dealer may put up, in minor units.
///
/// He can hold at most twice that in the course of a settlement, which fits 64 bits.
pub const MAX_BANK: i64 = 1_000_000_000_000_000_000;

/// The highest odds a ruleset may name, to one.
///
/// [`MAX_STAKE`] times these odds fits 64 bits.
pub const MAX_ODDS: i64 = 9_000;

/// A currency, and the number of decimal digits of its minor unit.
#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)]
pub struct Currency {
    /// Zeros behind the letters.
    code: [u8; Self::LONGEST_CODE],
    exponent: u8,
}

/// A fault of a currency.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum CurrencyError {
    /// The code is not 3 to 8 letters A to Z.
    #[error("a currency code is 3 to 8 capital letters A to Z")]
    Code,
    /// The exponent is not 0 to 4.
    #[error("a currency exponent is 0 to 4")]
    Exponent,
}

impl Currency {
    const LONGEST_CODE: usize = 8;

    /// The most minor digits that a currency has.
    pub const MAX_EXPONENT: u8 = 4;

    /// Makes a currency of `code` whose minor unit is 10^-`exponent` of it.
    ///
    /// The code has 3 to 8 letters A to Z. It is an ISO 4217 code, or an operator's own code of the
    /// same form (chips, tokens).
    ///
    /// # Errors
    ///
    /// If the code has another form, or the exponent is above 4.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_rules::game::{Currency, CurrencyError};
    ///
    /// let dollars = Currency::new("USD", 2)?;
    /// assert_eq!((dollars.code(), dollars.exponent()), ("USD", 2));
    /// assert_eq!(Currency::new("usd", 2), Err(CurrencyError::Code));
    /// # Ok::<(), CurrencyError>(())
    /// ```
    pub fn new(code: &str, exponent: u8) -> Result<Self, CurrencyError> {
        let mut letters = [0; Self::LONGEST_CODE];
        let place = letters.get_mut(..code.len()).filter(|place| place.len() >= 3);
        place.ok_or(CurrencyError::Code)?.copy_from_slice(code.as_bytes());
        if !code.bytes().all(|b| b.is_ascii_uppercase()) {
            return Err(CurrencyError::Code);
        }
        if exponent > Self::MAX_EXPONENT {
            return Err(CurrencyError::Exponent);
        }
        Ok(Self { code: letters, exponent })
    }

    /// Returns the code, as `USD`.
    ///
    /// # Panics
    ///
    /// Never: a code is letters A to Z.
    #[must_use]
    pub fn code(&self) -> &str {
        let end = self.code.iter().position(|letter| *letter == 0).unwrap_or(self.code.len());
        str::from_utf8(&self.code[..end]).expect("letters A to Z")
    }

    /// Returns the number of decimal digits of the minor unit, 0 to 4.
    #[must_use]
    pub const fn exponent(&self) -> u8 {
        self.exponent
    }
}

impl fmt::Debug for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Currency({self})")
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} with exponent {}", self.code(), self.exponent)
    }
}

/// The rounding of a fraction of a minor unit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Rounding {
    /// It is dropped.
    Down,
    /// It is dropped below one half, and counts as one from one half on.
    HalfUp,
    /// It counts as one.
    Up,
}

impl Rounding {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Down, Self::HalfUp, Self::Up];

    /// Returns its word in rulesets and sheets: `down`, `half-up` or `up`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Down => "down",
            Self::HalfUp => "half-up",
            Self::Up => "up",
        }
    }
}

/// The payment of a winning wager, `num` to `den`. The stake is returned too.
///
/// In lowest terms, above 0 and at most [`MAX_ODDS`] to one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Odds {
    num: i64,
    den: i64,
}

impl Odds {
    /// Even money, 1 to 1.
    pub const EVEN: Self = Self { num: 1, den: 1 };

    /// Reads odds as a ruleset writes them, `num/den`, `8/1` for 8 to 1.
    ///
    /// Returns [`None`] unless both are plain positive integers without leading zeros, in lowest
    /// terms. Odds above [`MAX_ODDS`] to one are [`None`] too.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_rules::game::{Odds, Rounding};
    ///
    /// let odds = Odds::parse("3/2").unwrap();
    /// assert_eq!(odds.win(25, Rounding::Down), 37);
    /// assert_eq!(odds.win(25, Rounding::Up), 38);
    /// // Not in lowest terms.
    /// assert_eq!(Odds::parse("6/4"), None);
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (num, den) = text.split_once('/')?;
        let (num, den) = (plain(num)?, plain(den)?);
        let highest = i128::from(MAX_ODDS) * i128::from(den);
        (common_divisor(num, den) == 1 && i128::from(num) <= highest).then_some(Self { num, den })
    }

    /// Returns the amount won for `den` staked.
    #[must_use]
    pub const fn num(self) -> i64 {
        self.num
    }

    /// Returns the stake that wins `num`.
    #[must_use]
    pub const fn den(self) -> i64 {
        self.den
    }

    /// Whether every stake wins a whole number of minor units.
    #[must_use]
    pub const fn is_whole(self) -> bool {
        self.den == 1
    }

    /// Whether these odds pay at least as much as `other`.
    #[must_use]
    pub fn pays_at_least(self, other: Self) -> bool {
        i128::from(self.num) * i128::from(other.den) >= i128::from(other.num) * i128::from(self.den)
    }

    /// Returns the win of `stake`, at least 0, at these odds.
    #[must_use]
    pub fn win(self, stake: i64, rounding: Rounding) -> i128 {
        rounded(i128::from(stake) * i128::from(self.num), i128::from(self.den), rounding)
    }

    /// Returns the most that rounding can add to a win at these odds, in minor units.
    #[must_use]
    pub fn most_rounded_up(self, rounding: Rounding) -> Option<Fraction> {
        let den = i128::from(self.den);
        let most = match rounding {
            Rounding::Down => 0,
            // At a rest of one half, or just above it.
            Rounding::HalfUp => den / 2,
            Rounding::Up => den - 1,
        };
        Fraction::new(most, den)
    }
}

/// Returns `num` / `den` as a whole number; `num` is at least 0 and `den` above 0.
pub(super) fn rounded(num: i128, den: i128, rounding: Rounding) -> i128 {
    let (whole, rest) = match (u64::try_from(num), u64::try_from(den)) {
        // Almost always true, and a machine divides these itself.
        (Ok(num), Ok(den)) => (i128::from(num / den), i128::from(num % den)),
        _ => (num / den, num % den),
    };
    let more = match rounding {
        Rounding::Down => false,
        Rounding::HalfUp => rest * 2 >= den,
        Rounding::Up => rest > 0,
    };
    whole + i128::from(more)
}

impl fmt::Display for Odds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.num, self.den)
    }
}

/// Reads a positive integer of at most nine digits, in its only valid spelling.
fn plain(digits: &str) -> Option<i64> {
    let canonical = (1..=9).contains(&digits.len())
        && digits.bytes().all(|b| b.is_ascii_digit())
        && !digits.starts_with('0');
    if canonical { digits.parse().ok() } else { None }
}

const fn common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests;
