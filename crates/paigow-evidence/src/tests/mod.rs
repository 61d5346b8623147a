//! The sink on a disk that fails on command.

mod bounds;
mod disk;
mod promises;

use std::time::Duration;

use self::disk::{Disk, Fate, words};
use super::line::BootStart;
use super::lost::FileLoss;
use super::sink::run_aside;
use super::*;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};

const BOOT: &str = "1800000000-0123456789abcdef";

fn clock() -> u64 {
    1_800_000_000_000
}

fn settings() -> SinkSettings {
    SinkSettings {
        target: SinkTarget::Off,
        fail_closed: true,
        fsync: Fsync::Always,
        rotate_bytes: 1 << 20,
        rotate_after: Duration::MAX,
        folder_bytes: u64::MAX,
        queue: 100,
        stall: Duration::from_secs(600),
    }
}

fn open(disk: &Disk, settings: &SinkSettings) -> Sink {
    let boot = Boot {
        id: BOOT.to_owned(),
        instance: "a".to_owned(),
        version: "1".into(),
        executable: None,
    };
    let start = BootStart { boot, before: None };
    let (sink, keeper) = Sink::on(Box::new(disk.clone()), settings, start, clock).unwrap();
    run_aside(keeper.run()).unwrap();
    sink
}

/// Verifies the content of the disk, and returns the verdict.
fn verdict(disk: &Disk) -> verify::EvidenceVerdict {
    let mut verifier = verify::EvidenceVerifier::new(&[]);
    for file in disk.with(|disk| disk.files.clone()) {
        verifier.begin_file(&file.name);
        files::each_line(&*file.bytes, |line, whole| verifier.line(line, whole)).unwrap();
    }
    verifier.finish().verdict()
}

/// Makes an entry that is identified by its number.
fn entry(number: u64) -> RecordEntry {
    let record =
        RecordEnvelope::unsigned(RecordKind::Ticket, &Json::obj([("n", Json::Int(number))]));
    RecordEntry {
        rpc: number.to_string().into(),
        tenant: "acme".parse().unwrap(),
        round_id: Hash::of(&number.to_le_bytes()),
        trace_id: None,
        records: vec![record],
        kept: Vec::new(),
    }
}

#[tokio::test]
async fn a_boot_is_a_chain_from_start_to_stop() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    sink.event(Event::new(Significant::Started));
    sink.manifest(&entry(0).records);
    assert_eq!(sink.keep(entry(1)).await, Ok(()));
    let figures = sink.figures();
    sink.close().await;
    let expected = ["start", "event started", "manifest", "record 1", "stop"];
    assert_eq!(words(&disk.lines()), expected);
    assert_eq!(figures, SinkFigures { lines: 4, ..SinkFigures::default() });
}

#[tokio::test]
async fn what_is_handed_over_after_the_end_is_not_kept() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    let late = sink.clone();
    sink.close().await;
    late.event(Event::new(Significant::Draining));
    assert_eq!(late.keep(entry(1)).await, Err(NotKept::Closed));
    assert_eq!((late.figures().refused, late.figures().lost), (1, 1));
    assert_eq!(words(&disk.lines()), ["start", "stop"]);
}

#[tokio::test]
async fn nothing_follows_the_last_line_though_a_clone_is_late_while_it_is_written() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    let late = sink.clone();
    disk.with(|disk| disk.gate_closed = true);
    let closing = tokio::spawn(sink.close());
    // The first line was the start, the second is the stop.
    while disk.with(|disk| disk.appends) < 2 {
        tokio::task::yield_now().await;
    }
    late.event(Event::new(Significant::Draining));
    assert_eq!(late.keep(entry(1)).await, Err(NotKept::Closed));
    disk.with(|disk| disk.gate_closed = false);
    closing.await.unwrap();
    assert_eq!((late.figures().refused, late.figures().lost), (1, 1));
    assert_eq!(words(&disk.lines()), ["start", "stop"]);
    assert_eq!(verdict(&disk), verify::EvidenceVerdict::Sound);
}

