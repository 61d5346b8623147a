//! The report of an audit: named checks in one order, and a verdict (D6).

use std::fmt::Display;

use super::claims::ClaimFinding;
use super::standing::VerdictReason;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::secret::RoundSeed;
use paigow_rules::cards::{Card, Hand, Seat};
use paigow_rules::game::Settlement;

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// A check of an audit, in the order in which they are made.
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd, serde::Deserialize, serde::Serialize)]
        pub enum CheckCode {
            $($(#[$doc])* #[serde(rename = $text)] $name,)*
        }

        impl CheckCode {
            /// Every check, in order.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the name of the check.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

codes! {
    /// JSON Lines, strict base64, known kinds, their order, each at most once a round.
    Format = "FORMAT";
    /// Payloads are canonical JSON of their kind.
    Canonical = "CANONICAL";
    /// Enough root keys have signed the manifests; `seq` and `prev` link them.
    ManifestSig = "MANIFEST_SIG";
    /// The chain of manifests keeps the rules by which a server loads it.
    ManifestRules = "MANIFEST_RULES";
    /// The ticket's manifest is in the file and lists epoch, tenant, ruleset, engine.
    ManifestLink = "MANIFEST_LINK";
    /// Each record is signed by a key of its role; empty only where the policy allows.
    Signatures = "SIGNATURES";
    /// Records link to one another.
    Chain = "CHAIN";
    /// Everything that the tenant's policy demands is present.
    Policy = "POLICY";
    /// The round's id is that of its coordinates.
    RoundId = "ROUND_ID";
    /// The ticket follows the close of the round before, or the manifest.
    Genesis = "GENESIS";
    /// Client seeds open the commitments of the ticket.
    ClientCommit = "CLIENT_COMMIT";
    /// The final lock covers exactly the actions.
    LockCoversActions = "LOCK_COVERS_ACTIONS";
    /// Each lock supersedes exactly the spent locks before it.
    Supersedes = "SUPERSEDES";
    /// The server seed opens the ticket's commitment.
    Commit = "COMMIT";
    /// Round seed, deck and dice follow from the seeds.
    Replay = "REPLAY";
    /// The deal's commitment is to this deck.
    DeckCommit = "DECK_COMMIT";
    /// The cards shown are those that the deck deals.
    CardsShown = "CARDS_SHOWN";
    /// The dealer's hand that the deal shows is set by the house way, and shown only where the
    /// ruleset exposes it.
    DealerShown = "DEALER_SHOWN";
    /// Fees, settings, lines and money follow from the rules.
    Results = "RESULTS";
    /// The deal has the beacon's signature of the round that the ticket names.
    Beacon = "BEACON";
    /// The revealed epoch secret opens the manifest's commitment.
    EpochCommit = "EPOCH_COMMIT";
    /// The epoch's salt is what its source gives.
    EpochSalt = "EPOCH_SALT";
    /// The salt was published after the commitment.
    SaltAfterCommit = "SALT_AFTER_COMMIT";
    /// The proof of the server seed verifies under the epoch's key (vrf suite).
    SeedProof = "SEED_PROOF";
    /// The server seed is the one derived from the epoch's secret (derived suite).
    SeedWasNotChosen = "SEED_WAS_NOT_CHOSEN";
    /// The table was listed before the salt was known.
    PlaceListed = "PLACE_LISTED";
    /// The deck has a seed of the caller's seat that no other round has.
    PlaceNotChosen = "PLACE_NOT_CHOSEN";
    /// The public log has the ticket, the wagers and the close, and a pinned witness has signed for it.
    Logged = "LOGGED";
    /// A pinned witness dated the wagers before the beacon's round was published.
    LockedBeforeBeacon = "LOCKED_BEFORE_BEACON";
    /// The file has every round that the public close of the epoch counts.
    EpochClose = "EPOCH_CLOSE";
    /// No two different records of one class for one round.
    NoFork = "NO_FORK";
}

/// How a check ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
pub enum CheckStatus {
    /// As it has to be.
    Passed,
    /// Not as it has to be.
    Failed,
    /// Its inputs are missing or were refused by an earlier check.
    Skipped,
}

impl CheckStatus {
    /// Returns the word of the status.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Passed => "passed",
            Self::Failed => "failed",
            Self::Skipped => "skipped",
        }
    }
}

/// One check, over the whole call.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct AuditCheck {
    /// Which.
    pub code: CheckCode,
    /// The result: failed if it failed anywhere, else skipped if it was skipped anywhere.
    pub status: CheckStatus,
    /// The value that the records should have; empty if there is nothing to quote.
    pub expected: String,
    /// The value that they have, or the reason why the check was skipped.
    pub found: String,
    /// The place, as `round 2, line 9`; empty for the whole transcript.
    pub place: String,
}

