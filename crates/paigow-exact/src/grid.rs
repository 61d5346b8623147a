//! Counts of pairs of hands by how both hands of the player compare.

use std::ops::{AddAssign, Index, IndexMut};

use paigow_rules::game::Comparison;

/// How many pairs of hands compare in each way, from the player's side: the high hands, then the
/// low hands.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Grid<T>([[T; 3]; 3]);

/// The comparisons, in the order of a [`Grid`].
pub const COMPARISONS: [Comparison; 3] = [Comparison::Win, Comparison::Copy, Comparison::Lose];

const fn place(comparison: Comparison) -> usize {
    match comparison {
        Comparison::Win => 0,
        Comparison::Copy => 1,
        Comparison::Lose => 2,
    }
}

impl<T> Grid<T> {
    /// Returns the grid of these counts. Rows are by the high hand, columns by the low hand, both
    /// in the order of [`COMPARISONS`].
    #[must_use]
    pub const fn new(rows: [[T; 3]; 3]) -> Self {
        Self(rows)
    }

    /// Returns the counts, row by row.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        self.0.iter().flatten()
    }

    /// Returns a grid of the results of `of` for each count.
    #[must_use]
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Grid<U> {
        Grid(self.0.map(|row| row.map(&mut of)))
    }
}

impl<T> Index<(Comparison, Comparison)> for Grid<T> {
    type Output = T;

    fn index(&self, (high, low): (Comparison, Comparison)) -> &T {
        &self.0[place(high)][place(low)]
    }
}

impl<T> IndexMut<(Comparison, Comparison)> for Grid<T> {
    fn index_mut(&mut self, (high, low): (Comparison, Comparison)) -> &mut T {
        &mut self.0[place(high)][place(low)]
    }
}

impl<T: AddAssign + Copy> AddAssign for Grid<T> {
    fn add_assign(&mut self, other: Self) {
        for (sum, more) in self.0.iter_mut().flatten().zip(other.0.iter().flatten()) {
            *sum += *more;
        }
    }
}

/// The grids that count the hands of one deal. The first counts every pair, and the others some of
/// them.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Grids<T> {
    /// Every pair.
    pub all: Grid<T>,
    /// The pairs in which neither low hand is a pair of threes or higher.
    pub low_pairs_aside: Grid<T>,
    /// The pairs in which the dealer's cards are marked.
    pub marked: Grid<T>,
}

impl<T: AddAssign + Copy> AddAssign for Grids<T> {
    fn add_assign(&mut self, other: Self) {
        self.all += other.all;
        self.low_pairs_aside += other.low_pairs_aside;
        self.marked += other.marked;
    }
}

impl<T> Grids<T> {
    /// Returns grids of the results of `of` for each count.
    #[must_use]
    pub fn map<U>(self, mut of: impl FnMut(T) -> U) -> Grids<U> {
        Grids {
            all: self.all.map(&mut of),
            low_pairs_aside: self.low_pairs_aside.map(&mut of),
            marked: self.marked.map(&mut of),
        }
    }
}
