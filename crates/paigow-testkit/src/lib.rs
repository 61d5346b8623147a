//! What integration tests share: a casino that plays whole rounds, servers in the process and
//! beside it, certificates, the tools that `tests/tools` installs.
//!
//! Unit tests do not use it: a crate under test would be compiled twice.

#![expect(
    missing_docs,
    missing_debug_implementations,
    clippy::new_without_default,
    clippy::should_implement_trait,
    clippy::missing_panics_doc,
    clippy::must_use_candidate,
    clippy::unwrap_used,
    reason = "only tests use this crate: a failure here is a failed test"
)]

pub mod casino;
pub mod certificates;
pub mod child;
pub mod contract_reasons;
pub mod literals;
pub mod operator_rules;
pub mod ports;
pub mod process;
pub mod programs;
pub mod running;
pub mod taints;
pub mod tools;
pub mod wire;
