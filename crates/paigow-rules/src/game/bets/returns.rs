//! The exact average return of a bonus bet.

use super::{BonusBet, RowCounts, RowPayment};
use crate::game::fraction::Fraction;

impl BonusBet {
    /// Returns the average amount handed back per unit staked, before any rounding.
    ///
    /// The stake of a win and of a push is included. Wins from the hands of other seats are not.
    /// `hand_cards` is the number of cards of each hand, 6 or 7. A meter holds its seed.
    ///
    /// Returns [`None`] where [`row_counts`](Self::row_counts) does, and if the
    /// fraction is too large to be held.
    #[must_use]
    pub fn exact_return(&self, hand_cards: usize) -> Option<Fraction> {
        self.return_of(&self.row_counts(hand_cards)?)
    }

    /// Returns the average amount handed back per unit staked, by these counts of hands or of pairs
    /// of hands.
    ///
    /// Returns [`None`] if the counts have another number of rows, or if the fraction is too large.
    #[must_use]
    pub fn return_of(&self, counts: &RowCounts) -> Option<Fraction> {
        average(counts, |row| self.rows.get(row)?.pays.handed_back())
    }

    /// Returns the variance of the amount handed back per unit staked, for the same wagers as
    /// [`exact_return`](Self::exact_return).
    ///
    /// The variance of the return of independent wagers is the sum of their variances, each times
    /// its stake squared.
    ///
    /// Returns [`None`] where [`exact_return`](Self::exact_return) does.
    #[must_use]
    pub fn exact_variance(&self, hand_cards: usize) -> Option<Fraction> {
        self.variance_of(&self.row_counts(hand_cards)?)
    }

    /// Returns the same variance by these counts of hands or of pairs of hands.
    ///
    /// Returns [`None`] where [`return_of`](Self::return_of) does, and if a square is too large.
    #[must_use]
    pub fn variance_of(&self, counts: &RowCounts) -> Option<Fraction> {
        let back: Vec<Fraction> =
            self.rows.iter().map(|row| row.pays.handed_back()).collect::<Option<_>>()?;
        let unit = back.iter().try_fold(1_i128, |unit, back| unit.checked_mul(back.den()))?;
        let (mut sum, mut squares) = (0_i128, 0_i128);
        for (place, &hands) in counts.rows.iter().enumerate() {
            let back = back.get(place)?;
            let units = back.num().checked_mul(unit / back.den())?;
            sum = sum.checked_add(units.checked_mul(hands.into())?)?;
            squares = squares.checked_add(units.checked_mul(units)?.checked_mul(hands.into())?)?;
        }
        let all = i128::from(counts.total);
        let num = squares.checked_mul(all)?.checked_sub(sum.checked_mul(sum)?)?;
        let scale = all.checked_mul(unit)?;
        // The square of the scale may not fit before the fraction is reduced.
        Fraction::new(num, scale).and_then(|part| part.times(Fraction::new(1, scale)?))
    }

    /// Returns the average amount that the hand of one other seat wins a qualifying wager.
    ///
    /// In minor units; 0 if the hands of other seats win no amount.
    ///
    /// Returns [`None`] where [`exact_return`](Self::exact_return) does.
    #[must_use]
    pub fn exact_to_others(&self, hand_cards: usize) -> Option<Fraction> {
        self.average(hand_cards, |row| {
            let amount = self.to_others.as_ref().and(self.rows[row].to_others);
            Some(Fraction::from(amount.unwrap_or(0)))
        })
    }

    /// Returns the highest average amount that any stake is handed back, per unit staked, beside
    /// `other_seats` other hands.
    ///
    /// That is the return of the least stake that qualifies for wins from those hands, because the
    /// fixed amounts weigh most there. The most that rounding can add at the least stake is counted
    /// for every row. The figure is exact if all odds are whole, or if a fraction is dropped.
    ///
    /// Returns [`None`] where [`exact_return`](Self::exact_return) does.
    #[must_use]
    pub fn highest_return(&self, hand_cards: usize, other_seats: u8) -> Option<Fraction> {
        let least = self.limits.minimum.max(1);
        let others = match &self.to_others {
            Some(to_others) => {
                let stake = to_others.threshold.max(least);
                let share = Fraction::new(other_seats.into(), stake.into())?;
                self.exact_to_others(hand_cards)?.times(share)?
            }
            None => Fraction::ZERO,
        };
        self.highest_return_of(&self.row_counts(hand_cards)?)?.plus(others)
    }

    /// Returns the highest average return of any stake, per unit staked, by these counts of hands
    /// or of pairs of hands.
    ///
    /// Wins from the hands of other seats are not included. The most that rounding can add at the
    /// least stake is counted for every row. For a bet with a meter, it is the higher of the
    /// returns at the seed and in the long run.
    ///
    /// Returns [`None`] if the counts have another number of rows, or if the fraction is too large.
    #[must_use]
    pub fn highest_return_of(&self, counts: &RowCounts) -> Option<Fraction> {
        let least = Fraction::new(1, self.limits.minimum.max(1).into())?;
        let at_seed = average(counts, |row| {
            let row = self.rows.get(row)?;
            let rounded = match row.pays {
                RowPayment::Odds(odds) => odds.most_rounded_up(self.rounding)?,
                RowPayment::Meter(_) | RowPayment::Push => Fraction::ZERO,
            };
            row.pays.handed_back()?.plus(rounded.times(least)?)
        })?;
        if self.rows.iter().all(|row| row.pays.meter_share().is_none()) {
            return Some(at_seed);
        }
        let unrounded = self.meter_return(counts)?;
        let grown = unrounded.in_the_long_run.minus(unrounded.at_seed)?;
        Some(at_seed.max(at_seed.plus(grown)?))
    }

    /// Returns the average of `worth` over all hands. `worth` is the value of a row; a losing hand
    /// is worth 0.
    fn average(
        &self,
        hand_cards: usize,
        worth: impl Fn(usize) -> Option<Fraction>,
    ) -> Option<Fraction> {
        average(&self.row_counts(hand_cards)?, worth)
    }
}

/// Returns the average of `worth` over all counts. `worth` is the value of a row.
fn average(counts: &RowCounts, worth: impl Fn(usize) -> Option<Fraction>) -> Option<Fraction> {
    let mut sum = Fraction::ZERO;
    for (row, &hands) in counts.rows.iter().enumerate() {
        let chance = Fraction::new(hands.into(), counts.total.into())?;
        sum = sum.plus(worth(row)?.times(chance)?)?;
    }
    Some(sum)
}
