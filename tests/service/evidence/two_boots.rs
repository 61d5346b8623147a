//! Two boots of a replica, to be damaged.

use std::fs;
use std::path::{Path, PathBuf};

use paigow_evidence::SinkSettings;
use paigow_evidence::verify::EvidenceReport;
use tempfile::TempDir;

use crate::evidence::casino::{Casino, RoundPlan};
use crate::evidence::replica::{Replica, boot_id, files_in, lines_of, settings, verified};

/// Two boots of a replica in one folder; the first has several files.
pub(crate) struct Evidence {
    folder: TempDir,
}

/// The number of each boot's last line: behind the start, an event, two manifests and two
/// answers to each of six rounds.
pub(crate) const LAST: u64 = 16;

/// A line: its file, its place in it from 1, its number in its boot.
#[derive(Clone, Debug)]
pub(crate) struct At {
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
    pub(crate) seq: u64,
}

impl Evidence {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(async {
            for boot in [1, 2] {
                let settings = SinkSettings { rotate_bytes: 30_000, ..settings(folder.path()) };
                let replica = Replica::start(Casino::new(), boot, settings);
                for round_no in 1..=6 {
                    let round_no = round_no + 100 * u64::from(boot);
                    let plan = RoundPlan::random("dev", round_no, None, 1);
                    let dealt = replica.deal(&plan).await;
                    replica.settle(&plan, &dealt).await;
                }
                replica.stop().await;
            }
        });
        Self { folder }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn report(&self) -> EvidenceReport {
        verified(&[self.path()])
    }

    pub(crate) fn files_of(&self, boot: u8) -> Vec<PathBuf> {
        let of_boot = |path: &PathBuf| {
            path.file_name().unwrap().to_str().unwrap().starts_with(&boot_id(boot))
        };
        files_in(self.path()).into_iter().filter(of_boot).collect()
    }

    /// The place of a line of the first boot.
    pub(crate) fn at(&self, seq: u64) -> At {
        let mut number = 0;
        for file in self.files_of(1) {
            for line in 1..=lines_of(&file).len() {
                if number == seq {
                    return At { file, line, seq };
                }
                number += 1;
            }
        }
        panic!("no line {seq}")
    }

    /// Changes the lines of the file that has a line of the first boot; it is the
    /// one at the index given.
    pub(crate) fn change(&self, seq: u64, change: impl FnOnce(&mut Vec<Vec<u8>>, usize)) -> At {
        let at = self.at(seq);
        let mut lines = lines_of(&at.file);
        change(&mut lines, at.line - 1);
        fs::write(&at.file, lines.concat()).unwrap();
        at
    }

    /// Replaces a text of a line of the first boot.
    pub(crate) fn replace(&self, seq: u64, from: &str, to: &str) -> At {
        self.change(seq, |lines, i| {
            let line = String::from_utf8(lines[i].clone()).unwrap();
            assert!(line.contains(from), "{line}");
            lines[i] = line.replacen(from, to, 1).into_bytes();
        })
    }
}
