//! The task that owns the file: it takes the waiting entries, writes them at once, and answers.

use std::fmt::Display;
use std::io;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};
use tokio::time::Instant;

use super::entry::{Event, Significant};
use super::fsync::Fsync;
use super::line::LineBody;
use super::lost::{LossLedger, LostFile};
use super::medium::VolumeSpace;
use super::queue::{End, EntryQueue};
use super::sink::{Counters, NotKept, SinkHealth};
use super::writer::{NotWritten, Writer, WriterEntry};

/// The time from a failure to the next attempt, if no entry arrives.
const RETRY: Duration = Duration::from_millis(if cfg!(test) { 1 } else { 250 });

/// How often the keeper checks whether the live file was lost, and whether its loss was
/// acknowledged, if no entry arrives.
const LOOK: Duration = Duration::from_millis(if cfg!(test) { 1 } else { 1000 });

/// Something to be kept.
#[derive(Debug)]
pub(super) struct KeeperMessage {
    pub(super) entry: WriterEntry,
    /// The channel to the caller that waits for the entry. An entry without a waiting caller is
    /// tried again.
    pub(super) answer: Option<oneshot::Sender<Result<(), NotKept>>>,
}

/// The state that the calls and the keeper share.
#[derive(Debug)]
pub(super) struct Shared {
    pub(super) queue: EntryQueue<KeeperMessage>,
    pub(super) counters: Counters,
    pub(super) health: watch::Sender<SinkHealth>,
    pub(super) clock: fn() -> u64,
    /// The space of the volume at the keeper's last check.
    pub(super) space: Mutex<Option<VolumeSpace>>,
}

impl Shared {
    /// Notes the space of the volume.
    pub(super) fn set_space(&self, space: Option<VolumeSpace>) {
        *self.space.lock().unwrap_or_else(PoisonError::into_inner) = space;
    }
}

/// The owner of the file.
pub(super) struct EntryKeeper {
    writer: Writer,
    fsync: Fsync,
    shared: Arc<Shared>,
    /// Dropped last, which notifies those that wait for the end.
    ends: watch::Sender<()>,
    /// The time at which the sink failed, in Unix milliseconds, and the error.
    failed: Option<(u64, String)>,
    /// The missing entries that the sink has already reported in its own lines.
    told: MissingEntries,
    /// Entries without a waiting caller that could not be written, oldest first.
    held: Vec<KeeperMessage>,
    /// The most of them.
    capacity: usize,
    /// The time at which the oldest line that is not on the disk was written.
    unsynced_since: Option<Instant>,
    /// Whether the last line of the boot is being written. No line may follow it.
    ending: bool,
    /// The losses that no operator has acknowledged.
    losses: LossLedger,
    /// The loss that the next line has to report.
    lost: Option<LostFile>,
    /// The time of the keeper's last check for a loss.
    looked: Instant,
}

/// How many entries are not in the sink, since the boot began.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct MissingEntries {
    refused: u64,
    lost: u64,
}

/// Notifies waiting callers, even if the keeper panics, that nothing more is kept.
struct KeeperGuard(Arc<Shared>);

impl Drop for KeeperGuard {
    fn drop(&mut self) {
        self.0.queue.die();
        if std::thread::panicking() {
            let (since, error) = ((self.0.clock)(), "the writer has panicked".to_owned());
            self.0.health.send_replace(SinkHealth::Failing { since, error });
        }
    }
}

impl EntryKeeper {
    pub(super) fn new(
        writer: Writer,
        fsync: Fsync,
        capacity: usize,
        shared: Arc<Shared>,
        losses: LossLedger,
        ends: watch::Sender<()>,
    ) -> Self {
        let unsynced_since = writer.is_unsynced().then(Instant::now);
        Self {
            writer,
            fsync,
            shared,
            ends,
            failed: None,
            told: MissingEntries::default(),
            held: Vec::new(),
            capacity,
            unsynced_since,
            ending: false,
            losses,
            lost: None,
            looked: Instant::now(),
        }
    }

