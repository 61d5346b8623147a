//! The table of a house way for hands of so many cards, and how it is made.

use std::sync::OnceLock;

use super::super::HouseWay;
use super::super::decided::{Decided, Places};
use super::split::{ClassSplit, InFront, Side};
use super::values::Values;
use crate::cards::{Card, Suit};
use crate::hands::{Class, Classes, HandKey, Wheel};

/// What a house way decides of every class of hands of `N` cards.
#[derive(Debug)]
pub(super) struct Table<const N: usize> {
    classes: &'static Classes<N>,
    wheel: Wheel,
    /// By the number of the class.
    splits: Vec<ClassSplit>,
    /// What can decide; a split has its place.
    decided: Vec<Places>,
    /// Made when they are first asked for: who only sets hands does without.
    values: OnceLock<Values>,
}

/// The flush has the lowest suit.
const LOWEST: [Suit; 4] = Suit::ALL;
/// The flush has the highest suit.
const HIGHEST: [Suit; 4] = [Suit::Spades, Suit::Clubs, Suit::Diamonds, Suit::Hearts];

impl<const N: usize> Table<N> {
    pub(super) fn make(classes: &'static Classes<N>, way: &HouseWay) -> Self {
        let mut table = Self {
            classes,
            wheel: way.wheel(),
            splits: Vec::with_capacity(classes.len()),
            decided: Vec::new(),
            values: OnceLock::new(),
        };
        for class in classes.all() {
            let split = table.ask(way, class).unwrap_or(ClassSplit::UNDECIDED);
            table.splits.push(split);
        }
        table
    }

    /// Asks the clauses about a hand of `class`, and about another if in the first the
    /// lowest suit may have been preferred.
    ///
    /// Returns nothing if that leaves open which cards the clauses mean.
    fn ask(&mut self, way: &HouseWay, class: Class) -> Option<ClassSplit> {
        let first = Asked::about(self.classes, way, class, LOWEST)?;
        let place = self.place_of(first.decided.by)?;
        if !first.is_open() {
            return Some(ClassSplit::new(&first.front(Asked::side), place));
        }
        let second = Asked::about(self.classes, way, class, HIGHEST)?;
        let split = if first.front(Asked::side) == second.front(Asked::side) {
            ClassSplit::new(&first.front(Asked::side), place)
        } else {
            ClassSplit::new(&first.front(|_, _| Side::Either), place)
        };
        (first.is_parted_by(split) && second.is_parted_by(split)).then_some(split)
    }

    /// Returns the place of what decides, which is added if it is new.
    fn place_of(&mut self, by: Places) -> Option<u16> {
        let place = self.decided.iter().position(|known| *known == by).unwrap_or_else(|| {
            self.decided.push(by);
            self.decided.len() - 1
        });
        u16::try_from(place).ok().filter(|place| *place < ClassSplit::MOST_DECIDED)
    }

    #[inline]
    pub(super) fn split(&self, class: Class) -> ClassSplit {
        self.splits[class.index()]
    }

    pub(super) fn decide(&self, way: &HouseWay, mut cards: [Card; N]) -> Option<Decided> {
        cards.sort_unstable();
        let key = HandKey::of(&cards);
        let split = self.split(self.classes.class(key));
        if split == ClassSplit::UNDECIDED {
            return way.ask_clauses(&cards);
        }
        let (low, high) = split.part(&cards, key.flush())?;
        Some(Decided { low, high, by: *self.decided.get(split.decided())? })
    }

    pub(super) fn values(&self) -> &Values {
        self.values.get_or_init(|| {
            Values::of(self.classes, self.wheel, |class, cards, flush| {
                self.split(class).part(cards, flush)
            })
        })
    }

    pub(super) fn undecided(&self) -> usize {
        self.splits.iter().filter(|split| **split == ClassSplit::UNDECIDED).count()
    }
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

    /// Returns the cards in front in the terms of the class, in one order for all its
    /// hands.
    fn front(&self, side: impl Fn(&Self, Card) -> Side) -> Vec<InFront> {
        let in_front = |card: &Card| match card.rank() {
            None => InFront::Joker,
            Some(rank) => InFront::Of(rank, side(self, *card)),
        };
        let mut front: Vec<InFront> = self.decided.low.iter().map(in_front).collect();
        front.sort_unstable();
        front
    }

    fn side(&self, card: Card) -> Side {
        match self.flush {
            None => Side::Either,
            Some(suit) if card.suit() == Some(suit) => Side::OfFlush,
            Some(_) => Side::BesideFlush,
        }
    }

    fn is_parted_by(&self, split: ClassSplit) -> bool {
        let parted = split.part(&self.cards, self.flush);
        parted == Some((self.decided.low, self.decided.high))
    }
}