#[tokio::test]
async fn no_record_is_kept_on_a_full_disk_and_the_sink_recovers_by_itself() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    assert_eq!(sink.keep(entry(1)).await, Ok(()));
    // Half a line is written. Removing that half fails once.
    disk.with(|disk| {
        disk.fates = [Fate::Fails(100), Fate::Fails(0), Fate::Fails(0), Fate::Fails(0)].into();
    });
    let mut health = sink.watch();
    assert_eq!(sink.keep(entry(2)).await, Err(NotKept::Failed));
    // No further entry is handed over: the sink makes the next attempts itself.
    health.wait_for(|health| *health == SinkHealth::Sound).await.unwrap();
    assert_eq!(sink.keep(entry(3)).await, Ok(()));
    assert_eq!(sink.health(), SinkHealth::Sound);
    let SinkFigures { failures, refused, lost, .. } = sink.figures();
    assert!(failures >= 2, "{failures}");
    assert_eq!((refused, lost), (1, 0));
    sink.close().await;
    let lines = disk.lines();
    let expected = ["start", "record 1", "event evidence_failed", "record 3", "stop"];
    assert_eq!(words(&lines), expected);
    let LineBody::Event(event) = &lines[2].body else { panic!("an event") };
    assert_eq!(event.facts["error"], "no space left");
    assert_eq!((event.facts["refused"].as_str(), event.facts["lost"].as_str()), ("1", "0"));
}

#[tokio::test]
async fn a_line_that_meets_a_lost_file_is_in_the_next_one_and_there_alone() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    assert_eq!(sink.keep(entry(1)).await, Ok(()));
    // The file is lost while the disk delays the line.
    disk.with(|disk| disk.gate_closed = true);
    let call = tokio::spawn({
        let sink = sink.clone();
        async move { sink.keep(entry(2)).await }
    });
    while disk.with(|disk| disk.appends) < 3 {
        tokio::task::yield_now().await;
    }
    disk.with(|disk| (disk.lost, disk.gate_closed) = (Some(FileLoss::Moved), false));
    assert_eq!(call.await.unwrap(), Ok(()));
    assert_eq!(sink.watch_losses().borrow().len(), 1);
    assert_eq!((sink.figures().refused, sink.figures().failures), (0, 0));
    sink.close().await;
    let lines = disk.lines();
    let expected = ["start", "record 1", "event evidence_lost", "record 2", "stop"];
    assert_eq!(words(&lines), expected);
    let LineBody::Event(event) = &lines[2].body else { panic!("an event") };
    let fact = |name: &str| event.facts[name].as_str();
    assert_eq!([fact("found"), fact("first_seq"), fact("last_seq")], ["moved", "0", "1"]);
    let files = disk.with(|disk| disk.files.clone());
    assert_eq!((files.len(), fact("file")), (2, files[0].name.as_str()));
}

#[tokio::test]
async fn a_file_that_is_lost_is_noticed_when_the_next_one_is_begun() {
    let disk = Disk::default();
    let sink = open(&disk, &SinkSettings { rotate_bytes: 1, ..settings() });
    // The next line would begin a new file anyway.
    disk.with(|disk| disk.lost = Some(FileLoss::Deleted));
    assert_eq!(sink.keep(entry(1)).await, Ok(()));
    sink.close().await;
    assert_eq!(words(&disk.lines()), ["start", "event evidence_lost", "record 1", "stop"]);
}

#[tokio::test]
async fn a_line_that_cannot_be_synced_is_not_kept() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    disk.with(|disk| disk.fates = [Fate::Well, Fate::Fails(0)].into());
    assert_eq!(sink.keep(entry(1)).await, Err(NotKept::Failed));
    assert_eq!(sink.keep(entry(2)).await, Ok(()));
    sink.close().await;
    let words = words(&disk.lines());
    assert!(!words.contains(&"record 1".to_owned()), "{words:?}");
    assert!(words.contains(&"record 2".to_owned()), "{words:?}");
}

