//! Why the engine refuses a request: a class, a reason for machines, the fields.

use std::collections::BTreeMap;
use std::fmt;

use paigow_fairness::manifest::ManifestChain;

/// The class of a refusal reason. Each class is one gRPC status code.
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
    /// The signature is not the beacon's of the round that the ticket names.
    BeaconSignature = "BEACON_SIGNATURE", InvalidArgument;
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
    /// The beacon's round is published too soon for wagers to be locked before it, or too late to
    /// settle the round.
    BeaconRound = "BEACON_ROUND", FailedPrecondition;
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
    /// The newest manifest no longer lists the ruleset: no new rounds of it.
    RulesetDisabled = "RULESET_DISABLED", FailedPrecondition;
    /// The operator has closed new rounds: of the engine, the ruleset, the tenant or its
    /// jurisdiction.
    ClosedToNewRounds = "CLOSED_TO_NEW_ROUNDS", FailedPrecondition;
    /// The operator has halted play: nothing is dealt. Rounds can be settled or voided.
    Halted = "HALTED", FailedPrecondition;
    /// A manifest that counts, the one that announced the epoch among them, does not list the tenant
    /// with this table.
    TableNotListed = "TABLE_NOT_LISTED", FailedPrecondition;
    /// The returns of the base wager cannot be counted under the terms of the ruleset.
    NotCounted = "NOT_COUNTED", FailedPrecondition;
    /// The caller is not the tenant of the round, or not in the manifest.
    Tenant = "TENANT", PermissionDenied;
    /// The operator does not let the tenant play the ruleset.
    RulesetNotAllowed = "RULESET_NOT_ALLOWED", PermissionDenied;
    /// The operator does not let the tenant play in the currency.
    CurrencyNotAllowed = "CURRENCY_NOT_ALLOWED", PermissionDenied;
    /// This replica does not hold the epoch's secret or the receipt key.
    KeyNotLoaded = "KEY_NOT_LOADED", Unavailable;
    /// The receipt key is in a key store that does not sign now.
    KeyStoreUnavailable = "KEY_STORE_UNAVAILABLE", Unavailable;
    /// No manifest of this replica is the one that the request names, and its sequence number is
    /// not above theirs.
    ManifestNotListed = "MANIFEST_NOT_LISTED", FailedPrecondition;
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

