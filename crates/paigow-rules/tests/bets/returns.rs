//! The returns of bets, computed by hand, and bets whose return cannot be computed.

use paigow_rules::game::{BetSubject, Fraction, Odds, PayRow, Rounding, RowPayment, Term, Titles};

use super::tables::{condition, table, tables};

fn fraction(num: i128, den: i128) -> Fraction {
    Fraction::new(num, den).unwrap()
}

fn odds(text: &str) -> RowPayment {
    RowPayment::Odds(Odds::parse(text).unwrap())
}

#[test]
fn a_return_is_what_each_row_hands_back_by_its_hands() {
    // 48 x 41 + 58 x 31 + 100 x 6 + 1,020 x 5 + 1,308 x 4 + 3,912 x 2 = 22,522 of 23,426.
    let bet = table("mania-three-card").bonus_bet();
    assert_eq!(bet.exact_return(7), Some(fraction(22_522, 23_426)));
    // 2,719,500 x 51 of 154,143,080.
    let bet = table("express-queens-dragon").bonus_bet();
    assert_eq!(bet.exact_return(7), Some(fraction(138_694_500, 154_143_080)));
    assert_eq!(bet.exact_to_others(7), Some(Fraction::ZERO));
    assert_eq!(bet.highest_return(7, 6), bet.exact_return(7));
}

#[test]
fn a_push_hands_the_stake_back() {
    let mut bet = table("express-dynasty-2").bonus_bet();
    let with_push = bet.exact_return(7).unwrap();
    let three_pair = bet.rows.pop().unwrap();
    assert_eq!(three_pair.pays, RowPayment::Push);
    let without = bet.exact_return(7).unwrap();
    assert_eq!(with_push.minus(without), Some(fraction(2_862_000, 154_143_080)));
}

#[test]
fn the_highest_return_counts_rounding_at_the_least_stake() {
    let mut bet = table("express-queens-dragon").bonus_bet();
    let chance = fraction(2_719_500, 154_143_080);
    let times = |num, den| chance.times(fraction(num, den));
    bet.rows[0].pays = odds("3/2");
    bet.rounding = Rounding::Down;
    assert_eq!(bet.highest_return(7, 0), times(5, 2));
    // A stake of 1 wins 2: 3 to 1 with the stake.
    for rounding in [Rounding::Up, Rounding::HalfUp] {
        bet.rounding = rounding;
        assert_eq!(bet.highest_return(7, 0), times(3, 1));
    }
    // A stake of 101 wins 152, a half more than 151.5. The bound adds this half to the return of
    // the lowest stake, 100.
    bet.limits.minimum = 100;
    assert_eq!(bet.highest_return(7, 0), times(501, 200));
    // Two thirds of a unit count as one, a third more. The bound adds this third to the return of a
    // stake of 1.
    bet.rows[0].pays = odds("4/3");
    bet.limits.minimum = 1;
    assert_eq!(bet.highest_return(7, 0), times(8, 3));
    assert_eq!(bet.exact_return(7), times(7, 3));
}

#[test]
fn other_hands_weigh_most_at_the_least_stake_that_qualifies() {
    let mut bet = table("express-dynasty-2").bonus_bet();
    let alone = bet.exact_return(7).unwrap();
    // In cents: 32 x 100,000, 72 x 25,000, 196 x 10,000, 1,128 x 5,000, 26,020 x 2,500,
    // 184,644 x 1,000, 307,472 x 500.
    let cents =
        3_200_000 + 1_800_000 + 1_960_000 + 5_640_000 + 65_050_000 + 184_644_000 + 153_736_000;
    assert_eq!(bet.exact_to_others(7), Some(fraction(cents, 154_143_080)));
    let with = |stake: i128| alone.plus(fraction(5 * cents, 154_143_080 * stake));
    assert_eq!(bet.highest_return(7, 5), with(500));
    // If the lowest stake is above the threshold, it is the lowest stake that qualifies.
    bet.limits.minimum = 2_000;
    assert_eq!(bet.highest_return(7, 5), with(2_000));
    // Amounts for others that the bet does not pay are worth 0.
    bet.to_others = None;
    assert_eq!(bet.exact_to_others(7), Some(Fraction::ZERO));
    assert_eq!(bet.highest_return(7, 5), Some(alone));
}

#[test]
fn a_row_below_one_that_holds_whenever_it_does_is_reached_by_no_hand() {
    let mut bet = table("express-dynasty-3").bonus_bet();
    bet.rows.swap(4, 5);
    // Every royal flush is a straight flush.
    assert_eq!(bet.row_counts(7).unwrap().rows[4..6], [184_644 + 26_020, 0]);
    // Six cards cannot be a straight flush of seven.
    assert_eq!(bet.row_counts(6).unwrap().rows[..3], [0, 0, 0]);
}

#[test]
fn there_are_no_counts_for_two_hands_or_for_other_hands() {
    let mut bet = table("express-queens-dragon").bonus_bet();
    for cards in [0, 5, 8, 53] {
        assert_eq!(bet.row_counts(cards), None);
        assert_eq!(bet.exact_return(cards), None);
    }
    bet.looks_at = BetSubject::Showdown;
    bet.rows = vec![PayRow {
        id: "push".into(),
        title: "Push".into(),
        titles: Titles::new(),
        pays: odds("1/1"),
        condition: condition(&"push".into(), BetSubject::Showdown, 7),
        to_others: None,
        notify_floor: false,
    }];
    assert_eq!(bet.row_counts(7), None);
    assert_eq!((bet.exact_return(7), bet.highest_return(7, 0)), (None, None));
}

