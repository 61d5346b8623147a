//! From secrets to seeds: the suites, the commitments, the round seed (PGE-FAIR-1, sections 3.2 to
//! 3.4 and 6.1).

use super::beacon::{BeaconRound, BeaconSignature};
use super::encoding::{Hash, Identifier, enc, enc_len, write_enc};
use super::secret::{EpochSecret, RoundSeed, ServerSeed};
use super::sha256::{hkdf_expand, hmac_sha256};
use super::signature::PublicKey;
use super::vrf::{VrfOutput, VrfProof};
use paigow_rules::cards::{Card, DECK_LEN, Seat};

/// The place of a round. Its server seed depends on nothing else except the values of the epoch.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd, serde::Deserialize, serde::Serialize)]
pub struct Coordinates {
    /// The epoch, 0 to 2^31 - 1.
    pub epoch: u32,
    /// The authenticated identity of the caller.
    pub tenant: Identifier,
    /// The table, named by the caller.
    pub table: Identifier,
    /// The number of the round at the table in the epoch, 1 to 2^63 - 1.
    pub round_no: u64,
}

impl Coordinates {
    /// Calls `f` with the bytes of epoch, tenant, table and number.
    fn with_fields<T>(&self, f: impl FnOnce([&[u8]; 4]) -> T) -> T {
        let (epoch, round_no) = (self.epoch.to_le_bytes(), self.round_no.to_le_bytes());
        f([&epoch, self.tenant.as_bytes(), self.table.as_bytes(), &round_no])
    }

    /// Returns the public id of the round: `SHA-256(enc("pge/v1/round-id", coords))`.
    #[must_use]
    pub fn round_id(&self) -> Hash {
        self.with_fields(|coords| Hash::of_tuple("pge/v1/round-id", &coords))
    }

    /// Returns the HKDF info of the derived suite:
    /// `enc("pge/v1/server-seed", epoch_salt, coords)`.
    #[must_use]
    pub fn server_seed_info(&self, epoch_salt: &Hash) -> Vec<u8> {
        self.with_server_seed_info(epoch_salt, enc)
    }

    /// Calls `f` with the label and the fields of [`Self::server_seed_info`].
    #[inline(always)]
    fn with_server_seed_info<T>(
        &self,
        epoch_salt: &Hash,
        f: impl FnOnce(&str, &[&[u8]]) -> T,
    ) -> T {
        self.with_fields(|[epoch, tenant, table, round_no]| {
            let salt = epoch_salt.as_bytes();
            f("pge/v1/server-seed", &[salt, epoch, tenant, table, round_no])
        })
    }

    /// Returns the input of the verifiable random function in the vrf suite:
    /// `enc("pge/v1/vrf-input", epoch_salt, coords)`.
    #[must_use]
    pub fn vrf_input(&self, epoch_salt: &Hash) -> Vec<u8> {
        self.with_fields(|[epoch, tenant, table, round_no]| {
            enc("pge/v1/vrf-input", &[epoch_salt.as_bytes(), epoch, tenant, table, round_no])
        })
    }

    /// Returns the server seed that a proof shows for the place under the epoch's key (vrf suite),
    /// or [`None`] if the proof does not verify.
    #[must_use]
    pub fn proven_server_seed(
        &self,
        vrf_key: &PublicKey,
        epoch_salt: &Hash,
        proof: &VrfProof,
    ) -> Option<ServerSeed> {
        Some(vrf_server_seed(&proof.verify(vrf_key, &self.vrf_input(epoch_salt))?))
    }

    /// Returns the server seed of the derived suite:
    /// `HKDF-Expand(PRK = secret, info = enc("pge/v1/server-seed", salt, coords), 32)`.
    ///
    /// RFC 5869, section 3.3 permits skipping Extract because the epoch secret is
    /// already a uniform key of 32 bytes.
    #[must_use]
    pub fn derived_server_seed(&self, secret: &EpochSecret, epoch_salt: &Hash) -> ServerSeed {
        self.with_server_seed_info(epoch_salt, |label, fields| {
            let write = |place: &mut [u8]| write_enc(label, fields, place);
            ServerSeed::new(hkdf_expand(secret.expose(), enc_len(label, fields), write))
        })
    }
}

/// Returns the commitment to an epoch secret:
/// `SHA-256(enc("pge/v1/epoch-commit", u32 epoch, secret))`.
#[must_use]
pub fn epoch_commit(epoch: u32, secret: &EpochSecret) -> Hash {
    Hash::of_tuple("pge/v1/epoch-commit", &[&epoch.to_le_bytes(), secret.expose()])
}

/// Returns the server seed of the vrf suite: `SHA-256(enc("pge/v1/vrf-seed", beta))`.
#[must_use]
pub fn vrf_server_seed(output: &VrfOutput) -> ServerSeed {
    ServerSeed::new(*Hash::of_tuple("pge/v1/vrf-seed", &[output.expose()]).as_bytes())
}

/// Returns the salt from a drand round:
/// `SHA-256(enc("pge/v1/epoch-salt-drand", chain, u64 round, signature))`.
#[must_use]
pub fn epoch_salt_drand(named: &BeaconRound, signature: &BeaconSignature) -> Hash {
    let fields: [&[u8]; 3] = [named.chain.as_bytes(), &named.round.to_le_bytes(), signature];
    Hash::of_tuple("pge/v1/epoch-salt-drand", &fields)
}

