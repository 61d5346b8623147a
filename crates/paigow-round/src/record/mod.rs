//! The payloads of the records of a round (D5): locks, actions, deals, settles.

mod deal;
mod epoch_close;
mod inclusion;
mod lock;
mod settle;

pub use deal::{DealRecord, ExposedDealer};
pub use epoch_close::{
    ClosedTable, EpochClose, EpochRounds, LeafRecord, RoundCounts, SeedPlace, SeedProof,
};
pub use inclusion::{InclusionProof, InclusionProofs};
pub use lock::{Action, CloseLock, Lock, MAX_SUPERSEDED, WagerLock};
pub use settle::{EpochReveal, SettleRecord, SettledRecord, VoidedRecord};
