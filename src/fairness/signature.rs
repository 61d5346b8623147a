//! Ed25519, signed deterministically and verified strictly.

use std::fmt;
use std::sync::Arc;

use aws_lc_rs::signature::Ed25519KeyPair;
use ed25519_dalek::{Signature as DalekSignature, SigningKey, VerifyingKey};
use zeroize::Zeroizing;

use super::encoding::{Hash, hex_bytes};

/// The prime of the field, 2^255 - 19, little-endian.
const FIELD_PRIME: [u8; 32] = {
    let mut p = [0xff; 32];
    p[0] = 0xed;
    p[31] = 0x7f;
    p
};

/// Whether the 32 bytes of a point write its y coordinate below the field's prime.
fn is_canonical_point(bytes: &[u8; 32]) -> bool {
    let mut y = *bytes;
    y[31] &= 0x7f;
    y.iter().rev().lt(FIELD_PRIME.iter().rev())
}

/// A public key that can be trusted to mean one thing: a canonical point of the curve,
/// not of small order.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct PublicKey(VerifyingKey);

/// Bytes that are no public key of the protocol.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not an Ed25519 public key: 32 bytes, a canonical point, not of small order")]
pub struct ParseKeyError;

impl PublicKey {
    /// Takes 32 bytes.
    ///
    /// # Errors
    ///
    /// If they are no point, not the canonical form of one, or one of small order.
    pub fn from_bytes(bytes: &[u8; 32]) -> Result<Self, ParseKeyError> {
        let key = VerifyingKey::from_bytes(bytes).map_err(|_| ParseKeyError)?;
        if !is_canonical_point(bytes) || key.is_weak() {
            return Err(ParseKeyError);
        }
        Ok(Self(key))
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
    pub fn to_bytes(&self) -> [u8; 32] {
        self.0.to_bytes()
    }

    /// Returns `hex(SHA-256(enc("pge/v1/kid", public_key))[0..8])`: a lookup hint only.
    #[must_use]
    pub fn kid(&self) -> String {
        hex::encode(&Hash::of_tuple("pge/v1/kid", &[self.0.as_bytes()]).as_bytes()[..8])
    }

    /// Whether `signature` is this key's over `message`: canonical points, `s` below
    /// the group's order, no small order, so that two verifiers never disagree.
    #[must_use]
    pub fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        let point: [u8; 32] = std::array::from_fn(|i| signature[i]);
        is_canonical_point(&point)
            && self.0.verify_strict(message, &DalekSignature::from_bytes(signature)).is_ok()
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0.as_bytes()))
    }
}

impl fmt::Debug for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl PartialOrd for PublicKey {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for PublicKey {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.0.as_bytes().cmp(other.0.as_bytes())
    }
}

/// A key that signs records. Its `Debug` prints the public half only, and its memory
/// is wiped on drop.
///
/// AWS-LC signs, in 60 % of the time that `ed25519_dalek` takes, which is most of what a
/// deal costs; the bytes are the same, as RFC 8032 leaves no choice. What is signed is
/// verified by `ed25519_dalek` alone, which can be strict.
#[derive(Clone)]
pub struct SecretKey {
    secret: Zeroizing<[u8; 32]>,
    /// The same key made ready. Its memory is wiped by AWS-LC when the last of those that
    /// share it is dropped.
    pair: Arc<Ed25519KeyPair>,
    public: PublicKey,
    /// [`PublicKey::kid`] of the public half: every signature names it.
    kid: Arc<str>,
}

impl SecretKey {
    /// Takes 32 secret bytes, from the operating system or a ceremony.
    ///
    /// # Panics
    ///
    /// Never: both libraries make the same public half of any 32 bytes.
    #[must_use]
    pub fn from_bytes(bytes: &[u8; 32]) -> Self {
        let public = PublicKey(SigningKey::from_bytes(bytes).verifying_key());
        let pair = Ed25519KeyPair::from_seed_and_public_key(bytes, &public.to_bytes())
            .expect("any 32 bytes are a key, and its public half is one");
        let secret = Zeroizing::new(*bytes);
        Self { secret, pair: Arc::new(pair), kid: public.kid().into(), public }
    }

    /// Returns the secret bytes, for the key file.
    #[must_use]
    pub fn expose(&self) -> &[u8; 32] {
        &self.secret
    }

    /// Returns [`PublicKey::kid`] of the public half.
    #[must_use]
    pub fn kid(&self) -> Arc<str> {
        Arc::clone(&self.kid)
    }

    /// Returns the public half.
    #[must_use]
    pub const fn public(&self) -> PublicKey {
        self.public
    }

    /// Signs `message`; the same message always gets the same signature.
    ///
    /// # Panics
    ///
    /// If there is no memory left.
    #[must_use]
    pub fn sign(&self, message: &[u8]) -> [u8; 64] {
        let signature = self.pair.sign(message);
        signature.as_ref().try_into().expect("an Ed25519 signature has 64 bytes")
    }
}

impl fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretKey(public {})", self.public())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ed25519_dalek::Signer;
    use proptest::prelude::*;

    #[test]
    fn points_that_have_two_spellings_are_refused() {
        // The identity is y = 1; y = p + 1 spells it again.
        let mut identity = [0; 32];
        identity[0] = 1;
        let mut again = FIELD_PRIME;
        again[0] += 1;
        assert!(PublicKey::from_bytes(&identity).is_err(), "small order");
        assert!(PublicKey::from_bytes(&again).is_err(), "not canonical");
        assert!(!is_canonical_point(&again) && !is_canonical_point(&FIELD_PRIME));
        assert!(is_canonical_point(&identity));
    }

    proptest! {
        #[test]
        fn both_libraries_sign_alike(
            secret in any::<[u8; 32]>(),
            message in prop::collection::vec(any::<u8>(), 0..2_000),
        ) {
            let key = SecretKey::from_bytes(&secret);
            let theirs = SigningKey::from_bytes(&secret);
            prop_assert_eq!(key.sign(&message), theirs.sign(&message).to_bytes());
            prop_assert_eq!(key.public().to_bytes(), theirs.verifying_key().to_bytes());
            prop_assert_eq!(key.expose(), &secret);
        }
    }

    #[test]
    fn a_signature_with_a_large_s_is_refused() {
        let key = SecretKey::from_bytes(&[7; 32]);
        let mut signature = key.sign(b"message");
        assert!(key.public().verifies(b"message", &signature));
        assert!(!key.public().verifies(b"massage", &signature));
        // s + L verifies under a lax verifier. L = 2^252 + 27742317777372353535851937790883648493.
        const L: [u8; 32] = [
            0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9,
            0xde, 0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
        ];
        let mut carry = 0;
        for (byte, l) in signature[32..].iter_mut().zip(L) {
            let sum = u16::from(*byte) + u16::from(l) + carry;
            *byte = (sum & 0xff) as u8;
            carry = sum >> 8;
        }
        assert!(!key.public().verifies(b"message", &signature));
    }

    #[test]
    fn debug_of_a_secret_key_prints_its_public_half_only() {
        let key = SecretKey::from_bytes(&[7; 32]);
        assert_eq!(format!("{key:?}"), format!("SecretKey(public {})", key.public()));
        assert!(!format!("{key:?}").contains("0707"));
    }
}
