//! A queue of log lines for an output that may be slow or gone. No call waits for the output.
//!
//! `tracing-appender` has such a queue too. But if it is full at the end, it reports that on the
//! blocked output, and waits for ever.

use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tracing::{Level, Metadata};
use tracing_subscriber::fmt::MakeWriter;

/// How many lines may wait; one more is dropped.
const LINES: usize = 8192;

/// How many further lines of errors may wait.
const ERRORS: usize = 1024;

/// The time over which the limit of lines counts.
const WINDOW: Duration = Duration::from_secs(1);

/// The target of the line that states how many lines the limit has dropped.
const DROPPED: &str = "paigow::log";

/// A queue of lines, and the thread that writes them. Clones are the same queue; each write to
/// one is a line of its own.
#[derive(Clone, Debug)]
pub(super) struct LogQueue {
    lines: SyncSender<Box<[u8]>>,
    state: Arc<LogQueueState>,
}

/// The state that a queue shares with its thread.
#[derive(Debug)]
struct LogQueueState {
    /// How many lines wait, the one that is being written included.
    waiting: Mutex<usize>,
    written: Condvar,
    dropped: AtomicU64,
    limit: LineLimit,
}

/// A limit of lines in each second.
#[derive(Debug)]
struct LineLimit {
    per_second: u32,
    /// When the current second has begun, and how many lines it has had.
    window: Mutex<(Instant, u32)>,
    /// How many lines were dropped; part of [`LogQueueState::dropped`].
    dropped: AtomicU64,
}

impl LineLimit {
    fn new(per_second: u32) -> Self {
        let window = Mutex::new((Instant::now(), 0));
        Self { per_second, window, dropped: AtomicU64::new(0) }
    }

    /// Counts a line, and returns whether it is within the limit.
    fn admits(&self, now: Instant) -> bool {
        let mut window = self.window.lock().unwrap_or_else(PoisonError::into_inner);
        if now.saturating_duration_since(window.0) >= WINDOW {
            *window = (now, 0);
        }
        window.1 = window.1.saturating_add(1);
        window.1 <= self.per_second
    }
}

impl LogQueue {
    /// Makes a queue that is written to `output`, each line at once. It accepts `per_second` lines a
    /// second, and errors in addition.
    ///
    /// # Errors
    ///
    /// If the system has no thread.
    pub(super) fn into(output: impl Write + Send + 'static, per_second: u32) -> io::Result<Self> {
        let (lines, waiting) = sync_channel(LINES + ERRORS);
        let state = Arc::new(LogQueueState {
            waiting: Mutex::default(),
            written: Condvar::new(),
            dropped: AtomicU64::new(0),
            limit: LineLimit::new(per_second),
        });
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
        // No code under the lock can panic halfway.
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn write(lines: &Receiver<Box<[u8]>>, state: &LogQueueState, mut output: impl Write) {
    let (mut looked, mut stated) = (Instant::now(), 0);
    loop {
        match lines.recv_timeout(WINDOW) {
            Ok(line) => {
                // There is nowhere to report that the log cannot be written.
                drop(output.write_all(&line).and_then(|()| output.flush()));
                *state.waiting() -= 1;
                state.written.notify_all();
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
        if looked.elapsed() >= WINDOW {
            looked = Instant::now();
            let dropped = state.limit.dropped.load(Ordering::Relaxed);
            if dropped > stated {
                let dropped = dropped - std::mem::replace(&mut stated, dropped);
                tracing::warn!(
                    target: DROPPED,
                    dropped,
                    "lines were dropped: more than log.lines_per_second"
                );
            }
        }
    }
}

/// The writer of one line.
#[derive(Debug)]
pub(super) struct LineWriter<'q> {
    queue: &'q LogQueue,
    /// Whether the line is exempt from the limit, and has room when others have none.
    is_exempt: bool,
}

impl<'q> MakeWriter<'q> for LogQueue {
    type Writer = LineWriter<'q>;

    fn make_writer(&'q self) -> LineWriter<'q> {
        LineWriter { queue: self, is_exempt: false }
    }

    fn make_writer_for(&'q self, metadata: &Metadata<'_>) -> LineWriter<'q> {
        let is_exempt = *metadata.level() == Level::ERROR || metadata.target() == DROPPED;
        LineWriter { queue: self, is_exempt }
    }
}

impl Write for LineWriter<'_> {
    fn write(&mut self, line: &[u8]) -> io::Result<usize> {
        let LogQueue { lines, state } = self.queue;
        if !self.is_exempt && !state.limit.admits(Instant::now()) {
            state.limit.dropped.fetch_add(1, Ordering::Relaxed);
            state.dropped.fetch_add(1, Ordering::Relaxed);
            return Ok(line.len());
        }
        let mut waiting = state.waiting();
        // The channel has room for one line less than may wait: the thread has one.
        let has_room = self.is_exempt || *waiting <= LINES;
        *waiting += 1;
        drop(waiting);
        if !has_room || lines.try_send(line.into()).is_err() {
            *state.waiting() -= 1;
            state.dropped.fetch_add(1, Ordering::Relaxed);
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
        let output = PermittedOutput { given, permits, taken };
        let queue = LogQueue::into(output, u32::MAX).unwrap();
        let line = |number: usize| format!("{number}\n").into_bytes();
        queue.make_writer().write_all(&line(0)).unwrap();
        is_given.recv().unwrap();
        // The thread has one, and the queue is full.
        for number in 1..=LINES + 100 {
            queue.make_writer().write_all(&line(number)).unwrap();
        }
        assert_eq!(queue.dropped(), 100);
        // There is still room for an error.
        let error = LineWriter { queue: &queue, is_exempt: true }.write(&line(LINES + 1));
        assert_eq!((error.unwrap(), queue.dropped()), (line(LINES + 1).len(), 100));
        assert!(!queue.wait_written(Duration::ZERO));
        for _ in 0..=LINES + 1 {
            permit.send(()).unwrap();
        }
        assert!(queue.wait_written(Duration::from_secs(60)));
        let lines: Vec<Vec<u8>> = took.try_iter().collect();
        assert_eq!(lines, (0..=LINES + 1).map(line).collect::<Vec<_>>());
    }

    #[test]
    fn a_second_has_so_many_lines_and_the_next_as_many_again() {
        let limit = LineLimit::new(3);
        let begin = limit.window.lock().unwrap().0;
        let admitted = |after: u64| {
            let now = begin + Duration::from_millis(after);
            (0..5).filter(|_| limit.admits(now)).count()
        };
        assert_eq!([0, 999, 1000, 1999, 2500].map(admitted), [3, 0, 3, 0, 3]);
    }
}
