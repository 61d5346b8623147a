//! Reading a TOML table key by key, collecting every fault.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::Fault;

/// A table of a rules file, and the keys that have been asked for.
#[derive(Debug)]
pub(super) struct Keys<'a> {
    table: &'a Table,
    /// The path of the table with a dot, or nothing for the whole file.
    prefix: String,
    known: BTreeSet<&'static str>,
}

impl<'a> Keys<'a> {
    /// Begins to read a table; `prefix` goes in front of the keys in faults.
    pub(super) fn new(table: &'a Table, prefix: String) -> Self {
        Self { table, prefix, known: BTreeSet::new() }
    }

    /// Returns the fault of a key.
    pub(super) fn fault(&self, key: &str, message: impl Into<String>) -> Fault {
        Fault { path: format!("{}{key}", self.prefix), message: message.into() }
    }

    /// Returns the value of a key, if it is there.
    pub(super) fn value(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.insert(key);
        self.table.get(key)
    }

    /// Returns the string of a key, if it is there and is one.
    pub(super) fn text(&mut self, key: &'static str, faults: &mut Vec<Fault>) -> Option<&'a str> {
        let value = self.value(key)?;
        let text = value.as_str();
        if text.is_none() {
            faults.push(self.fault(key, "must be a string"));
        }
        text
    }

    /// Returns the string of a key that must be there and must not be empty.
    pub(super) fn required_text(
        &mut self,
        key: &'static str,
        faults: &mut Vec<Fault>,
    ) -> Option<&'a str> {
        if self.value(key).is_none() {
            faults.push(self.fault(key, "is missing"));
        }
        let text = self.text(key, faults)?;
        if text.trim().is_empty() {
            faults.push(self.fault(key, "is empty"));
        }
        Some(text)
    }

    /// Returns what the strings of a key mean, if it is there: a list with one or more,
    /// none twice.
    pub(super) fn list<T: PartialEq>(
        &mut self,
        key: &'static str,
        faults: &mut Vec<Fault>,
        meaning: impl Fn(&str) -> Option<T>,
    ) -> Option<Vec<T>> {
        let value = self.value(key)?;
        let Some(values) = value.as_array().filter(|values| !values.is_empty()) else {
            faults.push(self.fault(key, "must be a list of one or more strings"));
            return None;
        };
        let mut meanings = Vec::new();
        for (place, value) in values.iter().enumerate() {
            let place = format!("{key}[{place}]");
            match value.as_str().and_then(&meaning) {
                Some(meaning) if meanings.contains(&meaning) => {
                    faults.push(self.fault(&place, "is there twice"));
                }
                Some(meaning) => meanings.push(meaning),
                None => {
                    let known = value.as_str().map(|name| format!("`{name}` is unknown"));
                    let message = known.unwrap_or_else(|| "must be a string".to_owned());
                    faults.push(self.fault(&place, message));
                }
            }
        }
        Some(meanings)
    }

    /// Adds a fault for every key that was never asked for.
    pub(super) fn refuse_others(&self, faults: &mut Vec<Fault>) {
        for key in self.table.keys().filter(|key| !self.known.contains(key.as_str())) {
            faults.push(self.fault(key, "is not a key here"));
        }
    }
}
