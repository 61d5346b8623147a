//! The values of the hands that a house way makes of each class.

use super::super::decided::Decided;
use crate::hands::{Class, HighHand, LowHand, Wheel, every_high_hand, every_low_hand};

/// The values of the low and the high hand of every class, as places among all values.
#[derive(Debug)]
pub(super) struct Values {
    wheel: Wheel,
    every_low: Vec<LowHand>,
    every_high: Vec<HighHand>,
    /// By the number of the class.
    low_ids: Vec<u8>,
    high_ids: Vec<u16>,
}

impl Values {
    /// Begins the values of hands with so many cards in front.
    pub(super) fn new(low_cards: usize, wheel: Wheel) -> Self {
        Self {
            wheel,
            every_low: every_low_hand(low_cards),
            every_high: every_high_hand(wheel),
            low_ids: Vec::new(),
            high_ids: Vec::new(),
        }
    }

    /// Adds those of the next class, one of whose hands is set so; the lowest ones if it
    /// is not set at all.
    pub(super) fn push(&mut self, set: Option<&Decided>) {
        let low = set.and_then(|set| LowHand::of_cards(&set.low));
        let high = set.map(|set| HighHand::of(&set.high, self.wheel));
        self.low_ids.push(place(&self.every_low, low));
        self.high_ids.push(place(&self.every_high, high));
    }

    pub(super) fn of(&self, class: Class) -> (LowHand, HighHand) {
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

/// Returns the place of a value among all, which rise; 0 for none.
fn place<T: Ord, P: TryFrom<usize> + Default>(every: &[T], value: Option<T>) -> P {
    let place = value.and_then(|value| every.binary_search(&value).ok());
    place.and_then(|place| P::try_from(place).ok()).unwrap_or_default()
}
