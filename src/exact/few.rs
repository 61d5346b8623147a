//! Pairs of few hands, each against each.

use super::grid::Grid;
use super::sweep::Swept;

/// How many hands there can be: one for each card but six; and what fills whole lanes.
pub(super) const FEW: usize = LANES * 6;
/// So many comparisons at once.
const LANES: usize = 8;

/// Few hands, apart by high and low hand, so that many compare at once.
#[derive(Clone, Debug)]
pub(super) struct Few {
    highs: [i16; FEW],
    lows: [i16; FEW],
    len: usize,
}

impl Few {
    pub(super) const fn new() -> Self {
        // What is not filled compares as higher than any hand.
        Self { highs: [i16::MAX; FEW], lows: [i16::MAX; FEW], len: 0 }
    }

    /// Adds a hand; both places are below 2^15 - 1.
    pub(super) fn push(&mut self, high: u16, low: u8) {
        self.highs[self.len] = high.cast_signed();
        self.lows[self.len] = low.into();
        self.len += 1;
    }

    /// Returns those with a low hand below the bound.
    fn low_below(&self, bound: u8) -> Self {
        let mut below = Self::new();
        for place in (0..self.len).filter(|place| self.lows[*place] < i16::from(bound)) {
            below.highs[below.len] = self.highs[place];
            below.lows[below.len] = self.lows[place];
            below.len += 1;
        }
        below
    }
}

/// Counts the pairs of a player's and a dealer's hand by how they compare.
pub(super) fn each_with_each(player: &Few, dealer: &Few, low_bound: u8) -> Swept {
    let all = grid(player, dealer);
    let (ours, theirs) = (player.low_below(low_bound), dealer.low_below(low_bound));
    let low_below =
        if ours.len == player.len && theirs.len == dealer.len { all } else { grid(&ours, &theirs) };
    Swept { all, low_below }
}

fn grid(player: &Few, dealer: &Few) -> Grid<u64> {
    // By high and low hand: win and win, win and copy, copy and win, copy and copy; then
    // high wins and copies, low wins and copies, whatever the other hand.
    let mut sums = [0_u64; 8];
    let highs = dealer.highs.chunks_exact(LANES).zip(dealer.lows.chunks_exact(LANES));
    for (highs, lows) in highs.take(dealer.len.div_ceil(LANES)) {
        let mut counts = [[0_i16; LANES]; 8];
        for place in 0..player.len {
            let (high, low) = (player.highs[place], player.lows[place]);
            for lane in 0..LANES {
                let high_win = i16::from(high > highs[lane]);
                let high_copy = i16::from(high == highs[lane]);
                let low_win = i16::from(low > lows[lane]);
                let low_copy = i16::from(low == lows[lane]);
                counts[0][lane] += high_win & low_win;
                counts[1][lane] += high_win & low_copy;
                counts[2][lane] += high_copy & low_win;
                counts[3][lane] += high_copy & low_copy;
                counts[4][lane] += high_win;
                counts[5][lane] += high_copy;
                counts[6][lane] += low_win;
                counts[7][lane] += low_copy;
            }
        }
        for (sum, lanes) in sums.iter_mut().zip(counts) {
            *sum += lanes.into_iter().map(|count| u64::from(count.unsigned_abs())).sum::<u64>();
        }
    }
    let [ww, wc, cw, cc, high_win, high_copy, low_win, low_copy] = sums;
    let pairs = (player.len * dealer.len) as u64;
    let row = |high: u64, win, copy| [win, copy, high - win - copy];
    let (win, copy) = (row(high_win, ww, wc), row(high_copy, cw, cc));
    let lose = row(pairs - high_win - high_copy, low_win - ww - cw, low_copy - wc - cc);
    Grid::new([win, copy, lose])
}
