//! The files of counts: how many hands meet which conditions together.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use crate::game::bets::{DealtHand, HandCondition};

/// Which conditions a hand meets, among all that a pay table can name.
///
/// Ordered with the rarest conditions last. Its `Display` is a line of the files.
// Bit 26 is the first of `HandCondition::EVERY`, bit 0 the last.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub struct ConditionsMet(u32);

impl ConditionsMet {
    /// Returns the conditions that `hand` meets.
    #[must_use]
    pub fn by(hand: &DealtHand) -> Self {
        Self::default().and(|condition| condition.holds(hand))
    }

    /// Whether `condition` is among them.
    #[must_use]
    pub fn has(self, condition: HandCondition) -> bool {
        self.0 & Self::default().and(|every| every == condition).0 != 0
    }

    /// Adds the conditions that are `met`.
    fn and(self, met: impl Fn(HandCondition) -> bool) -> Self {
        let bits = HandCondition::EVERY.into_iter().rev().zip(0..);
        bits.fold(self, |Self(all), (condition, bit)| Self(all | u32::from(met(condition)) << bit))
    }

    /// Reads what `Display` writes.
    fn parse(text: &str) -> Option<Self> {
        text.split(' ').filter(|label| !label.is_empty()).try_fold(Self::default(), |all, label| {
            let one = Self::default().and(|condition| self::label(condition) == label);
            (one != Self::default()).then_some(Self(all.0 | one.0))
        })
    }
}

impl fmt::Display for ConditionsMet {
    /// Writes the names with a space between, the rarest first; a one-colour
    /// condition with its reading, as `one_colour:any`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let met = HandCondition::EVERY.into_iter().filter(|condition| self.has(*condition));
        f.write_str(&met.map(label).collect::<Vec<_>>().join(" "))
    }
}

fn label(condition: HandCondition) -> String {
    match condition.reading() {
        Some(reading) => format!("{}:{}", condition.name(), reading.name()),
        None => condition.name().to_owned(),
    }
}

/// Returns how many of all hands of so many cards, 6 or 7, meet which conditions
/// together; nothing for another number of cards.
///
/// Every hand is counted once: the counts add up to 53 choose 6, 22,957,480, or
/// 53 choose 7, 154,143,080.
#[must_use]
pub fn hands_by_conditions(hand_cards: usize) -> Option<&'static BTreeMap<ConditionsMet, u64>> {
    static SIX: LazyLock<BTreeMap<ConditionsMet, u64>> =
        LazyLock::new(|| read(include_str!("six.txt")));
    static SEVEN: LazyLock<BTreeMap<ConditionsMet, u64>> =
        LazyLock::new(|| read(include_str!("seven.txt")));
    match hand_cards {
        6 => Some(&SIX),
        7 => Some(&SEVEN),
        _ => None,
    }
}

/// Reads a file: a line for each set of conditions, the count first.
fn read(file: &str) -> BTreeMap<ConditionsMet, u64> {
    let lines = file.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let counts: Option<_> = lines
        .map(|line| {
            let (count, conditions) = line.split_once(' ').unwrap_or((line, ""));
            Some((ConditionsMet::parse(conditions)?, count.parse().ok()?))
        })
        .collect();
    counts.expect("the tests read the files of counts")
}
