//! Meters of progressive bets: the payments of their rows, and the returns of such bets.

use super::{BonusBet, RowCounts};
use crate::game::fraction::Fraction;
use crate::game::money::{Odds, Rounding, rounded};

/// The meter of a progressive bet.
///
/// The engine stores no meter: the table states its amount with every sheet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Meter {
    /// The amount in the meter after it was paid in full, in minor units.
    ///
    /// It is also the least amount at any time. Range: 1 to [`MAX_STAKE`](crate::game::MAX_STAKE).
    pub seed: i64,
    /// The part of each stake that the casino adds to the meter, below 1.
    pub contribution: Odds,
}

/// The share of a meter that a row pays.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MeterShare {
    share: Odds,
    won_at_seed: Fraction,
}

impl MeterShare {
    /// Makes a share, at most 1, of `meter` on a bet of this fixed `stake`.
    ///
    /// Returns [`None`] if the share is above 1, or less than a minor unit of the seed.
    pub(in crate::game) fn new(share: Odds, meter: Meter, stake: i64) -> Option<Self> {
        let win = part(share, meter.seed);
        let is_share = Odds::EVEN.pays_at_least(share) && win > 0;
        let won_at_seed = Fraction::new(win, stake.into()).filter(|_| is_share)?;
        Some(Self { share, won_at_seed })
    }

    /// Returns the share, above 0 and at most 1.
    #[must_use]
    pub const fn share(self) -> Odds {
        self.share
    }

    /// Whether it is the whole meter.
    #[must_use]
    pub fn is_whole_meter(self) -> bool {
        self.share == Odds::EVEN
    }

    /// Returns the payment of the share, in minor units, if the meter has `meter` of them. A
    /// fraction is dropped.
    #[must_use]
    pub fn of(self, meter: i64) -> i128 {
        part(self.share, meter)
    }

    /// Returns the win per unit staked while the meter holds its seed.
    #[must_use]
    pub const fn won_at_seed(self) -> Fraction {
        self.won_at_seed
    }
}

fn part(share: Odds, meter: i64) -> i128 {
    let parts = i128::from(meter) * i128::from(share.num());
    rounded(parts, share.den().into(), Rounding::Down)
}

/// The exact return, per unit staked, of a bet with a meter, for a wager that shares its row with
/// no other.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct MeterReturn {
    /// The return while the meter holds its seed.
    pub at_seed: Fraction,
    /// The return that each minor unit in the meter adds, before a fraction of a minor unit is
    /// dropped.
    pub of_each_minor_unit: Fraction,
    /// The meter, in minor units, at which the bet returns the whole stake on average.
    ///
    /// Dropped fractions of a minor unit are not counted.
    pub break_even: Fraction,
    /// The return in the long run.
    ///
    /// The casino adds the contribution of each stake to the meter, and takes each payment out of
    /// it. It sets the meter back to the seed after a payment in full. So the meter hands back the
    /// contributions, and one seed for each payment in full.
    pub in_the_long_run: Fraction,
}

impl BonusBet {
    /// Computes the return of the bet from these counts of hands.
    ///
    /// Returns [`None`] if the bet has no meter, if the counts have another number of rows, or if a
    /// fraction overflows.
    #[must_use]
    pub fn meter_return(&self, counts: &RowCounts) -> Option<MeterReturn> {
        let meter = self.meter?;
        let stake = self.limits.minimum;
        let at_seed = self.return_of(counts)?;
        let (mut fixed, mut shares, mut whole) = (at_seed, Fraction::ZERO, Fraction::ZERO);
        for (row, &hands) in self.rows.iter().zip(&counts.rows) {
            let Some(share) = row.pays.meter_share() else { continue };
            let chance = Fraction::new(hands.into(), counts.total.into())?;
            fixed = fixed.minus(share.won_at_seed().times(chance)?)?;
            let of_meter = Fraction::new(share.share().num().into(), share.share().den().into())?;
            shares = shares.plus(of_meter.times(chance)?)?;
            if share.is_whole_meter() {
                whole = whole.plus(chance)?;
            }
        }
        let of_each_minor_unit = shares.times(Fraction::new(1, stake.into())?)?;
        let missing = Fraction::ONE.minus(fixed)?;
        let contribution = meter.contribution;
        let contributed = Fraction::new(contribution.num().into(), contribution.den().into())?;
        let reseeded = whole.times(Fraction::new(meter.seed.into(), stake.into())?)?;
        Some(MeterReturn {
            at_seed,
            of_each_minor_unit,
            break_even: missing.times(of_each_minor_unit.reciprocal()?)?,
            in_the_long_run: fixed.plus(contributed)?.plus(reseeded)?,
        })
    }
}
