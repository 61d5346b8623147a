//! Known answers that a process replays before it serves.
//!
//! A build that cannot replay the published vectors of the primitives, or its own past,
//! must not deal.

use hmac::{Hmac, KeyInit, Mac};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use sha2::Sha256;

use super::encoding::{Hash, Identifier, hex_bytes};
use super::secret::{EpochSecret, RoundSeed};
use super::seed::{Coordinates, client_block, deck_commit, epoch_commit, round_commit, round_seed};
use super::sha256::{hkdf_expand, hmac_sha256, sha256};
use super::shuffle::{DECK_STREAM, DICE_STREAM, deck, dice, full_deck, words};
use super::signature::PublicKey;
use super::vrf::VrfProof;

/// A known answer that was not reproduced.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("self-test failed: {name}")]
pub struct SelfTestError {
    /// Which one.
    pub name: &'static str,
}

/// One known answer: its name, the computed value, and the published value.
struct KnownAnswer {
    name: &'static str,
    found: String,
    published: &'static str,
}

/// Replays every known answer, and returns the digest of all computed values. It is equal on every
/// build that computes the same.
///
/// # Errors
///
/// The first answer that differs from the published one.
pub fn run() -> Result<Hash, SelfTestError> {
    let mut all = Vec::new();
    for answer in primitives().into_iter().chain(round()) {
        if answer.found != answer.published {
            return Err(SelfTestError { name: answer.name });
        }
        all.extend_from_slice(answer.found.as_bytes());
    }
    Ok(Hash::of(&all))
}

fn bytes<const N: usize>(text: &str) -> [u8; N] {
    hex_bytes(text).expect("known answers are hexadecimal")
}

