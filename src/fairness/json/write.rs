//! Canonical JSON written member by member, without a tree of values in between: the
//! records that a round signs are most of what a call costs besides its signatures.

use std::fmt::{self, Write as _};

use super::super::encoding::{Hash, push_hex};
use super::Json;
use crate::cards::{Card, Seat};

/// What is written as canonical JSON.
pub trait WriteJson {
    /// Writes the one value that this is.
    fn write_json(&self, out: Value<'_>);

    /// Returns the canonical bytes.
    fn to_bytes(&self) -> Vec<u8> {
        let mut out = String::with_capacity(1024);
        self.write_json(Value { out: &mut out });
        out.into_bytes()
    }

    /// Returns the value, to look into or to change.
    ///
    /// # Panics
    ///
    /// If what was written is not canonical: a member out of its order, or text beyond
    /// printable ASCII.
    fn to_json(&self) -> Json {
        Json::parse_canonical(&self.to_bytes()).expect("what is written is canonical")
    }
}

impl WriteJson for Json {
    fn write_json(&self, out: Value<'_>) {
        self.write(out.out);
    }

    fn to_json(&self) -> Json {
        self.clone()
    }
}

/// The place of one value, which is written by consuming it.
#[derive(Debug)]
#[must_use = "a member without its value is no JSON"]
pub struct Value<'o> {
    out: &'o mut String,
}

impl Value<'_> {
    /// Writes a string.
    pub fn str(self, text: &str) {
        write_string(text, self.out);
    }

    /// Writes a string of bytes in lower-case hexadecimal.
    pub fn hex(self, bytes: &[u8]) {
        self.out.reserve(2 * bytes.len() + 2);
        self.out.push('"');
        push_hex(bytes, self.out);
        self.out.push('"');
    }

    /// Writes a hash, in hexadecimal.
    pub fn hash(self, hash: &Hash) {
        self.hex(hash.as_bytes());
    }

    /// Writes a string of what needs no escape: amounts and numbers beyond 53 bits, public
    /// keys.
    pub fn plain(self, text: impl fmt::Display) {
        let _infallible = write!(self.out, "\"{text}\"");
    }

    /// Writes an integer, 0 to 2^53 - 1.
    pub fn int(self, n: impl Into<u64>) {
        write_integer(n.into(), self.out);
    }

    /// Writes an array, each item with `write`.
    pub fn arr<T>(self, items: impl IntoIterator<Item = T>, write: impl Fn(T, Value<'_>)) {
        let out = self.out;
        out.push('[');
        for (i, item) in items.into_iter().enumerate() {
            if i > 0 {
                out.push(',');
            }
            write(item, Value { out });
        }
        out.push(']');
    }

    /// Writes an array of card numbers, in the order given.
    pub fn cards(self, cards: &[Card]) {
        self.arr(cards, |card, out| out.int(card.number()));
    }

    /// Writes an object with the members that `write` adds, ascending by key.
    pub fn obj(self, write: impl FnOnce(&mut ObjectWriter<'_>)) {
        self.out.push('{');
        let mut members = ObjectWriter { out: self.out, last: "" };
        write(&mut members);
        self.out.push('}');
    }

    /// Writes an object keyed by seats, each member with `write`.
    pub fn seats<'a, T: 'a>(
        self,
        items: impl IntoIterator<Item = (&'a Seat, &'a T)>,
        write: impl Fn(&'a T, Value<'_>),
    ) {
        self.obj(|o| {
            for (seat, item) in items {
                write(item, o.member(seat_key(*seat)));
            }
        });
    }
}

/// The members of an object as they are written.
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    last: &'static str,
}

impl ObjectWriter<'_> {
    /// Begins the next member; keys ascend, and each stands once. What is absent is left
    /// out, never null.
    pub fn member(&mut self, key: &'static str) -> Value<'_> {
        debug_assert!(self.last < key, "{} before {key}", self.last);
        self.out.push_str(if self.last.is_empty() { "\"" } else { ",\"" });
        self.last = key;
        self.out.push_str(key);
        self.out.push_str("\":");
        Value { out: self.out }
    }
}

/// Returns a seat's key: `0` to `7`.
pub(in crate::fairness) fn seat_key(seat: Seat) -> &'static str {
    ["0", "1", "2", "3", "4", "5", "6", "7"][usize::from(seat.number())]
}

/// Writes an integer; cards, the most of them, have one or two digits.
pub(super) fn write_integer(n: u64, out: &mut String) {
    let digit = |n: u64| char::from(b"0123456789"[(n % 10) as usize]);
    match n {
        0..10 => out.push(digit(n)),
        10..100 => {
            out.push(digit(n / 10));
            out.push(digit(n));
        }
        100.. => {
            let _infallible = write!(out, "{n}");
        }
    }
}

/// Writes a string, `"` and `\` escaped.
pub(in crate::fairness) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let is_escaped = |byte: u8| matches!(byte, b'"' | b'\\');
    let mut rest = text;
    // Nearly none has any: that is told sooner of the whole than byte by byte.
    if !text.bytes().fold(false, |any, byte| any | is_escaped(byte)) {
        out.push_str(text);
        rest = "";
    }
    while let Some(at) = rest.bytes().position(is_escaped) {
        let (plain, escaped) = rest.split_at(at);
        out.push_str(plain);
        out.push('\\');
        out.push_str(&escaped[..1]);
        rest = &escaped[1..];
    }
    out.push_str(rest);
    out.push('"');
}
