use super::*;
use crate::KeyStoreUnavailable;
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use proptest::prelude::*;
use sha2::{Digest as _, Sha512};

/// A store that the test must not call.
#[derive(Debug)]
struct Untouched;

impl KeyStore for Untouched {
    fn sign(&self, _: &PublicKey, _: &[u8]) -> Result<[u8; 64], KeyStoreUnavailable> {
        panic!("a signature is verified without the store")
    }
}

fn ring(secret: &[u8; 32]) -> (KeyRing, SecretKey) {
    let (mut ring, key) = (KeyRing::default(), SecretKey::from_bytes(secret));
    ring.add_receipt_key(key.clone());
    (ring, key)
}

/// Makes a signature of the key with another nonce than that of RFC 8032. Verification accepts it.
fn with_nonce(secret: &[u8; 32], nonce: u64, message: &[u8]) -> [u8; 64] {
    let hash = Sha512::digest(secret);
    let clamped = curve25519_dalek::scalar::clamp_integer(hash[..32].try_into().unwrap());
    let a = Scalar::from_bytes_mod_order(clamped);
    let key = SecretKey::from_bytes(secret).public().to_bytes();
    let r = Scalar::from(nonce);
    let point = EdwardsPoint::mul_base(&r).compress().to_bytes();
    let hash = Sha512::new().chain_update(point).chain_update(key).chain_update(message);
    let k = Scalar::from_bytes_mod_order_wide(&hash.finalize().into());
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&point);
    signature[32..].copy_from_slice((r + k * a).as_bytes());
    signature
}

proptest! {
    #[test]
    fn a_held_key_says_what_strict_verification_says(
        secret in any::<[u8; 32]>(),
        message in prop::collection::vec(any::<u8>(), 1..300),
        flipped in prop::option::of((0_usize..2, any::<prop::sample::Index>(), 0_u8..8)),
        nonce in prop::option::of(1_u64..),
    ) {
        let (ring, key) = ring(&secret);
        let mut signature = match nonce {
            None => key.sign(&message),
            Some(nonce) => with_nonce(&secret, nonce, &message),
        };
        let mut message = message;
        if let Some((what, at, bit)) = flipped {
            let bytes = if what == 0 { &mut message[..] } else { &mut signature[..] };
            bytes[at.index(bytes.len())] ^= 1 << bit;
        }
        let said = ring.verifies(&key.public(), &message, &signature);
        prop_assert_eq!(said, flipped.is_none());
        prop_assert_eq!(said, key.public().verifies(&message, &signature));
        // It does not accept it as that of another key either.
        let other = SecretKey::from_bytes(&[9; 32]).public();
        prop_assert!(!ring.verifies(&other, &message, &signature));
    }
}

#[test]
fn every_other_signature_than_the_own_is_refused() {
    let (ring, key) = ring(&[7; 32]);
    let signature = key.sign(b"message");
    assert!(ring.verifies(&key.public(), b"message", &signature));
    for bit in 0..512 {
        let mut other = signature;
        other[bit / 8] ^= 1 << (bit % 8);
        assert!(!ring.verifies(&key.public(), b"message", &other), "bit {bit}");
    }
}

#[test]
fn a_key_in_a_store_is_verified_by_its_public_half() {
    let key = SecretKey::from_bytes(&[7; 32]);
    let mut ring = KeyRing::default();
    ring.add_stored_receipt_key(key.public(), Arc::new(Untouched));
    assert!(ring.verifies(&key.public(), b"message", &key.sign(b"message")));
    assert!(!ring.verifies(&key.public(), b"massage", &key.sign(b"message")));
}
