//! The payloads of the records of a round (D5): locks, actions, deals, settles.

mod deal;
mod lock;
mod settle;

pub use deal::DealRecord;
pub use lock::{Action, CloseLock, Lock, WagerLock};
pub use settle::{EpochReveal, SettleRecord, SettledRecord, VoidedRecord};
