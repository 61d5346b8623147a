//! Terms of conditions on dealt cards.

use std::fmt;

use super::dealt_hand::RankBits;
use super::{BetSubject, DealtHand};
use crate::cards::Rank;
use crate::game::sheet::ColourChoice;

/// A poker hand that some five of the cards make; of three cards, the three.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum PokerHand {
    /// Ten to ace of one suit.
    RoyalFlush,
    /// Successive ranks of one suit.
    StraightFlush,
    /// Four cards of one rank and the joker.
    FiveOfAKind,
    /// Four cards of one rank.
    FourOfAKind,
    /// Three cards of one rank and two of another.
    FullHouse,
    /// Cards of one suit.
    Flush,
    /// Successive ranks.
    Straight,
    /// Three cards of one rank.
    ThreeOfAKind,
    /// Two ranks, or more, held twice or more.
    TwoPair,
    /// Two cards of one rank.
    Pair,
}

impl PokerHand {
    const ALL: [Self; 10] = [
        Self::RoyalFlush,
        Self::StraightFlush,
        Self::FiveOfAKind,
        Self::FourOfAKind,
        Self::FullHouse,
        Self::Flush,
        Self::Straight,
        Self::ThreeOfAKind,
        Self::TwoPair,
        Self::Pair,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::RoyalFlush => "royal_flush",
            Self::StraightFlush => "straight_flush",
            Self::FiveOfAKind => "five_of_a_kind",
            Self::FourOfAKind => "four_of_a_kind",
            Self::FullHouse => "full_house",
            Self::Flush => "flush",
            Self::Straight => "straight",
            Self::ThreeOfAKind => "three_of_a_kind",
            Self::TwoPair => "two_pair",
            Self::Pair => "pair",
        }
    }

    /// Whether three cards can make it.
    const fn is_of_three(self) -> bool {
        match self {
            Self::StraightFlush
            | Self::Flush
            | Self::Straight
            | Self::ThreeOfAKind
            | Self::Pair => true,
            Self::RoyalFlush
            | Self::FiveOfAKind
            | Self::FourOfAKind
            | Self::FullHouse
            | Self::TwoPair => false,
        }
    }

    fn is_made_of(self, cards: &DealtHand) -> bool {
        match self {
            Self::RoyalFlush => cards.has_royal_flush(),
            Self::StraightFlush => cards.has_straight_flush(),
            Self::FiveOfAKind => cards.has_alike(5),
            Self::FourOfAKind => cards.has_alike(4),
            Self::FullHouse => cards.has_full_house(),
            Self::Flush => cards.has_flush(),
            Self::Straight => cards.has_straight(),
            Self::ThreeOfAKind => cards.has_alike(3),
            Self::TwoPair => cards.ranks_held_twice() >= 2,
            Self::Pair => cards.has_alike(2),
        }
    }
}

/// A term on the cards dealt to a position, however they are set.
///
/// The joker is used afresh for each term. A semi-wild joker is an ace, or completes a straight, a
/// flush, a straight flush or a royal flush. A wild joker is any card that makes the term hold. If
/// the term asks for the highest rank, it is an ace. A term does not exclude better hands.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum CardTerm {
    /// Four aces and the joker.
    FiveAces,
    /// Some of the cards make a poker hand.
    Made(PokerHand),
    /// The same without the joker.
    Natural(PokerHand),
    /// No pair, no straight and no flush.
    PaiGow,
    /// The joker is there.
    Joker,
    /// The highest rank.
    Highest(Rank),
    /// A pair of this rank or a higher one.
    PairOf(Rank),
    /// Exactly so many ranks are held twice or more.
    Pairs(u8),
    /// So many cards of one suit.
    Suited(u8),
    /// So many successive ranks.
    Run(u8),
    /// So many successive ranks of one suit.
    SuitedRun(u8),
    /// Each rank so often or more often.
    Ranks([u8; 13]),
    /// Real cards of these ranks in one suit, and of the others in another suit.
    OneSuit(RankBits, Option<RankBits>),
    /// A royal flush, and beside it real cards of two ranks in one suit.
    RoyalFlushBeside(RankBits),
    /// Exactly so many cards of a colour.
    Colour(ColourChoice, u8),
    /// All cards but the joker are of one colour.
    OneColour,
    /// Exactly so many cards of the colour that the wager names.
    NamedColour(u8),
}

