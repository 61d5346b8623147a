//! The table of a house way for hands of so many cards, and its construction.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use super::super::HouseWay;
use super::super::decided::SettingDecision;
use super::super::setting::Setting;
use super::answer::{ClassSetting, CompiledSetting};
use super::split::{ClassSplit, FrontCard, RankSide};
use crate::cards::{Card, CardSet, Suit};
use crate::hands::{
    HandClass, HandClasses, HandKey, HighHand, LowHand, every_high_hand, every_low_hand,
};

/// The decisions of a house way for every class of hands of `N` cards.
#[derive(Debug)]
pub(super) struct ClassTable<const N: usize> {
    classes: &'static HandClasses<N>,
    /// By the number of the class.
    settings: Vec<ClassSetting>,
    /// The same with the facts that the class decides, after the first request.
    answers: OnceLock<Vec<CompiledSetting>>,
    /// The splits by their numbers. The first, [`None`], stands for hands for which the clauses are
    /// asked one by one.
    splits: Vec<Option<ClassSplit>>,
    every_low: Vec<LowHand>,
    every_high: Vec<HighHand>,
}

/// The flush has the lowest suit.
const LOWEST: [Suit; 4] = Suit::ALL;
/// The flush has the highest suit.
const HIGHEST: [Suit; 4] = [Suit::Spades, Suit::Clubs, Suit::Diamonds, Suit::Hearts];

impl<const N: usize> ClassTable<N> {
    /// Asks the clauses of `way` about a hand or two of every class.
    pub(super) fn make(classes: &'static HandClasses<N>, way: &HouseWay) -> Self {
        let mut table = Self {
            classes,
            settings: Vec::with_capacity(classes.len()),
            answers: OnceLock::new(),
            splits: vec![None],
            every_low: every_low_hand(N - 5),
            every_high: every_high_hand(way.ranking()),
        };
        let mut numbers = BTreeMap::new();
        for class in classes.all() {
            let asked = ClassHand::about(classes, way, class, LOWEST);
            let low = asked
                .as_ref()
                .and_then(|asked| LowHand::of_cards(&asked.decided.low, way.ranking()));
            let high = asked.as_ref().map(|asked| HighHand::of(&asked.decided.high, way.ranking()));
            let split = asked.and_then(|asked| settle(&asked, classes, way, class));
            let number = split
                .map_or(0, |split| *numbers.entry(split).or_insert_with(|| table.add_split(split)));
            table.settings.push(ClassSetting::new(
                place(&table.every_high, high),
                place(&table.every_low, low),
                number,
            ));
        }
        table
    }

    /// Adds a split and returns its number. A way has some hundreds. If there is no room for more,
    /// the clauses are asked about the other hands.
    fn add_split(&mut self, split: ClassSplit) -> u16 {
        let number = self.splits.len();
        if number >= ClassSetting::SPLITS {
            return 0;
        }
        self.splits.push(Some(split));
        u16::try_from(number).unwrap_or(0)
    }

    pub(super) fn answers(&self) -> &[CompiledSetting] {
        self.answers.get_or_init(|| {
            let facts = self.classes.all().map(|class| self.classes.facts(class));
            facts
                .zip(&self.settings)
                .map(|(facts, setting)| CompiledSetting::new(facts, *setting))
                .collect()
        })
    }

    /// Sets a hand by its split, or by the clauses of `way` if it has no split. Returns [`None`] if
    /// a card occurs twice.
    pub(super) fn set<'a>(&self, way: &'a HouseWay, cards: &[Card; N]) -> Option<Setting<'a>> {
        let held = CardSet::of(cards)?;
        let key = HandKey::of(cards);
        let class = self.classes.class(key);
        let setting = self.settings[class.index()];
        let Some(split) = &self.splits[setting.split_id()] else {
            return Some(way.ask_clauses(cards)?.setting(way));
        };
        let SettingDecision { low, high, by } = split.part(held, key.flush())?;
        let (low_value, high_value) = self.values_of(setting);
        Some(Setting { low, high, low_value, high_value, clause: by.cited(way) })
    }

    /// Returns the values of both hands of a class as set.
    pub(super) fn values(&self, class: HandClass) -> (LowHand, HighHand) {
        self.values_of(self.settings[class.index()])
    }

    fn values_of(&self, setting: ClassSetting) -> (LowHand, HighHand) {
        (self.every_low[setting.low_id()], self.every_high[setting.high_id()])
    }

    /// Returns how many classes have no split.
    pub(super) fn undecided(&self) -> usize {
        self.settings.iter().filter(|setting| setting.split_id() == 0).count()
    }
}

/// Returns the place of a value among all, which rise; 0 for none.
fn place<T: Ord, P: TryFrom<usize> + Default>(every: &[T], value: Option<T>) -> P {
    let place = value.and_then(|value| every.binary_search(&value).ok());
    place.and_then(|place| P::try_from(place).ok()).unwrap_or_default()
}

/// Returns the split of a class, given one of its hands as the clauses set it. If the clauses may
/// have preferred the lowest suit there, they set a second hand.
///
/// Returns [`None`] if it is still open which cards the clauses mean.
fn settle<const N: usize>(
    first: &ClassHand<N>,
    classes: &HandClasses<N>,
    way: &HouseWay,
    class: HandClass,
) -> Option<ClassSplit> {
    if !first.is_open() {
        return Some(first.split(ClassHand::side));
    }
    let second = ClassHand::about(classes, way, class, HIGHEST)?;
    [first.split(ClassHand::side), first.split(|_, _| RankSide::Either)]
        .into_iter()
        .find(|split| first.is_parted_by(split) && second.is_parted_by(split))
}

/// A hand of a class, and the decision of the clauses.
struct ClassHand<const N: usize> {
    /// In the order of the fresh deck.
    cards: [Card; N],
    flush: Option<Suit>,
    decided: SettingDecision,
}

impl<const N: usize> ClassHand<N> {
    fn about(
        classes: &HandClasses<N>,
        way: &HouseWay,
        class: HandClass,
        suits: [Suit; 4],
    ) -> Option<Self> {
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
    fn split(&self, side: impl Fn(&Self, Card) -> RankSide) -> ClassSplit {
        let in_front = |card: &Card| match card.rank() {
            None => FrontCard::Joker,
            Some(rank) => FrontCard::Of(rank, side(self, *card)),
        };
        let mut front = [None; 2];
        for (place, card) in front.iter_mut().zip(self.decided.low.iter()) {
            *place = Some(in_front(card));
        }
        front.sort_unstable_by_key(|card| (card.is_none(), *card));
        ClassSplit { front, by: self.decided.by }
    }

    fn side(&self, card: Card) -> RankSide {
        match self.flush {
            None => RankSide::Either,
            Some(suit) if card.suit() == Some(suit) => RankSide::OfFlush,
            Some(_) => RankSide::BesideFlush,
        }
    }

    fn is_parted_by(&self, split: &ClassSplit) -> bool {
        CardSet::of(&self.cards).and_then(|held| split.part(held, self.flush)) == Some(self.decided)
    }
}
