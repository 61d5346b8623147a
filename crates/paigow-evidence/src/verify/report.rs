//! The findings of a verification.

use std::sync::Arc;

use super::place::LinePlace;
use super::rounds::{Fork, MissingRecord, OpenTicket, Reopening};
use crate::line::ChainHead;

/// The kind of a fault.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum EvidenceFaultKind {
    /// Lines are missing.
    Gap,
    /// Lines are missing, and the boot itself reports that their file was lost.
    Lost,
    /// A second line with a number that occurred before.
    Duplicate,
    /// A line is behind one that follows it.
    Reordered,
    /// A line is not the one that its neighbours were chained to.
    Altered,
    /// A line cannot be read.
    Unreadable,
    /// A line follows the one that ends the boot, or a boot begins twice.
    Misplaced,
    /// The last lines of a boot are missing, but a later boot or an earlier report knows them.
    TailDropped,
    /// A boot that a later one names is missing, with all its lines.
    BootMissing,
    /// A line holds a record that is not of its round.
    Record,
}

impl EvidenceFaultKind {
    /// Every kind.
    pub const ALL: [Self; 10] = [
        Self::Gap,
        Self::Lost,
        Self::Duplicate,
        Self::Reordered,
        Self::Altered,
        Self::Unreadable,
        Self::Misplaced,
        Self::TailDropped,
        Self::BootMissing,
        Self::Record,
    ];

    /// Returns the name in reports: `tail_dropped`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Gap => "gap",
            Self::Lost => "lost",
            Self::Duplicate => "duplicate",
            Self::Reordered => "reordered",
            Self::Altered => "altered",
            Self::Unreadable => "unreadable",
            Self::Misplaced => "misplaced",
            Self::TailDropped => "tail_dropped",
            Self::BootMissing => "boot_missing",
            Self::Record => "record",
        }
    }
}

/// Damage.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EvidenceFault {
    /// The kind of the fault.
    pub kind: EvidenceFaultKind,
    /// The line that shows it; for missing lines the one after them.
    pub place: Option<LinePlace>,
    /// The boot, as far as is known.
    pub boot: Option<String>,
    /// The number of the line that is at fault or missing first, as far as is known.
    pub seq: Option<u64>,
    /// A description in words.
    pub what: String,
}

/// A file that a boot has lost while it wrote to it, as the boot reports.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ToldLoss {
    /// The boot.
    pub boot: String,
    /// The file's name.
    pub file: String,
    /// The difference that the boot found: `deleted`, `moved`, `replaced`, `truncated` or `extended`.
    pub found: String,
    /// The number of the first line that was in the file.
    pub first: u64,
    /// The number of the last line that was in the file.
    pub last: u64,
    /// The line that tells it.
    pub place: LinePlace,
}

/// How a boot ends.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum BootEnding {
    /// With its last line.
    Stopped,
    /// Without a last line: it continues, or the process was killed, or its end was cut off.
    Open,
    /// In the middle of a line: the process was killed while it wrote, or its end was cut off. The
    /// partial line does not count.
    Torn,
}

impl BootEnding {
    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stopped => "stopped",
            Self::Open => "open",
            Self::Torn => "torn",
        }
    }
}

/// One boot.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct BootReport {
    /// The name of its last line; [`None`] if no line of it could be read. A copy kept elsewhere
    /// shows later that the lines up to it are still the same.
    pub head: Option<ChainHead>,
    /// The id of the boot.
    pub boot: String,
    /// The replica, from the first line.
    pub instance: Option<String>,
    /// The version of the software, from the first line.
    pub version: Option<String>,
    /// How many lines.
    pub lines: u64,
    /// How it ends.
    pub ending: BootEnding,
}

impl BootReport {
    /// Reports a boot that has a file but no line.
    pub(super) fn without_a_line(boot: &str) -> Self {
        let (head, instance, version) = (None, None, None);
        let boot = boot.to_owned();
        Self { head, boot, instance, version, lines: 0, ending: BootEnding::Open }
    }
}

/// The verdict on the sink.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum EvidenceVerdict {
    /// All is there.
    Sound,
    /// Something is missing, doubled, moved or altered, or a round has two answers.
    Broken,
    /// There is no fault, but the evidence is not complete. A boot has no end, a ticket has no
    /// close, a record or an earlier boot was not given, or there is no line.
    Open,
}

impl EvidenceVerdict {
    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Sound => "sound",
            Self::Broken => "broken",
            Self::Open => "open",
        }
    }
}

/// The findings of a verification.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct EvidenceReport {
    /// Lines read.
    pub lines: u64,
    /// Records in them; one that was answered twice counts twice.
    pub records: u64,
    /// Rounds that they belong to.
    pub rounds: u64,
    /// The boots by their ids.
    pub boots: Vec<BootReport>,
    /// The damage.
    pub faults: Vec<EvidenceFault>,
    /// The files that boots have lost while they wrote to them. A loss is a fault only if lines are
    /// missing, because a copy may exist.
    pub losses: Vec<ToldLoss>,
    /// The rounds that have two different records of one class that contradict each other.
    pub forks: Vec<Fork>,
    /// The rounds that were opened again, or whose lock was superseded, as the protocol allows.
    /// They do not change the verdict.
    pub reopenings: Vec<Reopening>,
    /// The rounds with a ticket and without a close.
    pub open_tickets: Vec<OpenTicket>,
    /// The records that lines name as those of an earlier line, but that no line has. The files of
    /// their replica were not given, or are lost.
    pub missing_records: Vec<MissingRecord>,
    /// Lines that the first boots or earlier reports name, in files that were not given.
    pub absent: Vec<ChainHead>,
    /// The files without a line. The newest of a running boot may be one.
    pub empty: Vec<Arc<str>>,
}

/// The age from which an open ticket is old, in milliseconds: a day.
const OLD: u64 = 86_400_000;

impl EvidenceReport {
    /// Returns the open tickets that are more than a day older than `now`, in Unix seconds.
    ///
    /// The caller gives the time. It is not that of the newest line, because an open round ages
    /// even if nothing is written any more. A line from after `now` is of a clock that is fast; its
    /// ticket is not old.
    pub fn old_tickets(&self, now: u64) -> impl Iterator<Item = &OpenTicket> {
        let now = now.saturating_mul(1000);
        self.open_tickets.iter().filter(move |ticket| now.saturating_sub(ticket.time) > OLD)
    }

    /// Returns the missing records that a line of more than an hour before `now`, in Unix seconds,
    /// names. Those of the last hour may be in files that are not shipped yet.
    pub fn old_missing_records(&self, now: u64) -> impl Iterator<Item = &MissingRecord> {
        let now = now.saturating_mul(1000);
        self.missing_records
            .iter()
            .filter(move |missing| now.saturating_sub(missing.time) > 3_600_000)
    }

    /// Returns the verdict.
    #[must_use]
    pub fn verdict(&self) -> EvidenceVerdict {
        let ended = |boot: &BootReport| boot.ending == BootEnding::Stopped;
        if !self.faults.is_empty() || !self.forks.is_empty() {
            EvidenceVerdict::Broken
        } else if self.boots.iter().all(ended)
            && self.open_tickets.is_empty()
            && self.missing_records.is_empty()
            && self.absent.is_empty()
            && self.lines > 0
        {
            EvidenceVerdict::Sound
        } else {
            EvidenceVerdict::Open
        }
    }
}
