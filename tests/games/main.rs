//! Games by their rules: house ways, settlement, ruleset files.
#![allow(clippy::unwrap_used)]

mod golden_settlements;
mod house_ways;
mod kit;
mod ruleset_files;
mod ruleset_terms;
mod settlement;
