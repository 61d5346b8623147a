//! No line is longer than readers accept.

use super::disk::{Disk, words};
use super::{BOOT, clock, entry, open, settings, verdict};
use crate::files::MAX_LINE;
use crate::verify::EvidenceVerdict;
use crate::{Event, EvidenceLine, LineBody, NotKept, Significant, SinkHealth};
use paigow_fairness::encoding::Hash;

/// Makes an event whose line has this many bytes.
fn event_of(bytes: usize) -> Event {
    let event = |fact: &str| Event::new(Significant::Verified).with("fact", fact);
    let line = |event| {
        let (boot, body) = (BOOT.to_owned(), LineBody::Event(event));
        EvidenceLine { boot, seq: 1, prev: Hash::ZERO, time: clock(), body }.to_bytes()
    };
    let event = event(&"x".repeat(bytes - line(event("")).len()));
    assert_eq!(line(event.clone()).len(), bytes);
    event
}

#[tokio::test]
async fn every_manifest_has_a_line_of_its_own() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    let chain: Vec<_> = (0..3).flat_map(|number| entry(number).records).collect();
    sink.manifest(&chain);
    sink.close().await;
    let lines = disk.lines();
    assert_eq!(words(&lines), ["start", "manifest", "manifest", "manifest", "stop"]);
    for (line, manifest) in lines[1..].iter().zip(chain) {
        assert_eq!(line.body, LineBody::Manifest(vec![manifest]));
    }
}

#[tokio::test]
async fn the_longest_line_that_is_read_is_kept() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    sink.event(event_of(MAX_LINE));
    sink.close().await;
    assert_eq!(words(&disk.lines()), ["start", "event verified", "stop"]);
    assert_eq!(verdict(&disk), EvidenceVerdict::Sound);
}

#[tokio::test]
async fn a_longer_line_is_not_written_and_holds_up_no_other() {
    let disk = Disk::default();
    let sink = open(&disk, &settings());
    disk.with(|disk| disk.gate_closed = true);
    sink.event(Event::new(Significant::Started));
    disk.wait_until(|disk| disk.appends == 2);
    // The sink takes all of these at once.
    sink.event(Event::new(Significant::Draining));
    sink.event(event_of(MAX_LINE + 1));
    sink.event(Event::new(Significant::TlsChanged));
    disk.with(|disk| disk.gate_closed = false);
    assert_eq!(sink.keep(entry(1)).await, Ok(()));
    let mut call = entry(2);
    call.rpc = "x".repeat(MAX_LINE).into();
    assert_eq!(sink.keep(call).await, Err(NotKept::Failed));
    assert_eq!(sink.keep(entry(3)).await, Ok(()));
    assert_eq!(sink.health(), SinkHealth::Sound);
    assert_eq!((sink.figures().refused, sink.figures().lost), (1, 1));
    sink.close().await;
    let lines = disk.lines();
    let failed = "event evidence_failed";
    let kept = ["start", "event started", "event draining", failed, "event tls_changed"];
    assert_eq!(words(&lines), [&kept[..], &["record 1", failed, "record 3", "stop"]].concat());
    let told = |line: &EvidenceLine, fact: &str| match &line.body {
        LineBody::Event(event) => event.facts[fact].clone(),
        LineBody::Start(_) | LineBody::Record(_) | LineBody::Manifest(_) | LineBody::Stop => {
            panic!("an event")
        }
    };
    let length = format!("a line of {} bytes is longer than readers accept", MAX_LINE + 1);
    assert_eq!((told(&lines[3], "lost"), told(&lines[3], "error")), ("1".to_owned(), length));
    assert_eq!(told(&lines[6], "refused"), "1");
}
