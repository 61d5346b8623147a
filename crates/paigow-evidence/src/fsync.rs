//! The times at which the sink syncs its lines to the disk.

use std::fmt;
use std::time::Duration;

/// The time at which lines are on the disk.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Fsync {
    /// Before any caller gets the answer that they are kept, with one sync for all that wait.
    Always,
    /// At most this long after they were written.
    Interval(Duration),
    /// When the operating system chooses.
    Never,
}

/// A function that receives the duration of each sync of a file.
pub struct SyncObserver(Box<dyn Fn(Duration) + Send>);

impl SyncObserver {
    /// Makes an observer of a function. The sink's own thread calls it.
    #[must_use]
    pub fn new(observe: impl Fn(Duration) + Send + 'static) -> Self {
        Self(Box::new(observe))
    }

    pub(super) fn observe(&self, took: Duration) {
        (self.0)(took);
    }
}

impl fmt::Debug for SyncObserver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SyncObserver").finish_non_exhaustive()
    }
}
