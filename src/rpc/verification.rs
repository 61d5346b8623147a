//! `VerifyEngine`.

use paigow_files::release::{Check, Status};
use paigow_proto::v1 as pb;

/// Writes the findings of a verification.
pub(super) fn verified(checks: &[Check]) -> pb::VerifyEngineResponse {
    let check = |check: &Check| pb::EngineCheck {
        code: check.code.name().to_owned(),
        status: match check.status {
            Status::Passed => pb::CheckStatus::Passed,
            Status::Failed => pb::CheckStatus::Failed,
            Status::Skipped => pb::CheckStatus::Skipped,
        }
        .into(),
        expected: check.expected.clone(),
        found: check.found.clone(),
    };
    pb::VerifyEngineResponse {
        passed: checks.iter().all(|check| check.status != Status::Failed),
        checks: checks.iter().map(check).collect(),
    }
}
