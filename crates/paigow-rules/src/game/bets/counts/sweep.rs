//! How many hands meet which terms together.

use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use crate::cards::{Card, Suit};
use crate::game::bets::{Asked, CardTerm, Condition, DealtHand};
use crate::game::sheet::ColourChoice;
use crate::hands::{JokerUse, canonical_hands};

/// Which of some terms a hand meets: bit `n` for the term at place `n`.
pub type TermsMet = u128;

/// How many of all hands meet which of some terms together.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct TermCounts {
    /// The terms, at most 128, in rising order.
    pub terms: Vec<CardTerm>,
    /// How many hands meet just these of them. The counts add up to all hands.
    pub hands: BTreeMap<TermsMet, u64>,
}

/// The six ways to colour two of four suits red, each by one naming.
const COLOURINGS: [[Suit; 4]; 6] = [
    [Suit::Clubs, Suit::Spades, Suit::Diamonds, Suit::Hearts],
    [Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts],
    [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades],
    [Suit::Diamonds, Suit::Hearts, Suit::Clubs, Suit::Spades],
    [Suit::Diamonds, Suit::Clubs, Suit::Hearts, Suit::Spades],
    [Suit::Diamonds, Suit::Clubs, Suit::Spades, Suit::Hearts],
];

impl TermCounts {
    /// Counts all hands of 6 or 7 cards, with such a joker, by the set of `terms` that they meet.
    ///
    /// Returns [`None`] for another number of cards, and for more than 128 terms.
    ///
    /// The named colour is red: as many hands are of the one colour as of the other.
    ///
    /// Counts that are compiled in take no time, others a second. A process counts the same terms once.
    #[must_use]
    pub fn of(deal: (usize, JokerUse), terms: &[CardTerm]) -> Option<Arc<Self>> {
        let mut terms = terms.to_vec();
        terms.sort_unstable();
        terms.dedup();
        if let Some(known) = Self::stored(deal).and_then(|stored| stored.of_these(&terms)) {
            return Some(Arc::new(known));
        }
        /// By how many cards and the joker, and by the terms in rising order.
        type Counted = BTreeMap<((usize, JokerUse), Vec<CardTerm>), Arc<TermCounts>>;
        static COUNTED: LazyLock<Mutex<Counted>> = LazyLock::new(Mutex::default);
        let mut counted = COUNTED.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (deal, terms);
        if let Some(known) = counted.get(&key) {
            return Some(Arc::clone(known));
        }
        let counts = Arc::new(Self::counted(deal, &key.1)?);
        counted.insert(key, Arc::clone(&counts));
        Some(counts)
    }

    /// Counts every hand; see [`Self::of`]. The terms are in rising order, each once.
    #[must_use]
    pub fn counted((hand_cards, joker): (usize, JokerUse), terms: &[CardTerm]) -> Option<Self> {
        if terms.len() > 128 {
            return None;
        }
        let hands = match hand_cards {
            6 => sweep::<6>(terms, joker),
            7 => sweep::<7>(terms, joker),
            _ => return None,
        };
        Some(Self { terms: terms.to_vec(), hands })
    }

    /// Whether a hand that meets just these of the terms meets a condition on them.
    #[must_use]
    pub fn holds(&self, condition: &Condition, met: TermsMet) -> bool {
        condition.holds_by(|asked| match asked {
            Asked::Cards(term) => {
                self.terms.binary_search(&term).is_ok_and(|place| met >> place & 1 == 1)
            }
            Asked::Set(_) | Asked::Showdown(_) => false,
        })
    }

