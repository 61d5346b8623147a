//! `paigow-lab replay-all`: audits millions of rounds from transcripts, on all processors, in
//! bounded memory.
//!
//! The files are one input, in the given order. The differences to `paigow-lab audit` of the same
//! lines:
//!
//! - A line that is not a record, or is out of its place, refuses its round and no other.
//! - `GENESIS` and `NO_FORK` look back over the last [`RoundWindow::ROUNDS`] rounds. `GENESIS` is
//!   skipped for a round whose predecessor is further above, or below. `paigow-lab sink verify`
//!   finds forks that are further apart.
//! - Manifests and reveals of files are found before the first round is audited. So reveals count
//!   for rounds above them. Standard input is read once, so a reveal in it counts only for the
//!   rounds below it.
//! - A record of a round is at most 8 MiB long, and a round has at most 640 records.
//! - Proofs of the public log are ignored: `LOGGED` and every check that needs a time are skipped.
//!
//! Every other check is the same function on the same records.
//!
//! Machines can share the work: each audits a shard into a part, and a merge of the parts makes the
//! checks that look at other rounds. Its output is that of one run, byte for byte.

mod lines;
mod part;
mod report;
mod rounds_table;
mod source;
mod tally;
mod voids;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use indicatif::{ProgressBar, ProgressStyle};

use self::lines::{BatchBuilder, InputPart, RoundBatch, each_line};
use self::part::{PartHeader, PartReaders, PartWriter, StoredLine};
use self::rounds_table::RoundsTable;
use self::tally::{AuditTally, InputFiles};
pub use self::voids::DEFAULT_SAMPLES;
pub(crate) use self::voids::{OpenStakes, VoidCount};
use super::audit::outcome;
use super::in_order::in_order;
use super::shard::Shard;
use super::{CommandError, CommandOutcome, counted};
use paigow_fairness::beacon::BeaconSignature;
use paigow_fairness::encoding::hex_bytes;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::command::read_text;
use paigow_round::Catalogue;
use paigow_round::audit::{
    AuditTerms, Auditor, BulkFinding, CheckCode, CheckStatus, RoundFindings, RoundWindow,
};

/// The request of `paigow-lab replay-all`.
#[derive(Clone, Debug)]
pub struct BulkAuditRequest {
    /// Transcripts: plain, gzip or zstd. `-` is standard input, and must be the last.
    pub files: Vec<PathBuf>,
    /// The number of threads; [`None`] is one for each processor.
    pub threads: Option<usize>,
    /// Writes JSON instead of a table.
    pub json: bool,
    /// The file for the list of all failures, in JSON Lines; `-` is standard output.
    pub failures: Option<PathBuf>,
    /// The terms of the audit.
    pub terms: AuditTerms,
    /// The names of the required claims.
    pub required: Vec<String>,
    /// Counts rounds with locked wagers and no settlement, with this many other deals of each.
    pub voids: Option<u32>,
    /// The signatures of the beacon's rounds, by number: for rounds that were voided before a deal.
    pub beacon_rounds: BTreeMap<u64, BeaconSignature>,
    /// The parts that shards of the same audit have written. They are merged, and no round is
    /// audited again. If empty, every round is audited.
    pub parts: Vec<PathBuf>,
    /// The new file for the verdict of each round, as a Parquet table.
    pub rounds: Option<PathBuf>,
}

