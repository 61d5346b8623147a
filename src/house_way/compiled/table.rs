//! The table of a house way for hands of so many cards, and how it is made.

use std::collections::BTreeMap;

use super::super::HouseWay;
use super::super::decided::Decided;
use super::split::{InFront, Side, Split};
use super::values::Values;
use crate::cards::{Card, Suit};
use crate::hands::{Class, Classes, HandKey};

/// What a house way decides of every class of hands of `N` cards.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    classes: &'static Classes<N>,
    /// By the number of the class, the place of its split.
    split_ids: Vec<u16>,
    /// The splits that there are; nothing stands for hands of which the clauses have to be
    /// asked one by one.
    splits: Vec<Option<Split>>,
    values: Values,
}

/// The flush has the lowest suit.
const LOWEST: [Suit; 4] = Suit::ALL;
/// The flush has the highest suit.
const HIGHEST: [Suit; 4] = [Suit::Spades, Suit::Clubs, Suit::Diamonds, Suit::Hearts];

impl<const N: usize> Table<N> {
    /// Asks the clauses of `way` about a hand or two of every class.
    pub(super) fn make(classes: &'static Classes<N>, way: &HouseWay) -> Self {
        let mut values = Values::new(N - 5, way.wheel());
        let mut split_ids = Vec::with_capacity(classes.len());
        let mut splits = vec![None];
        let mut places = BTreeMap::new();
        for class in classes.all() {
            let asked = Asked::about(classes, way, class, LOWEST);
            values.push(asked.as_ref().map(|asked| &asked.decided));
            let split = asked.and_then(|asked| settle(&asked, classes, way, class));
            split_ids.push(split.map_or(0, |split| {
                *places.entry(split).or_insert_with(|| {
                    // There are some hundreds. If a way has more than there is room for
                    // its clauses are asked about the others.
                    let place = u16::try_from(splits.len()).unwrap_or(0);
                    if place > 0 {
                        splits.push(Some(split));
                    }
                    place
                })
            }));
        }
        Self { classes, split_ids, splits, values }
    }

    pub(super) fn split_ids(&self) -> &[u16] {
        &self.split_ids
    }

    /// Sets a hand by its split, or by the clauses of `way` if it has none.
    pub(super) fn decide(&self, way: &HouseWay, mut cards: [Card; N]) -> Option<Decided> {
        cards.sort_unstable();
        let key = HandKey::of(&cards);
        match &self.splits[usize::from(self.split_ids[self.classes.class(key).index()])] {
            Some(split) => split.part(&cards, key.flush()),
            None => way.ask_clauses(&cards),
        }
    }

    pub(super) const fn values(&self) -> &Values {
        &self.values
    }

    /// Returns how many classes have no split.
    pub(super) fn undecided(&self) -> usize {
        self.split_ids.iter().filter(|id| **id == 0).count()
    }
}

/// Returns the split of a class of which one hand has been asked about. If in that the
/// lowest suit may have been preferred the clauses are asked about another.
///
/// Returns nothing if that leaves open which cards they mean.
fn settle<const N: usize>(
    first: &Asked<N>,
    classes: &Classes<N>,
    way: &HouseWay,
    class: Class,
) -> Option<Split> {
    if !first.is_open() {
        return Some(first.split(Asked::side));
    }
    let second = Asked::about(classes, way, class, HIGHEST)?;
    [first.split(Asked::side), first.split(|_, _| Side::Either)]
        .into_iter()
        .find(|split| first.is_parted_by(split) && second.is_parted_by(split))
}

/// A hand of a class, and what the clauses say of it.
struct Asked<const N: usize> {
    /// In the order of the fresh deck.
    cards: [Card; N],
    flush: Option<Suit>,
    decided: Decided,
}

impl<const N: usize> Asked<N> {
    fn about(classes: &Classes<N>, way: &HouseWay, class: Class, suits: [Suit; 4]) -> Option<Self> {
        let mut cards = classes.hand(class, suits);
        cards.sort_unstable();
        let decided = way.ask_clauses(&cards)?;
        Some(Self { cards, flush: HandKey::of(&cards).flush(), decided })
    }

    /// Whether some card of the same rank as one in front is on the other side of the
    /// flush.
    fn is_open(&self) -> bool {
        let is_suited = |card: &Card| card.suit() == self.flush;
        self.flush.is_some()
            && self.decided.low.iter().filter(|card| !card.is_joker()).any(|low| {
                let of_rank = || self.cards.iter().filter(|card| card.rank() == low.rank());
                of_rank().any(is_suited) && of_rank().any(|card| !is_suited(card))
            })
    }

    /// Returns the split in the terms of the class, the cards in front in one order for
    /// all its hands.
    fn split(&self, side: impl Fn(&Self, Card) -> Side) -> Split {
        let in_front = |card: &Card| match card.rank() {
            None => InFront::Joker,
            Some(rank) => InFront::Of(rank, side(self, *card)),
        };
        let mut front = [None; 2];
        for (place, card) in front.iter_mut().zip(self.decided.low.iter()) {
            *place = Some(in_front(card));
        }
        front.sort_unstable_by_key(|card| (card.is_none(), *card));
        Split { front, by: self.decided.by }
    }

    fn side(&self, card: Card) -> Side {
        match self.flush {
            None => Side::Either,
            Some(suit) if card.suit() == Some(suit) => Side::OfFlush,
            Some(_) => Side::BesideFlush,
        }
    }

    fn is_parted_by(&self, split: &Split) -> bool {
        split.part(&self.cards, self.flush) == Some(self.decided)
    }
}
