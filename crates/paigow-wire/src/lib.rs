//! The gRPC contract and the domain: reads requests into the engine's types, and writes its answers
//! as messages.
//!
//! The crate is certified, because it writes the amounts and cards on the wire. It knows nothing of
//! gRPC, of a network or of a clock.

pub mod answer;
pub mod proto_json;
pub mod request;

pub use answer::audited;
