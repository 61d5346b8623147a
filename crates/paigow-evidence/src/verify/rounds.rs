//! Forks and open tickets over the records of all replicas (D1, D3).
//!
//! Signatures are not looked at here: what the engine and the ledger have signed is in the
//! sink because the engine has verified it. An audit of the round's transcript shows who
//! signed which answer.

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
    /// What players were shown.
    Deal,
    /// The lock that ends the decisions, final or void.
    CloseLock,
    /// The close, settled or void.
    Close,
}

impl RecordClass {
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

/// A record where it was seen.
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

/// Two different records of one class for one round.
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
    /// When a replica first answered with a ticket of the round, in Unix milliseconds: the
    /// earliest time of a line, whichever file was read first.
    pub time: u64,
    /// The ticket.
    pub sighting: Sighting,
}

#[derive(Debug, Default)]
struct RoundRecords {
    /// The first record of each class, in the order of the classes.
    seen: [Option<Sighting>; 5],
    /// Gone once the round is closed.
    open: Option<Box<OpenTicket>>,
}

impl RoundRecords {
    const fn has(&self, class: RecordClass) -> bool {
        self.seen[class as usize].is_some()
    }
}

/// All rounds.
#[derive(Debug, Default)]
pub(super) struct Rounds {
    rounds: BTreeMap<Hash, RoundRecords>,
    forks: Vec<Fork>,
    told: BTreeSet<(Hash, RecordClass, Hash)>,
}

impl Rounds {
    /// Takes a record that stands in a line of the round, of this time.
    pub(super) fn take(
        &mut self,
        record: &RecordEnvelope,
        round_id: &Hash,
        time: u64,
        sighting: impl FnOnce(Hash) -> Sighting,
    ) -> Result<(), &'static str> {
        let (class, ticket) = match record.kind() {
            RecordKind::Ticket => {
                let ticket = record.json().ok().and_then(|json| Ticket::parse(json).ok());
                let ticket = ticket.ok_or("a ticket in it cannot be read")?;
                if ticket.round_id != *round_id {
                    return Err("a ticket in it is of another round");
                }
                (RecordClass::Ticket, Some(ticket))
            }
            RecordKind::Lock | RecordKind::Deal | RecordKind::Settle => {
                (class_of(record, round_id)?, None)
            }
            RecordKind::Action => return Ok(()),
            RecordKind::Manifest | RecordKind::EpochReveal | RecordKind::EpochClose => {
                return Err("a record in it is of no round");
            }
        };
        let sighting = sighting(record.hash());
        let round = self.rounds.entry(*round_id).or_default();
        // Of the fresh suite several tickets are normal after lost answers; two that were
        // both locked show as two locks.
        let loose = ticket.as_ref().is_some_and(|ticket| ticket.suite == Suite::Fresh);
        // A retry that another replica answered makes no ticket younger.
        if let (RecordClass::Ticket, Some(open)) = (class, &mut round.open) {
            open.time = open.time.min(time);
        }
        match &mut round.seen[class as usize] {
            Some(first) if first.hash != sighting.hash && !loose => {
                if self.told.insert((*round_id, class, sighting.hash)) {
                    let (first, second) = (first.clone(), sighting.clone());
                    self.forks.push(Fork { round_id: *round_id, class, first, second });
                }
            }
            Some(_) => return Ok(()),
            unseen => *unseen = Some(sighting.clone()),
        }
        if round.has(RecordClass::Close) {
            round.open = None;
        } else if let Some(ticket) = ticket {
            round.open.get_or_insert_with(|| {
                Box::new(OpenTicket {
                    round_id: *round_id,
                    tenant: ticket.coordinates.tenant.to_string(),
                    table: ticket.coordinates.table.to_string(),
                    round_no: ticket.coordinates.round_no,
                    dealt: false,
                    time,
                    sighting,
                })
            });
        }
        Ok(())
    }

    /// Returns how many rounds there are, the forks, and the open tickets in the order in
    /// which their boots wrote them.
    pub(super) fn finish(self) -> (u64, Vec<Fork>, Vec<OpenTicket>) {
        let rounds = self.rounds.len() as u64;
        let open = |round: RoundRecords| {
            let dealt = round.has(RecordClass::Deal);
            round.open.map(|ticket| OpenTicket { dealt, ..*ticket })
        };
        let mut tickets: Vec<OpenTicket> = self.rounds.into_values().filter_map(open).collect();
        tickets.sort_by(|a, b| {
            (&a.sighting.boot, a.sighting.seq).cmp(&(&b.sighting.boot, b.sighting.seq))
        });
        (rounds, self.forks, tickets)
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
            | RecordKind::EpochClose,
            _,
        ) => Ok(RecordClass::Close),
    }
}
