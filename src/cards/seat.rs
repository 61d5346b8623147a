//! Seats: places at the table.

use std::fmt;

/// A place at the table: 0 is the dealer's or banker's, 1 to 7 the players'.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Seat(u8);

impl Seat {
    /// The dealer's or banker's place.
    pub const DEALER: Self = Self(0);
    /// The highest number that a seat of any game here has.
    pub const MAX: u8 = 7;

    /// Returns the seat with a number 0 to 7, or nothing.
    #[must_use]
    pub const fn new(number: u8) -> Option<Self> {
        if number <= Self::MAX { Some(Self(number)) } else { None }
    }

    /// Returns the number, 0 to 7.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether the place is the dealer's or banker's.
    #[must_use]
    pub const fn is_dealer(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}
