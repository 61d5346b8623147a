//! `paigow-keys dev-close`: the end of a development epoch, long before its time.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::draw::start_up_test;
use super::records;
use paigow_fairness::encoding::Identifier;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;
use paigow_fairness::transcript;
use paigow_files::command::{CommandError, read_file};
use paigow_files::keys::{DevKeyring, KeyEntropy, KeyFault};
use paigow_round::Catalogue;
use paigow_round::audit::{AuditTerms, AuditVerdict, audit};
use paigow_round::record::{EpochClose, EpochReveal, EpochRounds, LeafRecord};

/// Reveals and closes the development epochs of `transcripts`, and appends the records to each.
///
/// `dir` is the keyring that a development server made. The close counts the rounds of the
/// transcripts, as a development server keeps no evidence. A receipt key signs it. The records are
/// kept in `dir`, and a later call appends the same records. The keyring continues with a new
/// epoch.
///
/// `now` is in Unix seconds.
///
/// # Errors
///
/// Returns [`CommandError`] in these cases:
///
/// - `dir` is not a development keyring.
/// - A transcript has no round or a round of another keyring, or does not agree with its audit.
/// - The rounds are not of the epoch in force, and their epoch was not closed before.
/// - Entropy or the file system fails.
pub fn dev_close(
    dir: &Path,
    transcripts: &[PathBuf],
    now: u64,
    entropy: KeyEntropy<'_>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let keyring = DevKeyring::open(dir).map_err(told)?;
    start_up_test(entropy)?;
    let files: Vec<PlayedFile> = transcripts
        .iter()
        .map(|path| PlayedFile::read(path, &keyring))
        .collect::<Result<_, _>>()?;
    let mut ends: BTreeMap<u32, EpochEnd> = BTreeMap::new();
    for epoch in files.iter().flat_map(|file| &file.epochs) {
        if !ends.contains_key(epoch) {
            ends.insert(*epoch, EpochEnd::of(dir, *epoch, &keyring, &files)?);
        }
    }
    // Nothing is written unless every file agrees.
    for file in &files {
        file.check(&ends, &keyring)?;
    }
    for (epoch, end) in &ends {
        end.keep(dir, *epoch)?;
    }
    let next = if ends.contains_key(&keyring.epoch()) {
        let cannot = |fault: KeyFault| CommandError::CannotCreate(fault.to_string());
        Some(keyring.next_epoch(now, entropy).map_err(cannot)?)
    } else {
        None
    };
    for file in &files {
        let count = file.append(&ends)?;
        writeln!(out, "{}: {count} records appended", file.path.display())?;
    }
    for (epoch, end) in &ends {
        let rounds = if end.rounds == 1 { "round" } else { "rounds" };
        writeln!(out, "epoch {epoch} is revealed and closed with {} {rounds}:", end.rounds)?;
        writeln!(
            out,
            "  every deck of epoch {epoch} is known now; no further round of it proves anything"
        )?;
        writeln!(out, "  no witness has signed the close: nothing_left_out stays not shown")?;
    }
    if let Some(next) = next {
        writeln!(out, "the server goes on with epoch {next}, at once or at its next start")?;
    }
    Ok(())
}

fn told(faults: Vec<KeyFault>) -> CommandError {
    let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
    CommandError::Usage(lines.join("\n"))
}

/// A transcript, and the epochs of its rounds.
struct PlayedFile {
    path: PathBuf,
    bytes: Vec<u8>,
    records: Vec<RecordEnvelope>,
    epochs: BTreeSet<u32>,
}

impl PlayedFile {
    fn read(path: &Path, keyring: &DevKeyring) -> Result<Self, CommandError> {
        let refuse = |what: String| CommandError::Data(format!("{}: {what}", path.display()));
        if path == Path::new("-") {
            return Err(CommandError::Usage(
                "-: give a file, to which records can be appended".to_owned(),
            ));
        }
        let bytes = read_file(path)?;
        let records = transcript::parse(&bytes).map_err(|error| refuse(error.to_string()))?;
        let mut epochs = BTreeSet::new();
        for ticket in records.iter().filter_map(ticket) {
            if keyring.loaded.manifests.by_hash(&ticket.manifest).is_none() {
                let what = "no manifest of the keyring is the one that its ticket names";
                return Err(refuse(format!("round {}: {what}", ticket.round_id)));
            }
            epochs.insert(ticket.coordinates.epoch);
        }
        if epochs.is_empty() {
            return Err(refuse("the file has no round".to_owned()));
        }
        Ok(Self { path: path.to_owned(), bytes, records, epochs })
    }

    /// Returns the lines that the file lacks.
    fn missing(&self, ends: &BTreeMap<u32, EpochEnd>) -> Vec<String> {
        let own = self.epochs.iter().filter_map(|epoch| ends.get(epoch));
        let records = own.flat_map(|end| &end.records);
        let missing = records.filter(|record| !self.records.contains(record));
        let start = if self.bytes.ends_with(b"\n") { "" } else { "\n" };
        missing
            .zip([start].into_iter().chain(std::iter::repeat("")))
            .map(|(record, start)| format!("{start}{}\n", record.to_line()))
            .collect()
    }