#[test]
fn a_return_too_large_to_be_held_is_nothing() {
    let mut bet = table("express-protection").bonus_bet();
    // The denominators are primes, so that their product does not reduce.
    let primes = [999_999_937, 999_999_929, 999_999_893, 999_999_883, 999_999_797];
    for (row, prime) in bet.rows.iter_mut().zip(primes) {
        row.pays = odds(&format!("1/{prime}"));
    }
    assert_eq!(bet.exact_return(7), None);
    assert_eq!(bet.highest_return(7, 0), None);
}

#[test]
fn a_ruleset_may_ask_what_its_cards_can_meet() {
    let can = |text: &str, looks_at, cards| Term::parse(text, looks_at, cards).is_some();
    for (text, seven, six, three) in [
        ("royal_flush", true, true, false),
        ("no_natural_straight_flush", true, true, true),
        ("five_aces", true, true, false),
        ("two_pair", true, true, false),
        ("pair", true, true, true),
        ("suited_run:7", true, false, false),
        ("suited_run:3", true, true, true),
        ("run:1", false, false, false),
        ("ranks:7777", true, true, false),
        ("ranks:777", true, true, true),
        ("one_suit:A2345", true, true, false),
        ("one_suit:A2345+AQ", true, false, false),
        ("one_suit:AA", false, false, false),
        ("one_suit:A", false, false, false),
        ("royal_flush_beside:AQ", true, false, false),
        ("royal_flush_beside:AQJ", false, false, false),
        ("named_colour:4", true, true, false),
        ("named_colour:8", false, false, false),
        ("highest:Q", true, true, true),
        ("highest:1", false, false, false),
        ("highest", false, false, false),
        ("no_no_pair", false, false, false),
        ("push", false, false, false),
        ("Flush", false, false, false),
        ("", false, false, false),
    ] {
        assert_eq!(can(text, BetSubject::SeatHand, 7), seven, "{text}");
        assert_eq!(can(text, BetSubject::SeatHand, 6), six, "{text}");
        assert_eq!(can(text, BetSubject::FirstThree, 7), three, "{text}");
        let named = text.contains("named_colour");
        assert_eq!(can(text, BetSubject::DealerHand, 7), seven && !named, "{text}");
    }
    for text in ["win", "no_push", "high_copy", "low_lose", "low_pair:3", "dealer_low_pair:A"] {
        assert!(can(text, BetSubject::Showdown, 7), "{text}");
        assert!(!can(text, BetSubject::SeatHand, 7), "{text}");
    }
}

#[test]
fn the_variance_of_a_return_is_worked_out_by_hand() {
    // p = 2,719,500 of 154,143,080 hands hand back 51: 51^2 p (1 - p).
    let bet = table("express-queens-dragon").bonus_bet();
    let (hands, all) = (2_719_500, 154_143_080);
    let p = fraction(hands, all);
    let by_hand = p.times(fraction(all - hands, all)).unwrap().times(fraction(2601, 1));
    assert_eq!(bet.exact_variance(7), by_hand);
    // 48 x 41^2 + 58 x 31^2 + 100 x 6^2 + 1,020 x 5^2 + 1,308 x 4^2 + 3,912 x 2^2 = 202,102
    // of 23,426, less the square of the average.
    let bet = table("mania-three-card").bonus_bet();
    let average = fraction(22_522, 23_426);
    let by_hand = fraction(202_102, 23_426).minus(average.times(average).unwrap());
    assert_eq!(bet.exact_variance(7), by_hand);
}

#[test]
fn a_push_varies_as_a_return_of_the_stake() {
    let mut bet = table("express-queens-dragon").bonus_bet();
    bet.rows[0].pays = RowPayment::Push;
    // A return of 1 with the probability p has the variance p (1 - p).
    let (hands, all) = (2_719_500, 154_143_080);
    assert_eq!(bet.exact_variance(7), fraction(hands, all).times(fraction(all - hands, all)));
    bet.looks_at = BetSubject::Showdown;
    assert_eq!(bet.exact_variance(7), None);
}

#[test]
fn every_published_table_varies_as_its_printed_counts_say() {
    // Another way to the same figure: the sum of the squared distances from the average, in one
    // common denominator. Each hand of the printed tables counts.
    let mut compared = 0;
    for table in tables() {
        let bet = table.bonus_bet();
        let printed: Option<Vec<u64>> = table.rows.iter().map(|row| row.hands).collect();
        let (Some(hands), Some(losing)) = (printed, table.losing) else { continue };
        let back: Option<Vec<i128>> = bet
            .rows
            .iter()
            .map(|row| match row.pays {
                RowPayment::Odds(odds) if odds.den() == 1 => Some(i128::from(odds.num()) + 1),
                RowPayment::Odds(_) | RowPayment::Meter(_) => None,
                RowPayment::Push => Some(1),
            })
            .collect();
        let Some(back) = back else { continue };
        let all: i128 = hands.iter().copied().map(i128::from).sum::<i128>() + i128::from(losing);
        let rows = hands.iter().copied().map(i128::from).zip(back);
        let sum: i128 = rows.clone().map(|(hands, back)| hands * back).sum();
        // Each distance is (back x all - sum) / all.
        let squares: i128 = rows
            .chain([(losing.into(), 0)])
            .map(|(hands, back)| hands * (back * all - sum) * (back * all - sum))
            .sum();
        let squares = Fraction::new(squares, all * all * all);
        assert!(squares.is_some(), "{}", table.id);
        assert_eq!(bet.exact_variance(table.cards), squares, "{}", table.id);
        compared += 1;
    }
    assert!(compared >= 8, "only {compared} tables print what they count");
}
