//! `paigow-lab` as people run it: the binary, its output, its exit codes.
#![allow(clippy::unwrap_used)]

use paigow_testkit::certificates;
use paigow_testkit::child;

mod audit;
mod binary;
mod critical_hash;
mod every_row;
mod files;
mod house_way;
mod judge;
mod monitor;
mod output;
mod own;
mod page;
mod par;
mod play;
mod release;
mod replay;
mod replay_all;
mod rng;
mod rules;
mod set;
mod simulate;
mod written;
