//! The sink as the service uses it: hand over an entry, wait until it is kept.

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{oneshot, watch};

use super::entry::{Boot, Event, RecordEntry, Significant};
use super::files;
use super::fsync::{Fsync, SyncObserver};
use super::keeper::{EntryKeeper, KeeperMessage, Shared};
use super::line::{BootStart, LineBody};
use super::lost::LossLedger;
use super::medium::{Folder, Medium, Stdout, VolumeSpace};
use super::queue::{End, EntryQueue, NotTaken};
use super::writer::{NotWritten, Rotation, Writer, WriterEntry};
use paigow_fairness::record::RecordEnvelope;

/// Where lines go.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SinkTarget {
    /// Nowhere.
    Off,
    /// Files in this folder, which must exist.
    Directory(PathBuf),
    /// The standard output, which no other code may write to.
    Stdout,
}

/// The settings that an operator chooses.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct SinkSettings {
    /// Where lines go.
    pub target: SinkTarget,
    /// Whether a call waits until its records are kept, and fails if they are not. If false, no
    /// call waits, and records that cannot be kept are counted.
    pub fail_closed: bool,
    /// When lines are on the disk.
    pub fsync: Fsync,
    /// The size at which a new file is begun, in bytes; a longer line has a file of its own.
    pub rotate_bytes: u64,
    /// How long after its first line a new file is begun, so that a file can be shipped. The keeper
    /// begins one even if nothing is written.
    pub rotate_after: Duration,
    /// The most bytes of the files of evidence in the folder. Beyond it nothing is kept, as on a
    /// full disk, until files are removed.
    pub folder_bytes: u64,
    /// The most entries that wait to be written.
    pub queue: usize,
    /// How long a call waits until its records are kept. A disk that takes longer counts as failed.
    pub stall: Duration,
}

/// The reason why the sink cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum SinkError {
    /// The id of the boot cannot be part of a file name.
    #[error("`{0}` is not the id of a boot")]
    Boot(String),
    /// The folder or the output does not accept a line.
    #[error("{place}: {error}")]
    Unwritable {
        /// The folder, or `the standard output`.
        place: String,
        /// The error of the system.
        error: std::io::Error,
    },
}

/// The reason why an entry was not kept, or may not be.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
pub enum NotKept {
    /// More waits than may.
    #[error("too many records wait to be kept")]
    Full,
    /// It could not be written.
    #[error("the records could not be written")]
    Failed,
    /// It was not written in time, but may be written later.
    #[error("the records were not written in time")]
    Stalled,
    /// The sink was closed, or its writer has died.
    #[error("the sink is closed")]
    Closed,
}

/// How the sink does.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum SinkHealth {
    /// The last entry that was written is kept.
    Sound,
    /// No entry is kept.
    Failing {
        /// The time since which nothing is kept, in Unix milliseconds.
        since: u64,
        /// The first error of the system.
        error: String,
    },
}

/// The counts of the sink since the boot began.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct SinkFigures {
    /// Lines kept.
    pub lines: u64,
    /// Attempts to write or sync that failed.
    pub failures: u64,
    /// Entries that wait to be written now.
    pub waiting: u64,
    /// Calls that received the error that their records are not kept.
    pub refused: u64,
    /// Entries without a waiting caller that are not in the sink.
    pub lost: u64,
    /// The space of the volume of the folder, if there is one and its space is known.
    pub space: Option<VolumeSpace>,
}

#[derive(Debug, Default)]
pub(super) struct Counters {
    pub(super) lines: AtomicU64,
    pub(super) failures: AtomicU64,
    pub(super) waiting: AtomicU64,
    pub(super) refused: AtomicU64,
    pub(super) lost: AtomicU64,
}

/// The append-only sink. Clones write to the same sink.
#[derive(Clone, Debug)]
pub struct Sink(Option<Arc<Handle>>);

