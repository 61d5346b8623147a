//! Reads a rules file key by key, and collects every fault.
//!
//! A key that no reader asks for is a fault too: a misspelt rule must never become a default. Every
//! value that cannot be read is one fault, and reads as [`None`].

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use toml::{Table, Value};

use crate::house_way::RulesFault;

/// The faults found so far.
#[derive(Debug, Default)]
pub(super) struct RulesetFaults(Vec<RulesFault>);

impl RulesetFaults {
    pub(super) fn add(&mut self, path: impl Into<String>, message: impl Into<String>) {
        self.0.push(RulesFault { path: path.into(), message: message.into() });
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn into_vec(self) -> Vec<RulesFault> {
        self.0
    }
}

/// A table of the file, of which the keys already read are gone.
#[derive(Debug)]
pub(super) struct RulesetSection {
    path: String,
    entries: Table,
}

impl RulesetSection {
    pub(super) fn whole_file(entries: Table) -> Self {
        Self { path: String::new(), entries }
    }

    /// Returns the path of `key`, as `bets[1].rows[0].pays`.
    pub(super) fn path(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Whether `key` is present and was not read yet.
    pub(super) fn has(&self, key: &str) -> bool {
        self.entries.contains_key(key)
    }

    /// Reports every key that was not read.
    pub(super) fn finish(self, faults: &mut RulesetFaults) {
        for key in self.entries.keys() {
            faults.add(self.path(key), "unknown key");
        }
    }

    /// Reads a whole number within `range`.
    pub(super) fn number(
        &mut self,
        key: &str,
        range: RangeInclusive<i64>,
        faults: &mut RulesetFaults,
    ) -> Option<i64> {
        let wanted = format!("a whole number {} to {}", range.start(), range.end());
        self.read(key, &wanted, faults, |value| {
            value.as_integer().filter(|number| range.contains(number))
        })
    }

    /// Reads a whole number within `range`.
    ///
    /// Returns [`None`] without a fault if the key is absent.
    pub(super) fn optional_number(
        &mut self,
        key: &str,
        range: RangeInclusive<i64>,
        faults: &mut RulesetFaults,
    ) -> Option<i64> {
        if self.has(key) { self.number(key, range, faults) } else { None }
    }

    /// Reads a text that is not empty.
    pub(super) fn text(&mut self, key: &str, faults: &mut RulesetFaults) -> Option<String> {
        self.read(key, "a text that is not empty", faults, |value| {
            value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
        })
    }

    /// Reads a table of texts that are not empty, by language tag.
    pub(super) fn texts_by_language(
        &mut self,
        key: &str,
        faults: &mut RulesetFaults,
    ) -> Option<BTreeMap<String, String>> {
        let wanted = "texts that are not empty by language tag, as { es = \"Bono\" }";
        self.read(key, wanted, faults, |value| {
            let text = |(tag, text): (&String, &Value)| {
                let text = text.as_str().filter(|text| !text.trim().is_empty())?;
                is_language_tag(tag).then(|| (tag.clone(), text.to_owned()))
            };
            value.as_table()?.iter().map(text).collect()
        })
    }

    /// Returns a value as it stands.
    pub(super) fn value(&mut self, key: &str, faults: &mut RulesetFaults) -> Option<Value> {
        self.read(key, "", faults, |value| Some(value.clone()))
    }

    /// Takes a key as read.
    pub(super) fn pass_over(&mut self, key: &str) {
        self.entries.remove(key);
    }

    /// Reads a list of texts that are not empty; an absent key is an empty list.
    pub(super) fn optional_texts(
        &mut self,
        key: &str,
        faults: &mut RulesetFaults,
    ) -> Option<Vec<String>> {
        if !self.has(key) {
            return Some(Vec::new());
        }
        self.read(key, "a list of texts that are not empty", faults, |value| {
            let text = |item: &Value| {
                item.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned)
            };
            value.as_array()?.iter().map(text).collect()
        })
    }

    /// Reads a list of whole numbers within `range`, at least one.
    pub(super) fn numbers(
        &mut self,
        key: &str,
        range: RangeInclusive<i64>,
        faults: &mut RulesetFaults,
    ) -> Option<Vec<i64>> {
        let wanted = format!("a list of whole numbers {} to {}", range.start(), range.end());
        self.read(key, &wanted, faults, |value| {
            let number = |item: &Value| item.as_integer().filter(|number| range.contains(number));
            let numbers: Option<Vec<i64>> = value.as_array()?.iter().map(number).collect();
            numbers.filter(|numbers| !numbers.is_empty())
        })
    }

    /// Whether `key` is exactly this text.
    pub(super) fn is_text(&self, key: &str, text: &str) -> bool {
        self.entries.get(key).and_then(Value::as_str) == Some(text)
    }

    /// Returns whether the value of a key is a text that begins so. The key still has to be read.
    pub(super) fn text_starts(&self, key: &str, start: &str) -> bool {
        self.entries.get(key).and_then(Value::as_str).is_some_and(|text| text.starts_with(start))
    }

