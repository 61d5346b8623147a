//! The evidence: what the sink writes, what a look at it finds, and what it survives.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "each test uses a part of the casino")]
#[path = "../support/casino.rs"]
mod casino;
#[path = "../support/child.rs"]
mod child;
mod damage;
mod forks;
mod lab;
mod process;
mod properties;
mod replica;
mod server;
mod two_boots;
