//! Rounds audited one by one, for runs over more of them than fit in memory.
//!
//! An [`Auditor`] makes all checks of a round that need no other round, and threads can share it. A
//! [`RoundWindow`] then takes the rounds in the order of the input. It makes the two checks that
//! need other rounds, `GENESIS` and `NO_FORK`, back over the last [`RoundWindow::ROUNDS`] of them.
//!
//! The differences to the audit of one file:
//!
//! - A line that is not a record, or is out of its place, refuses its own round and no other.
//! - A record further back than the window, or one that comes only later, is not seen. `GENESIS` is
//!   skipped for it.
//! - Proofs of the public log are ignored: `LOGGED` and every check that needs a time are skipped.
//!
//! Every other check is the same function on the same records.

mod trees;
mod window;

pub use window::{RoundWindow, UnclosedRounds};

use super::budget::{AuditBudget, AuditEffort};
use super::claims::{self, CLAIMS, ClaimFinding};
use super::file::{self, TranscriptFile, TranscriptLine};
use super::forks::Telling;
use super::links::NO_ROUND_BEFORE;
use super::order::OtherRounds;
use super::report::{CheckCode, CheckFailure, CheckStatus, Finding, Findings, RoundEnding};
use super::round::{RoundAudit, RoundClose};
use super::standing::{RoundStanding, TellingClose, VerdictReason};
use super::terms::AuditTerms;
use super::{AuditContext, closes, context, links, order};
use crate::Catalogue;
use crate::record::LeafRecord;
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::seed::Coordinates;

/// The finding of one check in one place.
#[derive(Clone, Debug, Eq, PartialEq, serde::Deserialize, serde::Serialize)]
pub struct BulkFinding {
    /// Which.
    pub code: CheckCode,
    /// How it ended.
    pub status: CheckStatus,
    /// The value that the records should have; empty if there is nothing to quote.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub expected: String,
    /// The value that they have, or the reason why the check was skipped; empty if it passed.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub found: String,
    /// The number of the line to blame.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
}

impl BulkFinding {
    fn of(code: CheckCode, finding: Finding) -> Self {
        let (status, expected, found, line) = match finding {
            Finding::Passed => (CheckStatus::Passed, String::new(), String::new(), None),
            Finding::Skipped(why) => (CheckStatus::Skipped, String::new(), why, None),
            Finding::Failed(CheckFailure { expected, found, line }) => {
                (CheckStatus::Failed, expected, found, line)
            }
        };
        Self { code, status, expected, found, line }
    }

    /// Returns the rank of the finding: the lower, the worse.
    const fn rank(&self) -> u8 {
        match self.status {
            CheckStatus::Failed => 0,
            CheckStatus::Skipped => 1,
            CheckStatus::Passed => 2,
        }
    }
}

/// The findings of an audit in one round.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
pub struct RoundFindings {
    /// The id that its ticket states; [`None`] if the ticket cannot be read.
    pub round_id: Option<Hash>,
    /// How it ended, if it did.
    pub ending: Option<RoundEnding>,
    /// The finding of each check, in order, `NO_FORK` last.
    pub found: Vec<BulkFinding>,
    standing: Option<RoundStanding>,
    seen: Option<EarlierRounds>,
}

/// The verdict of a round, with its reason, and its claims.
#[derive(Clone, Debug)]
pub struct RoundConclusion {
    /// The reason for its verdict.
    pub reason: VerdictReason,
    /// The claims that apply to it. It is not known yet whether all rounds of its table are in the
    /// input.
    pub claims: Vec<ClaimFinding>,
    /// Whether `EPOCH_CLOSE` waits for the last round of the input.
    pub waits_for_tree: bool,
}

impl RoundFindings {
    /// A round that `FORMAT` refuses.
    fn refused(failed: Finding) -> Self {
        let skipped = |code: &CheckCode| {
            BulkFinding::of(*code, Finding::skipped("the round was refused by FORMAT"))
        };
        let of_manifests = [CheckCode::ManifestSig, CheckCode::ManifestRules];
        let of_rounds = CheckCode::ALL[1..].iter().filter(|code| !of_manifests.contains(code));
        let found =
            [BulkFinding::of(CheckCode::Format, failed)].into_iter().chain(of_rounds.map(skipped));
        Self { round_id: None, ending: None, found: found.collect(), standing: None, seen: None }
    }
}

/// The facts of a round that later rounds are compared with.
#[derive(Clone, Debug, serde::Deserialize, serde::Serialize)]
struct EarlierRounds {
    ticket: Hash,
    /// Whether the ticket is the only record of the round.
    is_alone: bool,
    coordinates: Coordinates,
    /// The records of its round.
    telling: Telling,
    /// Its records as a leaf has them, if a close of its epoch counts.
    leaf: Vec<LeafRecord>,
    close: Option<Hash>,
    /// The close that the ticket says it follows, until the auditor finds it.
    follows: Option<Hash>,
}

/// Audits single rounds against manifests and reveals that are read once.
pub struct Auditor<'a> {
    context: AuditContext<'a>,
    found: Vec<BulkFinding>,
}

