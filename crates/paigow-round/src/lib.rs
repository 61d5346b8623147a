//! A round without secret keys: its records, the rules it may be played by, every check of
//! what a caller shows, the audit of what was signed.
//!
//! No clock, no file, no random number, and no name of a secret key: whoever audits a round
//! needs none (PGE-FAIR-1, section 4).

mod catalogue;
pub mod client_seeds;
pub mod decisions;
pub mod derived;
pub mod manifest_conditions;
mod operator_permit;
pub mod record;
pub mod refusal;
pub mod request;
pub mod results;
mod returns;
pub mod round;
mod set_house_way;
pub mod spent;
mod theory;

pub mod audit;

pub use catalogue::{Catalogue, ListedGame, NamingFault};
pub use operator_permit::OperatorPermit;
pub use refusal::{Reason, Refusal, RefusalClass, Refusals, Violation};
pub use request::{
    CallContext, Deal, DealStart, Disposition, HandSetter, NoEntropy, OpenRound, SetHouseWay,
    Settle, SpentLock, TicketEntropy, VoidReason, Wagers,
};
pub use round::RoundFacts;
pub use set_house_way::{HandSet, MAX_HANDS};
pub use theory::{Theory, theory};

use paigow_fairness::encoding::Identifier;
use paigow_fairness::manifest::{ManifestChain, Root};

/// The outcome code (D15): it changes only when some request could get another outcome.
pub const ENGINE_ID: &str = "pge-1";

/// [`ENGINE_ID`] as records have it.
pub const ENGINE: Identifier = Identifier::of(ENGINE_ID).expect("the engine's id is an identifier");

/// Everything public that a round is played or audited under.
#[derive(Clone, Debug)]
pub struct RoundContext {
    /// The rulesets and house ways that are loaded.
    pub catalogue: Catalogue,
    /// The verified manifests; the newest is in force.
    pub manifests: ManifestChain,
    /// The root that the manifests were verified against.
    pub root: Root,
}
