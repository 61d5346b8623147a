//! Sets of ranks, and how often each rank is held.

use std::iter;

use crate::cards::Rank;

/// A set of ranks: bit `n` is the rank with index `n`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct RankSet(u16);

impl RankSet {
    /// Returns the set of `ranks`.
    pub(super) const fn of(ranks: [Rank; 5]) -> Self {
        let [a, b, c, d, e] = ranks;
        Self(1 << a.index() | 1 << b.index() | 1 << c.index() | 1 << d.index() | 1 << e.index())
    }

    /// Adds a rank, which may already be in the set.
    pub(super) const fn insert(&mut self, rank: Rank) {
        self.0 |= 1 << rank.index();
    }

    /// Returns how many ranks are in the set.
    pub(super) const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether every rank of the set is in `other`.
    pub(super) const fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Returns the ranks that both sets hold.
    pub(super) const fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Returns the ranks of the set that `other` lacks.
    pub(super) const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Returns the thirteen ranks less those of the set.
    pub(super) const fn complement(self) -> Self {
        Self(!self.0 & 0x1fff)
    }

    /// Returns the lowest rank of the set, or [`None`] if it is empty.
    pub(super) fn lowest(self) -> Option<Rank> {
        Rank::ALL.get(self.0.trailing_zeros() as usize).copied()
    }

    /// Returns the highest rank of the set, or [`None`] if it is empty.
    pub(super) fn highest(self) -> Option<Rank> {
        Rank::ALL.get(self.0.checked_ilog2()? as usize).copied()
    }

    /// Returns the ranks of the set, highest first.
    pub(super) fn descending(mut self) -> impl Iterator<Item = Rank> {
        iter::from_fn(move || {
            let rank = self.highest()?;
            self.0 &= !(1 << rank.index());
            Some(rank)
        })
    }
}

/// Returns the name of a rank as several cards of it are called: `sixes`.
#[must_use]
pub fn plural(rank: Rank) -> String {
    let ending = if rank == Rank::Six { "es" } else { "s" };
    format!("{}{ending}", rank.name())
}

/// The ranks of some cards by how many times each is held, up to five.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RankCounts {
    /// Place `n` holds the ranks held more than `n` times.
    more_than: [RankSet; 5],
}

impl RankCounts {
    /// Counts one more card of a rank.
    pub(super) const fn insert(&mut self, rank: Rank) {
        let mut bit = RankSet(1 << rank.index());
        let mut n = 0;
        while n < self.more_than.len() {
            let carry = self.more_than[n].intersection(bit);
            self.more_than[n] = RankSet(self.more_than[n].0 | bit.0);
            bit = carry;
            n += 1;
        }
    }

    /// Returns the ranks held once or more.
    pub(super) const fn held(self) -> RankSet {
        self.more_than[0]
    }

    /// Returns the rank held most often, the highest if there are several; [`None`] if no rank is
    /// held.
    pub(super) fn most_held(self) -> Option<Rank> {
        self.more_than.into_iter().rev().find_map(RankSet::highest)
    }

    /// Returns the ranks held exactly `times` times, 1 to 5.
    pub(super) fn held_exactly(self, times: usize) -> RankSet {
        let above = self.more_than.get(times).copied().unwrap_or_default();
        self.more_than[times - 1].without(above)
    }
}
