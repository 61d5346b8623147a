//! The secret key of the vrf suite.

use std::fmt;

use curve25519_dalek::EdwardsPoint;
use curve25519_dalek::constants::ED25519_BASEPOINT_TABLE;
use curve25519_dalek::scalar::{Scalar, clamp_integer};
use paigow_fairness::manifest::{Epoch, Suite};
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;
use paigow_fairness::signature::PublicKey;
use paigow_fairness::vrf::{
    PROOF_LEN, VrfOutput, VrfProof, challenge, challenge_scalar, input_point,
};
use sha2::{Digest as _, Sha512};
use zeroize::{Zeroize as _, ZeroizeOnDrop};

/// A secret key of ECVRF-EDWARDS25519-SHA512-TAI (RFC 9381) with its public half.
///
/// Every operation on the secret takes constant time. The input is public, and so is the time to
/// find its point. Its `Debug` prints the public half alone, and its memory is wiped on drop.
#[derive(Clone)]
pub struct VrfSecretKey {
    /// The secret scalar.
    x: Scalar,
    /// The secret part of each nonce.
    prefix: [u8; 32],
    public: PublicKey,
}

impl VrfSecretKey {
    /// Takes the secret of an epoch as a key (RFC 9381, section 5.5, and RFC 8032, section 5.1.5).
    ///
    /// # Panics
    ///
    /// Never: any 32 bytes are a secret key.
    #[must_use]
    pub fn new(secret: &EpochSecret) -> Self {
        let mut hash: [u8; 64] = Sha512::digest(secret.expose()).into();
        let (x, prefix) = hash.split_at(32);
        let mut clamped = clamp_integer(x.try_into().expect("half of 64 bytes"));
        let prefix = prefix.try_into().expect("half of 64 bytes");
        // All points that it multiplies are in the group, so the remainder is enough.
        let x = Scalar::from_bytes_mod_order(clamped);
        clamped.zeroize();
        hash.zeroize();
        let point = (&x * ED25519_BASEPOINT_TABLE).compress().to_bytes();
        let public = PublicKey::from_bytes(&point).expect("a multiple of the base point");
        Self { x, prefix, public }
    }

    /// Returns the public half.
    #[must_use]
    pub const fn public(&self) -> PublicKey {
        self.public
    }

    /// Returns the output for an input, in less time than [`prove`](Self::prove).
    #[must_use]
    pub fn output(&self, alpha: &[u8]) -> VrfOutput {
        VrfOutput::of_point(&(self.x * self.point(alpha)))
    }

    /// Returns the output for an input with its proof (RFC 9381, section 5.1). The same input always
    /// gets the same proof.
    #[must_use]
    pub fn prove(&self, alpha: &[u8]) -> (VrfOutput, VrfProof) {
        let h = self.point(alpha);
        let gamma = self.x * h;
        // Section 5.4.2.2: the nonce is a hash of the secret and of the input's point.
        let hash = Sha512::new().chain_update(self.prefix).chain_update(h.compress().as_bytes());
        let mut nonce: [u8; 64] = hash.finalize().into();
        let mut k = Scalar::from_bytes_mod_order_wide(&nonce);
        nonce.zeroize();
        let (u, v) = (&k * ED25519_BASEPOINT_TABLE, k * h);
        let c = challenge(&self.public, [&h, &gamma, &u, &v]);
        let s = k + challenge_scalar(&c) * self.x;
        k.zeroize();
        let mut proof = [0; PROOF_LEN];
        proof[..32].copy_from_slice(gamma.compress().as_bytes());
        proof[32..48].copy_from_slice(&c);
        proof[48..].copy_from_slice(s.as_bytes());
        (VrfOutput::of_point(&gamma), VrfProof::from_bytes(proof))
    }

    fn point(&self, alpha: &[u8]) -> EdwardsPoint {
        input_point(&self.public, alpha).expect("one of 256 candidates is a point")
    }
}

impl fmt::Debug for VrfSecretKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "VrfSecretKey({})", self.public)
    }
}

impl Drop for VrfSecretKey {
    fn drop(&mut self) {
        self.x.zeroize();
        self.prefix.zeroize();
    }
}

impl ZeroizeOnDrop for VrfSecretKey {}

/// Whether an epoch of a manifest commits to a secret: by a hash of it in the derived suite, by its
/// public key in the vrf suite.
#[must_use]
pub fn is_secret_of(secret: &EpochSecret, epoch: &Epoch) -> bool {
    match epoch.suite {
        Suite::Derived => epoch.commit == Some(epoch_commit(epoch.epoch, secret)),
        Suite::Vrf => epoch.vrf_key == Some(VrfSecretKey::new(secret).public()),
        Suite::Fresh => false,
    }
}

#[cfg(test)]
mod tests;
