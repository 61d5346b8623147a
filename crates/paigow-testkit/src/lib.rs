//! Shared code of integration tests: a casino that plays whole rounds, servers in the process and
//! beside it, certificates, the tools that `tests/tools` installs.
//!
//! Unit tests do not use it: a crate under test would be compiled twice.

#![cfg_attr(
    feature = "servers",
    expect(
        missing_docs,
        missing_debug_implementations,
        reason = "only tests use this crate: a failure here is a failed test"
    )
)]
#![expect(
    clippy::new_without_default,
    clippy::should_implement_trait,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::unwrap_used,
    reason = "only tests use this crate: a failure here is a failed test"
)]

pub mod beacons;
pub mod casino;
#[cfg(feature = "servers")]
pub mod certificates;
#[cfg(feature = "servers")]
pub mod child;
pub mod contract_reasons;
pub mod fuzzed;
#[cfg(feature = "servers")]
pub mod literals;
pub mod logs;
pub mod messages;
pub mod operator_rules;
#[cfg(feature = "servers")]
pub mod ports;
pub mod prepared_rounds;
#[cfg(feature = "servers")]
pub mod process;
#[cfg(feature = "servers")]
pub mod programs;
#[cfg(feature = "servers")]
pub mod running;
#[cfg(feature = "servers")]
pub mod taints;
#[cfg(feature = "servers")]
pub mod tools;
#[cfg(feature = "servers")]
pub mod wire;