    /// Returns the counts that are compiled in.
    #[must_use]
    pub fn stored(deal: (usize, JokerUse)) -> Option<&'static Self> {
        static SIX: LazyLock<Option<TermCounts>> =
            LazyLock::new(|| TermCounts::parse(include_str!("six.txt"), 6));
        static SEVEN: LazyLock<Option<TermCounts>> =
            LazyLock::new(|| TermCounts::parse(include_str!("seven.txt"), 7));
        static SEVEN_WILD: LazyLock<Option<TermCounts>> =
            LazyLock::new(|| TermCounts::parse(include_str!("seven-wild.txt"), 7));
        match deal {
            (6, JokerUse::SemiWild) => SIX.as_ref(),
            (7, JokerUse::SemiWild) => SEVEN.as_ref(),
            (7, JokerUse::Wild) => SEVEN_WILD.as_ref(),
            _ => None,
        }
    }

    /// Returns the counts of some of the terms; [`None`] if one of them is not counted.
    fn of_these(&self, terms: &[CardTerm]) -> Option<Self> {
        let places: Option<Vec<usize>> =
            terms.iter().map(|term| self.terms.binary_search(term).ok()).collect();
        let places = places?;
        let mut hands = BTreeMap::new();
        for (met, count) in &self.hands {
            let bits = places.iter().enumerate();
            let own = bits.fold(0, |own: TermsMet, (bit, place)| own | (met >> place & 1) << bit);
            *hands.entry(own).or_default() += count;
        }
        Some(Self { terms: terms.to_vec(), hands })
    }

    /// Reads a file of counts, as [`Self::text`] writes it; [`None`] for any other.
    fn parse(text: &str, hand_cards: u8) -> Option<Self> {
        let mut lines = text.lines().filter(|line| !line.starts_with('#'));
        let term =
            |word| CardTerm::parse(word, crate::game::bets::BetSubject::SeatHand, hand_cards);
        let terms: Vec<CardTerm> = lines.next()?.split(' ').map(term).collect::<Option<_>>()?;
        let count = |line: &str| {
            let (hands, met) = line.split_once(' ')?;
            Some((TermsMet::from_str_radix(met, 16).ok()?, hands.parse().ok()?))
        };
        let hands = lines.map(count).collect::<Option<_>>()?;
        terms.is_sorted().then_some(Self { terms, hands })
    }

    /// Writes the counts: a line with the terms, and a line for each set of terms that hands meet
    /// together. It has the number of hands, and the set in hexadecimal digits.
    #[must_use]
    pub fn text(&self) -> String {
        let terms: Vec<String> = self.terms.iter().map(ToString::to_string).collect();
        let mut text = terms.join(" ") + "\n";
        for (met, hands) in self.hands.iter().rev() {
            text += &format!("{hands} {met:x}\n");
        }
        text
    }
}

/// Whether the colours of the suits make a difference to a term.
const fn depends_on_colours(term: CardTerm) -> bool {
    matches!(term, CardTerm::Colour(..) | CardTerm::OneColour | CardTerm::NamedColour(_))
}

fn sweep<const N: usize>(terms: &[CardTerm], joker: JokerUse) -> BTreeMap<TermsMet, u64> {
    let bits = || terms.iter().copied().enumerate();
    let (by_colour, others): (Vec<_>, Vec<_>) =
        bits().partition(|(_, term)| depends_on_colours(*term));
    // The 24 renamings of suits are 4 of each colouring.
    let colourings = if by_colour.is_empty() { &COLOURINGS[..1] } else { &COLOURINGS };
    let mut times = BTreeMap::<TermsMet, u64>::new();
    for canonical in canonical_hands::<N>() {
        let alike = met(&others, &canonical.cards(Suit::ALL), joker);
        for names in colourings {
            let met = alike | met(&by_colour, &canonical.cards(*names), joker);
            *times.entry(met).or_default() += canonical.multiplicity();
        }
    }
    let colourings = colourings.len() as u64;
    times.into_iter().map(|(met, hands)| (met, hands / colourings)).collect()
}

/// Returns which of some terms a hand meets, each by its bit; none where the cards are no hand.
fn met(terms: &[(usize, CardTerm)], cards: &[Card], joker: JokerUse) -> TermsMet {
    if terms.is_empty() {
        return 0;
    }
    let Some(hand) = DealtHand::of(cards, joker) else { return 0 };
    let red = Some(ColourChoice::Red);
    terms.iter().fold(0, |met, (bit, term)| met | TermsMet::from(term.holds(&hand, red)) << bit)
}