/// Audits all rounds and writes the sums.
///
/// # Errors
///
/// If a file cannot be opened, if the list of failures cannot be written, or if output fails. A
/// fault in the files is no error but a finding.
pub fn run(
    request: &BulkAuditRequest,
    catalogue: &Catalogue,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let files = &request.files;
    if files.iter().rev().skip(1).any(|path| is_input(path)) {
        return Err(CommandError::Usage(
            "-: give standard input once, as the last file".to_owned(),
        ));
    }
    let mut failures: Box<dyn Write> = match &request.failures {
        None => Box::new(io::sink()),
        Some(path) if is_input(path) => Box::new(BufWriter::new(&mut *out)),
        Some(path) => Box::new(BufWriter::new(File::create(path).map_err(|error| {
            CommandError::CannotCreate(format!("{}: {error}", path.display()))
        })?)),
    };
    let (tally, voids) = audit(request, records(files)?, catalogue, &mut *failures)?;
    failures.flush()?;
    drop(failures);
    if request.json {
        let mut summary = report::json(&tally);
        if let Some(voids) = voids {
            summary["voids"] = voids.json();
        }
        writeln!(out, "{summary}")?;
    } else {
        report::text(&tally, out)?;
        voids.map_or(Ok(()), |voids| voids.text(out))?;
    }
    Ok(outcome(tally.reason().verdict(), &tally.claims(), &request.required))
}

/// Audits the rounds of a shard into a part, and continues an existing part. A file that cannot be
/// read to its end is a finding.
///
/// # Errors
///
/// If a file cannot be read or is standard input. Also if the part is of another audit.
pub fn run_shard(
    request: &BulkAuditRequest,
    shard: Shard,
    part: &Path,
    catalogue: &Catalogue,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    if request.files.iter().any(|path| is_input(path)) {
        let what = "-: a shard reads files, since each shard reads all of the input";
        return Err(CommandError::Usage(what.to_owned()));
    }
    let records = records(&request.files)?;
    let header = PartHeader::of(&request.terms, catalogue, &records, shard);
    let mut part = PartWriter::open(part, &header, shard)?;
    let found_before = part.done;
    let mut input = AuditInput::of(request, records, catalogue);
    let (mut rounds, mut batches) = (0_u64, 0_u64);
    in_order(
        request.threads.unwrap_or_else(paigow_files::system::processors),
        |job: AuditJob<'_>| {
            let found = job.audited();
            (job, found)
        },
        |(job, found)| {
            rounds += u64::try_from(found.len()).unwrap_or(0);
            part.add(job.number, &job.batch, found)
        },
        |give| {
            input.read(&mut |job| {
                batches = job.number + 1;
                let (place, of) = (u64::from(shard.index), u64::from(shard.of));
                let is_next = job.number % of == place && job.number / of >= found_before;
                if is_next { give(job) } else { Ok(()) }
            })
        },
    )?;
    let done = part.done;
    part.end()?;
    writeln!(
        out,
        "shard {shard}: {} audited; the part is whole, with {done} of the {batches} batches",
        counted(rounds, "round")
    )?;
    // Another shard may have read further, and its part would be of another text.
    for found in &input.unreadable {
        let places = lock(&input.places);
        let (file, line) = places.of(found.line.unwrap_or(0));
        writeln!(out, "{file}, line {line}: cannot be read on: {}", found.found)?;
    }
    let whole = input.unreadable.is_empty();
    Ok(if whole { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

/// Finds the manifests and reveals of all files except standard input.
fn records(files: &[PathBuf]) -> Result<Vec<(usize, RecordEnvelope)>, CommandError> {
    let files: Vec<&PathBuf> = files.iter().filter(|path| !is_input(path)).collect();
    let bar = bar(&files, "manifests and reveals");
    let (mut records, mut before) = (Vec::new(), 0);
    for path in files {
        let mut last = 0;
        let read = each_line(&mut source::open(path, &bar)?, |number, line| {
            last = number;
            if let Some(envelope) = lines::record(line) {
                add_new(&mut records, before + number, envelope);
            }
            Ok::<(), CommandError>(())
        })?;
        // A file that cannot be read is reported after its rounds.
        drop(read);
        before += last;
    }
    bar.finish_and_clear();
    Ok(records)
}

fn is_input(path: &Path) -> bool {
    path == Path::new("-")
}

/// Reads the signatures of a beacon's rounds: `ROUND SIGNATURE` on each line. Empty without a file.
///
/// # Errors
///
/// If the file cannot be read, or if a line is not a number and 96 hexadecimal digits.
pub fn read_beacon_rounds(
    path: Option<&Path>,
) -> Result<BTreeMap<u64, BeaconSignature>, CommandError> {
    let Some(path) = path else { return Ok(BTreeMap::new()) };
    let text = read_text(path)?;
    let read = |(place, line): (usize, &str)| {
        let read = line.split_once(' ').and_then(|(round, signature)| {
            Some((round.parse().ok()?, hex_bytes(signature.trim()).ok()?))
        });
        let what = "a round of the beacon and its signature in hexadecimal";
        read.ok_or_else(|| {
            CommandError::Data(format!("{}: line {}: not {what}", path.display(), place + 1))
        })
    };
    text.lines().enumerate().map(read).collect()
}

/// Adds a record that is not present yet, because files of several days repeat their manifests.
/// Skips proofs of the public log, which an audit of rounds one by one does not read.
fn add_new(
    records: &mut Vec<(usize, RecordEnvelope)>,
    number: usize,
    envelope: RecordEnvelope,
) -> bool {
    let is_read = envelope.kind() != RecordKind::LogProof;
    let is_new = is_read && records.iter().all(|(_, known)| *known != envelope);
    if is_new {
        records.push((number, envelope));
    }
    is_new
}

/// Returns a bar over the stored bytes of files. Its length is unknown with standard input.
fn bar(files: &[&PathBuf], what: &'static str) -> ProgressBar {
    let size = |path: &&PathBuf| {
        let regular = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file);
        regular.map(|facts| facts.len())
    };
    let total: Option<u64> = files.iter().map(size).sum();
    let template = match total {
        Some(_) => "{msg} {wide_bar} {bytes}/{total_bytes}, {eta} to go",
        None => "{msg} {spinner} {bytes}, {bytes_per_sec}",
    };
    let style = ProgressStyle::with_template(template).expect("a constant that a test draws");
    let bar = total.map_or_else(ProgressBar::no_length, ProgressBar::new);
    bar.with_style(style).with_message(what)
}

/// Some rounds, and the context of their audit.
struct AuditJob<'a> {
    /// The number of the batch, from 0.
    number: u64,
    batch: RoundBatch,
    auditor: Arc<Auditor<'a>>,
    /// The findings that a part has of the batch.
    stored: Option<StoredLine>,
}

