//! The chart file: a house way as data.
//!
//! A TOML file of `id`, `title`, `source`, `cards` (6 or 7), `wheel` (`second` or
//! `lowest`) and a list of `clause`, tried in their order. A chart for seven cards may say
//! `joker = "wild"`; without it the joker is semi-wild. A clause has
//!
//! | key | meaning |
//! |---|---|
//! | `id` | its name: 1 to 64 letters, digits, dots and hyphens |
//! | `text` | the sentence of the source |
//! | `groups` | sizes of the groups of equal rank, as `"4+2+1"`, the joker being an ace or, where it is wild, one more of the largest group, of several the highest |
//! | `first_rank`, `second_rank` | letters: the rank of the largest (next) group is one of them; of equal sizes the higher comes first |
//! | `straight_or_flush` | `held`, `not-held`, or `ace-high-by-joker-only` |
//! | `singletons_at_least` | one or two letters: the highest singletons are at least these |
//! | `best` | categories: that of the best five cards is one of them |
//! | `front` | the cards in front, two of seven or one of six, see below |
//! | `front_at_least` | one or two letters: the front is a pair or its cards are at least these |
//! | `front_beats` | a front: this one is higher |
//!
//! All but `id`, `text`, `groups` and `front` may be left out. These are the fronts:
//!
//! | front | of cards | the cards in front |
//! |---|---|---|
//! | `first-group`, `second-group` | 6, 7 | one or two of that group |
//! | `first-group-and-highest` | 7 | one of the first group and the highest singleton |
//! | `two-highest`, `second-and-third` | 7 | these of the singletons |
//! | `highest`, `second-highest` | 6 | this singleton |
//! | `pair-leaving-complete` | 7 | the highest pair that leaves a straight or better |
//! | `highest-leaving-complete` | 6, 7 | the highest that leave a straight or better |
//! | `highest-leaving-best` | 6, 7 | the highest that leave the best category |
//! | `highest-leaving-listed`, `lowest-leaving-listed` | 6, 7 | the highest (lowest) that leave a category of `best` |

use super::file::{each_clause, named};
use super::rule::{Front, Rule, StraightOrFlush};
use super::shape::Shape;
use super::table::TableKeys;
use super::{Clause, RulesFault};
use crate::cards::Rank;
use crate::hands::{Category, JokerUse};

const FRONTS: [(&str, Front); 12] = [
    ("first-group", Front::FirstGroup),
    ("second-group", Front::SecondGroup),
    ("first-group-and-highest", Front::FirstGroupAndHighest),
    ("two-highest", Front::TwoHighest),
    ("second-and-third", Front::SecondAndThird),
    ("highest", Front::Highest),
    ("second-highest", Front::SecondHighest),
    ("pair-leaving-complete", Front::PairLeavingComplete),
    ("highest-leaving-complete", Front::HighestLeavingComplete),
    ("highest-leaving-best", Front::HighestLeavingBest),
    ("highest-leaving-listed", Front::HighestLeavingListed),
    ("lowest-leaving-listed", Front::LowestLeavingListed),
];

const STRAIGHT_OR_FLUSH: [(&str, StraightOrFlush); 3] = [
    ("held", StraightOrFlush::Held),
    ("not-held", StraightOrFlush::NotHeld),
    ("ace-high-by-joker-only", StraightOrFlush::AceHighByJokerOnly),
];

/// Reads the clauses of a chart for so many cards. If they are well formed, also adds a fault for
/// every kind of hand that they may leave unset.
pub(super) fn clauses(
    keys: &mut TableKeys<'_>,
    faults: &mut Vec<RulesFault>,
    (cards, joker): (usize, JokerUse),
) -> (Vec<Clause>, Vec<Rule>) {
    let before = faults.len();
    let (clauses, rules): (Vec<Clause>, Vec<Rule>) =
        each_clause(keys, faults, |keys, faults| rule(keys, faults, cards)).into_iter().unzip();
    if faults.len() == before {
        let shapes = Shape::all(cards).iter();
        for unset in shapes.filter_map(|shape| first_unset(&rules, (cards, joker), *shape)) {
            faults.push(keys.fault("clause", unset));
        }
    }
    (clauses, rules)
}

