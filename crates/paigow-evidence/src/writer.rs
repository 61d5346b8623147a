//! The chain: gives lines their number and link, and writes them to a file or not at all.

use std::cmp::Ordering;
use std::io;
use std::time::Duration;

use super::files::MAX_LINE;
use super::fsync::Fsync;
use super::line::LineBody;
use super::lost::{FileLoss, LostFile};
use super::medium::{Medium, VolumeSpace};
use super::names::file_name;
use paigow_fairness::encoding::Hash;

/// Something to be written.
#[derive(Debug)]
pub(super) struct WriterEntry {
    /// The time of the event, in Unix milliseconds.
    pub(super) time: u64,
    /// What.
    pub(super) body: LineBody,
}

/// Why nothing was written.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotWritten {
    /// The first line is longer than readers accept. It will never be written.
    #[error("a line of {0} bytes is longer than readers accept")]
    TooLong(usize),
    /// The medium fails.
    #[error(transparent)]
    Medium(#[from] io::Error),
    /// The live file was lost, and the next line begins a new one. There is a [`LostFile`] unless
    /// no line of the boot was in it.
    #[error("the live file was lost")]
    Lost(Option<LostFile>),
}

/// When a new file is begun.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rotation {
    /// Before it exceeds so many bytes.
    pub(super) bytes: u64,
    /// So long after its first line.
    pub(super) after: Duration,
}

/// Writes lines, each chained to the one before.
///
/// The chain advances only past whole lines in the file. Under [`Fsync::Always`] they must also be
/// on the disk. The file must have its name and no other bytes. After a failure the file is cut
/// back to these lines before the next write.
pub(super) struct Writer {
    medium: Box<dyn Medium>,
    boot: String,
    fsync: Fsync,
    rotation: Rotation,
    /// The time of the first line of the file, in Unix milliseconds; [`None`] if it has no line.
    since: Option<u64>,
    /// The number of the next line, and the hash of the one before it.
    seq: u64,
    prev: Hash,
    /// The number of the file that was begun last, from 1; 0 before the first.
    file: u32,
    /// The number of its first line.
    first: u64,
    /// How many bytes of it are whole lines of the chain.
    length: u64,
    /// Whether the file was lost, so that the next line begins a new one.
    lost: bool,
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
        rotation: Rotation,
    ) -> Self {
        Self {
            medium,
            boot,
            fsync,
            rotation,
            since: None,
            seq: 0,
            prev: Hash::ZERO,
            file: 0,
            first: 0,
            length: 0,
            lost: false,
            torn: false,
            unsynced: false,
        }
    }

    /// Writes the first of `entries`, as many as fit into the file and at least one, with one write
    /// and one sync. Returns how many. All of them are kept, or none. If a line is too long for
    /// readers, those before it are written without it.
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
            let full = self.length + size(&bytes) + size(&line) + 1 > self.rotation.bytes
                || self.is_old(entry.time);
            if full && count > 0 {
                break;
            }
            if self.file == 0 || self.lost || (full && self.length > 0) {
                self.rotate()?;
            }
            (seq, prev) = (seq + 1, Hash::of(&line));
            bytes.extend_from_slice(&line);
            bytes.push(b'\n');
            self.since.get_or_insert(entry.time);
            count += 1;
        }
        self.torn = true;
        let end = self.length + size(&bytes);
        match self.write(&bytes).and_then(|()| self.find_loss(end)) {
            Ok(None) => self.torn = false,
            Ok(Some((found, length))) => {
                // These lines go to the next file, and must be found only once.
                self.medium.truncate(length.saturating_sub(size(&bytes))).unwrap_or_default();
                return Err(NotWritten::Lost(self.lose(found)));
            }
            Err(error) => {
                return match self.mend() {
                    Err(lost @ NotWritten::Lost(_)) => Err(lost),
                    // If this fails too, it is tried again before the next line.
                    _ => Err(error.into()),
                };
            }
        }
        self.unsynced = self.fsync != Fsync::Always;
        (self.seq, self.prev) = (seq, prev);
        self.length = end;
        Ok(count)
    }

    /// Checks whether the file was lost since the last write.
    pub(super) fn look(&mut self) -> Result<(), NotWritten> {
        // The next write handles the rest of a failed one.
        if self.file == 0 || self.lost || self.torn {
            return Ok(());
        }
        match self.find_loss(self.length)? {
            Some((found, _)) => Err(NotWritten::Lost(self.lose(found))),
            None => Ok(()),
        }
    }

    /// Returns how the live file differs from one of `length` bytes under its name, and how
    /// long it is.
    fn find_loss(&mut self, length: u64) -> io::Result<Option<(FileLoss, u64)>> {
        let Some(state) = self.medium.state()? else { return Ok(None) };
        let found = state.lost.or(match state.length.cmp(&length) {
            Ordering::Less => Some(FileLoss::Truncated),
            Ordering::Equal => None,
            Ordering::Greater => Some(FileLoss::Extended),
        });
        Ok(found.map(|found| (found, state.length)))
    }

    /// Gives the live file up.
    fn lose(&mut self, found: FileLoss) -> Option<LostFile> {
        (self.lost, self.torn, self.unsynced, self.length) = (true, false, false, 0);
        let last = self.seq.checked_sub(1).filter(|last| *last >= self.first)?;
        let name = file_name(&self.boot, self.file);
        Some(LostFile { name, found, lines: (self.first, last) })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.medium.append(bytes)?;
        if self.fsync == Fsync::Always { self.medium.sync() } else { Ok(()) }
    }

    /// Cuts off the rest of a failed write.
    fn mend(&mut self) -> Result<(), NotWritten> {
        if self.torn {
            // Cutting a file that is shorter would extend it with zeros.
            if let Some((FileLoss::Truncated, _)) = self.find_loss(self.length)? {
                return Err(NotWritten::Lost(self.lose(FileLoss::Truncated)));
            }
            self.medium.truncate(self.length)?;
            self.torn = false;
        }
        Ok(())
    }

    fn rotate(&mut self) -> Result<(), NotWritten> {
        // No later check reads a file once it is left.
        self.look()?;
        if self.fsync != Fsync::Never {
            self.sync()?;
        }
        let name = file_name(&self.boot, self.file + 1);
        self.medium.begin(&name)?;
        self.file += 1;
        (self.first, self.length, self.lost, self.since) = (self.seq, 0, false, None);
        Ok(())
    }

    /// Begins a new file if the current one is old at `now`, in Unix milliseconds.
    pub(super) fn rotate_if_old(&mut self, now: u64) -> Result<(), NotWritten> {
        let is_idle = self.lost || self.torn || self.length == 0;
        if is_idle || !self.is_old(now) { Ok(()) } else { self.rotate() }
    }

    /// Whether the first line of the file is old at `now`, in Unix milliseconds.
    fn is_old(&self, now: u64) -> bool {
        let after = u64::try_from(self.rotation.after.as_millis()).unwrap_or(u64::MAX);
        self.since.is_some_and(|since| now.saturating_sub(since) >= after)
    }

    /// Returns when every line of the chain is on the disk.
    pub(super) fn sync(&mut self) -> io::Result<()> {
        if self.unsynced {
            self.medium.sync()?;
            self.unsynced = false;
        }
        Ok(())
    }

    /// Returns the space of the volume that lines are written to.
    pub(super) fn space(&self) -> Option<VolumeSpace> {
        self.medium.space()
    }

    /// Whether lines may not be on the disk.
    pub(super) const fn is_unsynced(&self) -> bool {
        self.unsynced
    }
}

fn size(bytes: &[u8]) -> u64 {
    bytes.len() as u64
}