macro_rules! fact_keys {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// The key of a fact of a refusal in `ErrorInfo.metadata` (AIP-193).
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        pub enum FactKey {
            $($(#[$doc])* $name,)*
        }

        impl FactKey {
            /// Returns the key as it stands in `ErrorInfo.metadata`.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

fact_keys! {
    /// The hash of an action record.
    Action = "action";
    /// The id of a bet.
    Bet = "bet";
    /// From when on a gate is closed, in Unix seconds.
    ClosedAt = "closedAt";
    /// The code of a currency.
    Currency = "currency";
    /// The id of an outcome engine.
    Engine = "engine";
    /// The number of an epoch.
    Epoch = "epoch";
    /// The right value: a hash, a count or the kind of a record.
    Expected = "expected";
    /// The minor digits of a currency.
    Exponent = "exponent";
    /// The value in place of it.
    Found = "found";
    /// The hash of a lock record.
    Lock = "lock";
    /// The most that is taken.
    Maximum = "maximum";
    /// The least that is taken.
    Minimum = "minimum";
    /// The unit of which an amount has to be a multiple, in minor units.
    MultipleOf = "multipleOf";
    /// The hash of the newest manifest here.
    NewestManifest = "newestManifest";
    /// The sequence number of the newest manifest here.
    NewestManifestSequence = "newestManifestSequence";
    /// From when on a gate is open, in Unix seconds.
    OpensAt = "opensAt";
    /// The content hash of a ruleset.
    Ruleset = "ruleset";
    /// The scope of a switch: `engine`, `ruleset`, `tenant` or `jurisdiction`.
    Scope = "scope";
    /// The number of a seat.
    Seat = "seat";
}

/// The facts of a refusal, for programs: what its sentence says. Never a secret.
pub type Facts = BTreeMap<FactKey, String>;

/// One field of a request and what is wrong with it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// Why.
    pub reason: Reason,
    /// Where, by path in the request: `sheet.wagers[2].amount_minor`.
    pub field: String,
    /// What, as a lower-case sentence without a full stop. Never a secret.
    pub message: String,
}

/// A refusal: the reason, a sentence, its facts, and every field violation found.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
pub struct Refusal {
    /// The reason of the first violation; it decides the status code.
    pub reason: Reason,
    /// A lower-case sentence without a full stop. Never a secret or a hidden card.
    pub message: String,
    /// The facts of the sentence, by key.
    pub facts: Facts,
    /// Every independent violation, in the order of the request's fields.
    pub violations: Vec<Violation>,
    /// The facts of an alarm for the operator, by name. A caller does not get them. Hashes, key ids
    /// and words: never a secret or a card.
    pub alarm: BTreeMap<&'static str, String>,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.reason.as_str(), self.message)
    }
}

impl Refusal {
    /// Makes a refusal that blames no field: a gate, a permission, an alarm.
    pub fn of(reason: Reason, message: impl Into<String>) -> Self {
        Self {
            reason,
            message: message.into(),
            facts: Facts::new(),
            violations: Vec::new(),
            alarm: BTreeMap::new(),
        }
    }

    /// Makes a refusal that blames one field by its path.
    pub fn at(reason: Reason, field: impl Into<String>, message: impl Into<String>) -> Self {
        let message = message.into();
        let violation = Violation { reason, field: field.into(), message: message.clone() };
        Self { violations: vec![violation], ..Self::of(reason, message) }
    }

    /// Adds a fact.
    #[must_use]
    pub fn with(mut self, key: FactKey, value: impl ToString) -> Self {
        self.facts.insert(key, value.to_string());
        self
    }

    /// Adds a fact, if there is one.
    #[must_use]
    pub fn with_some(self, key: FactKey, value: Option<impl ToString>) -> Self {
        match value {
            Some(value) => self.with(key, value),
            None => self,
        }
    }

    /// Adds a fact for the operator alone.
    #[must_use]
    pub fn with_alarm(mut self, name: &'static str, value: impl ToString) -> Self {
        self.alarm.insert(name, value.to_string());
        self
    }

    /// Adds the least and the most that is taken.
    #[must_use]
    pub fn within(self, minimum: impl ToString, maximum: impl ToString) -> Self {
        self.with(FactKey::Minimum, minimum).with(FactKey::Maximum, maximum)
    }

    /// Names the newest manifest, which a caller with an older one has to read.
    #[must_use]
    pub fn with_newest(self, manifests: &ManifestChain) -> Self {
        let newest = manifests.newest();
        self.with(FactKey::NewestManifest, newest.hash)
            .with(FactKey::NewestManifestSequence, newest.manifest.seq)
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
    first: Option<Refusal>,
    violations: Vec<Violation>,
}

impl Refusals {
    /// Notes one violation.
    pub fn add(&mut self, reason: Reason, field: impl Into<String>, message: impl Into<String>) {
        self.absorb(Refusal::at(reason, field, message));
    }

    /// Notes all that another refusal holds.
    pub fn absorb(&mut self, mut refusal: Refusal) {
        self.violations.append(&mut refusal.violations);
        self.first.get_or_insert(refusal);
    }

    /// Returns `value` if nothing was noted.
    ///
    /// # Errors
    ///
    /// One refusal with everything noted, its reason and facts those of the first.
    pub fn finish<T>(self, value: T) -> Result<T, Refusal> {
        match self.first {
            None => Ok(value),
            Some(first) => Err(Refusal { violations: self.violations, ..first }),
        }
    }
}

#[cfg(test)]
mod tests;
