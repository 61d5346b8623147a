//! What a wager comes to, exactly.

use crate::game::Fraction;

/// The net results of a wager, per unit of the base stake, each with the pairs of hands
/// that it comes of.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Returns {
    /// In units of `1 / unit`, lowest first.
    results: Vec<(i128, u128)>,
    unit: i128,
    pairs: u128,
}

impl Returns {
    /// Returns the results: a net win, below 0 for a loss, in units of `1 / unit`, and its
    /// number of pairs, of which there are `pairs` in all. Equal results are added.
    ///
    /// Returns nothing unless `unit` is above 0 and the numbers add up to `pairs`.
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

    /// Returns each net result per unit of the base stake, lowest first, and the number of
    /// pairs of hands that it comes of.
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

    /// Returns the average net result per unit of the base stake, or nothing if it does
    /// not fit a fraction.
    #[must_use]
    pub fn average(&self) -> Option<Fraction> {
        let pairs = i128::try_from(self.pairs).ok()?;
        Fraction::new(self.sum(1)?, pairs.checked_mul(self.unit)?)
    }

    /// Returns what the other side wins on average per unit of the base stake: the house
    /// edge of a player's wager. Nothing if it does not fit a fraction.
    #[must_use]
    pub fn edge(&self) -> Option<Fraction> {
        Fraction::ZERO.minus(self.average()?)
    }

    /// Returns the variance of the net result per unit of the base stake, or nothing if it
    /// does not fit a fraction.
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
mod tests {
    use super::*;

    #[test]
    fn the_average_and_the_variance_are_those_of_the_results() {
        // A win of 19/20 twice, a push three times, a loss five times: the average is
        // -3.1/10, the mean square 6.805/10, the variance 0.6805 - 0.0961.
        let returns = Returns::new([(19, 1), (-20, 5), (0, 3), (19, 1)], 20, 10).unwrap();
        assert_eq!(returns.average(), Fraction::new(-31, 100));
        assert_eq!(returns.edge(), Fraction::new(31, 100));
        assert_eq!(returns.variance(), Fraction::new(5_844, 10_000));
        let results: Vec<(String, u128)> =
            returns.results().map(|(net, pairs)| (net.to_string(), pairs)).collect();
        let expected = [("-1/1", 5), ("0/1", 3), ("19/20", 2)];
        assert_eq!(results, expected.map(|(net, pairs)| (net.to_owned(), pairs)));
    }

    #[test]
    fn results_that_are_not_of_all_pairs_are_refused() {
        assert_eq!(Returns::new([(1, 1)], 1, 2), None);
        assert_eq!(Returns::new([(1, 2)], 0, 2), None);
        assert_eq!(Returns::new([], 1, 0), None);
    }

    #[test]
    fn the_largest_counts_of_the_games_fit() {
        // All deals of seven cards, with a commission of 5 %.
        let pairs: u128 = 154_143_080 * 53_524_680;
        let returns =
            Returns::new([(38, 1), (19, pairs / 2), (-40, pairs - pairs / 2 - 1)], 20, pairs);
        assert!(returns.unwrap().variance().is_some());
    }
}
