//! Copies of a public log: a checkpoint and every entry before it (PGE-FAIR-1, section 6.6).
//!
//! A copy is an input of an audit, and no record. Its first line is the [`LogCheckpoint`]. Each other
//! line is the record of an entry, without signatures; or, where the entry is the hash of a record that
//! is too long, that hash as a string.

use crate::encoding::Hash;
use crate::json::{Json, WriteJson as _};
use crate::log_proof::{LogCheckpoint, log_leaf, long_log_entry, record_of_entry};
use crate::merkle::{leaf_hash, tree_hash};
use crate::payload::{Members, PayloadError};
use crate::record::{ParseEnvelopeError, RecordEnvelope};

/// One entry of a copy.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum CopiedEntry {
    /// A record, without signatures.
    Record(Box<RecordEnvelope>),
    /// The hash of a record that is too long for an entry.
    Long(Hash),
}

impl CopiedEntry {
    /// Reads the bytes of an entry, or returns [`None`] if they are neither a record nor the hash of one.
    #[must_use]
    pub fn of_entry(entry: &[u8]) -> Option<Self> {
        let record = || record_of_entry(entry).map(|record| Self::Record(Box::new(record)));
        let hash = entry.last_chunk().map(|hash| Hash::from_bytes(*hash));
        let long = hash.filter(|hash| long_log_entry(hash) == entry);
        long.map(Self::Long).or_else(record)
    }

    /// Returns the hash of the record.
    #[must_use]
    pub fn hash(&self) -> Hash {
        match self {
            Self::Record(record) => record.hash(),
            Self::Long(hash) => *hash,
        }
    }

    fn leaf(&self) -> Hash {
        match self {
            Self::Record(record) => log_leaf(record),
            Self::Long(hash) => leaf_hash(&long_log_entry(hash)),
        }
    }

    /// Returns the line of the entry.
    fn to_line(&self) -> String {
        match self {
            Self::Record(record) => record.to_line(),
            Self::Long(hash) => format!("\"{hash}\""),
        }
    }
}

/// A checkpoint of a log, and all its entries.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogCopy {
    checkpoint: LogCheckpoint,
    entries: Vec<CopiedEntry>,
}

/// A text that is not a copy of a log.
#[derive(Debug, thiserror::Error)]
pub enum LogCopyError {
    /// The first line is not a checkpoint.
    #[error("line 1: not a checkpoint: {0}")]
    Checkpoint(PayloadError),
    /// A line is neither a record nor a hash.
    #[error("line {0}: neither a record nor a hash: {1}")]
    Entry(usize, ParseEnvelopeError),
    /// A record has a signature, which no entry has.
    #[error("line {0}: a record of a log has no signature")]
    Signed(usize),
    /// The number of entries is not that of the checkpoint.
    #[error("{found} entries, and the checkpoint counts {size}")]
    Size {
        /// The number of entries.
        found: usize,
        /// The number in the checkpoint.
        size: u64,
    },
    /// The tree over the entries has another root.
    #[error("the entries do not make the root of the checkpoint")]
    Root,
}

impl LogCopy {
    /// Makes a copy of a checkpoint and the entries before it.
    ///
    /// # Errors
    ///
    /// If the checkpoint is not of exactly these entries.
    pub fn new(checkpoint: LogCheckpoint, entries: Vec<CopiedEntry>) -> Result<Self, LogCopyError> {
        if u64::try_from(entries.len()) != Ok(checkpoint.size) {
            return Err(LogCopyError::Size { found: entries.len(), size: checkpoint.size });
        }
        let leaves: Vec<Hash> = entries.iter().map(CopiedEntry::leaf).collect();
        if tree_hash(&leaves) != Some(checkpoint.root) {
            return Err(LogCopyError::Root);
        }
        Ok(Self { checkpoint, entries })
    }

    /// Reads a copy. The signatures of the checkpoint are not verified.
    ///
    /// # Errors
    ///
    /// If a line is not of a copy, or the entries are not those of the checkpoint.
    pub fn parse(text: &[u8]) -> Result<Self, LogCopyError> {
        let text = text.strip_suffix(b"\n").unwrap_or(text);
        let mut lines = text.split(|byte| *byte == b'\n');
        let first = lines.next().unwrap_or_default();
        let checkpoint = Json::parse_canonical(first).map_err(PayloadError::from);
        let checkpoint = checkpoint.and_then(|json| {
            let mut members = Members::of(json)?;
            let checkpoint = LogCheckpoint::take(&mut members)?;
            members.finish()?;
            Ok(checkpoint)
        });
        let checkpoint = checkpoint.map_err(LogCopyError::Checkpoint)?;
        let entries = (2..).zip(lines).map(|(number, line)| entry(number, line));
        Self::new(checkpoint, entries.collect::<Result<_, _>>()?)
    }

    /// Returns the text of the copy.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::from_utf8_lossy(&self.checkpoint.to_bytes()).into_owned();
        text.push('\n');
        for entry in &self.entries {
            text.push_str(&entry.to_line());
            text.push('\n');
        }
        text
    }

    /// Returns the checkpoint.
    #[must_use]
    pub const fn checkpoint(&self) -> &LogCheckpoint {
        &self.checkpoint
    }

    /// Returns the entries in the order of the log.
    #[must_use]
    pub fn entries(&self) -> &[CopiedEntry] {
        &self.entries
    }
}

/// Reads the line of an entry.
fn entry(number: usize, line: &[u8]) -> Result<CopiedEntry, LogCopyError> {
    if let Ok(Json::Str(text)) = Json::parse_canonical(line)
        && let Ok(hash) = text.parse()
    {
        return Ok(CopiedEntry::Long(hash));
    }
    let record = RecordEnvelope::parse(line).map_err(|error| LogCopyError::Entry(number, error))?;
    if record.is_signed() {
        return Err(LogCopyError::Signed(number));
    }
    Ok(CopiedEntry::Record(Box::new(record)))
}
