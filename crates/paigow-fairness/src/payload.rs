//! Reading payloads: members by name, each checked once, none left over.

use std::borrow::{Borrow, Cow};
use std::str::FromStr;

use super::encoding::{Hash, hex_bytes};
use super::json::{Json, Object, ParseJsonError, seat_key};
use super::signature::PublicKey;
use paigow_rules::cards::{Card, CardSet, Seat};

/// A payload that does not meet the demands of its kind (D5).
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub enum PayloadError {
    /// Not canonical JSON.
    #[error("{0}")]
    Json(#[from] ParseJsonError),
    /// A member is missing, unknown, or not of its form.
    #[error("{path}: {what}")]
    Member {
        /// Its place in the payload: `seats.2.wagers[0].amount`.
        path: String,
        /// A description of the fault. It never contains a value, which could be secret.
        what: &'static str,
    },
}

impl PayloadError {
    /// Adds the place of the value in which the fault was found.
    fn within(self, place: impl FnOnce() -> String) -> Self {
        match self {
            Self::Json(error) => Self::Json(error),
            Self::Member { path, what } if path.is_empty() => Self::Member { path: place(), what },
            Self::Member { path, what } => {
                Self::Member { path: format!("{}.{path}", place()), what }
            }
        }
    }
}

/// The members of one object, taken out one by one.
///
/// An error names a member by its path from this object. A caller that takes an object out of
/// another adds the path of that object. So the path of an error contains only the members that
/// lead to the fault.
#[derive(Debug)]
pub struct Members<'a> {
    members: Object<'a>,
}

impl<'a> Members<'a> {
    /// Takes the members of a payload.
    ///
    /// # Errors
    ///
    /// If the value is no object.
    pub fn of(value: Json<'a>) -> Result<Self, PayloadError> {
        match value {
            Json::Obj(members) => Ok(Self { members }),
            Json::Bool(_) | Json::Int(_) | Json::Str(_) | Json::Arr(_) => {
                Err(PayloadError::Member { path: String::new(), what: "not an object" })
            }
        }
    }

    /// Makes an error that blames the member `key`.
    #[must_use]
    pub fn blame(&self, key: &str, what: &'static str) -> PayloadError {
        PayloadError::Member { path: key.to_owned(), what }
    }

    /// Returns whether the member is present.
    #[must_use]
    pub fn has(&self, key: &str) -> bool {
        self.members.contains_key(key)
    }