    /// Refuses a file that is a mismatch with the records appended.
    fn check(
        &self,
        ends: &BTreeMap<u32, EpochEnd>,
        keyring: &DevKeyring,
    ) -> Result<(), CommandError> {
        let whole = [self.bytes.as_slice(), self.missing(ends).concat().as_bytes()].concat();
        let terms = AuditTerms::of(keyring.loaded.root.clone());
        let report = audit(&whole, &terms, &Catalogue::shipped());
        if report.verdict() != AuditVerdict::Mismatch {
            return Ok(());
        }
        let path = self.path.display();
        let what = format!("{path}: with the close its audit is a mismatch: {}", report.because());
        Err(CommandError::Data(what))
    }

    /// Appends the lines that the file lacks, and returns how many.
    fn append(&self, ends: &BTreeMap<u32, EpochEnd>) -> Result<usize, CommandError> {
        let missing = self.missing(ends);
        OpenOptions::new()
            .append(true)
            .open(&self.path)
            .and_then(|mut file| {
                file.write_all(missing.concat().as_bytes())?;
                file.sync_all()
            })
            .map_err(|error| cannot(&self.path, &error))?;
        Ok(missing.len())
    }
}

fn ticket(record: &RecordEnvelope) -> Option<Ticket> {
    if record.kind() != RecordKind::Ticket {
        return None;
    }
    record.json().ok().and_then(|json| Ticket::parse(json).ok())
}

fn cannot(path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::CannotCreate(format!("{}: {error}", path.display()))
}

/// The reveal of an epoch, and a close for each of its tenants.
struct EpochEnd {
    records: Vec<RecordEnvelope>,
    /// How many rounds the closes count.
    rounds: u64,
    is_kept: bool,
}

impl EpochEnd {
    /// Returns the records that were kept of an epoch, or makes them from the rounds of `files`.
    fn of(
        dir: &Path,
        epoch: u32,
        keyring: &DevKeyring,
        files: &[PlayedFile],
    ) -> Result<Self, CommandError> {
        let path = kept(dir, epoch);
        if path.exists() {
            return Ok(Self::with(records(&path)?, true));
        }
        let refuse = |what: &str| Err(CommandError::Usage(format!("epoch {epoch}: {what}")));
        if epoch != keyring.epoch() {
            return refuse("not the epoch in force, and not closed by this command before");
        }
        let newest = &keyring.loaded.manifests.newest().manifest;
        let listed = newest.receipt_keys.iter().filter(|listed| !listed.revoked);
        let held = |public| keyring.loaded.keys.receipt_key(public)?.held();
        let Some(key) = listed.map(|listed| &listed.key).find_map(held) else {
            return refuse("the keyring holds no receipt key that the newest manifest lists");
        };
        let Some((secret, _)) = keyring.loaded.keys.epoch(epoch) else {
            return refuse("the keyring does not hold its secret");
        };
        let seal = |kind, payload: &_| RecordEnvelope::seal(kind, payload, &[key]);
        let reveal = EpochReveal { epoch, secret: secret.clone() }.to_json();
        let reveal = seal(RecordKind::EpochReveal, &reveal);
        let closes = rounds_by_tenant(epoch, files);
        let closes = closes.values().filter_map(EpochRounds::close);
        let closes = closes.map(|close| seal(RecordKind::EpochClose, &close.to_json()));
        Ok(Self::with([reveal].into_iter().chain(closes).collect(), false))
    }

    fn with(records: Vec<RecordEnvelope>, is_kept: bool) -> Self {
        let close = |record: &RecordEnvelope| EpochClose::parse(record.json().ok()?).ok();
        let rounds = records.iter().filter_map(close).map(|close| close.leaves).sum();
        Self { records, rounds, is_kept }
    }

    /// Keeps the records in the keyring, so that the epoch has no second close.
    fn keep(&self, dir: &Path, epoch: u32) -> Result<(), CommandError> {
        if self.is_kept {
            return Ok(());
        }
        let path = kept(dir, epoch);
        let lines: String = self.records.iter().map(|record| record.to_line() + "\n").collect();
        OpenOptions::new()
            .write(true)
            .create_new(true)
            .open(&path)
            .and_then(|mut file| {
                file.write_all(lines.as_bytes())?;
                file.sync_all()
            })
            .map_err(|error| cannot(&path, &error))
    }
}

/// Returns the file that keeps the records of a closed epoch.
fn kept(dir: &Path, epoch: u32) -> PathBuf {
    dir.join(format!("closed-{epoch}.jsonl"))
}

/// Returns the rounds of an epoch in all files, by tenant.
fn rounds_by_tenant(epoch: u32, files: &[PlayedFile]) -> BTreeMap<Identifier, EpochRounds> {
    let mut tenants: BTreeMap<Identifier, EpochRounds> = BTreeMap::new();
    for file in files {
        let mut place = None;
        for record in &file.records {
            if let Some(ticket) = ticket(record) {
                place = Some(ticket.coordinates).filter(|place| place.epoch == epoch);
            }
            let (Some(place), Some(leaf)) = (&place, LeafRecord::of(record)) else { continue };
            let tenant = &place.tenant;
            let rounds = tenants.entry(tenant.clone());
            let rounds = rounds.or_insert_with(|| EpochRounds::new(epoch, tenant.clone()));
            rounds.add(&place.table, place.round_no, leaf);
        }
    }
    tenants
}
