//! The self-verification of the process: it hashes the files that it runs from again, and compares
//! them with the release record.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::host;
use crate::rpc::{BUILD_SETTINGS, ServiceState};
use paigow_config::{Config, ConfigError, RulesConfig};
use paigow_engine::self_test;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Root;
use paigow_fairness::seed::{house_way_hash, ruleset_hash};
use paigow_files::release::{
    self, BuildSettings, Check, Configuration, File, Found, InUse, Named, Recorded, Release, Status,
};
use paigow_files::rules_folder;
use paigow_round::{Catalogue, RoundContext};

/// Verifies the process every `every`, for ever. The first time is `every` from now.
pub(super) async fn repeat(state: Arc<ServiceState>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        state.verify().await;
    }
}

/// The result of one self-verification.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct VerificationReport {
    /// Every check, in the order of its codes.
    pub checks: Vec<Check>,
}

impl VerificationReport {
    /// Whether no check failed. A check that had nothing to compare with did not fail.
    #[must_use]
    pub fn passed(&self) -> bool {
        self.failed().next().is_none()
    }

    /// Returns the checks that have failed.
    pub fn failed(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().filter(|check| check.status == Status::Failed)
    }
}

/// Where settings came from.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub enum SettingsFrom {
    /// From a program or a pipe: they cannot be read again.
    #[default]
    Program,
    /// The file, if there is one, and the environment.
    Sources(Option<PathBuf>),
}

/// Verifies the running process.
///
/// Every run reads everything again:
///
/// - the running executable, and the file that it was started from;
/// - its shared objects;
/// - the operator's rules, and the settings;
/// - the release record and its signatures.
///
/// It reads some megabytes: call it on a thread that may block.
#[derive(Clone, Debug)]
pub struct EngineVerifier {
    settings: SettingsFrom,
    configuration: Hash,
    rules: RulesConfig,
    release_file: Option<PathBuf>,
    executable: Option<PathBuf>,
    executable_at_start: Option<Hash>,
    self_test_at_start: Hash,
}

impl EngineVerifier {
    /// Remembers the state at the start of the process. `settings` is where `config` came from.
    /// `self_test` is the digest of the known answers at the start.
    #[must_use]
    pub fn new(config: &Config, settings: SettingsFrom, self_test: Hash) -> Self {
        Self {
            settings,
            configuration: config.digest(),
            rules: config.rules.clone(),
            release_file: config.verification.release_file.clone(),
            executable: std::env::current_exe().ok(),
            executable_at_start: host::executable_sha256(),
            self_test_at_start: self_test,
        }
    }

    /// Verifies now.
    #[must_use]
    pub fn run(&self, context: &RoundContext) -> VerificationReport {
        self.verdict(context, &self.found(&context.catalogue))
    }

    fn verdict(&self, context: &RoundContext, found: &Found) -> VerificationReport {
        let manifest = &context.manifests.newest().manifest;
        let recorded = self.recorded(&manifest.root);
        let recorded = match &recorded {
            None => Recorded::Absent,
            Some(Ok(release)) => Recorded::Signed(release),
            Some(Err(why)) => Recorded::Unusable(why),
        };
        VerificationReport { checks: release::check(recorded, found, manifest) }
    }

    /// Reads the release record again each time. So the record of the next release takes effect as
    /// soon as its file is there. A root that was rotated out no longer counts.
    fn recorded(&self, root: &Root) -> Option<Result<Release, String>> {
        let path = self.release_file.as_ref()?;
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read(path).map_err(|error| told(&error));
        Some(text.and_then(|text| release::read_signed(&text, root).map_err(|error| told(&error))))
    }

    /// Returns the fault of the release record that can be found without rules and manifests. The
    /// record is read, and its signatures are verified under `root` if that is known.
    pub(super) fn record_fault(&self, root: Option<&Root>) -> Option<String> {
        if let Some(root) = root {
            return self.recorded(root)?.err();
        }
        let path = self.release_file.as_ref()?;
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
        let text = std::fs::read(path).map_err(|error| told(&error));
        text.and_then(|text| release::read(&text).map_err(|error| told(&error))).err()
    }

