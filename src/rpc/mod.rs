//! The gRPC contract: generated types, requests read, answers written, errors.
//!
//! A handler is parse, compute, convert. The clock and the entropy of the operating
//! system come in through [`ServiceState`]; nothing here reads either.

pub mod status;

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

pub use caller::Caller;
pub use duties::log_event;
pub use figures::state_theory;
pub use method::{Method, SERVICE};
pub use service::{AuditLimits, PaiGow};
pub use service_stubs::pai_gow_service_server;
pub use standing::{Impediments, Standing};

use std::sync::{Arc, Mutex, OnceLock};

use arc_swap::ArcSwap;
pub use paigow_wire::answer::BuildFacts;
use paigow_wire::answer::DescribedRulesets;

use crate::recent::RecentRecords;
use crate::telemetry::Meters;
use paigow_engine::KeyRing;
use paigow_evidence::Sink;
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

    /// Returns the rulesets as the contract writes them. Pay tables and exact returns are worked
    /// out once, so a caller that asks again and again does not hold up play.
    fn rulesets(&self) -> &DescribedRulesets {
        self.rulesets.get_or_init(|| DescribedRulesets::of(&self.context))
    }
}

/// Verifies the process against its release record. It reads files and may block.
pub type ProcessVerification = Arc<dyn Fn(&RoundContext) -> Vec<Check> + Send + Sync>;

/// The state that the handlers share.
pub struct ServiceState {
    /// The rules, the manifests and the keys.
    pub world: ArcSwap<LoadedEngine>,
    /// What is running.
    pub build: BuildFacts,
    /// Whether new rounds can begin.
    pub standing: Standing,
    /// Where every signed record and every significant event is kept.
    pub sink: Sink,
    /// What is counted.
    pub meters: Meters,
    /// Verifies the process.
    pub verify: ProcessVerification,
    verified: Arc<tokio::sync::Mutex<Option<duties::LastVerification>>>,
    /// The records that this replica has kept lately.
    kept: Mutex<RecentRecords>,
    /// Whether spans name the round.
    pub round_ids: bool,
    /// Returns the time in Unix seconds.
    pub clock: fn() -> u64,
    /// Fills a buffer with secret random bytes of the operating system; only tickets of
    /// the fresh suite ask for them. Nothing weaker is taken where there are none.
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
            round_ids,
            clock,
            entropy,
        }
    }
}

impl fmt::Debug for ServiceState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceState").field("build", &self.build).finish_non_exhaustive()
    }
}
