//! The append-only audit sink: every signed record and every significant event, before
//! the answer leaves.
//!
//! Lines are canonical JSON, each with the hash of the one before, numbered without gaps
//! from the first to the last line of a boot (one run of a process). A file is never
//! written again after its boot. Each boot names the last line of the one before it in the
//! same folder. [`Sink`] writes. [`verify`] finds lines that are missing, doubled, moved or
//! altered, and rounds that were answered in two ways.
//!
//! A payload stands in one line: later lines name it by its hash.
//!
//! What the chain cannot show: who may write the files can write all of them anew. The
//! records in them are signed and cannot be made up, but they can be left out; whoever has
//! kept a [`ChainHead`] from an earlier look finds that too.

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
