//! Which source files a build is made of, and what a change of one means.

use super::Class;

/// The files and folders below the source tree that a build or a deployment is made of.
/// Tests and documents are none of it.
pub const ROOTS: [&str; 7] =
    ["Cargo.lock", "Cargo.toml", "build.rs", "deploy", "proto", "src", "verifiers/web"];

/// The folders whose files decide cards, hands, money or what is signed of them, with
/// the role that the record gives them.
const CRITICAL: [(&str, &str); 7] = [
    ("proto/", "contract"),
    ("crates/paigow-rules/src/cards/", "cards"),
    ("crates/paigow-engine/src/", "engine"),
    ("crates/paigow-fairness/src/", "fairness"),
    ("crates/paigow-rules/src/game/", "game"),
    ("crates/paigow-rules/src/hands/", "hands"),
    ("crates/paigow-rules/src/house_way/", "house_way"),
];

/// Returns the class of a source file by its path below the source tree, with `/`
/// between folders.
///
/// Everything below a critical folder is critical, its unit tests included: a rule
/// without exceptions can be checked at a glance.
#[must_use]
pub fn class_of(path: &str) -> Class {
    CRITICAL
        .into_iter()
        .find(|(folder, _)| path.starts_with(folder))
        .map_or(Class::Other, |(_, role)| Class::Critical(role.to_owned()))
}
