//! What the operator lets a caller begin: gates beside those of the manifest. No byte of an
//! answer depends on them (D4).
//!
//! They are asked by `OpenRound` and `Deal`, and no cards are shown while one is closed: a round
//! that was opened before is not dealt, and a deal that was answered is not repeated. `Settle`
//! asks none of them. A round that was dealt is settled, and one that was opened only is voided,
//! or dealt when the gate is open again.

use std::collections::BTreeSet;

use super::ListedGame;
use super::refusal::{Reason, Refusal};

/// What a caller may begin. The default is everything that the manifest lists.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct OperatorPermit {
    /// Why no round may begin, if none may.
    pub closed: Option<String>,
    /// Why no round of some rulesets may begin; by id or content hash.
    pub closed_rulesets: Option<(BTreeSet<String>, String)>,
    /// The only rulesets of the caller, by id or content hash; none for all.
    pub rulesets: Option<BTreeSet<String>>,
    /// The only currencies of the caller, by code; none for all.
    pub currencies: Option<BTreeSet<String>>,
}

impl OperatorPermit {
    /// Lets a round of a game begin, or the next step of it before its cards are shown.
    ///
    /// # Errors
    ///
    /// `NEW_ROUNDS_DISABLED`, `RULESET_DISABLED` or `RULESET_NOT_ALLOWED`.
    pub fn pass_game(&self, game: &ListedGame) -> Result<(), Refusal> {
        if let Some(why) = &self.closed {
            let what = format!("no new rounds: {why}");
            return Err(Refusal::of(Reason::NewRoundsDisabled, what));
        }
        if let Some((closed, why)) = &self.closed_rulesets
            && names(closed, game)
        {
            let what = format!("no new rounds of this ruleset: {why}");
            return Err(Refusal::of(Reason::RulesetDisabled, what));
        }
        match &self.rulesets {
            Some(allowed) if !names(allowed, game) => Err(Refusal::of(
                Reason::RulesetNotAllowed,
                "the ruleset is none of those that the operator lets the tenant play",
            )),
            Some(_) | None => Ok(()),
        }
    }

    /// Returns whether a round of a game may begin, as far as this says.
    #[must_use]
    pub fn lets_begin(&self, game: &ListedGame) -> bool {
        self.pass_game(game).is_ok()
    }

    /// Returns whether the caller may play a game at some time, whatever is closed now.
    #[must_use]
    pub fn allows(&self, game: &ListedGame) -> bool {
        self.rulesets.as_ref().is_none_or(|allowed| names(allowed, game))
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
                "the currency is none of those that the operator lets the tenant play in",
            )),
            Some(_) | None => Ok(()),
        }
    }
}

fn names(list: &BTreeSet<String>, game: &ListedGame) -> bool {
    list.contains(game.ruleset.id()) || list.contains(&game.hash.to_string())
}
