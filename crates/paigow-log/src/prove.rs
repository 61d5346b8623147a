//! `paigow-log prove`: proofs that the records of a transcript are in the log.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

use paigow_fairness::encoding::Hash;
use paigow_fairness::log_proof::{LogProof, PublicLog, log_leaf};
use paigow_fairness::manifest::Manifest;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_files::command::{CommandError, CommandOutcome, read_file};

use crate::writer::is_logged;
use crate::{LogError, LogReader, LogStore, ObjectLogStore, SignedCheckpoint};

/// The request of `paigow-log prove`.
#[derive(Clone, Debug)]
pub struct LogProving {
    /// The address of the log.
    pub log: String,
    /// The transcript.
    pub transcript: PathBuf,
    /// How many witnesses have to have signed the checkpoint of a proof.
    pub wanted: usize,
    /// The file for the transcript with its proofs; [`None`]: the proofs go to `out`.
    pub to: Option<PathBuf>,
}

/// Writes a proof for each record of a transcript that the log has.
///
/// The proof of a record comes from the first checkpoint with it that witnesses have signed: it
/// dates the record best. A record that no such checkpoint has is named, and is a finding.
///
/// # Errors
///
/// Returns [`CommandError`] in these cases:
///
/// - The transcript cannot be read.
/// - None of its manifests lists a log that has signed the newest checkpoint.
/// - The log cannot be read, or does not agree with its checkpoints.
pub fn prove(request: &LogProving, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let LogProving { transcript: path, .. } = request;
    let text = read_file(path)?;
    let records = transcript::parse(&text)
        .map_err(|error| CommandError::Data(format!("{}: {error}", path.display())))?;
    let store = ObjectLogStore::open(&request.log)?;
    let proofs = proofs(&store, &records, request.wanted)?;
    let (mut lines, mut missing) = (String::new(), Vec::new());
    for (record, proof) in &proofs {
        match proof {
            Ok(proof) => {
                let record = RecordEnvelope::unsigned(RecordKind::LogProof, proof);
                lines += &(record.to_line() + "\n");
            }
            Err(why) => missing.push(format!("{} {}: {why}", record.kind().name(), record.hash())),
        }
    }
    match &request.to {
        None => out.write_all(lines.as_bytes())?,
        Some(to) => {
            let mut whole = text;
            if whole.last().is_some_and(|last| *last != b'\n') {
                whole.push(b'\n');
            }
            whole.extend_from_slice(lines.as_bytes());
            fs::write(to, whole).map_err(|error| {
                CommandError::CannotCreate(format!("{}: {error}", to.display()))
            })?;
        }
    }
    for what in &missing {
        eprintln!("{what}");
    }
    Ok(if missing.is_empty() { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

/// A record that the log takes, with its proof, or with the reason why it has no proof.
type ProofOfRecord<'r> = (&'r RecordEnvelope, Result<LogProof, &'static str>);

/// Returns a proof for each record that the log takes, or the reason why it has no proof.
fn proofs<'r>(
    store: &dyn LogStore,
    records: &'r [RecordEnvelope],
    wanted: usize,
) -> Result<Vec<ProofOfRecord<'r>>, LogError> {
    let (newest, reader) = newest(store, records)?;
    let witnesses = reader.witnesses()?;
    let tree = reader.tree(&newest);
    let mut once = BTreeSet::new();
    let is_first = |record: &&RecordEnvelope| is_logged(record) && once.insert(record.hash());
    let records: Vec<&RecordEnvelope> = records.iter().filter(is_first).collect();
    let found = tree.find(&records.iter().map(|record| log_leaf(record)).collect())?;
    // Each checkpoint that was read by its size, with the lowest size that it is the first for.
    let mut read: BTreeMap<u64, (u64, SignedCheckpoint)> = BTreeMap::new();
    let mut proofs = Vec::new();
    for record in records {
        let leaf = log_leaf(record);
        let Some(&index) = found.get(&leaf) else {
            proofs.push((record, Err("it is not in the log")));
            continue;
        };
        let known = read.range(index + 1..).next().filter(|(_, (from, _))| *from <= index + 1);
        let checkpoint = match known {
            Some((_, (_, checkpoint))) => Some(checkpoint.clone()),
            None => reader.first_cosigned(index + 1, wanted, &witnesses)?,
        };
        // A writer that was killed may have kept a checkpoint that it has not published.
        let Some(checkpoint) = checkpoint.filter(|one| one.size <= newest.size) else {
            proofs.push((record, Err("it is in the log, and no witness has signed that yet")));
            continue;
        };
        let broken = |what: &str| {
            LogError::Broken(format!("the checkpoint of {} entries: {what}", checkpoint.size))
        };
        if !read.contains_key(&checkpoint.size) && tree.root_at(checkpoint.size)? != checkpoint.root
        {
            return Err(broken("it is not of the tree of the newest checkpoint"));
        }
        let lowest =
            read.get(&checkpoint.size).map_or(index + 1, |(from, _)| *from.min(&(index + 1)));
        read.insert(checkpoint.size, (lowest, checkpoint.clone()));
        let path = tree.path(index, checkpoint.size)?;
        let proof = proof(record, index, path, &checkpoint);
        if !proof.leads_to_root(leaf) {
            return Err(broken("its root is not that of the path"));
        }
        proofs.push((record, Ok(proof)));
    }
    Ok(proofs)
}

/// Reads the newest checkpoint under the key of a log that the manifests of a transcript list.
pub(crate) fn newest<'s>(
    store: &'s dyn LogStore,
    records: &[RecordEnvelope],
) -> Result<(SignedCheckpoint, LogReader<'s>), LogError> {
    let manifests = records.iter().filter(|record| record.kind() == RecordKind::Manifest);
    let mut logs: Vec<PublicLog> =
        manifests.filter_map(|record| Manifest::parse(record.json().ok()?).ok()?.log).collect();
    // The newest first.
    logs.reverse();
    let mut refused = LogError::Broken("no manifest of the transcript lists a log".to_owned());
    for log in logs {
        let reader = LogReader::new(store, log);
        match reader.checkpoint(&[]) {
            Ok(Some(checkpoint)) => return Ok((checkpoint, reader)),
            Ok(None) => return Err(LogError::Unavailable("the log has no checkpoint".to_owned())),
            Err(error @ (LogError::Unavailable(_) | LogError::Usage(_))) => return Err(error),
            Err(error @ LogError::Broken(_)) => refused = error,
        }
    }
    Err(refused)
}

fn proof(
    record: &RecordEnvelope,
    index: u64,
    path: Vec<Hash>,
    checkpoint: &SignedCheckpoint,
) -> LogProof {
    LogProof { checkpoint: checkpoint.of_record(), index, path, record: record.hash() }
}