    /// Takes a member of any form.
    ///
    /// # Errors
    ///
    /// If it is missing.
    pub fn value(&mut self, key: &str) -> Result<Json<'a>, PayloadError> {
        self.members.remove(key).ok_or_else(|| self.blame(key, "missing"))
    }

    /// Takes a member with `take` if it is present.
    ///
    /// # Errors
    ///
    /// Returns the error of `take`.
    pub fn optional<T>(
        &mut self,
        key: &str,
        take: impl FnOnce(&mut Self, &str) -> Result<T, PayloadError>,
    ) -> Result<Option<T>, PayloadError> {
        if self.has(key) { take(self, key).map(Some) } else { Ok(None) }
    }

    /// Takes a string, mostly borrowed from the text that was read.
    ///
    /// # Errors
    ///
    /// If the member is missing or not a string. The same holds for all methods that follow.
    pub fn text(&mut self, key: &str) -> Result<Cow<'a, str>, PayloadError> {
        match self.value(key)? {
            Json::Str(text) => Ok(text),
            Json::Bool(_) | Json::Int(_) | Json::Arr(_) | Json::Obj(_) => {
                Err(self.blame(key, "not a string"))
            }
        }
    }

    /// Takes a string that parses as `T`.
    ///
    /// # Errors
    ///
    /// If it does not parse.
    pub fn parsed<T: FromStr>(&mut self, key: &str) -> Result<T, PayloadError> {
        self.text(key)?.parse().map_err(|_| self.blame(key, "malformed"))
    }

    /// Takes a hash: 64 lower-case hexadecimal characters.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not a hash.
    pub fn hash(&mut self, key: &str) -> Result<Hash, PayloadError> {
        self.parsed(key)
    }

    /// Takes `N` bytes in lower-case hexadecimal.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not such bytes.
    pub fn bytes<const N: usize>(&mut self, key: &str) -> Result<[u8; N], PayloadError> {
        hex_bytes(&self.text(key)?).map_err(|_| self.blame(key, "not bytes in hexadecimal"))
    }

    /// Takes bytes of any length in lower-case hexadecimal.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not such bytes.
    pub fn any_bytes(&mut self, key: &str) -> Result<Vec<u8>, PayloadError> {
        let text = self.text(key)?;
        if text.bytes().any(|b| b.is_ascii_uppercase()) {
            return Err(self.blame(key, "not bytes in hexadecimal"));
        }
        hex::decode(text.as_bytes()).map_err(|_| self.blame(key, "not bytes in hexadecimal"))
    }

    /// Takes a public key.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not a public key that the protocol trusts.
    pub fn key(&mut self, key: &str) -> Result<PublicKey, PayloadError> {
        PublicKey::from_hex(&self.text(key)?).map_err(|_| self.blame(key, "not a public key"))
    }

    /// Takes an integer 0 to `max`.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not an integer, or is larger.
    pub fn int(&mut self, key: &str, max: u64) -> Result<u64, PayloadError> {
        match self.value(key)? {
            Json::Int(n) if n <= max => Ok(n),
            Json::Int(_) | Json::Bool(_) | Json::Str(_) | Json::Arr(_) | Json::Obj(_) => {
                Err(self.blame(key, "not an integer in range"))
            }
        }
    }

    /// Takes an integer that fits a byte, 0 to `max`.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not an integer, or is larger.
    pub fn byte(&mut self, key: &str, max: u8) -> Result<u8, PayloadError> {
        let n = self.int(key, u64::from(max))?;
        u8::try_from(n).map_err(|_| self.blame(key, "not an integer in range"))
    }

    /// Takes a decimal string of an unsigned 63-bit number: round numbers, Unix seconds.
    ///
    /// # Errors
    ///
    /// If it has another spelling or is above 2^63 - 1.
    pub fn decimal(&mut self, key: &str) -> Result<u64, PayloadError> {
        let n = parse_money(&self.text(key)?).and_then(|n| u64::try_from(n).ok());
        n.ok_or_else(|| self.blame(key, "not a decimal string"))
    }

    /// Takes an amount: `0|-?[1-9][0-9]*` in minor units (D14).
    ///
    /// # Errors
    ///
    /// If it has another spelling or is beyond 64 bits.
    pub fn money(&mut self, key: &str) -> Result<i64, PayloadError> {
        parse_money(&self.text(key)?).ok_or_else(|| self.blame(key, "not an amount"))
    }

    /// Takes an amount that is not negative: only nets are (D14).
    ///
    /// # Errors
    ///
    /// As [`Members::money`], and if it is negative.
    pub fn amount(&mut self, key: &str) -> Result<i64, PayloadError> {
        let amount = self.money(key)?;
        if amount < 0 { Err(self.blame(key, "a negative amount")) } else { Ok(amount) }
    }

    /// Takes `true`; a flag that is false is absent.
    ///
    /// # Errors
    ///
    /// If it is anything but `true`.
    pub fn flag(&mut self, key: &str) -> Result<bool, PayloadError> {
        match self.members.remove(key) {
            None => Ok(false),
            Some(Json::Bool(true)) => Ok(true),
            Some(Json::Bool(false) | Json::Int(_) | Json::Str(_) | Json::Arr(_) | Json::Obj(_)) => {
                Err(self.blame(key, "true or absent"))
            }
        }
    }

    /// Takes the items of an array.
    fn items(&mut self, key: &str) -> Result<Vec<Json<'a>>, PayloadError> {
        match self.value(key)? {
            Json::Arr(items) => Ok(items),
            Json::Bool(_) | Json::Int(_) | Json::Str(_) | Json::Obj(_) => {
                Err(self.blame(key, "not an array"))
            }
        }
    }

    /// Takes an array, each item with `take`.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not an array, or if `take` fails.
    pub fn list<T>(
        &mut self,
        key: &str,
        mut take: impl FnMut(Json<'a>) -> Result<T, &'static str>,
    ) -> Result<Vec<T>, PayloadError> {
        self.items(key)?
            .into_iter()
            .enumerate()
            .map(|(i, item)| {
                take(item)
                    .map_err(|what| PayloadError::Member { path: format!("{key}[{i}]"), what })
            })
            .collect()
    }

    /// Takes an array of objects, each with `take`, which leaves no member over.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not such an array, or if `take` fails.
    pub fn objects<T>(
        &mut self,
        key: &str,
        mut take: impl FnMut(&mut Self) -> Result<T, PayloadError>,
    ) -> Result<Vec<T>, PayloadError> {
        self.items(key)?
            .into_iter()
            .enumerate()
            .map(|(i, item)| {
                Self::whole(item, &mut take).map_err(|error| error.within(|| format!("{key}[{i}]")))
            })
            .collect()
    }

    /// Takes an object with `take`, and checks that no member is left over.
    fn whole<T>(
        value: Json<'a>,
        take: impl FnOnce(&mut Self) -> Result<T, PayloadError>,
    ) -> Result<T, PayloadError> {
        let mut members = Self::of(value)?;
        let value = take(&mut members)?;
        members.finish().map(|()| value)
    }

    /// Takes an object with `take`, which leaves no member over.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not an object, or if `take` fails.
    pub fn object<T>(
        &mut self,
        key: &str,
        take: impl FnOnce(&mut Self) -> Result<T, PayloadError>,
    ) -> Result<T, PayloadError> {
        let value = self.value(key)?;
        Self::whole(value, take).map_err(|error| error.within(|| key.to_owned()))
    }

    /// Takes an object keyed by seats, each member with `take`.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not an object, if a key is not a seat, or if
    /// `take` fails.
    pub fn by_seat<T, C: FromIterator<(Seat, T)>>(
        &mut self,
        key: &str,
        mut take: impl FnMut(&mut Self, &str) -> Result<T, PayloadError>,
    ) -> Result<C, PayloadError> {
        let value = self.value(key)?;
        Self::whole(value, |members| {
            let seats = members.members.len();
            let next = |_| {
                let first = members.members.first_key().unwrap_or_default();
                let seat = parse_seat(first).ok_or_else(|| members.blame(first, "not a seat"))?;
                Ok((seat, take(members, seat_key(seat))?))
            };
            (0..seats).map(next).collect()
        })
        .map_err(|error| error.within(|| key.to_owned()))
    }

    /// Takes an array of cards, numbers 0 to 52, all different.
    ///
    /// # Errors
    ///
    /// Returns [`PayloadError`] if the member is not such an array.
    pub fn cards(&mut self, key: &str) -> Result<Vec<Card>, PayloadError> {
        let cards = self.list(key, |item| match item {
            Json::Int(n) => {
                u8::try_from(n).ok().and_then(Card::from_number).ok_or("not a card number")
            }
            Json::Bool(_) | Json::Str(_) | Json::Arr(_) | Json::Obj(_) => Err("not a card number"),
        })?;
        if CardSet::of(&cards).is_none() {
            return Err(self.blame(key, "a card twice"));
        }
        Ok(cards)
    }

    /// Ends the object.
    ///
    /// # Errors
    ///
    /// If a member is left: members are added only with a new version of the kind.
    pub fn finish(&self) -> Result<(), PayloadError> {
        match self.members.keys().next() {
            None => Ok(()),
            Some(key) => Err(self.blame(key, "an unknown member")),
        }
    }
}

