//! The game-outcome service for Pai Gow Poker.
//!
//! This crate is the process: `rpc` answers the contract, `server` runs it, `telemetry` says
//! what happens. Outcomes come from the certified crates: `paigow-rules`, `paigow-exact`,
//! `paigow-fairness`, `paigow-round`, `paigow-engine`, `paigow-proto` and `paigow-wire`.

mod capacity;
mod epochs;
mod http1;
mod recent;
mod refusals;
pub mod rpc;
pub mod server;
pub mod telemetry;

/// The Rust example of the chapter on records, run with the documentation's tests.
#[cfg(doctest)]
#[doc = include_str!("../docs/protocol/records.md")]
struct RecordsChapter;
