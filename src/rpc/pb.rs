//! What the build script generates from `proto/`.

#![expect(
    unused_qualifications,
    clippy::large_enum_variant,
    clippy::missing_errors_doc,
    clippy::must_use_candidate,
    reason = "generated code; of missing docs and `Debug` it has none to excuse"
)]

tonic::include_proto!("paigow.v1");

/// The compiled contract, as the reflection service takes it.
pub const DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/paigow_v1.bin"));
