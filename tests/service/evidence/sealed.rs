//! Files that are not written any more: begun by time, shipped, and the bound of the folder.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use paigow_evidence::files::{self, UnshippedFiles};
use paigow_evidence::{Event, NotKept, RecordEntry, Significant, Sink, SinkSettings};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};

use crate::evidence::replica::{boot, clock, files_in, settings, verified};

/// A clock that is 600 ms later each time.
fn ticking() -> u64 {
    static TICKS: AtomicU64 = AtomicU64::new(1_800_000_000_000);
    TICKS.fetch_add(600, Ordering::Relaxed)
}

/// An entry of some 1,000 bytes.
fn entry(number: u64) -> RecordEntry {
    let payload = Json::obj([("n", Json::Int(number)), ("text", Json::str("x".repeat(500)))]);
    RecordEntry {
        rpc: "Deal".into(),
        tenant: "acme".parse().unwrap(),
        round_id: Hash::of(&number.to_le_bytes()),
        trace_id: None,
        records: vec![RecordEnvelope::unsigned(RecordKind::Action, &payload)],
        kept: Vec::new(),
    }
}

#[tokio::test]
async fn a_file_is_sealed_some_time_after_its_first_line_and_the_last_one_at_the_end() {
    let folder = tempfile::tempdir().unwrap();
    let chosen =
        SinkSettings { rotate_after: Duration::from_millis(1000), ..settings(folder.path()) };
    let sink = Sink::open(chosen, boot(1, "a"), ticking).unwrap();
    for number in 0..10 {
        sink.keep(entry(number)).await.unwrap();
    }
    let files = files_in(folder.path());
    assert!(files.len() >= 4, "{files:?}");
    let sealed = files::sealed(folder.path()).unwrap();
    assert_eq!(sealed, files[..files.len() - 1]);
    // One of them was shipped.
    fs::write(files::shipped_marker(&sealed[0]), "{}").unwrap();
    let UnshippedFiles { files: waiting, oldest } = files::unshipped(folder.path()).unwrap();
    assert_eq!(waiting, sealed.len() as u64 - 1);
    assert_eq!(oldest, fs::metadata(&sealed[1]).unwrap().modified().ok());
    sink.close().await;
    assert_eq!(files::sealed(folder.path()).unwrap(), files_in(folder.path()));
    assert!(verified(&[folder.path()]).faults.is_empty());
}

#[tokio::test]
async fn the_last_file_of_a_killed_boot_is_sealed_once_a_later_boot_goes_on_from_it() {
    let folder = tempfile::tempdir().unwrap();
    let killed = Sink::open(settings(folder.path()), boot(1, "a"), clock).unwrap();
    killed.keep(entry(1)).await.unwrap();
    let last = files_in(folder.path());
    assert_eq!(files::sealed(folder.path()).unwrap(), Vec::<std::path::PathBuf>::new());
    let later = Sink::open(settings(folder.path()), boot(2, "a"), clock).unwrap();
    assert_eq!(files::sealed(folder.path()).unwrap(), last);
    // The boot was not killed after all: what goes on is not sealed.
    killed.keep(entry(2)).await.unwrap();
    assert_eq!(files::sealed(folder.path()).unwrap(), Vec::<std::path::PathBuf>::new());
    later.close().await;
}

#[tokio::test]
async fn a_folder_that_is_full_takes_nothing_until_files_are_taken_away() {
    let folder = tempfile::tempdir().unwrap();
    let chosen =
        SinkSettings { rotate_bytes: 4096, folder_bytes: 1 << 14, ..settings(folder.path()) };
    let sink = Sink::open(chosen, boot(1, "a"), clock).unwrap();
    let mut health = sink.watch();
    let mut kept = 0;
    let refused = loop {
        match sink.keep(entry(kept)).await {
            Ok(()) => kept += 1,
            Err(refused) => break refused,
        }
    };
    assert_eq!(refused, NotKept::Failed);
    // Some 16 lines of some 1,000 bytes.
    assert!((10..=17).contains(&kept), "{kept}");
    // A line that is short enough to fit is not taken either.
    sink.event(Event::new(Significant::Draining));
    assert_eq!(sink.keep(entry(kept)).await, Err(NotKept::Failed));
    for file in &files_in(folder.path())[..2] {
        fs::remove_file(file).unwrap();
    }
    while *health.borrow_and_update() != paigow_evidence::SinkHealth::Sound {
        health.changed().await.unwrap();
    }
    sink.keep(entry(kept)).await.unwrap();
    sink.close().await;
}
