//! Processes that end with the test that has started them, however it ends.

use std::ops::{Deref, DerefMut};
use std::process::Child;

/// A process that is killed when this is dropped, if it has not ended.
///
/// One that a failed test left behind would keep the output open that it has inherited, and
/// whoever reads that to its end would wait for ever.
#[derive(Debug)]
pub struct KilledOnDrop(pub Child);

impl Deref for KilledOnDrop {
    type Target = Child;

    fn deref(&self) -> &Child {
        &self.0
    }
}

impl DerefMut for KilledOnDrop {
    fn deref_mut(&mut self) -> &mut Child {
        &mut self.0
    }
}

impl Drop for KilledOnDrop {
    fn drop(&mut self) {
        drop(self.0.kill());
        drop(self.0.wait());
    }
}
