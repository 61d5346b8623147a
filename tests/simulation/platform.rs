//! A platform: tables, a ledger in SQLite that its processes share, players, and their wallets.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use paigow_client::{
    ClientError, Engine, EngineSettings, Ledger, LedgerSigner, LedgerStore, NextStep, Opening,
    Place, Root, Round, RoundClose, SeatKey, SignatureFuture, Table, TableTerms, commitment,
};
use paigow_fairness::signature::Signer as _;
use paigow_proto::v1::VoidReason;
use paigow_testkit::casino::{RoundPlan, SeededChoices, filler, ledger_key, root_key};
use paigow_testkit::wire;
use serde_json::Value;
use tokio::time::sleep;

use crate::beacon::Relay;
use crate::machine::{self, HostId, Life, OnHost};
use crate::network::Network;
use crate::note;
use crate::replica::TENANT;

/// The games of the tables, in turns.
const RULESETS: [&str; 5] = ["mikes", "express", "face-up", "classic", "mania"];

/// The most seats that play.
const MOST_SEATS: usize = 2;

/// The state that all processes of the platform share.
#[derive(Clone)]
pub(crate) struct Platform(Arc<PlatformParts>);

struct PlatformParts {
    folder: PathBuf,
    network: Network,
    replicas: Vec<HostId>,
    tables: usize,
    /// The relay of the beacon that the rounds wait for, if they wait for one.
    relay: Option<Relay>,
    locked: LockTimes,
    wallets: Mutex<Wallets>,
}

/// When the ledger has stored and signed the wagers of each round, in Unix milliseconds. It lacks locks whose process was
/// killed in between.
type LockTimes = Arc<Mutex<BTreeMap<String, u64>>>;

/// The postings of each round: an account and an amount, in minor units.
pub(crate) type Postings = BTreeMap<Place, Vec<(String, i64)>>;

/// The nets of the seats, the bank and the house in each round.
#[derive(Debug, Default)]
struct Wallets {
    posted: Postings,
    target: usize,
    faults: Vec<String>,
}

/// The ledger's key. It signs without a wait.
#[derive(Debug)]
struct OwnKey(String, LockTimes);

impl LedgerSigner for OwnKey {
    fn public_key(&self) -> &str {
        &self.0
    }

    fn sign<'a>(&'a self, to_sign: &'a [u8]) -> SignatureFuture<'a> {
        let payload = to_sign.iter().position(|byte| *byte == b'{').map(|at| &to_sign[at..]);
        let payload: Value =
            serde_json::from_slice(payload.expect("it has a payload")).expect("it is JSON");
        if payload["step"] == "wagers" && machine::has_just_claimed() {
            let round_id = payload["round_id"].as_str().expect("a lock names its round").to_owned();
            self.1.lock().unwrap().entry(round_id).or_insert_with(machine::now_ms);
        }
        Box::pin(async move { Ok(ledger_key().sign(to_sign).to_vec()) })
    }
}

/// A process of the platform.
pub(crate) struct PlatformProcess {
    pub(crate) host: HostId,
    life: Arc<Life>,
}

impl PlatformProcess {
    /// Kills the process when it has begun so many more steps with its database.
    pub(crate) fn kill_after(&self, steps: u64) {
        note!("kill platform {} after {steps} steps", self.host);
        self.life.kill_after(steps);
    }

    pub(crate) fn kill(&self) {
        self.life.kill();
    }

    pub(crate) fn is_dead(&self) -> bool {
        self.life.is_dead()
    }

    pub(crate) fn pause(&self, paused: bool) {
        note!("pause platform {}: {paused}", self.host);
        self.life.pause(paused);
    }
}

/// Returns the name of a table.
fn table_name(table: usize) -> String {
    format!("table-{table}")
}

