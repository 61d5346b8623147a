use super::*;
use crate::encoding::hex_bytes;
use curve25519_dalek::constants::EIGHT_TORSION;
use curve25519_dalek::scalar::clamp_integer;

/// Appendix B.3 of RFC 9381, examples 16 to 18: secret key, public key, input, the input's point,
/// proof and output.
const VECTORS: [[&str; 6]; 3] = [
    [
        "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
        "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
        "",
        "91bbed02a99461df1ad4c6564a5f5d829d0b90cfc7903e7a5797bd658abf3318",
        "8657106690b5526245a92b003bb079ccd1a92130477671f6fc01ad16f26f723f\
         26f8a57ccaed74ee1b190bed1f479d9727d2d0f9b005a6e456a35d4fb0daab12\
         68a1b0db10836d9826a528ca76567805",
        "90cf1df3b703cce59e2a35b925d411164068269d7b2d29f3301c03dd757876ff\
         66b71dda49d2de59d03450451af026798e8f81cd2e333de5cdf4f3e140fdd8ae",
    ],
    [
        "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
        "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
        "72",
        "5b659fc3d4e9263fd9a4ed1d022d75eaacc20df5e09f9ea937502396598dc551",
        "f3141cd382dc42909d19ec5110469e4feae18300e94f304590abdced48aed593\
         3bf0864a62558b3ed7f2fea45c92a465301b3bbf5e3e54ddf2d935be3b67926d\
         a3ef39226bbc355bdc9850112c8f4b02",
        "eb4440665d3891d668e7e0fcaf587f1b4bd7fbfe99d0eb2211ccec90496310eb\
         5e33821bc613efb94db5e5b54c70a848a0bef4553a41befc57663b56373a5031",
    ],
    [
        "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
        "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
        "af82",
        "bf4339376f5542811de615e3313d2b36f6f53c0acfebb482159711201192576a",
        "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf80\
         96bb474e53895c362d8628ee9f9ea3c0e52c7a5c691b6c18c9979866568add7a\
         2d41b00b05081ed0f58ee5e31b3a970e",
        "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c45\
         2118fec1219202a0edcf038bb6373241578be7217ba85a2687f7a0310b2df19f",
    ],
];

/// The order of the group, little-endian (RFC 8032, section 5.1).
const ORDER: &str = "edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010";

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    hex_bytes(text).unwrap()
}

/// The first vector: public key, input and proof.
fn first() -> (PublicKey, Vec<u8>, [u8; PROOF_LEN]) {
    let [_, public, _, _, proof, _] = VECTORS[0];
    (PublicKey::from_hex(public).unwrap(), Vec::new(), bytes(proof))
}

fn verifies(key: &PublicKey, alpha: &[u8], proof: [u8; PROOF_LEN]) -> bool {
    VrfProof::from_bytes(proof).verify(key, alpha).is_some()
}

#[test]
fn the_vectors_of_the_rfc() {
    for [_, public, alpha, point, proof, output] in VECTORS {
        let alpha = hex::decode(alpha).unwrap();
        let key = PublicKey::from_hex(public).unwrap();
        assert_eq!(input_point(&key, &alpha).unwrap().compress().to_bytes(), bytes(point));
        let proven = VrfProof::from_bytes(bytes(proof)).verify(&key, &alpha).unwrap();
        assert_eq!(*proven.expose(), bytes(output));
    }
}

#[test]
fn no_bit_of_a_proof_or_of_its_input_can_be_another() {
    let (key, alpha, proof) = first();
    for bit in 0..8 * PROOF_LEN {
        let mut changed = proof;
        changed[bit / 8] ^= 1 << (bit % 8);
        assert!(!verifies(&key, &alpha, changed), "bit {bit}");
    }
    assert!(!verifies(&key, &[0], proof));
    let other = PublicKey::from_hex(VECTORS[1][1]).unwrap();
    assert!(!verifies(&other, &alpha, proof));
}

#[test]
fn a_scalar_that_is_not_below_the_groups_order_is_refused() {
    let (key, alpha, proof) = first();
    let order: [u8; 32] = bytes(ORDER);
    // The same scalar plus the order: the equation holds, and the encoding differs.
    let mut larger = proof;
    let mut carry = 0;
    for (byte, of_order) in larger[48..].iter_mut().zip(order) {
        let sum = u16::from(*byte) + u16::from(of_order) + carry;
        (*byte, carry) = (sum.to_le_bytes()[0], sum >> 8);
    }
    assert_eq!(carry, 0);
    assert!(!verifies(&key, &alpha, larger));
    let mut whole = proof;
    whole[48..].copy_from_slice(&order);
    assert!(!verifies(&key, &alpha, whole));
}

#[test]
fn a_point_has_one_spelling() {
    // y = 2^255 - 19, which is 0 again. Then x = 0 with the sign of an odd x.
    let mut large = [0xff; 32];
    (large[0], large[31]) = (0xed, 0x7f);
    let mut signed_neutral = [0; 32];
    (signed_neutral[0], signed_neutral[31]) = (1, 0x80);
    let mut signed_two = [0xff; 32];
    signed_two[0] = 0xec;
    for odd in [large, signed_neutral, signed_two] {
        assert!(canonical_point(&odd).is_none());
        let (key, alpha, mut proof) = first();
        proof[..32].copy_from_slice(&odd);
        assert!(!verifies(&key, &alpha, proof));
        assert!(PublicKey::from_bytes(&odd).is_err());
    }
    let mut neutral = [0; 32];
    neutral[0] = 1;
    assert!(canonical_point(&neutral).is_some_and(|point| point.is_identity()));
    for small in EIGHT_TORSION {
        assert!(PublicKey::from_bytes(&small.compress().to_bytes()).is_err());
    }
}

/// A holder of the key can add a part of small order to Gamma and still make a proof that verifies.
/// The output does not change, because it is computed from eight times the point (RFC 9381, section
/// 5.2).
#[test]
fn a_part_of_small_order_is_no_second_output() {
    let (key, alpha, _) = first();
    let h = input_point(&key, &alpha).unwrap();
    // The secret scalar is the first half of the hash of the secret, clamped.
    let hash = Sha512::digest(bytes::<32>(VECTORS[0][0]));
    let x = clamp_integer(hash[..32].try_into().unwrap());
    let x = Scalar::from_bytes_mod_order(x);
    let gamma = x * h + EIGHT_TORSION[1];
    // V has the part of small order `-c` times, so `c` has to be a multiple of 8 for it to vanish.
    let made = (0_u64..1000).find_map(|nonce| {
        let k = Scalar::from(nonce);
        let c = challenge(&key, [&h, &gamma, &EdwardsPoint::mul_base(&k), &(k * h)]);
        c[0].is_multiple_of(8).then(|| {
            let s = k + challenge_scalar(&c) * x;
            [&gamma.compress().as_bytes()[..], &c, s.as_bytes()].concat()
        })
    });
    let proof = VrfProof::from_bytes(made.unwrap().try_into().unwrap());
    let proven = proof.verify(&key, &alpha).unwrap();
    assert_ne!(proof.to_bytes(), bytes::<PROOF_LEN>(VECTORS[0][4]));
    assert_eq!(*proven.expose(), bytes(VECTORS[0][5]));
}

#[test]
fn no_output_is_printed() {
    let (key, alpha, proof) = first();
    let proof = VrfProof::from_bytes(proof);
    let output = proof.verify(&key, &alpha).unwrap();
    assert_eq!(format!("{output:?} {proof:?}"), "VrfOutput(..) VrfProof(..)");
}