impl std::fmt::Debug for Auditor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Auditor({} manifests)", self.context.manifests.len())
    }
}

impl<'a> Auditor<'a> {
    /// Reads manifests and reveals, each with the number of its line, and verifies the chain. Skips
    /// records of other kinds.
    ///
    /// Only the roots and keys in `terms` are trusted. A manifest counts for the rounds whose
    /// tickets have a higher number, a reveal for all rounds.
    #[must_use]
    pub fn new(
        records: Vec<(usize, RecordEnvelope)>,
        terms: &'a AuditTerms,
        catalogue: &'a Catalogue,
    ) -> Self {
        let mut file = TranscriptFile::default();
        for (number, envelope) in records {
            // A record of a round has no ticket here and is refused.
            drop(file.add(TranscriptLine { number, hash: envelope.hash(), envelope }));
        }
        // They concern records of rounds, which are not known here.
        file.log_proofs.clear();
        let mut findings = Findings::default();
        let effort = AuditEffort::new(&|| true, AuditBudget::UNLIMITED);
        let context = context(effort, &file, terms, catalogue, &mut findings);
        let found =
            findings.into_file().map(|(code, finding)| BulkFinding::of(code, finding)).collect();
        Self { context, found }
    }

    /// Returns the findings about the manifests and reveals themselves.
    #[must_use]
    pub fn found(&self) -> &[BulkFinding] {
        &self.found
    }

    /// Makes every check of a round that needs no other round.
    ///
    /// `lines` are its records, each with its number, and without the line end. The numbers rise
    /// over the whole input.
    #[must_use]
    pub fn round(&self, lines: &[(usize, &[u8])]) -> RoundFindings {
        self.round_after(lines, Vec::new())
    }

    /// Returns the verdict of a round, with the findings about manifests and reveals.
    #[must_use]
    pub fn conclusion(&self, round: &RoundFindings) -> RoundConclusion {
        let check = |code: CheckCode| {
            let all = self.found.iter().chain(&round.found).filter(|one| one.code == code);
            let worst = all.min_by_key(|one| one.rank());
            worst.map_or((CheckStatus::Skipped, "not made".to_owned()), |one| {
                // Only the last round shows whether every round is present.
                let waits = one.found == closes::ONE_BY_ONE;
                let status = if waits { CheckStatus::Passed } else { one.status };
                (status, one.found.clone())
            })
        };
        let Some(standing) = &round.standing else {
            let reason = VerdictReason::Failed(CheckCode::Format);
            let claims = claims::none_shown("refused by FORMAT");
            return RoundConclusion { reason, claims, waits_for_tree: false };
        };
        // A round without a close here may have one elsewhere. The window knows at the end of the
        // input.
        let mut standing = standing.clone();
        if standing.close == TellingClose::Missing {
            standing.close = TellingClose::Elsewhere;
        }
        let claim = |claim| claims::weigh(claim, &standing, &Ok(()), &check);
        RoundConclusion {
            reason: standing.reason(&check),
            claims: CLAIMS.iter().filter_map(claim).collect(),
            waits_for_tree: round.found.iter().any(|one| one.found == closes::ONE_BY_ONE),
        }
    }

    /// Returns the records of a round as a leaf has them, if a close of its epoch counts.
    fn leaf(&self, round: &RoundAudit<'_>, place: &Coordinates) -> Vec<LeafRecord> {
        let is_closed = closes::close_of(&self.context, place.epoch, &place.tenant).is_some();
        if !is_closed || !round.is_readable {
            return Vec::new();
        }
        round.lines.all().filter_map(|line| LeafRecord::of(&line.envelope)).collect()
    }

    /// The same, with the closes of other rounds.
    fn round_after(&self, lines: &[(usize, &[u8])], closes: Vec<RoundClose>) -> RoundFindings {
        let lines = match file::read_round(lines) {
            Ok(lines) => lines,
            Err(failed) => return RoundFindings::refused(failed),
        };
        let mut found = vec![BulkFinding::of(CheckCode::Format, Finding::Passed)];
        let mut round = RoundAudit::new(&lines, &self.context);
        found.push(BulkFinding::of(CheckCode::Canonical, round.read_payloads()));
        let others = OtherRounds { closes, ..OtherRounds::default() };
        order::run(&mut round, &others, &mut |code, finding| {
            found.push(BulkFinding::of(code, finding))
        });
        let waits =
            found.iter().any(|one| one.code == CheckCode::Genesis && one.found == NO_ROUND_BEFORE);
        let telling = Telling::of(&round);
        let seen = round.ticket.as_ref().zip(telling).map(|(ticket, telling)| EarlierRounds {
            ticket: lines.ticket.hash,
            is_alone: lines.all().count() == 1,
            coordinates: ticket.coordinates.clone(),
            telling,
            leaf: self.leaf(&round, &ticket.coordinates),
            close: lines.settle.as_ref().map(|line| line.hash),
            follows: waits.then_some(ticket.prev),
        });
        RoundFindings {
            round_id: round.ticket.as_ref().map(|ticket| ticket.round_id),
            ending: round.ending(),
            standing: Some(RoundStanding::of(&round)),
            found,
            seen,
        }
    }
}
