//! The open tickets of one folder, read while a boot writes its files.
//!
//! Replicas share no files: another replica may have dealt or closed a round. So the reader returns
//! parts, and a caller of all replicas joins them. Memory is bounded, whatever the files hold.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use super::entry::RecordEntry;
use super::files::{self, complete_since, try_each_line};
use super::line::{EvidenceLine, LineBody};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;

/// The default of [`FolderQuery::most_waiting`]: some 16 MB.
pub const MOST_WAITING: usize = 1 << 16;

/// The most closed rounds of a part.
const CLOSED: usize = 500;

/// The tickets to look for.
#[derive(Clone, Debug)]
pub struct FolderQuery {
    /// The tenant of the rounds.
    pub tenant: Identifier,
    /// The latest time of a ticket, in Unix milliseconds. Tickets of later lines are left out.
    pub opened_until: u64,
    /// The most tickets and deals that wait for the close of their round. The oldest are returned
    /// early, and their close after them.
    pub most_waiting: usize,
}

/// A part of the open rounds of a folder.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum FolderPart {
    /// The time that the files cover; the first part.
    Coverage(FolderCoverage),
    /// A ticket without a close so far.
    Open(Box<FolderTicket>),
    /// Rounds with a close, at most 500.
    Closed(Vec<Hash>),
}

/// The time that the files of a folder cover.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FolderCoverage {
    /// The time since which the folder has every line, in Unix milliseconds; 0 if since the first
    /// boot.
    pub complete_since: u64,
    /// How many files there are.
    pub files: usize,
}

/// A ticket as one folder has it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct FolderTicket {
    /// The round.
    pub round_id: Hash,
    /// The hash of the ticket.
    pub hash: Hash,
    /// The time at which the first line with the ticket was written, in Unix milliseconds. Without
    /// such a line, the time of the line with its deal.
    pub time: u64,
    /// The ticket, if the folder has it.
    pub ticket: Option<Ticket>,
    /// Whether the folder has a deal of it.
    pub is_dealt: bool,
    /// Ticket, lock of the wagers and deal, as far as the folder has them.
    pub records: Vec<RecordEnvelope>,
}

