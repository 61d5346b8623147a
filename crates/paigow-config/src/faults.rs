//! The faults of the settings, collected.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Notes every invalid setting, as `section.key: what`.
#[derive(Default)]
pub(super) struct ConfigFaults(pub(super) Vec<String>);

impl ConfigFaults {
    pub(super) fn add(&mut self, key: &str, what: impl fmt::Display) {
        self.0.push(format!("{key}: {what}"));
    }

    pub(super) fn within<T>(&mut self, key: &str, value: &T, least: T, most: T)
    where
        T: PartialOrd + fmt::Display,
    {
        if *value < least || *value > most {
            self.add(key, format_args!("must be {least} to {most}"));
        }
    }

    /// Returns the address that `text` names; [`None`] if it is empty, or with a fault.
    pub(super) fn address(&mut self, key: &str, text: &str) -> Option<SocketAddr> {
        let address = text.parse().ok();
        if address.is_none() && !text.is_empty() {
            self.add(key, format_args!("`{text}` is not an address and port"));
        }
        address
    }

    /// Returns the one of `choices` that `word` names; the first of them with a fault.
    pub(super) fn one_of<T: Copy>(&mut self, key: &str, word: &str, choices: &[(&str, T)]) -> T {
        let found = choices.iter().find(|(name, _)| *name == word);
        if let Some((_, choice)) = found {
            return *choice;
        }
        let names: Vec<String> = choices.iter().map(|(name, _)| format!("`{name}`")).collect();
        self.add(key, format_args!("must be {}", names.join(" or ")));
        choices[0].1
    }
}

/// Returns the path that a setting names; [`None`] if it is empty.
pub(super) fn path(text: &str) -> Option<PathBuf> {
    (!text.is_empty()).then(|| PathBuf::from(text))
}