/// Reads an amount as D14 spells it: `0|-?[1-9][0-9]*`, within 64 bits.
#[must_use]
pub fn parse_money(text: &str) -> Option<i64> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let spelt_well = text == "0"
        || (!digits.starts_with('0')
            && !digits.is_empty()
            && digits.bytes().all(|b| b.is_ascii_digit()));
    if spelt_well { text.parse().ok() } else { None }
}

/// Reads a seat's key: `0` to `7`.
#[must_use]
pub fn parse_seat(text: &str) -> Option<Seat> {
    match text.as_bytes() {
        [digit @ b'0'..=b'7'] => Seat::new(digit - b'0'),
        _ => None,
    }
}

/// Makes an object keyed by seats.
pub fn seat_map<'a, 'j, T: 'a>(
    items: impl IntoIterator<Item = (impl Borrow<Seat>, &'a T)>,
    mut json: impl FnMut(&'a T) -> Json<'j>,
) -> Json<'j> {
    Json::Obj(
        items.into_iter().map(|(seat, item)| (seat_key(*seat.borrow()), json(item))).collect(),
    )
}

/// Makes an array of card numbers, in the order given.
#[must_use]
pub fn card_list(cards: &[Card]) -> Json<'static> {
    Json::arr(cards.iter().map(|card| Json::Int(u64::from(card.number()))))
}

#[cfg(test)]
mod tests;
