//! Forks, re-opens and open tickets over the records of all replicas (D1, D3, D22).
//!
//! Signatures are not checked here. The engine has verified the signatures of the engine and the
//! ledger before it wrote a record to the sink. An audit of the round's transcript shows who signed
//! which answer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::place::LinePlace;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::Suite;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;

/// The classes of records of which a round has at most one.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum RecordClass {
    /// The engine's commitment.
    Ticket,
    /// The lock with the wagers.
    WagerLock,
    /// The cards that players were shown.
    Deal,
    /// The lock that ends the decisions, final or void.
    CloseLock,
    /// The close, settled or void.
    Close,
}

impl RecordClass {
    /// Every class.
    const ALL: [Self; 5] =
        [Self::Ticket, Self::WagerLock, Self::Deal, Self::CloseLock, Self::Close];

    /// Returns the name in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ticket => "ticket",
            Self::WagerLock => "phase_1_lock",
            Self::Deal => "deal",
            Self::CloseLock => "phase_2_lock",
            Self::Close => "close",
        }
    }
}

/// A record and the place where it was seen.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Sighting {
    /// The record.
    pub hash: Hash,
    /// The boot that wrote the line.
    pub boot: Arc<str>,
    /// The line's number in it.
    pub seq: u64,
    /// Where the line stands.
    pub place: LinePlace,
}

/// Two different records of one class for one round, which contradict each other.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Fork {
    /// The round.
    pub round_id: Hash,
    /// The class.
    pub class: RecordClass,
    /// The record that was seen first.
    pub first: Sighting,
    /// Another.
    pub second: Sighting,
}

/// Two different records of one class for one round that an honest operator may have.
///
/// Either a round without client commitments was opened again before a lock named its ticket. Or a
/// final lock could never settle, and another lock supersedes it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Reopening {
    /// The round.
    pub round_id: Hash,
    /// The class: ticket or close lock.
    pub class: RecordClass,
    /// The record that was seen first.
    pub first: Sighting,
    /// Another.
    pub second: Sighting,
}

/// A ticket of a round without a close.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct OpenTicket {
    /// The round.
    pub round_id: Hash,
    /// The tenant.
    pub tenant: String,
    /// The table.
    pub table: String,
    /// The number of the round at the table.
    pub round_no: u64,
    /// Whether cards were dealt.
    pub dealt: bool,
    /// The time at which a replica first answered with a ticket of the round, in Unix milliseconds.
    /// It is the earliest time of a line, in any order of the files.
    pub time: u64,
    /// The ticket.
    pub sighting: Sighting,
}

/// A record that a line names as one of an earlier line, but that no line has.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct MissingRecord {
    /// The round.
    pub round_id: Hash,
    /// The record, where the first line names it.
    pub named: Sighting,
    /// The time of that line, in Unix milliseconds.
    pub time: u64,
}

#[derive(Debug, Default)]
struct RoundRecords {
    /// The records that lines name, and that were not seen yet, each with the time of the line.
    named: Vec<(Sighting, u64)>,

    /// The first record of each class, in the order of the classes.
    seen: [Option<Sighting>; 5],
    /// Whether the first ticket may be replaced by another while it is not locked.
    may_reopen: bool,
    /// Whether a lock, deal or close names the first ticket.
    is_locked: bool,
    /// [`None`] once the round is closed.
    open: Option<Box<OpenTicket>>,
    /// The records that most rounds do not have.
    more: Option<Box<MoreRecords>>,
}

/// The records of a round beyond the first of a class, where several are possible.
#[derive(Debug, Default)]
struct MoreRecords {
    /// Other tickets, and whether each may be replaced while it is not locked.
    tickets: Vec<(Sighting, bool)>,
    /// The tickets that locks, deals and closes name, without the first ticket.
    locked: BTreeSet<Hash>,
    /// Other locks that close the round.
    close_locks: Vec<Sighting>,
    /// The locks that such a lock supersedes, by the lock.
    supersedes: BTreeMap<Hash, Vec<Hash>>,
}

impl RoundRecords {
    const fn has(&self, class: RecordClass) -> bool {
        self.seen[class as usize].is_some()
    }

    fn first(&self, class: RecordClass) -> Option<&Sighting> {
        self.seen[class as usize].as_ref()
    }

