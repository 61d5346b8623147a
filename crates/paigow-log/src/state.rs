//! A file of state that one process holds, written whole.

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use crate::LogError;

/// A file of state. While this value lives, no other process opens the file.
#[derive(Debug)]
pub struct StateFile {
    path: PathBuf,
    /// The system releases the lock with the file, also when the process is killed.
    _lock: File,
}

impl StateFile {
    /// Takes the lock `<path>.lock`. The file itself may be absent.
    ///
    /// # Errors
    ///
    /// If another process holds the lock, or the lock cannot be made.
    pub fn open(path: &Path) -> Result<Self, LogError> {
        let lock_path = beside(path, ".lock");
        let lock = OpenOptions::new().write(true).create(true).truncate(false).open(&lock_path);
        let lock = lock.map_err(|error| at(&lock_path, &error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
            Err(TryLockError::WouldBlock) => Err(LogError::Broken(format!(
                "{}: another process holds the lock of this state",
                lock_path.display()
            ))),
            Err(TryLockError::Error(error)) => Err(at(&lock_path, &error)),
        }
    }

    /// Returns the path, for messages.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Reads the state, or returns [`None`] if there is no state.
    ///
    /// # Errors
    ///
    /// If the state exists and cannot be read.
    pub fn read(&self) -> Result<Option<Vec<u8>>, LogError> {
        match fs::read(&self.path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(at(&self.path, &error)),
        }
    }

    /// Replaces the state. A reader finds the old one or the new one, also after a loss of power.
    ///
    /// # Errors
    ///
    /// If it cannot be written.
    pub fn write(&self, bytes: &[u8]) -> Result<(), LogError> {
        let new = beside(&self.path, ".new");
        let write = || {
            let mut options = OpenOptions::new();
            let mut file =
                options.write(true).create(true).truncate(true).mode(0o600).open(&new)?;
            file.write_all(bytes)?;
            file.sync_all()?;
            fs::rename(&new, &self.path)?;
            let folder = self.path.parent().filter(|folder| !folder.as_os_str().is_empty());
            File::open(folder.unwrap_or(Path::new(".")))?.sync_all()
        };
        write().map_err(|error| at(&self.path, &error))
    }
}

fn beside(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    PathBuf::from(name)
}

fn at(path: &Path, error: &io::Error) -> LogError {
    LogError::Unavailable(format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_process_holds_a_state_and_reads_what_was_written_last() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("state");
        let file = StateFile::open(&path).unwrap();
        assert_eq!(file.read().unwrap(), None);
        file.write(b"one").unwrap();
        file.write(b"2").unwrap();
        assert_eq!(file.read().unwrap().unwrap(), b"2");
        let second = StateFile::open(&path).unwrap_err();
        assert!(matches!(&second, LogError::Broken(what) if what.contains("another process")));
        drop(file);
        assert_eq!(StateFile::open(&path).unwrap().read().unwrap().unwrap(), b"2");
    }
}
