//! The server over real sockets: statuses and details, limits, health, an orderly end.

#![allow(clippy::unwrap_used)]

mod callers;
mod calls;
#[path = "../support/certificates.rs"]
mod certificates;
#[path = "../support/child.rs"]
mod child;
mod connections;
mod lifecycle;
mod limits;
mod logged;
mod mistakes;
mod page;
#[path = "../support/ports.rs"]
mod ports;
mod process;
mod production;
mod reload;
#[path = "../support/running.rs"]
mod running;
mod verification;
