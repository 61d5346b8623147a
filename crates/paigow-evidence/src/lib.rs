//! The append-only audit sink: it keeps every signed record and every significant event before the
//! answer leaves.
//!
//! Lines are canonical JSON. Each has the hash of the line before. They are numbered without gaps
//! from the first to the last line of a boot (one run of a process). A file is never written again
//! after its boot. Each boot names the last line of the boot before it in the same folder.
//!
//! [`Sink`] writes. [`verify`] finds lines that are missing, doubled, moved or altered, and rounds
//! that were answered in two ways.
//!
//! A payload is written in one line. Later lines name it by its hash.
//!
//! The chain has a limit: anyone who may write the files can write all of them anew. The records in
//! them are signed and cannot be forged, but they can be left out. Anyone who has kept a
//! [`ChainHead`] from an earlier verification can detect that too.

mod entry;
pub mod files;
pub mod folder;
mod fsync;
mod keeper;
mod line;
mod lost;
mod medium;
mod names;
mod queue;
mod sink;
pub mod verify;
mod writer;

#[cfg(test)]
mod tests;

pub use entry::{Boot, Event, RecordEntry, Significant};
pub use fsync::{Fsync, SyncObserver};
pub use line::{BootStart, ChainHead, EvidenceLine, FORMAT, LineBody};
pub use lost::{FileLoss, LOSS_MARKER, acknowledge_losses, unacknowledged_losses};
pub use medium::{FileState, Folder, Medium, VolumeSpace};
pub use sink::{NotKept, Sink, SinkError, SinkFigures, SinkHealth, SinkSettings, SinkTarget};
