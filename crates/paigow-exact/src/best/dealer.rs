//! The place of every hand as the dealer sets it.

use crate::lookup::{ClassLookup, SpotLookup};
use crate::spots::in_order;
use paigow_rules::cards::{Card, Suit};
use paigow_rules::game::SetHand;
use paigow_rules::hands::{HandClass, HandClasses, HandKey, HighHand, LowHand, Ranking};
use paigow_rules::house_way::HouseWay;

/// A hand of the dealer by its places among all of the dealer's high and low hands, the lowest 0.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct DealerSpot {
    pub(super) high: u16,
    pub(super) low: u8,
    pub(super) is_marked: bool,
}

/// The dealer's hands of `N` cards, by class.
#[derive(Debug)]
pub(super) struct DealerHands<const N: usize> {
    /// The number of the spot of each hand.
    pub(super) lookup: ClassLookup<N>,
    /// By rising high hand, then low hand.
    pub(super) spots: Vec<DealerSpot>,
    highs: Vec<HighHand>,
    lows: Vec<LowHand>,
}

/// The place of a player's setting among the dealer's hands: how many different high hands and low
/// hands of the dealer are below it.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct SettingPlace {
    pub(super) high: u16,
    pub(super) low: u8,
}

impl SettingPlace {
    /// Returns whether this setting does as well as `other` against every hand.
    pub(super) const fn covers(self, other: Self) -> bool {
        self.high >= other.high && self.low >= other.low
    }
}

impl<const N: usize> DealerHands<N> {
    /// Sets a hand of every class. Hands for which `is_marked` returns true are marked. It may test
    /// ranks and flushes only.
    ///
    /// Returns [`None`] if the way does not set `N` cards.
    pub(super) fn of(
        classes: &'static HandClasses<N>,
        way: &HouseWay,
        ranking: Ranking,
        is_marked: impl Fn(&[Card; N], SetHand) -> bool,
    ) -> Option<Self> {
        let set = classes.all().map(|class| {
            let cards = classes.hand(class, Suit::ALL);
            let setting = way.set(&cards)?;
            let low = LowHand::of_cards(&setting.low, ranking)?;
            let high = HighHand::of(&setting.high, ranking);
            Some((high, low, is_marked(&cards, SetHand { high, low })))
        });
        let set: Vec<_> = set.collect::<Option<_>>()?;
        let highs = in_order(set.iter().map(|(high, ..)| *high));
        let lows = in_order(set.iter().map(|(_, low, _)| *low));
        let each = set.iter().map(|(high, low, is_marked)| {
            let high = highs.binary_search(high).ok()?.try_into().ok()?;
            let low = lows.binary_search(low).ok()?.try_into().ok()?;
            Some(DealerSpot { high, low, is_marked: *is_marked })
        });
        let each: Vec<DealerSpot> = each.collect::<Option<_>>()?;
        let spots = in_order(each.iter().copied());
        let number = |spot| u32::try_from(spots.binary_search(spot).ok()?).ok();
        let numbers = each.iter().map(number).collect::<Option<_>>()?;
        Some(Self { lookup: ClassLookup::new(classes, numbers), spots, highs, lows })
    }

    /// Returns the spot of the hands of a class.
    pub(super) fn of_class(&self, class: HandClass) -> DealerSpot {
        self.spots[self.lookup.of_class(class) as usize]
    }

    /// Returns the spot of a hand.
    pub(super) fn of_cards(&self, cards: &[Card; N]) -> DealerSpot {
        let key = cards.iter().fold(HandKey::EMPTY, |key, card| key.plus(*card));
        self.spots[self.lookup.spot(key) as usize]
    }

    /// Returns how many different high hands and low hands there are.
    pub(super) const fn sizes(&self) -> (usize, usize) {
        (self.highs.len(), self.lows.len())
    }

    /// Returns the place of two hands of the player.
    pub(super) fn place(&self, high: HighHand, low: LowHand) -> SettingPlace {
        let high = self.highs.partition_point(|other| *other < high);
        let low = self.lows.partition_point(|other| *other < low);
        // Both values come from places that fit.
        SettingPlace {
            high: u16::try_from(high).unwrap_or(u16::MAX),
            low: u8::try_from(low).unwrap_or(u8::MAX),
        }
    }
}
