//! The values of the hands that a house way makes of each class.

use crate::cards::{Card, Suit};
use crate::hands::{
    Class, Classes, HandKey, HighHand, LowHand, Wheel, every_high_hand, every_low_hand,
};

use super::super::setting::LowCards;

/// The values of the low and the high hand of every class, as places among all values.
#[derive(Debug)]
pub(super) struct Values {
    every_low: Vec<LowHand>,
    every_high: Vec<HighHand>,
    /// By the number of the class.
    low_ids: Vec<u8>,
    high_ids: Vec<u16>,
}

impl Values {
    /// Parts a hand of every class.
    pub(super) fn of<const N: usize>(
        classes: &Classes<N>,
        wheel: Wheel,
        part: impl Fn(Class, &[Card; N], Option<Suit>) -> Option<(LowCards, [Card; 5])>,
    ) -> Self {
        let (every_low, every_high) = (every_low_hand(N - 5), every_high_hand(wheel));
        let (mut low_ids, mut high_ids) = (Vec::new(), Vec::new());
        for class in classes.all() {
            let mut cards = classes.hand(class, Suit::ALL);
            cards.sort_unstable();
            let parted = part(class, &cards, HandKey::of(&cards).flush());
            let (low, high) = parted.expect("a hand of the class");
            let low = LowHand::of_cards(&low).expect("one card or two");
            low_ids.push(place(&every_low, low).expect("one of all values"));
            high_ids.push(place(&every_high, HighHand::of(&high, wheel)).expect("likewise"));
        }
        Self { every_low, every_high, low_ids, high_ids }
    }

    pub(super) fn of_class(&self, class: Class) -> (LowHand, HighHand) {
        let (low, high) = (self.low_ids[class.index()], self.high_ids[class.index()]);
        (self.every_low[usize::from(low)], self.every_high[usize::from(high)])
    }

    pub(super) fn low_ids(&self) -> &[u8] {
        &self.low_ids
    }

    pub(super) fn high_ids(&self) -> &[u16] {
        &self.high_ids
    }
}

/// Returns the place of a value among all, which rise.
fn place<T: Ord, P: TryFrom<usize>>(every: &[T], value: T) -> Option<P> {
    P::try_from(every.binary_search(&value).ok()?).ok()
}
