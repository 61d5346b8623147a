//! The place of a set hand in the order of all hands, and the hands at one place.

/// The places of a set hand among all high and all low hands, the lowest 0.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub(super) struct SpotPlace {
    pub(super) high: u16,
    pub(super) low: u8,
}

impl SpotPlace {
    pub(super) const fn point(self, hands: u32) -> SweepPoint {
        SweepPoint { high: self.high, low: self.low, hands }
    }
}

/// A number of hands that are set alike.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct SweepPoint {
    /// The place of the high hand, the lowest 0.
    pub(super) high: u16,
    /// The place of the low hand, the lowest 0; below `LOW_HANDS` of the sweep.
    pub(super) low: u8,
    /// How many hands.
    pub(super) hands: u32,
}

impl SweepPoint {
    pub(super) const fn place(&self) -> SpotPlace {
        SpotPlace { high: self.high, low: self.low }
    }
}
