//! Why the engine refuses a request: a class, a reason for machines, the fields.

use std::fmt;

/// What kind of refusal a reason is; each kind is one gRPC status code.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum RefusalClass {
    /// The request alone proves that it is wrong.
    InvalidArgument,
    /// A gate of clock or policy is closed.
    FailedPrecondition,
    /// The caller may not do this.
    PermissionDenied,
    /// This replica cannot answer; another may.
    Unavailable,
    /// An invariant is broken: an alarm, never an answer.
    Internal,
}

macro_rules! reasons {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $class:ident;)*) => {
        /// A machine-readable reason, the same word in the proto's `ErrorReason`
        /// (PGE-FAIR-1, D19).
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        pub enum Reason {
            $($(#[$doc])* $name,)*
        }

        impl Reason {
            /// Every reason there is.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the reason as it stands in `ErrorInfo.reason`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }

            /// Returns the class of the reason, which decides the status code.
            #[must_use]
            pub const fn class(self) -> RefusalClass {
                match self { $(Self::$name => RefusalClass::$class,)* }
            }
        }
    };
}

reasons! {
    /// A field is missing.
    FieldMissing = "FIELD_MISSING", InvalidArgument;
    /// A field is malformed: length, alphabet, an enum's unknown value.
    FieldInvalid = "FIELD_INVALID", InvalidArgument;
    /// A number is outside its range.
    NumberRange = "NUMBER_RANGE", InvalidArgument;
    /// A seat is not one of the table's, or named twice.
    Seat = "SEAT", InvalidArgument;
    /// A card code is none of the 53.
    UnknownCard = "UNKNOWN_CARD", InvalidArgument;
    /// A hand has the wrong number of cards, or one card twice.
    Hand = "HAND", InvalidArgument;
    /// A batch is larger than its limit.
    BatchLimit = "BATCH_LIMIT", InvalidArgument;
    /// A record is not a well-formed envelope of its kind, in canonical form.
    Record = "RECORD", InvalidArgument;
    /// A signature does not verify under a key of its role.
    BadSignature = "BAD_SIGNATURE", InvalidArgument;
    /// A record does not link to the one before it.
    ChainBroken = "CHAIN_BROKEN", InvalidArgument;
    /// Records skip or repeat a phase of the round.
    Phase = "PHASE", InvalidArgument;
    /// Client seeds do not open the ticket's commitments (D10).
    ClientCommit = "CLIENT_COMMIT", InvalidArgument;
    /// A ruleset that the manifest does not list, or not the ticket's.
    Ruleset = "RULESET", InvalidArgument;
    /// A house way is unknown, or not the ruleset's.
    HouseWay = "HOUSE_WAY", InvalidArgument;
    /// The currency is not the ruleset's.
    Currency = "CURRENCY", InvalidArgument;
    /// A wager is not one that the ruleset takes.
    Wager = "WAGER", InvalidArgument;
    /// An amount is outside the limits of the bet, the table or the ruleset.
    AmountLimit = "AMOUNT_LIMIT", InvalidArgument;
    /// A table fact is missing, unexpected or out of range.
    TableFact = "TABLE_FACT", InvalidArgument;
    /// A seat with a base wager has no decision.
    DecisionMissing = "DECISION_MISSING", InvalidArgument;
    /// A decision is for a seat that has none to take, or is not one it may take.
    DecisionUnexpected = "DECISION_UNEXPECTED", InvalidArgument;
    /// One seat decided twice.
    TwoActionsOneSeat = "TWO_ACTIONS_ONE_SEAT", InvalidArgument;
    /// The final lock does not cover exactly the actions shown.
    LockCoversActions = "LOCK_COVERS_ACTIONS", InvalidArgument;
    /// A lock does not list exactly the locks before it.
    Supersedes = "SUPERSEDES", InvalidArgument;
    /// A lock is shown as spent and can still be settled.
    LockNotSpent = "LOCK_NOT_SPENT", InvalidArgument;
    /// A final lock leaves out a legal decision of a spent lock.
    DecisionDropped = "DECISION_DROPPED", InvalidArgument;
    /// A seat is listed as absent without the clause in its ticket, or its action is not the house
    /// way.
    AbsentSeat = "ABSENT_SEAT", InvalidArgument;
    /// The low cards are not cards of the seat, or not as many as the game sets.
    LowCards = "LOW_CARDS", InvalidArgument;
    /// A transcript or a replay request is unusable.
    Transcript = "TRANSCRIPT", InvalidArgument;
    /// The manifest lists an epoch, but not one that is open for this.
    EpochNotOpen = "EPOCH_NOT_OPEN", FailedPrecondition;
    /// The epoch's window has closed, or its secret is published.
    EpochClosed = "EPOCH_CLOSED", FailedPrecondition;
    /// The epoch is revoked: its rounds can only be voided.
    EpochRevoked = "EPOCH_REVOKED", FailedPrecondition;
    /// The receipt key of the ticket's manifest is revoked, or the one that signed the close of
    /// the round before.
    KeyRevoked = "KEY_REVOKED", FailedPrecondition;
    /// The tenant's policy requires a ledger's lock.
    LockRequired = "LOCK_REQUIRED", FailedPrecondition;
    /// The tenant's policy requires the close of the round before.
    ChainRequired = "CHAIN_REQUIRED", FailedPrecondition;
    /// The tenant's policy requires seats to sign.
    SeatAuthRequired = "SEAT_AUTH_REQUIRED", FailedPrecondition;
    /// The newest manifest has another policy for the tenant than the one that is named, or no
    /// longer lists a ledger key of it.
    PolicyChanged = "POLICY_CHANGED", FailedPrecondition;
    /// The policy needs `OpenRound` before `Deal` (D11).
    OpenFirst = "OPEN_FIRST", FailedPrecondition;
    /// The ruleset is no longer open for new rounds.
    RulesetDisabled = "RULESET_DISABLED", FailedPrecondition;
    /// The operator has closed new rounds: all, or those of the tenant or its jurisdiction.
    NewRoundsDisabled = "NEW_ROUNDS_DISABLED", FailedPrecondition;
    /// A manifest that counts, the one that announced the epoch among them, does not list the tenant
    /// with this table.
    TableNotListed = "TABLE_NOT_LISTED", FailedPrecondition;
    /// The caller is not the tenant of the round, or not in the manifest.
    Tenant = "TENANT", PermissionDenied;
    /// The operator does not let the tenant play the ruleset.
    RulesetNotAllowed = "RULESET_NOT_ALLOWED", PermissionDenied;
    /// The operator does not let the tenant play in the currency.
    CurrencyNotAllowed = "CURRENCY_NOT_ALLOWED", PermissionDenied;
    /// This replica does not hold the epoch's secret or the receipt key.
    KeyNotLoaded = "KEY_NOT_LOADED", Unavailable;
    /// This replica has not loaded the manifest that the request names, or one that lists the
    /// key of the close of the round before.
    ManifestUnknown = "MANIFEST_UNKNOWN", Unavailable;
    /// The round belongs to another outcome engine.
    EngineNotHere = "ENGINE_NOT_HERE", Unavailable;
    /// The operating system gave no entropy for a ticket of the fresh suite.
    Entropy = "ENTROPY", Unavailable;
    /// This replica has not loaded the ruleset, which the manifest lists.
    RulesetNotLoaded = "RULESET_NOT_LOADED", Unavailable;
    /// The deck or seed recomputed is not the one committed to.
    DeckMismatch = "DECK_MISMATCH", Internal;
    /// Money did not add up.
    Conservation = "CONSERVATION", Internal;
}

/// One field of a request and what is wrong with it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// Where, by path in the request: `sheet.wagers[2].amount_minor`.
    pub field: String,
    /// What, as a lower-case sentence without a full stop. Never a secret.
    pub message: String,
}

