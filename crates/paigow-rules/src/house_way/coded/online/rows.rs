//! The rows of the online chart that keep a flush or a straight behind, by its length.

use std::cmp::Reverse;

use super::super::super::split::ChartSplit;
use super::{Id, OnlineHand};
use crate::cards::{Card, Rank, Suit};

/// The places of straights, a bit each: 0 the ace below the deuce, 1 the deuce, up to 13
/// the ace above the king.
pub(super) type StraightPlaces = u16;

/// How many places there are.
const PLACES: u8 = 14;

/// Returns the places that `cards` hold without the joker; an ace holds both of its own.
pub(super) fn places(cards: impl Iterator<Item = Card>) -> StraightPlaces {
    cards.filter_map(Card::rank).fold(0, |places, rank| {
        let low_ace = u16::from(rank == Rank::Ace);
        places | low_ace | 2 << rank.index()
    })
}

/// Returns the first places of the windows of `len` places in which at most `jokers` are not held.
pub(super) fn windows(
    places: StraightPlaces,
    len: u8,
    jokers: u32,
) -> impl DoubleEndedIterator<Item = u8> + Clone {
    let window: StraightPlaces = (1 << len) - 1;
    (0..=PLACES - len)
        .filter(move |first| (places >> first & window).count_ones() + jokers >= u32::from(len))
}

/// Some cards of a hand that fill the places of a window, one card each.
#[derive(Clone, Copy, Debug)]
struct StraightWindow {
    /// The cards from the first place on; only the first `len` count.
    cards: [Card; 7],
    len: u8,
    starts_with_natural_ace: bool,
    /// The place of the joker, the first being 1.
    joker: Option<u8>,
}

impl StraightWindow {
    /// Fills as many places from `first` on as there are cards. The joker takes the place that is
    /// left.
    ///
    /// Returns [`None`] if the cards do not fit, or if another card has the rank that the joker
    /// would replace. `held` are the places of all cards that may be in a window.
    fn fill(cards: &[Card], first: u8, held: StraightPlaces) -> Option<Self> {
        let len = u8::try_from(cards.len()).ok()?;
        let mut filled = [Card::JOKER; 7];
        let mut bare: StraightPlaces = (1 << len) - 1;
        for card in cards {
            let Some(rank) = card.rank() else { continue };
            let low_ace = rank == Rank::Ace && first == 0;
            let place = if low_ace { 0 } else { (rank.index() + 1).checked_sub(first)? };
            let bit = 1 << place;
            if bare & bit == 0 {
                return None;
            }
            bare ^= bit;
            filled[usize::from(place)] = *card;
        }
        if bare & held >> first != 0 {
            return None;
        }
        Some(Self {
            cards: filled,
            len,
            starts_with_natural_ace: first == 0 && !filled[0].is_joker(),
            joker: (1..=len).find(|place| bare == 1 << (place - 1)),
        })
    }

    /// Returns the row that fits, and the cards of the window that go in front. The cards that are
    /// not in the window go in front too.
    fn row(&self) -> (Id, [Option<Card>; 2]) {
        let joker = Some(Card::JOKER);
        let [first, .., sixth, seventh] = self.cards.map(Some);
        match (self.len, self.starts_with_natural_ace, self.joker) {
            (7, true, Some(2 | 7)) => (Id::S7AJ, [first, joker]),
            (7, true, _) => (Id::S7A, [first, seventh]),
            (7, false, Some(1)) => (Id::S7J1, [joker, seventh]),
            (7, false, Some(2)) => (Id::S7J2, [joker, first]),
            (7, false, Some(7)) => (Id::S7J7, [joker, sixth]),
            (7, false, Some(6)) => (Id::S7J6, [joker, seventh]),
            (7, false, _) => (Id::S7, [sixth, seventh]),
            (6, true, _) => (Id::S6A, [first, None]),
            (6, false, Some(1 | 6)) => (Id::S6J, [joker, None]),
            (6, false, _) => (Id::S6, [sixth, None]),
            (_, _, _) => (Id::S5, [None, None]),
        }
    }
}

impl OnlineHand<'_> {
    /// Applies the rows of the flush, which keep five cards of it.
    pub(super) fn flush_row(&self) -> Option<(Id, ChartSplit)> {
        let is_suited = |card: &Card| card.suit() == self.flush;
        // In the order of the fresh deck the cards of a suit ascend.
        let naturals = self.hand.cards().iter().copied().filter(|card| !card.is_joker()).rev();
        let mut suited = naturals.clone().filter(is_suited);
        let mut others = naturals.filter(|card| !is_suited(card));
        let (row, front) = match (7 - others.clone().count(), self.jokers == 1) {
            (5, _) => (Id::F5, [others.next()?, others.next()?]),
            (6, true) => (Id::F6J, [Card::JOKER, others.next()?]),
            (6, false) => (Id::F6, [suited.next()?, others.next()?]),
            (7, true) => (Id::F7J, [Card::JOKER, suited.next()?]),
            (7, false) => (Id::F7, [suited.next()?, suited.next()?]),
            (_, _) => return None,
        };
        Some((row, self.front(front)?))
    }

    /// Applies the rows of the straight, or with a suit those of its straight flush. The longest
    /// window is filled, and five cards of it are kept.
    ///
    /// Several windows or several cards of a rank can give different fronts. These compare by C2.
    /// Of the rows that give the chosen front, the first is cited.
    pub(super) fn straight_row(&self, suit: Option<Suit>) -> Option<(Id, ChartSplit)> {
        let may_fill = |card: &Card| suit.is_none() || card.suit() == suit || card.is_joker();
        let held = places(self.hand.cards().iter().copied().filter(may_fill));
        [7, 6, 5].into_iter().find_map(|len| {
            let windows = windows(held, len, self.jokers);
            // Most hands have no window, and there are many choices.
            windows.clone().next()?;
            choices(self.hand.cards(), u32::from(len))
                .filter(|choice| choice.inside().iter().all(may_fill))
                .flat_map(|choice| windows.clone().map(move |first| (choice, first)))
                .filter_map(|(choice, first)| {
                    let (row, front) = StraightWindow::fill(choice.inside(), first, held)?.row();
                    let mut front = front.into_iter().flatten().chain(choice.beside());
                    Some((row, self.front([front.next()?, front.next()?])?))
                })
                .max_by_key(|(row, split)| (split.merit(), Reverse(*row)))
        })
    }
}

/// Some of seven cards, and the others behind them.
#[derive(Clone, Copy, Debug)]
struct CardChoice {
    cards: [Card; 7],
    inside: usize,
}

impl CardChoice {
    fn inside(&self) -> &[Card] {
        &self.cards[..self.inside]
    }

    fn beside(self) -> impl Iterator<Item = Card> {
        self.cards.into_iter().skip(self.inside)
    }
}

/// Returns every choice of `len` of the cards.
fn choices(cards: &[Card; 7], len: u32) -> impl Iterator<Item = CardChoice> {
    (0_u8..1 << 7).filter(move |chosen| chosen.count_ones() == len).map(|chosen| {
        let mut sorted = *cards;
        let is_chosen = |place: usize| chosen >> place & 1 == 1;
        let places = (0..7).filter(|place| is_chosen(*place));
        let others = (0..7).filter(|place| !is_chosen(*place));
        for (card, place) in sorted.iter_mut().zip(places.chain(others)) {
            *card = cards[place];
        }
        CardChoice { cards: sorted, inside: chosen.count_ones() as usize }
    })
}
