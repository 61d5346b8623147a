//! The gRPC contract and the domain: requests are read into what the engine takes, and what
//! it answers is written as messages.
//!
//! Certified, because amounts and cards go over the wire as this crate writes them. It knows
//! nothing of gRPC, of a network or of a clock.

pub mod answer;
pub mod proto_json;
pub mod request;

pub use answer::audited;
