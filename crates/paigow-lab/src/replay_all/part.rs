//! The findings of a shard of a bulk audit, in a file. A stopped run continues from it, and a merge
//! reads it.
//!
//! The first line names the audit. Each other line has the findings of one batch of rounds, and the
//! hash of their text. The last line says that the part is complete. A shard has every n-th batch
//! of the input.

use std::fs::{File, OpenOptions};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::lines::RoundBatch;
use crate::CommandError;
use crate::shard::Shard;
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::RecordEnvelope;
use paigow_files::build::GIT_REVISION;
use paigow_round::Catalogue;
use paigow_round::audit::{AuditTerms, RoundFindings};

/// The audit that a part belongs to.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub(super) struct PartHeader {
    format: String,
    /// The version and the revision of the program.
    program: String,
    /// The hash of the terms, of the rules that are loaded, and of the manifests, reveals and closes
    /// of the input.
    audit: Hash,
    shard: String,
}

impl PartHeader {
    pub(super) fn of(
        terms: &AuditTerms,
        catalogue: &Catalogue,
        records: &[(usize, RecordEnvelope)],
        shard: Shard,
    ) -> Self {
        let mut text = format!("{terms:?}\n");
        for game in catalogue.games() {
            text += &format!("{} {}\n", game.hash, game.house_way_hash);
        }
        for (number, record) in records {
            text += &format!("{number} {}\n", record.to_line());
        }
        Self {
            format: "paigow-audit-part-1".to_owned(),
            program: format!("{} {GIT_REVISION}", env!("CARGO_PKG_VERSION")),
            audit: Hash::of(text.as_bytes()),
            shard: shard.to_string(),
        }
    }
}

/// The findings of a batch.
#[derive(Debug, Deserialize, Serialize)]
struct StoredBatch {
    batch: u64,
    text: Hash,
    rounds: Vec<RoundFindings>,
}

/// The last line of a part.
const END: &[u8] = b"{\"part\":\"whole\"}\n";

fn fault(path: &Path, what: impl std::fmt::Display) -> CommandError {
    CommandError::Data(format!("{}: {what}", path.display()))
}

/// A part that is written.
pub(super) struct PartWriter {
    path: PathBuf,
    file: BufWriter<File>,
    /// How many batches of the shard it has.
    pub(super) done: u64,
}

impl PartWriter {
    /// Creates a part, or continues one. A line that a crash has left unfinished is cut off.
    pub(super) fn open(
        path: &Path,
        header: &PartHeader,
        shard: Shard,
    ) -> Result<Self, CommandError> {
        let cannot = |error| cannot(path, &error);
        let open =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = open.map_err(cannot)?;
        let first = serde_json::to_string(header).map_err(|error| fault(path, error))? + "\n";
        let mut lines = BufReader::new(&file);
        let mut line = Vec::new();
        lines.read_until(b'\n', &mut line).map_err(cannot)?;
        let (mut end, mut done) = (first.len(), 0);
        if line != first.as_bytes() {
            // The file is empty, or has the beginning of the line.
            if !first.as_bytes().starts_with(&line) {
                let what = format!("not the part {shard} of this audit by this program");
                return Err(fault(path, what));
            }
            file.rewind().and_then(|()| file.write_all(first.as_bytes())).map_err(cannot)?;
        } else {
            line.clear();
            while lines.read_until(b'\n', &mut line).map_err(cannot)? > 0 {
                let next = u64::from(shard.index) + done * u64::from(shard.of);
                let read = serde_json::from_slice::<StoredBatch>(&line).ok();
                if line.last() != Some(&b'\n') || read.is_none_or(|read| read.batch != next) {
                    break;
                }
                (end, done) = (end + line.len(), done + 1);
                line.clear();
            }
        }
        let end = u64::try_from(end).map_err(|error| fault(path, error))?;
        file.set_len(end).map_err(cannot)?;
        file.seek(SeekFrom::Start(end)).map_err(cannot)?;
        Ok(Self { path: path.to_owned(), file: BufWriter::new(file), done })
    }

    /// Adds the findings of a batch.
    pub(super) fn add(
        &mut self,
        number: u64,
        batch: &RoundBatch,
        rounds: Vec<RoundFindings>,
    ) -> Result<(), CommandError> {
        let stored = StoredBatch { batch: number, text: batch.hash(), rounds };
        let mut line = serde_json::to_vec(&stored).map_err(|error| fault(&self.path, error))?;
        line.push(b'\n');
        self.write(&line)?;
        self.done += 1;
        Ok(())
    }

