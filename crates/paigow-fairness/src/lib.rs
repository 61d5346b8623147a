//! PGE-FAIR-1: seeds, commitments, shuffle, dice, records, manifest, transcripts.
//!
//! The crate has no input or output, no clock, and no random number except the keystream of the
//! round. Section and decision numbers (D1 to D23) are those of the protocol's text.

pub mod beacon;
pub mod dsse;
pub mod encoding;
pub mod json;
pub mod log_copy;
pub mod log_proof;
pub mod manifest;
pub mod merkle;
pub mod payload;
pub mod record;
pub mod secret;
pub mod seed;
pub mod self_test;
mod sha256;
pub mod shuffle;
pub mod signature;
pub mod ticket;
pub mod transcript;
pub mod vrf;

#[cfg(test)]
mod tests;
