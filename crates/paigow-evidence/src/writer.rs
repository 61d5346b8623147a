//! The chain: lines get their number and link here, and stand in a file or nowhere.

use std::io;

use super::files::MAX_LINE;
use super::fsync::Fsync;
use super::line::LineBody;
use super::medium::Medium;
use super::names::file_name;
use paigow_fairness::encoding::Hash;

/// Something to be written.
#[derive(Debug)]
pub(super) struct WriterEntry {
    /// When it happened, in Unix milliseconds.
    pub(super) time: u64,
    /// What.
    pub(super) body: LineBody,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotWritten {
    /// The first line is longer than is read; it never will be written.
    #[error("a line of {0} bytes is longer than any that is read")]
    TooLong(usize),
    /// The medium fails.
    #[error(transparent)]
    Medium(#[from] io::Error),
}

/// Writes lines, each chained to the one before.
///
/// The chain advances only past lines that are whole in the file and, under
/// [`Fsync::Always`], on the disk. After a failure the file is cut back to them before
/// anything else is written.
pub(super) struct Writer {
    medium: Box<dyn Medium>,
    boot: String,
    fsync: Fsync,
    rotate_bytes: u64,
    /// The number of the next line, and the hash of the one before it.
    seq: u64,
    prev: Hash,
    /// The number of the file that was begun last, from 1; 0 before the first.
    file: u32,
    /// How many bytes of it are whole lines of the chain.
    length: u64,
    /// Whether there may be more bytes in it.
    torn: bool,
    /// Whether lines of the chain may not be on the disk.
    unsynced: bool,
}

impl Writer {
    pub(super) const fn new(
        medium: Box<dyn Medium>,
        boot: String,
        fsync: Fsync,
        rotate_bytes: u64,
    ) -> Self {
        Self {
            medium,
            boot,
            fsync,
            rotate_bytes,
            seq: 0,
            prev: Hash::ZERO,
            file: 0,
            length: 0,
            torn: false,
            unsynced: false,
        }
    }

    /// Writes the first of `entries`, as many as fit into the file and at least one, with
    /// one write and one sync; returns how many. All of them are kept, or none. Those before
    /// a line that is longer than is read are written without it.
    pub(super) fn append<'a>(
        &mut self,
        entries: impl IntoIterator<Item = &'a WriterEntry>,
    ) -> Result<usize, NotWritten> {
        self.mend()?;
        let (mut bytes, mut count) = (Vec::new(), 0);
        let (mut seq, mut prev) = (self.seq, self.prev);
        for entry in entries {
            let line = entry.body.in_line(&self.boot, seq, prev, entry.time);
            if line.len() > MAX_LINE {
                if count == 0 {
                    return Err(NotWritten::TooLong(line.len()));
                }
                break;
            }
            let full = self.length + size(&bytes) + size(&line) + 1 > self.rotate_bytes;
            if full && count > 0 {
                break;
            }
            if self.file == 0 || (full && self.length > 0) {
                self.rotate()?;
            }
            (seq, prev) = (seq + 1, Hash::of(&line));
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
            count += 1;
        }
        self.torn = true;
        if let Err(error) = self.write(&bytes) {
            // If this fails too it is tried again before the next line.
            self.mend().unwrap_or_default();
            return Err(error.into());
        }
        self.torn = false;
        self.unsynced = self.fsync != Fsync::Always;
        (self.seq, self.prev) = (seq, prev);
        self.length += size(&bytes);
        Ok(count)
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.medium.append(bytes)?;
        if self.fsync == Fsync::Always { self.medium.sync() } else { Ok(()) }
    }

    /// Cuts off what a failed write has left.
    fn mend(&mut self) -> io::Result<()> {
        if self.torn {
            self.medium.truncate(self.length)?;
            self.torn = false;
        }
        Ok(())
    }

    fn rotate(&mut self) -> io::Result<()> {
        if self.fsync != Fsync::Never {
            self.sync()?;
        }
        let name = file_name(&self.boot, self.file + 1);
        self.medium.begin(&name)?;
        self.file += 1;
        self.length = 0;
        Ok(())
    }

    /// Returns when every line of the chain is on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if self.unsynced {
            self.medium.sync()?;
            self.unsynced = false;
        }
        Ok(())
    }

    /// Whether lines may not be on the disk.
    pub(super) const fn is_unsynced(&self) -> bool {
        self.unsynced
    }
}

fn size(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}
