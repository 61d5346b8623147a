//! The members of an object.

use std::borrow::Cow;
use std::collections::{VecDeque, vec_deque};

use super::Json;

/// The members of an object, sorted by key, no key twice.
///
/// A record has ten to twenty members. A list is faster than a tree for these. Members are read in
/// their order, so this list gives up its first member cheaply. Keys that the program writes are
/// constants, and those of a text are borrowed from it. Neither needs memory.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Object<'a>(VecDeque<(Cow<'a, str>, Json<'a>)>);

impl<'a> Object<'a> {
    /// Returns the value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&Json<'a>> {
        self.place(key).ok().map(|place| &self.0[place].1)
    }

    /// Returns the value of a key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Json<'a>> {
        self.place(key).ok().map(|place| &mut self.0[place].1)
    }

    /// Whether a key is there.
    #[must_use]
    pub fn contains_key(&self, key: &str) -> bool {
        self.place(key).is_ok()
    }

    /// Sets the value of a key, and returns the value that it had.
    pub fn insert(&mut self, key: impl Into<Cow<'a, str>>, value: Json<'a>) -> Option<Json<'a>> {
        let key = key.into();
        // Members mostly come in their order.
        if self.last_key().is_none_or(|last| *last < *key) {
            self.0.push_back((key, value));
            return None;
        }
        match self.place(&key) {
            Ok(place) => Some(std::mem::replace(&mut self.0[place].1, value)),
            Err(place) => {
                self.0.insert(place, (key, value));
                None
            }
        }
    }

    /// Adds a member behind the others, whatever its key. If the key is not above the last one,
    /// [`Self::put_in_order`] has to follow.
    ///
    /// A text may have its keys in any order. Inserting each key in its place would move half of
    /// the others, and the work would grow with the square of the text.
    pub(super) fn append(&mut self, key: Cow<'a, str>, value: Json<'a>) {
        self.0.push_back((key, value));
    }

    /// Sorts appended members by their keys. Returns false if two have one key.
    pub(super) fn put_in_order(&mut self) -> bool {
        let members = self.0.make_contiguous();
        members.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        members.windows(2).all(|pair| pair[0].0 != pair[1].0)
    }

    /// Takes a member out.
    pub fn remove(&mut self, key: &str) -> Option<Json<'a>> {
        let is_first = self.0.front().is_some_and(|(first, _)| first == key);
        let member =
            if is_first { self.0.pop_front() } else { self.0.remove(self.place(key).ok()?) };
        member.map(|(_, value)| value)
    }

    /// Returns the keys, ascending.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(key, _)| &**key)
    }

    /// Returns the members, ascending by key.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Json<'a>)> {
        self.0.iter().map(|(key, value)| (&**key, value))
    }

    /// Returns the first key.
    pub(crate) fn first_key(&self) -> Option<&str> {
        self.0.front().map(|(key, _)| &**key)
    }

    /// Returns the same members, which borrow nothing.
    pub(super) fn into_owned(self) -> Object<'static> {
        let owned = |(key, value): (Cow<'a, str>, Json<'a>)| {
            (Cow::Owned(key.into_owned()), value.into_owned())
        };
        Object(self.0.into_iter().map(owned).collect())
    }

    /// Returns the last key.
    pub(super) fn last_key(&self) -> Option<&str> {
        self.0.back().map(|(key, _)| &**key)
    }

    /// Returns how many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the place of a key, or the place to insert it.
    fn place(&self, key: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| (**known).cmp(key))
    }
}

impl<'a> IntoIterator for Object<'a> {
    type Item = (Cow<'a, str>, Json<'a>);
    type IntoIter = vec_deque::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'a, K: Into<Cow<'a, str>>> FromIterator<(K, Json<'a>)> for Object<'a> {
    fn from_iter<I: IntoIterator<Item = (K, Json<'a>)>>(members: I) -> Self {
        let mut object = Self::default();
        let members = members.into_iter();
        // Room for optional members that may follow.
        object.0.reserve(members.size_hint().0 + 4);
        for (key, value) in members {
            object.insert(key, value);
        }
        object
    }
}
