//! Turns settings into the state from which calls are answered, or lists every fault.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use tonic::service::Routes;

use super::authorization::CallerTable;
use super::reload::Sources;
use super::verification::{EngineVerifier, SettingsFrom};
use super::{evidence, host, parts, tls};
use crate::epochs;
use crate::rpc::{BuildFacts, LoadedEngine, ReplicaFacts, ServiceState, state_theory};
use crate::telemetry::{self, LogFilter, Meters};
use paigow_config::access::{Access, Switches};
use paigow_config::{Config, Profile};
use paigow_engine::KeyRing;
use paigow_engine::self_test::{self, SelfTestError};
use paigow_evidence::{Event, Significant, SinkError, SinkTarget};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::ManifestChain;
use paigow_files::keys::LoadedKeys;
use paigow_files::utc;
use paigow_round::{Catalogue, RoundContext, theory};

/// Why the process does not start.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// Settings and keyring cannot be served together. Lists every fault.
    #[error("cannot start:{}", paigow_config::listed(.0))]
    Unfit(Vec<String>),
    /// The build does not reproduce the published answers.
    #[error("the self-test has failed: {0}")]
    SelfTest(#[from] SelfTestError),
    /// Evidence cannot be kept where it should be.
    #[error("evidence.directory: {0}")]
    Evidence(SinkError),
    /// The address cannot be listened on.
    #[error("server.listen: cannot listen on {address}: {error}")]
    Listen {
        /// The address.
        address: std::net::SocketAddr,
        /// The error of the system.
        error: std::io::Error,
    },
}

impl StartError {
    /// Whether settings or keys are at fault, so that a restart does not help.
    #[must_use]
    pub const fn is_of_configuration(&self) -> bool {
        match self {
            Self::Unfit(_) | Self::Evidence(_) => true,
            Self::SelfTest(_) | Self::Listen { .. } => false,
        }
    }
}

/// The service, and the callers that may use it.
pub struct Service {
    pub(super) state: Arc<ServiceState>,
    pub(super) callers: Arc<ArcSwap<CallerTable>>,
    /// The certificates; [`None`] for plaintext.
    pub(super) tls: Option<Arc<ArcSwap<tls::Certificates>>>,
    /// The files that are read again when they change.
    pub(super) sources: Option<Sources>,
    /// How often the process verifies itself, if it does.
    pub(super) verify_every: Option<Duration>,
    /// The folder of evidence, if its files are shipped.
    pub(super) shipped_from: Option<PathBuf>,
    /// Services outside the contract, on the same port, and the paths of their methods.
    pub(super) others: Option<(Routes, &'static [&'static str])>,
}

impl std::fmt::Debug for Service {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Service").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Service {
    /// Makes a service in plaintext that answers from `state` to the callers of `access`.
    #[must_use]
    pub fn new(state: ServiceState, access: Access) -> Self {
        Self {
            state: Arc::new(state),
            callers: Arc::new(ArcSwap::from_pointee(CallerTable::new(access))),
            tls: None,
            sources: None,
            verify_every: None,
            shipped_from: None,
            others: None,
        }
    }

    /// Serves other services as well, on the same port: a load test compares with them. Callers
    /// of any role may call the methods at `paths`, under the limits of play; any other path is
    /// refused.
    #[must_use]
    pub fn beside(mut self, others: Routes, paths: &'static [&'static str]) -> Self {
        self.others = Some((others, paths));
        self
    }

    /// Reads the files of the settings again: keyring and manifests, access, certificates.
    #[must_use]
    pub fn reading_again(mut self, config: &Config) -> Self {
        self.sources = Some(Sources::new(config.clone(), None));
        self
    }

    /// Counts calls with `meters`. `round_ids` says whether the spans of calls name their round.
    ///
    /// # Panics
    ///
    /// If the state is served already.
    #[must_use]
    pub fn counted(mut self, meters: Meters, round_ids: bool) -> Self {
        let state = Arc::get_mut(&mut self.state).expect("nobody else has the state yet");
        (state.meters, state.round_ids) = (meters, round_ids);
        let world = state.world.load();
        state_theory(&state.meters, &theory(&world.context.catalogue));
        state.meters.manifest(world.context.manifests.newest().manifest.seq);
        let state = Arc::downgrade(&self.state);
        let read = move || state.upgrade().map_or_else(Vec::new, |state| epochs_remaining(&state));
        self.state.meters.watch_epochs(read);
        let state = Arc::downgrade(&self.state);
        let read = move || state.upgrade().map(|state| new_rounds_remaining(&state));
        self.state.meters.watch_new_rounds(read);
        let state = Arc::downgrade(&self.state);
        let read = move || state.upgrade().and_then(|state| missing_secret(&state));
        self.state.meters.watch_missing_secret(read);
        let state = Arc::downgrade(&self.state);
        let failing = move || Some(state.upgrade()?.standing.now().no_key_store);
        self.state.meters.watch_key_store(failing);
        if let Some(tls) = self.tls.clone() {
            let clock = self.state.clock;
            let read = move || tls.load().good_until.map(|until| until.saturating_sub(clock()));
            self.state.meters.watch_certificate(read);
        }
        self
    }

    /// Ends a service that is not served after all, and records that in its evidence.
    pub async fn abandon(self) {
        self.state.tell(Event::new(Significant::Stopped));
        evidence::close(&self.state.sink).await;
    }

    /// Returns the state from which calls are answered.
    #[must_use]
    pub const fn state(&self) -> &Arc<ServiceState> {
        &self.state
    }
}

