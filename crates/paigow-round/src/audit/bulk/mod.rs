//! Rounds audited one by one, for runs over more of them than fit in memory.
//!
//! An [`Auditor`] makes all checks of a round that need no other round, and may be shared
//! by threads; a [`Window`] then takes the rounds in the order of the input and makes the
//! two checks that look at other rounds, `GENESIS` and `NO_FORK`, back over the last
//! [`Window::ROUNDS`] of them.
//!
//! Beside the audit of one file: a line that is no record or stands out of its place
//! refuses its own round and no other; what stands further back than the window, or only
//! comes later, is not seen, and `GENESIS` is skipped for it. Every other check is the same
//! function on the same records.

mod window;

pub use window::Window;

use super::file::{self, File, Line};
use super::links::NO_ROUND_BEFORE;
use super::report::{Code, Ending, Failure, Finding, Findings, Status, Verdict};
use super::round::{Close, RoundAudit};
use super::{Context, context, forks, links, order};
use crate::Catalogue;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Root;
use paigow_fairness::record::Envelope;
use paigow_fairness::seed::Coordinates;

/// What one check found in one place.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Found {
    /// Which.
    pub code: Code,
    /// How it ended.
    pub status: Status,
    /// What the records had to say; empty where there is nothing to quote.
    pub expected: String,
    /// What they do say, or why the check was skipped; empty where it passed.
    pub found: String,
    /// The number of the line to blame.
    pub line: Option<usize>,
}

impl Found {
    fn of(code: Code, finding: Finding) -> Self {
        let (status, expected, found, line) = match finding {
            Finding::Passed => (Status::Passed, String::new(), String::new(), None),
            Finding::Skipped(why) => (Status::Skipped, String::new(), why, None),
            Finding::Failed(Failure { expected, found, line }) => {
                (Status::Failed, expected, found, line)
            }
        };
        Self { code, status, expected, found, line }
    }
}

/// What an audit found in one round.
#[derive(Clone, Debug)]
pub struct RoundFound {
    /// The id that its ticket states; nothing where the ticket cannot be read.
    pub round_id: Option<Hash>,
    /// How it ended, if it did.
    pub ending: Option<Ending>,
    /// What each check found, in order, `NO_FORK` last.
    pub found: Vec<Found>,
    seen: Option<Seen>,
}

impl RoundFound {
    /// Returns what the checks of the round come to.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        if self.found.iter().any(|one| one.status == Status::Failed) {
            return Verdict::Mismatch;
        }
        let passed = |one: &Found| one.code == Code::Results && one.status == Status::Passed;
        if self.ending.is_some() && self.found.iter().any(passed) {
            Verdict::Match
        } else {
            Verdict::Incomplete
        }
    }

    /// A round that `FORMAT` refuses.
    fn refused(failed: Finding) -> Self {
        let skipped =
            |code: &Code| Found::of(*code, Finding::skipped("the round was refused by FORMAT"));
        let of_rounds = Code::ALL[1..].iter().filter(|code| **code != Code::ManifestSig);
        let found = [Found::of(Code::Format, failed)].into_iter().chain(of_rounds.map(skipped));
        Self { round_id: None, ending: None, found: found.collect(), seen: None }
    }
}

/// What other rounds are held against.
#[derive(Clone, Debug)]
struct Seen {
    ticket: Hash,
    /// Whether the ticket is the only record of the round.
    is_alone: bool,
    coordinates: Coordinates,
    /// The record of each class that counts, with its line.
    records: [Option<(usize, Hash)>; 5],
    close: Option<Hash>,
    /// The close that the ticket says it follows, where it waits to be found.
    follows: Option<Hash>,
}

/// Audits single rounds against manifests and reveals that are read once.
pub struct Auditor<'a> {
    context: Context<'a>,
    found: Vec<Found>,
}

impl std::fmt::Debug for Auditor<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Auditor({} manifests)", self.context.manifests.len())
    }
}

impl<'a> Auditor<'a> {
    /// Reads manifests and reveals, each with the number of its line, and verifies the
    /// chain; records of other kinds are passed over.
    ///
    /// `root` is the only thing trusted. A manifest counts for the rounds whose tickets
    /// have a higher number, a reveal for all rounds.
    #[must_use]
    pub fn new(records: Vec<(usize, Envelope)>, root: &Root, catalogue: &'a Catalogue) -> Self {
        let mut file = File::default();
        for (number, envelope) in records {
            // Records of rounds have no ticket here and are refused.
            drop(file.add(Line { number, hash: envelope.hash(), envelope }));
        }
        let mut findings = Findings::default();
        let context = context(&|| true, &file, root, catalogue, &mut findings);
        let found = findings.into_all().map(|(code, finding)| Found::of(code, finding)).collect();
        Self { context, found }
    }

    /// Returns what the checks of the manifests and reveals themselves found.
    #[must_use]
    pub fn found(&self) -> &[Found] {
        &self.found
    }

    /// Makes every check of a round that needs no other round. `lines` are its records,
    /// each with its number, and without the line's end; the numbers rise over the whole
    /// input.
    #[must_use]
    pub fn round(&self, lines: &[(usize, &[u8])]) -> RoundFound {
        self.round_after(lines, &[])
    }

    /// The same, given closes of other rounds.
    fn round_after(&self, lines: &[(usize, &[u8])], closes: &[Close]) -> RoundFound {
        let lines = match file::read_round(lines) {
            Ok(lines) => lines,
            Err(failed) => return RoundFound::refused(failed),
        };
        let mut found = vec![Found::of(Code::Format, Finding::Passed)];
        let mut round = RoundAudit::new(&lines, &self.context);
        found.push(Found::of(Code::Canonical, round.read_payloads()));
        order::run(&mut round, closes, &mut |code, finding| found.push(Found::of(code, finding)));
        let waits =
            found.iter().any(|one| one.code == Code::Genesis && one.found == NO_ROUND_BEFORE);
        let counted = forks::counted(&round);
        let seen = round.ticket.as_ref().map(|ticket| Seen {
            ticket: lines.ticket.hash,
            is_alone: lines.all().count() == 1,
            coordinates: ticket.coordinates.clone(),
            records: counted.map(|line| line.map(|line| (line.number, line.hash))),
            close: lines.settle.as_ref().map(|line| line.hash),
            follows: waits.then_some(ticket.prev),
        });
        let report = round.into_report();
        RoundFound {
            round_id: report.as_ref().map(|report| report.round_id),
            ending: report.and_then(|report| report.ending),
            found,
            seen,
        }
    }
}
