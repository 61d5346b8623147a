//! The power-on self-test: primitives, a known round, known settings.

use paigow_fairness::encoding::{Hash, hex_bytes};
use paigow_fairness::secret::EpochSecret;
pub use paigow_fairness::self_test::SelfTestError;
use paigow_fairness::signature::Signer;
use paigow_rules::cards::{Card, codes};
use paigow_rules::house_way;

use crate::{SecretKey, VrfSecretKey};

/// House ways, hands, and the clause and low cards that an independent implementation
/// gave them.
const SETTINGS: [(&str, &str, &str, &str); 8] = [
    ("mikes", "2d Ac As 9c Ah Ad Jk", "K1", "Ac Ad"),
    ("mikes", "9c 2h Js 2d 2c 9d Jh", "K4", "Jh Js"),
    ("mikes", "Ts Td 9c Jd Qd Kc Jh", "K10cs", "Td Ts"),
    ("mikes", "Jk Kc Qd 7h Ac Ad 9s", "K8a", "Kc Ac"),
    ("mini", "4s 3h 5c Ac Ad 2d", "M9b", "Ac"),
    ("mini", "7h 5c Jk 8s 6d 9c", "M9a", "Jk"),
    ("online", "As Jk Ad Qs 9c Js Ks", "O3", "Ad As"),
    ("online", "Jk Qs Js As 3c Ks 4s", "O4c/F6J", "3c Jk"),
];

const SIGNATURE: &str = "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a";

const PROOF: &str = "9bc0f79119cc5604bf02d23b4caede71393cedfbb191434dd016d30177ccbf8096bb474e53895c362d8628ee9f9ea3c0e52c7a5c691b6c18c9979866568add7a2d41b00b05081ed0f58ee5e31b3a970e";

/// Replays every known answer, and returns the digest of all computed values.
///
/// # Errors
///
/// The first answer that differs from the published one.
///
/// # Panics
///
/// Never: the known answers are hexadecimal.
pub fn run() -> Result<Hash, SelfTestError> {
    let mut all = paigow_fairness::self_test::run()?.as_bytes().to_vec();
    // RFC 8032, section 7.1, test 3.
    let secret = hex_bytes("c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7")
        .expect("known answers are hexadecimal");
    let signature = SecretKey::from_bytes(&secret).sign(&[0xaf, 0x82]);
    if hex::encode(signature) != SIGNATURE {
        return Err(SelfTestError { name: "Ed25519 signature (RFC 8032, section 7.1, test 3)" });
    }
    all.extend_from_slice(&signature);
    // RFC 9381, appendix B.3, example 18: the same key and message.
    let (_, proof) = VrfSecretKey::new(&EpochSecret::new(secret)).prove(&[0xaf, 0x82]);
    let proof = proof.to_bytes();
    if hex::encode(proof) != PROOF {
        return Err(SelfTestError { name: "proof of the VRF (RFC 9381, example 18)" });
    }
    all.extend_from_slice(&proof);
    for (id, cards, clause, low) in SETTINGS {
        let failed = SelfTestError { name: "settings of the house ways" };
        let way = house_way::shipped().iter().find(|way| way.id() == id).ok_or(failed)?;
        let cards: Vec<Card> =
            cards.split(' ').map(str::parse).collect::<Result<_, _>>().map_err(|_| failed)?;
        let set = way.set(&cards).ok_or(failed)?;
        if set.clause.id() != clause || codes(&set.low) != low {
            return Err(failed);
        }
        all.extend_from_slice(clause.as_bytes());
        all.extend(set.low.iter().chain(&set.high).map(|card| card.number()));
    }
    Ok(Hash::of(&all))
}

#[cfg(test)]
mod tests;
