//! SHA-256 and HMAC-SHA-256 of short messages, written where they are hashed.
//!
//! A round hashes a few tuples of two or three blocks. The hashers of the libraries take a message
//! in pieces, and so copy it twice more. That takes as long as another block. Here a message is
//! written once, in whole blocks. The library's function compresses them. The library hashes longer
//! messages completely.

use hmac::{Hmac, KeyInit, Mac};
use sha2::block_api::compress256;
use sha2::{Digest, Sha256};
use zeroize::optimization_barrier;

/// The bytes of a block.
const BLOCK: usize = 64;

/// The least that padding adds: a bit, and the length in eight bytes.
const LEAST_PADDING: usize = 1 + 8;

/// The state before the first block (FIPS 180-4, section 5.3.3).
const INITIAL: [u32; 8] = [
    0x6a09_e667,
    0xbb67_ae85,
    0x3c6e_f372,
    0xa54f_f53a,
    0x510e_527f,
    0x9b05_688c,
    0x1f83_d9ab,
    0x5be0_cd19,
];

/// `N` bytes for a message and its padding, in whole blocks.
struct Blocks<const N: usize> {
    bytes: [u8; N],
}

impl<const N: usize> Blocks<N> {
    /// Whether there is room for a message of `len` bytes and its padding.
    const fn hold(len: usize) -> bool {
        len + LEAST_PADDING <= N
    }

    const fn new() -> Self {
        Self { bytes: [0; N] }
    }

    /// Pads a message of `len` bytes in the first blocks (FIPS 180-4, section 5.1.1). Returns the
    /// number of blocks.
    #[inline(always)]
    fn pad(&mut self, len: usize) -> usize {
        let count = (len + LEAST_PADDING).div_ceil(BLOCK);
        let bits = 8 * u64::try_from(len).expect("a message of at most four blocks");
        self.bytes[len] = 0x80;
        self.bytes[BLOCK * count - 8..BLOCK * count].copy_from_slice(&bits.to_be_bytes());
        count
    }

    /// Takes the first `count` blocks into `state`.
    #[inline(always)]
    fn compress(&self, count: usize, state: &mut [u32; 8]) {
        compress256(state, &self.bytes.as_chunks().0[..count]);
    }

    /// Wipes the message, since secrets are hashed too. A `Drop` would also wipe it after a panic,
    /// but made every hash a tenth slower.
    #[inline(always)]
    fn wipe(&mut self) {
        self.bytes = [0; N];
        optimization_barrier(&self.bytes);
    }
}

/// Room for the tuples of a round.
type OfTuple = Blocks<{ 3 * BLOCK }>;

/// Room for the block of the key and the tuple of a round with one client seed or two.
type Inner = Blocks<{ 4 * BLOCK }>;

/// Room for the block of the key and a hash.
type Outer = Blocks<{ 2 * BLOCK }>;

/// Returns the SHA-256 of the `len` bytes that `write` writes.
#[inline(always)]
pub(super) fn sha256(len: usize, write: impl FnOnce(&mut [u8])) -> [u8; 32] {
    if !OfTuple::hold(len) {
        let mut message = vec![0; len];
        write(&mut message);
        return Sha256::digest(&message).into();
    }
    let (mut blocks, mut state) = (OfTuple::new(), INITIAL);
    write(&mut blocks.bytes[..len]);
    let count = blocks.pad(len);
    blocks.compress(count, &mut state);
    blocks.wipe();
    digest(&state)
}

/// Returns the HMAC-SHA-256 under `key` of the `len` bytes that `write` writes (RFC 2104).
#[inline(always)]
pub(super) fn hmac_sha256(key: &[u8; 32], len: usize, write: impl FnOnce(&mut [u8])) -> [u8; 32] {
    if !Inner::hold(BLOCK + len) {
        let mut message = vec![0; len];
        write(&mut message);
        let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
        mac.update(&message);
        return mac.finalize().into_bytes().into();
    }
    let (mut inner, mut outer) = (Inner::new(), Outer::new());
    let (mut inner_state, mut outer_state) = (INITIAL, INITIAL);
    write(&mut inner.bytes[BLOCK..BLOCK + len]);
    let count = inner.pad(BLOCK + len);
    inner.bytes[..BLOCK].copy_from_slice(&padded_key(key, 0x36));
    inner.compress(count, &mut inner_state);

    outer.bytes[..BLOCK].copy_from_slice(&padded_key(key, 0x5c));
    outer.bytes[BLOCK..BLOCK + 32].copy_from_slice(&digest(&inner_state));
    let count = outer.pad(BLOCK + 32);
    outer.compress(count, &mut outer_state);
    inner.wipe();
    outer.wipe();
    digest(&outer_state)
}

/// Returns the first 32 bytes of HKDF-Expand under `key`, with the `len` bytes that `write`
/// writes as info (RFC 5869, section 2.3): one block of the hash.
#[inline(always)]
pub(super) fn hkdf_expand(key: &[u8; 32], len: usize, write: impl FnOnce(&mut [u8])) -> [u8; 32] {
    hmac_sha256(key, len + 1, |place| {
        let (info, counter) = place.split_at_mut(len);
        write(info);
        counter[0] = 1;
    })
}

/// A block of `pad` and in it the key, the two added without carry.
#[inline(always)]
fn padded_key(key: &[u8; 32], pad: u8) -> [u8; BLOCK] {
    let mut block = [pad; BLOCK];
    for (byte, of_key) in block.iter_mut().zip(key) {
        *byte ^= of_key;
    }
    block
}

/// The state as bytes, each word with the highest first.
#[inline(always)]
fn digest(state: &[u32; 8]) -> [u8; 32] {
    let mut digest = [0; 32];
    for (bytes, word) in digest.as_chunks_mut().0.iter_mut().zip(state) {
        *bytes = word.to_be_bytes();
    }
    digest
}

#[cfg(test)]
mod tests;
