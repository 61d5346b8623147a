//! Reading a TOML table key by key, collecting every fault.

use std::collections::BTreeSet;

use toml::{Table, Value};

use super::RulesFault;

/// A table of a rules file, and the keys that were read.
#[derive(Debug)]
pub(super) struct TableKeys<'a> {
    table: &'a Table,
    /// The path of the table with a dot, or an empty text for the whole file.
    prefix: String,
    known: BTreeSet<&'static str>,
}

impl<'a> TableKeys<'a> {
    /// Begins to read a table; `prefix` goes in front of the keys in faults.
    pub(super) fn new(table: &'a Table, prefix: String) -> Self {
        Self { table, prefix, known: BTreeSet::new() }
    }

    /// Returns the fault of a key.
    pub(super) fn fault(&self, key: &str, message: impl Into<String>) -> RulesFault {
        RulesFault { path: format!("{}{key}", self.prefix), message: message.into() }
    }

    /// Returns the value of a key, if it is present.
    pub(super) fn value(&mut self, key: &'static str) -> Option<&'a Value> {
        self.known.insert(key);
        self.table.get(key)
    }

    /// Returns the string of a key, if it is present and a string.
    pub(super) fn text(
        &mut self,
        key: &'static str,
        faults: &mut Vec<RulesFault>,
    ) -> Option<&'a str> {
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
        faults: &mut Vec<RulesFault>,
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

    /// Returns the meanings of the strings of a key, if it is present. The list has one or more of
    /// the `known` names, none twice.
    pub(super) fn list<T: Copy + PartialEq>(
        &mut self,
        key: &'static str,
        faults: &mut Vec<RulesFault>,
        known: impl Iterator<Item = (&'static str, T)> + Clone,
    ) -> Option<Vec<T>> {
        let value = self.value(key)?;
        let Some(values) = value.as_array().filter(|values| !values.is_empty()) else {
            faults.push(self.fault(key, "must be a list of one or more strings"));
            return None;
        };
        let mut meanings = Vec::new();
        for (place, value) in values.iter().enumerate() {
            let place = format!("{key}[{place}]");
            let Some(name) = value.as_str() else {
                faults.push(self.fault(&place, "must be a string"));
                continue;
            };
            match known.clone().find(|(known, _)| *known == name) {
                Some((_, meaning)) if meanings.contains(&meaning) => {
                    faults.push(self.fault(&place, "is there twice"));
                }
                Some((_, meaning)) => meanings.push(meaning),
                None => {
                    let known = list_of(known.clone().map(|(name, _)| name));
                    faults.push(self.fault(&place, format!("`{name}` is not one of {known}")));
                }
            }
        }
        Some(meanings)
    }

    /// Adds a fault for every key that was not read.
    pub(super) fn refuse_others(&self, faults: &mut Vec<RulesFault>) {
        for key in self.table.keys().filter(|key| !self.known.contains(key.as_str())) {
            let known = list_of(self.known.iter().copied());
            faults.push(self.fault(key, format!("is not a key here; those are {known}")));
        }
    }
}

/// Returns names between backquotes and with commas between.
pub(super) fn list_of<'a>(names: impl Iterator<Item = &'a str>) -> String {
    names.map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
}
