//! Logarithms of fractions in whole numbers, so that every machine draws the same.

use paigow_rules::game::Fraction;

/// One power of ten, in the units of [`rarity`].
pub(super) const DECADE: u64 = 1_000;

/// The resolution of a power of ten: 2^12 steps.
const BITS: u32 = 12;

/// The 1 of fixed-point numbers.
const UNIT: u128 = 1_000_000_000_000;

/// Returns the logarithm to base ten of 1 over a probability, in thousandths, cut off. Returns
/// [`None`] unless the probability is above 0 and at most 1.
pub(super) fn rarity(probability: Fraction) -> Option<u64> {
    let num = u128::try_from(probability.num()).ok().filter(|num| *num > 0)?;
    let den = probability.den().unsigned_abs();
    if num > den {
        return None;
    }
    // 1 <= den / num: whole powers of ten first.
    let (mut scale, mut whole) = (num, 0);
    while let Some(next) = scale.checked_mul(10).filter(|next| *next <= den) {
        (scale, whole) = (next, whole + 1);
    }
    // Then 1 <= rest < 10, and each square is one more bit.
    let (mut over, mut under) = (den, scale);
    while over > u128::MAX / UNIT {
        (over, under) = (over >> 1, (under >> 1).max(1));
    }
    let mut rest = over * UNIT / under;
    let mut part = 0_u64;
    for _ in 0..BITS {
        rest = rest * rest / UNIT;
        part <<= 1;
        if rest >= 10 * UNIT {
            rest /= 10;
            part |= 1;
        }
    }
    Some(whole * DECADE + part * DECADE / (1 << BITS))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn logarithms_are_those_of_the_tables() {
        // log10: 2 is 0.30103, 3 is 0.47712, 154,143,080 / 32 is 6.68277, 2^100 is 30.1030.
        for (num, den, thousandths) in [
            (1, 1, 0),
            (1, 2, 301),
            (1, 3, 477),
            (1, 10, 1_000),
            (1, 1_000_000, 6_000),
            (32, 154_143_080, 6_682),
            (1, 1 << 100, 30_102),
        ] {
            let found = rarity(Fraction::new(num, den).unwrap()).unwrap();
            assert!(found.abs_diff(thousandths) <= 1, "{num}/{den}: {found}");
        }
        assert_eq!(rarity(Fraction::ZERO), None);
        assert_eq!(rarity(Fraction::from(2)), None);
        assert_eq!(rarity(Fraction::from(-1)), None);
    }
}
