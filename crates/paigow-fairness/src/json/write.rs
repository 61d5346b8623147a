//! Canonical JSON written member by member, without a tree of values. Apart from signatures, most
//! of the cost of a call is the records that it signs.

use std::borrow::Borrow;

use super::super::encoding::{Hash, Identifier, push_hex};
use super::Json;
use paigow_rules::cards::{Card, Seat};

/// A value that can be written as canonical JSON.
pub trait WriteJson {
    /// Writes this one value.
    fn write_json(&self, out: ValueWriter<'_>);

    /// Returns the canonical bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(1024);
        self.write_to(&mut out);
        out
    }

    /// Appends the canonical bytes.
    fn write_to(&self, out: &mut Vec<u8>) {
        self.write_json(ValueWriter { out });
    }

    /// Returns the value, for reading or for a change.
    ///
    /// # Panics
    ///
    /// If the written text is not canonical: a member out of its order, or text beyond printable
    /// ASCII.
    fn to_json(&self) -> Json<'static> {
        let bytes = self.to_bytes();
        Json::parse_canonical(&bytes).expect("what is written is canonical").into_owned()
    }
}

impl WriteJson for Json<'_> {
    fn write_json(&self, out: ValueWriter<'_>) {
        self.write(out.out);
    }

    fn to_json(&self) -> Json<'static> {
        self.clone().into_owned()
    }
}

/// The place of one value, which is written by consuming it.
#[derive(Debug)]
#[must_use = "a member without its value is no JSON"]
pub struct ValueWriter<'o> {
    out: &'o mut Vec<u8>,
}

impl ValueWriter<'_> {
    /// Writes a string.
    pub fn str(self, text: &str) {
        write_string(text, self.out);
    }

    /// Writes an identifier, which has nothing to escape.
    pub fn identifier(self, identifier: &Identifier) {
        self.out.push(b'"');
        self.out.extend_from_slice(identifier.as_bytes());
        self.out.push(b'"');
    }

    /// Writes a string of bytes in lower-case hexadecimal.
    pub fn hex(self, bytes: &[u8]) {
        self.out.reserve(2 * bytes.len() + 2);
        self.out.push(b'"');
        push_hex(bytes, self.out);
        self.out.push(b'"');
    }

    /// Writes a hash, in hexadecimal.
    pub fn hash(self, hash: &Hash) {
        self.hex(hash.as_bytes());
    }

    /// Writes a string of a whole number: amounts, and numbers beyond 53 bits.
    pub fn decimal(self, n: impl itoa::Integer) {
        self.out.push(b'"');
        self.out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes());
        self.out.push(b'"');
    }

    /// Writes an integer, 0 to 2^53 - 1.
    pub fn int(self, n: impl Into<u64>) {
        write_integer(n.into(), self.out);
    }

    /// Writes an array, each item with `write`.
    pub fn arr<T>(self, items: impl IntoIterator<Item = T>, write: impl Fn(T, ValueWriter<'_>)) {
        let out = self.out;
        out.push(b'[');
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                out.push(b',');
            }
            write(item, ValueWriter { out });
        }
        out.push(b']');
    }

    /// Writes an array of card numbers, in the order given.
    pub fn cards(self, cards: &[Card]) {
        self.arr(cards, |card, out| out.int(card.number()));
    }

    /// Writes an object with the members that `write` adds, ascending by key.
    pub fn obj(self, write: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.out.push(b'{');
        let mut members = ObjectWriter { out: self.out, last: "" };
        write(&mut members);
        self.out.push(b'}');
    }

    /// Writes an object keyed by seats, each member with `write`.
    pub fn seats<'a, T: 'a>(
        self,
        items: impl IntoIterator<Item = (impl Borrow<Seat>, &'a T)>,
        write: impl Fn(&'a T, ValueWriter<'_>),
    ) {
        self.obj(|o| {
            for (seat, item) in items {
                write(item, o.seat(*seat.borrow()));
            }
        });
    }
}

/// The members of an object as they are written.
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut Vec<u8>,
    last: &'static str,
}

impl ObjectWriter<'_> {
    /// Begins the next member. Keys ascend, and each occurs once. An absent member is left out; it
    /// is never null.
    // Inlined, because the caller knows the key's length.
    #[inline(always)]
    pub fn member(&mut self, key: &'static str) -> ValueWriter<'_> {
        debug_assert!(self.last < key, "{} before {key}", self.last);
        self.out.reserve(key.len() + 4);
        if !self.last.is_empty() {
            self.out.push(b',');
        }
        self.last = key;
        self.out.push(b'"');
        self.out.extend_from_slice(key.as_bytes());
        self.out.extend_from_slice(b"\":");
        ValueWriter { out: self.out }
    }

    /// Begins the member of a seat; seats ascend.
    pub fn seat(&mut self, seat: Seat) -> ValueWriter<'_> {
        self.member(seat_key(seat))
    }
}

/// Returns a seat's key: `0` to `7`.
pub(crate) fn seat_key(seat: Seat) -> &'static str {
    ["0", "1", "2", "3", "4", "5", "6", "7"][usize::from(seat.number())]
}

/// Writes an integer; cards, the most of them, have one or two digits.
pub(super) fn write_integer(n: u64, out: &mut Vec<u8>) {
    let digit = |n: u64| b"0123456789"[(n % 10) as usize];
    match n {
        0..10 => out.push(digit(n)),
        10..100 => {
            out.push(digit(n / 10));
            out.push(digit(n));
        }
        100.. => out.extend_from_slice(itoa::Buffer::new().format(n).as_bytes()),
    }
}

/// Writes a string, `"` and `\` escaped.
pub(crate) fn write_string(text: &str, out: &mut Vec<u8>) {
    out.push(b'"');
    let is_escaped = |byte: u8| matches!(byte, b'"' | b'\\');
    let mut rest = text.as_bytes();
    // Almost no text has such a byte. A test of the whole is faster than one byte by byte.
    if !rest.iter().fold(false, |any, byte| any | is_escaped(*byte)) {
        out.extend_from_slice(rest);
        rest = b"";
    }
    while let Some(at) = rest.iter().position(|byte| is_escaped(*byte)) {
        out.extend_from_slice(&rest[..at]);
        out.extend_from_slice(&[b'\\', rest[at]]);
        rest = &rest[at + 1..];
    }
    out.extend_from_slice(rest);
    out.push(b'"');
}
