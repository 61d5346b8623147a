//! The steps of the writer. Killed at any step, it continues without losing or repeating an entry,
//! and signs one root for each size.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::Duration;

use paigow_fairness::log_proof::{log_entry, log_leaf};

use super::*;
use crate::{LogReader, LogStart, LogWriter, WitnessClient};

struct Bench {
    folder: tempfile::TempDir,
    store: MemoryLog,
}

impl Bench {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), store: MemoryLog::default() }
    }

    fn open(&self, start: LogStart) -> Result<LogWriter<'_>, LogError> {
        LogWriter::open(&self.store, &self.folder.path().join("state"), log(), secret(1), start)
    }

    fn client(&self, witnesses: &[AskedWitness]) -> WitnessClient {
        WitnessClient::new(witnesses.to_vec(), Duration::from_secs(20)).unwrap()
    }

    /// Appends, commits and publishes, as one pass does.
    fn pass(
        &self,
        start: LogStart,
        records: &[RecordEnvelope],
        witnesses: &[AskedWitness],
    ) -> Result<usize, LogError> {
        let mut writer = self.open(start)?;
        writer.check_published()?;
        for record in records {
            writer.append(record);
        }
        writer.commit()?;
        let published = writer.publish(&mut self.client(witnesses), witnesses.len())?;
        assert!(published.faults.is_empty(), "{:?}", published.faults);
        Ok(published.cosignatures)
    }

    /// Reads the published log, verified, and recomputes its root from the entries.
    fn entries(&self, witnesses: &[AskedWitness]) -> Vec<Vec<u8>> {
        let keys: Vec<WitnessKey> = witnesses.iter().map(|witness| witness.key.clone()).collect();
        let reader = LogReader::new(&self.store, log());
        let checkpoint = reader.checkpoint(&keys).unwrap().unwrap();
        assert_eq!(checkpoint.cosignatures.len(), witnesses.len());
        let mut entries = Vec::new();
        let tree = reader.tree(&checkpoint);
        tree.entries(0..checkpoint.size, |_, entry| {
            entries.push(entry.to_vec());
            ControlFlow::Continue(())
        })
        .unwrap();
        let leaves: Vec<Hash> =
            entries.iter().map(|entry| Hash::of_parts(&[&[0], entry])).collect();
        assert_eq!(root(&leaves), checkpoint.root);
        entries
    }

    /// Checks that no size was signed with two roots.
    fn one_root_for_each_size(&self) {
        let mut by_size = BTreeMap::new();
        for (text, size) in self.store.checkpoints.borrow().iter() {
            let first = by_size.entry(*size).or_insert_with(|| text.clone());
            assert_eq!(first, text, "two checkpoints of {size} entries");
        }
    }
}

fn tickets(numbers: std::ops::Range<u64>) -> Vec<RecordEnvelope> {
    numbers.map(ticket).collect()
}

fn entries_of(records: &[RecordEnvelope]) -> Vec<Vec<u8>> {
    records.iter().map(|record| log_entry(record).into_owned()).collect()
}

#[test]
fn killed_at_any_step_it_loses_and_repeats_nothing() {
    // From 250 to 270 entries a tile fills; a witness has signed the first 250.
    let mut kills = 0;
    loop {
        let bench = Bench::new();
        let (witness, _) = serve_witness(&bench.folder.path().join("w"), "w.example", 2);
        let witnesses = [witness];
        let first = tickets(0..250);
        assert_eq!(bench.pass(LogStart::New, &first, &witnesses).unwrap(), 1);
        assert_eq!(bench.entries(&witnesses), entries_of(&first));

        bench.store.left.set(Some(kills));
        let killed = bench.pass(LogStart::Continue, &tickets(0..270), &witnesses);
        bench.store.left.set(None);
        // The evidence is read again from the place of the state. More evidence has come before
        // that place.
        let more = [tickets(300..310), tickets(200..270)].concat();
        assert_eq!(bench.pass(LogStart::Continue, &more, &witnesses).unwrap(), 1);
        let entries = bench.entries(&witnesses);
        assert_eq!(entries[..250], entries_of(&first));
        let expected = [tickets(0..270), tickets(300..310)].concat();
        assert_eq!(
            entries.iter().cloned().collect::<BTreeSet<_>>(),
            entries_of(&expected).into_iter().collect()
        );
        assert_eq!(entries.len(), expected.len(), "killed at {kills}");
        bench.one_root_for_each_size();
        if killed.is_ok() {
            break;
        }
        kills += 1;
    }
    // A full tile and bundle, partial ones of two levels and a bundle, the kept checkpoint, the
    // published one.
    assert_eq!(kills, 7);
}

