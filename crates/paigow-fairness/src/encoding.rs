//! One rule for integers, one for tuples (PGE-FAIR-1, section 2).

use std::fmt;
use std::str::FromStr;

use sha2::{Digest, Sha256};

use super::sha256::sha256;

/// Returns `enc(label, fields...)`, the injective tuple encoding of the protocol:
///
/// `u8(len(label)) || label || u8(n) || u32(len(f1)) || f1 || ...`, every integer
/// little-endian.
///
/// # Panics
///
/// If the label or the number of fields exceeds 255, or a field 2^32 - 1 bytes.
/// Labels are constants, fields are bounded where they are made.
#[must_use]
pub fn enc(label: &str, fields: &[&[u8]]) -> Vec<u8> {
    let mut out = vec![0; enc_len(label, fields)];
    write_enc(label, fields, &mut out);
    out
}

/// Returns how many bytes `enc(label, fields...)` has.
pub(super) fn enc_len(label: &str, fields: &[&[u8]]) -> usize {
    2 + label.len() + fields.iter().map(|field| 4 + field.len()).sum::<usize>()
}

/// Writes `enc(label, fields...)` to `place`, which is as long.
#[inline(always)]
pub(super) fn write_enc(label: &str, fields: &[&[u8]], place: &mut [u8]) {
    let mut rest = place;
    let mut push = |part: &[u8]| {
        let (place, behind) = std::mem::take(&mut rest).split_at_mut(part.len());
        place.copy_from_slice(part);
        rest = behind;
    };
    push(&[u8::try_from(label.len()).expect("labels are short constants")]);
    push(label.as_bytes());
    push(&[u8::try_from(fields.len()).expect("tuples have few fields")]);
    for field in fields {
        let len = u32::try_from(field.len()).expect("fields are bounded where they are made");
        push(&len.to_le_bytes());
        push(field);
    }
}

/// Returns bytes in lower-case hexadecimal.
///
/// # Panics
///
/// Never: digits are ASCII.
#[must_use]
pub fn hex_text(bytes: &[u8]) -> String {
    let mut out = Vec::with_capacity(2 * bytes.len());
    push_hex(bytes, &mut out);
    String::from_utf8(out).expect("digits are ASCII")
}

/// Appends bytes in lower-case hexadecimal.
pub(super) fn push_hex(bytes: &[u8], out: &mut Vec<u8>) {
    // Computed and not looked up, a hash at a time, so that many digits are made at once. Records
    // have many hexadecimal digits.
    let letter = |nibble: u8| if nibble > 9 { b'a' - b'9' - 1 } else { 0 };
    let digit = |nibble: u8| b'0' + nibble + letter(nibble);
    for chunk in bytes.chunks(32) {
        let mut text = [0; 64];
        for (pair, byte) in text.chunks_exact_mut(2).zip(chunk) {
            pair[0] = digit(byte >> 4);
            pair[1] = digit(byte & 15);
        }
        out.extend_from_slice(&text[..2 * chunk.len()]);
    }
}

/// A SHA-256 value: a record's hash, a commitment, a content hash.
///
/// Public by nature; its `Display` is 64 lower-case hexadecimal characters.
#[derive(Clone, Copy, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Hash([u8; 32]);

impl Hash {
    /// 32 zero bytes: the `prev` of the first manifest, and the salt of source `none`.
    pub const ZERO: Self = Self([0; 32]);

    /// Returns the SHA-256 of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// Returns the SHA-256 of parts, one after the other.
    #[must_use]
    pub fn of_parts(parts: &[&[u8]]) -> Self {
        let mut hasher = Sha256::new();
        for part in parts {
            hasher.update(part);
        }
        Self(hasher.finalize().into())
    }

    /// Returns the SHA-256 of a tuple.
    #[must_use]
    #[inline(always)]
    pub fn of_tuple(label: &str, fields: &[&[u8]]) -> Self {
        Self(sha256(enc_len(label, fields), |place| write_enc(label, fields, place)))
    }

