//! Collection fees: flat amounts by the size of a wager, taken before the deal.

/// One band of a fee schedule. Amounts are in minor units.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FeeBand {
    /// The largest amount of the band; nothing for the last band, which has no end.
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
    /// If there is no band or more than [`Self::MOST_BANDS`], if the amounts do not
    /// grow from band to band, or if any but the last has no end or the last has one.
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

    /// Returns the fee for `amount` minor units, both in minor units. Nothing is due
    /// for nothing.
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
#[non_exhaustive]
pub enum FeeScheduleError {
    /// There are none, or too many.
    #[error("{bands} bands; 1 to {most} are allowed", most = FeeSchedule::MOST_BANDS)]
    Count {
        /// How many there are.
        bands: usize,
    },
    /// Amounts above the end of the last band would have no fee.
    #[error("the last band must have no up_to_minor")]
    LastBandEnds,
    /// The ends do not grow, or one before the last is missing.
    #[error("up_to_minor must be present and grow from band to band, but for the last")]
    Order,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn band(up_to: impl Into<Option<i64>>, fee: i64) -> FeeBand {
        FeeBand { up_to: up_to.into(), fee }
    }

    #[test]
    fn an_end_belongs_to_its_band_and_the_next_unit_to_the_next() {
        let schedule = FeeSchedule::new(vec![band(100, 1), band(200, 2), band(None, 5)]).unwrap();
        for (amount, fee) in
            [(0, 0), (1, 1), (100, 1), (101, 2), (200, 2), (201, 5), (i128::from(i64::MAX) * 6, 5)]
        {
            assert_eq!(schedule.due(amount), fee, "{amount}");
        }
    }

    #[test]
    fn a_schedule_has_one_to_five_growing_bands_and_an_open_end() {
        assert_eq!(FeeSchedule::new(vec![]), Err(FeeScheduleError::Count { bands: 0 }));
        let mut six: Vec<FeeBand> = (1..=5).map(|end| band(end, 1)).collect();
        six.push(band(None, 1));
        assert_eq!(FeeSchedule::new(six), Err(FeeScheduleError::Count { bands: 6 }));
        assert_eq!(FeeSchedule::new(vec![band(9, 1)]), Err(FeeScheduleError::LastBandEnds));
        for ends in [[Some(9), Some(9)], [Some(9), Some(8)], [None, Some(8)]] {
            let bands = ends.into_iter().chain([None]).map(|end| band(end, 1)).collect();
            assert_eq!(FeeSchedule::new(bands), Err(FeeScheduleError::Order), "{ends:?}");
        }
    }
}
