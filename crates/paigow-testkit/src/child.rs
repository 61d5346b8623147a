//! Processes that end with the test that started them, however it ends.

use std::ops::{Deref, DerefMut};
use std::process::Child;

/// A process that is killed when this is dropped, if it has not ended.
///
/// A process that a failed test left behind would keep its inherited output open. A reader of that
/// output would wait for its end for ever.
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