impl CardTerm {
    /// Returns the terms on so many cards that a bet looks at, with letters for their arguments.
    pub(in crate::game) fn words(subject: BetSubject, cards: u8) -> Vec<String> {
        let plain = ["five_aces", "pai_gow", "joker", "one_colour"].map(str::to_owned);
        let made = PokerHand::ALL.map(|made| made.name().to_owned());
        let natural = PokerHand::ALL.map(|made| format!("natural_{}", made.name()));
        let plain = plain.into_iter().chain(made).chain(natural);
        let plain = plain.map(|word| (word.clone(), word));
        // Each with a term that has the smallest argument.
        let with_argument = [
            ("highest:R", "highest:A"),
            ("pair:R", "pair:A"),
            ("pairs:N", "pairs:0"),
            ("suited:N", "suited:2"),
            ("run:N", "run:2"),
            ("suited_run:N", "suited_run:2"),
            ("ranks:RR", "ranks:A"),
            ("one_suit:RR", "one_suit:AK"),
            ("one_suit:RR+RR", "one_suit:AK+AK"),
            ("royal_flush_beside:RR", "royal_flush_beside:AQ"),
            ("red:N", "red:0"),
            ("black:N", "black:0"),
            ("named_colour:N", "named_colour:0"),
        ];
        let with_argument =
            with_argument.map(|(shown, smallest)| (shown.to_owned(), smallest.to_owned()));
        let is_one = |(_, term): &(String, String)| Self::parse(term, subject, cards).is_some();
        plain.chain(with_argument).filter(is_one).map(|(shown, _)| shown).collect()
    }

    /// Returns the allowed form of the argument of a word, for so many cards.
    pub(in crate::game) fn argument(word: &str, cards: u8) -> String {
        match word {
            "highest" | "pair" => RANK_LETTER.to_owned(),
            "pairs" => "a number, 0 to 3".to_owned(),
            "suited" | "run" | "suited_run" => format!("a number, 2 to {cards}"),
            "ranks" => format!("1 to {cards} letters of ranks, as KKQ"),
            "one_suit" => format!(
                "two different letters of ranks or more, as A2345, or two such groups with + \
                 between, at most {cards} in all"
            ),
            "royal_flush_beside" => "two different letters of ranks, as AQ".to_owned(),
            "red" | "black" | "named_colour" => "a number, 0 to 7".to_owned(),
            _ => "no argument".to_owned(),
        }
    }

    /// Reads a term of a bet that looks at so many cards. Returns [`None`] for another word, and
    /// for an argument that does not fit so many cards.
    #[must_use]
    pub fn parse(text: &str, subject: BetSubject, cards: u8) -> Option<Self> {
        let term = Self::read(text)?;
        let count = |asked: u8| (2..=cards).contains(&asked);
        let of_seven = cards == 7;
        let fits = match term {
            Self::FiveAces => cards > 3,
            Self::Natural(PokerHand::FiveOfAKind) => false,
            Self::Made(made) | Self::Natural(made) => cards > 3 || made.is_of_three(),
            Self::Suited(asked) | Self::Run(asked) | Self::SuitedRun(asked) => count(asked),
            Self::Ranks(counts) => {
                let asked: u8 = counts.iter().sum();
                (1..=cards).contains(&asked)
            }
            Self::OneSuit(ranks, others) => {
                let asked = ranks.count_ones() + others.map_or(0, RankBits::count_ones);
                asked <= u32::from(cards)
            }
            Self::RoyalFlushBeside(two) => of_seven && two.count_ones() == 2,
            Self::Pairs(pairs) => pairs <= 3,
            Self::Colour(_, asked) => asked <= 7,
            Self::NamedColour(asked) => asked <= 7 && subject == BetSubject::SeatHand,
            Self::PaiGow | Self::Joker | Self::Highest(_) | Self::PairOf(_) | Self::OneColour => {
                true
            }
        };
        fits.then_some(term)
    }

    fn read(text: &str) -> Option<Self> {
        let made = |name: &str| PokerHand::ALL.into_iter().find(|made| made.name() == name);
        let Some((word, argument)) = text.split_once(':') else {
            return match text {
                "five_aces" => Some(Self::FiveAces),
                "pai_gow" => Some(Self::PaiGow),
                "joker" => Some(Self::Joker),
                "one_colour" => Some(Self::OneColour),
                _ => match text.strip_prefix("natural_") {
                    Some(natural) => made(natural).map(Self::Natural),
                    None => made(text).map(Self::Made),
                },
            };
        };
        match word {
            "highest" => rank(argument).map(Self::Highest),
            "pair" => rank(argument).map(Self::PairOf),
            "pairs" => digit(argument).map(Self::Pairs),
            "suited" => digit(argument).map(Self::Suited),
            "run" => digit(argument).map(Self::Run),
            "suited_run" => digit(argument).map(Self::SuitedRun),
            "ranks" => {
                let mut counts = [0_u8; 13];
                for letter in argument.chars() {
                    let count = &mut counts[usize::from(Rank::from_letter(letter)?.index())];
                    *count = count.checked_add(1)?;
                }
                Some(Self::Ranks(counts))
            }
            "one_suit" => match argument.split_once('+') {
                Some((one, other)) => Some(Self::OneSuit(ranks(one)?, Some(ranks(other)?))),
                None => Some(Self::OneSuit(ranks(argument)?, None)),
            },
            "royal_flush_beside" => ranks(argument).map(Self::RoyalFlushBeside),
            "red" => digit(argument).map(|cards| Self::Colour(ColourChoice::Red, cards)),
            "black" => digit(argument).map(|cards| Self::Colour(ColourChoice::Black, cards)),
            "named_colour" => digit(argument).map(Self::NamedColour),
            _ => None,
        }
    }

