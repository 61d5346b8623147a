//! A map from positions to values.

use std::ops::Index;
use std::{array, fmt, iter, slice};

use super::Seat;

/// A map from positions to values, in the order of the positions. It has a fixed small size, lies
/// in one piece of memory and needs no search.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct BySeat<T>([Option<T>; Seat::ALL.len()]);

impl<T> BySeat<T> {
    /// Returns an empty map.
    #[must_use]
    pub const fn new() -> Self {
        Self([const { None }; Seat::ALL.len()])
    }

    /// Returns the value of `seat`, or [`None`] if the seat has no value.
    #[must_use]
    pub const fn get(&self, seat: Seat) -> Option<&T> {
        self.0[seat.index()].as_ref()
    }

    /// Returns the value of `seat` for a change, or [`None`] if the seat has no value.
    #[must_use]
    pub const fn get_mut(&mut self, seat: Seat) -> Option<&mut T> {
        self.0[seat.index()].as_mut()
    }

    /// Returns the value of `seat`. If it has none, inserts the value that `make` returns.
    pub fn get_or_insert_with(&mut self, seat: Seat, make: impl FnOnce() -> T) -> &mut T {
        self.0[seat.index()].get_or_insert_with(make)
    }

    /// Sets the value of `seat`, and returns the previous value.
    pub const fn insert(&mut self, seat: Seat, value: T) -> Option<T> {
        self.0[seat.index()].replace(value)
    }

    /// Whether `seat` has any.
    #[must_use]
    pub const fn contains(&self, seat: Seat) -> bool {
        self.get(seat).is_some()
    }

    /// Returns how many positions have a value, 0 to 8.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values().count()
    }

    /// Returns whether no position has a value.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the positions that have a value, ascending, each with its value.
    pub const fn iter(&self) -> SeatOrder<'_, T> {
        SeatOrder { of: self, place: 0 }
    }

    /// Returns the positions that have a value, ascending, each with its value.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        Seat::ALL.into_iter().zip(&mut self.0).filter_map(|(seat, has)| Some((seat, has.as_mut()?)))
    }

    /// Returns the positions that have a value, ascending.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + Clone {
        self.iter().map(|(seat, _)| seat)
    }

    /// Returns the values by position.
    pub fn values(&self) -> iter::Flatten<slice::Iter<'_, Option<T>>> {
        self.0.iter().flatten()
    }

    /// Returns the values by position.
    pub fn values_mut(&mut self) -> iter::Flatten<slice::IterMut<'_, Option<T>>> {
        self.0.iter_mut().flatten()
    }
}

impl<T> Default for BySeat<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: fmt::Debug> fmt::Debug for BySeat<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self).finish()
    }
}

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;

    /// Returns the value of `seat`.
    ///
    /// # Panics
    ///
    /// If the position has no value.
    fn index(&self, seat: Seat) -> &T {
        self.get(seat).expect("the caller says that the seat has one")
    }
}

impl<T> FromIterator<(Seat, T)> for BySeat<T> {
    /// Makes a map. If a position occurs more than once, its last value counts.
    fn from_iter<I: IntoIterator<Item = (Seat, T)>>(items: I) -> Self {
        let mut map = Self::new();
        for (seat, value) in items {
            map.insert(seat, value);
        }
        map
    }
}

/// The iterator that [`BySeat::iter`] returns.
#[derive(Debug)]
pub struct SeatOrder<'a, T> {
    of: &'a BySeat<T>,
    place: usize,
}

impl<T> Clone for SeatOrder<'_, T> {
    fn clone(&self) -> Self {
        Self { ..*self }
    }
}

impl<'a, T> Iterator for SeatOrder<'a, T> {
    type Item = (Seat, &'a T);

    fn next(&mut self) -> Option<Self::Item> {
        while let Some(seat) = Seat::ALL.get(self.place) {
            self.place += 1;
            if let Some(value) = self.of.get(*seat) {
                return Some((*seat, value));
            }
        }
        None
    }
}

impl<'a, T> IntoIterator for &'a BySeat<T> {
    type Item = (Seat, &'a T);
    type IntoIter = SeatOrder<'a, T>;

    fn into_iter(self) -> SeatOrder<'a, T> {
        self.iter()
    }
}

impl<T> IntoIterator for BySeat<T> {
    type Item = (Seat, T);
    type IntoIter = iter::Flatten<array::IntoIter<Option<(Seat, T)>, { Seat::ALL.len() }>>;

    fn into_iter(self) -> Self::IntoIter {
        let mut seats = Seat::ALL.into_iter();
        let with_seat = self.0.map(|value| seats.next().zip(value));
        with_seat.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests;
