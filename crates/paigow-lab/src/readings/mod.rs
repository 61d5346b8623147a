//! The register of readings: sentences of the sources with two readings, the reading of the shipped
//! files, and the payments under the other reading.

use std::sync::LazyLock;

use paigow_round::ListedGame;
use serde::{Deserialize, Serialize};

/// A reading of a sentence of a source, as the sheets print it.
#[derive(Debug, Serialize)]
pub struct ReadingEntry {
    /// The id of the bet; null for a reading of the house way.
    pub bet: Option<String>,
    /// The sentence of the source, or a note that it has no sentence.
    pub text: String,
    /// The reading of the shipped file.
    pub here: String,
    /// The other reading.
    pub other: String,
    /// The house edge of the bet, as `2.998796 %`, or of the base wager for a reading of the house
    /// way. Null if no figure is given.
    pub house_edge: Option<String>,
    /// The same by the other reading.
    pub other_house_edge: Option<String>,
    /// The reason why there is no figure; null if there is one.
    pub no_figure: Option<String>,
    /// The key of a ruleset file that selects the reading, or the reason why no key exists.
    pub key: String,
    /// The person or body that could settle it.
    pub settled_by: String,
}

/// An entry of the register.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RegisteredReading {
    #[serde(default)]
    rulesets: Vec<String>,
    #[serde(default)]
    house_ways: Vec<String>,
    bet: Option<String>,
    text: String,
    here: String,
    other: String,
    house_edge: Option<String>,
    other_house_edge: Option<String>,
    /// The other reading: texts of the file of the first ruleset, or of the house way if no ruleset
    /// is named, with their replacements.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "a test works out the figures by it"))]
    change: Vec<(String, String)>,
    /// The same in the file of the house way of the first ruleset.
    #[serde(default)]
    #[cfg_attr(not(test), expect(dead_code, reason = "a test works out the figures by it"))]
    house_way_change: Vec<(String, String)>,
    no_figure: Option<String>,
    key: String,
    settled_by: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Register {
    reading: Vec<RegisteredReading>,
}

fn register() -> &'static [RegisteredReading] {
    static READ: LazyLock<Register> = LazyLock::new(|| {
        toml::from_str(include_str!("readings.toml")).expect("a test reads the register")
    });
    &READ.reading
}

/// Returns the open readings of a game's ruleset and of its house way.
#[must_use]
pub fn of(game: &ListedGame) -> Vec<ReadingEntry> {
    let (ruleset, way) = (game.ruleset.id(), game.house_way.id());
    let is_of = |one: &&RegisteredReading| {
        one.rulesets.iter().any(|id| id == ruleset) || one.house_ways.iter().any(|id| id == way)
    };
    let entry = |one: &RegisteredReading| ReadingEntry {
        bet: one.bet.clone(),
        text: one.text.clone(),
        here: one.here.clone(),
        other: one.other.clone(),
        house_edge: one.house_edge.clone(),
        other_house_edge: one.other_house_edge.clone(),
        no_figure: one.no_figure.clone(),
        key: one.key.clone(),
        settled_by: one.settled_by.clone(),
    };
    register().iter().filter(is_of).map(entry).collect()
}

impl ReadingEntry {
    /// Returns the house edges of both readings, or the reason why there is no figure.
    #[must_use]
    pub fn effect(&self) -> String {
        match (&self.house_edge, &self.other_house_edge, &self.no_figure) {
            (Some(own), Some(other), _) => {
                let of = if self.bet.is_none() { " of the base wager" } else { "" };
                format!("The house keeps {own}{of}; by the other reading {other}.")
            }
            (_, _, why) => why.clone().unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
