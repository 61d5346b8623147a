//! The gates of the operator, beside those of the manifest. No byte of an
//! answer depends on them (D4).
//!
//! There are two switches. While new rounds are closed, no round is opened; an opened round can
//! still be dealt, settled or voided. While play is halted, no round is dealt either. A dealt round
//! is settled or voided. An opened round is voided, or dealt once the switch is off. `Settle` and
//! `VoidRound` depend on neither switch.

use std::collections::BTreeSet;

use super::ListedGame;
use super::refusal::{FactKey, Reason, Refusal};
use paigow_fairness::beacon::Beacon;

/// The scope of a switch of the operator.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum SwitchScope {
    /// Every round of the engine.
    Engine,
    /// The rounds of one ruleset.
    Ruleset,
    /// The rounds of one tenant.
    Tenant,
    /// The rounds of the tenants of one jurisdiction.
    Jurisdiction,
}

impl SwitchScope {
    /// Returns its word in `ErrorInfo.metadata`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Engine => "engine",
            Self::Ruleset => "ruleset",
            Self::Tenant => "tenant",
            Self::Jurisdiction => "jurisdiction",
        }
    }
}

/// A switch as it applies to one caller. The default holds for nothing.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct CallerSwitch {
    /// The scope by which it holds for every ruleset, if it does.
    pub every_ruleset: Option<SwitchScope>,
    /// The rulesets that it holds for, by id or content hash.
    pub rulesets: BTreeSet<String>,
    /// The reason, in the operator's words.
    pub why: String,
}

impl CallerSwitch {
    /// Refuses a round of a game that the switch holds for. `what` names the stopped operation.
    fn pass(&self, game: &ListedGame, reason: Reason, what: &str) -> Result<(), Refusal> {
        let of_ruleset = || names(&self.rulesets, game).then_some(SwitchScope::Ruleset);
        let Some(scope) = self.every_ruleset.or_else(of_ruleset) else { return Ok(()) };
        let message = format!("{what} ({}): {}", scope.name(), self.why);
        Err(Refusal::of(reason, message).with(FactKey::Scope, scope.name()))
    }
}

/// The rounds that a caller may begin. The default is everything that the manifest lists.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OperatorPermit {
    /// The switch that stops new rounds.
    pub closed_to_new_rounds: CallerSwitch,
    /// The switch that stops every deal.
    pub halted: CallerSwitch,
    /// The only rulesets of the caller, by id or content hash; [`None`] for all.
    pub rulesets: Option<BTreeSet<String>>,
    /// The only currencies of the caller, by code; [`None`] for all.
    pub currencies: Option<BTreeSet<String>>,
    /// The least time from an opening to the publication of the beacon's round, in seconds.
    pub minimum_beacon_lead: u64,
}

impl OperatorPermit {
    /// Lets a round of a game be opened.
    ///
    /// # Errors
    ///
    /// `HALTED`, `CLOSED_TO_NEW_ROUNDS` or `RULESET_NOT_ALLOWED`.
    pub fn pass_opening(&self, game: &ListedGame) -> Result<(), Refusal> {
        self.pass_deal(game)?;
        let reason = Reason::ClosedToNewRounds;
        self.closed_to_new_rounds.pass(game, reason, "closed to new rounds")
    }

    /// Lets a round of a game be dealt that was opened before.
    ///
    /// # Errors
    ///
    /// `HALTED` or `RULESET_NOT_ALLOWED`.
    pub fn pass_deal(&self, game: &ListedGame) -> Result<(), Refusal> {
        self.halted.pass(game, Reason::Halted, "halted: nothing is dealt")?;
        match &self.rulesets {
            Some(allowed) if !names(allowed, game) => Err(Refusal::of(
                Reason::RulesetNotAllowed,
                "the operator does not let the tenant play this ruleset",
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Returns whether a round of a game may begin, by this permit alone.
    #[must_use]
    pub fn lets_begin(&self, game: &ListedGame) -> bool {
        self.pass_opening(game).is_ok()
    }

    /// Returns whether the caller may play a game at some time, whatever is closed now.
    #[must_use]
    pub fn allows(&self, game: &ListedGame) -> bool {
        self.rulesets.as_ref().is_none_or(|allowed| names(allowed, game))
    }

    /// Checks the opening of a round whose seed waits for a round of a beacon.
    ///
    /// Enough time must remain to lock the wagers before the beacon publishes that round. It must
    /// be published before `settle_until`.
    ///
    /// # Errors
    ///
    /// Returns `BEACON_ROUND`, with the rounds of the beacon that are accepted.
    pub fn pass_beacon(
        &self,
        beacon: &Beacon,
        round: u64,
        now: u64,
        settle_until: u64,
    ) -> Result<(), Refusal> {
        let earliest = now.saturating_add(self.minimum_beacon_lead);
        let (first, last) =
            (beacon.first_round_from(earliest), beacon.last_round_before(settle_until));
        let published = beacon.published_at(round);
        if earliest <= published && published < settle_until {
            return Ok(());
        }
        let what = format!(
            "the beacon publishes round {round} at {published}; wanted is a time from {earliest} and \
             before {settle_until}"
        );
        Err(Refusal::of(Reason::BeaconRound, what).within(first, last))
    }

    /// Lets wagers in a currency be dealt to.
    ///
    /// # Errors
    ///
    /// `CURRENCY_NOT_ALLOWED`.
    pub fn pass_currency(&self, code: &str) -> Result<(), Refusal> {
        match &self.currencies {
            Some(allowed) if !allowed.contains(code) => Err(Refusal::of(
                Reason::CurrencyNotAllowed,
                "the operator does not let the tenant play in this currency",
            )),
            Some(_) | None => Ok(()),
        }
    }
}

fn names(list: &BTreeSet<String>, game: &ListedGame) -> bool {
    list.contains(game.ruleset.id()) || list.contains(&game.hash.to_string())
}
