//! Every hand up to a renaming of suits, with the hands that each stands for.

use std::array;
use std::sync::LazyLock;

use crate::cards::{Card, Rank, Suit};

/// `N` cards up to a renaming of suits: the names of the suits decide no outcome.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct CanonicalHand<const N: usize> {
    /// The ranks held of each suit, bit `n` the rank with index `n`; never rising.
    suits: [u16; 4],
    joker: bool,
}

impl<const N: usize> CanonicalHand<N> {
    /// Returns the cards of the hand, with these names of its four suits. They are in no order.
    #[must_use]
    pub fn cards(&self, names: [Suit; 4]) -> [Card; N] {
        let mut naturals = self.suits.into_iter().zip(names).flat_map(|(held, suit)| {
            let ranks = Rank::ALL.into_iter().filter(move |rank| held >> rank.index() & 1 == 1);
            ranks.map(move |rank| Card::new(rank, suit))
        });
        // The joker is the only card that is not a natural.
        array::from_fn(|_| naturals.next().unwrap_or(Card::JOKER))
    }

    /// Returns every hand that this one stands for, once each.
    pub fn namings(self) -> impl Iterator<Item = [Card; N]> {
        let is_first = move |names: &&[Suit; 4]| {
            // Suits that hold the same ranks are named in one order only.
            let mut pairs = self.suits.windows(2).zip(names.windows(2));
            pairs.all(|(held, names)| held[0] != held[1] || names[0] < names[1])
        };
        NAMES.iter().filter(is_first).map(move |names| self.cards(*names))
    }

    /// Returns how many hands this one stands for: 24, or fewer if an exchange of suits changes
    /// nothing.
    #[must_use]
    pub fn multiplicity(&self) -> u64 {
        let mut unchanged = 1;
        let mut run = 1;
        for pair in self.suits.windows(2) {
            run = if pair[0] == pair[1] { run + 1 } else { 1 };
            unchanged *= run;
        }
        24 / unchanged
    }

    /// Whether the joker is held.
    #[must_use]
    pub const fn has_joker(&self) -> bool {
        self.joker
    }
}

/// The 24 orders of four suits, the order of the fresh deck first.
const NAMES: [[Suit; 4]; 24] = {
    let mut names = [Suit::ALL; 24];
    let mut place = 0;
    while place < 24 {
        // The digits of `place` in the factorial base: which of the suits left is next.
        let digits = [place / 6, place / 2 % 3, place % 2, 0];
        let mut left = Suit::ALL;
        let mut next = 0;
        while next < 4 {
            names[place][next] = left[digits[next]];
            let mut gap = digits[next];
            while gap + 1 < 4 {
                left[gap] = left[gap + 1];
                gap += 1;
            }
            next += 1;
        }
        place += 1;
    }
    names
};

/// Returns every hand of `N` of the 53 cards up to a renaming of suits.
///
/// Of seven cards there are 962,988 hands with the joker and 6,009,159 without it. They stand for
/// 154,143,080 hands.
pub fn canonical_hands<const N: usize>() -> impl Iterator<Item = CanonicalHand<N>> {
    [false, true].into_iter().flat_map(|joker| {
        let naturals = N - usize::from(joker);
        let lens = (0..=naturals).flat_map(move |a| {
            (0..=naturals - a).flat_map(move |b| {
                (0..=naturals - a - b).map(move |c| [a, b, c, naturals - a - b - c])
            })
        });
        let highest = (1 << 13) - 1;
        lens.flat_map(move |[a, b, c, d]| {
            up_to(highest, a).flat_map(move |a| {
                up_to(a, b).flat_map(move |b| {
                    up_to(b, c).flat_map(move |c| up_to(c, d).map(move |d| [a, b, c, d]))
                })
            })
        })
        .map(move |suits| CanonicalHand { suits, joker })
    })
}

/// Returns the sets of `len` ranks that are not above `highest`.
fn up_to(highest: u16, len: usize) -> impl Iterator<Item = u16> {
    static BY_LEN: LazyLock<[Vec<u16>; 14]> = LazyLock::new(|| {
        let of_len = |len| (0..1_u16 << 13).filter(move |held| held.count_ones() == len);
        array::from_fn(|len| (0..=13).nth(len).into_iter().flat_map(of_len).collect())
    });
    let sets = BY_LEN.get(len).map_or(&[][..], Vec::as_slice);
    sets[..sets.partition_point(|held| *held <= highest)].iter().copied()
}
