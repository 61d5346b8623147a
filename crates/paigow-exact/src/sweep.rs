//! Counts how often one of two lists of hands beats the other, in a pass over both.
//!
//! A hand is a point: the place of its high hand among all high hands, and that of its low hand
//! among all low hands. The points are visited by rising high hand. The points below are kept as
//! sums over the low hands. So each point costs two look-ups and one update, whatever the number of
//! points.

use std::ops::AddAssign;

use super::grid::Grid;
use super::place::SweepPoint;

/// How many low hands fit: 13 pairs and 78 others, rounded up to whole blocks.
pub(super) const LOW_HANDS: usize = BLOCKS * BLOCK;
const BLOCKS: usize = 12;
const BLOCK: usize = 8;

/// The pairs that a sweep counts.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SweepCounts {
    pub(super) all: Grid<u64>,
    /// Those in which both low hands are below a bound.
    pub(super) low_below: Grid<u64>,
}

/// Counts the pairs of a player's and a dealer's hand by how they compare. Both lists are in the
/// order of high hand, then low hand.
pub(super) fn sweep(player: &[SweepPoint], dealer: &[SweepPoint], low_bound: u8) -> SweepCounts {
    // By the player's low hand: place 0 below the bound, place 1 not.
    let mut counted = [PartialCounts::default(); 2];
    // Pairs whatever the low hands: place 0 if both are below the bound, place 1 all.
    let (mut win, mut copy) = ([0; 2], [0; 2]);
    let mut below = LowerHands::default();
    let mut player_lows = [0_u64; LOW_HANDS];
    let (mut waiting, mut rest) = (dealer, player);
    while let Some(first) = rest.first() {
        let high = first.high;
        let lower = split_while(&mut waiting, |point| point.high < high);
        for point in lower {
            below.add(*point, low_bound);
        }
        let same_high = |point: &SweepPoint| point.high == high;
        let equal = &waiting[..waiting.iter().take_while(|point| same_high(point)).count()];
        let group = split_while(&mut rest, same_high);
        let (mut place, mut equal_less) = (0, 0);
        for point in group {
            while equal.get(place).is_some_and(|other| other.low < point.low) {
                equal_less += u64::from(equal[place].hands);
                place += 1;
            }
            let same = equal.get(place).filter(|other| other.low == point.low);
            let equal_same = same.map_or(0, |other| u64::from(other.hands));
            let hands = u64::from(point.hands);
            let (less, same) = below.at(point.low);
            player_lows[usize::from(point.low)] += hands;
            let sum = &mut counted[usize::from(point.low >= low_bound)];
            sum.win[0] += hands * less;
            sum.win[1] += hands * same;
            sum.copy[0] += hands * equal_less;
            sum.copy[1] += hands * equal_same;
        }
        let (group, equal) = (totals(group, low_bound), totals(equal, low_bound));
        for side in [0, 1] {
            win[side] += group[side] * below.total[side];
            copy[side] += group[side] * equal[side];
        }
    }
    for point in waiting {
        below.add(*point, low_bound);
    }
    let [low, mut all] = counted;
    all += low;
    SweepCounts {
        all: all.grid(win[1], copy[1], &player_lows, &below.lows),
        low_below: {
            let bound = usize::from(low_bound);
            low.grid(win[0], copy[0], &player_lows[..bound], &below.lows[..bound])
        },
    }
}

/// Returns, for each of the player's hands, how many of the dealer's it beats in both hands, and
/// how many it beats in neither. Both lists are in the order of high hand, then low hand.
pub(super) fn beaten(player: &[SweepPoint], dealer: &[SweepPoint]) -> Vec<(u32, u32)> {
    let mut everything = LowerHands::default();
    for point in dealer {
        everything.add(*point, 0);
    }
    let all: u32 = dealer.iter().map(|point| point.hands).sum();
    let mut below = LowerHands::default();
    let (mut waiting, mut lower_high) = (dealer, 0);
    let result = |point: &SweepPoint| {
        for lower in split_while(&mut waiting, |other| other.high < point.high) {
            below.add(*lower, 0);
            lower_high += lower.hands;
        }
        let (both, lower_low) = (below.less(point.low), everything.less(point.low));
        // Beaten in neither: all hands, without those with a lower high hand or a lower low hand.
        (both, all + both - lower_high - lower_low)
    };
    player.iter().map(result).collect()
}

