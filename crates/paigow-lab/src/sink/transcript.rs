//! `paigow-lab sink transcript`: extracts one round from the evidence, in the order of an audit.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::PathBuf;

use super::{SinkFileEvent, each_file};
use crate::{CommandError, CommandOutcome};
use paigow_evidence::{EvidenceLine, LineBody};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Manifest;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_round::record::{Action, CloseLock, DealRecord, Lock, SettleRecord};

/// Writes the manifests and the records of a round in the form that `paigow-lab audit` reads.
///
/// If a round was answered in several ways, each way is written once. An audit reports that as a
/// fork, and the command ends with findings.
///
/// # Errors
///
/// If `round_id` is not 64 hexadecimal digits, a file cannot be read, there is no record of
/// the round, or output fails.
pub fn transcript(
    round_id: &str,
    paths: &[PathBuf],
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let round_id: Hash = round_id
        .parse()
        .map_err(|error| CommandError::Usage(format!("--round {round_id}: {error}")))?;
    let ways = read_round(round_id, paths)?;
    out.write_all(&ways.to_transcript())?;
    Ok(if ways.ways.len() == 1 { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

/// Every way in which a round was answered.
pub(super) struct RoundWays {
    /// The records of each way, in the order of an audit.
    pub(super) ways: Vec<Vec<RecordEnvelope>>,
    manifests: Vec<RecordEnvelope>,
}

impl RoundWays {
    /// Returns the transcript of all ways.
    pub(super) fn to_transcript(&self) -> Vec<u8> {
        let records = self.manifests.iter().chain(self.ways.iter().flatten());
        records.flat_map(|record| (record.to_line() + "\n").into_bytes()).collect()
    }
}

/// Reads every way in which a round was answered.
///
/// # Errors
///
/// If a file cannot be read, or a record of the round is not in the files.
pub(super) fn read_round(round_id: Hash, paths: &[PathBuf]) -> Result<RoundWays, CommandError> {
    let mut manifests: BTreeMap<(u64, Hash), RecordEnvelope> = BTreeMap::new();
    let mut records = TranscriptRound::default();
    each_file(paths, &mut |event| {
        let SinkFileEvent::Line { bytes, whole: true } = event else { return };
        // The verification reports damage.
        let Ok(line) = EvidenceLine::parse(bytes) else { return };
        match line.body {
            LineBody::Manifest(found) => {
                for manifest in found {
                    let seq = manifest.json().ok().and_then(|json| Manifest::parse(json).ok());
                    let seq = seq.map_or(u64::MAX, |manifest| manifest.seq);
                    manifests.insert((seq, manifest.hash()), manifest);
                }
            }
            LineBody::Record(entry) if entry.round_id == round_id => {
                entry.records.into_iter().for_each(|record| records.add(record));
                records.named.extend(entry.kept);
            }
            LineBody::Record(_) | LineBody::Start(_) | LineBody::Event(_) | LineBody::Stop => {}
        }
    })?;
    let ways = records.ways();
    if ways.is_empty() {
        return Err(CommandError::Data(format!("no record of round {round_id} in these files")));
    }
    if let Some(missing) = records.named.iter().find(|hash| !records.by_hash.contains_key(*hash)) {
        return Err(CommandError::Data(format!(
            "record {missing} of the round is in no line of these files: give the evidence of all \
             replicas"
        )));
    }
    let ways = ways.into_iter().map(|way| way.into_iter().cloned().collect()).collect();
    Ok(RoundWays { ways, manifests: manifests.into_values().collect() })
}

/// The records of a round, each once.
#[derive(Default)]
struct TranscriptRound {
    by_hash: BTreeMap<Hash, RecordEnvelope>,
    /// Their hashes in the order in which they were read.
    order: Vec<Hash>,
    /// The records that lines name.
    named: BTreeSet<Hash>,
}

impl TranscriptRound {
    fn add(&mut self, record: RecordEnvelope) {
        let hash = record.hash();
        let before = self.by_hash.get(&hash);
        if before.is_none() {
            self.order.push(hash);
        }
        // The signatures are not part of the hash, so the record with more of them is kept.
        if before.is_none_or(|before| before.signatures().len() < record.signatures().len()) {
            self.by_hash.insert(hash, record);
        }
    }

    /// Returns every way in which the round was answered: from each record that no other follows,
    /// back to the ticket.
    fn ways(&self) -> Vec<Vec<&RecordEnvelope>> {
        let records = || self.order.iter().filter_map(|hash| Some((hash, self.by_hash.get(hash)?)));
        let links = || records().filter(|(_, record)| record.kind() != RecordKind::Action);
        let followed: BTreeSet<Hash> = links()
            .filter_map(|(_, record)| links_of(record))
            .flat_map(|links| [vec![links.prev], links.supersedes].concat())
            .collect();
        links()
            .filter(|(hash, _)| !followed.contains(hash))
            .map(|(_, last)| self.way_to(last))
            .collect()
    }

    fn way_to<'a>(&'a self, last: &'a RecordEnvelope) -> Vec<&'a RecordEnvelope> {
        let (mut way, mut seen) = (vec![last], BTreeSet::from([last.hash()]));
        let mut record = last;
        while let Some(links) = links_of(record) {
            // Written from the end, so the last action comes first.
            way.extend(self.backwards(&links.actions));
            for spent in self.backwards(&links.supersedes) {
                way.push(spent);
                way.extend(links_of(spent).iter().flat_map(|links| self.backwards(&links.actions)));
            }
            let Some(before) = self.by_hash.get(&links.prev) else { break };
            // Hashes cannot form a circle, but forged files can.
            if !seen.insert(links.prev) {
                break;
            }
            way.push(before);
            record = before;
        }
        way.reverse();
        way
    }

    /// Returns the records of a list, each once, the last first.
    fn backwards(&self, hashes: &[Hash]) -> Vec<&RecordEnvelope> {
        let once = hashes.iter().enumerate().filter(|(i, hash)| !hashes[..*i].contains(hash));
        let mut records: Vec<_> = once.filter_map(|(_, hash)| self.by_hash.get(hash)).collect();
        records.reverse();
        records
    }
}

/// The records that a record refers to.
struct RecordLinks {
    prev: Hash,
    /// The spent locks, oldest first.
    supersedes: Vec<Hash>,
    /// The actions, in the lock's order.
    actions: Vec<Hash>,
}

/// Returns the links within the round. That of a ticket leads out of it.
fn links_of(record: &RecordEnvelope) -> Option<RecordLinks> {
    let json = record.json().ok()?;
    let (mut supersedes, mut actions) = (Vec::new(), Vec::new());
    let prev = match record.kind() {
        RecordKind::Lock => {
            let lock = Lock::parse(json).ok()?;
            let prev = *lock.prev();
            if let Lock::Close(close) = lock {
                supersedes = close.supersedes().to_vec();
                if let CloseLock::Final { actions: listed, .. } = close {
                    actions = listed;
                }
            }
            prev
        }
        RecordKind::Deal => DealRecord::parse(json).ok()?.prev,
        RecordKind::Action => Action::parse(json).ok()?.0.prev,
        RecordKind::Settle => *SettleRecord::parse(json).ok()?.prev(),
        RecordKind::Ticket
        | RecordKind::Manifest
        | RecordKind::EpochReveal
        | RecordKind::EpochClose
        | RecordKind::LogProof => return None,
    };
    Some(RecordLinks { prev, supersedes, actions })
}