    /// Keeps arriving entries until the queue has ended.
    pub(super) async fn run(mut self) {
        let _ends = self.ends.clone();
        let _parting = KeeperGuard(Arc::clone(&self.shared));
        loop {
            let (taken, end) = self.shared.queue.take(self.patience()).await;
            self.keep(taken);
            self.sync_if_due();
            self.look_if_due();
            if let Some(end) = end {
                return self.finish(end);
            }
        }
    }

    /// Returns how long to wait for a new entry before other work is due.
    fn patience(&self) -> Duration {
        if self.failed.is_some() {
            return RETRY;
        }
        let look = LOOK.saturating_sub(self.looked.elapsed());
        match (self.fsync, self.unsynced_since) {
            (Fsync::Interval(interval), Some(since)) => {
                interval.saturating_sub(since.elapsed()).min(look)
            }
            (Fsync::Interval(_) | Fsync::Always | Fsync::Never, _) => look,
        }
    }

    /// Writes the held and then the new entries, with as few writes as the size of a file allows.
    /// An entry that cannot be written is answered or held.
    fn keep(&mut self, taken: Vec<KeeperMessage>) {
        let mut open = std::mem::take(&mut self.held);
        open.extend(taken);
        let mut open = open.into_iter();
        loop {
            let missing = self.shared.counters.missing();
            let lost = self.lost.as_ref().map(LostFile::event).map(LineBody::Event);
            let lost = lost.map(|body| WriterEntry { time: (self.shared.clock)(), body });
            let told = self.trouble(missing);
            // Losses of a late clone while the last line was written are not reported.
            if open.len() == 0 && ((lost.is_none() && told.is_none()) || self.ending) {
                return;
            }
            let first = lost.iter().chain(&told);
            let entries = first.chain(open.as_slice().iter().map(|message| &message.entry));
            let synced = self.sync_after_failure().map_err(NotWritten::from);
            match synced.and_then(|()| self.writer.append(entries)) {
                Ok(count) => {
                    self.shared.counters.lines.fetch_add(count as u64, Relaxed);
                    // A file begins with the report of a loss, and may have room for nothing else.
                    let count = count - usize::from(self.lost.take().is_some());
                    if told.is_none() || count > 0 {
                        self.told = missing;
                        self.recovered();
                        let count = count - usize::from(told.is_some());
                        open.by_ref().take(count).for_each(|message| self.kept(message));
                    }
                }
                Err(error @ NotWritten::TooLong(_)) => {
                    // It would block all other entries for ever. A report of the sink itself is
                    // never so long.
                    self.note(&error);
                    let Some(message) = open.next() else { return };
                    self.give_up(message);
                }
                Err(NotWritten::Lost(lost)) => self.raise(lost),
                Err(NotWritten::Medium(error)) => {
                    self.note(&error);
                    open.for_each(|message| self.not_kept(message));
                    return;
                }
            }
        }
    }

    /// Returns the report of failures that has to be written first.
    fn trouble(&self, missing: MissingEntries) -> Option<WriterEntry> {
        if self.failed.is_none() && missing == self.told {
            return None;
        }
        let now = (self.shared.clock)();
        let too_much = || (now, "more waited than could be written".to_owned());
        let (time, error) = self.failed.clone().unwrap_or_else(too_much);
        let event = Event::new(Significant::EvidenceFailed)
            .with("error", error)
            .with("recovered", now)
            .with("refused", missing.refused - self.told.refused)
            .with("lost", missing.lost - self.told.lost);
        Some(WriterEntry { time, body: LineBody::Event(event) })
    }

    /// After a failed sync the sink is not sound until a sync has succeeded.
    fn sync_after_failure(&mut self) -> io::Result<()> {
        let by_the_clock = matches!(self.fsync, Fsync::Interval(_));
        if self.failed.is_some() && by_the_clock { self.writer.sync() } else { Ok(()) }
    }

