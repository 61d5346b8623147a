//! How the inputs of two critical hashes differ.

use std::collections::{BTreeMap, BTreeSet};

use paigow_files::release::critical::{Critical, Input};

/// The way in which an input differs.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) enum InputChange {
    Added,
    Changed,
    Removed,
}

impl InputChange {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Changed => "changed",
            Self::Removed => "removed",
        }
    }
}

/// Returns the inputs that differ, by kind and name.
pub(super) fn changes(before: &Critical, now: &Critical) -> Vec<(InputChange, String)> {
    // A package may occur in several versions under one name.
    let by_name = |critical: &Critical| {
        let mut inputs: BTreeMap<String, BTreeSet<Input>> = BTreeMap::new();
        for input in critical.inputs() {
            inputs.entry(input.split().0).or_default().insert(input.clone());
        }
        inputs
    };
    let (before, now) = (by_name(before), by_name(now));
    let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
    let change = |name: &String| match (before.get(name), now.get(name)) {
        (None, _) => Some(InputChange::Added),
        (_, None) => Some(InputChange::Removed),
        (old, new) => (old != new).then_some(InputChange::Changed),
    };
    names.into_iter().filter_map(|name| Some((change(name)?, name.clone()))).collect()
}