/// Returns the numbers of the epochs that can be played here, and for how many more seconds each
/// accepts new rounds.
fn epochs_remaining(state: &ServiceState) -> Vec<(u64, u64)> {
    let (world, now) = (state.world.load(), (state.clock)());
    let listed = &world.context.manifests.newest().manifest.epochs;
    let playable = epochs::playable(listed, &world.keys, now);
    playable.iter().map(|epoch| (epoch.epoch.into(), epoch.open_until - now)).collect()
}

/// Returns for how many more seconds new rounds can begin here without a gap, if secrets come in time.
fn new_rounds_remaining(state: &ServiceState) -> u64 {
    let (world, now) = (state.world.load(), (state.clock)());
    let listed = &world.context.manifests.newest().manifest.epochs;
    epochs::without_gap(&epochs::planned(listed, &world.keys, now), now)
}

/// Returns the seconds until the first epoch opens whose secret is not held here.
fn missing_secret(state: &ServiceState) -> Option<u64> {
    let (world, now) = (state.world.load(), (state.clock)());
    epochs::first_unheld(&world.context.manifests.newest().manifest.epochs, &world.keys, now)
}

/// Loads rules, keyring, access and certificates, tests the build against the published
/// answers, and checks that this configuration may serve these manifests. No port is bound
/// before that.
///
/// # Errors
///
/// Every fault of the files, or a failed self-test, or every conflict between settings and
/// manifests.
pub fn prepare(config: &Config) -> Result<Service, StartError> {
    prepare_in(config, Surroundings::default())
}

/// The parts of a process that are not settings.
#[derive(Debug)]
pub struct Surroundings {
    /// Where the settings came from, so that verifications can read them again.
    pub settings: SettingsFrom,
    /// The metrics.
    pub meters: Meters,
    /// The filter of the log, where it can be replaced.
    pub log_filter: Option<LogFilter>,
    /// The name of the replica if the settings have none: 16 hexadecimal digits.
    pub instance: String,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            settings: SettingsFrom::Program,
            meters: Meters::off(),
            log_filter: None,
            instance: "0".repeat(16),
        }
    }
}

