//! The seeds of a simulation: each a function of the master seed and a counter.
//!
//! The seed of round `r`, counted from 0, is `SHA-256(enc("pge-lab/v1/simulated-round", master,
//! u64_le(r)))`, with the tuple encoding of PGE-FAIR-1, section 1. Deck and dice follow from it as
//! in any round. `paigow-lab replay` takes it as `round_seed`.

use paigow_fairness::encoding::Hash;
use paigow_fairness::secret::RoundSeed;

/// The derivation in words, for the output.
pub(crate) const DERIVATION: &str =
    "round_seed(r) = SHA-256(enc(\"pge-lab/v1/simulated-round\", seed, u64_le(r))), r from 0";

/// Returns the seed of a round.
pub(crate) fn round(master: &[u8; 32], round: u64) -> RoundSeed {
    let fields: [&[u8]; 2] = [master, &round.to_le_bytes()];
    RoundSeed::new(*Hash::of_tuple("pge-lab/v1/simulated-round", &fields).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_seed_can_be_made_by_hand() {
        // python3: import hashlib, struct
        // enc = bytes([26]) + b"pge-lab/v1/simulated-round" + bytes([2])
        //     + struct.pack("<I", 32) + bytes(range(32)) + struct.pack("<IQ", 8, 258)
        // hashlib.sha256(enc).hexdigest()
        let master = std::array::from_fn(|i| u8::try_from(i).unwrap());
        assert_eq!(
            hex::encode(round(&master, 258).expose()),
            "f250a1a653c5fb3aebb1db1cbbbd8dd3e45c2e203b84eade21910243a856b36b"
        );
    }
}
