//! A transcript taken apart: manifests, rounds, reveals (the check `FORMAT`).

use super::report::Finding;
use crate::record::{CloseLock, Lock, MAX_SUPERSEDED};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;

/// The reason why every check is skipped for a file without a record.
pub(super) const NO_TRANSCRIPT: &str = "this is not a transcript";

/// The fault of a ticket that occurs twice in a row without a deal from it.
pub(super) const TICKET_TWICE: &str = "the same ticket twice";

/// A record and its line in the file, from 1.
#[derive(Clone, Debug)]
pub(super) struct TranscriptLine {
    pub(super) number: usize,
    pub(super) envelope: RecordEnvelope,
    pub(super) hash: Hash,
}

/// The records of one round.
#[derive(Clone, Debug)]
pub(super) struct RoundLines {
    pub(super) ticket: TranscriptLine,
    pub(super) wager_lock: Option<TranscriptLine>,
    pub(super) deal: Option<TranscriptLine>,
    /// The final locks that a later lock follows, in order, each with its actions.
    pub(super) spent: Vec<SpentLines>,
    /// The actions of the last lock.
    pub(super) actions: Vec<TranscriptLine>,
    pub(super) close_lock: Option<TranscriptLine>,
    pub(super) settle: Option<TranscriptLine>,
}

/// The actions of a final lock, and that lock, which a later lock follows.
#[derive(Clone, Debug)]
pub(super) struct SpentLines {
    pub(super) actions: Vec<TranscriptLine>,
    pub(super) lock: TranscriptLine,
}

impl RoundLines {
    /// Returns all records in order.
    pub(super) fn all(&self) -> impl Iterator<Item = &TranscriptLine> {
        [Some(&self.ticket), self.wager_lock.as_ref(), self.deal.as_ref()]
            .into_iter()
            .flatten()
            .chain(self.spent.iter().flat_map(|spent| spent.actions.iter().chain([&spent.lock])))
            .chain(&self.actions)
            .chain(self.close_lock.as_ref())
            .chain(self.settle.as_ref())
    }
}

/// A transcript taken apart.
#[derive(Clone, Debug, Default)]
pub(super) struct TranscriptFile {
    pub(super) manifests: Vec<TranscriptLine>,
    pub(super) rounds: Vec<RoundLines>,
    pub(super) reveals: Vec<TranscriptLine>,
    pub(super) closes: Vec<TranscriptLine>,
    pub(super) log_proofs: Vec<TranscriptLine>,
    /// Whether another record has followed the last round, so that nothing can be added to the
    /// round.
    interrupted: bool,
}

/// Splits a transcript into its parts.
///
/// Manifests and reveals may be between rounds, so that the files of several days can be audited as
/// one. A repeated manifest is the same manifest. A file in which no line looks like an envelope is
/// not a transcript and has no failed check.
pub(super) fn read(text: &[u8]) -> Result<TranscriptFile, Finding> {
    if !transcript::lines(text).any(looks_like_an_envelope) {
        return Err(Finding::skipped(NO_TRANSCRIPT));
    }
    let records =
        transcript::parse(text).map_err(|error| no_record(error.line, &error.error.to_string()))?;
    let mut file = TranscriptFile::default();
    for (i, envelope) in records.into_iter().enumerate() {
        file.add(TranscriptLine { number: i + 1, hash: envelope.hash(), envelope })?;
    }
    Ok(file)
}

/// Splits the lines of one round into its parts, each line with its number.
pub(super) fn read_round(lines: &[(usize, &[u8])]) -> Result<RoundLines, Finding> {
    let mut file = TranscriptFile::default();
    for (number, line) in lines {
        let envelope =
            RecordEnvelope::parse(line).map_err(|error| no_record(*number, &error.to_string()))?;
        file.add(TranscriptLine { number: *number, hash: envelope.hash(), envelope })?;
    }
    file.rounds.pop().ok_or_else(|| Finding::skipped("no round in the lines"))
}

/// Whether a line is an object with the members of an envelope, whatever their values.
fn looks_like_an_envelope(line: &[u8]) -> bool {
    let members = match Json::parse(line) {
        Ok(Json::Obj(members)) => members,
        Ok(Json::Bool(_) | Json::Int(_) | Json::Str(_) | Json::Arr(_)) | Err(_) => return false,
    };
    ["payload", "payloadType", "signatures"].iter().all(|name| members.contains_key(name))
}

fn no_record(line: usize, what: &str) -> Finding {
    Finding::failed(line, "a record in JSON", what)
}

