//! The gRPC contract: generated types, requests read, answers written, errors.
//!
//! A handler is parse, compute, convert. The clock and the entropy of the operating
//! system come in through [`State`]; nothing here reads either.

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
pub use figures::state_theory;
pub use method::{Method, SERVICE};
pub use service::PaiGow;
pub use service_stubs::pai_gow_service_server;
pub use standing::{Impediments, Standing};

use std::sync::{Arc, OnceLock};

use arc_swap::ArcSwap;
pub use paigow_wire::answer::BuildFacts;
use paigow_wire::answer::Described;

use crate::telemetry::Meters;
use paigow_engine::KeyRing;
use paigow_evidence::Sink;
use paigow_files::release::Check;
use paigow_round::{NoEntropy, RoundContext};

/// How this was built: a mark and one line of JSON, which
/// [`BuildSettings`](paigow_files::release::BuildSettings) reads here and in the binary.
pub const BUILD_SETTINGS: &str = concat!(
    "paigow-build-settings ",
    env!("PAIGOW_BUILD_SETTINGS"),
    "
"
);

/// What a reload replaces as a whole: calls that have begun end with what they began with.
#[derive(Debug)]
pub struct World {
    /// Rulesets, house ways and manifests.
    pub context: RoundContext,
    /// The secret keys of this replica.
    pub keys: KeyRing,
    /// What `GetEngine` says of it, but for what hangs on the caller.
    described: OnceLock<Described>,
}

impl World {
    /// Makes a world.
    #[must_use]
    pub const fn new(context: RoundContext, keys: KeyRing) -> Self {
        Self { context, keys, described: OnceLock::new() }
    }
}

/// Verifies the process that answers from an engine against its release record; it reads
/// files, and may block.
pub type Verify = Arc<dyn Fn(&RoundContext) -> Vec<Check> + Send + Sync>;

/// All that calls are answered from.
pub struct State {
    /// The rules, the manifests and the keys.
    pub world: ArcSwap<World>,
    /// What is running.
    pub build: BuildFacts,
    /// Whether new rounds can begin.
    pub standing: Standing,
    /// Where every signed record and every significant event is kept.
    pub sink: Sink,
    /// What is counted.
    pub meters: Meters,
    /// Verifies the process.
    pub verify: Verify,
    verified: Arc<tokio::sync::Mutex<Option<duties::Verified>>>,
    /// Whether spans name the round.
    pub round_ids: bool,
    /// Returns the time in Unix seconds.
    pub clock: fn() -> u64,
    /// Fills a buffer with secret random bytes of the operating system; only tickets of
    /// the fresh suite ask for them. Nothing weaker is taken where there are none.
    pub entropy: fn(&mut [u8]) -> Result<(), NoEntropy>,
}

impl State {
    /// Makes the state of a service that answers from `world`: one that keeps nothing,
    /// counts nothing and has nothing to verify, until it is told otherwise.
    #[must_use]
    pub fn new(
        world: World,
        build: BuildFacts,
        clock: fn() -> u64,
        entropy: fn(&mut [u8]) -> Result<(), NoEntropy>,
    ) -> Self {
        let (world, standing) = (ArcSwap::from_pointee(world), Standing::default());
        let (sink, meters, verify) =
            (Sink::off(), Meters::off(), Arc::new(|_: &RoundContext| vec![]));
        let (verified, round_ids) = (Arc::default(), false);
        Self { world, build, standing, sink, meters, verify, verified, round_ids, clock, entropy }
    }
}

impl fmt::Debug for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("State").field("build", &self.build).finish_non_exhaustive()
    }
}