#[tokio::test]
async fn events_wait_for_the_disk_and_are_never_lost_silently() {
    let disk = Disk::default();
    let sink = open(&disk, &SinkSettings { queue: 2, ..settings() });
    let mut health = sink.watch();
    disk.with(|disk| disk.gate_closed = true);
    sink.event(Event::new(Significant::Verified));
    // The writer has taken the first entry. Two more may wait, and three are too many.
    disk.wait_until(|disk| disk.appends == 2);
    for _ in 0..5 {
        sink.event(Event::new(Significant::Draining));
    }
    assert_eq!(sink.figures().lost, 3);
    disk.fail_next(3);
    disk.with(|disk| disk.gate_closed = false);
    // A watch shows the present state and that it has changed. The failures may already be over.
    health.changed().await.unwrap();
    health.wait_for(|health| *health == SinkHealth::Sound).await.unwrap();
    sink.close().await;
    let lines = disk.lines();
    let told: u64 = lines
        .iter()
        .filter_map(|line| match &line.body {
            LineBody::Event(event) => event.facts.get("lost"),
            LineBody::Start(_) | LineBody::Record(_) | LineBody::Manifest(_) | LineBody::Stop => {
                None
            }
        })
        .map(|lost| lost.parse::<u64>().unwrap())
        .sum();
    let kept = words(&lines).iter().filter(|word| *word == "event draining").count() as u64;
    assert_eq!(words(&lines).iter().filter(|word| *word == "event verified").count(), 1);
    // At most two of the held entries stay, so one more may be lost. Each is kept or reported.
    assert_eq!(kept + told, 5, "{:?}", words(&lines));
}

#[tokio::test]
async fn a_full_queue_refuses_at_once() {
    let disk = Disk::default();
    let sink = open(&disk, &SinkSettings { queue: 1, ..settings() });
    disk.with(|disk| disk.gate_closed = true);
    sink.event(Event::new(Significant::Verified));
    disk.wait_until(|disk| disk.appends == 2);
    sink.event(Event::new(Significant::Draining));
    assert_eq!(sink.keep(entry(1)).await, Err(NotKept::Full));
    disk.with(|disk| disk.gate_closed = false);
    sink.close().await;
    let words = words(&disk.lines());
    assert!(words.contains(&"event evidence_failed".to_owned()), "it is told: {words:?}");
    assert!(!words.contains(&"record 1".to_owned()));
}

#[tokio::test]
async fn a_disk_that_hangs_fails_calls_in_time_and_is_sound_when_it_goes_on() {
    let disk = Disk::default();
    let sink = open(&disk, &SinkSettings { stall: Duration::from_millis(1), ..settings() });
    let mut health = sink.watch();
    disk.with(|disk| disk.gate_closed = true);
    let mut kept = Box::pin(sink.keep(entry(1)));
    tokio::select! {
        biased;
        kept = &mut kept => panic!("the disk hangs: {kept:?}"),
        () = std::future::ready(()) => {}
    }
    // The record is with the disk before the time is over.
    disk.wait_until(|disk| disk.appends == 2);
    assert_eq!(kept.await, Err(NotKept::Stalled));
    assert!(matches!(sink.health(), SinkHealth::Failing { .. }));
    disk.with(|disk| disk.gate_closed = false);
    health.wait_for(|health| *health == SinkHealth::Sound).await.unwrap();
    sink.close().await;
    let words = words(&disk.lines());
    assert_eq!(words[..2], ["start", "record 1"], "kept after all, and nobody was told so");
    assert!(words.contains(&"event evidence_failed".to_owned()), "{words:?}");
}

