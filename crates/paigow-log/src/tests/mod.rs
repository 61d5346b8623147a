//! The parts that the tests share: a store in memory with planned failures, a witness over HTTP,
//! and records.

mod steps;
mod trees;

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::sync::{Arc, Mutex};
use std::thread;

use paigow_engine::SecretKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::log_proof::PublicLog;
use paigow_fairness::merkle::tree_hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};

use crate::{AskedWitness, LogError, LogStore, LogWitness, StateFile, WitnessKey};

fn secret(byte: u8) -> SecretKey {
    SecretKey::from_bytes(&[byte; 32])
}

fn log() -> PublicLog {
    PublicLog { origin: "log.example/paigow".parse().unwrap(), key: secret(1).public() }
}

fn record(kind: RecordKind, number: u64) -> RecordEnvelope {
    let step = (kind == RecordKind::Lock).then(|| Json::text("wagers"));
    RecordEnvelope::unsigned(kind, &Json::obj([("n", Json::Int(number))]).with("step", step))
}

fn ticket(number: u64) -> RecordEnvelope {
    record(RecordKind::Ticket, number)
}

/// Returns the hash of a tree of leaves, computed by an implementation other than the log's.
fn root(leaves: &[Hash]) -> Hash {
    tree_hash(leaves).unwrap_or(Hash::of(b""))
}

/// Objects in memory.
#[derive(Debug, Default)]
struct MemoryLog {
    objects: RefCell<BTreeMap<String, Vec<u8>>>,
    /// How many more objects can be written; [`None`]: any number.
    left: Cell<Option<usize>>,
    /// Every checkpoint that was written: its text and its size.
    checkpoints: RefCell<Vec<(String, u64)>>,
}

impl MemoryLog {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), LogError> {
        if self.left.get() == Some(0) {
            return Err(LogError::Unavailable("killed".to_owned()));
        }
        self.left.set(self.left.get().map(|left| left - 1));
        if name == "checkpoint" || name.starts_with("cosigned/") {
            let note = str::from_utf8(bytes).unwrap();
            let text = note.split_once("\n\n").unwrap().0.to_owned();
            let size = text.lines().nth(1).unwrap().parse().unwrap();
            self.checkpoints.borrow_mut().push((text, size));
        }
        self.objects.borrow_mut().insert(name.to_owned(), bytes.to_vec());
        Ok(())
    }
}

impl LogStore for MemoryLog {
    fn read(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, LogError> {
        let objects = self.objects.borrow();
        Ok(names.iter().map(|name| objects.get(name).cloned()).collect())
    }

    fn write(&self, objects: &[(String, Vec<u8>)]) -> Result<(), LogError> {
        objects.iter().try_for_each(|(name, bytes)| self.put(name, bytes))
    }

    fn swap(&self, name: &str, before: Option<&[u8]>, after: &[u8]) -> Result<(), LogError> {
        if self.objects.borrow().get(name).map(Vec::as_slice) != before {
            return Err(LogError::Broken("another process writes this log".to_owned()));
        }
        self.put(name, after)
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, LogError> {
        let objects = self.objects.borrow();
        let below = objects.keys().filter_map(|name| name.strip_prefix(folder)?.strip_prefix('/'));
        let mut names: Vec<String> =
            below.map(|name| name.split('/').next().unwrap().to_owned()).collect();
        names.dedup();
        Ok(names)
    }

    fn remove(&self, folder: &str) -> Result<(), LogError> {
        let folder = format!("{folder}/");
        self.objects.borrow_mut().retain(|name, _| !name.starts_with(&folder));
        Ok(())
    }
}

/// Serves a witness of [`log`] over HTTP, on a thread that ends with the process.
fn serve_witness(state: &Path, name: &str, key: u8) -> (AskedWitness, Arc<Mutex<LogWitness>>) {
    let named = WitnessKey { name: name.to_owned(), key: secret(key).public() };
    let file = StateFile::open(state).unwrap();
    let witness = LogWitness::open(named.clone(), secret(key), vec![log()], file, true).unwrap();
    let witness = Arc::new(Mutex::new(witness));
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let served = Arc::clone(&witness);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let (mut head, mut length) = (String::new(), 0);
            while stream.read_line(&mut head).unwrap() > 2 {
                let lower = head.to_ascii_lowercase();
                let value = lower.strip_prefix("content-length: ");
                length = value.map_or(length, |value| value.trim().parse().unwrap());
                head.clear();
            }
            let mut body = vec![0; length];
            stream.read_exact(&mut body).unwrap();
            let answer = served.lock().unwrap().add_checkpoint(&body, 1_790_000_000);
            let head = format!(
                "HTTP/1.1 {} X\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                answer.status,
                answer.body.len()
            );
            stream.get_mut().write_all((head + &answer.body).as_bytes()).unwrap();
        }
    });
    (AskedWitness { url, key: named }, witness)
}
