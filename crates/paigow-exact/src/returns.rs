//! The exact results of a wager.

use paigow_rules::game::Fraction;

/// The net results of a wager, per unit of the base stake, each with its number of pairs of hands.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Returns {
    /// In units of `1 / unit`, lowest first.
    results: Vec<(i128, u128)>,
    unit: i128,
    pairs: u128,
}

impl Returns {
    /// Returns the results: a net win, below 0 for a loss, in units of `1 / unit`, and its number
    /// of pairs. There are `pairs` in all. Equal results are added.
    ///
    /// Returns [`None`] unless `unit` is above 0 and the numbers add up to `pairs`.
    #[must_use]
    pub fn new(
        results: impl IntoIterator<Item = (i128, u128)>,
        unit: i128,
        pairs: u128,
    ) -> Option<Self> {
        let mut results: Vec<(i128, u128)> = results.into_iter().collect();
        results.sort_unstable();
        results.dedup_by(|next, last| {
            let is_same = next.0 == last.0;
            if is_same {
                last.1 += next.1;
            }
            is_same
        });
        results.retain(|(_, count)| *count > 0);
        let sum: u128 = results.iter().map(|(_, count)| count).sum();
        (unit > 0 && pairs > 0 && sum == pairs).then_some(Self { results, unit, pairs })
    }

    /// Returns each net result per unit of the base stake, lowest first, with its number of pairs
    /// of hands.
    pub fn results(&self) -> impl Iterator<Item = (Fraction, u128)> + '_ {
        self.results
            .iter()
            .filter_map(|(net, pairs)| Some((Fraction::new(*net, self.unit)?, *pairs)))
    }

    /// Returns how many pairs of hands there are.
    #[must_use]
    pub const fn pairs(&self) -> u128 {
        self.pairs
    }

    /// Returns the average net result per unit of the base stake, or [`None`] if it does not fit a
    /// fraction.
    #[must_use]
    pub fn average(&self) -> Option<Fraction> {
        let pairs = i128::try_from(self.pairs).ok()?;
        Fraction::new(self.sum(1)?, pairs.checked_mul(self.unit)?)
    }

    /// Returns the average win of the other side per unit of the base stake: the house edge of a
    /// player's wager. Returns [`None`] if it does not fit a fraction.
    #[must_use]
    pub fn edge(&self) -> Option<Fraction> {
        Fraction::ZERO.minus(self.average()?)
    }

    /// Returns the variance of the net result per unit of the base stake, or [`None`] if it does
    /// not fit a fraction.
    #[must_use]
    pub fn variance(&self) -> Option<Fraction> {
        let pairs = i128::try_from(self.pairs).ok()?;
        let sum = self.sum(1)?;
        let squares = self.sum(2)?.checked_mul(pairs)?.checked_sub(sum.checked_mul(sum)?)?;
        let unit = self.unit.checked_mul(self.unit)?;
        Fraction::new(squares, pairs.checked_mul(pairs)?.checked_mul(unit)?)
    }

    /// Returns the sum of a power of the results over all pairs, in units to that power.
    fn sum(&self, power: u32) -> Option<i128> {
        self.results.iter().try_fold(0_i128, |sum, (net, pairs)| {
            let pairs = i128::try_from(*pairs).ok()?;
            sum.checked_add(net.checked_pow(power)?.checked_mul(pairs)?)
        })
    }
}

#[cfg(test)]
mod tests;
