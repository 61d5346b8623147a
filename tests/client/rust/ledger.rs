//! The ledger of the Rust client: the part that must not sign twice.
//!
//!     client_ledger [--long]
//!
//! Without `TEST_POSTGRES`, the folder of the socket of PostgreSQL, only SQLite is tested.
//!
//! 1. A process is killed (SIGKILL) before any of its statements, commits, marks and signatures. The next one goes
//!    on, and of each step one lock was signed.
//! 2. Two processes race for one step with other wagers: one signs, the other gets the wagers of the first. PostgreSQL
//!    counts locks in the order in which they are committed.
//! 3. The lock of the wagers and a void over the ticket alone exclude each other, in either order and in a race. A
//!    void over ticket and wagers is signed.
//! 4. A database that was restored from a backup signs nothing, until an operator says from which epoch on.
//! 5. Without a database nothing is signed, and the ledger reports it.
//! 6. No clock is read.
//! 7. A call that is dropped in the middle leaves no transaction behind.
//! 8. Bytes that are not exactly the record that was asked for are refused.
//!
//! tests/client/python/ledger.py tests the same.
#![allow(clippy::unwrap_used)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{Read as _, Write as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use paigow_client::v1::{Currency, Record, UnsignedRecord, Wager, WagerSheet};
use paigow_client::{
    ClientError, KeySigner, Ledger, LedgerStore, LockStep, Place, SeatKey, StepColumn, StoredLock,
};
use paigow_fairness::json::Json;
use paigow_fairness::signature::PublicKey;
use prost::Message as _;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, waitpid};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use sqlx::{AnyConnection, AssertSqlSafe, Connection as _};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record as SpanRecord};
use tracing::{Event, Metadata, Subscriber};

const LOCK: &str = "application/vnd.pge.lock.v1+json";
const ACTION: &str = "application/vnd.pge.action.v1+json";

/// Counts the steps of the store and of the signer, and kills this process before one of them.
#[derive(Debug)]
struct StepCounter {
    count: AtomicUsize,
    killed_at: usize,
    /// Whether the process is stopped before the commit of a lock.
    is_stopped_in_claim: bool,
    is_in_claim: AtomicBool,
}

static COUNTER: std::sync::OnceLock<&'static StepCounter> = std::sync::OnceLock::new();

impl StepCounter {
    fn install(killed_at: usize, is_stopped_in_claim: bool) {
        let made = Self {
            count: AtomicUsize::new(0),
            killed_at,
            is_stopped_in_claim,
            is_in_claim: AtomicBool::new(false),
        };
        let made: &'static Self = Box::leak(Box::new(made));
        COUNTER.set(made).unwrap();
        tracing::subscriber::set_global_default(made).unwrap();
    }

    fn step(&self) {
        if self.count.fetch_add(1, Ordering::SeqCst) + 1 == self.killed_at {
            kill_process(getpid(), Signal::KILL).unwrap();
            // The signal may be delivered to another thread first.
            loop {
                std::thread::park();
            }
        }
    }
}

impl Subscriber for &'static StepCounter {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target() == "paigow_client::database"
    }

    fn new_span(&self, _: &Attributes<'_>) -> Id {
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, _: &SpanRecord<'_>) {}

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        struct Text(String);
        impl Visit for Text {
            fn record_debug(&mut self, _: &Field, value: &dyn std::fmt::Debug) {
                self.0 += &format!("{value:?}");
            }
        }
        let mut text = Text(String::new());
        event.record(&mut text);
        if self.is_stopped_in_claim {
            if text.0.contains("INSERT INTO paigow_locks") {
                self.is_in_claim.store(true, Ordering::SeqCst);
            } else if text.0.contains("COMMIT") && self.is_in_claim.swap(false, Ordering::SeqCst) {
                kill_process(getpid(), Signal::STOP).unwrap();
            }
        }
        self.step();
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

fn step() {
    if let Some(counter) = COUNTER.get() {
        counter.step();
    }
}

fn place(table: &str, epoch: i32, round_no: i64) -> Place {
    Place { table: table.to_owned(), epoch, round_no }
}

fn first() -> Place {
    place("T1", 1, 1)
}

fn pae(kind: &str, payload: &[u8]) -> Vec<u8> {
    let mut bytes = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len()).into_bytes();
    bytes.extend_from_slice(payload);
    bytes
}

