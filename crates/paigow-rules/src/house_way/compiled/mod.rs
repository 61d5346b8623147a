//! A house way as a table: from the class of a hand to its two hands and its clause.
//!
//! A house way chooses the cards in front by ranks, by the flush suit and by the joker, and so by
//! the class of the hand. The other suits decide only which of equal cards is named: the lowest. A
//! test compares every hand with the clauses.

mod answer;
mod split;
mod table;

use super::HouseWay;
use super::setting::Setting;
use crate::cards::Card;
use crate::hands::{HandClass, HandClasses, HighHand, LowHand};

use table::ClassTable;

pub use answer::CompiledSetting;

/// The table of a house way: the decisions of its clauses for every class of hands.
///
/// It gives the same cards as the clauses, at the cost of a look-up.
#[derive(Debug)]
pub struct CompiledWay(TableBySize);

#[derive(Debug)]
enum TableBySize {
    Six(ClassTable<6>),
    Seven(ClassTable<7>),
}

impl CompiledWay {
    /// Asks the clauses of `way` about a hand or two of every class.
    pub(super) fn make(way: &HouseWay) -> Self {
        Self(if way.cards() == 6 {
            TableBySize::Six(ClassTable::make(HandClasses::<6>::get(), way))
        } else {
            TableBySize::Seven(ClassTable::make(HandClasses::<7>::get(), way))
        })
    }

    /// Sets the cards of a hand as `way` sets them. The table must have been made from `way`.
    ///
    /// Returns [`None`] if the number of cards is not that of the way, or if a card occurs twice.
    #[must_use]
    pub fn set<'a>(&self, way: &'a HouseWay, cards: &[Card]) -> Option<Setting<'a>> {
        match &self.0 {
            TableBySize::Six(table) => table.set(way, cards.try_into().ok()?),
            TableBySize::Seven(table) => table.set(way, cards.try_into().ok()?),
        }
    }

    /// Returns the whole decision for each class, by its number.
    #[must_use]
    pub fn answers(&self) -> &[CompiledSetting] {
        match &self.0 {
            TableBySize::Six(table) => table.answers(),
            TableBySize::Seven(table) => table.answers(),
        }
    }

    /// Returns the number of classes whose hands are not all set alike.
    ///
    /// The table leaves these to the clauses, hand by hand. A way whose clauses test ranks and the
    /// flush suit alone has none.
    #[must_use]
    pub fn undecided(&self) -> usize {
        match &self.0 {
            TableBySize::Six(table) => table.undecided(),
            TableBySize::Seven(table) => table.undecided(),
        }
    }

    /// Returns the values of the low and the high hand in which the hands of `class` are set.
    /// A-2-3-4-5 ranks as the way states.
    ///
    /// # Panics
    ///
    /// For a class of hands of another number of cards that the table does not have.
    #[must_use]
    pub fn values(&self, class: HandClass) -> (LowHand, HighHand) {
        match &self.0 {
            TableBySize::Six(table) => table.values(class),
            TableBySize::Seven(table) => table.values(class),
        }
    }

    /// Returns [`CompiledSetting::high_id`] of each class, by its number.
    #[must_use]
    pub fn high_ids(&self) -> Vec<u16> {
        self.answers().iter().map(|answer| answer.high_id()).collect()
    }

    /// Returns [`CompiledSetting::low_id`] of each class, by its number.
    #[must_use]
    pub fn low_ids(&self) -> Vec<u8> {
        self.answers().iter().map(|answer| answer.low_id()).collect()
    }
}
