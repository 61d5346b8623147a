//! Whole rounds by the protocol: records, refusals, forgeries, manifests.
#![allow(clippy::unwrap_used)]

mod audit_example;
mod beacons;
mod every_ruleset;
mod face_up;
mod fuzzed;
mod key_stores;
mod lock_sizes;
mod manifest_content;
mod manifests;
mod mistaken_rounds;
mod open_epochs;
mod parsers;
mod prepared_bytes;
mod prepared_rounds;
mod refusals;
mod rules_by_hash;
mod tamper;
mod whole_rounds;