fn canonical(payload: &Value) -> Vec<u8> {
    Json::parse(payload.to_string().as_bytes()).unwrap().to_bytes()
}

/// A lock as the engine's `Prepare` calls return it.
fn unsigned(payload: &Value) -> UnsignedRecord {
    let body = canonical(payload);
    let envelope =
        json!({"payload": BASE64.encode(&body), "payloadType": LOCK, "signatures": []}).to_string();
    let record = Record { envelope: envelope.into_bytes(), signatures: Vec::new() };
    UnsignedRecord { record: Some(record), to_sign: pae(LOCK, &body), ..UnsignedRecord::default() }
}

fn wagers(amount: i64, round: &str) -> (Vec<u8>, Value) {
    let wager = |seat, bet: &str, amount_minor| Wager {
        seat,
        bet: bet.to_owned(),
        amount_minor,
        ..Wager::default()
    };
    let sheet = WagerSheet {
        currency: Some(Currency { code: "USD".to_owned(), exponent: 2 }),
        wagers: vec![wager(1, "base", amount), wager(1, "dynasty", 100), wager(4, "base", amount)],
        ..WagerSheet::default()
    };
    let base = json!({"amount": amount.to_string(), "bet": "base"});
    let payload = json!({
        "currency": {"code": "USD", "exponent": 2}, "facts": {}, "prev": "a".repeat(64), "round_id": round,
        "seats": {"1": {"wagers": [base, {"amount": "100", "bet": "dynasty"}]}, "4": {"wagers": [base]}},
        "step": "wagers"});
    (sheet.encode_to_vec(), payload)
}

fn closing() -> Value {
    json!({"actions": ["c".repeat(64)], "prev": "d".repeat(64), "round_id": "b".repeat(64), "step": "final"})
}

/// A void over the ticket, which the wagers follow as well.
fn void(round: &str) -> Value {
    json!({"prev": "a".repeat(64), "reason": "operator", "round_id": round, "step": "void"})
}

/// Returns step, content and payload of a lock: the void, or the wagers with an amount.
fn raced(lock: &str, round: &str) -> (LockStep, Vec<u8>, Value) {
    if lock == "void" {
        return (LockStep::Close, Vec::new(), void(round));
    }
    let (sheet, payload) = wagers(lock.parse().unwrap(), round);
    (LockStep::Wagers, sheet, payload)
}

/// Checks that a lock was refused because of `other`. The error has the wagers, and nothing of a void.
#[track_caller]
fn must_be_excluded(refused: Result<StoredLock, ClientError>, other: &str) {
    let Err(ClientError::SignedOtherwise { locked, .. }) = refused else { panic!("{refused:?}") };
    let expected = (other != "void").then(|| raced(other, "").1);
    assert_eq!(locked.map(|sheet| sheet.encode_to_vec()), expected, "the lock of the other");
}

/// The file with everything that the signer was given: a signer forgets nothing.
#[derive(Clone)]
struct SignerLog(PathBuf);

fn key() -> SeatKey {
    SeatKey::from_secret(&std::array::from_fn(|place| u8::try_from(place).unwrap()))
}

impl SignerLog {
    fn signer(&self) -> KeySigner {
        let (file, key) = (self.0.clone(), key());
        KeySigner::new(key.public_key(), move |to_sign| {
            step();
            let mut log = OpenOptions::new().append(true).create(true).open(&file)?;
            writeln!(log, "{}", hex::encode(to_sign))?;
            log.sync_all()?;
            let signature = key.sign(to_sign).to_vec();
            step();
            Ok(signature)
        })
    }

    /// Returns how many different bytes were signed, by the step in them.
    fn signed(&self) -> BTreeMap<String, usize> {
        let text = fs::read_to_string(&self.0).unwrap_or_default();
        let lines: BTreeSet<&str> = text.lines().collect();
        let mut found = BTreeMap::new();
        for line in lines {
            let bytes = hex::decode(line).unwrap();
            let start = bytes.iter().position(|&byte| byte == b'{').unwrap();
            let payload: Value = serde_json::from_slice(&bytes[start..]).unwrap();
            *found.entry(payload["step"].as_str().unwrap().to_owned()).or_default() += 1;
        }
        found
    }