/// Cuts off the points at the front of which `is_in` is true.
fn split_while<'a>(
    points: &mut &'a [SweepPoint],
    is_in: impl Fn(&SweepPoint) -> bool,
) -> &'a [SweepPoint] {
    let (front, rest) = points.split_at(points.iter().take_while(|point| is_in(point)).count());
    *points = rest;
    front
}

/// Returns how many hands have a low hand below the bound, and how many there are.
fn totals(points: &[SweepPoint], low_bound: u8) -> [u64; 2] {
    points.iter().fold([0, 0], |[below, all], point| {
        let hands = u64::from(point.hands);
        [below + if point.low < low_bound { hands } else { 0 }, all + hands]
    })
}

/// The dealer's hands whose high hand is below the current one, by low hand.
struct LowerHands {
    lows: [u32; LOW_HANDS],
    /// Of each low hand, the hands with a lower one in its block.
    in_block: [[u32; BLOCK]; BLOCKS],
    /// The hands in the blocks before each.
    before: [u32; BLOCKS],
    /// Those with a low hand below the bound, and all.
    total: [u64; 2],
}

impl Default for LowerHands {
    fn default() -> Self {
        Self {
            lows: [0; LOW_HANDS],
            in_block: [[0; BLOCK]; BLOCKS],
            before: [0; BLOCKS],
            total: [0; 2],
        }
    }
}

impl LowerHands {
    fn add(&mut self, point: SweepPoint, low_bound: u8) {
        let low = usize::from(point.low);
        let (block, place) = (low / BLOCK, low % BLOCK);
        self.lows[low] += point.hands;
        // Masks in place of loops of varying length.
        for (other, sum) in self.in_block[block].iter_mut().enumerate() {
            *sum += if other > place { point.hands } else { 0 };
        }
        for (other, sum) in self.before.iter_mut().enumerate() {
            *sum += if other > block { point.hands } else { 0 };
        }
        self.total[0] += if point.low < low_bound { u64::from(point.hands) } else { 0 };
        self.total[1] += u64::from(point.hands);
    }

    /// Returns how many have a lower low hand, and how many the same.
    fn at(&self, low: u8) -> (u64, u64) {
        (self.less(low).into(), self.lows[usize::from(low)].into())
    }

    fn less(&self, low: u8) -> u32 {
        let (block, place) = (usize::from(low) / BLOCK, usize::from(low) % BLOCK);
        self.before[block] + self.in_block[block][place]
    }
}

/// The pairs in which the player's high hand wins, and those in which it ties. Each is split into
/// those in which the low hand wins, and those in which it ties.
#[derive(Clone, Copy, Debug, Default)]
struct PartialCounts {
    win: [u64; 2],
    copy: [u64; 2],
}

impl PartialCounts {
    /// Adds the rest of all pairs: of `win` and `copy` pairs whatever the low hands, and of all low
    /// hands of player and dealer.
    fn grid(&self, win: u64, copy: u64, player: &[u64], dealer: &[u32]) -> Grid<u64> {
        let dealers: u64 = dealer.iter().map(|hands| u64::from(*hands)).sum();
        let mut lows = [0; 3];
        let mut less = 0;
        for (ours, theirs) in player.iter().zip(dealer) {
            let theirs = u64::from(*theirs);
            lows[0] += ours * less;
            lows[1] += ours * theirs;
            lows[2] += ours * (dealers - less - theirs);
            less += theirs;
        }
        let row = |[less, same]: [u64; 2], any: u64| [less, same, any - less - same];
        let (win, copy) = (row(self.win, win), row(self.copy, copy));
        Grid::new([win, copy, [0, 1, 2].map(|low| lows[low] - win[low] - copy[low])])
    }
}

impl AddAssign for PartialCounts {
    fn add_assign(&mut self, other: Self) {
        for low in 0..2 {
            self.win[low] += other.win[low];
            self.copy[low] += other.copy[low];
        }
    }
}
