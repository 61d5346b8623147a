//! ECVRF-EDWARDS25519-SHA512-TAI (RFC 9381, section 5): a function of a secret key. Anybody can
//! check each output with the public key, and the holder of the key cannot choose it.
//!
//! Verification is strict: one spelling of each point and of `s`. The holder of a key computes with
//! the same steps, [`input_point`], [`challenge`] and [`VrfOutput::of_point`]. This module handles
//! no secret.

use std::fmt;

use curve25519_dalek::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{IsIdentity as _, VartimeMultiscalarMul as _};
use sha2::{Digest as _, Sha512};
use zeroize::{Zeroize as _, ZeroizeOnDrop};

use crate::signature::{PublicKey, canonical_point};

/// How long a proof is, in bytes: a point, a challenge of 16 bytes and a scalar.
pub const PROOF_LEN: usize = 80;

/// The suite of section 5.5 of the RFC.
const SUITE: u8 = 3;

/// A proof that an output belongs to a key and an input.
#[derive(Clone, Copy, Eq, PartialEq)]
pub struct VrfProof([u8; PROOF_LEN]);

/// The output of the function: 64 bytes that nobody could predict without the secret key.
///
/// Its `Debug` prints no byte, and its memory is wiped on drop.
#[derive(Eq, PartialEq)]
pub struct VrfOutput([u8; 64]);

impl VrfProof {
    /// Takes the 80 bytes of a proof. [`verify`](Self::verify) checks them.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; PROOF_LEN]) -> Self {
        Self(bytes)
    }

    /// Returns the 80 bytes.
    #[must_use]
    pub const fn to_bytes(&self) -> [u8; PROOF_LEN] {
        self.0
    }

    /// Returns the output that this proves for a key and an input, or [`None`] if it proves none
    /// (RFC 9381, section 5.3).
    ///
    /// Every [`PublicKey`] is a canonical point and not of small order: that is the validation of
    /// section 5.4.5.
    #[must_use]
    pub fn verify(&self, key: &PublicKey, alpha: &[u8]) -> Option<VrfOutput> {
        let (gamma, rest) = self.0.split_first_chunk::<32>()?;
        let (c_bytes, s) = rest.split_first_chunk::<16>()?;
        let gamma = canonical_point(gamma)?;
        let s = Option::<Scalar>::from(Scalar::from_canonical_bytes(s.try_into().ok()?))?;
        let c = challenge_scalar(c_bytes);
        let y = canonical_point(&key.to_bytes())?;
        let h = input_point(key, alpha)?;
        // The points are negated, not the challenge: modulo the group's order `-c` would multiply a
        // part of small order by another number.
        let u = EdwardsPoint::vartime_double_scalar_mul_basepoint(&c, &-y, &s);
        let v = EdwardsPoint::vartime_multiscalar_mul([s, c], [h, -gamma]);
        let expected = challenge(key, [&h, &gamma, &u, &v]);
        (expected == *c_bytes).then(|| VrfOutput::of_point(&gamma))
    }
}

impl fmt::Debug for VrfProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VrfProof(..)")
    }
}

impl VrfOutput {
    /// Returns the output of a point Gamma, the input's point times the secret key (RFC 9381,
    /// section 5.2).
    #[must_use]
    pub fn of_point(gamma: &EdwardsPoint) -> Self {
        let hash = Sha512::new()
            .chain_update([SUITE, 3])
            .chain_update(gamma.mul_by_cofactor().compress().as_bytes())
            .chain_update([0]);
        Self(hash.finalize().into())
    }

    /// Returns the secret bytes. A review has to check each caller.
    #[must_use]
    pub const fn expose(&self) -> &[u8; 64] {
        &self.0
    }
}

impl fmt::Debug for VrfOutput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("VrfOutput(..)")
    }
}

impl Drop for VrfOutput {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for VrfOutput {}

/// Returns the point of an input under a key, by try-and-increment (RFC 9381, section 5.4.1.1).
/// [`None`] has a chance of 2^-256.
#[must_use]
pub fn input_point(key: &PublicKey, alpha: &[u8]) -> Option<EdwardsPoint> {
    let start = Sha512::new().chain_update([SUITE, 1]).chain_update(key.to_bytes());
    let start = start.chain_update(alpha);
    (0..=u8::MAX).find_map(|counter| {
        let hash = start.clone().chain_update([counter, 0]).finalize();
        let point = canonical_point(hash.first_chunk()?)?.mul_by_cofactor();
        (!point.is_identity()).then_some(point)
    })
}

/// Returns the challenge over a key, the input's point, Gamma, U and V (RFC 9381, section 5.4.3).
#[must_use]
pub fn challenge(key: &PublicKey, points: [&EdwardsPoint; 4]) -> [u8; 16] {
    let mut hash = Sha512::new().chain_update([SUITE, 2]).chain_update(key.to_bytes());
    for point in points {
        hash.update(point.compress().as_bytes());
    }
    let hash: [u8; 64] = hash.chain_update([0]).finalize().into();
    std::array::from_fn(|i| hash[i])
}

/// Returns the scalar of a challenge.
#[must_use]
pub fn challenge_scalar(challenge: &[u8; 16]) -> Scalar {
    Scalar::from(u128::from_le_bytes(*challenge))
}

#[cfg(test)]
mod tests;