    fn text(&self) -> String {
        fs::read_to_string(&self.0).unwrap_or_default()
    }
}

/// A database of a test, in a folder with mark and log.
struct TestDatabase {
    folder: PathBuf,
    /// The name of the PostgreSQL database. It is SQLite without.
    postgres: Option<String>,
}

fn server() -> String {
    std::env::var("TEST_POSTGRES").unwrap()
}

fn address(database: &str) -> String {
    format!("postgres://paigow@localhost/{database}?host={}", server())
}

async fn administer(statements: &[String]) {
    sqlx::any::install_default_drivers();
    let mut connection = AnyConnection::connect(&address("postgres")).await.unwrap();
    for statement in statements {
        sqlx::raw_sql(AssertSqlSafe(statement.clone())).execute(&mut connection).await.unwrap();
    }
    connection.close().await.unwrap();
}

impl TestDatabase {
    async fn make(folder: &Path, is_postgres: bool) -> Self {
        let mut postgres = None;
        if is_postgres {
            let name = format!("ledger_{}", hex::encode(&paigow_client::new_seed()[..6]));
            // The ledger's transactions do not depend on the default of the server.
            let default = format!(
                "ALTER DATABASE {name} SET default_transaction_isolation = 'repeatable read'"
            );
            administer(&[format!("CREATE DATABASE {name}"), default]).await;
            postgres = Some(name);
        }
        Self { folder: folder.to_owned(), postgres }
    }

    fn mark(&self) -> PathBuf {
        self.folder.join("mark")
    }

    fn log(&self) -> SignerLog {
        SignerLog(self.folder.join("log"))
    }

    fn file(&self) -> PathBuf {
        // A name that an address has to write otherwise.
        self.folder.join("ledger 100%?.db")
    }

    async fn open(&self) -> Result<LedgerStore, ClientError> {
        match &self.postgres {
            Some(name) => LedgerStore::postgres(&address(name), self.mark()).await,
            None => LedgerStore::sqlite(self.file(), self.mark()).await,
        }
    }

    async fn ledger(&self) -> Ledger {
        Ledger::new(self.log().signer(), self.open().await.unwrap())
    }

    async fn accept(&self, first_epoch: i32) -> Result<LedgerStore, ClientError> {
        match &self.postgres {
            Some(name) => {
                LedgerStore::accept_restored_postgres(&address(name), self.mark(), first_epoch)
                    .await
            }
            None => {
                LedgerStore::accept_restored_sqlite(self.file(), self.mark(), first_epoch).await
            }
        }
    }

    fn end_connections(name: &str) -> String {
        format!("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'")
    }

    async fn copy(from: &str, to: &str) {
        let made = format!("CREATE DATABASE {to} TEMPLATE {from}");
        let ended = [from, to].map(Self::end_connections);
        administer(&[&ended[..], &[format!("DROP DATABASE IF EXISTS {to}"), made]].concat()).await;
    }

    async fn back_up(&self) {
        let Some(name) = &self.postgres else {
            // SQLite puts all in one file when the last connection closes.
            self.open().await.unwrap().close().await;
            fs::copy(self.file(), self.folder.join("backup")).unwrap();
            return;
        };
        Self::copy(name, &format!("{name}_backup")).await;
    }

    async fn restore(&self) {
        match &self.postgres {
            Some(name) => Self::copy(&format!("{name}_backup"), name).await,
            None => {
                self.remove();
                fs::copy(self.folder.join("backup"), self.file()).unwrap();
            }
        }
    }

    fn remove(&self) {
        for end in ["", "-wal", "-shm"] {
            let file = format!("{}{end}", self.file().display());
            if Path::new(&file).exists() {
                fs::remove_file(file).unwrap();
            }
        }
    }

    /// Starts this program to play a part with the database.
    fn start(&self, part: &str, more: &[String]) -> Child {
        // As it was started, also if cargo has replaced the file since.
        Command::new("/proc/self/exe")
            .args(["--part", part])
            .arg(&self.folder)
            .arg(self.postgres.as_deref().unwrap_or("-"))
            .args(more)
            .stdin(Stdio::piped())
            .spawn()
            .unwrap()
    }

