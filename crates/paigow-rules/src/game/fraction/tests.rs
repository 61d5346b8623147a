use super::*;

fn fraction(num: i128, den: i128) -> Fraction {
    Fraction::new(num, den).unwrap()
}

#[test]
fn a_fraction_is_in_lowest_terms() {
    assert_eq!(fraction(6, 4).to_string(), "3/2");
    assert_eq!(fraction(-6, 4).to_string(), "-3/2");
    assert_eq!(fraction(0, 7), Fraction::ZERO);
    assert_eq!(Fraction::from(3), fraction(9, 3));
}

#[test]
fn what_does_not_fit_is_nothing() {
    let largest = 1_i128 << 120;
    for (num, den) in [(1, 0), (1, -1), (largest + 1, 1), (1, largest + 1), (i128::MIN, 1)] {
        assert_eq!(Fraction::new(num, den), None, "{num}/{den}");
    }
    let tiny = fraction(1, largest - 1);
    assert_eq!(tiny.plus(fraction(1, largest)), None);
    assert_eq!(tiny.times(tiny), None);
    // A fraction that fits once it is reduced is not refused.
    assert_eq!(Fraction::new(i128::MIN, i128::MAX - 1), None);
    assert_eq!(Fraction::new(i128::MIN, 1 << 126).unwrap(), Fraction::from(-2));
}

#[test]
fn sums_differences_and_products_are_exact() {
    let (third, half) = (fraction(1, 3), fraction(1, 2));
    assert_eq!(third.plus(half), Some(fraction(5, 6)));
    assert_eq!(third.minus(half), Some(fraction(-1, 6)));
    assert_eq!(third.times(half), Some(fraction(1, 6)));
}

#[test]
fn a_square_root_is_cut_off_after_its_places() {
    let root = |num, den, places| fraction(num, den).square_root(places);
    assert_eq!(root(9, 4, 0), Some(Fraction::ONE));
    assert_eq!(root(9, 4, 1), Some(fraction(3, 2)));
    // 1.414213562373095048801..., and 1.4142135623 is not rounded up.
    assert_eq!(root(2, 1, 10), Some(fraction(14_142_135_623, 10_000_000_000)));
    // 0.57735026918962576450...
    assert_eq!(root(1, 3, 18), Some(fraction(577_350_269_189_625_764, 10_i128.pow(18))));
    assert_eq!(root(0, 1, 9), Some(Fraction::ZERO));
    // 2^-60, exactly, is below the last place.
    assert_eq!(root(1, 1 << 120, 18), Some(Fraction::ZERO));
    assert_eq!(root(-1, 1, 3), None);
    // 2^120 with 36 digits more does not fit.
    assert_eq!(root(1 << 120, 1, 18), None);
    assert_eq!(root(1 << 120, 1, 0), Some(Fraction::from(1 << 60)));
}

#[test]
fn fractions_compare_by_value_however_large() {
    let largest = 1_i128 << 120;
    let ascending = [
        fraction(-largest, 1),
        fraction(-3, 2),
        fraction(-4, 3),
        fraction(-1, largest),
        Fraction::ZERO,
        fraction(1, largest),
        fraction(1, 3),
        fraction(largest - 2, largest - 1),
        fraction(largest - 1, largest),
        Fraction::ONE,
        fraction(largest, largest - 1),
        fraction(7, 5),
        fraction(3, 2),
        fraction(largest, 1),
    ];
    for (i, a) in ascending.iter().enumerate() {
        for (j, b) in ascending.iter().enumerate() {
            assert_eq!(a.cmp(b), i.cmp(&j), "{a} {b}");
        }
    }
}

#[test]
fn decimals_are_the_nearest_and_halves_go_away_from_zero() {
    for (num, den, places, written) in [
        (2, 3, 4, "0.6667"),
        (1, 3, 4, "0.3333"),
        (-2, 3, 2, "-0.67"),
        (1, 8, 2, "0.13"),
        (-1, 8, 2, "-0.13"),
        (5, 2, 0, "3"),
        (999, 1_000, 2, "1.00"),
        (99_999, 10_000, 1, "10.0"),
        (-1, 1_000, 2, "0.00"),
        (1, 1, 3, "1.000"),
        (0, 1, 1, "0.0"),
    ] {
        assert_eq!(fraction(num, den).decimal(places), written, "{num}/{den}");
    }
    // 2^120 - 1 over 2^120 is just below 1.
    let largest = 1_i128 << 120;
    assert_eq!(fraction(largest - 1, largest).decimal(36), format!("0.{}", "9".repeat(36)));
    assert_eq!(fraction(largest - 1, largest).decimal(35), format!("1.{}", "0".repeat(35)));
}