#[derive(Debug)]
struct Handle {
    shared: Arc<Shared>,
    fail_closed: bool,
    stall: Duration,
    losses: watch::Receiver<Arc<[String]>>,
    /// Ends with the writer.
    ended: watch::Receiver<()>,
}

impl Drop for Handle {
    fn drop(&mut self) {
        self.shared.queue.end(End::Left);
    }
}

impl Sink {
    /// Returns a sink that keeps nothing and refuses nothing.
    #[must_use]
    pub const fn off() -> Self {
        Self(None)
    }

    /// Opens the sink and writes the first line of the boot, which proves that lines can be
    /// written. `clock` returns the time in Unix milliseconds.
    ///
    /// # Errors
    ///
    /// If the folder does not exist or does not accept a line. Also if `boot.id` is not an id, or
    /// was used before.
    pub fn open(settings: SinkSettings, boot: Boot, clock: fn() -> u64) -> Result<Self, SinkError> {
        Self::open_observed(settings, boot, clock, SyncObserver::new(drop))
    }

    /// Opens the sink as [`Sink::open`] does. `synced` receives the duration of each sync of a
    /// file.
    ///
    /// # Errors
    ///
    /// As [`Sink::open`].
    pub fn open_observed(
        settings: SinkSettings,
        boot: Boot,
        clock: fn() -> u64,
        synced: SyncObserver,
    ) -> Result<Self, SinkError> {
        let (medium, place): (Box<dyn Medium>, String) = match &settings.target {
            SinkTarget::Off => return checked(&boot).map(|()| Self::off()),
            SinkTarget::Directory(directory) => {
                let folder = Folder::new(directory.clone(), settings.folder_bytes, synced);
                (Box::new(folder), directory.display().to_string())
            }
            SinkTarget::Stdout => {
                let place = "the standard output".to_owned();
                match Stdout::new() {
                    Ok(stdout) => (Box::new(stdout), place),
                    Err(error) => return Err(SinkError::Unwritable { place, error }),
                }
            }
        };
        let (sink, keeper) = Self::open_on(medium, &settings, boot, clock)?;
        run_aside(keeper).map_err(|error| SinkError::Unwritable { place, error })?;
        Ok(sink)
    }

    /// Opens the sink on `medium` instead of the target of the settings. Also returns a future,
    /// which keeps the entries of the sink while it is polled.
    ///
    /// If the settings name a folder, it has the previous boot and the marker of losses.
    ///
    /// # Errors
    ///
    /// As [`Sink::open`].
    pub fn open_on(
        medium: Box<dyn Medium>,
        settings: &SinkSettings,
        boot: Boot,
        clock: fn() -> u64,
    ) -> Result<(Self, impl Future<Output = ()> + Send + 'static), SinkError> {
        checked(&boot)?;
        let (place, before) = match &settings.target {
            SinkTarget::Directory(directory) => {
                let place = directory.display().to_string();
                match files::last_head(directory) {
                    Ok(before) => (place, before),
                    Err(error) => return Err(SinkError::Unwritable { place, error }),
                }
            }
            SinkTarget::Off | SinkTarget::Stdout => ("the standard output".to_owned(), None),
        };
        let (sink, keeper) = Self::on(medium, settings, BootStart { boot, before }, clock)
            .map_err(|error| SinkError::Unwritable { place, error })?;
        Ok((sink, keeper.run()))
    }