    fn run(&self, part: &str, more: &[String]) -> ExitStatus {
        self.start(part, more).wait().unwrap()
    }
}

/// Plays a part in a process of its own.
async fn play_part(arguments: &[String]) {
    let [part, folder, database, more @ ..] = arguments else { panic!("{arguments:?}") };
    let postgres = (database != "-").then(|| database.clone());
    let database = TestDatabase { folder: folder.into(), postgres };
    match (&part[..], more) {
        ("play", [amount, killed_at]) => {
            StepCounter::install(killed_at.parse().unwrap(), false);
            play(&database, amount.parse().unwrap()).await;
        }
        ("race", [own, other, number]) => {
            let ledger = database.ledger().await;
            let number: i64 = number.parse().unwrap();
            let (step, content, payload) = raced(own, &format!("{number:064x}"));
            let at = place("T1", 1, number);
            let read = std::io::stdin().read(&mut [0]).unwrap();
            assert_eq!(read, 1, "the race starts");
            let said = match ledger.lock(&at, step, &unsigned(&payload), &payload, content).await {
                Ok(_) => "signed",
                refused => {
                    must_be_excluded(refused, other);
                    "otherwise"
                }
            };
            fs::write(database.folder.join(format!("{number}-{own}")), said).unwrap();
        }
        ("stop", []) => {
            let ledger = database.ledger().await;
            StepCounter::install(0, true);
            let (sheet, payload) = wagers(500, &"b".repeat(64));
            lock(&ledger, &first(), &payload, sheet).await.unwrap();
        }
        _ => panic!("{arguments:?}"),
    }
}

async fn lock(
    ledger: &Ledger,
    at: &Place,
    payload: &Value,
    content: Vec<u8>,
) -> Result<StoredLock, ClientError> {
    ledger.lock(at, LockStep::Wagers, &unsigned(payload), payload, content).await
}

/// Locks both steps of a round, as a process that may have died in the middle before.
async fn play(database: &TestDatabase, amount: i64) {
    let ledger = database.ledger().await;
    let (store, at) = (ledger.store(), first());
    let (sheet, payload) = wagers(amount, &"b".repeat(64));
    store.start(&at, b"opening").await.unwrap();
    store.put(&at, StepColumn::Ticket, b"ticket".to_vec()).await.unwrap();
    if ledger.stored(&at, LockStep::Wagers).await.unwrap().is_none() {
        lock(&ledger, &at, &payload, sheet).await.unwrap();
    }
    store.put(&at, StepColumn::Dealt, b"dealt".to_vec()).await.unwrap();
    if ledger.stored(&at, LockStep::Close).await.unwrap().is_none() {
        let (unsigned, expected) = (unsigned(&closing()), closing());
        ledger.lock(&at, LockStep::Close, &unsigned, &expected, Vec::new()).await.unwrap();
    }
    store.put(&at, StepColumn::Closed, b"closed".to_vec()).await.unwrap();
}

/// Kills a process at each of its steps; returns how many there were.
async fn kills(is_postgres: bool, every: usize) -> usize {
    let (mut at, mut killed) = (0, 0);
    loop {
        at += every;
        let folder = tempfile::tempdir().unwrap();
        let database = TestDatabase::make(folder.path(), is_postgres).await;
        let ended = database.run("play", &["500".to_owned(), at.to_string()]);
        let is_killed = ended.signal() == Some(Signal::KILL.as_raw());
        assert!(is_killed || ended.success(), "the child: {ended}");
        // The next process would like other wagers, and goes on with those that are locked.
        let next = database.run("play", &["900".to_owned(), "0".to_owned()]);
        assert!(next.success(), "killed at {at}: the next process: {next}");
        let each = BTreeMap::from([("final".to_owned(), 1), ("wagers".to_owned(), 1)]);
        assert_eq!(database.log().signed(), each, "killed at {at}");
        let marks: Vec<String> = fs::read_dir(database.mark())
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        // A claim that was rolled back leaves a gap in PostgreSQL's count.
        let count = |mark: &String| mark.split_once('-').unwrap().1.parse::<u32>().unwrap();
        let is_counted = marks.len() == 1 && count(&marks[0]) >= 2;
        assert!(is_counted, "killed at {at}: a lock was signed and {marks:?} do not count it");
        if !is_killed {
            return killed;
        }
        killed += 1;
    }
}