    /// Reads true or false.
    pub(super) fn flag(&mut self, key: &str, faults: &mut RulesetFaults) -> Option<bool> {
        self.read(key, "true or false", faults, Value::as_bool)
    }

    /// Reads one of the words of `meanings`.
    pub(super) fn word<T: Copy>(
        &mut self,
        key: &str,
        meanings: &[(&str, T)],
        faults: &mut RulesetFaults,
    ) -> Option<T> {
        let wanted = self.entries.get(key).and_then(Value::as_str).map_or_else(
            || one_of(meanings),
            |text| suggestion(text, meanings).unwrap_or_else(|| one_of(meanings)),
        );
        self.read(key, &wanted, faults, |value| meaning(value, meanings))
    }

    /// Reads a list of different words of `meanings`; an empty list is legal.
    pub(super) fn words<T: Copy>(
        &mut self,
        key: &str,
        meanings: &[(&str, T)],
        faults: &mut RulesetFaults,
    ) -> Option<Vec<T>> {
        let items = self.read(key, "a list", faults, |value| value.as_array().cloned())?;
        let before = faults.len();
        let mut read = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let path = format!("{}[{index}]", self.path(key));
            if items[..index].contains(item) {
                faults.add(path, "is in the list already");
                continue;
            }
            match meaning(item, meanings) {
                Some(meaning) => read.push(meaning),
                None => {
                    let message = format!("must be {}, not {}", one_of(meanings), shown(item));
                    faults.add(path, message);
                }
            }
        }
        (faults.len() == before).then_some(read)
    }

    /// Reads a table.
    pub(super) fn section(&mut self, key: &str, faults: &mut RulesetFaults) -> Option<Self> {
        let path = self.path(key);
        let entries = self.read(key, "a table", faults, |value| value.as_table().cloned())?;
        Some(Self { path, entries })
    }

    /// Reads a list of tables.
    pub(super) fn sections(&mut self, key: &str, faults: &mut RulesetFaults) -> Option<Vec<Self>> {
        let path = self.path(key);
        self.read(key, "a list of tables", faults, |value| {
            let items = value.as_array()?.iter().enumerate();
            let section = |(index, item): (usize, &Value)| {
                let entries = item.as_table()?.clone();
                Some(Self { path: format!("{path}[{index}]"), entries })
            };
            items.map(section).collect()
        })
    }

    fn read<T>(
        &mut self,
        key: &str,
        wanted: &str,
        faults: &mut RulesetFaults,
        as_wanted: impl FnOnce(&Value) -> Option<T>,
    ) -> Option<T> {
        let Some(value) = self.entries.remove(key) else {
            faults.add(self.path(key), "missing");
            return None;
        };
        let read = as_wanted(&value);
        if read.is_none() {
            faults.add(self.path(key), format!("must be {wanted}, not {}", shown(&value)));
        }
        read
    }
}

/// Whether a text has the form of a language tag: a language of two or three small letters, and
/// subtags of two to eight letters and digits (BCP 47).
fn is_language_tag(text: &str) -> bool {
    let mut parts = text.split('-');
    let language = parts.next().unwrap_or_default();
    matches!(language.len(), 2 | 3)
        && language.bytes().all(|letter| letter.is_ascii_lowercase())
        && parts.all(|part| {
            matches!(part.len(), 2..=8) && part.bytes().all(|letter| letter.is_ascii_alphanumeric())
        })
}

fn meaning<T: Copy>(value: &Value, meanings: &[(&str, T)]) -> Option<T> {
    let text = value.as_str()?;
    meanings.iter().find(|(word, _)| *word == text).map(|&(_, meaning)| meaning)
}

/// Returns the meanings. If one is a few letters off `text`, it comes first.
fn suggestion<T>(text: &str, meanings: &[(&str, T)]) -> Option<String> {
    let word = nearest(text, meanings.iter().map(|(word, _)| *word))?;
    Some(format!("{} (did you mean {word:?}?)", one_of(meanings)))
}

/// Returns the word that is nearest to `text`, if one is a few letters off.
pub(super) fn nearest<'a>(text: &str, words: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (edits, word) = words.map(|word| (edits(text, word), word)).min()?;
    (edits * 3 <= word.len()).then_some(word)
}

/// Returns how many letters to insert, drop or replace make one word of the other.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (above, letter) in from.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = above + 1;
        for (place, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(diagonal + 1).min(row[place] + 1);
        }
    }
    row[to.len()]
}

fn one_of<T>(meanings: &[(&str, T)]) -> String {
    let words: Vec<&str> = meanings.iter().map(|&(word, _)| word).collect();
    format!("one of: {}", words.join(", "))
}

/// Returns a value as a fault shows it: scalars as they are, the rest by kind.
pub(super) fn shown(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{text:?}"),
        Value::Integer(number) => number.to_string(),
        Value::Boolean(flag) => flag.to_string(),
        Value::Float(_) => "a fraction".to_owned(),
        Value::Datetime(_) => "a date".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Table(_) => "a table".to_owned(),
    }
}
