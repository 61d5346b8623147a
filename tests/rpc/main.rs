//! The contract without a server: requests in, answers and statuses out.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "each test uses a part of the casino")]
#[path = "../support/casino.rs"]
mod casino;
#[path = "../support/contract_reasons.rs"]
mod contract_reasons;
#[allow(dead_code, reason = "each test uses a part of the wire")]
#[path = "../support/wire.rs"]
mod wire;

mod arbitrary;
mod audits;
mod desk;
mod refusals;
mod rounds;
