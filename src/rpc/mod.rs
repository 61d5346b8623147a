//! The gRPC contract: generated types, requests read, answers written, errors.
//!
//! A handler parses, computes and converts. [`ServiceState`] provides the clock and the entropy of
//! the operating system; nothing here reads either.

pub mod status;

mod admin;
mod caller;
mod duties;
mod figures;
mod method;
mod service;
mod standing;
mod turns;
mod verification;

/// The server side of the contract, as the build script generates it from `proto/`.
#[expect(unused_qualifications, reason = "generated code, documented in the contract")]
mod service_stubs {
    tonic::include_proto!("paigow.v1");
}

use std::fmt;

pub use caller::{CallDeadline, Caller};
pub use duties::log_event;
pub use figures::state_theory;
pub use method::{Method, SERVICE};
pub use service::{AuditLimits, PaiGow};
pub use service_stubs::pai_gow_service_server;
pub use standing::{Impediments, Standing};

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use arc_swap::ArcSwap;
pub use paigow_wire::answer::BuildFacts;
use paigow_wire::answer::DescribedRulesets;
use tokio::sync::watch;

use crate::recent::RecentRecords;
use crate::refusals::RecentRefusals;
use crate::telemetry::Meters;
use paigow_engine::KeyRing;
use paigow_evidence::{Sink, SinkTarget};
use paigow_files::release::Check;
use paigow_round::{NoEntropy, RoundContext};

/// How this was built: a mark and one line of JSON, which
/// [`BuildSettings`](paigow_files::release::BuildSettings) reads here and in the binary.
pub const BUILD_SETTINGS: &str = concat!(
    "paigow-build-settings ",
    env!("BUILD_SETTINGS"),
    "
"
);

/// The rules, the manifests and the keys that a reload replaces together. A call keeps the ones
/// that it began with.
#[derive(Debug)]
pub struct LoadedEngine {
    /// Rulesets, house ways and manifests.
    pub context: RoundContext,
    /// The secret keys of this replica.
    pub keys: KeyRing,
    /// The rulesets as `ListRulesets` shows them.
    rulesets: OnceLock<DescribedRulesets>,
}

impl LoadedEngine {
    /// Creates the engine of rules, manifests and keys.
    #[must_use]
    pub const fn new(context: RoundContext, keys: KeyRing) -> Self {
        Self { context, keys, rulesets: OnceLock::new() }
    }

    /// Returns the rulesets as the contract writes them. Pay tables and exact returns are computed
    /// once, so repeated calls do not delay play.
    fn rulesets(&self) -> &DescribedRulesets {
        self.rulesets.get_or_init(|| DescribedRulesets::of(&self.context))
    }
}

/// Verifies the process against its release record. It reads files and may block.
pub type ProcessVerification = Arc<dyn Fn(&RoundContext) -> Vec<Check> + Send + Sync>;

/// The facts of a process for operators, without its build. The default has no name and keeps no
/// evidence.
#[derive(Clone, Debug)]
pub struct ReplicaFacts {
    /// The name of the replica.
    pub instance: String,
    /// When it began, in Unix seconds.
    pub started_at: u64,
    /// The settings that are not the defaults, as `key = value`.
    pub changed_settings: Vec<String>,
    /// Where its evidence goes.
    pub evidence: SinkTarget,
}

impl Default for ReplicaFacts {
    fn default() -> Self {
        let (instance, changed_settings) = (String::new(), Vec::new());
        Self { instance, started_at: 0, changed_settings, evidence: SinkTarget::Off }
    }
}

/// The verdict of a self-verification.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct VerificationVerdict {
    /// When it ended, in Unix seconds.
    pub(crate) time: u64,
    /// Whether no check has failed.
    pub(crate) passed: bool,
}

/// The files of evidence that wait to be shipped.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(crate) struct UnshippedEvidence {
    /// How many.
    pub(crate) files: u64,
    /// How long ago the oldest was written last.
    pub(crate) age: Duration,
}

/// The state that the handlers share.
pub struct ServiceState {
    /// The rules, the manifests and the keys.
    pub world: ArcSwap<LoadedEngine>,
    /// The facts of the running build.
    pub build: BuildFacts,
    /// Whether new rounds can begin.
    pub standing: Standing,
    /// Where every signed record and every significant event is kept.
    pub sink: Sink,
    /// The metrics.
    pub meters: Meters,
    /// Verifies the process.
    pub verify: ProcessVerification,
    verified: Arc<tokio::sync::Mutex<Option<duties::LastVerification>>>,
    /// The records that this replica has kept lately.
    kept: Mutex<RecentRecords>,
    /// The facts of the process for operators.
    pub replica: ReplicaFacts,
    /// The calls that were refused lately.
    pub(crate) refusals: RecentRefusals,
    /// Whether the process was asked to stop.
    pub(crate) draining: watch::Sender<bool>,
    last_verification: Mutex<Option<VerificationVerdict>>,
    unshipped: Mutex<Option<UnshippedEvidence>>,
    /// Whether spans name the round.
    pub round_ids: bool,
    /// Returns the time in Unix seconds.
    pub clock: fn() -> u64,
    /// Fills a buffer with secret random bytes of the operating system. Only tickets of
    /// the fresh suite need them. There is no weaker fallback.
    pub entropy: fn(&mut [u8]) -> Result<(), NoEntropy>,
}

impl ServiceState {
    /// Creates the state of a service that answers from `world`. By default it stores no
    /// evidence, records no metrics and verifies nothing.
    #[must_use]
    pub fn new(
        world: LoadedEngine,
        build: BuildFacts,
        clock: fn() -> u64,
        entropy: fn(&mut [u8]) -> Result<(), NoEntropy>,
    ) -> Self {
        let (world, standing) = (ArcSwap::from_pointee(world), Standing::default());
        let (sink, meters, verify) =
            (Sink::off(), Meters::off(), Arc::new(|_: &RoundContext| vec![]));
        let (verified, kept, round_ids) = (Arc::default(), Mutex::default(), false);
        Self {
            world,
            build,
            standing,
            sink,
            meters,
            verify,
            verified,
            kept,
            replica: ReplicaFacts::default(),
            refusals: RecentRefusals::default(),
            draining: watch::Sender::new(false),
            last_verification: Mutex::default(),
            unshipped: Mutex::default(),
            round_ids,
            clock,
            entropy,
        }
    }

    /// Returns the verdict of the last self-verification, if there was one.
    pub(crate) fn last_verification(&self) -> Option<VerificationVerdict> {
        *self.last_verification.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes how a self-verification ended just now, in metrics too.
    fn note_verification(&self, passed: bool) {
        let time = (self.clock)();
        self.meters.verification(passed, time);
        *self.last_verification.lock().unwrap_or_else(PoisonError::into_inner) =
            Some(VerificationVerdict { time, passed });
    }

    /// Returns the result of the last search for files that wait to be shipped.
    pub(crate) fn unshipped(&self) -> Option<UnshippedEvidence> {
        *self.unshipped.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes the files that wait to be shipped, in metrics too.
    pub(crate) fn note_unshipped(&self, unshipped: UnshippedEvidence) {
        self.meters.evidence_unshipped(unshipped.files, unshipped.age);
        *self.unshipped.lock().unwrap_or_else(PoisonError::into_inner) = Some(unshipped);
    }
}

impl fmt::Debug for ServiceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceState").field("build", &self.build).finish_non_exhaustive()
    }
}