    /// Returns whether these cards meet the term, if the wager names `choice`. Without a colour no
    /// term of the named colour is met.
    #[must_use]
    pub fn holds(self, cards: &DealtHand, choice: Option<ColourChoice>) -> bool {
        match self {
            Self::FiveAces => cards.has_five_aces(),
            Self::Made(made) => made.is_made_of(cards),
            Self::Natural(made) => made.is_made_of(&cards.natural()),
            Self::PaiGow => cards.is_pai_gow(),
            Self::Joker => cards.has_joker(),
            Self::Highest(rank) => cards.is_highest(rank),
            Self::PairOf(least) => cards.has_pair_of(least),
            Self::Pairs(pairs) => cards.ranks_held_twice() == usize::from(pairs),
            Self::Suited(asked) => cards.has_suited(asked.into()),
            Self::Run(asked) => cards.has_run(asked.into()),
            Self::SuitedRun(asked) => cards.has_suited_run(asked.into()),
            Self::Ranks(counts) => cards.has_ranks(&counts),
            Self::OneSuit(ranks, None) => cards.has_in_one_suit(ranks),
            Self::OneSuit(ranks, Some(others)) => cards.has_in_two_suits(ranks, others),
            Self::RoyalFlushBeside(two) => cards.has_royal_flush_beside(two),
            Self::Colour(colour, asked) => cards.held_of(colour) == asked,
            Self::OneColour => cards.is_one_colour(),
            Self::NamedColour(asked) => choice.is_some_and(|colour| cards.held_of(colour) == asked),
        }
    }
}

impl fmt::Display for CardTerm {
    /// Writes the term as a ruleset does, the ranks of an argument from the ace down.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::FiveAces => f.write_str("five_aces"),
            Self::Made(made) => f.write_str(made.name()),
            Self::Natural(made) => write!(f, "natural_{}", made.name()),
            Self::PaiGow => f.write_str("pai_gow"),
            Self::Joker => f.write_str("joker"),
            Self::Highest(rank) => write!(f, "highest:{}", rank.letter()),
            Self::PairOf(rank) => write!(f, "pair:{}", rank.letter()),
            Self::Pairs(pairs) => write!(f, "pairs:{pairs}"),
            Self::Suited(cards) => write!(f, "suited:{cards}"),
            Self::Run(cards) => write!(f, "run:{cards}"),
            Self::SuitedRun(cards) => write!(f, "suited_run:{cards}"),
            Self::Ranks(counts) => {
                let letters = Rank::ALL.into_iter().rev().flat_map(|rank| {
                    let held = usize::from(counts[usize::from(rank.index())]);
                    std::iter::repeat_n(rank.letter(), held)
                });
                write!(f, "ranks:{}", letters.collect::<String>())
            }
            Self::OneSuit(ranks, None) => write!(f, "one_suit:{}", letters(*ranks)),
            Self::OneSuit(ranks, Some(others)) => {
                write!(f, "one_suit:{}+{}", letters(*ranks), letters(*others))
            }
            Self::RoyalFlushBeside(two) => write!(f, "royal_flush_beside:{}", letters(*two)),
            Self::Colour(ColourChoice::Red, cards) => write!(f, "red:{cards}"),
            Self::Colour(ColourChoice::Black, cards) => write!(f, "black:{cards}"),
            Self::OneColour => f.write_str("one_colour"),
            Self::NamedColour(cards) => write!(f, "named_colour:{cards}"),
        }
    }
}

/// How the argument of a rank is written.
pub(super) const RANK_LETTER: &str = "the letter of a rank: 2 to 9, T, J, Q, K or A";

/// Reads one digit.
fn digit(text: &str) -> Option<u8> {
    let mut digits = text.chars();
    match (digits.next().and_then(|digit| digit.to_digit(10)), digits.next()) {
        (Some(digit), None) => u8::try_from(digit).ok(),
        (Some(_) | None, _) => None,
    }
}

/// Reads the letter of a rank.
pub(super) fn rank(text: &str) -> Option<Rank> {
    let mut letters = text.chars();
    match (letters.next().and_then(Rank::from_letter), letters.next()) {
        (Some(rank), None) => Some(rank),
        (Some(_) | None, _) => None,
    }
}

/// Reads two letters of different ranks, or more.
fn ranks(text: &str) -> Option<RankBits> {
    let mut bits: RankBits = 0;
    for letter in text.chars() {
        let bit = 1 << Rank::from_letter(letter)?.index();
        if bits & bit != 0 {
            return None;
        }
        bits |= bit;
    }
    (bits.count_ones() >= 2).then_some(bits)
}

fn letters(ranks: RankBits) -> String {
    let held = |rank: &Rank| ranks >> rank.index() & 1 == 1;
    Rank::ALL.into_iter().rev().filter(held).map(Rank::letter).collect()
}
