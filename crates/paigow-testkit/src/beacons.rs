//! Public randomness to test with: a chain of drand whose secret is known, so that its
//! rounds are available. Another library than the engine's signed them
//! (`verifiers/conformance/beacon.mjs`).

use std::sync::LazyLock;

use paigow_fairness::beacon::{Beacon, BeaconSignature};
use paigow_fairness::encoding::hex_bytes;
use serde_json::Value;

static FILE: LazyLock<Value> = LazyLock::new(|| {
    serde_json::from_str(include_str!("../../../verifiers/conformance/beacon.json")).unwrap()
});

/// The last round that [`beacon_signature`] has.
pub const LAST_ROUND: u64 = 64;

/// Returns a chain that publishes round 1 at `genesis` and a further round every 3 seconds.
pub fn beacon(genesis: u64) -> Beacon {
    let listed = &FILE["beacon"];
    Beacon {
        genesis,
        group: listed["group"].as_str().unwrap().parse().unwrap(),
        id: listed["id"].as_str().unwrap().parse().unwrap(),
        period: 3,
        key: hex_bytes(listed["pk"].as_str().unwrap()).unwrap(),
    }
}

/// Returns the signature of a round of that chain, 1 to [`LAST_ROUND`].
///
/// # Panics
///
/// If there is no such round.
pub fn beacon_signature(round: u64) -> BeaconSignature {
    hex_bytes(FILE["signatures"][round.to_string()].as_str().unwrap()).unwrap()
}
