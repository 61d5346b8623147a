//! Reads conditions: a term, a list of terms, or a list of such lists.

use toml::Value;

use super::super::reader::{RulesetFaults, RulesetSection, nearest, shown};
use super::Frame;
use crate::game::bets::{BetSubject, CardTerm, Condition, ShowdownTerm, Term};

/// Reads the condition of a row or of a push: what it may ask depends on the cards that it looks at.
pub(super) fn read(
    section: &mut RulesetSection,
    key: &str,
    subject: BetSubject,
    frame: Frame,
    faults: &mut RulesetFaults,
) -> Option<Condition> {
    let path = section.path(key);
    let value = section.value(key, faults)?;
    let cards = u8::try_from(frame.hand.unwrap_or(7)).unwrap_or(7);
    let term = |path: &str, value: &Value, faults: &mut RulesetFaults| {
        let term = value.as_str().and_then(|text| Term::parse(text, subject, cards));
        if term.is_none() {
            faults.add(path, no_term(value, subject, cards));
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

/// Says what a value must be to be a term of a bet that looks at `subject`, where each hand is dealt
/// `hand_cards` cards.
fn no_term(value: &Value, subject: BetSubject, hand_cards: u8) -> String {
    let cards = if subject == BetSubject::FirstThree { 3 } else { hand_cards };
    let terms: Vec<String> = match subject {
        BetSubject::Showdown => ShowdownTerm::WORDS.map(str::to_owned).to_vec(),
        BetSubject::SeatHand | BetSubject::DealerHand | BetSubject::FirstThree => {
            CardTerm::words(subject, cards)
        }
    };
    let text = value.as_str().unwrap_or_default();
    let asked = word(text.strip_prefix("no_").unwrap_or(text));
    let known = || terms.iter().map(|term| word(term));
    let told = if known().any(|known| known == asked) {
        let argument = match subject {
            BetSubject::Showdown => ShowdownTerm::argument(asked).to_owned(),
            BetSubject::SeatHand | BetSubject::DealerHand | BetSubject::FirstThree => {
                CardTerm::argument(asked, cards)
            }
        };
        format!(": {asked} takes {argument}")
    } else {
        let near = nearest(asked, known());
        let meant = near.map(|near| format!(" (did you mean {near:?}?)")).unwrap_or_default();
        format!("{meant}. The terms, each with no_ before it or without: {}", terms.join(", "))
    };
    format!(
        "must be a term that the cards of {} can meet, not {}{told}",
        subject.name(),
        shown(value)
    )
}

/// Returns a term without its argument.
fn word(term: &str) -> &str {
    term.split(':').next().unwrap_or_default()
}
