//! Plays rounds that wait for a beacon with the Rust client, and has their source fail.
//!
//!     client_beacon --server ADDRESS --ledger-key FILE --root FILE --database FILE --table NAME --locks FOLDER
//!         --kit FILE --transcript FILE [--dies yes]
//!
//! tests/client/python/beacon.py does the same, and says what it is.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use paigow_client::v1::{Currency, Decision, Record, VoidReason, Wager, WagerSheet, decision};
use paigow_client::{
    BeaconFailure, BeaconSettings, ClientError, Engine, EngineSettings, FileSigner, Ledger,
    LedgerStore, Opening, Root, Table, TableTerms,
};
use rustix::process::{Signal, getpid, kill_process};
use serde_json::Value;

/// The behaviour of the source of the signatures.
#[derive(Clone, Copy)]
enum Relay {
    Dies,
    IsDown,
    /// It gives the value of the round that comes so many later.
    Gives(i64),
}

struct Platform {
    engine: Engine,
    ledger: Ledger,
    options: BTreeMap<String, String>,
    kit: Arc<Value>,
}

#[expect(clippy::disallowed_methods, reason = "the beacon publishes by the clock")]
fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    i64::try_from(since.as_secs()).unwrap()
}

impl Platform {
    async fn open(&self, beacon: Option<BeaconSettings>) -> Result<Table, ClientError> {
        let root = Root::read(&self.options["root"]).unwrap();
        let terms = TableTerms { beacon, ..TableTerms::default() };
        let (engine, ledger, name) = (&self.engine, &self.ledger, &self.options["table"]);
        Table::open_with_terms(engine, ledger, name, "express", Some(root), terms).await
    }

    async fn table(&self, relay: Relay, clock: fn() -> i64) -> Table {
        let kit = Arc::clone(&self.kit);
        let source = move |round: i64| {
            let kit = Arc::clone(&kit);
            async move {
                match relay {
                    Relay::Dies => {
                        kill_process(getpid(), Signal::KILL).unwrap();
                        std::future::pending().await
                    }
                    Relay::IsDown => {
                        let what = format!("the relay is down, asked for {round}");
                        Err(BeaconFailure::from(what))
                    }
                    Relay::Gives(later) => {
                        let round = (round + later).to_string();
                        Ok(kit["signatures"][round].as_str().unwrap().to_owned())
                    }
                }
            }
        };
        // The lead is too short: the server says which rounds of the beacon it takes.
        let settings = BeaconSettings::new(source).lead(0).records(&self.options["locks"]);
        self.open(Some(settings.now(clock))).await.unwrap()
    }
}

/// Returns the beacon's round that a ticket names.
fn round_of(ticket: &Record) -> String {
    let envelope: Value = serde_json::from_slice(&ticket.envelope).unwrap();
    let payload = BASE64.decode(envelope["payload"].as_str().unwrap()).unwrap();
    let payload: Value = serde_json::from_slice(&payload).unwrap();
    payload["external"]["round"].as_str().unwrap().to_owned()
}

#[track_caller]
fn must_be_unavailable<T: std::fmt::Debug>(result: Result<T, ClientError>, words: &str) {
    let Err(error @ ClientError::BeaconUnavailable { .. }) = result else { panic!("{result:?}") };
    assert!(error.to_string().contains(words), "{error}");
}

fn names(folder: &str) -> Vec<std::path::PathBuf> {
    fs::read_dir(Path::new(folder)).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[tokio::main]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let options: BTreeMap<String, String> = arguments
        .chunks_exact(2)
        .map(|pair| (pair[0].strip_prefix("--").unwrap().to_owned(), pair[1].clone()))
        .collect();
    let settings = EngineSettings::plaintext(&options["server"])
        .deadline(Duration::from_secs(10))
        .patience(Duration::from_secs(60));
    let database = &options["database"];
    let store = LedgerStore::sqlite(database, format!("{database}.mark")).await.unwrap();
    let ledger = Ledger::new(FileSigner::read(&options["ledger-key"]).unwrap(), store);
    let kit = Arc::new(serde_json::from_slice(&fs::read(&options["kit"]).unwrap()).unwrap());
    let locks = options["locks"].clone();
    let engine = Engine::connect(settings).unwrap();
    let platform = Platform { engine, ledger, options: options.clone(), kit };
    let wager = Wager { seat: 1, bet: "base".to_owned(), amount_minor: 2_500, ..Wager::default() };
    let sheet = || WagerSheet {
        currency: Some(Currency { code: "USD".to_owned(), exponent: 2 }),
        wagers: vec![wager.clone()],
        ..WagerSheet::default()
    };
    let seeds = BTreeMap::new();

    let Err(ClientError::Settings(missing)) = platform.open(None).await else {
        panic!("no source")
    };
    assert!(missing.contains("pass BeaconSettings"), "{missing}");
    let relay = if options.contains_key("dies") { Relay::Dies } else { Relay::IsDown };
    let first = platform.table(relay, now).await.next_round().await.unwrap();
    println!("waits for {}", round_of(&first.open(Opening::default()).await.unwrap()));
    must_be_unavailable(first.deal(Some(sheet()), &seeds).await, "the relay is down");
    let listed = names(&locks);
    let [lock] = &listed[..] else { panic!("{listed:?}") };
    assert_eq!(fs::read_to_string(lock).unwrap().lines().count(), 1);
    // A relay that gives the value of another round.
    let again = platform.table(Relay::Gives(1), now).await.next_round().await.unwrap();
    must_be_unavailable(again.deal(None, &seeds).await, "not the beacon's signature");
    let playing = platform.table(Relay::Gives(0), now).await;
    let first = playing.next_round().await.unwrap();
    first.deal(None, &seeds).await.unwrap();
    let setting = Some(decision::Setting::HouseWay(true));
    first.decide(Decision { seat: 1, setting, double_down: false }).await.unwrap();
    first.settle(&[]).await.unwrap();
    // The value never comes.
    let second = platform.table(Relay::IsDown, now).await.next_round().await.unwrap();
    second.open(Opening::default()).await.unwrap();
    must_be_unavailable(second.deal(Some(sheet()), &seeds).await, "the relay is down");
    second.void(VoidReason::Operator).await.unwrap();
    // Betting takes too long.
    let late = platform.table(Relay::IsDown, || now() + 1000).await.next_round().await.unwrap();
    playing.next_round().await.unwrap().open(Opening::default()).await.unwrap();
    let dealt = late.deal(Some(sheet()), &seeds).await;
    assert!(matches!(dealt, Err(ClientError::TooLate { .. })), "{dealt:?}");
    late.void(VoidReason::Operator).await.unwrap();
    // Nobody has asked for the round.
    let fourth = playing.next_round().await.unwrap();
    fourth.void(VoidReason::Operator).await.unwrap();
    assert!(names(&locks).is_empty(), "a file of a closed round is left");
    let transcript = playing.transcript(&[first, second, late, fourth]).await.unwrap();
    fs::write(&options["transcript"], transcript).unwrap();
}
