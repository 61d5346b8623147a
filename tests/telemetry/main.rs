//! What the running server exports, as real receivers get it.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "each test uses a part of the casino")]
#[path = "../support/casino.rs"]
mod casino;
#[path = "../support/child.rs"]
mod child;
#[path = "../support/ports.rs"]
mod ports;
#[allow(dead_code, reason = "each test uses a part of it")]
#[path = "../support/running.rs"]
mod running;
#[path = "../support/taints.rs"]
mod taints;
#[allow(dead_code, reason = "each test uses a part of the wire")]
#[path = "../support/wire.rs"]
mod wire;

mod collector;
mod dead;
mod export;
mod prometheus;
mod rotel;
mod secrets;
mod server;
mod tls;
