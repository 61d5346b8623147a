//! The id of a bet.

use std::fmt;

/// The id of a bet on the layout, as `base` or `queens_dragon`.
///
/// A ruleset names its bonus bets itself. Only [`BetId::BASE`] and [`BetId::DOUBLE_DOWN`] have a
/// meaning of their own.
///
/// ```
/// use paigow_rules::game::BetId;
///
/// let bet = BetId::from_name("queens_dragon").unwrap();
/// assert_eq!(bet.name(), "queens_dragon");
/// assert_eq!(BetId::from_name("Queen's Dragon"), None);
/// assert_eq!(BetId::from_name("base"), Some(BetId::BASE));
/// ```
// The letters, and then zeros: ordered as the texts are.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct BetId([u8; Self::MAX_LEN]);

impl BetId {
    /// The most letters that an id has.
    pub const MAX_LEN: usize = 32;

    /// The wager on the hand against the dealer's or banker's.
    pub const BASE: Self = Self::from_name("base").unwrap();

    /// A second wager beside the base wager, made after the hand is seen.
    pub const DOUBLE_DOWN: Self = Self::from_name("double_down").unwrap();

    /// Reads an id: at most [`MAX_LEN`](Self::MAX_LEN) lower-case letters, digits and underscores
    /// between them. The first character is a letter. Returns [`None`] for any other text.
    #[must_use]
    pub const fn from_name(name: &str) -> Option<Self> {
        let name = name.as_bytes();
        if name.is_empty() || name.len() > Self::MAX_LEN || !name[0].is_ascii_lowercase() {
            return None;
        }
        let mut id = [0; Self::MAX_LEN];
        let mut place = 0;
        while place < name.len() {
            let letter = name[place];
            let is_letter = letter.is_ascii_lowercase() || letter.is_ascii_digit();
            // An underscore is neither last nor beside another one.
            let joins = letter == b'_' && place + 1 < name.len() && name[place + 1] != b'_';
            if !is_letter && !joins {
                return None;
            }
            id[place] = letter;
            place += 1;
        }
        Some(Self(id))
    }

    /// Returns the id as rulesets, sheets and records have it.
    #[must_use]
    pub fn name(&self) -> &str {
        let len = self.0.iter().position(|letter| *letter == 0).unwrap_or(Self::MAX_LEN);
        // ASCII alone was read.
        std::str::from_utf8(&self.0[..len]).unwrap_or_default()
    }
}

impl fmt::Display for BetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Debug for BetId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.name().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_read_as_it_is_written_or_not_at_all() {
        let longest = "a".repeat(BetId::MAX_LEN);
        for name in ["a", "base", "outlaw_9", "x_1_y2", &longest] {
            assert_eq!(BetId::from_name(name).unwrap().name(), name);
        }
        let long = "a".repeat(BetId::MAX_LEN + 1);
        for name in ["", "_a", "a_", "a__b", "9a", "A", "a-b", "a b", "\u{e4}", "a\0", &long] {
            assert_eq!(BetId::from_name(name), None, "{name}");
        }
    }

    #[test]
    fn ids_are_ordered_as_their_texts_are() {
        let names = ["a", "a1", "a_b", "ab", "b"];
        let ids: Vec<BetId> = names.into_iter().flat_map(BetId::from_name).collect();
        assert!(names.is_sorted() && ids.is_sorted() && ids.len() == names.len());
    }
}
