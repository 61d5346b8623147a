//! The disk of a replica: real files, and faults between them and the writer of the evidence.

use std::fs::{self, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use paigow_evidence::{FileState, Folder, Medium, SyncObserver, VolumeSpace};

use crate::{machine, note};

/// The faults of a disk, and what of its live file survives a loss of power.
#[derive(Debug, Default)]
pub(crate) struct DiskState {
    /// While it is full, no byte more is taken, and any part of what was to be written.
    pub(crate) full: bool,
    /// How many of the next syncs fail.
    pub(crate) failing_syncs: u64,
    /// How many of the next writes are torn.
    pub(crate) torn_writes: u64,
    live: Option<PathBuf>,
    /// How many bytes of the live file were written, and how many survive a loss of power.
    written: u64,
    synced: u64,
}

/// The disk of a replica. Clones are the same.
#[derive(Clone, Debug, Default)]
pub(crate) struct Disk(Arc<Mutex<DiskState>>);

impl Disk {
    pub(crate) fn with<T>(&self, act: impl FnOnce(&mut DiskState) -> T) -> T {
        act(&mut self.0.lock().unwrap())
    }

    /// Returns the live file.
    pub(crate) fn live(&self) -> Option<PathBuf> {
        self.with(|disk| disk.live.clone())
    }

    /// Loses power: of what no sync has covered, any part is left.
    pub(crate) fn lose_power(&self) {
        self.with(|disk| {
            let Some(live) = &disk.live else { return };
            let left = disk.synced + machine::below(disk.written - disk.synced + 1);
            // A file that somebody has deleted has nothing to lose.
            if let Ok(file) = OpenOptions::new().write(true).open(live) {
                let length = file.metadata().map_or(0, |facts| facts.len());
                file.set_len(left.min(length)).expect("a file can be cut off");
            }
            note!("power lost: {left} of {} bytes are left", disk.written);
        });
    }

    /// Returns the medium of a folder on this disk.
    pub(crate) fn medium(&self, folder: &Path) -> Box<dyn Medium> {
        let inner = Folder::new(folder.to_owned(), u64::MAX, SyncObserver::new(drop));
        Box::new(FaultyFolder { inner, folder: folder.to_owned(), disk: self.clone() })
    }
}

struct FaultyFolder {
    inner: Folder,
    folder: PathBuf,
    disk: Disk,
}

fn full() -> io::Error {
    io::Error::new(io::ErrorKind::StorageFull, "no space left on device")
}

impl Medium for FaultyFolder {
    fn begin(&mut self, name: &str) -> io::Result<()> {
        if self.disk.with(|disk| disk.full) {
            return Err(full());
        }
        self.inner.begin(name)?;
        self.disk.with(|disk| {
            (disk.live, disk.written, disk.synced) = (Some(self.folder.join(name)), 0, 0);
        });
        Ok(())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let length = bytes.len() as u64;
        let torn = self.disk.with(|disk| {
            let torn = disk.full || disk.torn_writes > 0;
            disk.torn_writes = disk.torn_writes.saturating_sub(1);
            torn.then(|| machine::below(length))
        });
        let Some(part) = torn else {
            self.inner.append(bytes)?;
            self.disk.with(|disk| disk.written += length);
            return Ok(());
        };
        note!("torn write: {part} of {length} bytes");
        let part = usize::try_from(part).unwrap();
        if let Some(live) = self.disk.live().filter(|live| live.exists()) {
            OpenOptions::new().append(true).open(live)?.write_all(&bytes[..part])?;
            self.disk.with(|disk| disk.written += part as u64);
        }
        Err(full())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.inner.truncate(length)?;
        self.disk.with(|disk| {
            disk.written = length;
            disk.synced = disk.synced.min(length);
        });
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        let fails = self.disk.with(|disk| {
            let fails = disk.failing_syncs > 0;
            disk.failing_syncs = disk.failing_syncs.saturating_sub(1);
            fails
        });
        if fails {
            note!("a sync fails");
            return Err(io::Error::other("input/output error"));
        }
        self.inner.sync()?;
        self.disk.with(|disk| disk.synced = disk.written);
        Ok(())
    }

    fn state(&mut self) -> io::Result<Option<FileState>> {
        self.inner.state()
    }

    fn space(&self) -> Option<VolumeSpace> {
        None
    }
}

/// Puts a file in its place as a whole.
pub(crate) fn replace(path: &Path, bytes: &[u8]) {
    let beside = path.with_extension("new");
    fs::write(&beside, bytes).expect("the folder takes a file");
    fs::rename(&beside, path).expect("the folder takes a file");
}