    fn more(&mut self) -> &mut MoreRecords {
        self.more.get_or_insert_default()
    }

    /// Whether a record was seen.
    fn has_seen(&self, hash: &Hash) -> bool {
        let more = self.more.iter().flat_map(|more| {
            more.tickets.iter().map(|(ticket, _)| ticket).chain(&more.close_locks)
        });
        self.seen.iter().flatten().chain(more).any(|seen| seen.hash == *hash)
    }

    /// Takes a ticket.
    fn take_ticket(&mut self, sighting: Sighting, may_reopen: bool) {
        let Some(first) = self.first(RecordClass::Ticket) else {
            self.may_reopen = may_reopen;
            self.is_locked =
                self.more.as_ref().is_some_and(|more| more.locked.contains(&sighting.hash));
            self.seen[RecordClass::Ticket as usize] = Some(sighting);
            return;
        };
        if first.hash != sighting.hash {
            let tickets = &mut self.more().tickets;
            if tickets.iter().all(|(other, _)| other.hash != sighting.hash) {
                tickets.push((sighting, may_reopen));
            }
        }
    }

    /// Notes that a lock, deal or close names a ticket.
    fn lock_ticket(&mut self, ticket: Hash) {
        if self.first(RecordClass::Ticket).is_some_and(|first| first.hash == ticket) {
            self.is_locked = true;
        } else {
            self.more().locked.insert(ticket);
        }
    }

    /// Takes a lock that closes the round.
    fn take_close_lock(&mut self, sighting: Sighting, supersedes: Vec<Hash>) {
        if !supersedes.is_empty() {
            self.more().supersedes.insert(sighting.hash, supersedes);
        }
        let Some(first) = self.first(RecordClass::CloseLock) else {
            self.seen[RecordClass::CloseLock as usize] = Some(sighting);
            return;
        };
        if first.hash != sighting.hash {
            let locks = &mut self.more().close_locks;
            if locks.iter().all(|other| other.hash != sighting.hash) {
                locks.push(sighting);
            }
        }
    }

    /// Judges each further ticket and close lock: a fork with one before it, or a re-open.
    ///
    /// The order of the files does not matter, since all records are known by now.
    fn judge(&self, round_id: Hash, forks: &mut Vec<Fork>, reopenings: &mut Vec<Reopening>) {
        let Some(more) = &self.more else { return };
        let first = self.first(RecordClass::Ticket).map(|first| (first.clone(), self.may_reopen));
        let tickets: Vec<(Sighting, bool)> =
            first.into_iter().chain(more.tickets.clone()).collect();
        let is_locked = |ticket: &Sighting| {
            let is_first =
                self.first(RecordClass::Ticket).is_some_and(|one| one.hash == ticket.hash);
            if is_first { self.is_locked } else { more.locked.contains(&ticket.hash) }
        };
        let other_tickets = |(one, one_may): &(Sighting, bool),
                             (two, two_may): &(Sighting, bool)| {
            !(*one_may && *two_may) || (is_locked(one) && is_locked(two))
        };
        // Without a close the round is an open ticket, whichever ticket is the right one.
        let is_closed = self.has(RecordClass::Close);
        for (place, ticket) in tickets.iter().enumerate().skip(1) {
            let fork = tickets[..place].iter().find(|before| other_tickets(before, ticket));
            let (class, second) = (RecordClass::Ticket, ticket.0.clone());
            match fork {
                Some((first, _)) => {
                    forks.push(Fork { round_id, class, first: first.clone(), second });
                }
                None if is_closed => {
                    let first = tickets[0].0.clone();
                    reopenings.push(Reopening { round_id, class, first, second });
                }
                None => {}
            }
        }
        let supersedes = |later: &Sighting, earlier: &Sighting| {
            more.supersedes.get(&later.hash).is_some_and(|locks| locks.contains(&earlier.hash))
        };
        let first = self.first(RecordClass::CloseLock).cloned();
        let locks: Vec<Sighting> = first.into_iter().chain(more.close_locks.clone()).collect();
        for (place, lock) in locks.iter().enumerate().skip(1) {
            let is_apart =
                |before: &&Sighting| !supersedes(lock, before) && !supersedes(before, lock);
            let (class, second) = (RecordClass::CloseLock, lock.clone());
            match locks[..place].iter().find(is_apart) {
                Some(first) => forks.push(Fork { round_id, class, first: first.clone(), second }),
                None => {
                    let first = locks[place - 1].clone();
                    reopenings.push(Reopening { round_id, class, first, second });
                }
            }
        }
    }
}