#[test]
fn killed_between_the_tiles_and_the_state_it_writes_the_tiles_anew() {
    let bench = Bench::new();
    bench.pass(LogStart::New, &tickets(0..250), &[]).unwrap();
    let state = bench.folder.path().join("state");
    let before = std::fs::read(&state).unwrap();
    let mut writer = bench.open(LogStart::Continue).unwrap();
    tickets(250..600).iter().for_each(|record| assert!(writer.append(record)));
    writer.commit().unwrap();
    drop(writer);
    // All tiles of 600 entries exist, and the state says 250.
    std::fs::write(&state, before).unwrap();
    bench.store.put("tile/0/000.p/250", &bench.tile(&tickets(0..250))).unwrap();
    bench.store.put("tile/entries/000.p/250", &bundle(&tickets(0..250))).unwrap();
    bench.pass(LogStart::Continue, &tickets(700..1_100), &[]).unwrap();
    let expected = [tickets(0..250), tickets(700..1_100)].concat();
    assert_eq!(bench.entries(&[]), entries_of(&expected));
}

impl Bench {
    fn tile(&self, records: &[RecordEnvelope]) -> Vec<u8> {
        records.iter().flat_map(|record| *log_leaf(record).as_bytes()).collect()
    }
}

fn bundle(records: &[RecordEnvelope]) -> Vec<u8> {
    let entries = entries_of(records).into_iter();
    let one =
        |entry: Vec<u8>| [&u16::try_from(entry.len()).unwrap().to_be_bytes()[..], &entry].concat();
    entries.flat_map(one).collect()
}

#[test]
fn a_commit_that_failed_can_be_made_again() {
    let bench = Bench::new();
    let mut writer = bench.open(LogStart::New).unwrap();
    tickets(0..600).iter().for_each(|record| assert!(writer.append(record)));
    bench.store.left.set(Some(2));
    assert!(writer.commit().is_err());
    bench.store.left.set(None);
    // The state cannot be written: a folder has the name of the new state file.
    let new = bench.folder.path().join("state.new");
    std::fs::create_dir(&new).unwrap();
    assert!(writer.commit().is_err());
    let published = writer.publish(&mut bench.client(&[]), 0).unwrap();
    assert_eq!((published.size, bench.store.checkpoints.borrow().len()), (0, 0));
    std::fs::remove_dir(&new).unwrap();
    writer.commit().unwrap();
    writer.publish(&mut bench.client(&[]), 0).unwrap();
    assert_eq!(bench.entries(&[]), entries_of(&tickets(0..600)));
}

#[test]
fn an_old_or_foreign_state_stops_the_writer() {
    let bench = Bench::new();
    let state = bench.folder.path().join("state");
    let refused = |start| bench.open(start).map(drop).unwrap_err().to_string();
    assert!(refused(LogStart::Continue).contains("a new log needs --new"));
    assert!(refused(LogStart::Recover).contains("the log has no checkpoint"));
    bench.pass(LogStart::New, &tickets(0..5), &[]).unwrap();
    let old = std::fs::read_to_string(&state).unwrap();
    bench.pass(LogStart::Continue, &tickets(5..9), &[]).unwrap();
    let new = std::fs::read_to_string(&state).unwrap();
    assert!(refused(LogStart::New).contains("there is a state"));
    assert!(refused(LogStart::Recover).contains("there is a state"));

    std::fs::write(&state, &old).unwrap();
    let told = refused(LogStart::Continue);
    assert!(told.contains("the state has 5 entries, and the published checkpoint 9"), "{told}");
    std::fs::write(&state, new.replace("log.example", "log.elsewhere")).unwrap();
    assert!(refused(LogStart::Continue).contains("it is of the log log.elsewhere/paigow"));
    let root = LogReader::new(&bench.store, log()).checkpoint(&[]).unwrap().unwrap().root;
    std::fs::write(&state, new.replace(&root.to_string(), &Hash::of(b"x").to_string())).unwrap();
    assert!(refused(LogStart::Continue).contains("the tiles do not give the root"));
    std::fs::write(&state, "{}").unwrap();
    assert!(refused(LogStart::Continue).contains("not the state of a log"));
    std::fs::remove_file(&state).unwrap();
    assert!(refused(LogStart::New).contains("--recover makes the state"));

    // The log has signed a checkpoint of the same size that does not fit the tree.
    std::fs::write(&state, &new).unwrap();
    let forked = crate::SignedCheckpoint::sign(&log(), &secret(1), 5, Hash::of(b"x"));
    bench.store.put("checkpoint", forked.to_note().as_bytes()).unwrap();
    let told = refused(LogStart::Continue);
    assert!(told.contains("does not give the published checkpoint of 5 entries"), "{told}");
    let other = crate::SignedCheckpoint::sign(&log(), &secret(9), 9, root);
    bench.store.put("checkpoint", other.to_note().as_bytes()).unwrap();
    assert!(refused(LogStart::Continue).contains("invalid signature"));
}