/// Returns the plan of a round, a function of its place. Few seats play, because each takes calls of its own.
fn plan(ruleset: &str, place: &Place) -> RoundPlan {
    let seed = (u64::from(place.epoch.unsigned_abs()) << 32) | hash_of(&place.table);
    let round_no = place.round_no.unsigned_abs();
    let plans = (0..).map(|more| {
        RoundPlan::random_of(ruleset, TENANT, round_no, None, seed.wrapping_add(more << 16))
    });
    let few = |plan: &RoundPlan| plan.signing.len() <= MOST_SEATS;
    plans.into_iter().find(few).expect("some of all plans have few seats")
}

fn hash_of(text: &str) -> u64 {
    text.bytes().fold(17, |hash: u64, byte| hash.wrapping_mul(31).wrapping_add(byte.into()))
}

/// The secret of a seat in a round.
fn seat_secret(place: &Place, seat: i32, of: u64) -> [u8; 32] {
    let place = SeededChoices(hash_of(&place.table) ^ place.round_no.unsigned_abs()).next()
        ^ u64::from(place.epoch.unsigned_abs());
    filler(place.wrapping_mul(64) + u64::from(seat.unsigned_abs()) * 8 + of)
}

impl Platform {
    pub(crate) fn new(
        folder: &Path,
        network: &Network,
        replicas: Vec<HostId>,
        tables: usize,
        relay: Option<Relay>,
    ) -> Self {
        let made = Self(Arc::new(PlatformParts {
            folder: folder.to_owned(),
            network: network.clone(),
            replicas,
            tables,
            relay,
            locked: LockTimes::default(),
            wallets: Mutex::default(),
        }));
        std::fs::create_dir(made.locks()).expect("a folder can be made");
        made
    }

    /// Returns the folder in which the ledger gives the locks of wagers to the log.
    pub(crate) fn locks(&self) -> PathBuf {
        self.0.folder.join("locks")
    }

    /// Returns when the ledger has stored and signed the wagers of a round, in Unix milliseconds.
    pub(crate) fn locked_at(&self, round_id: &str) -> Option<u64> {
        self.0.locked.lock().unwrap().get(round_id).copied()
    }

    pub(crate) fn database(&self) -> PathBuf {
        self.0.folder.join("ledger.db")
    }

    fn mark(&self) -> PathBuf {
        self.0.folder.join("mark")
    }

    /// Sets how many rounds are closed before nothing new is begun.
    pub(crate) fn set_target(&self, rounds: usize) {
        self.0.wallets.lock().unwrap().target = rounds;
    }

    /// Returns how many rounds are closed.
    pub(crate) fn closed(&self) -> usize {
        self.0.wallets.lock().unwrap().posted.len()
    }

    fn is_enough(&self) -> bool {
        let wallets = self.0.wallets.lock().unwrap();
        wallets.posted.len() >= wallets.target
    }

    /// Returns what was posted for each round, and what is wrong with it.
    pub(crate) fn finish(&self) -> (Postings, Vec<String>) {
        let mut wallets = self.0.wallets.lock().unwrap();
        (wallets.posted.clone(), std::mem::take(&mut wallets.faults))
    }

    /// Posts what a round came to; a second time, it has to be the same.
    fn post(&self, place: &Place, close: &RoundClose) {
        let mut entries = Vec::new();
        if let RoundClose::Settled(settled) = close {
            let seats = settled.seats.iter();
            entries.extend(seats.map(|seat| (format!("seat {}", seat.seat), seat.net_minor)));
            let bank = settled.bank.as_ref().map_or(0, |bank| bank.net_minor);
            entries.push(("bank".to_owned(), bank));
            entries.push(("house".to_owned(), settled.house_net_minor));
        }
        let sum: i64 = entries.iter().map(|(_, amount)| amount).sum();
        let mut wallets = self.0.wallets.lock().unwrap();
        if sum != 0 {
            wallets.faults.push(format!("{place:?}: the amounts add up to {sum}"));
        }
        let first = wallets.posted.entry(place.clone()).or_insert_with(|| entries.clone());
        if *first != entries {
            let fault = format!("{place:?}: paid {first:?}, and then {entries:?}");
            wallets.faults.push(fault);
        }
    }

    /// Opens the ledger.
    pub(crate) async fn store(&self) -> Result<LedgerStore, ClientError> {
        LedgerStore::sqlite(self.database(), self.mark()).await
    }

