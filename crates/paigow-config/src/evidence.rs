//! `[evidence]`: the audit sink.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::faults::{ConfigFaults, path};
use paigow_evidence::{Fsync, SinkTarget};

/// Settings of the audit sink.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct EvidenceConfig {
    /// Where it goes.
    pub target: SinkTarget,
    /// Whether a call whose records cannot be kept gets no answer.
    pub fail_closed: bool,
    /// When it is on the disk.
    pub fsync: Fsync,
    /// The size at which a new file is begun, in bytes.
    pub rotate_bytes: u64,
    /// How long after its first line a new file is begun.
    pub rotate_after: Duration,
    /// The most bytes that the files in the folder may have.
    pub folder_bytes: u64,
    /// Whether files that are not written any more are shipped to object storage.
    pub shipped: bool,
    /// How long a call waits until its records are kept.
    pub stall: Duration,
}

#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RawEvidence {
    target: String,
    directory: String,
    fail_closed: bool,
    fsync: String,
    fsync_interval_ms: u64,
    rotate_bytes: u64,
    rotate_s: u64,
    folder_bytes: u64,
    shipped: bool,
    stall_ms: u64,
}

impl RawEvidence {
    /// Returns whether the settings turn evidence off.
    pub(super) fn is_off(&self) -> bool {
        self.target == "off"
    }

    pub(super) fn check(&self, faults: &mut ConfigFaults) -> EvidenceConfig {
        faults.within("evidence.fsync_interval_ms", &self.fsync_interval_ms, 1, 60_000);
        faults.within("evidence.rotate_bytes", &self.rotate_bytes, 1 << 16, 1 << 40);
        faults.within("evidence.rotate_s", &self.rotate_s, 1, 31_536_000);
        faults.within("evidence.stall_ms", &self.stall_ms, 10, 60_000);
        let interval = Fsync::Interval(Duration::from_millis(self.fsync_interval_ms));
        let fsync = [("always", Fsync::Always), ("interval", interval), ("never", Fsync::Never)];
        let fsync = faults.one_of("evidence.fsync", &self.fsync, &fsync);
        let targets = [("off", 0), ("file", 1), ("stdout", 2)];
        let target = match faults.one_of("evidence.target", &self.target, &targets) {
            0 => SinkTarget::Off,
            1 => match path(&self.directory) {
                Some(directory) => SinkTarget::Directory(directory),
                None => {
                    faults.add("evidence.directory", "is needed for evidence.target = \"file\"");
                    SinkTarget::Off
                }
            },
            _ => SinkTarget::Stdout,
        };
        if !self.directory.is_empty() && !matches!(target, SinkTarget::Directory(_)) {
            faults.add("evidence.directory", "is only for evidence.target = \"file\"");
        }
        if self.folder_bytes != 0 {
            faults.within("evidence.folder_bytes", &self.folder_bytes, 1 << 20, 1 << 50);
        }
        if self.shipped && !matches!(target, SinkTarget::Directory(_)) {
            faults.add("evidence.shipped", "is only for evidence.target = \"file\"");
        }
        EvidenceConfig {
            target,
            fail_closed: self.fail_closed,
            fsync,
            rotate_bytes: self.rotate_bytes,
            rotate_after: Duration::from_secs(self.rotate_s),
            folder_bytes: if self.folder_bytes == 0 { u64::MAX } else { self.folder_bytes },
            shipped: self.shipped,
            stall: Duration::from_millis(self.stall_ms),
        }
    }
}