/// Returns the number of calls that the sink itself reports as refused.
fn told_refused(disk: &Disk) -> u64 {
    let refused = |line: &EvidenceLine| match &line.body {
        LineBody::Event(event) => {
            event.facts.get("refused").map(|told| told.parse::<u64>().unwrap())
        }
        LineBody::Start(_) | LineBody::Record(_) | LineBody::Manifest(_) | LineBody::Stop => None,
    };
    disk.lines().iter().filter_map(refused).sum()
}

#[tokio::test]
async fn a_call_that_waits_too_long_and_fails_then_is_refused_once() {
    let disk = Disk::default();
    let sink = open(&disk, &SinkSettings { stall: Duration::from_millis(1), ..settings() });
    disk.with(|disk| disk.gate_closed = true);
    let call = tokio::spawn({
        let sink = sink.clone();
        async move { sink.keep(entry(1)).await }
    });
    assert_eq!(call.await.unwrap(), Err(NotKept::Stalled));
    assert_eq!(sink.figures().refused, 1);
    // The write that it waited for fails. Everything after it is written.
    disk.wait_until(|disk| disk.appends == 2);
    disk.fail_next(1);
    disk.with(|disk| disk.gate_closed = false);
    sink.clone().close().await;
    assert_eq!(sink.figures().refused, 1);
    assert!(!words(&disk.lines()).contains(&"record 1".to_owned()));
    assert_eq!(told_refused(&disk), 1);
}

#[tokio::test]
async fn a_call_whose_caller_has_hung_up_is_not_refused() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    disk.with(|disk| disk.gate_closed = true);
    let mut call = Box::pin(sink.keep(entry(1)));
    tokio::select! {
        biased;
        kept = &mut call => panic!("the disk hangs: {kept:?}"),
        () = std::future::ready(()) => {}
    }
    drop(call);
    disk.wait_until(|disk| disk.appends == 2);
    disk.fail_next(1);
    disk.with(|disk| disk.gate_closed = false);
    sink.clone().close().await;
    assert!(!words(&disk.lines()).contains(&"record 1".to_owned()));
    assert_eq!((sink.figures().refused, sink.figures().lost), (0, 0));
    assert_eq!(told_refused(&disk), 0);
}

#[tokio::test]
async fn all_that_wait_share_one_sync() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    disk.with(|disk| disk.gate_closed = true);
    sink.event(Event::new(Significant::Started));
    disk.wait_until(|disk| disk.appends == 2);
    let mut calls = tokio::task::JoinSet::new();
    for number in 0..50 {
        let sink = sink.clone();
        calls.spawn(async move { sink.keep(entry(number)).await });
    }
    while sink.figures().waiting < 51 {
        tokio::task::yield_now().await;
    }
    let before = disk.with(|disk| {
        disk.gate_closed = false;
        disk.syncs
    });
    for kept in calls.join_all().await {
        assert_eq!(kept, Ok(()));
    }
    // One sync for the event that was being written, and one for the fifty.
    assert_eq!(disk.with(|disk| disk.syncs) - before, 2);
    sink.close().await;
    assert_eq!(disk.lines().len(), 53);
}

#[tokio::test]
async fn a_sink_that_is_not_fail_closed_never_holds_up_a_call() {
    let disk = Disk::default();
    let sink = open(&disk, &SinkSettings { fail_closed: false, queue: 3, ..settings() });
    disk.with(|disk| disk.gate_closed = true);
    sink.event(Event::new(Significant::Started));
    disk.wait_until(|disk| disk.appends == 2);
    for number in 0..5 {
        assert_eq!(sink.keep(entry(number)).await, Ok(()));
    }
    assert_eq!((sink.figures().lost, sink.figures().refused), (2, 0));
    disk.with(|disk| disk.gate_closed = false);
    sink.close().await;
    let words = words(&disk.lines());
    assert_eq!(words.iter().filter(|word| word.starts_with("record")).count(), 3);
    assert!(words.contains(&"event evidence_failed".to_owned()), "{words:?}");
}

