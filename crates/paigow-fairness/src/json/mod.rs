//! Canonical JSON, written by hand (PGE-FAIR-1, section 6.2).
//!
//! RFC 8785 restricted to objects, arrays, printable-ASCII strings, booleans and integers from 0 to
//! 2^53 - 1. Keys are sorted, there are no spaces, and only `"` and `\` are escaped. Floats and
//! null do not exist. A library's map can stop being sorted when some dependency turns a feature
//! on. Then every signature would change. This code has no such switch.

mod object;
mod read;
mod write;

use std::borrow::Cow;

use super::encoding::hex_text;
use read::JsonReader;
use write::write_integer;

pub use object::Object;
pub use write::{ObjectWriter, ValueWriter, WriteJson};
pub(super) use write::{seat_key, write_string};

/// A JSON value of the restricted profile. A value that was read borrows the strings of its text,
/// since records have no string with another spelling.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Json<'a> {
    /// `true` or `false`.
    Bool(bool),
    /// An integer, 0 to 2^53 - 1.
    Int(u64),
    /// A string; canonical only if it is printable ASCII.
    Str(Cow<'a, str>),
    /// An array.
    Arr(Vec<Self>),
    /// An object.
    Obj(Object<'a>),
}

/// Text that is no JSON of this profile; `at` is the offset in bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not JSON of the record profile: {what}, at byte {at}")]
pub struct ParseJsonError {
    /// The fault.
    pub what: &'static str,
    /// Its place, as an offset in bytes.
    pub at: usize,
}

impl<'a> Json<'a> {
    /// Makes a string of the `Display` text of a value.
    pub fn str(value: impl ToString) -> Self {
        Self::Str(Cow::Owned(value.to_string()))
    }

    /// Makes a string of a text that outlives the value.
    #[must_use]
    pub const fn text(text: &'a str) -> Self {
        Self::Str(Cow::Borrowed(text))
    }

    /// Makes an object from its members, in any order.
    #[must_use]
    pub fn obj<const N: usize>(members: [(&'static str, Self); N]) -> Self {
        Self::Obj(members.into_iter().collect())
    }

    /// Makes a string of bytes in lower-case hexadecimal.
    #[must_use]
    pub fn hex(bytes: &[u8]) -> Self {
        Self::Str(Cow::Owned(hex_text(bytes)))
    }

    /// Makes an array.
    pub fn arr(items: impl IntoIterator<Item = Self>) -> Self {
        Self::Arr(items.into_iter().collect())
    }

    /// Adds a member if there is a value for it. An absent member is left out, never null.
    ///
    /// # Panics
    ///
    /// If `self` is no object.
    #[must_use]
    pub fn with(mut self, key: &'static str, value: Option<Self>) -> Self {
        let Self::Obj(members) = &mut self else { panic!("only objects have members") };
        if let Some(value) = value {
            members.insert(key, value);
        }
        self
    }

    /// Returns the same value, which borrows nothing.
    #[must_use]
    pub fn into_owned(self) -> Json<'static> {
        match self {
            Self::Bool(value) => Json::Bool(value),
            Self::Int(n) => Json::Int(n),
            Self::Str(text) => Json::Str(Cow::Owned(text.into_owned())),
            Self::Arr(items) => Json::arr(items.into_iter().map(Self::into_owned)),
            Self::Obj(members) => Json::Obj(members.into_owned()),
        }
    }

    /// Returns the canonical bytes.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        WriteJson::to_bytes(self)
    }

    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Self::Bool(true) => out.extend_from_slice(b"true"),
            Self::Bool(false) => out.extend_from_slice(b"false"),
            Self::Int(n) => write_integer(*n, out),
            Self::Str(text) => write_string(text, out),
            Self::Arr(items) => {
                out.push(b'[');
                for (i, item) in items.iter().enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    item.write(out);
                }
                out.push(b']');
            }
            Self::Obj(members) => {
                out.push(b'{');
                for (i, (key, value)) in members.iter().enumerate() {
                    if i > 0 {
                        out.push(b',');
                    }
                    write_string(key, out);
                    out.push(b':');
                    value.write(out);
                }
                out.push(b'}');
            }
        }
    }

    /// Reads canonical bytes.
    ///
    /// # Errors
    ///
    /// If the bytes are not exactly the output of [`Json::to_bytes`] for some value.
    pub fn parse_canonical(bytes: &'a [u8]) -> Result<Self, ParseJsonError> {
        let mut reader = JsonReader::of(bytes)?;
        let value = reader.document()?;
        if reader.is_canonical {
            return Ok(value);
        }
        let printable = |b: &u8| (0x20..0x7f).contains(b);
        if let Some(at) = bytes.iter().position(|b| !printable(b)) {
            return Err(ParseJsonError { what: "a character outside printable ASCII", at });
        }
        let canonical = value.to_bytes();
        if canonical != bytes {
            let at = canonical.iter().zip(bytes).take_while(|(a, b)| a == b).count();
            return Err(ParseJsonError { what: "not in canonical form", at });
        }
        Ok(value)
    }

    /// Reads JSON in any spelling. White space, member order and escapes are free. Duplicate keys,
    /// floats, negative numbers and null are refused.
    ///
    /// # Errors
    ///
    /// If the bytes are not JSON of the profile.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, ParseJsonError> {
        JsonReader::of(bytes)?.document()
    }
}

#[cfg(test)]
mod tests;
