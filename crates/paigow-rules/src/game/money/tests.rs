use super::*;

#[test]
fn a_currency_is_three_to_eight_capitals_and_an_exponent_up_to_four() {
    let dollars = Currency::new("USD", 2).unwrap();
    assert_eq!((dollars.code(), dollars.exponent()), ("USD", 2));
    assert!(Currency::new("JPY", 0).is_ok() && Currency::new("CHIPSXYZ", 4).is_ok());
    for code in ["", "US", "usd", "U$D", "ABCDEFGHI", "ÜSD"] {
        assert_eq!(Currency::new(code, 2), Err(CurrencyError::Code), "{code}");
    }
    assert_eq!(Currency::new("USD", 5), Err(CurrencyError::Exponent));
}

#[test]
fn odds_are_written_in_one_way_only() {
    let odds = Odds::parse("3/2").unwrap();
    assert_eq!((odds.num(), odds.den()), (3, 2));
    assert_eq!(Odds::parse("1/1"), Some(Odds::EVEN));
    assert_eq!(Odds::parse("9000/1").map(|odds| odds.to_string()), Some("9000/1".into()));
    for text in [
        "", "8", "8/0", "0/1", "08/1", "8/01", "+8/1", "8 / 1", "-8/1", "4/2", "9001/1", "1e3/1",
        "8:1",
    ] {
        assert_eq!(Odds::parse(text), None, "{text}");
    }
}

#[test]
fn a_fraction_of_a_minor_unit_is_rounded_as_named() {
    // 3 to 2 on 5 is 7.5; 1 to 3 on 5 is 1.66..; 1 to 3 on 4 is 1.33..
    let (half, third) = (Odds::parse("3/2").unwrap(), Odds::parse("1/3").unwrap());
    for (odds, stake, down, half_up, up) in
        [(half, 5, 7, 8, 8), (third, 5, 1, 2, 2), (third, 4, 1, 1, 2), (half, 4, 6, 6, 6)]
    {
        assert_eq!(odds.win(stake, Rounding::Down), down);
        assert_eq!(odds.win(stake, Rounding::HalfUp), half_up);
        assert_eq!(odds.win(stake, Rounding::Up), up);
    }
}

#[test]
fn the_largest_stake_at_the_highest_odds_fits_64_bits() {
    let highest = Odds::parse("9000/1").unwrap();
    assert!(i64::try_from(highest.win(MAX_STAKE, Rounding::Up)).is_ok());
    assert!(MAX_BANK.checked_mul(2).is_some());
}