/// The findings over all rounds.
#[derive(Debug)]
pub(super) struct EvidenceRounds {
    /// How many rounds there are.
    pub(super) rounds: u64,
    /// The forks, as their second records were written.
    pub(super) forks: Vec<Fork>,
    /// The re-opens, as their second records were written.
    pub(super) reopenings: Vec<Reopening>,
    /// The open tickets, as their boots wrote them.
    pub(super) open_tickets: Vec<OpenTicket>,
    /// The records that are named and missing, as their boots wrote it.
    pub(super) missing_records: Vec<MissingRecord>,
}

/// All rounds.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    rounds: BTreeMap<Hash, RoundRecords>,
    forks: Vec<Fork>,
    told: BTreeSet<(Hash, RecordClass, Hash)>,
}

impl Rounds {
    /// Takes the name of a record that an earlier line has, from a line of the round of this time.
    pub(super) fn name(&mut self, round_id: Hash, named: Sighting, time: u64) {
        let round = self.rounds.entry(round_id).or_default();
        if !round.has_seen(&named.hash) && round.named.iter().all(|(one, _)| one.hash != named.hash)
        {
            round.named.push((named, time));
        }
    }

    /// Takes a record that stands in a line of the round, of this time.
    pub(super) fn take(
        &mut self,
        record: &RecordEnvelope,
        round_id: &Hash,
        time: u64,
        sighting: impl FnOnce(Hash) -> Sighting,
    ) -> Result<(), &'static str> {
        match record.kind() {
            RecordKind::Ticket => {
                let ticket = record.json().ok().and_then(|json| Ticket::parse(json).ok());
                let ticket = ticket.ok_or("a ticket in it cannot be read")?;
                if ticket.round_id != *round_id {
                    return Err("a ticket in it is of another round");
                }
                self.take_ticket(&ticket, time, sighting(record.hash()));
                Ok(())
            }
            RecordKind::Lock | RecordKind::Deal | RecordKind::Settle => {
                let facts = RecordFacts::of(record, round_id)?;
                self.take_other(*round_id, facts, sighting(record.hash()));
                Ok(())
            }
            RecordKind::Action => Ok(()),
            RecordKind::Manifest
            | RecordKind::EpochReveal
            | RecordKind::EpochClose
            | RecordKind::LogProof => Err("a record in it is of no round"),
        }
    }

    fn take_ticket(&mut self, ticket: &Ticket, time: u64, sighting: Sighting) {
        let round = self.rounds.entry(ticket.round_id).or_default();
        round.take_ticket(
            sighting.clone(),
            ticket.suite == Suite::Fresh || ticket.client.is_empty(),
        );
        if round.has(RecordClass::Close) {
            return;
        }
        let open = round.open.get_or_insert_with(|| {
            Box::new(OpenTicket {
                round_id: ticket.round_id,
                tenant: ticket.coordinates.tenant.to_string(),
                table: ticket.coordinates.table.to_string(),
                round_no: ticket.coordinates.round_no,
                dealt: false,
                time,
                sighting,
            })
        });
        // A retry at another replica does not make a ticket younger.
        open.time = open.time.min(time);
    }

    fn take_other(&mut self, round_id: Hash, facts: RecordFacts, sighting: Sighting) {
        let RecordFacts { class, ticket, supersedes } = facts;
        let round = self.rounds.entry(round_id).or_default();
        if let Some(ticket) = ticket {
            round.lock_ticket(ticket);
        }
        if class == RecordClass::CloseLock {
            round.take_close_lock(sighting, supersedes);
            return;
        }
        match &mut round.seen[class as usize] {
            Some(first) if first.hash != sighting.hash => {
                if self.told.insert((round_id, class, sighting.hash)) {
                    let (first, second) = (first.clone(), sighting);
                    self.forks.push(Fork { round_id, class, first, second });
                }
            }
            Some(_) => {}
            unseen => *unseen = Some(sighting),
        }
        if class == RecordClass::Close {
            round.open = None;
        }
    }

    /// Returns what was found.
    pub(super) fn finish(self) -> EvidenceRounds {
        let (rounds, mut forks) = (self.rounds.len() as u64, self.forks);
        let (mut reopenings, mut open_tickets) = (Vec::new(), Vec::new());
        let mut missing_records = Vec::new();
        for (round_id, mut round) in self.rounds {
            round.judge(round_id, &mut forks, &mut reopenings);
            let told = RecordClass::ALL.map(|class| (round_id, class));
            let named = std::mem::take(&mut round.named).into_iter();
            let missing = named.filter(|(named, _)| {
                let is_told =
                    |(round_id, class)| self.told.contains(&(round_id, class, named.hash));
                !round.has_seen(&named.hash) && !told.into_iter().any(is_told)
            });
            missing_records.extend(missing.map(|(named, time)| MissingRecord {
                round_id,
                named,
                time,
            }));
            let dealt = round.has(RecordClass::Deal);
            open_tickets.extend(round.open.map(|ticket| OpenTicket { dealt, ..*ticket }));
        }
        let written = |at: &Sighting| (Arc::clone(&at.boot), at.seq);
        forks.sort_by_key(|fork| (written(&fork.second), fork.class));
        reopenings.sort_by_key(|one| (written(&one.second), one.class));
        open_tickets.sort_by_key(|ticket| written(&ticket.sighting));
        missing_records.sort_by_key(|missing| written(&missing.named));
        EvidenceRounds { rounds, forks, reopenings, open_tickets, missing_records }
    }
}

