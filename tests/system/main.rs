//! Real programs and tools: scripts, browsers, proxies, other languages.
#![allow(clippy::unwrap_used)]

mod contract;
mod deployment;
mod operations;
mod python;
mod table;
mod verifiers;