    /// Opens a table with a ledger.
    pub(crate) async fn table(
        &self,
        store: &LedgerStore,
        table: usize,
        host: HostId,
    ) -> Result<Table, ClientError> {
        let settings = EngineSettings::plaintext("the world")
            .deadline(Duration::from_secs(1))
            .patience(Duration::from_secs(4))
            .chance(machine::chance);
        let mut ways: Vec<_> =
            self.0.replicas.iter().map(|replica| self.0.network.way_to(*replica)).collect();
        ways.rotate_left((table + host) % self.0.replicas.len());
        let engine = Engine::over(ways, settings)?;
        let key = OwnKey(ledger_key().public().to_string(), Arc::clone(&self.0.locked));
        let ledger = Ledger::new(key, store.clone());
        // The audits of the end check the settlements of the other tables.
        let trusted = || Root { keys: vec![root_key().public().to_string()], threshold: 1 };
        let root = (table == 0).then(trusted);
        let ruleset = RULESETS[table % RULESETS.len()];
        let beacon = self.0.relay.as_ref().map(|relay| relay.settings(&self.locks()));
        let terms = TableTerms { beacon, ..TableTerms::default() };
        Table::open_with_terms(&engine, &ledger, &table_name(table), ruleset, root, terms).await
    }

    /// Starts a process that plays at these tables, until enough rounds are closed.
    pub(crate) fn start(&self, host: HostId, tables: Range<usize>) -> PlatformProcess {
        let life = Arc::<Life>::default();
        for table in tables {
            let work = self.clone().work(host, table);
            tokio::spawn(OnHost::new(host, &life, work));
        }
        PlatformProcess { host, life }
    }

    async fn work(self, host: HostId, number: usize) {
        let Some(store) = opened(self.store().await) else { return };
        let mut table = None;
        while !self.is_enough() {
            let played = async {
                let table = match &table {
                    Some(table) => table,
                    None => table.insert(self.table(&store, number, host).await?),
                };
                self.play(table, number, 4, 30).await.map(drop)
            };
            if let Err(error) = played.await {
                note!("{} at platform {host}: {error}", table_name(number));
                machine::waits_inside();
                sleep(Duration::from_millis(50 + machine::below(300))).await;
            }
        }
    }

    /// Plays the round of a table that is not closed, or the next one. `voids` percent of its steps void it, and
    /// `gives_up` percent of its refused steps.
    async fn play(
        &self,
        table: &Table,
        number: usize,
        voids: u64,
        gives_up: u64,
    ) -> Result<Place, ClientError> {
        let round = table.next_round().await?;
        let place = round.place.clone();
        let plan = plan(RULESETS[number % RULESETS.len()], &place);
        loop {
            let step = round.step().await?;
            machine::waits_inside();
            if step != NextStep::Closed && machine::happens(voids) {
                note!("{place:?}: void at {step:?}");
                round.void(VoidReason::PlayerLeft).await?;
                continue;
            }
            let done = match step {
                NextStep::Open => open(&round, &plan).await,
                NextStep::Deal => deal(&round, &plan).await,
                NextStep::Settle => settle(&round, &plan).await,
                NextStep::Closed => {
                    if let Some(close) = round.close().await? {
                        self.post(&place, &close);
                    }
                    return Ok(place);
                }
            };
            match done {
                // Another process has locked the void of the round.
                Err(ClientError::SignedOtherwise { message, .. }) => {
                    note!("{place:?}: {step:?}: {message}");
                    round.void(VoidReason::Operator).await?;
                }
                Err(ClientError::TooLate { round: late }) => {
                    note!("{place:?}: void, since the beacon's round {late} is public");
                    round.void(VoidReason::Operator).await?;
                }
                // The engine will never take this step: what there is of the round is given back.
                Err(ClientError::Refused(refused)) if machine::happens(gives_up) => {
                    note!("{place:?}: void, since {step:?} was refused: {refused}");
                    round.void(VoidReason::Operator).await?;
                }
                done => done?,
            }
        }
    }