    /// Returns 64 lower-case hexadecimal characters.
    #[must_use]
    pub fn to_hex(&self) -> String {
        hex_text(&self.0)
    }

    /// Takes 32 bytes as they are.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns the 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

impl fmt::Display for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_hex())
    }
}

impl fmt::Debug for Hash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Bytes that do not have the form of the protocol.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not {0} bytes in lower-case hexadecimal")]
pub struct ParseHexError(pub usize);

/// Reads exactly `N` bytes from lower-case hexadecimal.
///
/// # Errors
///
/// If the length or a character is wrong. Upper case is wrong too.
pub fn hex_bytes<const N: usize>(text: &str) -> Result<[u8; N], ParseHexError> {
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    if pairs.len() != N || !rest.is_empty() {
        return Err(ParseHexError(N));
    }
    // Computed without a branch, as in `push_hex`.
    let mut are_digits = true;
    let mut value = |digit: u8| {
        let (number, letter) = (digit.wrapping_sub(b'0'), digit.wrapping_sub(b'a'));
        are_digits &= number < 10 || letter < 6;
        if number < 10 { number } else { letter.wrapping_add(10) }
    };
    let mut out = [0; N];
    for (byte, [high, low]) in out.iter_mut().zip(pairs) {
        *byte = value(*high) << 4 | value(*low);
    }
    if are_digits { Ok(out) } else { Err(ParseHexError(N)) }
}

impl FromStr for Hash {
    type Err = ParseHexError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        hex_bytes(text).map(Self)
    }
}

/// An identifier of the protocol: 1 to 64 bytes of `[A-Za-z0-9._:-]`.
///
/// No Unicode, no case folding, no normalisation (PGE-FAIR-1, section 2).
#[derive(Clone, Eq, Ord, PartialEq, PartialOrd)]
pub struct Identifier {
    /// Zeros follow the characters. So of two texts with the same beginning, the shorter one sorts
    /// first.
    text: [u8; Self::LONGEST],
    len: u8,
}

/// A text that is not an [`Identifier`].
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not an identifier: 1 to 64 characters of A-Z a-z 0-9 . _ : -")]
pub struct ParseIdentifierError;

impl Identifier {
    /// The most characters.
    const LONGEST: usize = 64;

    /// Returns the identifier with this text, or [`None`] if the text is not an identifier.
    #[must_use]
    pub const fn of(text: &str) -> Option<Self> {
        let from = text.as_bytes();
        if from.is_empty() || from.len() > Self::LONGEST {
            return None;
        }
        let (mut text, mut len) = ([0; Self::LONGEST], 0_u8);
        while (len as usize) < from.len() {
            let byte = from[len as usize];
            if !byte.is_ascii_alphanumeric() && !matches!(byte, b'.' | b'_' | b':' | b'-') {
                return None;
            }
            text[len as usize] = byte;
            len += 1;
        }
        Some(Self { text, len })
    }

    /// Returns the text.
    ///
    /// # Panics
    ///
    /// Never: its characters are ASCII.
    #[must_use]
    pub fn as_str(&self) -> &str {
        str::from_utf8(self.as_bytes()).expect("plain characters")
    }

    /// Returns the bytes that go into tuples.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.text[..usize::from(self.len)]
    }
}

impl fmt::Debug for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Identifier").field(&self.as_str()).finish()
    }
}

impl FromStr for Identifier {
    type Err = ParseIdentifierError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::of(text).ok_or(ParseIdentifierError)
    }
}

impl fmt::Display for Identifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Hashes and identifiers are written as they are shown.
mod as_text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

    use super::{Hash, Identifier};

    macro_rules! as_text {
        ($($name:ident)*) => {$(
            impl Serialize for $name {
                fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                    serializer.collect_str(self)
                }
            }

            impl<'de> Deserialize<'de> for $name {
                fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                    String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
                }
            }
        )*};
    }

    as_text!(Hash Identifier);
}

#[cfg(test)]
mod tests;