/// Reads the files of a folder, and passes the parts of a tenant's open rounds to `take`.
///
/// A line that cannot be read is skipped: the verification of the files reports it. `take` is
/// called for each part, and with [`None`] for each line without one. It can end the reading.
///
/// # Errors
///
/// If the folder or a file in it cannot be read, or it has no file of evidence.
pub fn open_tickets(
    directory: &Path,
    query: &FolderQuery,
    mut take: impl FnMut(Option<FolderPart>) -> ControlFlow<()>,
) -> io::Result<()> {
    let files = files::list(&[directory.to_owned()])?;
    if files.is_empty() {
        return Err(io::Error::new(io::ErrorKind::NotFound, "no file of evidence in the folder"));
    }
    let coverage = FolderCoverage { complete_since: complete_since(&files)?, files: files.len() };
    if take(Some(FolderPart::Coverage(coverage))).is_break() {
        return Ok(());
    }
    let mut reader = FolderReader::new(query, files);
    for file in 0..reader.files.len() {
        let mut offset = 0;
        let mut taken = Ok(ControlFlow::Continue(()));
        let read = try_each_line(File::open(&reader.files[file])?, |bytes, whole| {
            let at = LineAt { file, offset, length: bytes.len() };
            offset += bytes.len() as u64 + 1;
            // A line without an end is being written.
            let line = EvidenceLine::parse(bytes).ok().filter(|_| whole);
            taken = reader.take_line(line, at, &mut take);
            if matches!(taken, Ok(ControlFlow::Continue(()))) {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        if read.and(taken)?.is_break() {
            return Ok(());
        }
    }
    reader.finish(&mut take)
}

/// Where a line stands.
#[derive(Clone, Copy, Debug)]
struct LineAt {
    file: usize,
    offset: u64,
    /// Its bytes, without its line end.
    length: usize,
}

/// A ticket or a deal, where it was seen first.
#[derive(Clone, Copy, Debug)]
struct SeenRecord {
    /// The hash of the ticket.
    ticket: Hash,
    time: u64,
    at: LineAt,
}

/// A round without a close so far.
#[derive(Debug)]
struct WaitingRound {
    age: u64,
    tickets: Vec<SeenRecord>,
    deal: Option<SeenRecord>,
}

/// The rounds that wait for their close.
struct FolderReader<'q> {
    query: &'q FolderQuery,
    files: Vec<PathBuf>,
    open: BTreeMap<Hash, WaitingRound>,
    /// The rounds by age, the oldest first.
    ages: BTreeMap<u64, Hash>,
    /// The age of the next round.
    age: u64,
    /// How many tickets and deals wait.
    waiting: usize,
    /// Rounds with a close that were not returned yet.
    closed: Vec<Hash>,
}

impl<'q> FolderReader<'q> {
    fn new(query: &'q FolderQuery, files: Vec<PathBuf>) -> Self {
        let (open, ages) = (BTreeMap::new(), BTreeMap::new());
        Self { query, files, open, ages, age: 0, waiting: 0, closed: Vec::new() }
    }

    /// Takes a line, and returns parts above the limits.
    fn take_line(
        &mut self,
        line: Option<EvidenceLine>,
        at: LineAt,
        take: &mut impl FnMut(Option<FolderPart>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        if let Some(EvidenceLine { time, body: LineBody::Record(entry), .. }) = line
            && entry.tenant == self.query.tenant
        {
            self.note(&entry, time, at);
            if entry.records.iter().any(|record| record.kind() == RecordKind::Settle) {
                self.forget(&entry.round_id);
                self.closed.push(entry.round_id);
            }
        }
        while self.waiting > self.query.most_waiting {
            if self.hand_on_oldest(take)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        let is_full = self.closed.len() == CLOSED;
        Ok(take(is_full.then(|| FolderPart::Closed(std::mem::take(&mut self.closed)))))
    }

    /// Returns all remaining parts.
    fn finish(
        mut self,
        take: &mut impl FnMut(Option<FolderPart>) -> ControlFlow<()>,
    ) -> io::Result<()> {
        let closed = std::mem::take(&mut self.closed);
        let mut taken = ControlFlow::Continue(());
        if !closed.is_empty() {
            taken = take(Some(FolderPart::Closed(closed)));
        }
        while taken.is_continue() && !self.ages.is_empty() {
            taken = self.hand_on_oldest(take)?;
        }
        Ok(())
    }

    /// Notes the tickets and the deal of a line.
    fn note(&mut self, entry: &RecordEntry, time: u64, at: LineAt) {
        for record in &entry.records {
            let is_deal = record.kind() == RecordKind::Deal;
            let ticket = match record.kind() {
                RecordKind::Ticket => Some(record.hash()),
                RecordKind::Deal => ticket_of(record),
                RecordKind::Manifest
                | RecordKind::Lock
                | RecordKind::Action
                | RecordKind::Settle
                | RecordKind::EpochReveal
                | RecordKind::EpochClose
                | RecordKind::LogProof => None,
            };
            let Some(ticket) = ticket else { continue };
            let round = self.open.entry(entry.round_id).or_insert_with(|| {
                self.age += 1;
                self.ages.insert(self.age, entry.round_id);
                WaitingRound { age: self.age, tickets: Vec::new(), deal: None }
            });
            let seen = SeenRecord { ticket, time, at };
            if is_deal && round.deal.is_none() {
                round.deal = Some(seen);
                self.waiting += 1;
            } else if !is_deal && round.tickets.iter().all(|one| one.ticket != ticket) {
                round.tickets.push(seen);
                self.waiting += 1;
            }
        }
    }

    /// Returns a round that waits no longer.
    fn forget(&mut self, round_id: &Hash) -> Option<WaitingRound> {
        let round = self.open.remove(round_id)?;
        self.ages.remove(&round.age);
        self.waiting -= round.tickets.len() + usize::from(round.deal.is_some());
        Some(round)
    }

    /// Returns the parts of the oldest round, and forgets it.
    fn hand_on_oldest(
        &mut self,
        take: &mut impl FnMut(Option<FolderPart>) -> ControlFlow<()>,
    ) -> io::Result<ControlFlow<()>> {
        let oldest = self.ages.first_key_value().map(|(_, round_id)| *round_id);
        let round = oldest.and_then(|round_id| Some((round_id, self.forget(&round_id)?)));
        let Some((round_id, round)) = round else { return Ok(ControlFlow::Continue(())) };
        for part in self.parts(round_id, &round)? {
            if take(Some(FolderPart::Open(Box::new(part)))).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Returns the tickets of a round, with their records.
    fn parts(&self, round_id: Hash, round: &WaitingRound) -> io::Result<Vec<FolderTicket>> {
        let mut parts = Vec::new();
        for seen in round.tickets.iter().filter(|seen| seen.time <= self.query.opened_until) {
            let deal = round.deal.as_ref().filter(|deal| deal.ticket == seen.ticket);
            let mut records = self.records(seen.at)?;
            records.retain(|record| record.hash() == seen.ticket);
            let ticket = records.first().and_then(|ticket| Ticket::parse(ticket.json().ok()?).ok());
            if let Some(deal) = deal {
                records.extend(self.dealt(deal)?);
            }
            parts.push(FolderTicket {
                round_id,
                hash: seen.ticket,
                time: seen.time,
                ticket,
                is_dealt: deal.is_some(),
                records,
            });
        }
        // Another replica has the ticket.
        if let Some(deal) = &round.deal
            && round.tickets.iter().all(|seen| seen.ticket != deal.ticket)
        {
            parts.push(FolderTicket {
                round_id,
                hash: deal.ticket,
                time: deal.time,
                ticket: None,
                is_dealt: true,
                records: self.dealt(deal)?,
            });
        }
        Ok(parts)
    }

    /// Returns the lock of the wagers and the deal.
    fn dealt(&self, deal: &SeenRecord) -> io::Result<Vec<RecordEnvelope>> {
        let mut records = self.records(deal.at)?;
        records.retain(|one| matches!(one.kind(), RecordKind::Lock | RecordKind::Deal));
        Ok(records)
    }

    /// Reads the records of a line again.
    fn records(&self, at: LineAt) -> io::Result<Vec<RecordEnvelope>> {
        let mut file = File::open(&self.files[at.file])?;
        file.seek(SeekFrom::Start(at.offset))?;
        let mut bytes = vec![0; at.length];
        file.read_exact(&mut bytes)?;
        let line = EvidenceLine::parse(&bytes);
        if let Ok(EvidenceLine { body: LineBody::Record(entry), .. }) = line {
            Ok(entry.records)
        } else {
            Err(io::Error::other("a line of evidence has changed"))
        }
    }
}

/// Returns the ticket that a deal names.
fn ticket_of(deal: &RecordEnvelope) -> Option<Hash> {
    let Ok(Json::Obj(payload)) = deal.json() else { return None };
    match payload.get("ticket") {
        Some(Json::Str(text)) => text.parse().ok(),
        _ => None,
    }
}
