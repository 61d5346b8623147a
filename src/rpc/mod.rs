//! The gRPC contract: generated types, requests read, answers written, errors.
//!
//! A handler is parse, compute, convert. The clock and the entropy of the operating
//! system come in through [`State`]; nothing here reads either.

pub mod pb;

mod redact;
