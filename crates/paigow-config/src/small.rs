//! The small sections: `[access]`, `[rules]`, `[verification]`, `[log]`.

use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tracing_subscriber::EnvFilter;

use super::faults::{ConfigFaults, path};

/// Settings of who may call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AccessConfig {
    /// The file of tenants, clients and switches; without it every caller is the
    /// configured tenant.
    pub file: Option<PathBuf>,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawAccess {
    file: String,
}

impl RawAccess {
    pub(super) fn check(&self) -> AccessConfig {
        AccessConfig { file: path(&self.file) }
    }
}

/// Settings of the rules.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct RulesConfig {
    /// The operator's folder of rulesets and house ways, if there is one.
    pub directory: Option<PathBuf>,
    /// The house edge by best play below which the process warns of a ruleset, in hundredths of a
    /// per cent of the stake.
    pub low_edge_basis_points: u32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawRules {
    directory: String,
    low_edge_basis_points: u32,
}

impl RawRules {
    pub(super) fn check(&self, faults: &mut ConfigFaults) -> RulesConfig {
        let low_edge_basis_points = self.low_edge_basis_points;
        faults.within("rules.low_edge_basis_points", &low_edge_basis_points, 0, 10_000);
        RulesConfig { directory: path(&self.directory), low_edge_basis_points }
    }
}

/// Settings of the self-verification.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VerificationConfig {
    /// The signed release record, if there is one.
    pub release_file: Option<PathBuf>,
    /// How often the process checks everything against the record.
    pub interval: Duration,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawVerification {
    release_file: String,
    interval_s: u64,
}

impl RawVerification {
    pub(super) fn check(&self, faults: &mut ConfigFaults) -> VerificationConfig {
        faults.within("verification.interval_s", &self.interval_s, 1, 86_400);
        VerificationConfig {
            release_file: path(&self.release_file),
            interval: Duration::from_secs(self.interval_s),
        }
    }
}

/// Settings of the log.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogConfig {
    /// The filter of log lines, in the language of `tracing_subscriber`'s `EnvFilter`.
    pub filter: String,
    /// Whether lines are JSON instead of text.
    pub json: bool,
    /// The most lines a second, without those of errors.
    pub lines_per_second: u32,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawLog {
    filter: String,
    format: String,
    lines_per_second: u32,
}

impl RawLog {
    pub(super) fn check(&self, faults: &mut ConfigFaults) -> LogConfig {
        if let Err(error) = EnvFilter::builder().parse(&self.filter) {
            faults.add("log.filter", error);
        }
        let json = faults.one_of("log.format", &self.format, &[("json", true), ("text", false)]);
        faults.within("log.lines_per_second", &self.lines_per_second, 1, 1_000_000);
        LogConfig { filter: self.filter.clone(), json, lines_per_second: self.lines_per_second }
    }
}
