//! `paigow-lab` as people run it: the binary, its output, its exit codes.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "only servers show certificates here")]
#[path = "../support/certificates.rs"]
mod certificates;
#[path = "../support/child.rs"]
mod child;
#[cfg(feature = "ceremony")]
#[path = "../support/ports.rs"]
mod ports;

mod audit;
mod binary;
#[cfg(feature = "ceremony")]
mod ceremony;
mod files;
mod house_way;
mod judge;
mod output;
mod own;
mod page;
mod par;
mod play;
mod release;
mod replay;
mod rng;
mod rules;
mod set;
mod simulate;
#[cfg(feature = "ceremony")]
mod walkthrough;
mod written;
