//! Reads requests into the engine's types, and reports every fault once.
//!
//! This module checks each field by itself: form, alphabet, range. The engine checks the fields
//! together.

mod audit;
mod deal;
mod evaluate_hands;
mod fields;
mod lists;
mod open_round;
mod set_house_way;
mod settle;
mod void_round;
mod weigh_settings;

#[cfg(test)]
mod tests;

pub use audit::{Audit, Subject, audit};
pub use deal::{deal, prepare_deal};
pub use evaluate_hands::evaluate_hands;
pub use lists::{ListManifests, ListRulesets, get_ruleset, list_manifests, list_rulesets};
pub use open_round::{open_round, prepare_open};
pub use set_house_way::set_house_way;
pub use settle::{prepare_settle, settle};
pub use void_round::{prepare_void, void_round};
pub use weigh_settings::weigh_settings;
