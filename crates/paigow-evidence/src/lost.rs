//! A file of evidence that was lost while the sink wrote it. A marker keeps the loss raised until
//! an operator acknowledges it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use tokio::sync::watch;

use super::entry::{Event, Significant};

/// The name of the marker in the folder of the evidence: one line for each lost file.
pub const LOSS_MARKER: &str = "evidence-lost.txt";

/// The difference between the live file and the lines that the sink wrote.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FileLoss {
    /// The file has no name any more.
    Deleted,
    /// The file has another name.
    Moved,
    /// Another file has its name.
    Replaced,
    /// The file is shorter than the written lines.
    Truncated,
    /// The file is longer than the written lines.
    Extended,
}

impl FileLoss {
    /// Returns the name in events: `deleted`.
    const fn name(self) -> &'static str {
        match self {
            Self::Deleted => "deleted",
            Self::Moved => "moved",
            Self::Replaced => "replaced",
            Self::Truncated => "truncated",
            Self::Extended => "extended",
        }
    }
}

/// A file that was lost.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct LostFile {
    /// Its name.
    pub(super) name: String,
    /// The difference that was found.
    pub(super) found: FileLoss,
    /// The numbers of the first and the last line that the boot has written to it.
    pub(super) lines: (u64, u64),
}

impl LostFile {
    /// Returns the event that the next file begins with.
    pub(super) fn event(&self) -> Event {
        Event::new(Significant::EvidenceLost)
            .with("file", &self.name)
            .with("found", self.found.name())
            .with("first_seq", self.lines.0)
            .with("last_seq", self.lines.1)
    }

    /// Returns the line of the marker; `time` is in Unix milliseconds.
    fn to_line(&self, time: u64) -> String {
        let Self { name, found, lines: (first, last) } = self;
        let (found, time) = (found.name(), time / 1000);
        format!("{name}: {found}, found at Unix time {time}; it had lines {first} to {last}")
    }
}

/// Reads the losses that no operator has acknowledged, one line each.
///
/// # Errors
///
/// If the marker exists and cannot be read.
pub fn unacknowledged_losses(directory: &Path) -> io::Result<Vec<String>> {
    match fs::read_to_string(directory.join(LOSS_MARKER)) {
        Ok(text) => Ok(text.lines().map(str::to_owned).collect()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        Err(error) => Err(error),
    }
}

/// Removes the marker and returns the losses that it listed, one line each. The server that
/// writes to the folder notices that within a second.
///
/// # Errors
///
/// If the folder does not exist, or the marker cannot be read or removed.
pub fn acknowledge_losses(directory: &Path) -> io::Result<Vec<String>> {
    fs::read_dir(directory)?;
    // A loss that the server adds from here on goes to a new marker.
    let aside = directory.join(format!("{LOSS_MARKER}.acknowledged"));
    match fs::rename(directory.join(LOSS_MARKER), &aside) {
        Ok(()) => {}
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    }
    let losses = fs::read_to_string(&aside)?.lines().map(str::to_owned).collect();
    fs::remove_file(&aside)?;
    File::open(directory)?.sync_all()?;
    Ok(losses)
}

/// The losses that no operator has acknowledged: those of the marker, and those that could not be
/// written there yet.
#[derive(Debug)]
pub(super) struct LossLedger {
    /// The folder of the evidence; [`None`] for a medium without one.
    directory: Option<PathBuf>,
    losses: watch::Sender<Arc<[String]>>,
    /// Whether the marker lacks a loss.
    unwritten: bool,
}

impl LossLedger {
    /// Reads the marker that an earlier boot has left.
    ///
    /// # Errors
    ///
    /// If the marker exists and cannot be read.
    pub(super) fn open(directory: Option<PathBuf>) -> io::Result<Self> {
        let losses = directory.as_deref().map_or(Ok(Vec::new()), unacknowledged_losses)?;
        Ok(Self { directory, losses: watch::Sender::new(losses.into()), unwritten: false })
    }

    pub(super) fn watch(&self) -> watch::Receiver<Arc<[String]>> {
        self.losses.subscribe()
    }

    fn losses(&self) -> Arc<[String]> {
        Arc::clone(&self.losses.borrow())
    }

    /// Raises a loss; `time` is in Unix milliseconds.
    pub(super) fn add(&mut self, lost: &LostFile, time: u64) {
        let line = lost.to_line(time);
        let losses: Vec<String> = self.losses().iter().cloned().chain([line]).collect();
        self.losses.send_replace(losses.into());
        self.unwritten = true;
        self.write();
    }

    /// Writes the marker again. It may be gone with the folder of a live file.
    pub(super) fn restore(&mut self) {
        self.unwritten = !self.losses().is_empty();
        self.look();
    }

    /// Compares the marker with the known losses. If an operator has removed it, all losses are
    /// acknowledged. A marker that is gone with its folder acknowledges nothing.
    pub(super) fn look(&mut self) {
        if self.unwritten {
            return self.write();
        }
        let Some(directory) = &self.directory else { return };
        let Ok(found) = unacknowledged_losses(directory) else { return };
        if *found != *self.losses() && (!found.is_empty() || directory.is_dir()) {
            self.losses.send_replace(found.into());
        }
    }

    /// Writes the marker. If that fails, the next check tries again.
    fn write(&mut self) {
        let Some(directory) = &self.directory else { return };
        let mut text = self.losses().join("\n");
        text.push('\n');
        let written = write_marker(directory, &text);
        if let Err(error) = &written {
            tracing::error!(%error, marker = LOSS_MARKER, "cannot write the marker of lost evidence");
        }
        self.unwritten = written.is_err();
    }
}

/// Writes the marker atomically. A reader finds the old or the new marker, also after a loss of
/// power.
fn write_marker(directory: &Path, text: &str) -> io::Result<()> {
    let beside = directory.join(format!("{LOSS_MARKER}.new"));
    let mut options = OpenOptions::new();
    let mut file = options.write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    fs::rename(&beside, directory.join(LOSS_MARKER))?;
    File::open(directory)?.sync_all()
}
