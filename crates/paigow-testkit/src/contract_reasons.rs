//! The reasons that the comments of the contract say a method may end with.

use std::collections::BTreeSet;

const CONTRACT: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../proto/paigow/v1/paigow_service.proto"
));

/// What stands between backticks in a comment.
fn quoted<'a>(lines: impl Iterator<Item = &'a str>) -> BTreeSet<&'a str> {
    lines.flat_map(|line| line.split('`').skip(1).step_by(2)).collect()
}

/// Returns what the header says that any call may end with, and what the comment of `method`
/// says that it may.
fn listed(method: &str) -> BTreeSet<&'static str> {
    let header = CONTRACT.lines().skip_while(|line| !line.starts_with("// Any call may end with"));
    let mut reasons = quoted(header.take_while(|line| line.starts_with("// ")));
    assert!(reasons.contains("FIELD_MISSING"), "{reasons:?}");
    let (before, _) = CONTRACT.split_once(&format!("  rpc {method}(")).unwrap();
    let comment = before.lines().rev().take_while(|line| line.starts_with("  //"));
    let says = |other: &str| comment.clone().any(|line| line.contains(other));
    if says("those of `OpenRound`") {
        reasons.extend(listed("OpenRound"));
    }
    if says("those of `Audit`") {
        reasons.extend(listed("Audit"));
    }
    reasons.extend(quoted(comment.clone()));
    reasons
}

/// Holds that the contract lists `reason` of `method`, as `OpenRound`.
#[track_caller]
pub fn assert_listed(method: &str, reason: &str) {
    assert!(listed(method).contains(reason), "{method} may end with {reason}, which is not listed");
}