/// The facts that a lock, deal or settle record states of its round.
struct RecordFacts {
    class: RecordClass,
    /// The ticket that it names.
    ticket: Option<Hash>,
    /// The locks that it supersedes.
    supersedes: Vec<Hash>,
}

impl RecordFacts {
    /// Reads a lock, deal or settle record, which has to be of this round.
    fn of(record: &RecordEnvelope, round_id: &Hash) -> Result<Self, &'static str> {
        let class = class_of(record, round_id)?;
        let Ok(Json::Obj(payload)) = record.json() else {
            return Err("a record in it cannot be read");
        };
        let hash = |key: &str| match payload.get(key) {
            Some(Json::Str(text)) => text.parse().ok(),
            _ => None,
        };
        let ticket = match class {
            RecordClass::WagerLock => hash("prev"),
            RecordClass::Deal | RecordClass::Close => hash("ticket"),
            RecordClass::Ticket | RecordClass::CloseLock => None,
        };
        let supersedes = match payload.get("supersedes") {
            Some(Json::Arr(locks)) if class == RecordClass::CloseLock => {
                let hashes = locks.iter().map(|lock| {
                    let Json::Str(text) = lock else { return None };
                    text.parse().ok()
                });
                hashes.collect::<Option<_>>().ok_or("a lock in it cannot be read")?
            }
            _ => Vec::new(),
        };
        Ok(Self { class, ticket, supersedes })
    }
}

/// Returns the class of a lock, deal or settle record, which has to be of this round.
fn class_of(record: &RecordEnvelope, round_id: &Hash) -> Result<RecordClass, &'static str> {
    let Ok(Json::Obj(payload)) = record.json() else {
        return Err("a record in it cannot be read");
    };
    let text = |key: &str| match payload.get(key) {
        Some(Json::Str(text)) => Some(&**text),
        _ => None,
    };
    if text("round_id") != Some(round_id.to_string().as_str()) {
        return Err("a record in it is of another round");
    }
    match (record.kind(), text("step")) {
        (RecordKind::Lock, Some("wagers")) => Ok(RecordClass::WagerLock),
        (RecordKind::Lock, Some("final" | "void")) => Ok(RecordClass::CloseLock),
        (RecordKind::Lock, _) => Err("a lock in it is of no step"),
        (RecordKind::Deal, _) => Ok(RecordClass::Deal),
        (
            RecordKind::Settle
            | RecordKind::Manifest
            | RecordKind::Ticket
            | RecordKind::Action
            | RecordKind::EpochReveal
            | RecordKind::EpochClose
            | RecordKind::LogProof,
            _,
        ) => Ok(RecordClass::Close),
    }
}