    fn kept(&self, message: KeeperMessage) {
        self.shared.counters.waiting.fetch_sub(1, Relaxed);
        if let Some(answer) = message.answer {
            // A caller that has stopped waiting needs no answer.
            answer.send(Ok(())).unwrap_or_default();
        }
    }

    fn not_kept(&mut self, message: KeeperMessage) {
        if message.answer.is_none() && self.held.len() < self.capacity {
            self.held.push(message);
        } else {
            self.give_up(message);
        }
    }

    /// Counts an entry that is not kept, and notifies the caller that waits for it.
    fn give_up(&self, message: KeeperMessage) {
        let Shared { counters, .. } = &*self.shared;
        counters.waiting.fetch_sub(1, Relaxed);
        let missing = match message.answer {
            None => &counters.lost,
            Some(answer) => match answer.send(Err(NotKept::Failed)) {
                Ok(()) => &counters.refused,
                // A caller that has stopped waiting gets no answer, or has counted the entry
                // itself.
                Err(_) => return,
            },
        };
        missing.fetch_add(1, Relaxed);
    }

    fn recovered(&mut self) {
        self.unsynced_since =
            self.writer.is_unsynced().then(|| self.unsynced_since.unwrap_or_else(Instant::now));
        self.failed = None;
        self.shared.health.send_if_modified(|health| {
            std::mem::replace(health, SinkHealth::Sound) != SinkHealth::Sound
        });
    }

    fn note(&mut self, error: &impl Display) {
        self.shared.counters.failures.fetch_add(1, Relaxed);
        if self.failed.is_none() {
            let (since, error) = ((self.shared.clock)(), error.to_string());
            self.failed = Some((since, error.clone()));
            self.shared.health.send_replace(SinkHealth::Failing { since, error });
        }
    }

    /// Checks whether the live file was lost, or its loss was acknowledged.
    fn look_if_due(&mut self) {
        if self.looked.elapsed() < LOOK {
            return;
        }
        self.looked = Instant::now();
        let now = (self.shared.clock)();
        match self.writer.look().and_then(|()| self.writer.rotate_if_old(now)) {
            Ok(()) => {}
            Err(NotWritten::Lost(lost)) => {
                self.raise(lost);
                self.keep(Vec::new());
            }
            Err(error @ (NotWritten::Medium(_) | NotWritten::TooLong(_))) => self.note(&error),
        }
        self.losses.look();
        self.shared.set_space(self.writer.space());
    }

    /// Raises the loss of the live file, which the next line reports.
    fn raise(&mut self, lost: Option<LostFile>) {
        if let Some(lost) = lost {
            self.losses.add(&lost, (self.shared.clock)());
            self.lost = Some(lost);
        } else {
            self.losses.restore();
        }
        self.unsynced_since = None;
    }

    fn sync_if_due(&mut self) {
        let (Fsync::Interval(interval), Some(since)) = (self.fsync, self.unsynced_since) else {
            return;
        };
        if self.failed.is_none() && since.elapsed() >= interval {
            self.sync();
        }
    }

    fn sync(&mut self) {
        match self.writer.sync() {
            Ok(()) => self.unsynced_since = None,
            Err(error) => self.note(&error),
        }
    }

    /// Ends the boot. Tries the held entries once more.
    fn finish(mut self, end: End) {
        if end == End::Closed {
            let entry = WriterEntry { time: (self.shared.clock)(), body: LineBody::Stop };
            self.shared.counters.waiting.fetch_add(1, Relaxed);
            self.ending = true;
            self.keep(vec![KeeperMessage { entry, answer: None }]);
        }
        if self.fsync != Fsync::Never {
            self.sync();
        }
        if !self.held.is_empty() {
            let lines = self.held.len();
            tracing::error!(lines, "stopped without the last lines of the evidence");
            self.shared.counters.lost.fetch_add(lines as u64, Relaxed);
        }
    }
}

impl Counters {
    fn missing(&self) -> MissingEntries {
        MissingEntries { refused: self.refused.load(Relaxed), lost: self.lost.load(Relaxed) }
    }
}
