//! The bounded queue between the calls and the writer. Adding to it never waits.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::timeout;

/// A bounded queue with many producers and one consumer, which takes all entries at once.
#[derive(Debug)]
pub(super) struct EntryQueue<T> {
    state: Mutex<State<T>>,
    filled: Notify,
    capacity: usize,
}

#[derive(Debug)]
struct State<T> {
    waiting: Vec<T>,
    end: Option<End>,
}

/// The way in which the queue has ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum End {
    /// In order: the waiting entries and the end of the boot are written.
    Closed,
    /// All producers are gone: the waiting entries are written.
    Left,
    /// Nobody empties any more.
    Dead,
}

/// The reason why an item was not taken.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum NotTaken {
    Full,
    Ended,
}

impl<T> EntryQueue<T> {
    pub(super) const fn new(capacity: usize) -> Self {
        let state = Mutex::new(State { waiting: Vec::new(), end: None });
        Self { state, filled: Notify::const_new(), capacity }
    }

    fn state(&self) -> MutexGuard<'_, State<T>> {
        // No code under the lock can panic in the middle of a change.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds an item, or returns at once the reason why not.
    pub(super) fn add(&self, item: T) -> Result<(), NotTaken> {
        let mut state = self.state();
        if state.end.is_some() {
            return Err(NotTaken::Ended);
        }
        if state.waiting.len() >= self.capacity {
            return Err(NotTaken::Full);
        }
        state.waiting.push(item);
        drop(state);
        self.filled.notify_one();
        Ok(())
    }

    /// Takes all waiting items. If the queue is empty, waits for one, at most for `patience`. Also
    /// returns whether the queue has ended.
    pub(super) async fn take(&self, patience: Duration) -> (Vec<T>, Option<End>) {
        let filled = async {
            // A notice may be about an item that was already taken.
            while self.is_idle() {
                self.filled.notified().await;
            }
        };
        // A timeout is as good as a notice.
        drop(timeout(patience, filled).await);
        let mut state = self.state();
        (std::mem::take(&mut state.waiting), state.end)
    }

    fn is_idle(&self) -> bool {
        let state = self.state();
        state.waiting.is_empty() && state.end.is_none()
    }

    /// Takes no more items. The first reason stays.
    pub(super) fn end(&self, end: End) {
        self.state().end.get_or_insert(end);
        self.filled.notify_one();
    }

    /// Takes no more items and drops those that wait, so that their callers learn that they are not
    /// kept.
    pub(super) fn die(&self) {
        let mut state = self.state();
        state.end = Some(End::Dead);
        let forgotten = std::mem::take(&mut state.waiting);
        drop(state);
        drop(forgotten);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_full_queue_refuses_at_once_and_takes_again_when_it_was_emptied() {
        let queue = EntryQueue::new(2);
        assert_eq!((queue.add(1), queue.add(2)), (Ok(()), Ok(())));
        assert_eq!(queue.add(3), Err(NotTaken::Full));
        assert_eq!(queue.take(Duration::ZERO).await, (vec![1, 2], None));
        assert_eq!(queue.add(3), Ok(()));
    }

    #[tokio::test]
    async fn what_waits_at_the_end_is_still_handed_over() {
        let queue = EntryQueue::new(2);
        queue.add(1).unwrap();
        queue.end(End::Closed);
        queue.end(End::Left);
        assert_eq!(queue.add(2), Err(NotTaken::Ended));
        assert_eq!(queue.take(Duration::ZERO).await, (vec![1], Some(End::Closed)));
        assert_eq!(queue.take(Duration::ZERO).await, (vec![], Some(End::Closed)));
    }

    #[test]
    fn a_dead_queue_drops_what_waits() {
        let queue = EntryQueue::new(2);
        let item = std::sync::Arc::new(());
        queue.add(std::sync::Arc::clone(&item)).unwrap();
        queue.die();
        assert_eq!(std::sync::Arc::strong_count(&item), 1);
        assert_eq!(queue.add(item), Err(NotTaken::Ended));
    }
}
