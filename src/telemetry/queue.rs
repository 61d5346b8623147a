//! Lines that wait to be written, for a reader who may be slow or gone: no call waits for that.
//!
//! `tracing-appender` does the same, and when its queue is full at the end it says so on the
//! output that nobody takes, and waits for ever.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

/// How many lines may wait; one more is dropped.
const LINES: usize = 8192;

/// A queue of lines, and the thread that writes them. Clones are the same queue; each write to
/// one is a line of its own.
#[derive(Clone, Debug)]
pub(super) struct LogQueue {
    lines: SyncSender<Box<[u8]>>,
    state: Arc<LogQueueState>,
}

/// The state that a queue shares with its thread.
#[derive(Debug, Default)]
struct LogQueueState {
    /// How many lines wait, the one that is being written included.
    waiting: Mutex<usize>,
    written: Condvar,
    dropped: AtomicU64,
}

impl LogQueue {
    /// Makes a queue that is written to `output`, each line at once.
    ///
    /// # Errors
    ///
    /// If the system has no thread.
    pub(super) fn into(output: impl Write + Send + 'static) -> io::Result<Self> {
        let (lines, waiting) = sync_channel(LINES);
        let state = Arc::new(LogQueueState::default());
        let (writes, thread) = (Arc::clone(&state), std::thread::Builder::new());
        thread.name("log".to_owned()).spawn(move || write(&waiting, &writes, output))?;
        Ok(Self { lines, state })
    }

    /// Returns how many lines were dropped so far.
    pub(super) fn dropped(&self) -> u64 {
        self.state.dropped.load(Ordering::Relaxed)
    }

    /// Waits until every line is written, and no longer than `limit`. Returns whether all are.
    pub(super) fn wait_written(&self, limit: Duration) -> bool {
        let waiting = self.state.waiting();
        let written = self.state.written.wait_timeout_while(waiting, limit, |left| *left > 0);
        let (left, _) = written.unwrap_or_else(PoisonError::into_inner);
        *left == 0
    }
}

impl LogQueueState {
    fn waiting(&self) -> std::sync::MutexGuard<'_, usize> {
        // Nothing in here can panic half way.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(lines: &Receiver<Box<[u8]>>, state: &LogQueueState, mut output: impl Write) {
    for line in lines {
        // Nobody can be told that the log cannot be written.
        drop(output.write_all(&line).and_then(|()| output.flush()));
        *state.waiting() -= 1;
        state.written.notify_all();
    }
}

impl Write for LogQueue {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        *self.state.waiting() += 1;
        if self.lines.try_send(line.into()).is_err() {
            *self.state.waiting() -= 1;
            self.state.dropped.fetch_add(1, Ordering::Relaxed);
        }
        Ok(line.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;

    /// An output that reports each line, and accepts one for each permit.
    struct PermittedOutput {
        given: Sender<()>,
        permits: Receiver<()>,
        taken: Sender<Vec<u8>>,
    }

    impl Write for PermittedOutput {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.given.send(()).map_err(io::Error::other)?;
            self.permits.recv().map_err(io::Error::other)?;
            self.taken.send(bytes.to_vec()).map_err(io::Error::other)?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_wait_for_an_output_that_takes_none_and_more_are_dropped() {
        let ((given, is_given), (permit, permits), (taken, took)) =
            (channel(), channel(), channel());
        let mut queue = LogQueue::into(PermittedOutput { given, permits, taken }).unwrap();
        let line = |number: usize| format!("{number}\n").into_bytes();
        queue.write_all(&line(0)).unwrap();
        is_given.recv().unwrap();
        // The thread has one, and the queue is full.
        for number in 1..=LINES + 100 {
            queue.write_all(&line(number)).unwrap();
        }
        assert_eq!(queue.dropped(), 100);
        assert!(!queue.wait_written(Duration::ZERO));
        for _ in 0..=LINES {
            permit.send(()).unwrap();
        }
        assert!(queue.wait_written(Duration::from_secs(60)));
        let lines: Vec<Vec<u8>> = took.try_iter().collect();
        assert_eq!(lines, (0..=LINES).map(line).collect::<Vec<_>>());
    }
}