fn rule(keys: &mut TableKeys<'_>, faults: &mut Vec<RulesFault>, cards: usize) -> Option<Rule> {
    if keys.value("groups").is_none() {
        faults.push(keys.fault("groups", "is missing"));
    }
    let known = Shape::all(cards).iter().map(|shape| (shape.name(cards), *shape));
    let shapes = keys.list("groups", faults, known);
    let straight_or_flush = keys
        .text("straight_or_flush", faults)
        .and_then(|name| named(&STRAIGHT_OR_FLUSH, name, keys, "straight_or_flush", faults));
    let first_rank = ranks(keys, "first_rank", faults);
    let second_rank = ranks(keys, "second_rank", faults);
    let singletons_at_least = up_to_two(keys, "singletons_at_least", faults);
    let categories = Category::ALL.into_iter().map(|category| (category.name(), category));
    let best = keys.list("best", faults, categories);
    let fronts: Vec<(&str, Front)> =
        FRONTS.into_iter().filter(|(_, front)| front.is_of(cards)).collect();
    let front = keys.required_text("front", faults);
    let front = front.and_then(|name| named(&fronts, name, keys, "front", faults));
    let front_at_least = up_to_two(keys, "front_at_least", faults);
    if front_at_least.len() > cards - 5 {
        faults.push(keys.fault("front_at_least", "is more ranks than cards go in front"));
    }
    let front_beats = keys
        .text("front_beats", faults)
        .and_then(|name| named(&fronts, name, keys, "front_beats", faults));
    for (key, front) in [("front", front), ("front_beats", front_beats)] {
        if best.is_none() && front.is_some_and(Front::needs_listed) {
            faults.push(keys.fault(key, "needs `best`, which lists the categories"));
        }
    }

    let (shapes, front) = (shapes?, front?);
    for shape in &shapes {
        if !front.exists(cards, *shape) {
            let message = format!("a hand of {} has no such cards", shape.name(cards));
            faults.push(keys.fault("front", message));
        }
        if singletons_at_least.len() > shape.singletons(cards) {
            let singletons = shape.singletons(cards);
            let message = format!("a hand of {} has {singletons} singletons", shape.name(cards));
            faults.push(keys.fault("singletons_at_least", message));
        }
        if second_rank.is_some() && shape.large_groups()[1] == 0 {
            let message = format!("a hand of {} has one large group at most", shape.name(cards));
            faults.push(keys.fault("second_rank", message));
        }
    }
    Some(Rule {
        shapes,
        straight_or_flush,
        first_rank,
        second_rank,
        singletons_at_least,
        best,
        front,
        front_at_least,
        front_beats,
    })
}

/// Returns the hands of `shape` that no clause is certain to set, if any.
fn first_unset(rules: &[Rule], (cards, joker): (usize, JokerUse), shape: Shape) -> Option<String> {
    let [first_size, second_size, _] = shape.large_groups();
    for first in Rank::ALL.into_iter().rev() {
        // Only the aces, with a joker that is semi-wild, are five.
        if first_size == 5 && first != Rank::Ace && joker == JokerUse::SemiWild {
            continue;
        }
        let seconds: Vec<Option<Rank>> =
            if second_size == 0 {
                vec![None]
            } else {
                Rank::ALL
                    .into_iter()
                    .rev()
                    .filter(|second| {
                        if first_size == second_size { *second < first } else { *second != first }
                    })
                    .map(Some)
                    .collect()
            };
        for second in seconds {
            for straight_or_flush in [false, true] {
                let is_set = rules
                    .iter()
                    .any(|rule| rule.is_sure(cards, shape, first, second, straight_or_flush));
                if !is_set {
                    let held = if straight_or_flush { "with" } else { "without" };
                    let beside =
                        second.map_or(String::new(), |rank| format!(" beside {}", rank.letter()));
                    return Some(format!(
                        "no clause is sure to set {} of {}{beside} {held} a straight or flush",
                        shape.name(cards),
                        first.letter(),
                    ));
                }
            }
        }
    }
    None
}

/// Returns the ranks of a key that is a string of their letters, if it is present.
fn ranks(
    keys: &mut TableKeys<'_>,
    key: &'static str,
    faults: &mut Vec<RulesFault>,
) -> Option<Vec<Rank>> {
    let letters = keys.text(key, faults)?;
    let ranks: Option<Vec<Rank>> = letters.chars().map(Rank::from_letter).collect();
    if ranks.as_ref().is_none_or(Vec::is_empty) {
        let message = format!("`{letters}` is not a string of rank letters");
        faults.push(keys.fault(key, message));
    }
    if letters
        .chars()
        .enumerate()
        .any(|(place, letter)| letters.chars().skip(place + 1).any(|other| other == letter))
    {
        faults.push(keys.fault(key, format!("`{letters}` has a rank twice")));
    }
    ranks
}

/// Returns the one or two ranks of a key, or an empty list if it is absent.
fn up_to_two(
    keys: &mut TableKeys<'_>,
    key: &'static str,
    faults: &mut Vec<RulesFault>,
) -> Vec<Rank> {
    let ranks = ranks(keys, key, faults).unwrap_or_default();
    if ranks.len() > 2 || !ranks.is_sorted_by(|first, second| first >= second) {
        let message = "must be one or two ranks, none above the one before";
        faults.push(keys.fault(key, message));
    }
    ranks
}
