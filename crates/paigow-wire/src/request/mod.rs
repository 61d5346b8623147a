//! Requests read into what the engine takes, with every fault found and none repeated.
//!
//! Here is checked what a field says by itself: form, alphabet, range. What fields say
//! together is the engine's to judge.

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
