//! The calls of the service as pure functions on domain types.

mod refusal;

pub use refusal::{Class, Reason, Refusal, Refusals, Violation};