    fn found(&self, catalogue: &Catalogue) -> Found {
        let (rulesets, house_ways) = contents(catalogue);
        let on_disk = self.rules_on_disk();
        let (rulesets_on_disk, house_ways_on_disk) = match on_disk {
            Ok((rulesets, house_ways)) => (Ok(rulesets), Ok(house_ways)),
            Err(faults) => (Err(faults.clone()), Err(faults)),
        };
        Found {
            executable: self.executables(),
            executable_at_start: self.executable_at_start,
            build: BuildSettings::of_program(BUILD_SETTINGS).map_err(|error| error.to_string()),
            shared_objects: shared_objects(),
            rulesets: InUse { in_use: rulesets, on_disk: rulesets_on_disk },
            house_ways: InUse { in_use: house_ways, on_disk: house_ways_on_disk },
            configuration: Configuration {
                in_use: self.configuration,
                on_disk: self.settings_again(),
            },
            self_test: self_test::run().map_err(|error| error.to_string()),
            self_test_at_start: self.self_test_at_start,
        }
    }

    /// Reads the settings that a restart would use, if they can be read again.
    fn settings_again(&self) -> Result<Hash, String> {
        match &self.settings {
            SettingsFrom::Program => Ok(self.configuration),
            SettingsFrom::Sources(file) => Config::load(file.as_deref())
                .map(|config| config.digest())
                .map_err(|error: ConfigError| error.to_string()),
        }
    }

    /// Hashes the running executable, and the file at the path that it was started from. If another
    /// file was renamed over it, they differ, and a restart would run the other file.
    fn executables(&self) -> Vec<File> {
        let running = match host::executable_sha256() {
            Some(hash) => Ok(hash),
            None => Err("cannot be read".to_owned()),
        };
        let on_disk =
            self.executable.as_deref().map_or_else(|| Err("has no path".to_owned()), hash_of);
        [("running", running), ("on disk", on_disk)]
            .map(|(name, sha256)| File { name: name.to_owned(), sha256 })
            .to_vec()
    }

    fn rules_on_disk(&self) -> Result<(Vec<Named>, Vec<Named>), String> {
        let Some(folder) = &self.rules.directory else {
            return Ok(contents(&Catalogue::shipped()));
        };
        rules_folder::catalogue(folder)
            .map(|catalogue| contents(&catalogue))
            .map_err(|faults| faults.join("; "))
    }
}

/// Returns rulesets and house ways with their content hashes, computed from their bytes again and not
/// taken from memory.
fn contents(catalogue: &Catalogue) -> (Vec<Named>, Vec<Named>) {
    let named = |id: &str, hash: Hash| {
        let name = id.parse().expect("the ids of rules files have the form of identifiers");
        Named { name, hash }
    };
    let rulesets = catalogue.games().into_iter().map(|game| {
        let (id, text) = (game.ruleset.id(), game.ruleset.text());
        named(id, ruleset_hash(id, text.as_bytes()))
    });
    let ways = catalogue
        .house_ways()
        .into_iter()
        .map(|(_, way)| named(way.id(), house_way_hash(way.id(), way.text().as_bytes())));
    (rulesets.collect(), ways.collect())
}

fn hash_of(path: &Path) -> Result<Hash, String> {
    host::sha256_of(path).map_err(|error| error.to_string())
}

/// Hashes the shared objects that this process has mapped as code. Returns an empty list if it is
/// static, or if the system does not list them.
fn shared_objects() -> Vec<File> {
    let own = std::env::current_exe().ok();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap_or_default();
    mapped_code(&maps)
        .into_iter()
        .filter(|path| own.as_deref() != Some(Path::new(path)))
        .map(|path| File { name: path.to_owned(), sha256: hash_of(Path::new(path)) })
        .collect()
}

/// Returns the files that a process has mapped as code, from the text of its
/// `/proc/<pid>/maps`: `address perms offset device inode path`. The path may have spaces. The path of
/// a deleted file has the suffix ` (deleted)`.
fn mapped_code(maps: &str) -> BTreeSet<&str> {
    maps.lines()
        .filter(|line| line.split(' ').nth(1).is_some_and(|permissions| permissions.contains('x')))
        .filter_map(|line| line.find('/').map(|at| &line[at..]))
        .collect()
}

#[cfg(test)]
mod tests;