/// The result of an audit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum AuditVerdict {
    /// Everything was recomputed and is as recorded.
    Match,
    /// A check failed.
    Mismatch,
    /// No check failed, but the file lacks a record or a rule file that it implies.
    Incomplete,
    /// All that can be computed agrees, but the secret of an epoch is not in the file.
    Pending,
}

impl AuditVerdict {
    /// Returns the word of the verdict.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Match => "match",
            Self::Mismatch => "mismatch",
            Self::Incomplete => "incomplete",
            Self::Pending => "pending",
        }
    }
}

/// A round recomputed from its seed. Its `Debug` prints no seed and no card.
#[derive(Clone)]
pub struct ReplayedRound {
    /// The seed.
    pub round_seed: RoundSeed,
    /// The deck.
    pub deck: Vec<Card>,
    /// The dice, where the ruleset has them.
    pub dice: Option<[u8; 3]>,
    /// The cards of position 0, in dealt order; empty if the rules are not loaded.
    pub dealer: Hand,
    /// The wins and losses, if they could be recomputed.
    pub settlement: Option<Settlement>,
}

impl std::fmt::Debug for ReplayedRound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Replayed").finish_non_exhaustive()
    }
}

/// How a round ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
pub enum RoundEnding {
    /// Settled.
    Settled,
    /// Void.
    Void,
}

/// A round of a transcript.
#[derive(Clone, Debug)]
pub struct RoundReport {
    /// Its public id.
    pub round_id: Hash,
    /// Its table.
    pub table: Identifier,
    /// Its number.
    pub round_no: u64,
    /// How it ended, if it did.
    pub ending: Option<RoundEnding>,
    /// The round as it was recomputed.
    pub replayed: Option<ReplayedRound>,
    /// The reason for its verdict.
    pub reason: VerdictReason,
    /// Every check, in order, with its finding about the file as a whole.
    pub checks: Vec<AuditCheck>,
    /// The claims that apply to it.
    pub claims: Vec<ClaimFinding>,
}

impl RoundReport {
    /// Returns the verdict of the round.
    #[must_use]
    pub const fn verdict(&self) -> AuditVerdict {
        self.reason.verdict()
    }
}

/// The findings of an audit.
#[derive(Clone, Debug)]
pub struct AuditReport {
    /// The reason for its verdict.
    pub reason: VerdictReason,
    /// The number of the round that the reason is about, from 1; [`None`]: the whole file.
    pub round: Option<usize>,
    /// Every check, in order.
    pub checks: Vec<AuditCheck>,
    /// Every claim, in the order of the data file.
    pub claims: Vec<ClaimFinding>,
    /// The rounds, in the order of the transcript.
    pub rounds: Vec<RoundReport>,
}

impl AuditReport {
    /// Returns the verdict of the audit.
    #[must_use]
    pub const fn verdict(&self) -> AuditVerdict {
        self.reason.verdict()
    }

