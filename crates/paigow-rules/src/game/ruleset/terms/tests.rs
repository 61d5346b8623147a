use super::*;

fn five_per_cent(rounding: Rounding, increment: Increment) -> Commission {
    Commission { rate: Odds::parse("1/20").unwrap(), rounding, increment }
}

#[test]
fn the_most_that_a_win_comes_to_counts_all_that_rounding_leaves() {
    let even = |commission, minimum| BaseTerms {
        pays: Odds::EVEN,
        limits: StakeLimits { minimum, maximum: 1_000 },
        rounding: Rounding::Down,
        commission,
        push: None,
    };
    let fraction = |num, den| Fraction::new(num, den);
    assert_eq!(even(None, 1).most_won(), fraction(1, 1));
    let up = five_per_cent(Rounding::Up, Increment::QuarterChip);
    assert_eq!(even(Some(up), 1).most_won(), fraction(19, 20));
    // No commission is kept below 10. Of 100 at least 4.5 is kept.
    let half_up = five_per_cent(Rounding::HalfUp, Increment::MinorUnit);
    assert_eq!(even(Some(half_up), 1).most_won(), fraction(1, 1));
    assert_eq!(even(Some(half_up), 100).most_won(), fraction(955, 1_000));
    let down = five_per_cent(Rounding::Down, Increment::MinorUnit);
    assert_eq!(even(Some(down), 100).most_won(), fraction(96, 100));
    // A chip of 100 has increments of 25. Half of one, 12.5, is more than 5 % of 249, 12.45. A
    // whole one is more than 5 % of 499, 24.95. So no commission is kept.
    for (rounding, win) in [(Rounding::HalfUp, 249), (Rounding::Down, 499)] {
        let by_chip = five_per_cent(rounding, Increment::QuarterChip);
        assert_eq!(by_chip.due(win, Some(100)), 0);
        assert_eq!(even(Some(by_chip), 100).most_won(), fraction(1, 1));
    }
    // 3 to 2 on 1 is 1.5, which rounds to 2.
    let three_to_two = Odds::parse("3/2").unwrap();
    let base = BaseTerms { pays: three_to_two, rounding: Rounding::Up, ..even(None, 1) };
    assert_eq!(base.most_won(), fraction(2, 1));
}

#[test]
fn five_per_cent_is_rounded_half_up_to_the_minor_unit() {
    let commission = five_per_cent(Rounding::HalfUp, Increment::MinorUnit);
    // 5 % of 9, 10, 29, 30, 1001: 0.45, 0.5, 1.45, 1.5, 50.05.
    for (win, due) in [(0, 0), (9, 0), (10, 1), (29, 1), (30, 2), (1001, 50)] {
        assert_eq!(commission.due(win, None), due, "{win}");
    }
}

#[test]
fn commission_is_rounded_up_to_a_quarter_of_the_lowest_chip() {
    let commission = five_per_cent(Rounding::Up, Increment::QuarterChip);
    for (win, chip, due) in [
        // A chip of 100: multiples of 25.
        (100, 100, 25),
        (500, 100, 25),
        (600, 100, 50),
        (2000, 100, 100),
        // One increment of 25, or the whole win if that is less.
        (1, 100, 1),
        (24, 100, 24),
        (26, 100, 25),
        // A chip of 10: a quarter is 2.5, so multiples of 3.
        (10, 10, 3),
        (60, 10, 3),
        (70, 10, 6),
        // A chip of 1: multiples of 1, and never more than the win.
        (1, 1, 1),
        (21, 1, 2),
    ] {
        assert_eq!(commission.due(win, Some(chip)), due, "{win} with chips of {chip}");
    }
}
