//! The places at the table.

use std::fmt;

/// A place at the table: 0 is the dealer's or banker's, 1 to 7 the players'.
///
/// Ordered clockwise from the dealer. A ruleset states how many of the seven a game uses. Its
/// `Display` is the digit.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Seat(u8);

impl Seat {
    /// Position 0: the dealer, or the player who banks.
    pub const DEALER: Self = Self(0);

    /// All positions, clockwise from the dealer's.
    pub const ALL: [Self; 8] =
        [Self(0), Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7)];

    /// Returns the seat with a number from 0 to 7, or [`None`] for a greater number.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number <= 7 { Some(Self(number)) } else { None }
    }

    /// Returns the number of the seat, 0 to 7.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the place of the seat in [`Self::ALL`].
    pub(super) const fn index(self) -> usize {
        // The number is below 8, which the compiler does not know.
        (self.0 & 7) as usize
    }

    /// Whether this is position 0.
    #[must_use]
    pub const fn is_dealer(self) -> bool {
        self.0 == 0
    }

    /// Returns the players' seats 1 to `seats`, at most seven, clockwise.
    pub fn players(seats: u8) -> impl DoubleEndedIterator<Item = Self> + Clone {
        (1..=seats.min(7)).map(Self)
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[cfg(test)]
mod tests;
