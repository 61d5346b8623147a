use super::tables::{KeyTable, KeyTables, OFTEN};
use super::*;
use crate::tests::key::SecretKey;
use curve25519_dalek::constants::{ED25519_BASEPOINT_POINT as BASE, EIGHT_TORSION};
use curve25519_dalek::edwards::EdwardsPoint;
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::IsIdentity;
use ed25519_dalek::Signature;
use proptest::prelude::*;
use sha2::{Digest, Sha512};
use std::cell::RefCell;

/// Returns the answer of `ed25519_dalek`, which has every rule except that of the canonical point.
fn dalek_verifies(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    let point: [u8; 32] = std::array::from_fn(|i| signature[i]);
    is_canonical_point(key)
        && is_canonical_point(&point)
        && VerifyingKey::from_bytes(key)
            .is_ok_and(|key| key.verify_strict(message, &Signature::from_bytes(signature)).is_ok())
}

/// Verifies by the protocol, with a table of the key and without it. Both answers must agree.
fn verifies(key: &[u8; 32], message: &[u8], signature: &[u8; 64]) -> bool {
    thread_local! {
        // Making a table takes longer than using it, so the last table is kept.
        static LAST: RefCell<Option<([u8; 32], KeyTable)>> = const { RefCell::new(None) };
    }
    PublicKey::from_bytes(key).is_ok_and(|public| {
        let verified = public.verifies(message, signature);
        let point: [u8; 32] = std::array::from_fn(|i| signature[i]);
        if is_canonical_point(&point) && !SMALL_ORDER.contains(&y_of(&point)) {
            LAST.with_borrow_mut(|last| {
                let table = match last.take_if(|(of, _)| of == key) {
                    Some((_, table)) => table,
                    None => KeyTable::of(key).unwrap(),
                };
                assert_eq!(table.verifies(message, signature), verified);
                *last = Some((*key, table));
            });
        }
        verified
    })
}

/// Makes the signature of `message` by the secret `a` and the nonce `r`.
///
/// Key and nonce point may be the multiples of these, or differ from them by a part of small order.
fn made_of(
    [a, r]: [Scalar; 2],
    [key, point]: [EdwardsPoint; 2],
    message: &[u8],
) -> ([u8; 32], [u8; 64], Scalar) {
    let (key, point) = (key.compress().to_bytes(), point.compress().to_bytes());
    let hashed = Sha512::new().chain_update(point).chain_update(key).chain_update(message);
    let k = Scalar::from_bytes_mod_order_wide(&hashed.finalize().into());
    let mut signature = [0; 64];
    signature[..32].copy_from_slice(&point);
    signature[32..].copy_from_slice((r + k * a).as_bytes());
    (key, signature, k)
}

#[test]
fn the_points_of_small_order_are_all_known() {
    let known = |point: &[u8; 32]| SMALL_ORDER.contains(&y_of(point));
    let torsion = EIGHT_TORSION.map(|point| point.compress().to_bytes());
    assert!(torsion.iter().all(known));
    assert!(torsion.iter().all(|point| PublicKey::from_bytes(point).is_err()));
    // There are no others: of the ten encodings, two are the points with x = 0 and a sign.
    let mut spelt = 0;
    for mut point in SMALL_ORDER {
        for sign in [0, 0x80] {
            point[31] = point[31] & 0x7f | sign;
            spelt += usize::from(torsion.contains(&point));
        }
    }
    assert_eq!((spelt, torsion.len()), (8, 8));
}

#[test]
fn a_part_of_small_order_is_no_loophole() {
    let (a, r) = (Scalar::from(0x00c0_ffee_u64), Scalar::from(0x5eed_u64));
    let mut accepted = [0, 0];
    for (i, of_key) in EIGHT_TORSION.iter().enumerate() {
        for (j, of_point) in EIGHT_TORSION.iter().enumerate() {
            for message in 0..32_u8 {
                for nonce in [r, Scalar::ZERO] {
                    let points = [a * BASE + of_key, nonce * BASE + of_point];
                    let (key, signature, k) = made_of([a, nonce], points, &[message]);
                    // The equation, times the cofactor, holds for all of them.
                    let holds = (of_point + k * of_key).is_identity();
                    let expected = holds && nonce != Scalar::ZERO;
                    let case = format!("key {i}, point {j}, message {message}");
                    assert_eq!(verifies(&key, &[message], &signature), expected, "{case}");
                    let dalek = dalek_verifies(&key, &[message], &signature);
                    assert_eq!(dalek, expected, "{case}");
                    accepted[usize::from(expected)] += 1;
                }
            }
        }
    }
    assert!(accepted.iter().all(|count| *count > 100), "{accepted:?}");
}

#[test]
fn points_that_have_two_spellings_are_refused() {
    // The identity is y = 1. The encoding y = p + 1 is the identity too.
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
    fn both_libraries_verify_alike(
        secret in any::<[u8; 32]>(),
        message in prop::collection::vec(any::<u8>(), 1..300),
        flipped in prop::option::of((0_usize..3, any::<prop::sample::Index>(), 0_u8..8)),
    ) {
        let signer = SecretKey::from_bytes(&secret);
        let (mut key, mut message) = (signer.public().to_bytes(), message);
        let mut signature = signer.sign(&message);
        if let Some((what, at, bit)) = flipped {
            let bytes = [&mut key[..], &mut message[..], &mut signature[..]];
            let [key, message, signature] = bytes;
            let bytes = match what {
                0 => key,
                1 => message,
                _ => signature,
            };
            bytes[at.index(bytes.len())] ^= 1 << bit;
        }
        prop_assert_eq!(verifies(&key, &message, &signature), flipped.is_none());
        prop_assert_eq!(dalek_verifies(&key, &message, &signature), flipped.is_none());
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
        0xed, 0xd3, 0xf5, 0x5c, 0x1a, 0x63, 0x12, 0x58, 0xd6, 0x9c, 0xf7, 0xa2, 0xde, 0xf9, 0xde,
        0x14, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x10,
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
fn the_table_of_a_place_is_that_of_the_key_that_is_used_most() {
    // The tables have one place, and all keys share it.
    let tables = KeyTables::new(1);
    let [first, second] = [1, 2].map(|secret| SecretKey::from_bytes(&[secret; 32]));
    let ask = |signer: &SecretKey| {
        let good = tables.verifies(&signer.public().to_bytes(), b"m", &signer.sign(b"m"));
        let bad = tables.verifies(&signer.public().to_bytes(), b"m", &signer.sign(b"n"));
        assert!(good != Some(false) && bad != Some(true));
        (good, bad)
    };
    let uses_until_table = |signer: &SecretKey| {
        (1..).find(|_| ask(signer) == (Some(true), Some(false))).unwrap_or(0) * 2
    };
    let often = u32::from(OFTEN);
    assert_eq!(uses_until_table(&first), often + 4);
    // If keys alternate, no key displaces the one that has the place.
    for _ in 0..2 * often {
        assert_eq!(ask(&first), (Some(true), Some(false)));
        assert_eq!(ask(&second), (None, None));
    }
    assert_eq!(uses_until_table(&second), 2 * often + 2);
    assert_eq!(ask(&first), (None, None));
}
