//! Ed25519, verified strictly.
//!
//! No other module names a signature library. The target chooses it: AWS-LC if its C code can be
//! linked, and `ed25519_dalek` in WebAssembly. A key that is used often has a table, on the curve
//! of `ed25519_dalek`. All give the same verdicts on the published strict-signature vectors.

use std::fmt;
use std::sync::Arc;

use curve25519_dalek::EdwardsPoint;
use curve25519_dalek::edwards::CompressedEdwardsY;
use ed25519_dalek::VerifyingKey;

use super::encoding::{Hash, hex_bytes};

#[cfg(not(target_family = "wasm"))]
mod tables;

/// The prime of the field, 2^255 - 19, little-endian.
const FIELD_PRIME: [u8; 32] = {
    let mut p = [0xff; 32];
    p[0] = 0xed;
    p[31] = 0x7f;
    p
};

/// The y coordinates, little-endian, of the eight points whose order divides the cofactor: of
/// the neutral point, of order two, of order four, and of order eight.
const SMALL_ORDER: [[u8; 32]; 5] = {
    let mut neutral = [0; 32];
    neutral[0] = 1;
    let mut two = FIELD_PRIME;
    two[0] -= 1;
    let four = [0; 32];
    let eight = [
        0x26, 0xe8, 0x95, 0x8f, 0xc2, 0xb2, 0x27, 0xb0, 0x45, 0xc3, 0xf4, 0x89, 0xf2, 0xef, 0x98,
        0xf0, 0xd5, 0xdf, 0xac, 0x05, 0xd3, 0xc6, 0x33, 0x39, 0xb1, 0x38, 0x02, 0x88, 0x6d, 0x53,
        0xfc, 0x05,
    ];
    let eight_again = [
        0xc7, 0x17, 0x6a, 0x70, 0x3d, 0x4d, 0xd8, 0x4f, 0xba, 0x3c, 0x0b, 0x76, 0x0d, 0x10, 0x67,
        0x0f, 0x2a, 0x20, 0x53, 0xfa, 0x2c, 0x39, 0xcc, 0xc6, 0x4e, 0xc7, 0xfd, 0x77, 0x92, 0xac,
        0x03, 0x7a,
    ];
    [neutral, two, four, eight, eight_again]
};

/// Returns the y coordinate of the 32 bytes of a point: the highest bit is the sign of x.
fn y_of(point: &[u8; 32]) -> [u8; 32] {
    let mut y = *point;
    y[31] &= 0x7f;
    y
}

/// Whether the 32 bytes of a point write its y coordinate below the field's prime.
fn is_canonical_point(bytes: &[u8; 32]) -> bool {
    y_of(bytes).iter().rev().lt(FIELD_PRIME.iter().rev())
}

/// Returns the point of which these 32 bytes are the canonical spelling (RFC 8032, section 5.1.3).
pub(super) fn canonical_point(bytes: &[u8; 32]) -> Option<EdwardsPoint> {
    // The points with x = 0 are the neutral one and that of order two: there is no x of sign 1.
    let has_no_sign = SMALL_ORDER[..2].contains(&y_of(bytes));
    if !is_canonical_point(bytes) || (has_no_sign && bytes[31] & 0x80 != 0) {
        return None;
    }
    CompressedEdwardsY(*bytes).decompress()
}

/// A public key with one meaning: a canonical point of the curve, not of small order.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
pub struct PublicKey([u8; 32]);

/// Bytes that are not a public key of the protocol.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not an Ed25519 public key: 32 bytes, a canonical point, not of small order")]
pub struct ParseKeyError;

impl PublicKey {
    /// Takes 32 bytes.
    ///
    /// # Errors
    ///
    /// If they are not a point, not its canonical form, or a point of small order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, ParseKeyError> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| ParseKeyError)?;
        if !is_canonical_point(bytes) || key.is_weak() {
            return Err(ParseKeyError);
        }
        Ok(Self(*bytes))
    }

    /// Reads 64 lower-case hexadecimal characters.
    ///
    /// # Errors
    ///
    /// As [`PublicKey::from_bytes`].
    pub fn from_hex(text: &str) -> Result<Self, ParseKeyError> {
        Self::from_bytes(&hex_bytes(text).map_err(|_| ParseKeyError)?)
    }

    /// Returns the 32 bytes.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; 32] {
        self.0
    }

    /// Returns `hex(SHA-256(enc("pge/v1/kid", public_key))[0..8])`: a lookup hint only.
    #[must_use]
    pub fn kid(&self) -> String {
        hex::encode(&Hash::of_tuple("pge/v1/kid", &[&self.0]).as_bytes()[..8])
    }

    /// Returns whether `signature` is this key's over `message`. Points must be canonical and not
    /// of small order, and `s` below the group's order, so that two verifiers never disagree.
    ///
    /// RFC 8032 permits the refusal of points of small order.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        let point: [u8; 32] = std::array::from_fn(|i| signature[i]);
        is_canonical_point(&point)
            && !SMALL_ORDER.contains(&y_of(&point))
            && backend::verifies(&self.0, message, signature)
    }
}

/// AWS-LC refuses a large `s`. It compares the point of the equation without cofactor byte by byte.
/// `ed25519_dalek` takes 0.94 to 1.24 of its time, depending on the place of the stack in its page.
/// The tests compare the two. A key that is used often has a table.
#[cfg(not(target_family = "wasm"))]
mod backend {
    use aws_lc_rs::signature::{ED25519, UnparsedPublicKey};

    use super::tables::TABLES;

    pub(super) fn verifies(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
        let by_table = TABLES.verifies(key, message, signature);
        by_table.unwrap_or_else(|| {
            UnparsedPublicKey::new(&ED25519, key).verify(message, signature).is_ok()
        })
    }
}

/// `ed25519_dalek` has a strict verification of its own.
#[cfg(target_family = "wasm")]
mod backend {
    use ed25519_dalek::{Signature, VerifyingKey};

    pub(super) fn verifies(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
        VerifyingKey::from_bytes(key)
            .is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Verifies signatures.
///
/// Every implementation gives the answers of [`PublicKey::verifies`]. One that holds the secret
/// half of a key gives them in less time.
pub trait Verifier: fmt::Debug {
    /// Whether `signature` is that of `key` over `message`.
    fn verifies(&self, key: &PublicKey, message: &[u8], signature: &[u8; 64]) -> bool;
}

/// Verifies by public keys alone.
#[derive(Clone, Copy, Debug)]
pub struct StrictVerifier;

impl Verifier for StrictVerifier {
    fn verifies(&self, key: &PublicKey, message: &[u8], signature: &[u8; 64]) -> bool {
        key.verifies(message, signature)
    }
}

/// A signer of records: the secret half of a [`PublicKey`], wherever it is kept.
pub trait Signer {
    /// Returns [`PublicKey::kid`] of the public half.
    fn kid(&self) -> Arc<str>;

    /// Signs `message` with Ed25519; the same message always gets the same signature.
    fn sign(&self, message: &[u8]) -> [u8; 64];
}

#[cfg(test)]
mod tests;
