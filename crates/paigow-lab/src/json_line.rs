//! Cards in lines of JSON, for the commands that read millions of hands.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error, Visitor};

use paigow_rules::cards::Card;

/// A card by its code.
#[derive(Clone, Copy, Debug)]
pub(super) struct CardCode(pub(super) Card);

impl<'de> Deserialize<'de> for CardCode {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct CardCodeVisitor;

        impl Visitor<'_> for CardCodeVisitor {
            type Value = CardCode;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a card code")
            }

            fn visit_str<E: Error>(self, code: &str) -> Result<CardCode, E> {
                code.parse().map(CardCode).map_err(E::custom)
            }
        }

        deserializer.deserialize_str(CardCodeVisitor)
    }
}

/// Reads a line that is an object, or returns the fault without the parser's own line number, which
/// is always 1 here.
pub(super) fn parse<'de, T: Deserialize<'de>>(line: &'de [u8]) -> Result<T, String> {
    // The parser would also read the members of an object one by one from a list.
    if line.trim_ascii_start().starts_with(b"[") {
        return Err("column 1: invalid type: sequence, expected an object".to_owned());
    }
    serde_json::from_slice(line).map_err(|error| {
        let text = error.to_string();
        let what = text.split(" at line ").next().unwrap_or(&text);
        format!("column {}: {what}", error.column())
    })
}

/// Returns an error that names the duplicate card, if there is one.
pub(super) fn all_differ<'a>(cards: impl IntoIterator<Item = &'a Card>) -> Result<(), String> {
    let mut held = 0_u64;
    for card in cards {
        let mark = 1 << card.number();
        if held & mark != 0 {
            return Err(format!("the card {card} is there twice"));
        }
        held |= mark;
    }
    Ok(())
}
