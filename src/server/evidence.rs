//! The audit sink of a process: opened by the settings, watched while it is written.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, UNIX_EPOCH};

use super::host;
use crate::rpc::{BuildFacts, ServiceState, UnshippedEvidence, log_event};
use crate::telemetry::Meters;
use paigow_config::Config;
use paigow_evidence::files::{self, UnshippedFiles};
use paigow_evidence::{
    Boot, Event, Significant, Sink, SinkError, SinkFigures, SinkHealth, SinkSettings, SinkTarget,
    SyncObserver, VolumeSpace,
};
use paigow_files::system::may_write;

/// The most entries that wait to be written. With a full disk that is one or two seconds of
/// calls. Further calls would only learn later that their entries are not kept.
const QUEUE: usize = 8192;

/// How long the last lines may take to be written.
const LAST_LINES: Duration = Duration::from_secs(5);

/// How often the metrics of the sink are updated.
const COUNTED: Duration = Duration::from_secs(1);

/// How often the folder is searched for files that are not shipped.
const LOOKED: Duration = Duration::from_secs(10);

/// Opens the sink that the settings ask for, of the replica `instance`.
///
/// # Errors
///
/// If a line cannot be written to its folder or output.
pub(super) fn open(
    config: &Config,
    build: &BuildFacts,
    instance: &str,
    meters: &Meters,
) -> Result<Sink, SinkError> {
    let asked = &config.evidence;
    if asked.target == SinkTarget::Off {
        return Ok(Sink::off());
    }
    let mut drawn = [0; 8];
    host::entropy(&mut drawn)
        .map_err(|error| SinkError::Unwritable { place: "its name".to_owned(), error })?;
    let boot = Boot {
        id: Boot::make_id(host::now(), drawn),
        instance: instance.to_owned(),
        version: build.version.into(),
        executable: build.executable_sha256,
    };
    let settings = SinkSettings {
        target: asked.target.clone(),
        fail_closed: asked.fail_closed,
        fsync: asked.fsync,
        rotate_bytes: asked.rotate_bytes,
        rotate_after: asked.rotate_after,
        folder_bytes: asked.folder_bytes,
        queue: QUEUE,
        stall: asked.stall,
    };
    let meters = meters.clone();
    let synced = SyncObserver::new(move |took| meters.evidence_synced(took));
    Sink::open_observed(settings, boot, host::now_ms, synced)
}

/// Checks that [`open`] could write and go on where the settings ask for it, and writes nothing.
///
/// # Errors
///
/// If the folder does not exist, a file cannot be written in it, or its evidence cannot be read.
pub(super) fn check(config: &Config) -> Result<(), SinkError> {
    let SinkTarget::Directory(directory) = &config.evidence.target else { return Ok(()) };
    may_write(directory)
        .and_then(|()| files::check_readable(directory))
        .map_err(|error| SinkError::Unwritable { place: directory.display().to_string(), error })
}

/// Writes the waiting lines and the last line. Returns whether that was done. A medium that hangs
/// does not keep the process running.
pub(super) async fn close(sink: &Sink) -> bool {
    let closed = tokio::time::timeout(LAST_LINES, sink.clone().close()).await.is_ok();
    if !closed {
        tracing::error!("the last lines of evidence could not be written");
    }
    closed
}

/// Closes new rounds while the sink fails, if answers must wait for evidence. Runs for ever. When the
/// sink works again, it keeps the event itself, with the number of lines that it could not keep.
pub(super) async fn follow(state: Arc<ServiceState>) {
    let fail_closed = state.sink.is_fail_closed();
    let mut health = state.sink.watch();
    loop {
        let failing = match &*health.borrow_and_update() {
            SinkHealth::Sound => None,
            SinkHealth::Failing { error, .. } => Some(error.clone()),
        };
        state.meters.evidence_failing(failing.is_some());
        let changed = state.standing.set(|now| now.unrecorded = fail_closed && failing.is_some());
        match failing {
            Some(error) => {
                let event = Event::new(Significant::EvidenceFailed);
                log_event(&event.with("error", error).with("fail_closed", fail_closed));
            }
            None if changed => tracing::info!("evidence is kept again"),
            None => {}
        }
        if health.changed().await.is_err() {
            return;
        }
    }
}

/// Reports files of evidence that were lost while they were written, and the operator's
/// acknowledgement, for ever. Play goes on: the sink has begun another file.
pub(super) async fn follow_losses(state: Arc<ServiceState>) {
    let mut losses = state.sink.watch_losses();
    let mut known: Arc<[String]> = Arc::default();
    loop {
        let now = Arc::clone(&losses.borrow_and_update());
        state.meters.evidence_lost_unacknowledged(now.len());
        for loss in now.iter().filter(|loss| !known.contains(loss)) {
            state.forget_kept();
            // The sink itself keeps the event, at the beginning of the new file.
            log_event(&Event::new(Significant::EvidenceLost).with("loss", loss));
        }
        if now.is_empty() && !known.is_empty() {
            let event = Event::new(Significant::EvidenceLossAcknowledged);
            state.tell(event.with("losses", known.join("; ")));
        }
        known = now;
        if losses.changed().await.is_err() {
            return;
        }
    }
}

/// Updates the metrics of the files in the folder that wait to be shipped, for ever.
pub(super) async fn count_unshipped(state: Arc<ServiceState>, directory: PathBuf) {
    let mut ticks = tokio::time::interval(LOOKED);
    loop {
        ticks.tick().await;
        let directory = directory.clone();
        // A disk that hangs blocks only this thread.
        let found = tokio::task::spawn_blocking(move || files::unshipped(&directory)).await;
        match found {
            Ok(Ok(UnshippedFiles { files, oldest })) => {
                let now = UNIX_EPOCH + Duration::from_millis(host::now_ms());
                let age = oldest.and_then(|oldest| now.duration_since(oldest).ok());
                state.note_unshipped(UnshippedEvidence { files, age: age.unwrap_or_default() });
            }
            Ok(Err(error)) => {
                tracing::warn!(%error, "cannot look for evidence that is not shipped")
            }
            Err(_) => tracing::error!("the search for evidence that is not shipped panicked"),
        }
    }
}

/// Updates the metrics of the sink, for ever.
pub(super) async fn count(state: Arc<ServiceState>) {
    let mut before = SinkFigures::default();
    let mut ticks = tokio::time::interval(COUNTED);
    loop {
        ticks.tick().await;
        let now = state.sink.figures();
        let waited = |figures: SinkFigures| i64::try_from(figures.waiting).unwrap_or(i64::MAX);
        state.meters.evidence_kept(now.lines.saturating_sub(before.lines));
        state.meters.evidence_dropped(now.lost.saturating_sub(before.lost));
        state.meters.evidence_waiting(waited(now) - waited(before));
        if let Some(VolumeSpace { free, size }) = now.space {
            state.meters.evidence_volume(free, size);
        }
        before = now;
    }
}
