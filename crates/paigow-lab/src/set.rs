//! `paigow-lab set`: sets millions of hands by a house way.

use std::io::{BufRead, Write};

use super::json_line::{self, CardCode};
use super::{CommandError, CommandOutcome, answer_lines};
use paigow_rules::cards::Card;
use paigow_rules::house_way::{HouseWay, Setting};

/// Sets the hand of every line, `{"cards":["Ah",...]}` with as many codes as the way sets. Writes
/// `{"low":[...],"high":[...],"clause":"...","text":"..."}`, the cards of both hands in the order
/// of the fresh deck. Other members of a line are ignored. The answer to a line that is not a hand
/// is `{"error":"...","line":n}`.
///
/// # Errors
///
/// If input or output fails.
pub fn run(
    way: &HouseWay,
    input: &mut dyn BufRead,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    answer_lines(input, out, |line, text| {
        let hand: HandLine = json_line::parse(line)?;
        let mut cards: Vec<Card> = hand.cards.into_iter().map(|code| code.0).collect();
        cards.sort_unstable();
        json_line::all_differ(&cards)?;
        let setting = way
            .set(&cards)
            .ok_or_else(|| format!("{} cards; {} sets {}", cards.len(), way.id(), way.cards()))?;
        write_setting(&setting, text);
        Ok(())
    })
}

fn write_setting(setting: &Setting<'_>, text: &mut Vec<u8>) {
    let (id, sentence) = (setting.clause.id(), setting.clause.text());
    for (member, cards) in [("{\"low\":[", &setting.low[..]), ("],\"high\":[", &setting.high[..])] {
        text.extend_from_slice(member.as_bytes());
        for (place, card) in cards.iter().enumerate() {
            text.extend_from_slice(if place == 0 { b"\"" } else { b",\"" });
            text.extend_from_slice(card.to_string().as_bytes());
            text.push(b'"');
        }
    }
    for (member, value) in [("],\"clause\":", id), (",\"text\":", sentence)] {
        text.extend_from_slice(member.as_bytes());
        text.extend_from_slice(serde_json::Value::from(value).to_string().as_bytes());
    }
    text.push(b'}');
}

/// One line of input.
#[derive(serde::Deserialize)]
struct HandLine {
    cards: Vec<CardCode>,
}

#[cfg(test)]
mod tests {
    use super::super::find_house_way;
    use super::*;

    fn answers(input: &str) -> (CommandOutcome, String) {
        let way = find_house_way("mikes").unwrap();
        let mut out = Vec::new();
        let ended = run(&way, &mut input.as_bytes(), &mut out).unwrap();
        (ended, String::from_utf8(out).unwrap())
    }

    #[test]
    fn five_aces_play_a_pair_in_front() {
        // The chart's first sentence; the members and their order are documented.
        let (ended, text) =
            answers("{\"cards\":[\"2d\",\"Ac\",\"As\",\"9c\",\"Ah\",\"Ad\",\"Jk\"]}\n");
        assert_eq!(ended, CommandOutcome::Well);
        assert_eq!(
            text,
            "{\"low\":[\"Ac\",\"Ad\"],\"high\":[\"9c\",\"2d\",\"Ah\",\"As\",\"Jk\"],\
             \"clause\":\"K1\",\"text\":\"Five Aces: Put pair of Aces in Front\"}\n"
        );
    }

    #[test]
    fn a_line_that_is_no_hand_is_answered_in_its_place() {
        let good = "{\"cards\":[\"2d\",\"Ac\",\"As\",\"9c\",\"Ah\",\"Ad\",\"Jk\"]}\n";
        for (bad, what) in [
            ("", "EOF"),
            ("[]", "invalid"),
            ("{\"cards\":[\"2d\"]}", "1 cards; mikes sets 7"),
            (&good.replace("2d", "1d"), "not a card code"),
            (&good.replace("2d", "Ac"), "the card Ac is there twice"),
            (&good.replace("\"2d\"", "7"), "expected a card code"),
        ] {
            let (ended, text) = answers(&format!("{good}{}\n{good}", bad.trim_end()));
            let lines: Vec<serde_json::Value> =
                text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert_eq!((ended, lines.len()), (CommandOutcome::WithFindings, 3));
            assert_eq!(lines[1]["line"], 2);
            assert!(lines[1]["error"].as_str().unwrap().contains(what), "{}", lines[1]);
            assert!(lines[0]["low"].is_array() && lines[0] == lines[2]);
        }
    }

    #[test]
    fn a_house_way_is_an_id_or_a_file() {
        assert!(matches!(find_house_way("nobodys"), Err(CommandError::Usage(_))));
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(&file, "id = \"x\"\n").unwrap();
        let error = find_house_way(file.path().to_str().unwrap()).unwrap_err();
        assert_eq!(error.code(), 65);
        std::fs::write(&file, find_house_way("mikes").unwrap().text()).unwrap();
        assert_eq!(find_house_way(file.path().to_str().unwrap()).unwrap().id(), "mikes");
    }
}
