//! The decision of a house way for the hands of a class, in four bytes. In eight bytes, also all
//! facts that the class decides.

use crate::hands::HandFacts;

/// The setting of the hands of a class: half as large as a [`CompiledSetting`], so that the settings
/// of all classes fit a processor's cache.
// From bit 0 the place of the high hand, which is below 7,475. From bit 13 the place of the low
// hand, which is below 91. From bit 20 the number of the split.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct ClassSetting(u32);

impl ClassSetting {
    /// How many splits there is room for.
    pub(super) const SPLITS: usize = 1 << 12;

    /// Holds these; the number of the split is below [`Self::SPLITS`].
    pub(super) fn new(high_id: u16, low_id: u8, split: u16) -> Self {
        Self(u32::from(high_id) | u32::from(low_id) << 13 | u32::from(split) << 20)
    }

    /// Returns the place of the high hand, as [`CompiledSetting::high_id`].
    pub(super) const fn high_id(self) -> usize {
        (self.0 & 0x1fff) as usize
    }

    /// Returns the place of the low hand, as [`CompiledSetting::low_id`].
    pub(super) const fn low_id(self) -> usize {
        (self.0 >> 13 & 0x7f) as usize
    }

    /// Returns the number of the split, as [`CompiledSetting::split_id`].
    pub(super) const fn split_id(self) -> usize {
        (self.0 >> 20) as usize
    }
}

/// All that a class and a house way decide about a hand.
///
/// One look-up gives the facts for the bets, the values of both hands as set, and the cards in
/// front.
// Bits from 0: the facts. From 29, the decision of the way: the place of the high hand, from 42
// that of the low hand, from 49 the number of the split.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CompiledSetting(u64);

const FACTS: u64 = (1 << HIGH_AT) - 1;
const HIGH_AT: u32 = 29;
const LOW_AT: u32 = 42;
const SPLIT_AT: u32 = 49;

impl CompiledSetting {
    /// Holds both.
    pub(super) fn new(facts: HandFacts, ClassSetting(setting): ClassSetting) -> Self {
        Self(u64::from(facts.bits()) | u64::from(setting) << HIGH_AT)
    }

    /// Returns the facts that the class decides for the bets.
    #[inline]
    #[must_use]
    pub const fn facts(self) -> HandFacts {
        HandFacts::from_bits((self.0 & FACTS) as u32)
    }

    /// Returns the place of the high hand as set among all values of five cards,
    /// [`crate::hands::every_high_hand`], the lowest being 0.
    ///
    /// Places of two ways compare if both rank A-2-3-4-5 alike.
    #[inline]
    #[must_use]
    pub const fn high_id(self) -> u16 {
        (self.0 >> HIGH_AT & 0x1fff) as u16
    }

    /// Returns the place of the low hand as set among all values of as many cards,
    /// [`crate::hands::every_low_hand`], the lowest being 0.
    #[inline]
    #[must_use]
    pub const fn low_id(self) -> u8 {
        (self.0 >> LOW_AT & 0x7f) as u8
    }

    /// Returns the number of the split. The same clause sets two classes with one number, with the
    /// same ranks in front, on the same side of the flush.
    #[inline]
    #[must_use]
    pub const fn split_id(self) -> u16 {
        (self.0 >> SPLIT_AT) as u16
    }

    /// Returns the whole value, for a caller that adds up or stores it.
    #[inline]
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }
}