    /// Closes the rounds that are open, without faults, and posts every closed round that no process has lived to
    /// post. Returns the records of all rounds, by table, and what stays open.
    pub(crate) async fn finish_all(
        &self,
        host: HostId,
        epochs: u32,
    ) -> Result<(Vec<TableRecords>, Vec<String>), ClientError> {
        let store = self.store().await?;
        let (mut all, mut stuck) = (Vec::new(), Vec::new());
        for number in 0..self.0.tables {
            let table = self.table(&store, number, host).await?;
            if let Err(error) = self.close_open_rounds(&table, number).await {
                let name = table_name(number);
                stuck.push(format!("{name} has a round that cannot be closed: {error}"));
            }
            let mut rounds = Vec::new();
            for epoch in 0..i32::try_from(epochs).unwrap() {
                // The rounds of a table in an epoch have no gap.
                let place = |round_no| Place { table: table_name(number), epoch, round_no };
                for place in (1..).map(place) {
                    let round = table.round(place.clone());
                    let Some(close) = round.close().await? else { break };
                    self.post(&place, &close);
                    rounds.push((place, wire::envelopes(&round.records().await?)));
                }
            }
            all.push(rounds);
        }
        store.close().await;
        Ok((all, stuck))
    }

    /// Plays at a table until nothing is open, or a new round has been closed.
    async fn close_open_rounds(&self, table: &Table, number: usize) -> Result<(), ClientError> {
        let mut last = Ok(());
        for _ in 0..10 {
            match self.play(table, number, 0, 100).await {
                Ok(place) => {
                    note!("{place:?} is closed in the end");
                    return Ok(());
                }
                // Then none is left that was begun.
                Err(ClientError::Ledger(what)) if what == "no epoch is open" => return Ok(()),
                Err(error) => last = Err(error),
            }
            machine::waits_inside();
            sleep(Duration::from_secs(1)).await;
        }
        last
    }
}

/// The rounds of a table with their records.
pub(crate) type TableRecords = Vec<(Place, Vec<paigow_fairness::record::RecordEnvelope>)>;

fn opened(store: Result<LedgerStore, ClientError>) -> Option<LedgerStore> {
    store.inspect_err(|error| note!("the ledger does not open: {error}")).ok()
}

async fn open(round: &Round, plan: &RoundPlan) -> Result<(), ClientError> {
    let place = &round.place;
    let prefixes = round.commit_prefixes().await?;
    let mut opening = Opening::default();
    for seat in &plan.committed {
        let seat = i32::from(seat.number());
        let Some(prefix) = prefixes.get(&seat) else { continue };
        opening.commits.insert(seat, commitment(prefix, &seat_secret(place, seat, 1)));
    }
    for seat in &plan.signing {
        let seat = i32::from(seat.number());
        let key = SeatKey::from_secret(&seat_secret(place, seat, 2));
        opening.seat_keys.insert(seat, key.public_key());
    }
    round.open(opening).await.map(drop)
}

async fn deal(round: &Round, plan: &RoundPlan) -> Result<(), ClientError> {
    let seats = plan.committed.iter().map(|seat| i32::from(seat.number()));
    let seeds = seats.map(|seat| (seat, seat_secret(&round.place, seat, 1))).collect();
    round.deal(Some(wire::sheet(&plan.sheet, &[])), &seeds).await.map(drop)
}

async fn settle(round: &Round, plan: &RoundPlan) -> Result<(), ClientError> {
    if !round.is_locked().await?
        && let Some(dealt) = round.dealt().await?
    {
        for (seat, decision) in plan.decisions(&wire::dealt(&dealt)) {
            let to_sign = round.decide(wire::decision(seat, &decision)).await?;
            let number = i32::from(seat.number());
            if plan.signing.contains(&seat) {
                let key = SeatKey::from_secret(&seat_secret(&round.place, number, 2));
                round.sign(number, &key.sign(&to_sign)).await?;
            }
        }
    }
    round.settle(&[]).await.map(drop)
}