/// Two processes lock at once, each one of two locks that exclude each other.
async fn races(is_postgres: bool, rounds: i64, [one, other]: [&str; 2]) {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(folder.path(), is_postgres).await;
    database.open().await.unwrap().close().await;
    for number in 1..=rounds {
        let mut children = [[one, other], [other, one]].map(|[own, other]| {
            let more = [own.to_owned(), other.to_owned(), number.to_string()];
            database.start("race", &more)
        });
        for child in &mut children {
            child.stdin.take().unwrap().write_all(b"x").unwrap();
        }
        for mut child in children {
            assert!(child.wait().unwrap().success(), "race {number}");
        }
        let said: BTreeSet<String> = [one, other]
            .iter()
            .map(|own| fs::read_to_string(folder.path().join(format!("{number}-{own}"))).unwrap())
            .collect();
        assert_eq!(said, ["otherwise", "signed"].map(str::to_owned).into(), "race {number}");
    }
    let signed: usize = database.log().signed().values().sum();
    assert_eq!(i64::try_from(signed).unwrap(), rounds, "one lock of each round was signed");
}

/// The wagers and a void over the ticket alone exclude each other. A void over ticket and wagers is signed.
async fn excluded(is_postgres: bool) {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(folder.path(), is_postgres).await;
    let ledger = database.ledger().await;
    let round = "b".repeat(64);
    let (sheet, payload) = wagers(500, &round);
    let close = async |at: &Place, payload: &Value| {
        ledger.lock(at, LockStep::Close, &unsigned(payload), payload, Vec::new()).await
    };
    let (first, second) = (first(), place("T1", 1, 2));
    let made = lock(&ledger, &first, &payload, sheet.clone()).await.unwrap();
    must_be_excluded(close(&first, &void(&round)).await, "500");
    assert_eq!(database.log().signed(), BTreeMap::from([("wagers".to_owned(), 1)]));
    let mut after = void(&round);
    after["prev"] = hex::encode(Sha256::digest(&made.to_sign)).into();
    close(&first, &after).await.unwrap();
    let again = lock(&ledger, &first, &payload, sheet.clone()).await.unwrap();
    assert_eq!(again.signature, made.signature, "the lock of the wagers is there");
    close(&second, &void(&round)).await.unwrap();
    must_be_excluded(lock(&ledger, &second, &payload, sheet).await, "void");
    let all = BTreeMap::from([("void".to_owned(), 2), ("wagers".to_owned(), 1)]);
    assert_eq!(database.log().signed(), all);
}

/// A lock is counted after every lock that a backup can lack: claims of other rounds wait for its commit.
async fn counted_in_order() {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(folder.path(), true).await;
    database.open().await.unwrap().close().await;
    let (_, payload) = wagers(500, &"b".repeat(64));
    let name = database.postgres.as_deref().unwrap();
    let patient = format!("{}&options=-c%20lock_timeout=100", address(name));
    let patient = LedgerStore::postgres(&patient, database.mark()).await.unwrap();
    let patient = Ledger::new(database.log().signer(), patient);
    let second = place("T2", 1, 1);
    let mut child = database.start("stop", &[]);
    let id = Pid::from_child(&child);
    let (_, status) = waitpid(Some(id), WaitOptions::UNTRACED).unwrap().unwrap();
    assert!(status.stopped(), "the child is not in its claim: {status:?}");
    let refused = lock(&patient, &second, &payload, Vec::new()).await;
    kill_process(id, Signal::CONT).unwrap();
    assert!(matches!(refused, Err(ClientError::LedgerUnavailable(_))), "{refused:?}");
    assert!(child.wait().unwrap().success(), "the first claim");
    lock(&patient, &second, &payload, Vec::new()).await.unwrap();
}

#[track_caller]
fn must_be_restored<T: std::fmt::Debug>(result: Result<T, ClientError>) {
    assert!(matches!(result, Err(ClientError::Restored(_))), "{result:?}");
}

