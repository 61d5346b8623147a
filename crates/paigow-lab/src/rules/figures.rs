//! Figures in text for people: money, odds, shares, counts. Only decimals of exact fractions are
//! rounded.

use super::sheet::PayOdds;
use paigow_rules::game::{Currency, Fraction, Odds};

/// Returns a whole number with a comma at every third digit.
pub(crate) fn grouped(number: impl Into<i128>) -> String {
    let number: i128 = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::new();
    for (place, digit) in digits.char_indices() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if number < 0 { format!("-{text}") } else { text }
}

/// Returns an amount of minor units, at least 0, in its currency and in minor units: `5.00 USD
/// (500)`. Without a currency: `500 minor units`.
pub(crate) fn money(minor: i64, currency: Option<&Currency>) -> String {
    match currency {
        Some(currency) => format!("{} ({})", in_units(minor, currency), grouped(minor)),
        None if minor == 1 => "1 minor unit".to_owned(),
        None => format!("{} minor units", grouped(minor)),
    }
}

/// Returns an amount of minor units, at least 0, in its currency alone: `5.00 USD`.
pub(crate) fn in_units(minor: i64, currency: &Currency) -> String {
    let exponent = usize::from(currency.exponent());
    let digits = format!("{minor:0>width$}", width = exponent + 1);
    let (whole, rest) = digits.split_at(digits.len() - exponent);
    let whole = grouped(whole.parse::<i128>().expect("digits of a number"));
    let point = if exponent > 0 { "." } else { "" };
    format!("{whole}{point}{rest} {}", currency.code())
}

/// Returns odds in words: `2,000 to 1`.
pub(crate) fn odds(odds: Odds) -> String {
    format!("{} to {}", grouped(odds.num()), grouped(odds.den()))
}

/// Returns the payment of a row in words: its odds, its share of the meter, or a push.
pub(crate) fn payment(pays: Option<PayOdds>, meter_share: Option<PayOdds>) -> String {
    match (pays, meter_share) {
        (Some(pays), _) => odds(pays.0),
        (None, Some(PayOdds(Odds::EVEN))) => "the whole meter".to_owned(),
        (None, Some(share)) => format!("{} of the meter", share.0),
        (None, None) => "push".to_owned(),
    }
}

/// Returns a share in words: `1/20 (5 %)`. The percentage is left out if it does not end within six
/// decimal places.
pub(crate) fn share(share: Odds) -> String {
    let percent = Fraction::new(i128::from(share.num()) * 100, share.den().into());
    let exact = percent.filter(|percent| 1_000_000 % percent.den() == 0);
    match exact {
        Some(percent) => {
            let digits = percent.decimal(6);
            let digits = digits.trim_end_matches('0').trim_end_matches('.');
            format!("{share} ({digits} %)")
        }
        None => share.to_string(),
    }
}

/// Returns a fraction in per cent with six decimal places: `92.671234`.
pub(crate) fn percent(fraction: Fraction) -> Option<String> {
    fraction.times(Fraction::from(100)).map(|percent| percent.decimal(6))
}

/// Returns whether a sheet warns of the house edge of a base wager by best play: it is below half a
/// per cent.
pub(crate) fn is_low(edge: Fraction) -> bool {
    Fraction::new(1, 200).is_some_and(|low| edge < low)
}

/// Returns the rarity of `hands` of `total`, as the N of "1 in N" with one decimal place.
///
/// Returns [`None`] if `hands` is 0.
pub(crate) fn one_in(hands: u64, total: u64) -> Option<String> {
    let rarity = Fraction::new(total.into(), hands.into())?.decimal(1);
    let (whole, tenths) = rarity.split_once('.')?;
    Some(format!("{}.{tenths}", grouped(whole.parse::<i128>().ok()?)))
}

/// Returns the probability of `hands` of `total` with ten decimal places.
pub(crate) fn probability(hands: u64, total: u64) -> Option<String> {
    Some(Fraction::new(hands.into(), total.into())?.decimal(10))
}

/// Returns a small number in words, a larger one in digits.
pub(crate) fn in_words(number: usize) -> String {
    let words =
        ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    words.get(number).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// Returns `number` things in words, `one card` or `two cards`.
pub(crate) fn counted(number: usize, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{} {thing}{ending}", in_words(number))
}

/// Returns a list in words: `a`, `a and b`, `a, b and c`.
pub(crate) fn listed(items: &[String]) -> String {
    match items {
        [] => String::new(),
        [only] => only.clone(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// Returns a sentence with its first letter in upper case.
pub(crate) fn capital(sentence: &str) -> String {
    let mut letters = sentence.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_written_in_their_currency_and_in_minor_units() {
        let dollars = Currency::new("USD", 2).unwrap();
        for (minor, written) in [
            (0, "0.00 USD (0)"),
            (5, "0.05 USD (5)"),
            (100, "1.00 USD (100)"),
            (123_456_789, "1,234,567.89 USD (123,456,789)"),
        ] {
            assert_eq!(money(minor, Some(&dollars)), written);
        }
        let yen = Currency::new("JPY", 0).unwrap();
        assert_eq!(money(1_500, Some(&yen)), "1,500 JPY (1,500)");
        assert_eq!(money(1, None), "1 minor unit");
        assert_eq!(money(2_000, None), "2,000 minor units");
    }

    #[test]
    fn shares_have_a_percentage_where_it_is_exact() {
        for (text, written) in [
            ("1/20", "1/20 (5 %)"),
            ("1/40", "1/40 (2.5 %)"),
            ("1/1", "1/1 (100 %)"),
            ("1/10", "1/10 (10 %)"),
            ("1/3", "1/3"),
        ] {
            assert_eq!(share(Odds::parse(text).unwrap()), written);
        }
    }

    #[test]
    fn rarities_and_counts_are_grouped() {
        assert_eq!(one_in(32, 154_143_080).unwrap(), "4,816,971.3");
        assert_eq!(one_in(16_980, 23_426).unwrap(), "1.4");
        assert_eq!(one_in(0, 23_426), None);
        assert_eq!(grouped(154_143_080), "154,143,080");
        assert_eq!(grouped(-1_000), "-1,000");
        assert_eq!(probability(32, 154_143_080).unwrap(), "0.0000002076");
    }
}
