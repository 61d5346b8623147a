//! Reads conditions: a term, a list of terms, or a list of such lists.

use toml::Value;

use super::super::reader::{RulesetFaults, RulesetSection, nearest, shown};
use super::Frame;
use crate::game::bets::{BetSubject, CardTerm, Condition, SetTerm, ShowdownTerm, Term};

/// The owner of a condition, which decides which terms are allowed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ConditionOf {
    /// A row of a bet that looks at this.
    Bet(BetSubject),
    /// A push of the base wager on the dealer's cards, and on how the house way sets them.
    Push,
}

impl ConditionOf {
    /// Reads a term, where each hand is dealt `hand_cards` cards.
    fn term(self, text: &str, hand_cards: u8) -> Option<Term> {
        match self {
            Self::Bet(subject) => Term::parse(text, subject, hand_cards),
            Self::Push => Term::parse_of_push(text, hand_cards),
        }
    }

    /// Returns the allowed terms, with letters for their arguments.
    fn words(self, cards: u8) -> Vec<String> {
        match self {
            Self::Bet(BetSubject::Showdown) => ShowdownTerm::words(),
            Self::Bet(BetSubject::SeatSetHands) => SetTerm::WORDS.map(str::to_owned).to_vec(),
            Self::Bet(subject) => CardTerm::words(subject, cards),
            Self::Push => {
                let of_cards = CardTerm::words(BetSubject::DealerHand, cards);
                of_cards.into_iter().chain(SetTerm::WORDS.map(str::to_owned)).collect()
            }
        }
    }

    /// Returns the allowed form of the argument of one of the words.
    fn argument(self, word: &str, cards: u8) -> String {
        match self {
            Self::Bet(BetSubject::Showdown) => ShowdownTerm::argument(word),
            Self::Bet(BetSubject::SeatSetHands) => SetTerm::argument(word).unwrap_or_default(),
            Self::Bet(_) => CardTerm::argument(word, cards),
            Self::Push => {
                SetTerm::argument(word).unwrap_or_else(|| CardTerm::argument(word, cards))
            }
        }
    }

    /// Returns the cards that it looks at, in words.
    const fn cards(self) -> &'static str {
        match self {
            Self::Bet(subject) => subject.name(),
            Self::Push => "the dealer",
        }
    }
}

/// Reads the condition of a row or of a push.
pub(super) fn read(
    section: &mut RulesetSection,
    key: &str,
    of: ConditionOf,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<Condition> {
    let path = section.path(key);
    let value = section.value(key, faults)?;
    let cards = u8::try_from(frame.hand.unwrap_or(7)).unwrap_or(7);
    let term = |path: &str, value: &Value, faults: &mut RulesetFaults| {
        let term = value.as_str().and_then(|text| of.term(text, cards));
        if term.is_none() {
            faults.add(path, no_term(value, of, cards));
        }
        term
    };
    let group = |path: &str, items: &[Value], faults: &mut RulesetFaults| -> Option<Vec<Term>> {
        let items = items.iter().enumerate();
        let terms = items.map(|(place, item)| term(&format!("{path}[{place}]"), item, faults));
        // All terms are read, so that every fault is reported.
        terms.collect::<Vec<Option<Term>>>().into_iter().collect()
    };
    let groups: Option<Vec<Vec<Term>>> = match value.as_array() {
        None => Some(vec![vec![term(&path, &value, faults)?]]),
        Some(items) if items.first().is_some_and(Value::is_array) => {
            let items = items.iter().enumerate().map(|(place, item)| {
                let path = format!("{path}[{place}]");
                let Some(items) = item.as_array() else {
                    faults.add(path, "must be a list of terms, as the first is");
                    return None;
                };
                group(&path, items, faults)
            });
            items.collect::<Vec<Option<Vec<Term>>>>().into_iter().collect()
        }
        Some(items) => Some(vec![group(&path, items, faults)?]),
    };
    let condition = Condition::new(groups?);
    if condition.is_none() {
        faults.add(path, "must have a term, and so must each of its lists");
    }
    condition
}

/// Returns the sentence on the allowed terms, where each hand is dealt `hand_cards` cards.
fn no_term(value: &Value, of: ConditionOf, hand_cards: u8) -> String {
    let cards = if of == ConditionOf::Bet(BetSubject::FirstThree) { 3 } else { hand_cards };
    let terms = of.words(cards);
    let text = value.as_str().unwrap_or_default();
    let asked = word(text.strip_prefix("no_").unwrap_or(text));
    let known = || terms.iter().map(|term| word(term));
    let told = if known().any(|known| known == asked) {
        format!(": {asked} takes {}", of.argument(asked, cards))
    } else {
        let near = nearest(asked, known());
        let meant = near.map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default();
        format!("{meant}. The terms, each with no_ before it or without: {}", terms.join(", "))
    };
    format!("must be a term that the cards of {} can meet, not {}{told}", of.cards(), shown(value))
}

/// Returns a term without its argument.
fn word(term: &str) -> &str {
    term.split(':').next().unwrap_or_default()
}