    /// Opens the sink on a medium, and returns its keeper, which does not run yet.
    pub(super) fn on(
        medium: Box<dyn Medium>,
        settings: &SinkSettings,
        start: BootStart,
        clock: fn() -> u64,
    ) -> std::io::Result<(Self, EntryKeeper)> {
        let SinkSettings { fail_closed, fsync, rotate_bytes, rotate_after, queue, stall, .. } =
            *settings;
        let rotation = Rotation { bytes: rotate_bytes, after: rotate_after };
        let mut writer = Writer::new(medium, start.boot.id.clone(), fsync, rotation);
        writer.append(&[WriterEntry { time: clock(), body: LineBody::Start(start) }]).map_err(
            |error| match error {
                NotWritten::Medium(error) => error,
                NotWritten::TooLong(_) | NotWritten::Lost(_) => std::io::Error::other(error),
            },
        )?;
        let directory = match &settings.target {
            SinkTarget::Directory(directory) => Some(directory.clone()),
            SinkTarget::Off | SinkTarget::Stdout => None,
        };
        let ledger = LossLedger::open(directory)?;
        let losses = ledger.watch();
        let counters = Counters { lines: AtomicU64::new(1), ..Counters::default() };
        let (health, _) = watch::channel(SinkHealth::Sound);
        let (queued, space) = (EntryQueue::new(queue), Mutex::new(writer.space()));
        let shared = Arc::new(Shared { queue: queued, counters, health, clock, space });
        let (ends, ended) = watch::channel(());
        let keeper = EntryKeeper::new(writer, fsync, queue, Arc::clone(&shared), ledger, ends);
        let sink = Self(Some(Arc::new(Handle { shared, fail_closed, stall, losses, ended })));
        Ok((sink, keeper))
    }

    /// Whether nothing is kept.
    #[must_use]
    pub const fn is_off(&self) -> bool {
        self.0.is_none()
    }

    /// Returns whether a call whose records are not kept must get no answer.
    #[must_use]
    pub fn is_fail_closed(&self) -> bool {
        self.0.as_ref().is_some_and(|handle| handle.fail_closed)
    }

    /// Keeps the records that a call has signed. Returns when they are kept as
    /// [`SinkSettings::fsync`] states.
    ///
    /// If the sink is not `fail_closed`, hands them over and returns at once.
    ///
    /// # Errors
    ///
    /// Only if the sink is `fail_closed`: if the records are not kept, or not in time. A caller
    /// that stops waiting does not withdraw them: they may still be kept.
    ///
    /// # Panics
    ///
    /// Outside of a runtime that keeps time.
    pub async fn keep(&self, entry: RecordEntry) -> Result<(), NotKept> {
        let Some(handle) = &self.0 else { return Ok(()) };
        let body = LineBody::Record(entry);
        if !handle.fail_closed {
            handle.hand_over(body);
            return Ok(());
        }
        let (answer, mut told) = oneshot::channel();
        handle.add(body, Some(answer)).map_err(|not_taken| {
            handle.shared.counters.refused.fetch_add(1, Relaxed);
            match not_taken {
                NotTaken::Full => NotKept::Full,
                NotTaken::Ended => NotKept::Closed,
            }
        })?;
        let told = match tokio::time::timeout(handle.stall, &mut told).await {
            Ok(told) => told.ok(),
            Err(_) => {
                // From here on the keeper does not count this call. An answer that it has already
                // sent counts.
                told.close();
                let Ok(told) = told.try_recv() else {
                    handle.stalled();
                    return Err(NotKept::Stalled);
                };
                Some(told)
            }
        };
        told.unwrap_or_else(|| {
            // The writer has died with the entry.
            handle.shared.counters.refused.fetch_add(1, Relaxed);
            Err(NotKept::Failed)
        })
    }

    /// Keeps a significant event, and never waits. While nothing can be written, the event is held.
    /// Events above the capacity are counted as lost, and the sink reports them later.
    pub fn event(&self, event: Event) {
        if let Some(handle) = &self.0 {
            handle.hand_over(LineBody::Event(event));
        }
    }

    /// Keeps manifests of the chain that is in force from here on, oldest first.
    ///
    /// Each is in a line of its own, since a chain may be longer than a line. Never waits, as
    /// [`Sink::event`].
    pub fn manifest(&self, records: &[RecordEnvelope]) {
        if let Some(handle) = &self.0 {
            for record in records {
                handle.hand_over(LineBody::Manifest(vec![record.clone()]));
            }
        }
    }

    /// Returns the health of the sink.
    #[must_use]
    pub fn health(&self) -> SinkHealth {
        self.0.as_ref().map_or(SinkHealth::Sound, |handle| handle.shared.health.borrow().clone())
    }

