//! The ledger's mark: a folder outside the database that counts its locks.
//!
//! The folder has one file, whose name is the identity of the ledger and the count. Files are only ever
//! added before lower ones are removed, so processes need no lock, and the mark never falls.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

/// A mark, as its file is named.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct LedgerMark {
    pub(crate) locks: i64,
    pub(crate) identity: String,
}

impl LedgerMark {
    fn parse(name: &str) -> Option<Self> {
        let (identity, locks) = name.split_once('-')?;
        Some(Self { locks: locks.parse().ok()?, identity: identity.to_owned() })
    }

    fn name(&self) -> String {
        format!("{}-{}", self.identity, self.locks)
    }
}

/// The folder of a mark.
#[derive(Clone, Debug)]
pub(crate) struct MarkFolder(pub(crate) PathBuf);

impl MarkFolder {
    fn names(&self) -> io::Result<Vec<LedgerMark>> {
        let entries = match fs::read_dir(&self.0) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut marks = Vec::new();
        for entry in entries {
            marks.extend(entry?.file_name().to_str().and_then(LedgerMark::parse));
        }
        Ok(marks)
    }

    /// Returns the mark, if there is one.
    pub(crate) fn read(&self) -> io::Result<Option<LedgerMark>> {
        Ok(self.names()?.into_iter().max())
    }

    /// Raises the mark, durably.
    pub(crate) fn raise(&self, own: &LedgerMark) -> io::Result<()> {
        let marked = self.read()?;
        if marked.is_some_and(|mark| mark.identity == own.identity && mark.locks >= own.locks) {
            return Ok(());
        }
        fs::create_dir_all(&self.0)?;
        let made = OpenOptions::new()
            .write(true)
            .create_new(true)
            .mode(0o600)
            .open(self.0.join(own.name()));
        match made {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => drop(made?),
        }
        sync(&self.0)?;
        sync(
            self.0
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty())
                .unwrap_or(Path::new(".")),
        )?;
        for other in self.names()? {
            if other.identity != own.identity || other.locks < own.locks {
                match fs::remove_file(self.0.join(other.name())) {
                    Err(error) if error.kind() != ErrorKind::NotFound => return Err(error),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

fn sync(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}
