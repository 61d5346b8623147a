//! The calls of the service as pure functions on domain types.
//!
//! Each call takes records, checks them, and returns the next one; nothing is kept
//! (PGE-FAIR-1, section 4). The same request gets the same record bytes, or the error of
//! a closed gate.

mod catalogue;
mod client_seeds;
mod deal;
mod decisions;
mod derived;
mod gates;
mod open_round;
mod permit;
pub mod record;
mod refusal;
mod request;
mod results;
mod returns;
mod round;
mod secrets;
mod set_house_way;
mod settle;
mod theory;
mod void;

pub mod audit;
pub mod self_test;

pub use catalogue::{Catalogue, ListedGame, NotNamed};
pub use deal::DealAnswer;
pub use open_round::OpenAnswer;
pub use permit::Permit;
pub use refusal::{Class, Reason, Refusal, Refusals, Violation};
pub use request::{
    Call, Deal, Disposition, Entropy, NoEntropy, OpenRound, SetBy, SetHouseWay, Settle, Start,
    VoidReason, Wagers,
};
pub use round::RoundFacts;
pub use set_house_way::{HandSet, MAX_HANDS};
pub use settle::{SettleAnswer, SettledRound};
pub use theory::{Theory, theory};

use crate::fairness::encoding::Identifier;
use crate::fairness::manifest::{ManifestChain, Root};

/// The outcome code (D15): it changes only when some request could get another outcome.
pub const ENGINE_ID: &str = "pge-1";

/// [`ENGINE_ID`] as records have it.
const ENGINE: Identifier = Identifier::of(ENGINE_ID).expect("the engine's id is an identifier");

/// What the engine works from besides its keys: all of it public.
#[derive(Clone, Debug)]
pub struct Engine {
    /// The rulesets and house ways that are loaded.
    pub catalogue: Catalogue,
    /// The verified manifests; the newest is in force.
    pub manifests: ManifestChain,
    /// The root that the manifests were verified against.
    pub root: Root,
}