async fn restored(is_postgres: bool) {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(folder.path(), is_postgres).await;
    assert!(database.run("play", &["500".to_owned(), "0".to_owned()]).success());
    database.back_up().await;
    let (own, second) = (database.ledger().await, place("T1", 1, 2));
    let (_, payload) = wagers(700, &"e".repeat(64));
    lock(&own, &second, &payload, Vec::new()).await.unwrap();
    let before = database.log().text();
    own.store().close().await;
    database.restore().await;
    must_be_restored(database.open().await);
    let (_, payload) = wagers(300, &"e".repeat(64));
    // Also a store that was open before.
    must_be_restored(lock(&own, &second, &payload, Vec::new()).await);
    assert_eq!(database.log().text(), before, "a restored database has signed");
    let accepted = database.accept(0).await;
    assert!(matches!(accepted, Err(ClientError::Ledger(_))), "{accepted:?}");
    let accepted = Ledger::new(database.log().signer(), database.accept(2).await.unwrap());
    let (_, payload) = wagers(300, &"f".repeat(64));
    must_be_restored(lock(&accepted, &second, &payload, Vec::new()).await);
    lock(&accepted, &place("T1", 2, 1), &payload, Vec::new()).await.unwrap();
    database.open().await.unwrap();
    // A missing mark proves nothing any more.
    fs::remove_dir_all(database.mark()).unwrap();
    must_be_restored(database.open().await);
}

/// A call that is dropped at any point leaves no transaction behind: the next one locks the step.
async fn dropped(is_postgres: bool) {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(folder.path(), is_postgres).await;
    let ledger = database.ledger().await;
    let patience: [u32; 16] = std::array::from_fn(|place| (1 << place) - 1);
    for (number, patience) in (1..).zip(patience) {
        let (at, (_, payload)) = (place("T1", 1, number), wagers(500, &format!("{number:064x}")));
        let dropping = async {
            for _ in 0..patience {
                tokio::task::yield_now().await;
            }
        };
        tokio::select! {
            biased;
            ended = lock(&ledger, &at, &payload, Vec::new()) => drop(ended.unwrap()),
            () = dropping => {}
        }
        lock(&ledger, &at, &payload, Vec::new()).await.unwrap();
    }
    assert_eq!(
        database.log().signed()["wagers"],
        patience.len(),
        "one lock of each round was signed"
    );
}

/// A lock names the key that has signed it, whichever key the ledger has now.
async fn another_key(is_postgres: bool) {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(folder.path(), is_postgres).await;
    let (_, payload) = wagers(500, &"b".repeat(64));
    let ledger = database.ledger().await;
    lock(&ledger, &first(), &payload, Vec::new()).await.unwrap();
    let new = SeatKey::generate();
    let signer = KeySigner::new(new.public_key(), move |to_sign| Ok(new.sign(to_sign).to_vec()));
    let later = Ledger::new(signer, ledger.store().clone());
    let stored = later.stored(&first(), LockStep::Wagers).await.unwrap().unwrap();
    let record = Ledger::record(&stored).unwrap();
    let line: Value = serde_json::from_slice(&record.envelope).unwrap();
    let kid = PublicKey::from_hex(&key().public_key()).unwrap().kid();
    let sig = BASE64.encode(key().sign(&unsigned(&payload).to_sign));
    let signatures = json!([{"keyid": kid, "sig": sig}]);
    assert_eq!(line["signatures"], signatures, "the lock has lost its key");
    assert!(record.signatures.is_empty());
}

async fn down(is_postgres: bool) {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(folder.path(), is_postgres).await;
    let ledger = database.ledger().await;
    match &database.postgres {
        Some(name) => {
            let closed = format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false");
            administer(&[closed, TestDatabase::end_connections(name)]).await;
        }
        None => {
            ledger.store().close().await;
            database.remove();
            fs::create_dir(database.file()).unwrap();
        }
    }
    let (_, payload) = wagers(500, &"b".repeat(64));
    for _ in 0..2 {
        let refused = lock(&ledger, &first(), &payload, Vec::new()).await;
        assert!(matches!(refused, Err(ClientError::LedgerUnavailable(_))), "{refused:?}");
    }
    let opened = database.open().await;
    assert!(matches!(opened, Err(ClientError::LedgerUnavailable(_))), "{opened:?}");
    assert!(!database.log().0.exists(), "without a database something was signed");
}

