//! After any failures in any order, the chain is intact and has every acknowledged record.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::disk::{Disk, Fate, File, chained, words};
use super::{entry, open, settings};
use crate::{Event, Fsync, Significant, SinkSettings};

/// The calls of one step.
#[derive(Clone, Debug)]
enum Step {
    /// This many calls at the same time.
    Calls(u64),
    Event,
    /// The results of the next calls of the disk.
    Fates(Vec<Fate>),
}

fn step() -> impl Strategy<Value = Step> {
    let fate = prop_oneof![
        Just(Fate::Well),
        (0usize..2000).prop_map(Fate::Fails),
        Just(Fate::Fails(usize::MAX)),
    ];
    prop_oneof![
        (1u64..6).prop_map(Step::Calls),
        Just(Step::Event),
        prop::collection::vec(fate, 1..6).prop_map(Step::Fates),
    ]
}

/// Returns the words of all lines that can be read after a loss of power.
fn safe_words(disk: &Disk) -> Vec<String> {
    let safe = |file: &File| File { bytes: file.bytes[..file.safe].to_vec(), ..file.clone() };
    words(&chained(&disk.with(|disk| disk.files.iter().map(safe).collect::<Vec<_>>())))
}

async fn play(steps: Vec<Step>, rotate_bytes: u64) {
    let disk = Disk::default();
    let chosen = SinkSettings { rotate_bytes, fsync: Fsync::Always, queue: 1000, ..settings() };
    let sink = open(&disk, &chosen);
    let (mut number, mut events) = (0, 0);
    let (mut acknowledged, mut refused) = (BTreeSet::new(), BTreeSet::new());
    for step in steps {
        match step {
            Step::Fates(fates) => disk.with(|disk| disk.fates.extend(fates)),
            Step::Event => {
                events += 1;
                sink.event(Event::new(Significant::Draining));
            }
            Step::Calls(count) => {
                let mut calls = tokio::task::JoinSet::new();
                for _ in 0..count {
                    number += 1;
                    let (sink, number) = (sink.clone(), number);
                    calls.spawn(async move { (number, sink.keep(entry(number)).await) });
                }
                for (number, kept) in calls.join_all().await {
                    let word = format!("record {number}");
                    if kept.is_ok() {
                        acknowledged.insert(word);
                    } else {
                        refused.insert(word);
                    }
                }
                let found: BTreeSet<String> = safe_words(&disk).into_iter().collect();
                assert!(acknowledged.is_subset(&found), "{acknowledged:?} in {found:?}");
            }
        }
    }
    disk.with(|disk| disk.fates.clear());
    // One more call on a sound disk: all held entries precede it.
    number += 1;
    while sink.keep(entry(number)).await.is_err() {
        number += 1;
    }
    acknowledged.insert(format!("record {number}"));
    sink.close().await;
    let found = safe_words(&disk);
    assert_eq!(found, words(&disk.lines()), "the whole sink is on the disk");
    assert_eq!(found.last().map(String::as_str), Some("stop"));
    let count = |word: &str| found.iter().filter(|found| *found == word).count();
    for word in &acknowledged {
        assert_eq!(count(word), 1, "{word} in {found:?}");
    }
    for word in &refused {
        assert_eq!(count(word), 0, "{word} in {found:?}");
    }
    assert_eq!(count("event draining"), events);
}

proptest! {
    #[test]
    fn no_failure_breaks_the_chain_or_loses_what_was_acknowledged(
        steps in prop::collection::vec(step(), 1..20),
        rotate_bytes in prop_oneof![Just(1u64 << 20), 500u64..3000],
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(play(steps, rotate_bytes));
    }
}