#[test]
fn a_second_writer_is_refused() {
    let bench = Bench::new();
    bench.pass(LogStart::New, &tickets(0..5), &[]).unwrap();
    let mut first = bench.open(LogStart::Continue).unwrap();
    let refused = bench.open(LogStart::Continue).map(drop).unwrap_err();
    assert!(refused.to_string().contains("another process holds the lock"), "{refused}");
    // A writer on another machine, with a copy of the state.
    let copy = bench.folder.path().join("copy");
    std::fs::copy(bench.folder.path().join("state"), &copy).unwrap();
    let mut second =
        LogWriter::open(&bench.store, &copy, log(), secret(1), LogStart::Continue).unwrap();
    first.append(&ticket(10));
    first.commit().unwrap();
    first.publish(&mut bench.client(&[]), 0).unwrap();
    assert!(matches!(second.check_published(), Err(LogError::Broken(_))));
    second.append(&ticket(20));
    second.commit().unwrap();
    assert!(matches!(second.publish(&mut bench.client(&[]), 0), Err(LogError::Broken(_))));
    bench.one_root_for_each_size();
}

#[test]
fn a_witness_that_knows_more_than_the_state_stops_the_writer() {
    let bench = Bench::new();
    let state = bench.folder.path().join("state");
    let (witness, _) = serve_witness(&bench.folder.path().join("w"), "w.example", 2);
    let witnesses = [witness];
    bench.pass(LogStart::New, &tickets(0..5), &witnesses).unwrap();
    let old = std::fs::read_to_string(&state).unwrap();
    // Nine entries were signed; then the state was lost before they were published.
    let mut writer = bench.open(LogStart::Continue).unwrap();
    tickets(5..9).iter().for_each(|record| assert!(writer.append(record)));
    writer.commit().unwrap();
    bench.store.left.set(Some(0));
    assert!(writer.publish(&mut bench.client(&witnesses), 1).is_err());
    bench.store.left.set(None);
    drop(writer);
    std::fs::write(&state, old).unwrap();
    let told = bench.pass(LogStart::Continue, &tickets(6..8), &witnesses).unwrap_err().to_string();
    assert!(told.contains("has signed this log with 9 entries, and the state has 7"), "{told}");
    bench.one_root_for_each_size();
}

#[test]
fn a_witness_that_comes_back_signs_what_was_published_without_it() {
    let bench = Bench::new();
    let (up, _) = serve_witness(&bench.folder.path().join("up"), "up.example", 2);
    let (mut down, _) = serve_witness(&bench.folder.path().join("down"), "down.example", 3);
    let there = down.url.clone();
    // No program listens on the port of a closed listener.
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    down.url = format!("http://{gone}");
    let mut writer = bench.open(LogStart::New).unwrap();
    tickets(0..5).iter().for_each(|record| assert!(writer.append(record)));
    writer.commit().unwrap();
    let mut client = bench.client(&[up.clone(), down.clone()]);
    let published = writer.publish(&mut client, 2).unwrap();
    assert_eq!((published.size, published.cosignatures), (5, 1));
    let [fault] = &published.faults[..] else { panic!("{:?}", published.faults) };
    assert!(fault.starts_with("witness down.example: "), "{fault}");
    assert_eq!(bench.entries(std::slice::from_ref(&up)).len(), 5);
    down.url = there;
    let published = writer.publish(&mut bench.client(&[up.clone(), down.clone()]), 2).unwrap();
    assert_eq!((published.cosignatures, published.faults), (2, Vec::new()));
    assert_eq!(bench.entries(&[up.clone(), down.clone()]).len(), 5);
    // No work is left, and the client asks no witness: a client of dead addresses has no fault.
    down.url = format!("http://{gone}");
    let dead = [AskedWitness { url: down.url.clone(), ..up.clone() }, down.clone()];
    let published = writer.publish(&mut bench.client(&dead), 2).unwrap();
    assert_eq!((published.cosignatures, published.faults), (2, Vec::new()));
    let listed = LogReader::new(&bench.store, log()).witnesses().unwrap();
    assert_eq!(listed, [down.key, up.key]);
}

