//! House ways: published rules that set six or seven cards in a high and a low hand.
//!
//! A house way is a chart file: a list of sentences of its source, each with what
//! it asks for in the terms that `chart.rs` lists. The first sentence that applies to
//! a hand, with a split that is not foul, decides and is cited with the setting.
//! A released chart is never edited: another way is another file.

mod chart;
mod hand;
mod rule;
mod setting;
mod shape;
mod table;

use std::fmt;
use std::sync::LazyLock;

use crate::cards::Card;
use crate::hands::Wheel;

use hand::Hand;
use rule::{Rule, Split};

pub use setting::{Cited, LowCards, Setting};

/// One thing that is wrong in a rules file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fault {
    /// Where, as `clause[3].front`; `line 7` if the file is not TOML at all.
    pub path: String,
    /// What, in lower case without a full stop.
    pub message: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path, self.message)
    }
}

/// One published sentence of a house way, and its name.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its name in answers and records, unique in its house way; never reused.
    pub id: String,
    /// The sentence, as the source prints it.
    pub text: String,
}

/// A house way: a total function from six or seven cards to a setting that is never
/// foul.
#[derive(Clone, Debug)]
pub struct HouseWay {
    id: String,
    title: String,
    source: String,
    wheel: Wheel,
    clauses: Vec<Clause>,
    /// What each clause asks for.
    rules: Vec<Rule>,
    text: String,
}

impl HouseWay {
    /// Reads a chart file.
    ///
    /// # Errors
    ///
    /// Lists every fault of the file: what is missing, unknown, malformed or said
    /// twice, and the kinds of hands that no clause is sure to set.
    pub fn parse(file: &str) -> Result<Self, Vec<Fault>> {
        chart::parse(file)
    }

    /// Returns the name of the house way in rulesets and records.
    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// Returns the name of the house way for people.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Returns where the sentences were published.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns how many cards the house way sets: six or seven.
    #[must_use]
    pub const fn cards(&self) -> usize {
        7
    }

    /// Returns where A-2-3-4-5 ranks in the hands that this way compares.
    #[must_use]
    pub const fn wheel(&self) -> Wheel {
        self.wheel
    }

    /// Returns the clauses in the order in which they are tried.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Returns the chart file as it was read, for hashing and for display.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Sets the cards of a hand, in whatever order, or returns nothing if there are not
    /// as many as [`Self::cards`] or one is there twice.
    ///
    /// The setting is never foul, and the values of both hands do not depend on which
    /// suits are held.
    #[must_use]
    pub fn set(&self, cards: &[Card]) -> Option<Setting<'_>> {
        let seven: &[Card; 7] = cards.try_into().ok()?;
        let held = cards.iter().fold(0_u64, |held, card| held | 1 << card.number());
        if held.count_ones() != 7 {
            return None;
        }
        let (clause, split) = self.decide(&Hand::of(seven));
        Some(Setting {
            low: LowCards::two(split.low),
            high: split.high,
            clause: Cited::new(clause, None),
        })
    }

    fn decide(&self, hand: &Hand) -> (&Clause, Split) {
        self.clauses
            .iter()
            .zip(&self.rules)
            .find_map(|(clause, rule)| Some((clause, rule.decide(hand, self.wheel)?)))
            .expect("a chart is read only if a clause is sure to set each kind of hand")
    }
}

/// The chart files that are compiled in.
const SHIPPED: [&str; 1] = [include_str!("charts/mikes.toml")];

/// Returns the house ways that are compiled in, by id.
#[must_use]
pub fn shipped() -> &'static [HouseWay] {
    static PARSED: LazyLock<Vec<HouseWay>> = LazyLock::new(|| {
        SHIPPED
            .iter()
            .map(|file| {
                HouseWay::parse(file).expect("constants of the program, which a test parses")
            })
            .collect()
    });
    &PARSED
}

#[cfg(test)]
mod tests;
