//! The medium that lines are written to: a folder of files, or the standard output.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::PathBuf;
use std::time::Instant;

use super::files;
use super::fsync::SyncObserver;
use super::lost::FileLoss;

/// A medium that appends bytes. Only the keeper of a sink uses it.
pub trait Medium: Send {
    /// Begins a new file of this name, and leaves the previous file.
    ///
    /// # Errors
    ///
    /// If it cannot be made, or if its name is not on the disk.
    fn begin(&mut self, name: &str) -> io::Result<()>;

    /// Adds bytes at the end.
    ///
    /// # Errors
    ///
    /// If not all of them could be written. Some of them may have been.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Cuts the file off after its first `length` bytes.
    ///
    /// # Errors
    ///
    /// If it cannot be cut.
    fn truncate(&mut self, length: u64) -> io::Result<()>;

    /// Returns when all appended bytes survive a loss of power.
    ///
    /// # Errors
    ///
    /// If that is not known.
    fn sync(&mut self) -> io::Result<()>;

    /// Returns the length of the live file, and whether it has lost its name; [`None`] if there is
    /// no file.
    ///
    /// # Errors
    ///
    /// If its state cannot be read.
    fn state(&mut self) -> io::Result<Option<FileState>>;

    /// Returns the space of the volume; [`None`] if there is no volume, or if its space is unknown.
    fn space(&self) -> Option<VolumeSpace>;
}

/// The space of the volume that files are on, in bytes.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct VolumeSpace {
    /// Free for this process.
    pub free: u64,
    /// In all.
    pub size: u64,
}

/// The state of the file that lines are added to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FileState {
    /// Its length in bytes.
    pub length: u64,
    /// The loss, if the file no longer has its name.
    pub lost: Option<FileLoss>,
}

/// A folder. Its files are new, belong to this process, and only their owner can read them.
#[derive(Debug)]
pub struct Folder {
    directory: PathBuf,
    /// The most bytes that files of evidence may have in the folder. Also their bytes at the last
    /// count, with the bytes written since.
    most: u64,
    used: u64,
    /// Whether they had too many bytes. The folder stays full until a sixteenth is free again.
    /// Otherwise a short line could fit between two long ones that do not.
    full: bool,
    /// The file that was begun last, and its path.
    file: Option<(File, PathBuf)>,
    synced: SyncObserver,
}

impl Folder {
    /// Makes the medium of an existing folder. Its files of evidence may have `most` bytes.
    /// `synced` receives the duration of each sync.
    #[must_use]
    pub const fn new(directory: PathBuf, most: u64, synced: SyncObserver) -> Self {
        Self { directory, most, used: u64::MAX, full: false, file: None, synced }
    }

    /// Fails if the folder has no room for so many bytes more. It counts the files again only if
    /// there seems to be no room, because shipping may have deleted some.
    fn make_room(&mut self, bytes: u64) -> io::Result<()> {
        let is_bounded = self.most < u64::MAX;
        if is_bounded && (self.full || self.used.saturating_add(bytes) > self.most) {
            self.used = files::bytes_in(&self.directory)?;
            let free = if self.full { self.most / 16 } else { 0 };
            self.full = self.used.saturating_add(bytes).saturating_add(free) > self.most;
            if self.full {
                let what = format!("the files of evidence have {} bytes", self.used);
                return Err(io::Error::new(io::ErrorKind::QuotaExceeded, what));
            }
        }
        self.used = self.used.saturating_add(bytes);
        Ok(())
    }

    fn file(&mut self) -> io::Result<&mut File> {
        let file = self.file.as_mut().ok_or_else(|| io::Error::other("no file was begun"))?;
        Ok(&mut file.0)
    }
}

impl Medium for Folder {
    fn begin(&mut self, name: &str) -> io::Result<()> {
        let path = self.directory.join(name);
        let file = OpenOptions::new().append(true).create_new(true).mode(0o600).open(&path)?;
        // A file whose name is not on the disk is lost with all its lines.
        if let Err(error) = File::open(&self.directory).and_then(|folder| folder.sync_all()) {
            fs::remove_file(&path).unwrap_or_default();
            return Err(error);
        }
        self.file = Some((file, path));
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.make_room(bytes.len() as u64)?;
        self.file()?.write_all(bytes)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file()?.set_len(length)
    }

    fn sync(&mut self) -> io::Result<()> {
        let began = Instant::now();
        let synced = self.file()?.sync_data();
        self.synced.observe(began.elapsed());
        synced
    }

    fn state(&mut self) -> io::Result<Option<FileState>> {
        let Some((file, path)) = &self.file else { return Ok(None) };
        let open = file.metadata()?;
        let lost = match fs::symlink_metadata(path) {
            Ok(named) if (named.dev(), named.ino()) == (open.dev(), open.ino()) => None,
            Ok(_) => Some(FileLoss::Replaced),
            Err(error) if error.kind() == io::ErrorKind::NotFound => match open.nlink() {
                0 => Some(FileLoss::Deleted),
                _ => Some(FileLoss::Moved),
            },
            Err(error) => return Err(error),
        };
        Ok(Some(FileState { length: open.len(), lost }))
    }

    fn space(&self) -> Option<VolumeSpace> {
        let volume = rustix::fs::statvfs(&self.directory).ok()?;
        let bytes = |blocks: u64| blocks.saturating_mul(volume.f_frsize);
        Some(VolumeSpace { free: bytes(volume.f_bavail), size: bytes(volume.f_blocks) })
    }
}

/// The standard output. After one failed write every further write fails, because written bytes
/// cannot be removed.
#[derive(Debug)]
pub(super) struct Stdout(File);

impl Stdout {
    pub(super) fn new() -> io::Result<Self> {
        // This bypasses the library's buffer, which would keep a failed line and write it later.
        Ok(Self(File::from(io::stdout().as_fd().try_clone_to_owned()?)))
    }
}

impl Medium for Stdout {
    fn begin(&mut self, _: &str) -> io::Result<()> {
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let _whole_lines = io::stdout().lock();
        self.0.write_all(bytes)
    }

    fn truncate(&mut self, _: u64) -> io::Result<()> {
        Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "a write to the standard output has failed and cannot be taken back",
        ))
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }

    fn state(&mut self) -> io::Result<Option<FileState>> {
        Ok(None)
    }

    fn space(&self) -> Option<VolumeSpace> {
        None
    }
}
