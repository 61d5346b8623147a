//! House ways: published rules that set six or seven cards in a high and a low hand.
//!
//! A house way is a file. A chart is a list of sentences of its source, each with its conditions in
//! the terms that `chart.rs` lists. The first sentence that applies to a hand, with a split that is
//! not foul, decides. The setting cites it. The way of the online chart does not fit such a list
//! and is written in code. Its file has the sentences alone. A released file is never edited:
//! another way is another file.
//!
//! The clauses can be asked once for every class of hands, and a hand then be looked up:
//! see [`HouseWay::compile_now`].

mod chart;
mod coded;
mod compiled;
mod decided;
mod file;
mod groups;
mod hand;
mod proof;
mod rule;
mod setting;
mod shape;
mod split;
mod table;

use std::fmt;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::cards::{Card, CardSet};
use crate::hands::{JokerUse, Ranking, Wheel};

pub(crate) use file::habit_of_an_editor;

use coded::CodedWay;
use decided::{ClausePlaces, SettingDecision};
use hand::ChartHand;
use rule::Rule;

pub use compiled::{CompiledSetting, CompiledWay};
pub use proof::{Breach, Proof, Refutation};
pub use setting::{CitedClause, LowCards, Setting};

/// One fault of a rules file.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RulesFault {
    /// The place, as `clause[3].front`; `line 7` if the file is not TOML at all.
    pub path: String,
    /// The description, in lower case without a full stop.
    pub message: String,
}

impl fmt::Display for RulesFault {
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
    cards: usize,
    ranking: Ranking,
    clauses: Vec<Clause>,
    by: SettingMethod,
    text: String,
    /// One for all clones of the way.
    compiled: Arc<OnceLock<CompiledWay>>,
}

/// How a house way decides.
#[derive(Clone, Debug, Eq, PartialEq)]
enum SettingMethod {
    /// By a rule for each clause.
    Chart(Vec<Rule>),
    /// By code, which cites the clauses by their places.
    Code(CodedWay),
}

impl HouseWay {
    /// Reads the file of a house way.
    ///
    /// # Errors
    ///
    /// Returns every fault of the file: whatever is missing, unknown, malformed or stated twice.
    /// For a chart, also the kinds of hands that no clause is certain to set. For a way written in
    /// code, also each difference from the code.
    ///
    /// # Examples
    ///
    /// ```
    /// use paigow_rules::house_way::{self, HouseWay};
    ///
    /// let text = house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap().text();
    /// let way = HouseWay::parse(text).unwrap();
    /// assert_eq!((way.id(), way.cards()), ("mikes", 7));
    ///
    /// assert!(HouseWay::parse(&text.replace("cards = 7", "cards = 5")).is_err());
    /// ```
    pub fn parse(file: &str) -> Result<Self, Vec<RulesFault>> {
        file::parse(file)
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
        self.cards
    }

    /// Returns where A-2-3-4-5 ranks in the hands that this way compares.
    #[must_use]
    pub const fn wheel(&self) -> Wheel {
        self.ranking.wheel
    }

    /// Returns the cards that the joker can replace in the hands that this way sets.
    #[must_use]
    pub const fn joker(&self) -> JokerUse {
        self.ranking.joker
    }

    /// Returns the rules by which the hands that this way compares rank.
    #[must_use]
    pub const fn ranking(&self) -> Ranking {
        self.ranking
    }

    /// Returns the clauses, in the order of the file; those of a chart are tried in it.
    #[must_use]
    pub fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Returns the file as it was read, for hashing and for display.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns whether the way decides by the same rules as `other`, so that both set every hand
    /// alike. Ids and sentences for people may differ.
    #[must_use]
    pub fn decides_as(&self, other: &Self) -> bool {
        self.wheel() == other.wheel() && self.has_rules_of(other)
    }

    /// Returns whether the way has the same rules as `other`, whatever the rank of A-2-3-4-5 in
    /// each.
    #[must_use]
    pub fn has_rules_of(&self, other: &Self) -> bool {
        self.cards == other.cards && self.joker() == other.joker() && self.by == other.by
    }

    /// Sets the cards of a hand, in any order.
    ///
    /// Returns [`None`] if their number is not [`Self::cards`], or if a card occurs twice.
    /// The setting is never foul, and the values of both hands do not depend on suits. The setting
    /// is looked up if [`Self::compile_now`] has made the table. Otherwise the clauses decide, with
    /// the same result.
    #[must_use]
    #[inline(always)]
    pub fn set(&self, cards: &[Card]) -> Option<Setting<'_>> {
        match self.compiled.get() {
            Some(compiled) => compiled.set(self, cards),
            None => self.interpret(cards),
        }
    }

    /// Sets the cards of a hand by its clauses, as [`Self::set`] does without a table.
    #[must_use]
    pub fn interpret(&self, cards: &[Card]) -> Option<Setting<'_>> {
        let decided = match self.cards() {
            6 => self.ask_clauses::<6>(&distinct(cards)?),
            _ => self.ask_clauses::<7>(&distinct(cards)?),
        };
        decided.map(|decided| decided.setting(self))
    }

    /// Returns the table of the way: some tenths of a second of work.
    #[must_use]
    pub fn compile(&self) -> CompiledWay {
        CompiledWay::make(self)
    }

    /// Makes the table of the way, if it does not exist. From then on this way and all its clones
    /// set hands by it.
    pub fn compile_now(&self) {
        self.compiled.get_or_init(|| self.compile());
    }

    /// Returns the table of the way. Makes it if it does not exist, as [`Self::compile_now`].
    #[must_use]
    pub fn compiled(&self) -> &CompiledWay {
        self.compiled.get_or_init(|| self.compile())
    }

    /// Sets distinct cards, whose number is [`Self::cards`].
    fn ask_clauses<const N: usize>(&self, cards: &[Card; N]) -> Option<SettingDecision> {
        match &self.by {
            SettingMethod::Chart(rules) => {
                let hand = ChartHand::of(cards, self.ranking);
                // There is one: a chart is read only if a clause is certain to set each kind of
                // hand.
                let (rule, split) = rules
                    .iter()
                    .enumerate()
                    .find_map(|(place, rule)| Some((place, rule.decide(&hand, self.ranking)?)))?;
                let by = ClausePlaces { rule, row: None };
                Some(SettingDecision { low: split.low, high: split.high, by })
            }
            SettingMethod::Code(code) => code.set(cards, self.ranking),
        }
    }
}

/// Returns the cards, if they are `N` distinct ones.
fn distinct<const N: usize>(cards: &[Card]) -> Option<[Card; N]> {
    CardSet::of(cards)?;
    cards.try_into().ok()
}

/// The files that are compiled in, by id.
const SHIPPED: [&str; 10] = [
    include_str!("charts/ballys-ac.toml"),
    include_str!("charts/claridge.toml"),
    include_str!("charts/flamingo-lv.toml"),
    include_str!("charts/foxwoods.toml"),
    include_str!("charts/golden-nugget-lv.toml"),
    include_str!("charts/mikes.toml"),
    include_str!("charts/mini.toml"),
    include_str!("coded/online.toml"),
    include_str!("charts/trump-plaza.toml"),
    include_str!("charts/trump-plaza-wild.toml"),
];

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