/// Does the work of [`prepare`], in these surroundings.
///
/// # Errors
///
/// As [`prepare`].
pub fn prepare_in(config: &Config, surroundings: Surroundings) -> Result<Service, StartError> {
    // Before anything is read: a file that changes from here on is read again.
    let file = match &surroundings.settings {
        SettingsFrom::Sources(file) => file.clone(),
        SettingsFrom::Program => None,
    };
    let sources = Sources::new(config.clone(), file.zip(surroundings.log_filter));
    let StartChecks { catalogue, certificates, loaded, access, self_test_digest, faults } =
        StartChecks::run(config)?;
    let (Some(catalogue), Some(loaded), Some(access), true) =
        (catalogue, loaded, access, faults.is_empty())
    else {
        return Err(StartError::Unfit(faults));
    };
    // From here on the start writes files.
    let loaded = if config.keyring.generate {
        parts::make_dev_keyring(&config.keyring, &catalogue).map_err(StartError::Unfit)?
    } else {
        loaded
    };
    let profile = config.server.profile;
    warn_of_gaps(&loaded.manifests, &catalogue, &loaded.keys, profile, host::now());
    let manifest = &loaded.manifests.newest().manifest;
    parts::warn_of_best_play(&config.rules, &catalogue, manifest);
    let context = RoundContext { catalogue, manifests: loaded.manifests, root: loaded.root };
    let build = BuildFacts {
        version: env!("CARGO_PKG_VERSION"),
        git_revision: paigow_files::build::GIT_REVISION,
        executable_sha256: host::executable_sha256(),
        self_test_digest,
    };
    let instance = config.telemetry.instance.clone().unwrap_or(surroundings.instance);
    let sink = evidence::open(config, &build, &instance, &surroundings.meters)
        .map_err(StartError::Evidence)?;
    sink.manifest(&context.manifests.all().iter().map(|m| m.envelope.clone()).collect::<Vec<_>>());
    let verifier = EngineVerifier::new(config, surroundings.settings, self_test_digest);
    let world = LoadedEngine::new(context, loaded.keys);
    let mut state = ServiceState::new(world, build, host::now, host::draw);
    state.sink = sink;
    state.replica = ReplicaFacts {
        instance,
        started_at: host::now(),
        changed_settings: config.changed(),
        evidence: config.evidence.target.clone(),
    };
    state.verify = Arc::new(move |engine| verifier.run(engine).checks);
    if access.switches != Switches::default() {
        let event = Event::new(Significant::SwitchesChanged);
        let event = event.with("before", Switches::default());
        state.tell(event.with("after", &access.switches));
    }
    let mut service = Service::new(state, access);
    service.tls = certificates.map(|made| Arc::new(ArcSwap::new(made)));
    let mut service = service.counted(surroundings.meters, config.telemetry.round_ids);
    service.verify_every = Some(config.verification.interval);
    service.shipped_from = match &config.evidence.target {
        SinkTarget::Directory(directory) if config.evidence.shipped => Some(directory.clone()),
        SinkTarget::Directory(_) | SinkTarget::Off | SinkTarget::Stdout => None,
    };
    service.sources = Some(sources);
    Ok(service)
}

/// The checks of a start, before it writes a file or binds a port.
struct StartChecks {
    /// The rules; [`None`] if the operator's have a fault.
    catalogue: Option<Catalogue>,
    /// The certificates; [`None`] for plaintext, or if they have a fault.
    certificates: Option<Arc<tls::Certificates>>,
    /// The keyring; [`None`] if it has a fault. A development keyring that is not there yet is
    /// made in memory.
    loaded: Option<LoadedKeys>,
    /// The callers; [`None`] if their file has a fault.
    access: Option<Access>,
    self_test_digest: Hash,
    /// Everything that is wrong.
    faults: Vec<String>,
}

impl StartChecks {
    /// Runs every check.
    ///
    /// # Errors
    ///
    /// If the self-test has failed. Every other fault is in [`Self::faults`].
    fn run(config: &Config) -> Result<Self, SelfTestError> {
        let mut faults = Vec::new();
        let catalogue = parts::catalogue(&config.rules).map_err(|more| faults.extend(more)).ok();
        let certificates = config.tls.as_ref().map(tls::load).transpose();
        let certificates = certificates.map_err(|more| faults.extend(more)).ok().flatten();
        // A development keyring lists all rules. If some cannot be read, it is not made.
        let reads_keyring = catalogue.is_some() || !config.keyring.generate;
        let shipped = Catalogue::shipped();
        let rules = catalogue.as_ref().unwrap_or(&shipped);
        let loaded = reads_keyring.then(|| parts::keyring_for_start(&config.keyring, rules));
        let loaded = loaded.transpose().map_err(|more| faults.extend(more)).ok().flatten();
        let self_test_digest = self_test::run()?;
        let access = parts::access(config).map_err(|more| faults.extend(more)).ok();
        if let Some(loaded) = &loaded {
            faults.extend(parts::faults(config, &loaded.manifests, rules));
            let manifest = &loaded.manifests.newest().manifest;
            let names = |access| parts::access_faults(config, access, manifest, rules);
            faults.extend(access.as_ref().map(names).unwrap_or_default());
        }
        let evidence = evidence::check(config).map_err(StartError::Evidence);
        faults.extend(evidence.err().map(|error| error.to_string()));
        Ok(Self { catalogue, certificates, loaded, access, self_test_digest, faults })
    }