/// The ledger's own code names no clock. The driver of a database may wait by its own.
fn without_a_clock() {
    for (name, source) in [
        ("ledger", include_str!("../../../crates/paigow-client/src/ledger.rs")),
        ("store", include_str!("../../../crates/paigow-client/src/store.rs")),
        ("mark", include_str!("../../../crates/paigow-client/src/mark.rs")),
        ("records", include_str!("../../../crates/paigow-client/src/records.rs")),
    ] {
        for word in ["SystemTime", "Instant", "std::time", "tokio::time", "elapsed"] {
            assert!(!source.contains(word), "{name} has {word}");
        }
    }
}

/// Every part of a lock altered, one at a time: nothing of it is signed.
async fn mutations(is_postgres: bool) -> usize {
    let folder = tempfile::tempdir().unwrap();
    let database = TestDatabase::make(folder.path(), is_postgres).await;
    let ledger = database.ledger().await;
    let (_, payload) = wagers(500, &"b".repeat(64));
    let good = unsigned(&payload);
    let mut wrong: Vec<UnsignedRecord> = alterations(&payload).iter().map(unsigned).collect();
    let other = String::from_utf8(good.to_sign.clone()).unwrap().replacen("500", "900", 1);
    for to_sign in [
        good.to_sign[..good.to_sign.len() - 1].to_vec(),
        [&good.to_sign[..], b" "].concat(),
        other.into_bytes(),
        pae(ACTION, &canonical(&payload)),
    ] {
        wrong.push(UnsignedRecord { to_sign, ..good.clone() });
    }
    for record in &wrong {
        let refused = ledger.lock(&first(), LockStep::Wagers, record, &payload, Vec::new()).await;
        assert!(matches!(refused, Err(ClientError::NotTheRecord(_))), "{record:?}: {refused:?}");
    }
    assert!(!database.log().0.exists(), "an altered record was signed");
    wrong.len()
}

/// Returns copies of a value that differ in one place each.
fn alterations(value: &Value) -> Vec<Value> {
    let mut altered = Vec::new();
    match value {
        Value::Object(members) => {
            for (name, inner) in members {
                for other in alterations(inner) {
                    let mut copy = members.clone();
                    copy.insert(name.clone(), other);
                    altered.push(copy.into());
                }
                let mut copy = members.clone();
                copy.remove(name);
                altered.push(copy.into());
            }
            let mut copy = members.clone();
            copy.insert("spare".to_owned(), "1".into());
            altered.push(copy.into());
        }
        Value::Array(items) => {
            for (at, inner) in items.iter().enumerate() {
                for other in alterations(inner) {
                    let mut copy = items.clone();
                    copy[at] = other;
                    altered.push(copy.into());
                }
            }
            altered.push([&items[..], &items[..1]].concat().into());
            altered.push(items[1..].into());
        }
        Value::String(text) => altered.push(format!("{text}0").into()),
        Value::Number(number) => altered.push((number.as_u64().unwrap() + 1).into()),
        Value::Null | Value::Bool(_) => panic!("{value}"),
    }
    altered
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.first().is_some_and(|first| first == "--part") {
        return play_part(&arguments[1..]).await;
    }
    let is_long = arguments.iter().any(|argument| argument == "--long");
    without_a_clock();
    for is_postgres in [false, true] {
        if is_postgres && std::env::var_os("TEST_POSTGRES").is_none() {
            continue;
        }
        let every = if is_long {
            1
        } else if is_postgres {
            7
        } else {
            2
        };
        let killed = kills(is_postgres, every).await;
        let rounds = if is_long { 100 } else { 20 };
        races(is_postgres, rounds, ["500", "900"]).await;
        races(is_postgres, rounds, ["500", "void"]).await;
        excluded(is_postgres).await;
        if is_postgres {
            counted_in_order().await;
        }
        restored(is_postgres).await;
        another_key(is_postgres).await;
        dropped(is_postgres).await;
        down(is_postgres).await;
        let altered = mutations(is_postgres).await;
        let name = if is_postgres { "PostgreSQL" } else { "SQLite" };
        println!(
            "{name}: killed at {killed} places, raced, voided, restored, down, and {altered} altered records: no step \
             was signed twice, and no record was followed by two locks"
        );
    }
}