/// Returns the salt from a witness's value:
/// `SHA-256(enc("pge/v1/epoch-salt-party", public_key, value))`.
#[must_use]
pub fn epoch_salt_party(public_key: &[u8; 32], value: &[u8; 32]) -> Hash {
    Hash::of_tuple("pge/v1/epoch-salt-party", &[public_key, value])
}

/// Returns the statement that a witness signs (D2): `enc("pge/v1/epoch-salt-party", u32 epoch,
/// manifest_hash, epoch_commit, value)`.
///
/// The manifest is the one that first lists the epoch. In the vrf suite, `epoch_commit` is its key.
#[must_use]
pub fn epoch_salt_statement(
    epoch: u32,
    announcement: &Hash,
    commit: &Hash,
    value: &[u8; 32],
) -> Vec<u8> {
    let fields: [&[u8]; 4] =
        [&epoch.to_le_bytes(), announcement.as_bytes(), commit.as_bytes(), value];
    enc("pge/v1/epoch-salt-party", &fields)
}

/// Returns the commitment of a round:
/// `SHA-256(enc("pge/v1/commit", server_seed, round_id, ruleset_hash, engine))`.
#[must_use]
pub fn round_commit(
    server_seed: &ServerSeed,
    round_id: &Hash,
    ruleset: &Hash,
    engine: &Identifier,
) -> Hash {
    Hash::of_tuple(
        "pge/v1/commit",
        &[server_seed.expose(), round_id.as_bytes(), ruleset.as_bytes(), engine.as_bytes()],
    )
}

/// Returns whether `seed` has a valid length: 16 to 64 bytes.
#[must_use]
pub fn is_client_seed(seed: &[u8]) -> bool {
    (16..=64).contains(&seed.len())
}

/// Returns a seat's commitment to its client seed:
/// `SHA-256(enc("pge/v1/client-commit", round_id, u8 seat, seed))`.
#[must_use]
pub fn client_commit(round_id: &Hash, seat: Seat, seed: &[u8]) -> Hash {
    Hash::of_tuple("pge/v1/client-commit", &[round_id.as_bytes(), &[seat.number()], seed])
}

/// The length in bytes of the client seeds for which [`client_commit_prefix`] holds.
const PREFIXED_SEED_LEN: usize = 32;

/// Returns the bytes before a client seed of 32 bytes in the input of its commitment.
/// `client_commit(round_id, seat, seed)` is SHA-256 of these bytes followed by the seed.
#[must_use]
pub fn client_commit_prefix(round_id: &Hash, seat: Seat) -> Vec<u8> {
    let mut whole = enc(
        "pge/v1/client-commit",
        &[round_id.as_bytes(), &[seat.number()], &[0; PREFIXED_SEED_LEN]],
    );
    whole.truncate(whole.len() - PREFIXED_SEED_LEN);
    whole
}

/// Returns the list of revealed client seeds, ascending by seat:
/// `enc("pge/v1/client-seeds", u8 seat || seed, ...)`; an empty list is allowed.
#[must_use]
pub fn client_block<'a>(seeds: impl IntoIterator<Item = (&'a Seat, &'a Vec<u8>)>) -> Vec<u8> {
    let fields: Vec<Vec<u8>> = seeds
        .into_iter()
        .map(|(seat, seed)| [&[seat.number()], seed.as_slice()].concat())
        .collect();
    let fields: Vec<&[u8]> = fields.iter().map(Vec::as_slice).collect();
    enc("pge/v1/client-seeds", &fields)
}

/// Returns the ChaCha20 key of the round:
/// `HMAC-SHA-256(server_seed, enc("pge/v1/round-seed", round_id, client_block, external))`.
///
/// `external` is empty in this release (PGE-FAIR-1, section 3.4).
#[must_use]
pub fn round_seed(
    server_seed: &ServerSeed,
    round_id: &Hash,
    client_block: &[u8],
    external: &[u8],
) -> RoundSeed {
    let (label, fields) = ("pge/v1/round-seed", [round_id.as_bytes(), client_block, external]);
    let len = enc_len(label, &fields);
    let write = |place: &mut [u8]| write_enc(label, &fields, place);
    RoundSeed::new(hmac_sha256(server_seed.expose(), len, write))
}

/// Returns the commitment to the deck between Deal and Settle:
/// `SHA-256(enc("pge/v1/deck-commit", round_seed, deck_bytes))`.
#[must_use]
pub fn deck_commit(round_seed: &RoundSeed, deck: &[Card]) -> Hash {
    let mut numbers = [0; DECK_LEN];
    for (number, card) in numbers.iter_mut().zip(deck) {
        *number = card.number();
    }
    let numbers = &numbers[..deck.len()];
    Hash::of_tuple("pge/v1/deck-commit", &[round_seed.expose(), numbers])
}

/// Returns the content hash of a ruleset (D9):
/// `SHA-256(enc("pge/v1/ruleset", id, file_bytes))`.
#[must_use]
pub fn ruleset_hash(id: &str, file: &[u8]) -> Hash {
    Hash::of_tuple("pge/v1/ruleset", &[id.as_bytes(), file])
}

/// Returns the content hash of a house way (D9):
/// `SHA-256(enc("pge/v1/house-way", id, file_bytes))`.
#[must_use]
pub fn house_way_hash(id: &str, file: &[u8]) -> Hash {
    Hash::of_tuple("pge/v1/house-way", &[id.as_bytes(), file])
}
