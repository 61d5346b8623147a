//! `paigow-lab` as people run it: the binary, its output, its exit codes.
#![allow(clippy::unwrap_used)]

use paigow_testkit::certificates;
use paigow_testkit::child;
use paigow_testkit::ports;

mod audit;
mod binary;
mod ceremony;
mod critical_hash;
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
mod walkthrough;
mod written;