    fn write(&mut self, line: &[u8]) -> Result<(), CommandError> {
        let written = self.file.write_all(line).and_then(|()| self.file.flush());
        written.map_err(|error| cannot(&self.path, &error))
    }

    /// Ends the part, which is then complete and on the disk.
    pub(super) fn end(mut self) -> Result<(), CommandError> {
        self.write(END)?;
        self.file.get_ref().sync_all().map_err(|error| cannot(&self.path, &error))
    }
}

fn cannot(path: &Path, error: &io::Error) -> CommandError {
    CommandError::CannotCreate(format!("{}: {error}", path.display()))
}

/// Returns whether a file ends with the last line of a part.
fn is_whole(file: &mut File) -> io::Result<bool> {
    let mut last = [0; END.len()];
    let len = i64::try_from(END.len()).map_err(io::Error::other)?;
    if file.metadata()?.len() < END.len() as u64 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-len))?;
    file.read_exact(&mut last)?;
    file.rewind()?;
    Ok(last == END)
}

/// The parts of all shards, read in parallel.
pub(super) struct PartReaders(Vec<(PathBuf, BufReader<File>)>);

impl PartReaders {
    /// Opens the parts, in any order.
    pub(super) fn open(
        paths: &[PathBuf],
        header: impl Fn(Shard) -> PartHeader,
    ) -> Result<Self, CommandError> {
        let of = u32::try_from(paths.len()).unwrap_or(u32::MAX);
        let mut parts: Vec<Option<(PathBuf, BufReader<File>)>> =
            paths.iter().map(|_| None).collect();
        for path in paths {
            let no_input = |error| CommandError::NoInput(format!("{}: {error}", path.display()));
            let mut file = File::open(path).map_err(no_input)?;
            let is_whole = is_whole(&mut file).map_err(no_input)?;
            let mut lines = BufReader::new(file);
            let mut first = String::new();
            lines.read_line(&mut first).map_err(no_input)?;
            let found = serde_json::from_str::<PartHeader>(&first).ok();
            let shard = found.as_ref().and_then(|header| Shard::parse(&header.shard).ok());
            let is_same = |shard: &Shard| shard.of == of && found.as_ref() == Some(&header(*shard));
            let Some(shard) = shard.filter(is_same) else {
                return Err(fault(
                    path,
                    format!("not one of {of} parts of this audit by this program"),
                ));
            };
            if !is_whole {
                return Err(fault(path, "ends early: run its shard again, it goes on from here"));
            }
            let place = &mut parts[usize::try_from(shard.index).unwrap_or(usize::MAX)];
            if place.replace((path.clone(), lines)).is_some() {
                return Err(fault(path, format!("the shard {shard} is given twice")));
            }
        }
        Ok(Self(parts.into_iter().flatten().collect()))
    }

    /// Reads the line of a batch. Batches come in their order.
    pub(super) fn line(&mut self, number: u64) -> Result<StoredLine, CommandError> {
        let of = u64::try_from(self.0.len()).unwrap_or(u64::MAX);
        let place = usize::try_from(number % of).unwrap_or(usize::MAX);
        let (path, lines) = &mut self.0[place];
        let mut line = Vec::new();
        lines.read_until(b'\n', &mut line).map_err(|error| fault(path, error))?;
        Ok(StoredLine { path: path.clone(), line })
    }

    /// Refuses parts with more batches than the input.
    pub(super) fn end(mut self) -> Result<(), CommandError> {
        for (path, lines) in &mut self.0 {
            let mut line = Vec::new();
            lines.read_until(b'\n', &mut line).map_err(|error| fault(path, error))?;
            if line != END {
                return Err(fault(path, "has findings of more rounds than the input has"));
            }
        }
        Ok(())
    }
}

/// The line of a batch in a part, as it was read.
pub(super) struct StoredLine {
    path: PathBuf,
    line: Vec<u8>,
}

impl StoredLine {
    /// Returns the findings of a batch.
    pub(super) fn findings(
        &self,
        number: u64,
        batch: &RoundBatch,
    ) -> Result<Vec<RoundFindings>, CommandError> {
        if self.line == END || self.line.is_empty() {
            return Err(fault(&self.path, "has findings of fewer rounds than the input has"));
        }
        let stored: StoredBatch =
            serde_json::from_slice(&self.line).map_err(|error| fault(&self.path, error))?;
        let is_of = (stored.batch, stored.text) == (number, batch.hash());
        if !is_of || stored.rounds.len() != batch.rounds().count() {
            let what = format!(
                "batch {number}: findings of other rounds; delete it, and run its shard again"
            );
            return Err(fault(&self.path, what));
        }
        Ok(stored.rounds)
    }
}