/// A refusal: the reason, a sentence, and every field violation found.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub struct Refusal {
    /// The reason of the first violation; it decides the status code.
    pub reason: Reason,
    /// A lower-case sentence without a full stop. Never a secret or a hidden card.
    pub message: String,
    /// Every independent violation, in the order of the request's fields.
    pub violations: Vec<Violation>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.as_str(), self.message)
    }
}

impl Refusal {
    /// Makes a refusal that blames no field: a gate, a permission, an alarm.
    pub fn of(reason: Reason, message: impl Into<String>) -> Self {
        Self { reason, message: message.into(), violations: Vec::new() }
    }

    /// Makes a refusal that blames one field by its path.
    pub fn at(reason: Reason, field: impl Into<String>, message: impl Into<String>) -> Self {
        let message = message.into();
        Self {
            reason,
            violations: vec![Violation { field: field.into(), message: message.clone() }],
            message,
        }
    }

    /// Puts `prefix.` before the path of every violation: the request was nested.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        for violation in &mut self.violations {
            violation.field = if violation.field.is_empty() {
                prefix.to_owned()
            } else {
                format!("{prefix}.{}", violation.field)
            };
        }
        self
    }
}

/// Collects violations, so that a caller need not fix one field per round trip.
#[derive(Debug, Default)]
pub struct Refusals {
    first: Option<(Reason, String)>,
    violations: Vec<Violation>,
}

impl Refusals {
    /// Notes one violation.
    pub fn add(&mut self, reason: Reason, field: impl Into<String>, message: impl Into<String>) {
        let message = message.into();
        self.first.get_or_insert_with(|| (reason, message.clone()));
        self.violations.push(Violation { field: field.into(), message });
    }

    /// Notes all that another refusal holds.
    pub fn absorb(&mut self, refusal: Refusal) {
        self.first.get_or_insert((refusal.reason, refusal.message));
        self.violations.extend(refusal.violations);
    }

    /// Returns `value` if nothing was noted.
    ///
    /// # Errors
    ///
    /// One refusal with everything noted, its reason the first.
    pub fn finish<T>(self, value: T) -> Result<T, Refusal> {
        match self.first {
            None => Ok(value),
            Some((reason, message)) => {
                Err(Refusal { reason, message, violations: self.violations })
            }
        }
    }
}

#[cfg(test)]
mod tests;
