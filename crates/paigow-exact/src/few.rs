//! Pairs of hands of few spots, each against each.

use std::ops::Range;

use super::grid::Grid;
use super::place::SpotPlace;
use super::sweep::SweepCounts;

/// The greatest number of spots, in whole lanes of 16.
///
/// There are those of one more card of each rank or the joker. There are also those of flushes by
/// cards of one suit, or of two suits in hands of six.
const FEW: usize = 48;

/// Hands of few spots, split into high and low hands, so that many compare at once.
#[derive(Clone, Debug)]
pub(super) struct FewSpots {
    highs: [i16; FEW],
    lows: [i16; FEW],
    hands: [i16; FEW],
    len: usize,
}

impl FewSpots {
    pub(super) const fn new() -> Self {
        Self { highs: [0; FEW], lows: [0; FEW], hands: [0; FEW], len: 0 }
    }

    /// Adds so many hands of a place.
    pub(super) fn push(&mut self, place: SpotPlace, hands: u32) {
        self.highs[self.len] = place.high.cast_signed();
        self.lows[self.len] = place.low.into();
        self.hands[self.len] = i16::try_from(hands).unwrap_or(i16::MAX);
        self.len += 1;
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }

    fn push_of(&mut self, other: &Self, place: usize) {
        self.highs[self.len] = other.highs[place];
        self.lows[self.len] = other.lows[place];
        self.hands[self.len] = other.hands[place];
        self.len += 1;
    }

    /// Returns the spots with a low hand below the bound first, then the others. Also returns the
    /// number of the former.
    fn parted(&self, bound: u8) -> (Self, usize) {
        let mut parted = Self::new();
        let is_below = |place: &usize| self.lows[*place] < i16::from(bound);
        for place in (0..self.len).filter(is_below) {
            parted.push_of(self, place);
        }
        let below = parted.len;
        for place in (0..self.len).filter(|place| !is_below(place)) {
            parted.push_of(self, place);
        }
        (parted, below)
    }

    /// Returns the first spots alone.
    fn first(&self, len: usize) -> Self {
        let mut first = Self::new();
        for place in 0..len {
            first.push_of(self, place);
        }
        first
    }

    fn total(&self) -> i64 {
        self.hands.iter().map(|hands| i64::from(*hands)).sum()
    }

    /// Returns the place after the last spot, up to whole lanes.
    const fn end(&self) -> usize {
        self.len.next_multiple_of(16)
    }
}

/// Counts the pairs of a player's and a dealer's hand by how they compare.
pub(super) fn each_with_each(player: &FewSpots, dealer: &FewSpots, low_bound: u8) -> SweepCounts {
    let ((ours, our_len), (theirs, their_len)) =
        (player.parted(low_bound), dealer.parted(low_bound));
    let low_below = grid(&ours.first(our_len), &theirs.first(their_len));
    SweepCounts { all: grid(player, dealer), low_below }
}

/// Counts the pairs of hands that are both in `hands`, which player and dealer set alike. It counts
/// one half; the other mirrors it.
pub(super) fn each_with_each_other(hands: &FewSpots, low_bound: u8) -> SweepCounts {
    let (hands, below_len) = hands.parted(low_bound);
    let below = upper(&hands, 0..below_len, &hands);
    let above = upper(&hands, below_len..hands.len, &hands);
    // A low hand that is lower or equal is below the bound too.
    let all = [0, 1, 2, 3].map(|place| below[place] + above[place]);
    let low_below = mirrored(below, hands.first(below_len).total());
    SweepCounts { all: mirrored(all, hands.total()), low_below }
}

/// Counts the pairs in which neither the high nor the low hand loses: win and win, win and
/// copy, copy and win, copy and copy.
fn upper(player: &FewSpots, places: Range<usize>, dealer: &FewSpots) -> [i64; 4] {
    let mut sums = [0; 4];
    let end = dealer.end();
    for place in places {
        let (high, low) = (player.highs[place], player.lows[place]);
        let mut counts = [0_i16; 4];
        let others = dealer.highs[..end].iter().zip(&dealer.lows[..end]);
        for ((other_high, other_low), hands) in others.zip(&dealer.hands[..end]) {
            let high_win = -i16::from(high > *other_high);
            let high_copy = -i16::from(high == *other_high);
            let low_win = -i16::from(low > *other_low) & hands;
            let low_copy = -i16::from(low == *other_low) & hands;
            counts[0] += high_win & low_win;
            counts[1] += high_win & low_copy;
            counts[2] += high_copy & low_win;
            counts[3] += high_copy & low_copy;
        }
        add(&mut sums, counts, player.hands[place]);
    }
    sums
}

/// Counts the pairs in which the high hand wins or ties, and those in which the low hand wins or
/// ties, whatever the other hand.
fn either(player: &FewSpots, dealer: &FewSpots) -> [i64; 4] {
    let mut sums = [0; 4];
    let end = dealer.end();
    for place in 0..player.len {
        let (high, low) = (player.highs[place], player.lows[place]);
        let mut counts = [0_i16; 4];
        let others = dealer.highs[..end].iter().zip(&dealer.lows[..end]);
        for ((other_high, other_low), hands) in others.zip(&dealer.hands[..end]) {
            counts[0] += -i16::from(high > *other_high) & hands;
            counts[1] += -i16::from(high == *other_high) & hands;
            counts[2] += -i16::from(low > *other_low) & hands;
            counts[3] += -i16::from(low == *other_low) & hands;
        }
        add(&mut sums, counts, player.hands[place]);
    }
    sums
}

fn add(sums: &mut [i64; 4], counts: [i16; 4], hands: i16) {
    for (sum, count) in sums.iter_mut().zip(counts) {
        *sum += i64::from(count) * i64::from(hands);
    }
}

/// Returns the grid of all pairs of so many hands from the pairs that [`upper`] counts.
fn mirrored([ww, wc, cw, cc]: [i64; 4], hands: i64) -> Grid<u64> {
    let one_each = (hands * hands - cc - 2 * (ww + wc + cw)) / 2;
    Grid::new([[ww, wc, one_each], [cw, cc, cw], [one_each, wc, ww]]).map(i64::cast_unsigned)
}

fn grid(player: &FewSpots, dealer: &FewSpots) -> Grid<u64> {
    let [ww, wc, cw, cc] = upper(player, 0..player.len, dealer);
    let [high_win, high_copy, low_win, low_copy] = either(player, dealer);
    let pairs = player.total() * dealer.total();
    let row = |high: i64, win, copy| [win, copy, high - win - copy];
    let (win, copy) = (row(high_win, ww, wc), row(high_copy, cw, cc));
    let lose = row(pairs - high_win - high_copy, low_win - ww - cw, low_copy - wc - cc);
    Grid::new([win, copy, lose]).map(i64::cast_unsigned)
}
