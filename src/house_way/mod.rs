//! House ways: published rules that set seven cards in a high and a low hand.
//!
//! A house way is a chart file: a list of sentences of its source, each with what
//! it asks for in the terms that `chart.rs` lists. The first sentence that applies to
//! a hand, with a split that is not foul, decides and is cited with the setting.
//! A released chart is never edited: another way is another file.

mod chart;
mod hand;
mod rule;
mod shape;
mod table;

use std::fmt;
use std::sync::LazyLock;

use crate::cards::Card;
use crate::hands::Wheel;

use hand::Hand;
use rule::Rule;

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

/// One published sentence of a house way, and what it does.
#[derive(Clone, Debug)]
pub struct Clause {
    /// Its name in answers and records, unique in its house way; never reused.
    pub id: String,
    /// The sentence, as the source prints it.
    pub text: String,
    rule: Rule,
}

/// Seven cards set in two hands, and the clause that decided.
#[derive(Clone, Copy, Debug)]
pub struct Setting<'a> {
    /// The low hand, in the order of the fresh deck.
    pub low: [Card; 2],
    /// The high hand, in the order of the fresh deck.
    pub high: [Card; 5],
    /// The clause that decided.
    pub clause: &'a Clause,
}

/// A house way: a total function from seven cards to a setting that is never foul.
#[derive(Clone, Debug)]
pub struct HouseWay {
    id: String,
    title: String,
    source: String,
    wheel: Wheel,
    clauses: Vec<Clause>,
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

    /// Sets seven distinct cards, in whatever order.
    ///
    /// The setting is never foul, and the values of both hands do not depend on which
    /// suits are held.
    ///
    /// # Panics
    ///
    /// Only if the cards are not distinct.
    #[must_use]
    pub fn set(&self, cards: &[Card; 7]) -> Setting<'_> {
        let hand = Hand::of(cards);
        self.clauses
            .iter()
            .find_map(|clause| {
                let split = clause.rule.decide(&hand, self.wheel)?;
                Some(Setting { low: split.low, high: split.high, clause })
            })
            .expect("a chart is read only if a clause is sure to set each kind of hand")
    }
}

/// The chart files that are compiled in.
const SHIPPED: [&str; 1] = [include_str!("charts/mikes.toml")];

/// Returns the house ways that are compiled in.
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
