//! Six or seven cards, as charts and the way of the online chart see them.

use std::cell::OnceCell;

use super::groups::Groups;
use super::shape::Shape;
use crate::cards::{Card, Rank};
use crate::hands::{Category, HighHand, Ranking, holds_straight_or_flush};

/// Six or seven cards, with the facts that the clauses test.
#[derive(Debug)]
pub(super) struct ChartHand<const N: usize> {
    /// In the order of the fresh deck.
    cards: [Card; N],
    groups: Groups,
    shape: Shape,
    straight_or_flush: bool,
    ranking: Ranking,
    /// The category of the best five, after the first request.
    best: OnceCell<Option<Category>>,
}

impl<const N: usize> ChartHand<N> {
    /// Groups distinct cards.
    pub(super) fn of(cards: &[Card; N], ranking: Ranking) -> Self {
        let mut cards = *cards;
        cards.sort_unstable();
        let groups = Groups::of(&cards, ranking.joker);
        let shape = match groups.sizes() {
            [5, 2, ..] => Shape::FiveTwo,
            [5, ..] => Shape::Five,
            [4, 3, ..] => Shape::FourThree,
            [4, 2, ..] => Shape::FourTwo,
            [4, ..] => Shape::Four,
            [3, 3, ..] => Shape::ThreeThree,
            [3, 2, 2, ..] => Shape::ThreeTwoTwo,
            [3, 2, ..] => Shape::ThreeTwo,
            [3, ..] => Shape::Three,
            [2, 2, 2, ..] => Shape::TwoTwoTwo,
            [2, 2, ..] => Shape::TwoTwo,
            [2, ..] => Shape::Two,
            [..] => Shape::One,
        };
        let straight_or_flush = holds_straight_or_flush(&cards);
        Self { cards, groups, shape, straight_or_flush, ranking, best: OnceCell::new() }
    }

    /// Returns the cards, in the order of the fresh deck.
    pub(super) const fn cards(&self) -> &[Card; N] {
        &self.cards
    }

    /// Returns the sizes of the groups.
    pub(super) const fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether some five of the cards are a straight, a flush or a straight flush.
    pub(super) const fn holds_straight_or_flush(&self) -> bool {
        self.straight_or_flush
    }

    /// Returns the category of the best five of the cards. Many clauses may ask for it.
    pub(super) fn best(&self) -> Option<Category> {
        let best = || HighHand::best_of(&self.cards, self.ranking).map(HighHand::category);
        *self.best.get_or_init(best)
    }

    /// Returns the rank of the group at `place`, the largest and highest being 0, if
    /// there are that many.
    pub(super) fn group(&self, place: usize) -> Option<Rank> {
        self.groups.rank(place)
    }

    /// Returns the rank of the singleton at `place`, the highest being 0, if there
    /// are that many.
    pub(super) fn singleton(&self, place: usize) -> Option<Rank> {
        self.groups.singleton(place)
    }
}
