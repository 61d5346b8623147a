//! The open tickets of one folder, as a replica reads them while it writes.

use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::SystemTime;

use paigow_engine::DealAnswer;
use paigow_evidence::SinkSettings;
use paigow_evidence::folder::{self, FolderCoverage, FolderPart, FolderQuery, FolderTicket};
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::RecordEnvelope;

use crate::evidence::casino::{Casino, RoundPlan, id};
use crate::evidence::replica::{Replica, clock, files_in, settings};

/// All parts of a folder.
struct Found {
    coverage: FolderCoverage,
    open: Vec<FolderTicket>,
    closed: Vec<Hash>,
    /// Whether each part with tickets or closes is one of tickets, in their order.
    order: Vec<bool>,
}

fn query(tenant: &str) -> FolderQuery {
    FolderQuery { tenant: id(tenant), opened_until: u64::MAX, most_waiting: 1000 }
}

fn found(folder: &Path, query: &FolderQuery) -> Found {
    let mut coverage = None;
    let (mut open, mut closed, mut order) = (Vec::new(), Vec::new(), Vec::new());
    folder::open_tickets(folder, query, |part| {
        match part {
            None => {}
            Some(FolderPart::Coverage(one)) => {
                assert!(coverage.replace(one).is_none() && order.is_empty(), "the first part");
            }
            Some(FolderPart::Open(ticket)) => {
                order.push(true);
                open.push(*ticket);
            }
            Some(FolderPart::Closed(rounds)) => {
                order.push(false);
                closed.extend(rounds);
            }
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    Found { coverage: coverage.unwrap(), open, closed, order }
}

/// The n-th round of a tenant at a table of its own.
fn plan(tenant: &str, number: u64) -> RoundPlan {
    let plan = RoundPlan::random(tenant, number, None, 7);
    RoundPlan { table: format!("table-{number}"), round_no: 1, ..plan }
}

/// Keeps the ticket of a round alone, as `OpenRound` does.
async fn open(replica: &Replica, plan: &RoundPlan) -> DealAnswer {
    let dealt = replica.casino.deal(plan);
    replica.keep("OpenRound", &plan.tenant, &dealt.records[..1]).await;
    dealt
}

/// Keeps the lock and the deal of a round whose ticket another replica has.
async fn deal_only(replica: &Replica, plan: &RoundPlan) -> DealAnswer {
    let dealt = replica.casino.deal(plan);
    replica.keep_close(plan, &dealt, &dealt.records[1..]).await;
    dealt
}

fn hashes(tickets: &[FolderTicket]) -> Vec<(Hash, bool, usize)> {
    tickets.iter().map(|one| (one.hash, one.is_dealt, one.records.len())).collect()
}

fn round_ids(dealt: &[&DealAnswer]) -> Vec<Hash> {
    dealt.iter().map(|dealt| dealt.round_id).collect()
}

fn hash(dealt: &DealAnswer) -> Hash {
    dealt.records[0].hash()
}

#[tokio::test]
async fn a_folder_tells_what_it_opened_and_dealt_and_did_not_close_and_all_that_it_closed() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Replica::start(Casino::new(), 1, settings(folder.path()));
    let plans: Vec<RoundPlan> = (1..=6).map(|number| plan("locked", number)).collect();
    let opened = open(&replica, &plans[0]).await;
    let dealt = replica.deal(&plans[1]).await;
    let settled = replica.deal(&plans[2]).await;
    replica.settle(&plans[2], &settled).await;
    let voided = replica.deal(&plans[3]).await;
    replica.void(&plans[3], &voided).await;
    // Of these another replica has the ticket, and of the second the deal too.
    let only_dealt = deal_only(&replica, &plans[4]).await;
    let only_closed = replica.casino.deal(&plans[5]);
    replica.settle(&plans[5], &only_closed).await;
    // Another tenant's, and a ticket that came twice.
    replica.deal(&plan("dev", 1)).await;
    open(&replica, &plans[0]).await;

    let found = found(folder.path(), &query("locked"));
    assert_eq!(found.coverage, FolderCoverage { complete_since: 0, files: 1 });
    let expected =
        [(hash(&opened), false, 1), (hash(&dealt), true, 3), (hash(&only_dealt), true, 2)];
    assert_eq!(hashes(&found.open), expected);
    assert_eq!(found.closed, round_ids(&[&settled, &voided, &only_closed]));
    let [first, second, third] = &found.open[..] else { panic!("three tickets") };
    let lines = |records: &[RecordEnvelope]| -> Vec<String> {
        records.iter().map(RecordEnvelope::to_line).collect()
    };
    assert_eq!(lines(&first.records), lines(&opened.records[..1]));
    assert_eq!(lines(&second.records), lines(&dealt.records));
    assert_eq!(lines(&third.records), lines(&only_dealt.records[1..]));
    let coordinates = &first.ticket.as_ref().unwrap().coordinates;
    assert_eq!((coordinates.table.as_str(), coordinates.round_no), ("table-1", 1));
    assert_eq!((first.round_id, first.time), (opened.round_id, clock()));
    assert!(third.ticket.is_none());
}

#[tokio::test]
async fn a_young_ticket_is_left_out_and_a_deal_or_close_of_another_replicas_ticket_never() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Replica::start(Casino::new(), 1, settings(folder.path()));
    open(&replica, &plan("locked", 1)).await;
    let dealt = deal_only(&replica, &plan("locked", 2)).await;
    let closed = replica.casino.deal(&plan("locked", 3));
    replica.settle(&plan("locked", 3), &closed).await;
    for (opened_until, tickets) in [(clock(), 2), (clock() - 1, 1)] {
        let found = found(folder.path(), &FolderQuery { opened_until, ..query("locked") });
        assert_eq!(found.open.len(), tickets);
        assert_eq!(found.open.last().unwrap().hash, hash(&dealt));
        assert_eq!(found.closed, [closed.round_id]);
    }
}

#[tokio::test]
async fn few_wait_in_memory_and_a_close_of_one_that_was_handed_on_follows_it() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Replica::start(Casino::new(), 1, settings(folder.path()));
    let mut dealt = Vec::new();
    for number in 1..=5 {
        dealt.push(replica.deal(&plan("locked", number)).await);
    }
    for (number, dealt) in [(1, &dealt[0]), (5, &dealt[4])] {
        replica.settle(&plan("locked", number), dealt).await;
    }
    // A ticket and a deal of each of two rounds.
    let found = found(folder.path(), &FolderQuery { most_waiting: 4, ..query("locked") });
    let expected: Vec<Hash> = [&dealt[0], &dealt[1], &dealt[2], &dealt[3]].map(hash).to_vec();
    assert_eq!(found.open.iter().map(|one| one.hash).collect::<Vec<_>>(), expected);
    assert_eq!(found.closed, round_ids(&[&dealt[0], &dealt[4]]));
    // The first three left while the files were read, the closes and the last one at the end.
    assert_eq!(found.order, [true, true, true, false, true]);
}