fn primitives() -> Vec<KnownAnswer> {
    // Libraries hash records and long tuples; short tuples are hashed in place.
    let (mut key, message) = ([0; 32], b"what do ya want for nothing?");
    key[..4].copy_from_slice(b"Jefe");
    let mut mac = Hmac::<Sha256>::new_from_slice(b"Jefe").expect("any length");
    mac.update(message);
    let hmac = mac.finalize().into_bytes();
    let hmac_in_place = hmac_sha256(&key, message.len(), |place| place.copy_from_slice(message));

    let prk: [u8; 32] = bytes("077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
    let info: [u8; 10] = bytes("f0f1f2f3f4f5f6f7f8f9");
    // The protocol takes the first block. The published key continues into the second.
    let first = hkdf_expand(&prk, info.len(), |place| place.copy_from_slice(&info));
    let behind = [&first[..], &info, &[2]].concat();
    let second = hmac_sha256(&prk, behind.len(), |place| place.copy_from_slice(&behind));
    let okm = [&first[..], &second[..10]].concat();

    let zero_key = RoundSeed::new([0; 32]);
    let keystream: Vec<u8> = words(&zero_key, [0; 8]).take(32).flat_map(u32::to_le_bytes).collect();

    // RFC 8032, section 7.1, test 3.
    let message: [u8; 2] = bytes("af82");
    let signature = bytes(
        "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
    );
    let verified =
        PublicKey::from_hex("fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025")
            .is_ok_and(|public| {
                public.verifies(&message, &signature) && !public.verifies(b"other", &signature)
            });
    // RFC 9381, appendix B.3: the same key and message.
    let proof = VrfProof::from_bytes(bytes(
        "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf8096bb474e53895c362d8628ee9f9ea3c0e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e",
    ));
    let key = "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025";
    let proven = PublicKey::from_hex(key).ok().and_then(|key| proof.verify(&key, &message));

    vec![
        KnownAnswer {
            name: "SHA-256 of \"abc\" (FIPS 180-4)",
            found: Hash::of(b"abc").to_string(),
            published: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        },
        KnownAnswer {
            name: "SHA-256 of \"abc\" in place (FIPS 180-4)",
            found: hex::encode(sha256(3, |place| place.copy_from_slice(b"abc"))),
            published: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
        },
        KnownAnswer {
            name: "HMAC-SHA-256 (RFC 4231, case 2)",
            found: hex::encode(hmac),
            published: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        },
        KnownAnswer {
            name: "HMAC-SHA-256 in place (RFC 4231, case 2)",
            found: hex::encode(hmac_in_place),
            published: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        },
        KnownAnswer {
            name: "HKDF-Expand (RFC 5869, case 1)",
            found: hex::encode(okm),
            published: "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
        },
        KnownAnswer {
            name: "ChaCha20 keystream (RFC 8439, appendix A.1, cases 1 and 2)",
            found: hex::encode(keystream),
            published: concat!(
                "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586",
                "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28510afb45ace10a1f4b794d6f",
            ),
        },
        KnownAnswer {
            name: "Ed25519 verification",
            found: verified.to_string(),
            published: "true",
        },
        KnownAnswer {
            name: "ECVRF-EDWARDS25519-SHA512-TAI output (RFC 9381, example 18)",
            found: proven.map_or_else(String::new, |output| hex::encode(output.expose())),
            published: concat!(
                "645427e5d00c62a23fb703732fa5d892940935942101e456ecca7bb217c61c45",
                "2118fec1219202a0edcf038bb6373241578be7217ba85a2687f7a0310b2df19f",
            ),
        },
    ]
}

/// The first round and the first raw replay of the published vectors.
fn round() -> Vec<KnownAnswer> {
    let identifier =
        |text: &str| text.parse::<Identifier>().expect("known answers have identifiers");
    let hash = |text| Hash::from_bytes(bytes(text));
    let secret =
        EpochSecret::new(bytes("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"));
    let salt = hash("2e7934713af0eb93012a10ba1a11786f7b6a20bfe9ce6cb1dc9386234828187b");
    let ruleset = hash("599423e0dc41564ef66f596647253919f85258a28c128899e63215e9d37faada");
    let coordinates = Coordinates {
        epoch: 20777,
        tenant: identifier("acme"),
        table: identifier("T1"),
        round_no: 1,
    };
    let server_seed = coordinates.derived_server_seed(&secret, &salt);
    let round_id = coordinates.round_id();
    let commit = round_commit(&server_seed, &round_id, &ruleset, &identifier("1.0"));
    let seed = round_seed(&server_seed, &round_id, &client_block([]), &[]);
    let zero = RoundSeed::new([0; 32]);
    // The processor decides which instructions make the keystream.
    let is_made_alike = |stream| {
        words(&seed, stream).zip(words_by_rand_chacha(&seed, stream)).take(200).all(|(a, b)| a == b)
    };
    vec![
        KnownAnswer {
            name: "commitment of the known epoch",
            found: epoch_commit(20777, &secret).to_string(),
            published: "a9d7b96e349a74cf6bad85fabc37f0a624aaf357138ec70d4baef8c665a19ba2",
        },
        KnownAnswer {
            name: "id of the known round",
            found: round_id.to_string(),
            published: "1c212a39ab1f3fa1c4c404efee8be1193a07ee997ef41320ed04e515dacaebc8",
        },
        KnownAnswer {
            name: "commitment of the known round",
            found: commit.to_string(),
            published: "13f6e3b10679e0fb6e7865430729872e36f867d7a63c5163982ea87ff7b11ec8",
        },
        KnownAnswer {
            name: "keystreams of the known round, as by another implementation",
            found: [DECK_STREAM, DICE_STREAM].into_iter().all(is_made_alike).to_string(),
            published: "true",
        },
        KnownAnswer {
            name: "deck of the known round",
            found: deck_commit(&seed, &full_deck(&seed)[..]).to_string(),
            published: "a5293c5d545bb846c45428b4915c2312c54983cb711b48046ee40d2ba0d5d842",
        },
        KnownAnswer {
            // Play draws with a table of reciprocals. This answer comes from divisions.
            name: "decks as by division",
            found: [&seed, &zero]
                .into_iter()
                .all(|seed| full_deck(seed)[..] == deck(seed, 53)[..])
                .to_string(),
            published: "true",
        },
        KnownAnswer {
            name: "dice of the known round",
            found: format!("{:?}", dice(&seed)),
            published: "[2, 5, 3]",
        },
        KnownAnswer {
            name: "first packet and dice of the all-zero round seed",
            found: format!(
                "{:?} {:?}",
                deck(&zero, 53)[..7].iter().map(|card| card.number()).collect::<Vec<_>>(),
                dice(&zero)
            ),
            published: "[23, 39, 35, 50, 32, 30, 12] [3, 2, 2]",
        },
    ]
}

/// Returns the words of a stream as rand_chacha makes them. It shares no code with the cipher that
/// play uses.
pub(super) fn words_by_rand_chacha(seed: &RoundSeed, stream: [u8; 8]) -> impl Iterator<Item = u32> {
    let mut generator = ChaCha20Rng::from_seed(*seed.expose());
    generator.set_stream(u64::from_le_bytes(stream));
    std::iter::repeat_with(move || generator.next_u32())
}

#[cfg(test)]
mod tests;
