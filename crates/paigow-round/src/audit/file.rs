//! A transcript taken apart: manifests, rounds, reveals (the check `FORMAT`).

use super::report::Finding;
use crate::record::Lock;
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{Envelope, Kind};
use paigow_fairness::transcript;

/// What is wrong with a ticket that stands twice in a row, with nothing dealt from it.
pub(super) const TICKET_TWICE: &str = "the same ticket twice";

/// A record and its line in the file, from 1.
#[derive(Clone, Debug)]
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) envelope: Envelope,
    pub(super) hash: Hash,
}

/// The records of one round.
#[derive(Clone, Debug)]
pub(super) struct RoundLines {
    pub(super) ticket: Line,
    pub(super) wager_lock: Option<Line>,
    pub(super) deal: Option<Line>,
    pub(super) actions: Vec<Line>,
    pub(super) close_lock: Option<Line>,
    pub(super) settle: Option<Line>,
}

impl RoundLines {
    /// Returns all records in order.
    pub(super) fn all(&self) -> impl Iterator<Item = &Line> {
        [Some(&self.ticket), self.wager_lock.as_ref(), self.deal.as_ref()]
            .into_iter()
            .flatten()
            .chain(&self.actions)
            .chain(self.close_lock.as_ref())
            .chain(self.settle.as_ref())
    }
}

/// A transcript taken apart.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub(super) manifests: Vec<Line>,
    pub(super) rounds: Vec<RoundLines>,
    pub(super) reveals: Vec<Line>,
    /// Whether something else has stood after the last round: nothing can be added to it.
    interrupted: bool,
}

/// Takes a transcript apart.
///
/// Manifests and reveals may stand between rounds, so that the files of several days can be
/// audited as one; a manifest that stands there again is the same manifest.
pub(super) fn read(text: &[u8]) -> Result<File, Finding> {
    let records =
        transcript::parse(text).map_err(|error| no_record(error.line, &error.error.to_string()))?;
    let mut file = File::default();
    for (i, envelope) in records.into_iter().enumerate() {
        file.add(Line { number: i + 1, hash: envelope.hash(), envelope })?;
    }
    Ok(file)
}

/// Takes apart the lines of one round, each with its number.
pub(super) fn read_round(lines: &[(usize, &[u8])]) -> Result<RoundLines, Finding> {
    let mut file = File::default();
    for (number, line) in lines {
        let envelope =
            Envelope::parse(line).map_err(|error| no_record(*number, &error.to_string()))?;
        file.add(Line { number: *number, hash: envelope.hash(), envelope })?;
    }
    file.rounds.pop().ok_or_else(|| Finding::skipped("no round in the lines"))
}

fn no_record(line: usize, what: &str) -> Finding {
    Finding::failed(line, "a record in JSON", what)
}

impl File {
    /// Puts a record in its place.
    pub(super) fn add(&mut self, line: Line) -> Result<(), Finding> {
        let (number, kind) = (line.number, line.envelope.kind());
        let misplaced = |found: &str| Finding::failed(number, "records in the order made", found);
        match kind {
            Kind::Manifest => {
                self.interrupted = true;
                if !self.manifests.iter().any(|manifest| manifest.hash == line.hash) {
                    self.manifests.push(line);
                }
            }
            Kind::EpochReveal => {
                self.interrupted = true;
                self.reveals.push(line);
            }
            Kind::Ticket => {
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
                    actions: Vec::new(),
                    close_lock: None,
                    settle: None,
                });
            }
            Kind::Lock | Kind::Deal | Kind::Action | Kind::Settle => {
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

/// Puts a record in its place in the round; false if it has none there.
fn place(round: &mut RoundLines, line: Line) -> bool {
    if round.settle.is_some() {
        return false;
    }
    let open = round.close_lock.is_none();
    let slot = match line.envelope.kind() {
        Kind::Lock if is_wager_lock(&line, round) => {
            if round.deal.is_some() || !open {
                return false;
            }
            &mut round.wager_lock
        }
        Kind::Lock => &mut round.close_lock,
        Kind::Deal if round.actions.is_empty() && open => &mut round.deal,
        Kind::Action if open && round.deal.is_some() => {
            if round.actions.iter().any(|action| action.hash == line.hash) {
                return false;
            }
            round.actions.push(line);
            return true;
        }
        Kind::Settle => &mut round.settle,
        Kind::Deal | Kind::Action | Kind::Manifest | Kind::Ticket | Kind::EpochReveal => {
            return false;
        }
    };
    let free = slot.is_none();
    if free {
        *slot = Some(line);
    }
    free
}

/// Which of the two locks of a round a record is: by its step, and by its place if it
/// does not say.
fn is_wager_lock(line: &Line, round: &RoundLines) -> bool {
    match line.envelope.json().ok().and_then(|json| Lock::parse(json).ok()) {
        Some(Lock::Wagers(_)) => true,
        Some(Lock::Close(_)) => false,
        None => round.wager_lock.is_none() && round.deal.is_none(),
    }
}
