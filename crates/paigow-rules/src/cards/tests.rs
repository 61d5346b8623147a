use super::*;

#[test]
fn every_card_prints_and_parses_to_itself() {
    let mut codes = std::collections::BTreeSet::new();
    for card in Card::all() {
        let code = card.to_string();
        assert_eq!(code.parse(), Ok(card));
        assert_eq!(Card::from_number(card.number()), Some(card));
        codes.insert(code);
    }
    assert_eq!(codes.len(), DECK_LEN);
}

#[test]
fn the_numbers_are_those_of_the_protocol() {
    // PGE-FAIR-1, section 5.3: 13 * suit + rank, the joker 52.
    for (code, number) in [("2c", 0), ("Ac", 12), ("2d", 13), ("7h", 31), ("As", 51), ("Jk", 52)] {
        assert_eq!(code.parse::<Card>().unwrap().number(), number, "{code}");
    }
    assert_eq!(Card::from_number(53), None);
}

#[test]
fn anything_else_is_refused() {
    for code in ["", "A", "1c", "Ax", "ah", "AH", "10c", "JK", "jk", "Ah ", "é♠"] {
        assert_eq!(code.parse::<Card>(), Err(ParseCardError), "{code:?}");
    }
}
