//! The worst and the best stakes under rounding.

use paigow_rules::game::{Fraction, Odds};

/// The most stakes that are tried. Above them rounding has no weight.
const MOST_STAKES: i64 = 1_000_000;

/// Returns the least stakes, from `least` up in steps of `step`, for which `kept` is most and
/// least.
///
/// `period` is a number of steps after which rounding repeats. A stake that is larger by one period
/// has the same roundings and a larger unrounded part. So its figure is nearer to the unrounded
/// one, and no stake above the first period is an extreme.
pub(super) fn extremes(
    [least, step, most]: [i64; 3],
    period: i64,
    kept: impl Fn(i64) -> Option<Fraction>,
) -> Option<[i64; 2]> {
    let first = least.checked_add(step - 1)? / step * step;
    let stakes = (0..period.min(MOST_STAKES)).map_while(|place| {
        let stake = first.checked_add(step.checked_mul(place)?)?;
        (stake <= most).then_some(stake)
    });
    let mut found: Option<[(Fraction, i64); 2]> = None;
    for stake in stakes {
        let now = kept(stake)?;
        found = Some(match found {
            None => [(now, stake); 2],
            Some([worst, best]) => [
                if now > worst.0 { (now, stake) } else { worst },
                if now < best.0 { (now, stake) } else { best },
            ],
        });
    }
    found.map(|both| both.map(|(_, stake)| stake))
}

/// Returns the least number that all denominators of odds divide.
pub(super) fn common_denominator(odds: impl Iterator<Item = Odds>) -> Option<i64> {
    odds.map(Odds::den)
        .try_fold(1_i64, |all, den| (all / common_divisor(all, den)).checked_mul(den))
}

/// Returns the largest number that divides both, which are above 0.
pub(super) const fn common_divisor(a: i64, b: i64) -> i64 {
    let (mut a, mut b) = (a, b);
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn five_per_cent_half_up_keeps_most_of_a_win_of_ten_and_nothing_below() {
        let kept = |stake: i64| Fraction::new(i128::from((stake + 10) / 20), stake.into());
        assert_eq!(extremes([1, 1, 1_000], 20, kept), Some([10, 1]));
        // From 30 up: 1.5 rounds to 2 of 30, and 2.45 to 2 of 49.
        assert_eq!(extremes([30, 1, 1_000], 20, kept), Some([30, 49]));
        // The range ends with the largest stake.
        assert_eq!(extremes([30, 1, 35], 20, kept), Some([30, 35]));
        assert_eq!(extremes([30, 1, 29], 20, kept), None);
        // Multiples of the step only.
        assert_eq!(extremes([1, 25, 1_000], 4, kept), Some([50, 25]));
    }

    #[test]
    fn nothing_above_the_first_period_is_an_extreme() {
        let kept = |stake: i64| Fraction::new(i128::from((stake * 3 + 39) / 40), stake.into());
        for least in 1..100 {
            let short = extremes([least, 1, i64::MAX], 40, kept);
            assert_eq!(short, extremes([least, 1, i64::MAX], 400, kept), "{least}");
        }
    }
}
