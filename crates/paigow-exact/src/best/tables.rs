//! Counts the dealer's hands with some cards that a setting beats, and those that it loses to.

use super::dealer::{DealerSpot, SettingPlace};

/// Some hands of the dealer, prepared for comparison.
#[derive(Debug)]
pub(super) enum DealerTable {
    /// Sums over all hands below each place.
    Many(SummedHands),
    /// The hands themselves.
    Few(ListedHands),
}

/// The number of spots up to which single comparisons are faster than sums.
const FEW: usize = 48;

impl DealerTable {
    /// Holds this many hands of each spot, by rising high hand. `sizes` is how many different high
    /// and low hands there are.
    pub(super) fn of(hands: &[(DealerSpot, u32)], sizes: (usize, usize)) -> Self {
        if hands.len() <= FEW {
            Self::Few(ListedHands::of(hands))
        } else {
            Self::Many(SummedHands::of(hands, sizes))
        }
    }

    /// Returns how many hands a setting beats in both hands, and to how many it loses in both.
    #[inline]
    pub(super) fn weigh(&self, place: SettingPlace) -> (u32, u32) {
        match self {
            Self::Many(sums) => sums.weigh(place),
            Self::Few(hands) => hands.weigh(place),
        }
    }
}

/// This many hands of each of some spots, place by place.
#[derive(Debug)]
pub(super) struct ListedHands {
    highs: Vec<u32>,
    lows: Vec<u32>,
    hands: Vec<u32>,
}

impl ListedHands {
    fn of(hands: &[(DealerSpot, u32)]) -> Self {
        Self {
            highs: hands.iter().map(|(spot, _)| spot.high.into()).collect(),
            lows: hands.iter().map(|(spot, _)| spot.low.into()).collect(),
            hands: hands.iter().map(|(_, hands)| *hands).collect(),
        }
    }

    #[inline]
    fn weigh(&self, place: SettingPlace) -> (u32, u32) {
        let (high, low) = (u32::from(place.high), u32::from(place.low));
        let mut weighed = (0, 0);
        for ((other_high, other_low), hands) in self.highs.iter().zip(&self.lows).zip(&self.hands) {
            let is_higher = u32::from(*other_high < high);
            let is_lower = u32::from(*other_low < low);
            weighed.0 += (is_higher & is_lower) * hands;
            weighed.1 += (1 - (is_higher | is_lower)) * hands;
        }
        weighed
    }
}

/// The numbers of hands below each place.
#[derive(Debug)]
pub(super) struct SummedHands {
    /// By the place of a high hand among all: how many different high hands of this table are below
    /// it.
    rows: Vec<u16>,
    /// By row, then by the place of a low hand: the hands below both.
    below: Vec<u32>,
    /// How long a row is.
    width: usize,
    /// The row below which all hands are.
    last: usize,
}

impl SummedHands {
    fn of(hands: &[(DealerSpot, u32)], (highs, lows): (usize, usize)) -> Self {
        let width = lows + 1;
        let mut rows = Vec::with_capacity(highs + 1);
        let mut below = vec![0; width];
        let mut of_row = vec![0; width];
        let mut rest = hands;
        let mut row = 0;
        while let Some((first, _)) = rest.first() {
            rows.resize(usize::from(first.high) + 1, row);
            row += 1;
            let same = rest.iter().take_while(|(spot, _)| spot.high == first.high).count();
            for (spot, hands) in &rest[..same] {
                of_row[usize::from(spot.low) + 1] += hands;
            }
            rest = &rest[same..];
            let start = below.len() - width;
            let mut sum = 0;
            for place in 0..width {
                sum += std::mem::take(&mut of_row[place]);
                below.push(below[start + place] + sum);
            }
        }
        rows.resize(highs + 1, row);
        Self { rows, below, width, last: usize::from(row) * width }
    }

    #[inline]
    fn weigh(&self, SettingPlace { high, low }: SettingPlace) -> (u32, u32) {
        let (row, low) = (usize::from(self.rows[usize::from(high)]) * self.width, usize::from(low));
        let (won, all) = (self.below[row + low], self.below[self.last + self.width - 1]);
        let (lower_high, lower_low) =
            (self.below[row + self.width - 1], self.below[self.last + low]);
        (won, all + won - lower_high - lower_low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_say_what_comparing_one_by_one_says() {
        // Every third spot, in numbers that differ.
        let spots = (0..40_u16).flat_map(|high| (0..7).map(move |low| (high, low)));
        let held: Vec<(DealerSpot, u32)> = spots
            .filter(|(high, low)| (high * 5 + u16::from(*low)) % 3 == 0)
            .map(|(high, low)| DealerSpot { high, low, is_marked: false })
            .zip(1..)
            .collect();
        let table = DealerTable::of(&held, (40, 7));
        assert!(matches!(table, DealerTable::Many(_)));
        for high in 0..=40 {
            for low in 0..=7 {
                let place = SettingPlace { high, low };
                let few = ListedHands::of(&held).weigh(place);
                assert_eq!(table.weigh(place), few, "{place:?}");
            }
        }
    }
}
