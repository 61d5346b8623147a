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

/// The comment of a method.
fn comment(method: &str) -> Vec<&'static str> {
    let (before, _) = CONTRACT.split_once(&format!("  rpc {method}(")).unwrap();
    let mut lines: Vec<&str> =
        before.lines().rev().take_while(|line| line.starts_with("  //")).collect();
    lines.reverse();
    lines
}

/// Returns what the header says that any call may end with, and what the comment of `method`
/// says that it may.
fn listed(method: &str) -> BTreeSet<&'static str> {
    let header = CONTRACT.lines().skip_while(|line| !line.starts_with("// Any call may end with"));
    let mut reasons = quoted(header.take_while(|line| line.starts_with("// ")));
    assert!(reasons.contains("FIELD_MISSING"), "{reasons:?}");
    let comment = comment(method);
    for other in ["OpenRound", "Deal", "Settle", "VoidRound", "Audit"] {
        if comment.iter().any(|line| line.contains(&format!("those of `{other}`"))) {
            reasons.extend(listed(other));
        }
    }
    for reason in excepted(method) {
        reasons.remove(reason);
    }
    let own = comment.into_iter().take_while(|line| !line.contains(EXCEPT));
    reasons.extend(quoted(own));
    reasons
}

/// Where the comment of a `Prepare` call begins to list what it does not say.
const EXCEPT: &str = "Not among them:";

/// Returns the reasons of the call that `prepare` prepares which `prepare` never answers with.
pub fn excepted(prepare: &str) -> BTreeSet<&'static str> {
    let comment = comment(prepare);
    quoted(comment.into_iter().skip_while(|line| !line.contains(EXCEPT)))
}

/// Holds that the contract lists `reason` of `method`, as `OpenRound`.
#[track_caller]
pub fn assert_listed(method: &str, reason: &str) {
    assert!(listed(method).contains(reason), "{method} may end with {reason}, which is not listed");
}
