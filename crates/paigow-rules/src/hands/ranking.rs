//! The ranking rules in which houses differ.

/// Where A-2-3-4-5 ranks among straights and straight flushes.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub enum Wheel {
    /// Below A-K-Q-J-T, above K-Q-J-T-9.
    Second,
    /// Below 6-5-4-3-2.
    Lowest,
}

/// The cards that the joker can replace.
#[derive(Clone, Copy, Debug, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub enum JokerUse {
    /// An ace, or a card that completes a straight, a flush, a straight flush or a royal flush.
    SemiWild,
    /// Any card that is not in the hand, or the fifth of a rank. It makes the best hand: in front
    /// beside another card, a pair of its rank.
    ///
    /// Rule of Commission Free Pai Gow Express, "fully wild".
    Wild,
}

/// The rules by which hands rank.
///
/// A [`Wheel`] alone stands for the ranking with a joker that is semi-wild.
///
/// # Examples
///
/// ```
/// use paigow_rules::cards::Card;
/// use paigow_rules::hands::{Category, HighHand, JokerUse, Ranking, Wheel};
///
/// let cards: Vec<Card> = "Kc Kd 7h 4s Jk".split(' ').map(|code| code.parse().unwrap()).collect();
/// let cards: [Card; 5] = cards.try_into().unwrap();
/// let wild = Ranking { wheel: Wheel::Second, joker: JokerUse::Wild };
/// assert_eq!(HighHand::of(&cards, wild).category(), Category::ThreeOfAKind);
/// assert_eq!(HighHand::of(&cards, Wheel::Second).category(), Category::Pair);
/// ```
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
pub struct Ranking {
    /// Where A-2-3-4-5 ranks.
    pub wheel: Wheel,
    /// The cards that the joker can replace.
    pub joker: JokerUse,
}

impl From<Wheel> for Ranking {
    fn from(wheel: Wheel) -> Self {
        Self { wheel, joker: JokerUse::SemiWild }
    }
}
