//! The 53 cards: ranks, suits, the joker, and the order of a fresh deck.
//!
//! A card is a number: `13 * suit + rank`, suits clubs 0, diamonds 1, hearts 2,
//! spades 3, ranks deuce 0 to ace 12, the joker 52 (PGE-FAIR-1, section 5.3).

mod by_seat;
mod card_set;
mod deck;
mod hand;
mod seat;

use std::fmt;
use std::str::FromStr;

pub use by_seat::{BySeat, SeatOrder};
pub use card_set::CardSet;
pub use deck::Deck;
pub use hand::Hand;
pub use seat::Seat;

/// How many cards the deck of every game here holds: 52 and a joker.
pub const DECK_LEN: usize = 53;

/// One of the four suits, in the order of the fresh deck.
///
/// Suits never decide an outcome. Their order only settles which of two equal cards is named.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Suit {
    /// Clubs, `c`.
    Clubs,
    /// Diamonds, `d`.
    Diamonds,
    /// Hearts, `h`.
    Hearts,
    /// Spades, `s`.
    Spades,
}

impl Suit {
    /// The suits in their order.
    pub const ALL: [Self; 4] = [Self::Clubs, Self::Diamonds, Self::Hearts, Self::Spades];

    /// Whether the suit is red: diamonds or hearts.
    #[must_use]
    pub const fn is_red(self) -> bool {
        matches!(self, Self::Diamonds | Self::Hearts)
    }

    const fn letter(self) -> char {
        match self {
            Self::Clubs => 'c',
            Self::Diamonds => 'd',
            Self::Hearts => 'h',
            Self::Spades => 's',
        }
    }
}

/// One of the thirteen ranks, deuce lowest.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum Rank {
    /// Deuce, `2`.
    Two,
    /// Three, `3`.
    Three,
    /// Four, `4`.
    Four,
    /// Five, `5`.
    Five,
    /// Six, `6`.
    Six,
    /// Seven, `7`.
    Seven,
    /// Eight, `8`.
    Eight,
    /// Nine, `9`.
    Nine,
    /// Ten, `T`.
    Ten,
    /// Jack, `J`.
    Jack,
    /// Queen, `Q`.
    Queen,
    /// King, `K`.
    King,
    /// Ace, `A`.
    Ace,
}

const RANK_LETTERS: [u8; 13] = *b"23456789TJQKA";

impl Rank {
    /// The ranks, lowest first.
    pub const ALL: [Self; 13] = [
        Self::Two,
        Self::Three,
        Self::Four,
        Self::Five,
        Self::Six,
        Self::Seven,
        Self::Eight,
        Self::Nine,
        Self::Ten,
        Self::Jack,
        Self::Queen,
        Self::King,
        Self::Ace,
    ];

    /// Returns the place of the rank, deuce 0 to ace 12.
    #[must_use]
    pub const fn index(self) -> u8 {
        self as u8
    }

    /// Returns the letter of the rank in card codes, `2` to `9`, `T J Q K A`.
    #[must_use]
    pub const fn letter(self) -> char {
        RANK_LETTERS[self as usize] as char
    }

    /// Returns the rank that `letter` denotes, or [`None`] if it denotes no rank.
    #[must_use]
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|rank| rank.letter() == letter)
    }

    /// Returns the rank in words, as at the table: `ace`, `queen`, `ten`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Two => "two",
            Self::Three => "three",
            Self::Four => "four",
            Self::Five => "five",
            Self::Six => "six",
            Self::Seven => "seven",
            Self::Eight => "eight",
            Self::Nine => "nine",
            Self::Ten => "ten",
            Self::Jack => "jack",
            Self::Queen => "queen",
            Self::King => "king",
            Self::Ace => "ace",
        }
    }
}

/// One of the 53 cards.
///
/// Ordered as in the fresh deck. Its `Display` is its code (`Ah`, `Tc`, `Jk`),
/// and so is its `Debug`.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Card(u8);

impl Card {
    /// The joker.
    pub const JOKER: Self = Self(52);

    /// Returns the card of a rank and a suit.
    #[must_use]
    pub const fn new(rank: Rank, suit: Suit) -> Self {
        Self(13 * suit as u8 + rank as u8)
    }

    /// Returns the card with a number from 0 to 52, or [`None`] for a greater number.
    #[must_use]
    pub const fn from_number(number: u8) -> Option<Self> {
        if number <= 52 { Some(Self(number)) } else { None }
    }

    /// Returns the number of the card, 0 to 52.
    #[must_use]
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Whether the card is the joker.
    #[must_use]
    pub const fn is_joker(self) -> bool {
        self.0 == 52
    }

    /// Returns the rank, or [`None`] for the joker.
    #[must_use]
    pub const fn rank(self) -> Option<Rank> {
        if self.is_joker() { None } else { Some(Rank::ALL[(self.0 % 13) as usize]) }
    }

    /// Returns the suit, or [`None`] for the joker.
    #[must_use]
    pub const fn suit(self) -> Option<Suit> {
        if self.is_joker() { None } else { Some(Suit::ALL[(self.0 / 13) as usize]) }
    }

    /// Returns the rank as grouped and as set in a low hand: the joker is an ace.
    #[must_use]
    pub const fn rank_or_ace(self) -> Rank {
        match self.rank() {
            Some(rank) => rank,
            None => Rank::Ace,
        }
    }

    /// Returns the code of the card, as `Td`; that of the joker is `Jk`.
    ///
    /// # Panics
    ///
    /// Never: codes are two ASCII characters.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match std::str::from_utf8(&CODES[self.0 as usize]) {
            Ok(code) => code,
            Err(_) => panic!("codes are ASCII"),
        }
    }

    /// Returns all 53 cards, in the order of the fresh deck.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..=52).map(Self)
    }
}

/// The codes by number.
const CODES: [[u8; 2]; 53] = {
    let mut codes = [*b"Jk"; 53];
    let mut number = 0;
    while number < 52 {
        let (rank, suit) = (Rank::ALL[number % 13], Suit::ALL[number / 13]);
        codes[number] = [rank.letter() as u8, suit.letter() as u8];
        number += 1;
    }
    codes
};

impl fmt::Display for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl fmt::Debug for Card {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A code that names none of the 53 cards.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not a card code: two characters, rank 2 to 9 T J Q K A and suit c d h s, or Jk")]
pub struct ParseCardError;

impl FromStr for Card {
    type Err = ParseCardError;

    fn from_str(code: &str) -> Result<Self, Self::Err> {
        if code == "Jk" {
            return Ok(Self::JOKER);
        }
        let mut letters = code.chars();
        let (Some(rank), Some(suit), None) = (letters.next(), letters.next(), letters.next())
        else {
            return Err(ParseCardError);
        };
        let rank = Rank::from_letter(rank).ok_or(ParseCardError)?;
        let suit = Suit::ALL.into_iter().find(|s| s.letter() == suit).ok_or(ParseCardError)?;
        Ok(Self::new(rank, suit))
    }
}

/// Returns the codes of `cards` with a space between, as people read hands.
#[must_use]
pub fn codes(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests;
