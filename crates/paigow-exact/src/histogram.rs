//! Counts of hands by their spots.

use std::iter;

/// How many hands there are of each spot.
#[derive(Clone, Debug)]
pub(super) struct Histogram {
    hands: Vec<u32>,
    /// Bit `n` of word `m`: whether there may be any of spot `64 m + n`.
    touched: Vec<u64>,
    /// Bit `n` of word `m`: whether any bit of `touched` is set in word `64 m + n`.
    words: Vec<u64>,
}

impl Histogram {
    pub(super) fn new(spots: usize) -> Self {
        let words = spots.div_ceil(64);
        Self { hands: vec![0; spots], touched: vec![0; words], words: vec![0; words.div_ceil(64)] }
    }

    pub(super) fn add(&mut self, spot: u32, hands: u32) {
        let spot = spot as usize;
        self.hands[spot] = self.hands[spot].wrapping_add(hands);
        self.touched[spot / 64] |= 1 << (spot % 64);
        self.words[spot / 4096] |= 1 << (spot / 64 % 64);
    }

    /// Writes the counts by rising spot, and resets them.
    pub(super) fn take(&mut self, taken: &mut Vec<(u32, u32)>) {
        taken.clear();
        for (words, first) in self.words.iter_mut().zip((0_u32..).step_by(64)) {
            for word in bits_of(words, first) {
                for spot in bits_of(&mut self.touched[word as usize], 64 * word) {
                    let hands = std::mem::take(&mut self.hands[spot as usize]);
                    if hands > 0 {
                        taken.push((spot, hands));
                    }
                }
            }
        }
    }
}

/// Returns the numbers of the bits that are set, from `first` on, and clears them.
fn bits_of(word: &mut u64, first: u32) -> impl Iterator<Item = u32> {
    let mut left = std::mem::take(word);
    iter::from_fn(move || {
        let bit = (left != 0).then(|| first + left.trailing_zeros());
        left &= left.wrapping_sub(1);
        bit
    })
}
