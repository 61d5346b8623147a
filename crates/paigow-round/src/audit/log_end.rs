//! Whether the file has everything that a copy of the public log has about the tables of its rounds.

use std::collections::{BTreeMap, BTreeSet};

use super::AuditContext;
use super::file::TranscriptFile;
use super::numbers::{Table, table};
use super::round::RoundAudit;
use super::standing::{VerdictReason, day_of};
use crate::record::{Lock, SettleRecord};
use paigow_fairness::encoding::Hash;
use paigow_fairness::log_copy::{CopiedEntry, LogCopy};
use paigow_fairness::log_proof::PublicLog;
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::seed::Coordinates;
use paigow_fairness::ticket::Ticket;

/// The copies of the logs that the manifests list.
#[derive(Default)]
pub(super) struct LogEnds(Vec<(PublicLog, LogEnd)>);

/// One copy, held against the file.
struct LogEnd {
    size: u64,
    /// The earliest time at which a pinned witness signed the checkpoint, in Unix seconds.
    time: Option<u64>,
    rest: LogRest,
}

/// The tickets, locks of wagers and closes of a copy that the file lacks.
#[derive(Default)]
struct LogRest {
    /// Why the rest is not known.
    unknown: Option<String>,
    /// Of each round of the file or the copy another record.
    others: BTreeMap<Coordinates, String>,
    /// The last round of each table in the file.
    held: BTreeMap<Table, u64>,
    /// The last round of each table in the file or the copy.
    lasts: BTreeMap<Table, u64>,
}

/// Holds the copies of the caller against the file, one for each log that a manifest lists.
pub(super) fn ends(context: &AuditContext<'_>, file: &TranscriptFile) -> LogEnds {
    let mut ends = LogEnds::default();
    if context.terms.log_copies.is_empty() {
        return ends;
    }
    let logs = context.manifests.iter().filter_map(|(_, signed)| signed.manifest.log.as_ref());
    for log in logs {
        if ends.0.iter().any(|(known, _)| known == log) {
            continue;
        }
        let is_of_log = |copy: &&LogCopy| {
            copy.checkpoint().origin == log.origin
                && context.effort.may_verify(1)
                && copy.checkpoint().is_of(log)
        };
        if let Some(copy) = context.terms.log_copies.iter().find(is_of_log) {
            ends.0.push((log.clone(), end(context, file, copy)));
        }
    }
    ends
}

fn end(context: &AuditContext<'_>, file: &TranscriptFile, copy: &LogCopy) -> LogEnd {
    let checkpoint = copy.checkpoint();
    let text = checkpoint.text();
    let pinned = checkpoint.cosignatures.iter().filter(|one| {
        context.terms.witnesses.contains(&one.key)
            && context.effort.may_verify(1)
            && one.verifies(&text)
    });
    let time = pinned.map(|one| one.time).min();
    LogEnd { size: checkpoint.size, time, rest: LogRest::of(file, copy) }
}

impl LogRest {
    fn of(file: &TranscriptFile, copy: &LogCopy) -> Self {
        let held: BTreeSet<Hash> = file.logged_records().map(|line| line.hash).collect();
        let mut places: BTreeMap<Hash, Coordinates> = BTreeMap::new();
        for line in file.rounds.iter().map(|round| &round.ticket) {
            if let Ok(ticket) = ticket(&line.envelope) {
                places.insert(line.hash, ticket.coordinates);
            }
        }
        let mut rest = Self { held: lasts(places.values()), ..Self::default() };
        let mut others = Vec::new();
        for (index, entry) in copy.entries().iter().enumerate() {
            let hash = entry.hash();
            if held.contains(&hash) {
                continue;
            }
            let read = match entry {
                CopiedEntry::Record(record) => statement(record).ok(),
                CopiedEntry::Long(_) => None,
            };
            match read {
                None => rest.note_unknown(format!("entry {index} of the log cannot be read")),
                Some(LoggedStatement::Ticket(place)) => {
                    places.insert(hash, place);
                    others.push((index, "ticket", hash, hash));
                }
                Some(LoggedStatement::Of(what, ticket)) => others.push((index, what, hash, ticket)),
                Some(LoggedStatement::OfNoRound) => {}
            }
        }
        rest.lasts = lasts(places.values());
        for (index, what, hash, ticket) in others {
            if let Some(place) = places.get(&ticket) {
                let text = || format!("the log has another {what} of the round, {hash}");
                rest.others.entry(place.clone()).or_insert_with(text);
            } else {
                let what = "follows a ticket that neither log nor file has";
                rest.note_unknown(format!("entry {index} of the log {what}"));
            }
        }
        rest
    }

