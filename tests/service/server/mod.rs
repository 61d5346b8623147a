//! The server over real sockets: statuses and details, limits, health, an orderly end.

#![allow(clippy::unwrap_used)]

mod alarms;
mod callers;
mod calls;
use paigow_testkit::certificates;
use paigow_testkit::child;
mod connections;
mod lifecycle;
mod limits;
mod logged;
mod mistakes;
mod operators;
mod page;
use paigow_testkit::ports;
mod process;
mod production;
mod reload;
use paigow_testkit::running;
mod verification;
