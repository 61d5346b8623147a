//! From settings to everything that calls are answered from, or to all that is wrong.

use std::fmt;

use super::host;
use crate::config::{Config, RulesConfig, ServerConfig};
use crate::engine::self_test::{self, SelfTestError};
use crate::engine::{Catalogue, ENGINE_ID, Engine};
use crate::fairness::manifest::{Epoch, EpochStatus, Manifest, ManifestChain};
use crate::keys::{self, KeyFault};
use crate::rpc::{BuildFacts, GIT_REVISION, State};
use crate::rules_folder;

/// Why the process does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Settings and keyring cannot be served together; every fault.
    #[error("cannot start:{}", listed(.0))]
    Unfit(Vec<String>),
    /// The build does not reproduce the published answers.
    #[error("the self-test has failed: {0}")]
    SelfTest(#[from] SelfTestError),
    /// The address cannot be listened on.
    #[error("cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// What the system says.
        error: std::io::Error,
    },
}

impl StartError {
    /// Whether settings or keys are at fault, so that a restart does not help.
    #[must_use]
    pub const fn is_of_configuration(&self) -> bool {
        match self {
            Self::Unfit(_) => true,
            Self::SelfTest(_) | Self::Listen { .. } => false,
        }
    }
}

fn listed(faults: &[String]) -> String {
    faults.iter().map(|fault| format!("\n  {fault}")).collect()
}

/// Loads the keyring, tests the build against the published answers, and checks that
/// this configuration may serve these manifests. Nothing is listened on before that.
///
/// # Errors
///
/// Every fault of the keyring; or a failed self-test; or every way in which settings and
/// manifests do not go together.
pub fn prepare(config: &Config) -> Result<State, StartError> {
    let told =
        |faults: Vec<KeyFault>| StartError::Unfit(faults.iter().map(ToString::to_string).collect());
    let catalogue = catalogue(&config.rules)?;
    let keyring = &config.keyring;
    let loaded = if keyring.generate {
        keys::open_dev(&keyring.directory, &catalogue, host::now(), &mut host::entropy)
    } else {
        keys::load(&keyring.directory, keyring.root.clone())
    };
    let loaded = loaded.map_err(told)?;
    let self_test_digest = self_test::run()?;
    let faults = faults(&config.server, &loaded.manifests, &catalogue);
    if !faults.is_empty() {
        return Err(StartError::Unfit(faults));
    }
    warn_of_gaps(&loaded.manifests.newest().manifest, &catalogue, host::now());
    Ok(State {
        engine: Engine { catalogue, manifests: loaded.manifests, root: loaded.root },
        keys: loaded.keys,
        tenant: config.server.tenant.clone(),
        build: BuildFacts {
            version: env!("CARGO_PKG_VERSION"),
            git_revision: GIT_REVISION,
            executable_sha256: host::executable_sha256(),
            self_test_digest,
        },
        clock: host::now,
        entropy: host::draw,
    })
}

/// Checks the operator's folder of rules without anything else of a start.
///
/// # Errors
///
/// Every fault in it.
pub fn check_rules(config: &RulesConfig) -> Result<(), StartError> {
    catalogue(config).map(drop)
}

/// Loads what is compiled in and the operator's folder of rules.
fn catalogue(config: &RulesConfig) -> Result<Catalogue, StartError> {
    let Some(folder) = &config.directory else { return Ok(Catalogue::shipped()) };
    let told = |faults: Vec<String>| {
        let faults = faults.into_iter().map(|fault| format!("rules.directory: {fault}"));
        StartError::Unfit(faults.collect())
    };
    rules_folder::catalogue(folder).map_err(told)
}

/// Logs what this replica will refuse although the manifest lets one expect it.
fn warn_of_gaps(manifest: &Manifest, catalogue: &Catalogue, now: u64) {
    for listed in &manifest.rulesets {
        if catalogue.game(&listed.hash).is_none() {
            tracing::warn!(ruleset = %listed.name, hash = %listed.hash, "not in this build");
        }
    }
    for game in catalogue.games() {
        if manifest.ruleset(&game.hash).is_none() {
            let (ruleset, hash) = (game.ruleset.id(), &game.hash);
            tracing::warn!(%ruleset, %hash, "loaded, and not dealt: the manifest does not list it");
        }
    }
    let listed = manifest.house_ways.as_ref();
    for (hash, way) in catalogue.house_ways() {
        if listed.is_some_and(|ways| ways.iter().all(|way| way.hash != hash)) {
            let house_way = way.id();
            tracing::warn!(%house_way, %hash, "loaded, and not served: the manifest does not list it");
        }
    }
    let is_open = |epoch: &Epoch| {
        epoch.status == EpochStatus::Active && (epoch.open_from..epoch.open_until).contains(&now)
    };
    if !manifest.epochs.iter().any(is_open) {
        tracing::warn!("no epoch is open for new rounds");
    }
}

/// Returns every way in which the settings and the manifest in force do not go together.
fn faults(server: &ServerConfig, manifests: &ManifestChain, catalogue: &Catalogue) -> Vec<String> {
    let manifest = &manifests.newest().manifest;
    let mut faults = Vec::new();
    let mut fault = |what: fmt::Arguments<'_>| faults.push(what.to_string());
    if manifest.engine.as_str() != ENGINE_ID {
        fault(format_args!(
            "the manifest is for engine {}, this build is {ENGINE_ID}",
            manifest.engine
        ));
    }
    if manifest.tenant(&server.tenant).is_none() {
        fault(format_args!("server.tenant: the manifest lists no tenant {}", server.tenant));
    }
    if !manifest.rulesets.iter().any(|listed| catalogue.game(&listed.hash).is_some()) {
        fault(format_args!("this build has none of the rulesets that the manifest lists"));
    }
    for listed in &manifest.rulesets {
        let game = catalogue.game(&listed.hash);
        if let Some(what) = game.and_then(|game| game.listing_fault(manifest)) {
            fault(format_args!("the manifest lists ruleset {} with a fault: {what}", listed.name));
        }
    }
    // Rounds that were opened under an older manifest go on under its policy.
    let tenants = manifests.all().iter().flat_map(|signed| &signed.manifest.tenants);
    let dev = tenants.into_iter().find(|tenant| tenant.policy.is_dev());
    if let Some(dev) = dev
        && !server.listen.ip().is_loopback()
        && !server.allow_dev_policy
    {
        fault(format_args!(
            "server.listen: {} is not a loopback address, and under the policy of tenant {} a \
             caller can learn every deck before play; server.allow_dev_policy = true serves it \
             all the same",
            server.listen, dev.tenant
        ));
    }
    faults
}
