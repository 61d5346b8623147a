//! The public log of records (PGE-FAIR-1, section 6.6): its writer, proofs from it, its reader and
//! its witness.
//!
//! The log is a tree as of RFC 9162 in objects as of C2SP `tlog-tiles`, in a folder or in object
//! storage:
//!
//! | object | what |
//! |---|---|
//! | `checkpoint` | the newest signed checkpoint, with the cosignatures that came |
//! | `tile/<L>/<N>`, `tile/<L>/<N>.p/<W>` | hashes of the tree |
//! | `tile/entries/<N>`, `tile/entries/<N>.p/<W>` | the entries |
//! | `cosigned/<size, 15 digits in groups of 3>` | each checkpoint that a witness has signed |
//! | `witnesses` | the verifier keys of the witnesses that were asked, one a line |
//!
//! [`LogWriter`] appends, [`write()`] drives it, [`prove`] makes proofs for a transcript, [`copy()`] copies a log for an audit,
//! [`LogReader`] and [`LogTree`] verify what they read, and [`LogWitness`] is the other side.

mod copy;
mod cosign;
mod error;
mod follow;
mod note;
mod prove;
mod reader;
mod state;
mod store;
mod store_root;
mod tree;
mod witness;
mod write;
mod writer;

#[cfg(test)]
mod tests;

pub use copy::{LogCopying, copy};
pub use cosign::{AskedWitness, WitnessClient};
pub use error::LogError;
pub use note::{NamedCosignature, SignedCheckpoint, WitnessKey};
pub use prove::{LogProving, prove};
pub use reader::LogReader;
pub use state::StateFile;
pub use store::{LogStore, ObjectLogStore};
pub use store_root::StoreRoot;
pub use tree::{LogTree, TreeEdge};
pub use witness::{LogWitness, WitnessAnswer};
pub use write::{LogWriting, write};
pub use writer::{LogPublication, LogStart, LogWriter};