impl AuditJob<'_> {
    fn audited(&self) -> Vec<RoundFindings> {
        self.batch.rounds().map(|(lines, _)| self.auditor.round(&lines)).collect()
    }

    fn findings(&self) -> Result<Vec<RoundFindings>, CommandError> {
        match &self.stored {
            Some(line) => line.findings(self.number, &self.batch),
            None => Ok(self.audited()),
        }
    }
}

/// The files of an audit, read in their order.
struct AuditInput<'a> {
    request: &'a BulkAuditRequest,
    catalogue: &'a Catalogue,
    /// The manifests, reveals and closes that are known so far.
    records: Vec<(usize, RecordEnvelope)>,
    known: Arc<Auditor<'a>>,
    places: Arc<Mutex<InputFiles>>,
    unreadable: Vec<BulkFinding>,
}

impl<'a> AuditInput<'a> {
    fn of(
        request: &'a BulkAuditRequest,
        records: Vec<(usize, RecordEnvelope)>,
        catalogue: &'a Catalogue,
    ) -> Self {
        let known = Arc::new(Auditor::new(records.clone(), &request.terms, catalogue));
        let (places, unreadable) = (Arc::default(), Vec::new());
        Self { request, catalogue, records, known, places, unreadable }
    }

    /// Reads all files. `give` receives the batches.
    fn read(
        &mut self,
        give: &mut dyn FnMut(AuditJob<'a>) -> Result<(), CommandError>,
    ) -> Result<(), CommandError> {
        let files: Vec<&PathBuf> = self.request.files.iter().collect();
        let bar = bar(&files, "rounds");
        let (mut before, mut number) = (0, 0);
        for path in files {
            lock(&self.places).begin(before, path.display().to_string());
            let (mut cutter, mut last) = (BatchBuilder::default(), before);
            let mut take = |piece| match piece {
                InputPart::Rounds(batch) => {
                    number += 1;
                    let auditor = Arc::clone(&self.known);
                    give(AuditJob { number: number - 1, batch, auditor, stored: None })
                }
                InputPart::Record(number, envelope) => {
                    if add_new(&mut self.records, number, envelope) {
                        let (records, terms) = (self.records.clone(), &self.request.terms);
                        self.known = Arc::new(Auditor::new(records, terms, self.catalogue));
                    }
                    Ok(())
                }
            };
            let read = each_line(&mut source::open(path, &bar)?, |number, line| {
                last = before + number;
                cutter.add(last, line, &mut take)
            })?;
            cutter.end(&mut take)?;
            before = last;
            self.unreadable.extend(read.err().map(|error| cut_off(last + 1, &error)));
        }
        bar.finish_and_clear();
        Ok(())
    }
}

fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

fn audit(
    request: &BulkAuditRequest,
    records: Vec<(usize, RecordEnvelope)>,
    catalogue: &Catalogue,
    failures: &mut dyn Write,
) -> Result<(AuditTally, Option<VoidCount>), CommandError> {
    let threads = request.threads.unwrap_or_else(paigow_files::system::processors);
    let header = |shard| PartHeader::of(&request.terms, catalogue, &records, shard);
    let parts = (!request.parts.is_empty()).then(|| PartReaders::open(&request.parts, header));
    let mut parts = parts.transpose()?;
    let mut table = request.rounds.as_deref().map(RoundsTable::create).transpose()?;
    let mut input = AuditInput::of(request, records, catalogue);
    let places = Arc::clone(&input.places);
    let (mut tally, mut window) = (AuditTally::new(), RoundWindow::default());
    let mut stakes = OpenStakes::default();
    in_order(
        threads,
        |job: AuditJob<'_>| {
            let found = job.findings();
            (job, found)
        },
        |(job, found)| {
            for ((lines, follows_round), round) in job.batch.rounds().zip(found?) {
                let first_line = lines.first().map_or(0, |(number, _)| *number);
                let round = window.add(&job.auditor, &lines, follows_round, round);
                let conclusion = job.auditor.conclusion(&round);
                if request.voids.is_some() {
                    stakes.add(&lines, &round);
                }
                let places = lock(&places);
                if let Some(table) = &mut table {
                    table.add(&round, &conclusion, places.of(first_line))?;
                }
                tally.round(&round, &conclusion, first_line, &places, failures)?;
            }
            Ok::<(), CommandError>(())
        },
        |give| {
            input.read(&mut |mut job| {
                job.stored = parts.as_mut().map(|parts| parts.line(job.number)).transpose()?;
                give(job)
            })
        },
    )?;
    parts.map_or(Ok(()), PartReaders::end)?;
    table.map_or(Ok(()), RoundsTable::end)?;
    let AuditInput { known, records, unreadable, .. } = input;
    let before = window.begins_at_known_rounds(&known).err();
    tally.end(window.trees(&known), window.first_gap(), before, window.unclosed());
    for found in known.found().iter().chain(&unreadable) {
        tally.note(found, None, &lock(&places), failures)?;
    }
    let count = |samples| {
        let beacons = &request.beacon_rounds;
        stakes.count(tally.rounds, &records, beacons, catalogue, samples, threads)
    };
    let voids = request.voids.map(count);
    Ok((tally, voids))
}

/// A file that cannot be read further from a line on.
fn cut_off(line: usize, error: &io::Error) -> BulkFinding {
    BulkFinding {
        code: CheckCode::Format,
        status: CheckStatus::Failed,
        expected: "a file that can be read to its end".to_owned(),
        found: error.to_string(),
        line: Some(line),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_progress_bars_can_be_drawn() {
        for files in [&[][..], &[&"Cargo.toml".into()], &[&"-".into()]] {
            super::bar(files, "rounds").finish();
        }
    }
}
