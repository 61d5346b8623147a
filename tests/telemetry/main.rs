//! The exports of the running server, as real receivers get them.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;
use paigow_testkit::child;
use paigow_testkit::ports;
use paigow_testkit::running;
use paigow_testkit::taints;
use paigow_testkit::wire;

mod collector;
mod dead;
mod export;
mod prometheus;
mod rotel;
mod secrets;
mod server;
mod tls;