    fn note_unknown(&mut self, why: String) {
        self.unknown.get_or_insert(why);
    }
}

/// A record of a log, as far as it says something about a round.
enum LoggedStatement {
    /// A ticket, with the place of its round.
    Ticket(Coordinates),
    /// A record of a round, with the hash of its ticket.
    Of(&'static str, Hash),
    /// Another record.
    OfNoRound,
}

fn ticket(record: &RecordEnvelope) -> Result<Ticket, PayloadError> {
    Ticket::parse(record.json()?)
}

/// Reads a record of a log.
fn statement(record: &RecordEnvelope) -> Result<LoggedStatement, PayloadError> {
    Ok(match record.kind() {
        RecordKind::Ticket => LoggedStatement::Ticket(ticket(record)?.coordinates),
        RecordKind::Lock => match Lock::parse(record.json()?)? {
            Lock::Wagers(lock) => LoggedStatement::Of("lock of the wagers", lock.prev),
            Lock::Close(_) => LoggedStatement::OfNoRound,
        },
        RecordKind::Settle => match SettleRecord::parse(record.json()?)? {
            SettleRecord::Settled(settled) => LoggedStatement::Of("close", settled.ticket),
            SettleRecord::Void(voided) => LoggedStatement::Of("close", voided.ticket),
        },
        RecordKind::Manifest
        | RecordKind::Deal
        | RecordKind::Action
        | RecordKind::EpochReveal
        | RecordKind::EpochClose
        | RecordKind::LogProof => LoggedStatement::OfNoRound,
    })
}

/// Returns the highest number of each table.
fn lasts<'p>(places: impl Iterator<Item = &'p Coordinates>) -> BTreeMap<Table, u64> {
    let mut found = BTreeMap::new();
    for place in places {
        let last: &mut u64 = found.entry(table(place)).or_default();
        *last = place.round_no.max(*last);
    }
    found
}

/// Returns up to where the file has everything of the log about the table of a round, or why it does not.
pub(super) fn of_round(round: &RoundAudit<'_>) -> Result<String, String> {
    let (Some(world), Some(ticket)) = (round.world, &round.ticket) else {
        return Err("no manifest to rely on".to_owned());
    };
    let Some(log) = &world.signed.manifest.log else {
        return Err("the manifest lists no log".to_owned());
    };
    let mut ends = round.context.log_ends.0.iter();
    let Some((_, end)) = ends.find(|(known, _)| known == log) else {
        return Err("no copy of the log was given".to_owned());
    };
    let Some(time) = end.time else {
        return Err("no pinned witness has signed the checkpoint of the copy".to_owned());
    };
    let (rest, place) = (&end.rest, &ticket.coordinates);
    if let Some(why) = rest.unknown.as_ref().or_else(|| rest.others.get(place)) {
        return Err(why.clone());
    }
    let (held, last) = (rest.held.get(&table(place)), rest.lasts.get(&table(place)));
    if let (Some(held), Some(last)) = (held, last)
        && last > held
    {
        let (table, first, last) = (place.table.clone(), held + 1, *last);
        let missing = VerdictReason::Gap { table, first, last };
        return Err(format!("the log goes on: {missing}"));
    }
    let (size, day) = (end.size, day_of(time));
    Ok(format!("the first {size} entries of the log, as a witness signed on {day}"))
}
