//! `paigow-lab rng check --input`: decks that somebody has collected.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use super::dealt::{DeckTally, PreviousDeck};
use super::report::{CheckReport, CheckSubject};
use super::{decks, verdict, written};
use crate::rng::CollectionFormat;
use crate::{CommandError, CommandOutcome};
use paigow_rules::cards::{Card, DECK_LEN};

/// The longest line that is read: 53 codes or numbers of two characters, the spaces between them and
/// the end of the line.
const LONGEST_LINE: u64 = 53 * 3 + 1;

/// A deck as the battery counts it.
type CollectedDeck = [Card; DECK_LEN];

/// Tests collected decks, in the order in which they were dealt; `-` is standard input.
///
/// Binary, each deck is 53 bytes, the numbers of its cards. Text has one deck a line: 53 codes, or
/// 53 numbers from 0 to 52, with a space between. [`decks`](crate::rng::decks()) writes both forms. The
/// groups of tests are those of [`super::check`] on decks: `position`, `table`, `pair`, `first three`,
/// `step`, `matches`, `class` and `successive classes`.
///
/// With `json` the output is that of [`super::check`], with `input`, the file, in place of `seed` and
/// `draws`. Ends with findings where a test failed.
///
/// # Errors
///
/// If the input cannot be read or has no deck somewhere, if there are too few decks for any test, or
/// if output fails.
pub fn check_decks(
    path: &Path,
    format: CollectionFormat,
    json: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let (name, mut input): (String, Box<dyn BufRead>) = if path.as_os_str() == "-" {
        ("standard input".to_owned(), Box::new(BufReader::new(io::stdin())))
    } else {
        let name = path.display().to_string();
        let file =
            File::open(path).map_err(|error| CommandError::NoInput(format!("{name}: {error}")))?;
        (name, Box::new(BufReader::with_capacity(1 << 16, file)))
    };
    let mut tally = DeckTally::default();
    let mut before: Option<PreviousDeck> = None;
    let mut count = 0_u64;
    while let Some(deck) = next_deck(input.as_mut(), format, &name, count + 1)? {
        before = Some(tally.count_deck(&deck, count, before.as_ref()));
        count += 1;
    }
    let tests = decks::of_decks(&tally);
    if tests.iter().all(|test| test.result.is_err()) {
        let needed = tests.iter().filter_map(|test| test.result.as_ref().err());
        let needed = needed.map(|few| few.needed).min().unwrap_or(0);
        let what = format!("too few decks for any test: {count}; the smallest needs {needed}");
        return Err(CommandError::Data(format!("{name}: {what}")));
    }
    let subject = CheckSubject::Decks { name: &name, count };
    written(&CheckReport { subject, tests: &tests, failures: &verdict::judge(&tests) }, json, out)
}

/// Reads one deck; [`None`] at the end of the input.
fn next_deck(
    input: &mut dyn BufRead,
    format: CollectionFormat,
    name: &str,
    number: u64,
) -> Result<Option<CollectedDeck>, CommandError> {
    let unread = |error: io::Error| CommandError::NoInput(format!("{name}: {error}"));
    let (place, cards) = match format {
        CollectionFormat::Binary => {
            let mut bytes = Vec::with_capacity(DECK_LEN);
            Read::take(input, DECK_LEN as u64).read_to_end(&mut bytes).map_err(unread)?;
            if bytes.is_empty() {
                return Ok(None);
            }
            ("deck", bytes.into_iter().map(Card::from_number).collect::<Option<Vec<Card>>>())
        }
        CollectionFormat::Text => {
            let mut line = Vec::new();
            Read::take(input, LONGEST_LINE).read_until(b'\n', &mut line).map_err(unread)?;
            if line.is_empty() {
                return Ok(None);
            }
            let text = std::str::from_utf8(&line).unwrap_or_default();
            ("line", text.split_ascii_whitespace().map(card).collect())
        }
    };
    let deck = cards.and_then(whole_deck);
    let what = "not a deck: it has not each of the 53 cards once";
    let deck =
        deck.ok_or_else(|| CommandError::Data(format!("{name}: {place} {number}: {what}")))?;
    Ok(Some(deck))
}

/// Reads a code, or a number from 0 to 52.
fn card(text: &str) -> Option<Card> {
    match text.parse::<u8>() {
        Ok(number) => Card::from_number(number),
        Err(_) => text.parse().ok(),
    }
}

/// Returns the cards if each of the 53 is there once.
fn whole_deck(cards: Vec<Card>) -> Option<CollectedDeck> {
    let deck: CollectedDeck = cards.try_into().ok()?;
    let mut seen = [false; DECK_LEN];
    for card in deck {
        let is_second = std::mem::replace(&mut seen[usize::from(card.number())], true);
        if is_second {
            return None;
        }
    }
    Some(deck)
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_rules::cards::{Deck, codes};

    fn read(text: &[u8], format: CollectionFormat) -> Result<Option<CollectedDeck>, String> {
        next_deck(&mut &*text, format, "input", 7).map_err(|error| error.to_string())
    }

    #[test]
    fn a_deck_is_read_in_each_form() {
        let fresh: CollectedDeck = *Deck::FRESH;
        let numbers: Vec<u8> = fresh.iter().map(|card| card.number()).collect();
        let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
        assert_eq!(read(&numbers, CollectionFormat::Binary), Ok(Some(fresh)));
        for text in [texts.join(" "), texts.join(" ") + "\r\n", codes(&fresh) + "\n"] {
            assert_eq!(read(text.as_bytes(), CollectionFormat::Text), Ok(Some(fresh)));
        }
        assert_eq!(read(b"", CollectionFormat::Text), Ok(None));
        assert_eq!(read(b"", CollectionFormat::Binary), Ok(None));
    }

    #[test]
    fn what_is_no_deck_is_named() {
        let mut twice: Vec<u8> = (0..53).collect();
        twice[52] = 0;
        for bytes in [&[0; 53][..], &[53; 53], &[1, 2, 3], &twice] {
            let error = read(bytes, CollectionFormat::Binary).unwrap_err();
            assert!(error.starts_with("input: deck 7: not a deck"), "{error}");
        }
        for line in ["Ah", "\n", "\u{e9}", &"0 ".repeat(80), &codes(&(*Deck::FRESH)[..52])] {
            let error = read(line.as_bytes(), CollectionFormat::Text).unwrap_err();
            assert!(error.starts_with("input: line 7: not a deck"), "{error}");
        }
    }
}