    /// Returns a receiver of every change of [`Sink::health`]. It ends with the last clone of the
    /// sink. For a sink that is off it has already ended.
    #[must_use]
    pub fn watch(&self) -> watch::Receiver<SinkHealth> {
        let off = || watch::channel(SinkHealth::Sound).1;
        self.0.as_ref().map_or_else(off, |handle| handle.shared.health.subscribe())
    }

    /// Returns a receiver of the losses of live files that no operator has acknowledged, one line
    /// each. Those of earlier boots are included. It ends as that of [`Sink::watch`].
    #[must_use]
    pub fn watch_losses(&self) -> watch::Receiver<Arc<[String]>> {
        let off = || watch::channel(Arc::default()).1;
        self.0.as_ref().map_or_else(off, |handle| handle.losses.clone())
    }

    /// Returns the figures of the sink.
    #[must_use]
    pub fn figures(&self) -> SinkFigures {
        let Some(handle) = &self.0 else { return SinkFigures::default() };
        let counters = &handle.shared.counters;
        SinkFigures {
            lines: counters.lines.load(Relaxed),
            failures: counters.failures.load(Relaxed),
            waiting: counters.waiting.load(Relaxed),
            refused: counters.refused.load(Relaxed),
            lost: counters.lost.load(Relaxed),
            space: *handle.shared.space.lock().unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Writes the waiting entries and the last line of the boot.
    ///
    /// Returns when they are on the disk or cannot be written. An entry that a clone hands over
    /// later is not kept.
    pub async fn close(self) {
        let Some(handle) = &self.0 else { return };
        handle.shared.queue.end(End::Closed);
        let mut ended = handle.ended.clone();
        while ended.changed().await.is_ok() {}
    }
}

/// Checks that the id of a boot can be a part of a file's name.
fn checked(boot: &Boot) -> Result<(), SinkError> {
    if Boot::is_id(&boot.id) { Ok(()) } else { Err(SinkError::Boot(boot.id.clone())) }
}

/// Polls the keeper on a thread of its own, so that a disk that blocks delays nothing else.
///
/// # Errors
///
/// If the system has no thread or timer.
pub(super) fn run_aside(keeper: impl Future<Output = ()> + Send + 'static) -> std::io::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
    let thread = std::thread::Builder::new().name("evidence".to_owned());
    thread.spawn(move || runtime.block_on(keeper)).map(drop)
}

impl Handle {
    fn add(
        &self,
        body: LineBody,
        answer: Option<oneshot::Sender<Result<(), NotKept>>>,
    ) -> Result<(), NotTaken> {
        let Shared { queue, counters, clock, .. } = &*self.shared;
        // Counted before it can be taken; otherwise the number of waiting entries could fall below
        // zero.
        counters.waiting.fetch_add(1, Relaxed);
        queue.add(KeeperMessage { entry: WriterEntry { time: clock(), body }, answer }).inspect_err(
            |_| {
                counters.waiting.fetch_sub(1, Relaxed);
            },
        )
    }

    /// Notes that a call has waited too long. It also hands over an event. When the event is
    /// written, the sink is sound again even without other entries.
    fn stalled(&self) {
        let Shared { counters, health, clock, .. } = &*self.shared;
        counters.refused.fetch_add(1, Relaxed);
        let error = format!("nothing was written for {} ms", self.stall.as_millis());
        let failing = SinkHealth::Failing { since: clock(), error: error.clone() };
        let is_news = health.send_if_modified(|health| {
            let is_news = *health == SinkHealth::Sound;
            if is_news {
                *health = failing;
            }
            is_news
        });
        if is_news {
            let event = Event::new(Significant::EvidenceFailed).with("error", error);
            self.hand_over(LineBody::Event(event));
        }
    }

    fn hand_over(&self, body: LineBody) {
        if self.add(body, None).is_err() {
            self.shared.counters.lost.fetch_add(1, Relaxed);
        }
    }
}
