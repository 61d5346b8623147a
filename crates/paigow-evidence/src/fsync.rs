//! The times at which the sink syncs its lines to the disk.

use std::time::Duration;

/// When lines are on the disk.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Fsync {
    /// Before anybody is told that they are kept; one sync for all that wait.
    Always,
    /// At the latest so long after they were written.
    Interval(Duration),
    /// When the operating system sees fit.
    Never,
}
