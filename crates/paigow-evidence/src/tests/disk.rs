//! A disk that fails on command, and its content.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Condvar, Mutex};

use crate::line::{EvidenceLine, LineBody};
use crate::lost::FileLoss;
use crate::medium::{FileState, Medium, VolumeSpace};
use paigow_fairness::encoding::Hash;

/// The result of the next call of the disk.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Fate {
    /// It succeeds.
    Well,
    /// The call fails. An append still writes this many bytes.
    Fails(usize),
}

/// A file.
#[derive(Clone, Debug, Default)]
pub(super) struct File {
    pub(super) name: String,
    pub(super) bytes: Vec<u8>,
    /// The number of bytes that survive a loss of power.
    pub(super) safe: usize,
}

#[derive(Debug, Default)]
pub(super) struct State {
    pub(super) files: Vec<File>,
    pub(super) syncs: usize,
    pub(super) appends: usize,
    /// The results of the next calls. All later calls succeed.
    pub(super) fates: VecDeque<Fate>,
    /// While closed, appends wait.
    pub(super) gate_closed: bool,
    pub(super) panics: bool,
    /// The loss of the last file, as the next checks report it until another file begins.
    pub(super) lost: Option<FileLoss>,
}

/// The disk. All clones are the same disk.
#[derive(Clone, Debug, Default)]
pub(super) struct Disk(Arc<(Mutex<State>, Condvar)>);

impl Disk {
    pub(super) fn with<T>(&self, look: impl FnOnce(&mut State) -> T) -> T {
        let found = look(&mut self.0.0.lock().unwrap());
        self.0.1.notify_all();
        found
    }

    /// Waits until `holds` is true of the disk.
    pub(super) fn wait_until(&self, holds: impl Fn(&State) -> bool) {
        let state = self.0.0.lock().unwrap();
        drop(self.0.1.wait_while(state, |state| !holds(state)).unwrap());
    }

    pub(super) fn fail_next(&self, times: usize) {
        self.with(|disk| disk.fates.extend(vec![Fate::Fails(0); times]));
    }

    /// Reads every line on the disk, and checks each against the line before.
    pub(super) fn lines(&self) -> Vec<EvidenceLine> {
        chained(&self.with(|disk| disk.files.clone()))
    }
}

/// Reads the lines of files. Each has to link to the line before.
pub(super) fn chained(files: &[File]) -> Vec<EvidenceLine> {
    let mut lines: Vec<EvidenceLine> = Vec::new();
    let mut prev = Hash::ZERO;
    for file in files {
        let whole = file.bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        for bytes in file.bytes[..whole].split_inclusive(|byte| *byte == b'\n') {
            let bytes = &bytes[..bytes.len() - 1];
            let line = EvidenceLine::parse(bytes).unwrap();
            assert_eq!((line.seq, line.prev), (lines.len() as u64, prev));
            prev = Hash::of(bytes);
            lines.push(line);
        }
    }
    lines
}

/// The words of lines: `start`, `record 7`, `event draining`, `manifest`, `stop`.
pub(super) fn words(lines: &[EvidenceLine]) -> Vec<String> {
    let word = |line: &EvidenceLine| match &line.body {
        LineBody::Start(_) => "start".to_owned(),
        LineBody::Record(entry) => format!("record {}", entry.rpc),
        LineBody::Event(event) => format!("event {}", event.event),
        LineBody::Manifest(_) => "manifest".to_owned(),
        LineBody::Stop => "stop".to_owned(),
    };
    lines.iter().map(word).collect()
}

impl State {
    fn fate(&mut self) -> Fate {
        self.fates.pop_front().unwrap_or(Fate::Well)
    }

    fn meets(&mut self) -> io::Result<()> {
        match self.fate() {
            Fate::Well => Ok(()),
            Fate::Fails(_) => Err(io::Error::other("the disk fails")),
        }
    }
}

impl Medium for Disk {
    fn space(&self) -> Option<VolumeSpace> {
        None
    }

    fn begin(&mut self, name: &str) -> io::Result<()> {
        self.with(|disk| {
            disk.meets()?;
            disk.lost = None;
            disk.files.push(File { name: name.to_owned(), ..File::default() });
            Ok(())
        })
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.with(|disk| disk.appends += 1);
        self.wait_until(|disk| !disk.gate_closed);
        self.with(|disk| {
            if disk.panics {
                return None;
            }
            let fate = disk.fate();
            let file = disk.files.last_mut().unwrap();
            Some(match fate {
                Fate::Well => {
                    file.bytes.extend_from_slice(bytes);
                    Ok(())
                }
                Fate::Fails(part) => {
                    file.bytes.extend_from_slice(&bytes[..part.min(bytes.len())]);
                    Err(io::Error::other("no space left"))
                }
            })
        })
        .expect("told to panic")
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.with(|disk| {
            disk.meets()?;
            let file = disk.files.last_mut().unwrap();
            file.bytes.truncate(usize::try_from(length).unwrap());
            file.safe = file.safe.min(file.bytes.len());
            Ok(())
        })
    }

    fn sync(&mut self) -> io::Result<()> {
        self.with(|disk| {
            disk.syncs += 1;
            disk.meets()?;
            let file = disk.files.last_mut().unwrap();
            file.safe = file.bytes.len();
            Ok(())
        })
    }

    fn state(&mut self) -> io::Result<Option<FileState>> {
        Ok(self.with(|disk| {
            let length = disk.files.last()?.bytes.len() as u64;
            Some(FileState { length, lost: disk.lost })
        }))
    }
}