#[tokio::test]
async fn a_new_file_begins_between_lines_before_the_old_one_is_too_large() {
    let disk = Disk::default();
    let sink = open(&disk, &SinkSettings { rotate_bytes: 2000, ..settings() });
    for number in 0..20 {
        assert_eq!(sink.keep(entry(number)).await, Ok(()));
    }
    sink.close().await;
    assert_eq!(disk.lines().len(), 22);
    let files = disk.with(|disk| disk.files.clone());
    assert!(files.len() > 2);
    for (number, file) in (1..).zip(&files) {
        assert_eq!(file.name, format!("{BOOT}-{number:06}.jsonl"));
        assert!(file.bytes.len() <= 2000 && file.bytes.ends_with(b"\n"));
    }
}

#[tokio::test]
async fn a_line_longer_than_a_file_may_be_has_one_of_its_own() {
    let disk = Disk::default();
    let sink = open(&disk, &SinkSettings { rotate_bytes: 1, ..settings() });
    assert_eq!(sink.keep(entry(1)).await, Ok(()));
    sink.close().await;
    assert_eq!(disk.lines().len(), 3);
    assert_eq!(disk.with(|disk| disk.files.len()), 3);
}

#[tokio::test]
async fn lines_are_on_the_disk_when_the_policy_says_so() {
    for (fsync, least, most) in [
        (Fsync::Always, 1, 1),
        // No sync precedes the answer; the clock or the end causes it.
        (Fsync::Interval(Duration::from_secs(3600)), 0, 0),
        (Fsync::Never, 0, 0),
    ] {
        let disk = Disk::default();
        let sink = open(&disk, &SinkSettings { fsync, ..settings() });
        let before = disk.with(|disk| disk.syncs);
        assert_eq!(sink.keep(entry(1)).await, Ok(()));
        let syncs = disk.with(|disk| disk.syncs) - before;
        assert!((least..=most).contains(&syncs), "{fsync:?}: {syncs}");
        sink.close().await;
        let safe = disk.with(|disk| disk.files[0].safe == disk.files[0].bytes.len());
        assert_eq!(safe, fsync != Fsync::Never, "{fsync:?}");
    }
}

#[tokio::test]
async fn the_interval_syncs_without_further_lines_and_tells_of_a_failure() {
    let disk = Disk::default();
    let fsync = Fsync::Interval(Duration::from_millis(1));
    let sink = open(&disk, &SinkSettings { fsync, ..settings() });
    disk.wait_until(|disk| disk.files[0].safe == disk.files[0].bytes.len());
    let mut health = sink.watch();
    disk.with(|disk| disk.fates = [Fate::Well, Fate::Fails(0), Fate::Fails(0)].into());
    assert_eq!(sink.keep(entry(1)).await, Ok(()));
    health.changed().await.unwrap();
    health.wait_for(|health| *health == SinkHealth::Sound).await.unwrap();
    sink.close().await;
    let expected = ["start", "record 1", "event evidence_failed", "stop"];
    assert_eq!(words(&disk.lines()), expected);
}

#[tokio::test]
async fn a_writer_that_dies_lets_nobody_wait() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    disk.with(|disk| disk.panics = true);
    assert_eq!(sink.keep(entry(1)).await, Err(NotKept::Failed));
    let mut health = sink.watch();
    health.wait_for(|health| matches!(health, SinkHealth::Failing { .. })).await.unwrap();
    assert_eq!(sink.keep(entry(2)).await, Err(NotKept::Closed));
    assert_eq!(sink.figures().refused, 2, "each was told");
    sink.close().await;
}

#[tokio::test]
async fn a_sink_that_is_off_refuses_nothing() {
    let sink = Sink::off();
    sink.event(Event::new(Significant::Started));
    assert_eq!(sink.keep(entry(1)).await, Ok(()));
    assert_eq!((sink.health(), sink.figures()), (SinkHealth::Sound, SinkFigures::default()));
    sink.close().await;
}
