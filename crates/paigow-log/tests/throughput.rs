//! How much time of a processor the writer takes for a record, without that of a store.
//!
//! ```text
//! cargo test --release -p paigow-log --test throughput -- --ignored --nocapture
//! ```
#![allow(clippy::unwrap_used)]

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::time::Duration;

use paigow_engine::SecretKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::log_proof::{PublicLog, log_leaf};
use paigow_fairness::merkle::tree_hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_log::{LogError, LogReader, LogStart, LogStore, LogWriter, WitnessClient};

/// Returns how long this thread has run on a processor, in nanoseconds.
fn ran() -> u64 {
    let times = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    times.split(' ').next().unwrap().parse().unwrap()
}

/// Objects in memory, and the time that it took to store them.
#[derive(Debug, Default)]
struct Memory {
    objects: RefCell<BTreeMap<String, Vec<u8>>>,
    took: Cell<u64>,
}

impl LogStore for Memory {
    fn read(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, LogError> {
        let objects = self.objects.borrow();
        Ok(names.iter().map(|name| objects.get(name).cloned()).collect())
    }

    fn write(&self, objects: &[(String, Vec<u8>)]) -> Result<(), LogError> {
        let began = ran();
        self.objects.borrow_mut().extend(objects.iter().cloned());
        self.took.set(self.took.get() + ran() - began);
        Ok(())
    }

    fn swap(&self, name: &str, _: Option<&[u8]>, after: &[u8]) -> Result<(), LogError> {
        self.objects.borrow_mut().insert(name.to_owned(), after.to_vec());
        Ok(())
    }

    fn list(&self, _: &str) -> Result<Vec<String>, LogError> {
        Ok(Vec::new())
    }

    fn remove(&self, _: &str) -> Result<(), LogError> {
        Ok(())
    }
}

/// Returns different records of the sizes that rounds have: a ticket, a lock of wagers and a close
/// of the kit's first case, each with a number more.
fn records(count: u64) -> Vec<RecordEnvelope> {
    let kit = include_str!("../../../verifiers/conformance/records.jsonl");
    let case: serde_json::Value = serde_json::from_str(kit.lines().next().unwrap()).unwrap();
    let lines = case["input"]["transcript"].as_array().unwrap();
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    let round = transcript::parse(lines.join("\n").as_bytes()).unwrap();
    let [ticket, lock, settle] = [2, 3, 8].map(|at: usize| &round[at]);
    let kinds = [RecordKind::Ticket, RecordKind::Lock, RecordKind::Settle];
    assert_eq!([ticket, lock, settle].map(RecordEnvelope::kind), kinds);
    let numbered = |number: u64| {
        let record = [ticket, lock, settle][usize::try_from(number % 3).unwrap()];
        let payload = record.json().unwrap().with("number", Some(Json::Int(number)));
        let made = RecordEnvelope::unsigned(record.kind(), &payload);
        // A parsed record knows its hash.
        RecordEnvelope::parse(made.to_line().as_bytes()).unwrap()
    };
    (0..count).map(numbered).collect()
}

/// Appends records, and returns how long the writer took for each, in nanoseconds.
fn append(count: u64) -> u64 {
    let records = records(count);
    let folder = tempfile::tempdir().unwrap();
    let (store, key) = (Memory::default(), SecretKey::from_bytes(&[1; 32]));
    let log = PublicLog { origin: "log.example/paigow".parse().unwrap(), key: key.public() };
    let state = folder.path().join("state");
    let mut writer = LogWriter::open(&store, &state, log.clone(), key, LogStart::New).unwrap();
    let began = ran();
    for record in &records {
        assert!(writer.append(record));
        if writer.is_full() {
            writer.commit().unwrap();
        }
    }
    writer.commit().unwrap();
    let took = ran() - began - store.took.get();
    let mut nobody = WitnessClient::new(Vec::new(), Duration::from_secs(1)).unwrap();
    writer.publish(&mut nobody, 0).unwrap();
    let checkpoint = LogReader::new(&store, log).checkpoint(&[]).unwrap().unwrap();
    let leaves: Vec<Hash> = records.iter().map(log_leaf).collect();
    assert_eq!((checkpoint.size, Some(checkpoint.root)), (count, tree_hash(&leaves)));
    took / count
}

#[test]
fn five_thousand_records_are_appended() {
    append(5_000);
}

#[test]
#[ignore = "measures: run it in release, on an idle machine"]
fn a_hundred_thousand_records_are_appended() {
    let mut times: Vec<u64> = (0..5).map(|_| append(100_000)).collect();
    times.sort_unstable();
    println!("{} ns for a record, the median of {times:?}", times[2]);
}