impl TranscriptFile {
    /// Returns every record except the proofs of the log.
    pub(super) fn logged_records(&self) -> impl Iterator<Item = &TranscriptLine> {
        let rounds = self.rounds.iter().flat_map(RoundLines::all);
        self.manifests.iter().chain(rounds).chain(&self.reveals).chain(&self.closes)
    }

    /// Puts a record in its place.
    pub(super) fn add(&mut self, line: TranscriptLine) -> Result<(), Finding> {
        let (number, kind) = (line.number, line.envelope.kind());
        let misplaced = |found: &str| Finding::failed(number, "records in the order made", found);
        match kind {
            RecordKind::Manifest => {
                self.interrupted = true;
                if !self.manifests.iter().any(|manifest| manifest.hash == line.hash) {
                    self.manifests.push(line);
                }
            }
            RecordKind::EpochReveal => {
                self.interrupted = true;
                self.reveals.push(line);
            }
            RecordKind::EpochClose => {
                self.interrupted = true;
                self.closes.push(line);
            }
            RecordKind::LogProof => {
                self.interrupted = true;
                self.log_proofs.push(line);
            }
            RecordKind::Ticket => {
                let again = self.rounds.last().is_some_and(|round| {
                    round.ticket.hash == line.hash && round.all().count() == 1
                });
                if again && !self.interrupted {
                    return Err(misplaced(TICKET_TWICE));
                }
                self.interrupted = false;
                self.rounds.push(RoundLines {
                    ticket: line,
                    wager_lock: None,
                    deal: None,
                    spent: Vec::new(),
                    actions: Vec::new(),
                    close_lock: None,
                    settle: None,
                });
            }
            RecordKind::Lock | RecordKind::Deal | RecordKind::Action | RecordKind::Settle => {
                let Some(round) = self.rounds.last_mut().filter(|_| !self.interrupted) else {
                    return Err(misplaced("a record of a round that does not follow its ticket"));
                };
                if !place(round, line) {
                    return Err(misplaced(&format!(
                        "a {} record out of its place, or a second one",
                        kind.name()
                    )));
                }
            }
        }
        Ok(())
    }
}

/// Puts a record in its place in the round; returns false if it has none there.
fn place(round: &mut RoundLines, line: TranscriptLine) -> bool {
    if round.settle.is_some() {
        return false;
    }
    let slot = match line.envelope.kind() {
        RecordKind::Lock if is_wager_lock(&line, round) => {
            if round.deal.is_some() || round.close_lock.is_some() {
                return false;
            }
            &mut round.wager_lock
        }
        RecordKind::Lock => {
            if round.close_lock.is_some() && !begin_group(round) {
                return false;
            }
            &mut round.close_lock
        }
        RecordKind::Deal
            if round.actions.is_empty() && round.spent.is_empty() && round.close_lock.is_none() =>
        {
            &mut round.deal
        }
        RecordKind::Action if round.deal.is_some() => {
            if round.close_lock.is_some() && !begin_group(round) {
                return false;
            }
            if round.actions.iter().any(|action| action.hash == line.hash) {
                return false;
            }
            round.actions.push(line);
            return true;
        }
        RecordKind::Settle => &mut round.settle,
        RecordKind::Deal
        | RecordKind::Action
        | RecordKind::Manifest
        | RecordKind::Ticket
        | RecordKind::EpochReveal
        | RecordKind::EpochClose
        | RecordKind::LogProof => {
            return false;
        }
    };
    let free = slot.is_none();
    if free {
        *slot = Some(line);
    }
    free
}

/// Takes the last lock and its actions as spent, because another lock is to follow.
///
/// Returns false if no lock may follow: behind a void lock, and behind as many locks as one can
/// supersede.
fn begin_group(round: &mut RoundLines) -> bool {
    if round.spent.len() == MAX_SUPERSEDED {
        return false;
    }
    let Some(lock) = round.close_lock.take_if(|lock| !is_void_lock(lock)) else { return false };
    round.spent.push(SpentLines { actions: std::mem::take(&mut round.actions), lock });
    true
}

pub(super) fn is_void_lock(line: &TranscriptLine) -> bool {
    matches!(read_lock(line), Some(Lock::Close(CloseLock::Void { .. })))
}

fn read_lock(line: &TranscriptLine) -> Option<Lock> {
    line.envelope.json().ok().and_then(|json| Lock::parse(json).ok())
}

/// Returns which of the two locks of a round a record is. Its step decides, or its place if it
/// states no step.
fn is_wager_lock(line: &TranscriptLine, round: &RoundLines) -> bool {
    match read_lock(line) {
        Some(Lock::Wagers(_)) => true,
        Some(Lock::Close(_)) => false,
        None => round.wager_lock.is_none() && round.deal.is_none() && round.close_lock.is_none(),
    }
}
