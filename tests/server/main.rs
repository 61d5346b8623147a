//! The server over real sockets: statuses and details, limits, health, an orderly end.

#![allow(clippy::unwrap_used)]

mod calls;
mod lifecycle;
mod limits;
mod process;
#[path = "../support/running.rs"]
mod running;
