//! The server over real sockets: statuses and details, limits, health, an orderly end.

#![allow(clippy::unwrap_used)]

mod callers;
mod calls;
#[path = "../support/certificates.rs"]
mod certificates;
mod lifecycle;
mod limits;
mod mistakes;
mod page;
mod process;
mod production;
mod reload;
#[path = "../support/running.rs"]
mod running;
mod verification;