#[test]
fn a_record_goes_in_once_and_others_do_not() {
    let bench = Bench::new();
    let mut writer = bench.open(LogStart::New).unwrap();
    let final_lock = RecordEnvelope::unsigned(
        RecordKind::Lock,
        &Json::obj([("n", Json::Int(1)), ("step", Json::text("final"))]),
    );
    for kind in RecordKind::ALL {
        let is_logged = match kind {
            RecordKind::Manifest
            | RecordKind::Ticket
            | RecordKind::Lock
            | RecordKind::Settle
            | RecordKind::EpochReveal
            | RecordKind::EpochClose => true,
            RecordKind::Deal | RecordKind::Action | RecordKind::LogProof => false,
        };
        assert_eq!(writer.append(&record(kind, 1)), is_logged, "{}", kind.name());
        assert!(!writer.append(&record(kind, 1)));
    }
    assert!(!writer.append(&final_lock));
    let long = RecordEnvelope::unsigned(
        RecordKind::Settle,
        &Json::obj([("a", Json::Str("a".repeat(70_000).into()))]),
    );
    assert!(writer.append(&long));
    writer.commit().unwrap();
    writer.publish(&mut bench.client(&[]), 0).unwrap();
    drop(writer);
    let entries = bench.entries(&[]);
    assert_eq!(entries.len(), 7);
    // enc("pge/v1/log-entry", hash): label, one field of 32 bytes.
    let stub = [&[16][..], b"pge/v1/log-entry", &[1, 32, 0, 0, 0], long.hash().as_bytes()].concat();
    assert_eq!(entries[6], stub);

    // After as many entries as the log remembers, it forgets a ticket. It does not forget a
    // manifest.
    let mut writer = bench.open(LogStart::Continue).unwrap();
    assert!(!writer.append(&record(RecordKind::Ticket, 1)));
    for n in 0..65_536 {
        assert!(writer.append(&ticket(100 + n)));
    }
    assert!(!writer.append(&record(RecordKind::Manifest, 1)));
    writer.commit().unwrap();
    drop(writer);
    let mut writer = bench.open(LogStart::Continue).unwrap();
    assert!(!writer.append(&record(RecordKind::Manifest, 1)));
    assert!(!writer.append(&ticket(100)));
    assert!(writer.append(&record(RecordKind::Ticket, 1)));
}

#[test]
fn a_lost_state_is_made_anew_without_a_second_entry() {
    let bench = Bench::new();
    let manifest = record(RecordKind::Manifest, 1);
    let first = [vec![manifest.clone()], tickets(0..70_000)].concat();
    bench.pass(LogStart::New, &first, &[]).unwrap();
    std::fs::remove_file(bench.folder.path().join("state")).unwrap();
    let mut writer = bench.open(LogStart::Recover).unwrap();
    first[..500].iter().for_each(|record| assert!(!writer.append(record)));
    writer.commit().unwrap();
    drop(writer);
    // After a restart the recovery continues until all evidence was read.
    let mut writer = bench.open(LogStart::Continue).unwrap();
    first[500..].iter().for_each(|record| assert!(!writer.append(record)));
    assert!(writer.append(&ticket(70_000)));
    writer.end_recovery();
    writer.commit().unwrap();
    writer.publish(&mut bench.client(&[]), 0).unwrap();
    drop(writer);
    let expected = [first, vec![ticket(70_000)]].concat();
    assert_eq!(bench.entries(&[]), entries_of(&expected));
    assert!(!bench.open(LogStart::Continue).unwrap().append(&manifest));
}

#[test]
fn partial_tiles_go_when_full_ones_are_there() {
    let bench = Bench::new();
    bench.pass(LogStart::New, &tickets(0..10), &[]).unwrap();
    bench.pass(LogStart::Continue, &tickets(10..250), &[]).unwrap();
    let partial = |name: &&String| name.contains(".p/");
    let names = || bench.store.objects.borrow().keys().cloned().collect::<Vec<_>>();
    assert_eq!(names().iter().filter(partial).count(), 4);
    bench.pass(LogStart::Continue, &tickets(250..256), &[]).unwrap();
    assert_eq!(names(), ["checkpoint", "tile/0/000", "tile/1/000.p/1", "tile/entries/000"]);
    bench.pass(LogStart::Continue, &tickets(256..300), &[]).unwrap();
    assert_eq!(bench.entries(&[]), entries_of(&tickets(0..300)));
}
