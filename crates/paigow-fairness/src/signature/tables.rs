//! Tables of the keys that verify often: multiples of the key, computed once.
//!
//! A receipt key and a ledger's key verify each round. With a table of 30 KiB the equation takes two
//! thirds of the time. A table changes the time alone.

use std::sync::atomic::{AtomicU16, Ordering};
use std::sync::{LazyLock, PoisonError, RwLock};

use curve25519_dalek::constants::ED25519_BASEPOINT_TABLE;
use curve25519_dalek::edwards::{CompressedEdwardsY, EdwardsBasepointTable};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::BasepointTable as _;
use sha2::{Digest as _, Sha512};

/// The number of uses after which a key gets its table. The table costs as much as some 30
/// verifications.
pub(super) const OFTEN: u16 = 256;

/// A key and its table.
pub(super) struct KeyTable {
    key: [u8; 32],
    /// The multiples of the negative of the key's point.
    negative: EdwardsBasepointTable,
}

impl KeyTable {
    /// Computes the table of a key; [`None`] if the bytes are not a point.
    pub(super) fn of(key: &[u8; 32]) -> Option<Self> {
        let negative = -CompressedEdwardsY(*key).decompress()?;
        Some(Self { key: *key, negative: EdwardsBasepointTable::create(&negative) })
    }

    /// Returns whether `s` is below the group's order and `s * B - k * A` is, byte by byte, the
    /// point of the signature (RFC 8032, section 5.1.7, without cofactor).
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8; 64]) -> bool {
        let (point, s) = signature.split_at(32);
        let s = <[u8; 32]>::try_from(s).expect("half of 64 bytes");
        let Some(s) = Option::<Scalar>::from(Scalar::from_canonical_bytes(s)) else {
            return false;
        };
        let hash = Sha512::new().chain_update(point).chain_update(self.key).chain_update(message);
        let k = Scalar::from_bytes_mod_order_wide(&hash.finalize().into());
        let sum = &s * ED25519_BASEPOINT_TABLE + &k * &self.negative;
        sum.compress().as_bytes() == point
    }
}

/// The most used of the keys that share a place.
#[derive(Default)]
struct Slot {
    key: [u8; 32],
    /// Rises with each use of the key, and falls with each use of another (Boyer and Moore).
    uses: AtomicU16,
    table: Option<Box<KeyTable>>,
}

/// The tables of the keys that are used most.
pub(super) struct KeyTables(Vec<RwLock<Slot>>);

impl KeyTables {
    /// Makes room for the tables of so many keys.
    pub(super) fn new(slots: usize) -> Self {
        Self((0..slots).map(|_| RwLock::default()).collect())
    }

    /// Counts a use of a key, and returns the verdict of its table; [`None`] while it has no table.
    pub(super) fn verifies(
        &self,
        key: &[u8; 32],
        message: &[u8],
        signature: &[u8; 64],
    ) -> Option<bool> {
        let place = usize::from(u16::from_le_bytes([key[0], key[1]])) % self.0.len();
        let slot = self.0[place].read().unwrap_or_else(PoisonError::into_inner);
        let (is_its, uses) = (slot.key == *key, slot.uses.load(Ordering::Relaxed));
        if let Some(table) = slot.table.as_ref().filter(|_| is_its) {
            if uses < OFTEN {
                slot.uses.store(OFTEN, Ordering::Relaxed);
            }
            return Some(table.verifies(message, signature));
        }
        match (is_its, uses) {
            (true, ..OFTEN) => slot.uses.store(uses + 1, Ordering::Relaxed),
            (false, 1..) => slot.uses.store(uses - 1, Ordering::Relaxed),
            (true, OFTEN..) | (false, 0) => {
                drop(slot);
                let table = is_its.then(|| KeyTable::of(key).map(Box::new)).flatten();
                let uses = AtomicU16::new(if is_its { OFTEN } else { 1 });
                let mut slot = self.0[place].write().unwrap_or_else(PoisonError::into_inner);
                *slot = Slot { key: *key, uses, table };
            }
        }
        None
    }
}

/// The tables of the process.
pub(super) static TABLES: LazyLock<KeyTables> = LazyLock::new(|| KeyTables::new(1024));
