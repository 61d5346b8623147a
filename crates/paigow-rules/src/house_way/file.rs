//! The file of a house way: the parts that charts and the way written in code share.

use std::collections::BTreeSet;
use std::sync::Arc;

use toml::{Table, Value};

use super::coded::CodedWay;
use super::table::{TableKeys, list_of};
use super::{Clause, HouseWay, RulesFault, SettingMethod, chart};
use crate::hands::{JokerUse, Ranking, Wheel};

const WHEELS: [(&str, Wheel); 2] = [("second", Wheel::Second), ("lowest", Wheel::Lowest)];

const JOKERS: [(&str, JokerUse); 2] = [("semi-wild", JokerUse::SemiWild), ("wild", JokerUse::Wild)];

/// Reads a file. See [`HouseWay::parse`].
pub(super) fn parse(file: &str) -> Result<HouseWay, Vec<RulesFault>> {
    if let Some(fault) = habit_of_an_editor(file) {
        return Err(vec![fault]);
    }
    let table: Table = file.parse().map_err(|error: toml::de::Error| {
        let before = error.span().map_or(0, |span| span.start);
        let line = 1 + file.bytes().take(before).filter(|byte| *byte == b'\n').count();
        vec![RulesFault { path: format!("line {line}"), message: error.message().to_owned() }]
    })?;

    let faults = &mut Vec::new();
    let mut keys = TableKeys::new(&table, String::new());
    let id = keys.required_text("id", faults);
    if id.is_some_and(|id| !is_id(id)) {
        faults.push(keys.fault("id", ID));
    }
    let title = keys.required_text("title", faults);
    let source = keys.required_text("source", faults);
    let is_chart = keys.value("code").is_none();
    let code = CodedWay::read(&mut keys, faults);
    let cards = keys.value("cards").and_then(Value::as_integer);
    let cards = cards.and_then(|cards| usize::try_from(cards).ok());
    let cards = cards.filter(|cards| [6, 7].contains(cards));
    if is_chart && cards.is_none() {
        faults.push(keys.fault("cards", "must be 6 or 7"));
    }
    if let Some(code) = code
        && cards != Some(code.cards())
    {
        let message = format!("must be {}: the code sets that many", code.cards());
        faults.push(keys.fault("cards", message));
    }
    let wheel = keys.required_text("wheel", faults);
    let wheel = wheel.and_then(|name| named(&WHEELS, name, &keys, "wheel", faults));
    let joker = keys.text("joker", faults);
    let joker =
        joker.map_or(Some(JokerUse::SemiWild), |name| named(&JOKERS, name, &keys, "joker", faults));
    if joker == Some(JokerUse::Wild) && cards == Some(6) {
        faults.push(keys.fault("joker", "must be `semi-wild` with six cards"));
    }
    let ranking = wheel.zip(joker).map(|(wheel, joker)| Ranking { wheel, joker });
    let (clauses, by) = if is_chart {
        let joker = joker.unwrap_or(JokerUse::SemiWild);
        let (clauses, rules) = chart::clauses(&mut keys, faults, (cards.unwrap_or(7), joker));
        (clauses, Some(SettingMethod::Chart(rules)))
    } else {
        let clauses = code.map(|code| code.clauses(&mut keys, faults)).unwrap_or_default();
        (clauses, code.map(SettingMethod::Code))
    };
    keys.refuse_others(faults);

    match (id, title, source, cards, ranking, by, faults.is_empty()) {
        (Some(id), Some(title), Some(source), Some(cards), Some(ranking), Some(by), true) => {
            Ok(HouseWay {
                id: id.to_owned(),
                title: title.to_owned(),
                source: source.to_owned(),
                cards,
                ranking,
                clauses,
                by,
                text: file.to_owned(),
                compiled: Arc::default(),
            })
        }
        _ => Err(std::mem::take(faults)),
    }
}

/// Reads the list of clauses: an id, a text, and the other keys as `read` reads them.
pub(super) fn each_clause<T>(
    keys: &mut TableKeys<'_>,
    faults: &mut Vec<RulesFault>,
    read: impl Fn(&mut TableKeys<'_>, &mut Vec<RulesFault>) -> Option<T>,
) -> Vec<(Clause, T)> {
    let Some(values) = keys.value("clause").and_then(Value::as_array) else {
        faults.push(keys.fault("clause", "must be a list of tables, [[clause]]"));
        return Vec::new();
    };
    let mut clauses = Vec::new();
    let mut ids = BTreeSet::new();
    for (place, value) in values.iter().enumerate() {
        let Some(table) = value.as_table() else {
            faults.push(keys.fault(&format!("clause[{place}]"), "must be a table"));
            continue;
        };
        let mut keys = TableKeys::new(table, format!("clause[{place}]."));
        let id = keys.required_text("id", faults);
        if id.is_some_and(|id| !is_name(id)) {
            faults.push(keys.fault("id", NAME));
        }
        if id.is_some_and(|id| !ids.insert(id)) {
            faults.push(keys.fault("id", format!("`{}` is there twice", id.unwrap_or_default())));
        }
        let text = keys.required_text("text", faults);
        let read = read(&mut keys, faults);
        if let (Some(id), Some(text), Some(read)) = (id, text, read) {
            clauses.push((Clause { id: id.to_owned(), text: text.to_owned() }, read));
        }
        keys.refuse_others(faults);
    }
    clauses
}

/// Returns the meaning of a name in a list of names, or adds a fault.
pub(super) fn named<T: Copy>(
    names: &[(&'static str, T)],
    name: &str,
    keys: &TableKeys<'_>,
    key: &str,
    faults: &mut Vec<RulesFault>,
) -> Option<T> {
    let meaning = names.iter().find(|(known, _)| *known == name).map(|(_, meaning)| *meaning);
    if meaning.is_none() {
        let known = list_of(names.iter().map(|(known, _)| *known));
        faults.push(keys.fault(key, format!("`{name}` is not one of {known}")));
    }
    meaning
}

/// The form of the id of a house way. Manifests and rulesets name it, and their ids have the same
/// form.
const ID: &str = "must be 1 to 64 lower-case letters and digits, parts joined by '-'";

fn is_id(id: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    id.len() <= 64 && id.split('-').all(|part| !part.is_empty() && part.bytes().all(letter))
}

/// The form of the id of a clause, which records name.
const NAME: &str = "must be 1 to 64 letters, digits, dots and hyphens";

fn is_name(id: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'.' || byte == b'-';
    (1..=64).contains(&id.len()) && id.bytes().all(letter)
}

/// Returns the fault of bytes that an editor may have added to a rules file unseen. The bytes are
/// hashed: UTF-8 with LF (PGE-FAIR-1, D9).
pub(crate) fn habit_of_an_editor(file: &str) -> Option<RulesFault> {
    let (before, message) = match (file.find('\u{feff}'), file.find('\r')) {
        (Some(before), _) => (before, "has a byte order mark: save it as plain UTF-8"),
        (None, Some(before)) => (before, "ends with a carriage return: lines end with LF alone"),
        (None, None) => return None,
    };
    let line = 1 + file[..before].matches('\n').count();
    Some(RulesFault { path: format!("line {line}"), message: message.to_owned() })
}