    /// Returns the code of the first failed check.
    #[must_use]
    pub fn code(&self) -> Option<CheckCode> {
        first_failed(&self.checks)
    }

    /// Returns the sentence that follows the verdict.
    #[must_use]
    pub fn because(&self) -> String {
        match self.round {
            Some(number) => format!("round {number}: {}", self.reason),
            None => self.reason.to_string(),
        }
    }
}

/// Returns the code of the first failed check.
#[must_use]
pub fn first_failed(checks: &[AuditCheck]) -> Option<CheckCode> {
    checks.iter().find(|check| check.status == CheckStatus::Failed).map(|check| check.code)
}

/// The finding of one check in one place.
#[derive(Clone, Debug)]
pub(super) enum Finding {
    Passed,
    Skipped(String),
    Failed(CheckFailure),
}

/// A failed check.
#[derive(Clone, Debug)]
pub(super) struct CheckFailure {
    pub(super) expected: String,
    pub(super) found: String,
    /// The line of the record that is to blame, and refused from here on.
    pub(super) line: Option<usize>,
}

impl Finding {
    pub(super) fn skipped(why: impl Into<String>) -> Self {
        Self::Skipped(why.into())
    }

    pub(super) fn failed(
        line: usize,
        expected: impl Into<String>,
        found: impl Into<String>,
    ) -> Self {
        Self::Failed(CheckFailure {
            expected: expected.into(),
            found: found.into(),
            line: Some(line),
        })
    }

    /// Passes if two values are equal, and otherwise blames `line`.
    pub(super) fn equal<T: PartialEq + Display>(
        line: usize,
        expected: &T,
        found: &T,
        what: &str,
    ) -> Self {
        Self::equal_as(line, expected, found, what, T::to_string)
    }

    /// The same for values without a text of their own: `said` makes the text if they differ.
    pub(super) fn equal_as<T: PartialEq>(
        line: usize,
        expected: &T,
        found: &T,
        what: &str,
        said: impl Fn(&T) -> String,
    ) -> Self {
        if expected == found {
            Self::Passed
        } else {
            Self::failed(line, format!("{what} {}", said(expected)), said(found))
        }
    }

    /// Makes a check whose inputs may be missing. It is then skipped for the given reason.
    pub(super) fn or_skip(check: impl FnOnce() -> Result<Self, Self>) -> Self {
        check().unwrap_or_else(|skipped| skipped)
    }

    /// Returns the rank of the finding: the lower, the worse.
    const fn rank(&self) -> u8 {
        match self {
            Self::Failed(_) => 0,
            Self::Skipped(_) => 1,
            Self::Passed => 2,
        }
    }

    /// Returns `self` if it failed. Otherwise returns the finding of `next` if that failed, and
    /// else `self`.
    pub(super) fn unless_failed(self, next: impl FnOnce() -> Option<Self>) -> Self {
        match self {
            Self::Failed(_) => self,
            Self::Passed | Self::Skipped(_) => next().unwrap_or(self),
        }
    }

    /// Returns `self` unless it passed. Otherwise returns the finding of `next`.
    pub(super) fn and(self, next: impl FnOnce() -> Self) -> Self {
        match self {
            Self::Passed => next(),
            Self::Skipped(_) | Self::Failed(_) => self,
        }
    }
}

/// Returns a list in the form of a finding.
pub(super) fn joined(items: impl IntoIterator<Item: Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    if items.is_empty() { "none".to_owned() } else { items.join(", ") }
}

/// Returns amounts by seat, in minor units, in the form of a finding. Position 0 is seat 0.
pub(super) fn amounts<'a>(amounts: impl IntoIterator<Item = (Seat, &'a i64)>) -> String {
    joined(amounts.into_iter().map(|(seat, amount)| format!("seat {seat} {amount}")))
}

/// Collects findings into the report's checks.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// Those of the file as a whole.
    file: Vec<(CheckCode, Finding)>,
    /// Those of each round.
    rounds: Vec<Vec<(CheckCode, Finding)>>,
}

