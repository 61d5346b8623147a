//! The evidence: what the sink writes, what a verification of it finds, and what it survives.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;
use paigow_testkit::child;
mod admin;
mod damage;
mod folder;
mod forks;
mod lab;
mod process;
mod properties;
mod replica;
mod sealed;
mod server;
mod two_boots;