#[tokio::test]
async fn files_that_were_taken_away_show_in_what_the_folder_covers() {
    let folder = tempfile::tempdir().unwrap();
    for boot in [1, 2, 3] {
        let settings = SinkSettings { rotate_bytes: 1 << 14, ..settings(folder.path()) };
        let replica = Replica::start(Casino::new(), boot, settings);
        for number in 1..=4 {
            replica.deal(&plan("locked", u64::from(boot) * 100 + number)).await;
        }
        replica.stop().await;
    }
    let files = files_in(folder.path());
    assert!(files.len() >= 6, "{files:?}");
    let since = || found(folder.path(), &query("locked")).coverage.complete_since;
    assert_eq!(since(), 0);
    // From the first of all on, one after another, as a shipment takes them.
    for file in &files[..files.len() - 1] {
        let before = fs::read(file).unwrap();
        fs::remove_file(file).unwrap();
        assert_eq!(since(), clock(), "{}", file.display());
        // Only the end of the last boot may be missing unseen: it is being written.
        fs::write(file, before).unwrap();
        assert_eq!(since(), 0);
    }
    // A new file has no line yet, and the previous one was deleted.
    let last = files.last().unwrap();
    let name = last.file_name().unwrap().to_str().unwrap();
    let (boot, number) = folder_place(name);
    let begun = folder.path().join(format!("{boot}-{:06}.jsonl", number + 1));
    fs::write(&begun, "").unwrap();
    assert_eq!(since(), 0);
    fs::remove_file(last).unwrap();
    let modified = fs::metadata(&begun).unwrap().modified().unwrap();
    let modified = modified.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_millis();
    assert_eq!(u128::from(since()), modified);
    for file in files_in(folder.path()) {
        fs::remove_file(file).unwrap();
    }
    let nothing =
        folder::open_tickets(folder.path(), &query("locked"), |_| ControlFlow::Continue(()));
    assert!(nothing.is_err(), "no evidence is not evidence of nothing");
}

/// The boot and the number in the name of a file.
fn folder_place(name: &str) -> (String, u32) {
    paigow_evidence::files::place(name).unwrap()
}

#[tokio::test]
async fn a_line_that_is_being_written_is_no_line_yet() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Replica::start(Casino::new(), 1, settings(folder.path()));
    replica.deal(&plan("locked", 1)).await;
    replica.deal(&plan("locked", 2)).await;
    let file = files_in(folder.path()).remove(0);
    let bytes = fs::read(&file).unwrap();
    fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(found(folder.path(), &query("locked")).open.len(), 1);
    fs::write(&file, &bytes).unwrap();
    assert_eq!(found(folder.path(), &query("locked")).open.len(), 2);
}

#[tokio::test]
async fn a_reader_that_has_enough_ends_the_reading() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Replica::start(Casino::new(), 1, settings(folder.path()));
    for number in 1..=3 {
        replica.deal(&plan("locked", number)).await;
    }
    let mut parts = 0;
    folder::open_tickets(folder.path(), &query("locked"), |part| {
        parts += usize::from(part.is_some());
        if parts == 2 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    })
    .unwrap();
    assert_eq!(parts, 2);
}
