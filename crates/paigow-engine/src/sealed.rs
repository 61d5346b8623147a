//! The fresh suite's sealed seed: a server seed that travels in its ticket
//! (PGE-FAIR-1, section 3.5).
//!
//! `"PGT1" || u8 suite=1 || kid[8] || nonce[24] || XChaCha20-Poly1305(key, nonce, aad, seed)`,
//! 85 bytes, with `aad = enc("pge/v1/seal", "PGT1" || suite || kid, round_id, commit)`.

use chacha20poly1305::aead::{Aead, KeyInit, Payload};
use chacha20poly1305::{XChaCha20Poly1305, XNonce};

use paigow_fairness::encoding::{Hash, enc};
use paigow_fairness::secret::ServerSeed;
use paigow_fairness::ticket::SEALED_LEN;

use crate::TokenKey;

const HEAD: [u8; 5] = *b"PGT1\x01";
const KID: usize = 8;
const NONCE: usize = 24;
const _: () = assert!(SEALED_LEN == HEAD.len() + KID + NONCE + 32 + 16);

fn aad(kid: &[u8; KID], round_id: &Hash, commit: &Hash) -> Vec<u8> {
    let head = [HEAD.as_slice(), kid].concat();
    enc("pge/v1/seal", &[&head, round_id.as_bytes(), commit.as_bytes()])
}

/// Seals a server seed for the ticket of a round.
///
/// `nonce` comes from the operating system. With 24 random bytes, replicas need no coordination
/// against reuse.
///
/// # Panics
///
/// Never: a message of 32 bytes is far below the cipher's limit.
#[must_use]
pub fn seal(
    key: &TokenKey,
    kid: [u8; KID],
    nonce: [u8; NONCE],
    round_id: &Hash,
    commit: &Hash,
    seed: &ServerSeed,
) -> Vec<u8> {
    let aad = aad(&kid, round_id, commit);
    let sealed = XChaCha20Poly1305::new(key.expose().into())
        .encrypt(&XNonce::from(nonce), Payload { msg: seed.expose(), aad: &aad })
        .expect("32 bytes are below the cipher's limit");
    [&HEAD, kid.as_slice(), &nonce, &sealed].concat()
}

/// Returns the id of the key that sealed `blob`, or [`None`] if it is not a sealed seed.
#[must_use]
pub fn sealing_key(blob: &[u8]) -> Option<[u8; KID]> {
    if blob.len() != SEALED_LEN || !blob.starts_with(&HEAD) {
        return None;
    }
    blob[HEAD.len()..HEAD.len() + KID].try_into().ok()
}

/// Opens a sealed seed.
///
/// Returns [`None`] if this key did not seal the blob for this round and commitment. The opened
/// seed must also match `commit`, because the cipher does not commit to its key.
#[must_use]
pub fn open(key: &TokenKey, blob: &[u8], round_id: &Hash, commit: &Hash) -> Option<ServerSeed> {
    let kid = sealing_key(blob)?;
    let (nonce, sealed) = blob[HEAD.len() + KID..].split_at(NONCE);
    let nonce: [u8; NONCE] = nonce.try_into().ok()?;
    let aad = aad(&kid, round_id, commit);
    let opened = XChaCha20Poly1305::new(key.expose().into())
        .decrypt(&XNonce::from(nonce), Payload { msg: sealed, aad: &aad })
        .ok()?;
    let opened = zeroize::Zeroizing::new(opened);
    Some(ServerSeed::new(opened.as_slice().try_into().ok()?))
}

#[cfg(test)]
mod tests;
