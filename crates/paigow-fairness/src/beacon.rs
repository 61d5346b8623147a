//! Public randomness: chains of drand, whose rounds nobody knows before they are published
//! (PGE-FAIR-1, section 3.7).

use std::sync::{PoisonError, RwLock};

use drand_verify::{G2PubkeyRfc, Pubkey as _};

use crate::encoding::{Hash, Identifier, enc, hex_bytes};
use crate::json::Json;
use crate::payload::{Members, PayloadError};

/// The longest time between two rounds of a chain, in seconds: a day.
const MAX_PERIOD: u64 = 24 * 3600;

/// Whether a compressed point with this first byte is the identity.
const fn is_identity(first: u8) -> bool {
    const COMPRESSED_INFINITY: u8 = 0xc0;
    first & COMPRESSED_INFINITY == COMPRESSED_INFINITY
}

/// The signature of a round of a chain: a compressed point of G1.
pub type BeaconSignature = [u8; 48];

/// The key of a chain, a round of it, and the signature that verified.
type Verified = ([u8; 96], u64, BeaconSignature);

/// The signatures that verified last in this process. The round decides the place of each. All
/// tables that wait for one round submit the same signature. The cache changes the time alone.
static VERIFIED: [RwLock<Option<Verified>>; 64] = [const { RwLock::new(None) }; 64];

/// A chain of drand with the scheme `bls-unchained-g1-rfc9380`, as a manifest lists it.
///
/// # Examples
///
/// ```
/// use paigow_fairness::beacon::Beacon;
///
/// // The quicknet of the League of Entropy: a round each 3 seconds.
/// let quicknet = Beacon {
///     genesis: 1_692_803_367,
///     group: "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e".parse()?,
///     id: "quicknet".parse()?,
///     period: 3,
///     key: Beacon::QUICKNET_KEY,
/// };
/// assert_eq!(quicknet.chain(), Beacon::QUICKNET);
/// assert_eq!(quicknet.published_at(123), 1_692_803_367 + 122 * 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Beacon {
    /// The time at which round 1 is published, in Unix seconds.
    pub genesis: u64,
    /// The hash of the group of its nodes: drand's `groupHash`.
    pub group: Hash,
    /// Its name.
    pub id: Identifier,
    /// The time between two rounds, 1 to 86,400 seconds.
    pub period: u64,
    /// Its public key, a compressed point of G2.
    pub key: [u8; 96],
}

impl Beacon {
    /// The chain hash of quicknet, which every verifier trusts.
    pub const QUICKNET: Hash = Hash::from_bytes([
        0x52, 0xdb, 0x9b, 0xa7, 0x0e, 0x0c, 0xc0, 0xf6, 0xea, 0xf7, 0x80, 0x3d, 0xd0, 0x74, 0x47,
        0xa1, 0xf5, 0x47, 0x77, 0x35, 0xfd, 0x3f, 0x66, 0x17, 0x92, 0xba, 0x94, 0x60, 0x0c, 0x84,
        0xe9, 0x71,
    ]);

    /// The public key of quicknet.
    pub const QUICKNET_KEY: [u8; 96] = [
        0x83, 0xcf, 0x0f, 0x28, 0x96, 0xad, 0xee, 0x7e, 0xb8, 0xb5, 0xf0, 0x1f, 0xca, 0xd3, 0x91,
        0x22, 0x12, 0xc4, 0x37, 0xe0, 0x07, 0x3e, 0x91, 0x1f, 0xb9, 0x00, 0x22, 0xd3, 0xe7, 0x60,
        0x18, 0x3c, 0x8c, 0x4b, 0x45, 0x0b, 0x6a, 0x0a, 0x6c, 0x3a, 0xc6, 0xa5, 0x77, 0x6a, 0x2d,
        0x10, 0x64, 0x51, 0x0d, 0x1f, 0xec, 0x75, 0x8c, 0x92, 0x1c, 0xc2, 0x2b, 0x0e, 0x17, 0xe6,
        0x3a, 0xaf, 0x4b, 0xcb, 0x5e, 0xd6, 0x63, 0x04, 0xde, 0x9c, 0xf8, 0x09, 0xbd, 0x27, 0x4c,
        0xa7, 0x3b, 0xab, 0x4a, 0xf5, 0xa6, 0xe9, 0xc7, 0x6a, 0x4b, 0xc0, 0x9e, 0x76, 0xea, 0xe8,
        0x99, 0x1e, 0xf5, 0xec, 0xe4, 0x5a,
    ];

