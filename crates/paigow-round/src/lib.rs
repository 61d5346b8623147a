//! A round without secret keys: its records, its rules, every check of a caller's records, and the
//! audit of signed records.
//!
//! The crate has no clock, no file, no random number, and no name of a secret key. An audit of a
//! round needs none of them (PGE-FAIR-1, section 4).

mod catalogue;
pub mod client_seeds;
pub mod decisions;
pub mod derived;
mod evaluate_hands;
pub mod manifest_conditions;
mod open_epochs;
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
mod weigh_settings;

pub mod audit;

pub use catalogue::{Catalogue, ListedGame, NamingFault};
pub use evaluate_hands::EvaluatedHand;
pub use open_epochs::TenantEpochs;
pub use operator_permit::{CallerSwitch, OperatorPermit, SwitchScope};
pub use refusal::{FactKey, Facts, Reason, Refusal, RefusalClass, Refusals, Violation};
pub use request::{
    CallContext, Deal, DealStart, EvaluateHands, HandSetter, HandToEvaluate, NoEntropy, OpenRound,
    PrepareDeal, PrepareSettle, SeatDecisions, SetHouseWay, Settle, SpentLock, TicketEntropy,
    VoidReason, VoidRound, VoidStart, Wagers, WeighSettings,
};
pub use returns::base_game;
pub use round::RoundFacts;
pub use set_house_way::{HandSet, MAX_HANDS};
pub use theory::{ReturnTheory, Theory, theory};
pub use weigh_settings::WeighedSetting;

use paigow_fairness::encoding::Identifier;
use paigow_fairness::manifest::{ManifestChain, Root};

/// The outcome code (D15): it changes only when some request could get another outcome.
pub const ENGINE_ID: &str = "pge-1";

/// [`ENGINE_ID`] as records have it.
pub const ENGINE: Identifier = Identifier::of(ENGINE_ID).expect("the engine's id is an identifier");

/// The public context that a round is played or audited under.
#[derive(Clone, Debug)]
pub struct RoundContext {
    /// The rulesets and house ways that are loaded.
    pub catalogue: Catalogue,
    /// The verified manifests; the newest is in force.
    pub manifests: ManifestChain,
    /// The root that the manifests were verified against.
    pub root: Root,
}

impl RoundContext {
    /// Returns a game that any manifest lists, by the name or the content hash that it lists. A
    /// name means the ruleset of the newest manifest that lists it.
    ///
    /// # Errors
    ///
    /// Returns [`NamingFault`] if no manifest lists it, or if it is not loaded.
    pub fn game_of_chain(&self, name: &str) -> Result<&ListedGame, NamingFault> {
        let newest = self.catalogue.game_listed(&self.manifests.newest().manifest, name);
        let before = self.manifests.all().iter().rev().skip(1);
        let mut before = before.map(|signed| self.catalogue.game_listed(&signed.manifest, name));
        let is_listed = |found: &Result<_, NamingFault>| match found {
            Ok(_) | Err(NamingFault::NotLoaded { .. } | NamingFault::Ambiguous { .. }) => true,
            Err(NamingFault::Unknown { .. } | NamingFault::Unlisted { .. }) => false,
        };
        if is_listed(&newest) { newest } else { before.find(is_listed).unwrap_or(newest) }
    }

    /// Returns the games that any manifest lists, by id. Those of one id are in the order of their
    /// content hashes.
    #[must_use]
    pub fn games_of_chain(&self) -> Vec<&ListedGame> {
        let mut games = self.catalogue.games();
        let chain = self.manifests.all();
        games.retain(|game| {
            chain.iter().any(|signed| signed.manifest.ruleset(&game.hash).is_some())
        });
        games
    }

    /// Returns whether the manifests let a tenant begin rounds of a game: the newest lists both.
    #[must_use]
    pub fn is_listed_for(&self, tenant: &Identifier, game: &ListedGame) -> bool {
        let newest = &self.manifests.newest().manifest;
        newest.engine == ENGINE
            && newest.tenant(tenant).is_some()
            && newest.ruleset(&game.hash).is_some()
    }
}
