//! The reasons that the comments of the contract list for a method.

use std::collections::BTreeSet;

const CONTRACT: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../proto/paigow/v1/paigow_service.proto"
));

/// Returns the texts between backticks in a comment.
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

/// Returns the reasons that the header lists for any call, and those that the comment of `method`
/// lists.
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

/// Where the comment of a `Prepare` call begins to list the reasons that it never answers with.
const EXCEPT: &str = "Not among them:";

/// Returns the reasons of the call that `prepare` prepares which `prepare` never answers with.
pub fn excepted(prepare: &str) -> BTreeSet<&'static str> {
    let comment = comment(prepare);
    quoted(comment.into_iter().skip_while(|line| !line.contains(EXCEPT)))
}

/// Asserts that the contract lists `reason` for `method`, as `OpenRound`.
#[track_caller]
pub fn assert_listed(method: &str, reason: &str) {
    assert!(listed(method).contains(reason), "{method} may end with {reason}, which is not listed");
}