    /// Verifies this process as a running one does, and notes every check that fails. Without
    /// rules and keyring it checks the release record alone.
    fn verify(&mut self, config: &Config) {
        let verifier = EngineVerifier::new(config, SettingsFrom::Program, self.self_test_digest);
        let key = match config.verification.release_file {
            Some(_) => "verification.release_file",
            None => "verification",
        };
        match (&self.catalogue, &self.loaded) {
            (Some(catalogue), Some(LoadedKeys { manifests, root, .. })) => {
                let (catalogue, manifests) = (catalogue.clone(), manifests.clone());
                let context = RoundContext { catalogue, manifests, root: root.clone() };
                let report = verifier.run(&context);
                self.faults.extend(report.failed().map(|check| format!("{key}: {check}")));
            }
            (_, loaded) => {
                let root = loaded.as_ref().map(|loaded| &loaded.manifests.newest().manifest.root);
                let fault = verifier.record_fault(root);
                self.faults.extend(fault.map(|what| format!("{key}: {what}")));
            }
        }
    }
}

/// Checks everything that a start checks, and everything that the first self-verification checks. It
/// starts nothing, writes nothing, and binds no port.
///
/// # Errors
///
/// As [`prepare`], and every check of the self-verification that fails.
pub fn check(config: &Config) -> Result<(), StartError> {
    let mut checks = StartChecks::run(config)?;
    let telemetry = telemetry::check(&config.telemetry);
    checks.faults.extend(telemetry.err().map(|error| error.to_string()));
    checks.verify(config);
    if checks.faults.is_empty() { Ok(()) } else { Err(StartError::Unfit(checks.faults)) }
}

/// Logs what this replica will refuse although the manifest lists it.
pub(super) fn warn_of_gaps(
    manifests: &ManifestChain,
    catalogue: &Catalogue,
    keys: &KeyRing,
    profile: Profile,
    now: u64,
) {
    let manifest = &manifests.newest().manifest;
    for listed in &manifest.rulesets {
        if catalogue.game(&listed.hash).is_none() {
            let (ruleset, hash) = (&listed.name, &listed.hash);
            tracing::warn!(%ruleset, %hash, "listed, and not played: the ruleset is not loaded");
        }
    }
    // A round that began under an earlier manifest is settled under that manifest.
    let earlier = manifests.all().iter().map(|signed| &signed.manifest);
    let earlier = earlier.filter(|m| m.epochs.iter().any(|epoch| now < epoch.settle_until));
    let listed: BTreeMap<&Hash, &Identifier> =
        earlier.flat_map(|m| &m.rulesets).map(|listed| (&listed.hash, &listed.name)).collect();
    for (hash, ruleset) in listed {
        if manifest.ruleset(hash).is_none() && catalogue.game(hash).is_none() {
            let what = "listed before, and what is open not settled: the ruleset is not loaded";
            tracing::warn!(%ruleset, %hash, "{what}");
        }
    }
    for game in catalogue.games() {
        if manifest.ruleset(&game.hash).is_none() {
            let (ruleset, hash) = (game.ruleset.id(), &game.hash);
            tracing::warn!(%ruleset, %hash, "loaded, and not dealt: the manifest does not list it");
        }
    }
    for (hash, way) in catalogue.house_ways() {
        if manifest.house_ways.iter().all(|way| way.hash != hash) {
            let house_way = way.id();
            tracing::warn!(%house_way, %hash, "loaded, and not served: the manifest does not list it");
        }
    }
    for epoch in epochs::unheld_soon(&manifest.epochs, keys, now) {
        let epoch = epoch.epoch;
        tracing::warn!(epoch, "listed, and not played: the keyring does not hold its secret");
    }
    if profile == Profile::Production {
        for epoch in epochs::held_early(&manifest.epochs, keys, now) {
            let (epoch, opens) = (epoch.epoch, utc::text(epoch.open_from));
            tracing::warn!(
                epoch,
                opens,
                "the secret is here more than 7 days before its epoch opens"
            );
        }
    }
    if epochs::without_gap(&epochs::playable(&manifest.epochs, keys, now), now) == 0 {
        tracing::warn!("no epoch is open for new rounds");
    }
}
