//! What the build script generates from `proto/`.

#![expect(
    unused_qualifications,
    reason = "generated code; the Debug of messages with secrets is in `redact.rs`"
)]

tonic::include_proto!("paigow.v1");

/// The compiled contract, as the reflection service takes it.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/paigow_v1.bin"));
