//! Collection fees: flat amounts by the size of a wager, taken before the deal.

/// One band of a fee schedule. Amounts are in minor units.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FeeBand {
    /// The largest amount of the band; [`None`] for the last band, which has no end.
    pub up_to: Option<i64>,
    /// The fee.
    pub fee: i64,
}

/// A fee schedule: at most [`FeeSchedule::MOST_BANDS`] bands of growing amounts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FeeSchedule {
    bands: Vec<FeeBand>,
    /// The fee of the last band.
    above: i64,
}

impl FeeSchedule {
    /// How many bands a table may have. California allows five collection rates for
    /// each table limit.
    pub const MOST_BANDS: usize = 5;

    /// Makes a schedule of `bands`.
    ///
    /// # Errors
    ///
    /// Returns [`FeeScheduleError`] in these cases:
    ///
    /// - There is no band, or there are more than [`Self::MOST_BANDS`].
    /// - The amounts do not grow from band to band.
    /// - The last band has an end, or another band has none.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_rules::game::{FeeBand, FeeSchedule, FeeScheduleError};
    ///
    /// let band = |up_to, fee| FeeBand { up_to, fee };
    /// let fees = FeeSchedule::new(vec![band(Some(20_000), 100), band(None, 200)])?;
    /// assert_eq!((fees.due(20_000), fees.due(20_001)), (100, 200));
    /// # Ok::<(), FeeScheduleError>(())
    /// ```
    pub fn new(bands: Vec<FeeBand>) -> Result<Self, FeeScheduleError> {
        if !(1..=Self::MOST_BANDS).contains(&bands.len()) {
            return Err(FeeScheduleError::Count { bands: bands.len() });
        }
        let Some((&FeeBand { up_to: None, fee: above }, others)) = bands.split_last() else {
            return Err(FeeScheduleError::LastBandEnds);
        };
        let ends: Option<Vec<i64>> = others.iter().map(|band| band.up_to).collect();
        match ends {
            Some(ends) if ends.is_sorted_by(|a, b| a < b) => Ok(Self { bands, above }),
            Some(_) | None => Err(FeeScheduleError::Order),
        }
    }

    /// Returns the bands.
    #[must_use]
    pub fn bands(&self) -> &[FeeBand] {
        &self.bands
    }

    /// Returns the fee for `amount`, both in minor units. The fee for 0 is 0.
    #[must_use]
    pub fn due(&self, amount: i128) -> i64 {
        if amount <= 0 {
            return 0;
        }
        let within = |band: &&FeeBand| band.up_to.is_some_and(|end| amount <= i128::from(end));
        self.bands.iter().find(within).map_or(self.above, |band| band.fee)
    }
}

/// Bands that make no schedule.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum FeeScheduleError {
    /// There is no band, or there are too many.
    #[error("{bands} bands; 1 to {most} are allowed", most = FeeSchedule::MOST_BANDS)]
    Count {
        /// How many there are.
        bands: usize,
    },
    /// Amounts above the end of the last band would have no fee.
    #[error("the last band must have no up_to_minor")]
    LastBandEnds,
    /// The ends do not grow, or one before the last is missing.
    #[error("up_to_minor must be present and grow from band to band, except in the last")]
    Order,
}

#[cfg(test)]
mod tests;