    /// Returns the chain hash, as drand computes it:
    /// `SHA-256(u32be period || u64be genesis || key || group || id)`, without an id `default`.
    #[must_use]
    pub fn chain(&self) -> Hash {
        let period = u32::try_from(self.period).unwrap_or(u32::MAX).to_be_bytes();
        let genesis = self.genesis.to_be_bytes();
        let id = if self.id.as_str() == "default" { &[][..] } else { self.id.as_bytes() };
        Hash::of_parts(&[&period, &genesis, &self.key, self.group.as_bytes(), id])
    }

    /// Returns when a round is published, in Unix seconds. Rounds are numbered from 1.
    #[must_use]
    pub const fn published_at(&self, round: u64) -> u64 {
        self.genesis.saturating_add(round.saturating_sub(1).saturating_mul(self.period))
    }

    /// Returns the first round that is published at a time, in Unix seconds, or later.
    #[must_use]
    pub const fn first_round_from(&self, time: u64) -> u64 {
        time.saturating_sub(self.genesis).div_ceil(self.period).saturating_add(1)
    }

    /// Returns the last round that is published before a time, in Unix seconds; 0 if none is.
    #[must_use]
    pub const fn last_round_before(&self, time: u64) -> u64 {
        time.saturating_sub(self.genesis).div_ceil(self.period)
    }

    /// Whether the key is a point of the subgroup of G2, and not the identity.
    #[must_use]
    pub fn has_good_key(&self) -> bool {
        !is_identity(self.key[0]) && G2PubkeyRfc::from_fixed(self.key).is_ok()
    }

    /// Returns whether a signature is the chain's for a round, by BLS on the curve BLS12-381.
    /// Neither key nor signature may be the identity, and both must be in the subgroup of prime
    /// order.
    #[must_use]
    pub fn verifies(&self, round: u64, signature: &BeaconSignature) -> bool {
        let [low, ..] = round.to_le_bytes();
        let place = &VERIFIED[usize::from(low) % VERIFIED.len()];
        let asked = Some((self.key, round, *signature));
        if *place.read().unwrap_or_else(PoisonError::into_inner) == asked {
            return true;
        }
        let is_good = self.has_equal_pairings(round, signature);
        if is_good {
            *place.write().unwrap_or_else(PoisonError::into_inner) = asked;
        }
        is_good
    }

    /// Whether the pairings of a signature and of the key are equal for a round.
    fn has_equal_pairings(&self, round: u64, signature: &BeaconSignature) -> bool {
        if is_identity(self.key[0]) || is_identity(signature[0]) {
            return false;
        }
        let key = G2PubkeyRfc::from_fixed(self.key);
        key.is_ok_and(|key| key.verify(round, b"", signature).unwrap_or(false))
    }

    pub(crate) fn to_json(&self) -> Json<'static> {
        Json::obj([
            ("genesis", Json::str(self.genesis)),
            ("group", Json::str(self.group)),
            ("id", Json::str(&self.id)),
            ("period", Json::Int(self.period)),
            ("pk", Json::Str(hex::encode(self.key).into())),
        ])
    }

    pub(crate) fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        let beacon = Self {
            genesis: members.decimal("genesis")?,
            group: members.hash("group")?,
            id: members.parsed("id")?,
            period: members.int("period", MAX_PERIOD)?,
            key: hex_bytes(&members.text("pk")?)
                .map_err(|_| members.blame("pk", "not 96 bytes in hexadecimal"))?,
        };
        if beacon.period == 0 {
            return Err(members.blame("period", "not an integer in range"));
        }
        Ok(beacon)
    }
}

/// A round of a chain, which a ticket names before it is published.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct BeaconRound {
    /// The chain's hash.
    pub chain: Hash,
    /// The number of the round, from 1.
    pub round: u64,
}

impl BeaconRound {
    /// Takes the members `chain` and `round`.
    pub(crate) fn parse(members: &mut Members) -> Result<Self, PayloadError> {
        let named = Self { chain: members.hash("chain")?, round: members.decimal("round")? };
        if named.round == 0 {
            return Err(members.blame("round", "rounds are numbered from 1"));
        }
        Ok(named)
    }

    /// Returns the external part of the seed of a round of play: `enc("pge/v1/external-drand",
    /// chain, u64 round, signature)`.
    #[must_use]
    pub fn external(&self, signature: &BeaconSignature) -> Vec<u8> {
        let fields: [&[u8]; 3] = [self.chain.as_bytes(), &self.round.to_le_bytes(), signature];
        enc("pge/v1/external-drand", &fields)
    }
}

#[cfg(test)]
mod tests;
