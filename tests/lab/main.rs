//! `paigow-lab` as people run it: the binary, its output, its exit codes.
#![allow(clippy::unwrap_used)]

mod audit;
#[cfg(feature = "ceremony")]
mod ceremony;
mod play;
mod replay;
mod set;
mod tool;