impl Findings {
    /// Notes the finding of a check about the file as a whole.
    pub(super) fn note(&mut self, code: CheckCode, finding: Finding) {
        self.file.push((code, finding));
    }

    /// Notes the finding of a check about a round, counted from 0.
    pub(super) fn note_in(&mut self, round: usize, code: CheckCode, finding: Finding) {
        if self.rounds.len() <= round {
            self.rounds.resize_with(round + 1, Vec::new);
        }
        self.rounds[round].push((code, finding));
    }

    /// Returns the findings about the file as a whole, in order.
    pub(super) fn into_file(self) -> impl Iterator<Item = (CheckCode, Finding)> {
        self.file.into_iter()
    }

    /// Keeps only the worst finding of each check in the file as a whole.
    pub(super) fn close_file(&mut self) {
        let mut worst: Vec<(CheckCode, Finding)> = Vec::new();
        for (code, finding) in std::mem::take(&mut self.file) {
            match worst.iter_mut().find(|(of, _)| *of == code) {
                None => worst.push((code, finding)),
                Some((_, held)) if finding.rank() < held.rank() => *held = finding,
                Some(_) => {}
            }
        }
        self.file = worst;
    }

    /// Returns every check over the file and all its rounds.
    pub(super) fn checks(&self) -> Vec<AuditCheck> {
        let rounds = || (0..).zip(&self.rounds).map(|(i, found)| (Some(i), found));
        let all = || [(None, &self.file)].into_iter().chain(rounds());
        CheckCode::ALL.iter().map(|code| check(*code, all())).collect()
    }

    /// Returns every check over the file as a whole and one of its rounds, counted from 0.
    pub(super) fn checks_in(&self, round: usize) -> Vec<AuditCheck> {
        let own = self.rounds.get(round).map(|found| (Some(round), found));
        let all = || [(None, &self.file)].into_iter().chain(own);
        CheckCode::ALL.iter().map(|code| check(*code, all())).collect()
    }
}

/// Returns the worst finding of a check, the first of equals.
fn check<'f>(
    code: CheckCode,
    all: impl Iterator<Item = (Option<usize>, &'f Vec<(CheckCode, Finding)>)>,
) -> AuditCheck {
    let found = all.flat_map(|(round, found)| found.iter().map(move |(of, f)| (*of, round, f)));
    let mine = found.filter(|(of, ..)| *of == code);
    let worst = mine.min_by_key(|(_, _, finding)| finding.rank());
    let place = |round: Option<usize>, line: Option<usize>| {
        let round = round.map(|round| format!("round {}", round + 1));
        let line = line.map(|line| format!("line {line}"));
        round.into_iter().chain(line).collect::<Vec<_>>().join(", ")
    };
    let (status, expected, found, place) = match worst {
        None => {
            let why = "nothing to check".to_owned();
            (CheckStatus::Skipped, String::new(), why, String::new())
        }
        Some((_, _, Finding::Passed)) => {
            (CheckStatus::Passed, String::new(), String::new(), String::new())
        }
        Some((_, round, Finding::Skipped(why))) => {
            (CheckStatus::Skipped, String::new(), why.clone(), place(round, None))
        }
        Some((_, round, Finding::Failed(failure))) => (
            CheckStatus::Failed,
            failure.expected.clone(),
            failure.found.clone(),
            place(round, failure.line),
        ),
    };
    AuditCheck { code, status, expected, found, place }
}

/// Returns the status of a check, and its finding.
pub(super) fn standing_of(checks: &[AuditCheck]) -> impl Fn(CheckCode) -> (CheckStatus, String) {
    |code| {
        let check = checks.iter().find(|check| check.code == code);
        check.map_or((CheckStatus::Skipped, "not made".to_owned()), |check| {
            (check.status, check.found.clone())
        })
    }
}
