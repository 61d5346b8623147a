//! A world: replicas, platforms, an operator, object storage, and faults between any two of their steps.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use paigow_evidence::verify::{EvidenceFaultKind, EvidenceVerifier};
use paigow_evidence::{EvidenceLine, LineBody, files};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{ExternalPolicy, Suite};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;
use paigow_round::audit::{self, AuditTerms, CheckStatus};
use paigow_testkit::casino::witness_key;
use tokio::time::sleep;
use tracing::subscriber::with_default;

use crate::beacon::{self, Relay};
use crate::machine::{self, HostId, OnHost, WorldLog};
use crate::network::Network;
use crate::note;
use crate::operator::{KeyringFile, Operator};
use crate::platform::{Platform, PlatformProcess, Postings, TableRecords};
use crate::replica::{CATALOGUE, ReplicaHost};
use crate::storage::Storage;

/// The replicas.
const REPLICAS: [HostId; 3] = [1, 2, 3];

/// The processes of the platform.
const PLATFORMS: [HostId; 2] = [4, 5];

/// The tables of each process of the platform.
const TABLES: usize = 3;

/// The same where rounds wait for a beacon. There are more, since each round takes longer.
const WAITING_TABLES: usize = 10;

/// The hosts, the world among them.
const HOSTS: usize = 6;

/// The most steps of a world: long before them its rounds are closed, or none ever will be.
const MOST_STEPS: usize = 200_000;

/// The outcome of a world.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) rounds: usize,
    /// The promises that were not kept.
    pub(crate) broken: Vec<String>,
    pub(crate) log: String,
}

/// Runs the world of a seed until so many rounds are closed.
pub(crate) fn run(seed: u64, rounds: usize) -> Outcome {
    let parent = Path::new("/dev/shm");
    let folder = if parent.is_dir() { tempfile::tempdir_in(parent) } else { tempfile::tempdir() };
    let folder = folder.expect("a folder can be made");
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .start_paused(true)
        .build()
        .expect("the system gives a runtime");
    with_default(WorldLog, || {
        let (rounds, broken) = runtime.block_on(async {
            machine::begin(seed, HOSTS, folder.path().to_str().expect("the path is UTF-8"));
            // In one of three worlds each settlement proves its seed.
            let suite = if seed.is_multiple_of(3) { Suite::Vrf } else { Suite::Derived };
            // In one of twenty worlds each round waits for a beacon: such a world takes three times as long.
            let waits = seed % 20 == 8;
            let external = if waits { ExternalPolicy::Drand } else { ExternalPolicy::None };
            World::new(folder.path(), suite, external).play(rounds).await
        });
        // Every task of the world ends before its machine does.
        drop(runtime);
        Outcome { rounds, broken, log: machine::end() }
    })
}

struct World {
    network: Network,
    operator: Operator,
    replicas: Vec<ReplicaHost>,
    platform: Platform,
    relay: Relay,
    /// The tables of each process of the platform.
    tables: usize,
    processes: Vec<Option<PlatformProcess>>,
    storage: Storage,
    /// The files on their way to keyrings, by the time at which they arrive, with their replica. Without a file the
    /// replica reads its files again.
    parcels: BTreeMap<(u64, u64), (usize, Option<KeyringFile>)>,
    parcel: u64,
    /// When a replica of a paused or broken kind is well again, in Unix milliseconds.
    recoveries: Vec<(u64, Recovery)>,
    announced: bool,
    /// The replicas whose live file somebody has deleted, and when the loss is noticed at the latest.
    deleted: BTreeMap<HostId, u64>,
}

#[derive(Clone, Copy, Debug)]
enum Recovery {
    StartReplica(usize),
    ResumeReplica(usize),
    DiskHasSpace(usize),
    ClockIsRight(usize),
    ResumePlatform(usize),
}

impl World {
    fn new(folder: &Path, suite: Suite, external: ExternalPolicy) -> Self {
        let (network, operator) = (Network::default(), Operator::new(suite, external));
        let replicas =
            REPLICAS.iter().map(|&host| ReplicaHost::new(host, folder, &network, &operator));
        let replicas = replicas.collect();
        let waits = external == ExternalPolicy::Drand;
        let (tables, relay) = (if waits { WAITING_TABLES } else { TABLES }, Relay::default());
        let asked = waits.then(|| relay.clone());
        let all_tables = tables * PLATFORMS.len();
        let platform = Platform::new(folder, &network, REPLICAS.to_vec(), all_tables, asked);
        Self {
            network,
            operator,
            replicas,
            platform,
            relay,
            tables,
            processes: PLATFORMS.iter().map(|_| None).collect(),
            storage: Storage::default(),
            parcels: BTreeMap::new(),
            parcel: 0,
            recoveries: Vec::new(),
            announced: false,
            deleted: BTreeMap::new(),
        }
    }

    async fn play(mut self, rounds: usize) -> (usize, Vec<String>) {
        self.platform.set_target(rounds);
        for replica in &mut self.replicas {
            replica.start().await;
        }
        self.network.set_faulty(true);
        self.relay.set_faulty(true);
        self.storage.faulty = true;
        let mut steps = 0;
        while self.platform.closed() < rounds && steps < MOST_STEPS {
            steps += 1;
            sleep(Duration::from_millis(5 + machine::below(60))).await;
            self.live().await;
            self.fail().await;
        }
        self.quiet().await;
        let mut broken = self.judge().await;
        if self.platform.closed() < rounds {
            broken
                .push(format!("{} rounds are closed after {steps} steps", self.platform.closed()));
        }
        (self.platform.closed(), broken)
    }

    /// Does what operators and machines do of themselves.
    async fn live(&mut self) {
        let now = machine::now_ms();
        while let Some(entry) = self.parcels.first_entry().filter(|entry| entry.key().0 <= now) {
            let (at, file) = entry.remove();
            match file {
                Some(file) => self.replicas[at].take_file(&file),
                None => {
                    if !self.replicas[at].reload().await {
                        self.parcel += 1;
                        self.parcels.insert((now + 300, self.parcel), (at, None));
                    }
                }
            }
        }
        let (due, later) =
            std::mem::take(&mut self.recoveries).into_iter().partition(|(at, _)| *at <= now);
        self.recoveries = later;
        let due: Vec<(u64, Recovery)> = due;
        for (_, recovery) in due {
            self.recover(recovery).await;
        }
        for at in 0..PLATFORMS.len() {
            if self.processes[at].as_ref().is_none_or(PlatformProcess::is_dead) {
                self.processes[at] = Some(self.start_platform(at));
            }
        }
        self.rotate(now);
        if machine::happens(2) {
            let at = self.any_replica();
            self.replicas[at].ship(&mut self.storage);
        }
    }

    fn start_platform(&self, at: usize) -> PlatformProcess {
        let first = at * self.tables;
        self.platform.start(PLATFORMS[at], first..first + self.tables)
    }

    fn any_replica(&self) -> usize {
        usize::try_from(machine::below(self.replicas.len() as u64)).unwrap()
    }

    async fn recover(&mut self, recovery: Recovery) {
        match recovery {
            Recovery::StartReplica(at) => {
                if !self.replicas[at].start().await {
                    self.later(500, Recovery::StartReplica(at));
                }
            }
            Recovery::ResumeReplica(at) => self.replicas[at].pause(false),
            Recovery::DiskHasSpace(at) => self.replicas[at].disk.with(|disk| disk.full = false),
            Recovery::ClockIsRight(at) => machine::set_skew(REPLICAS[at], 0),
            Recovery::ResumePlatform(at) => {
                if let Some(process) = &self.processes[at] {
                    process.pause(false);
                }
            }
        }
    }

    fn later(&mut self, milliseconds: u64, recovery: Recovery) {
        self.recoveries.push((machine::now_ms() + milliseconds, recovery));
    }

    /// Announces the next epoch in time, salts it, and now and then has another receipt key sign.
    fn rotate(&mut self, now: u64) {
        let opens = self.operator.newest_opens() * 1000;
        if self.announced && opens < now + 12_000 {
            self.operator.salt();
            self.announced = false;
            let manifests = self.operator.manifests_file();
            self.send(&[manifests]);
            note!("salted");
        } else if !self.announced && opens < now + 5_000 {
            let secret = self.operator.announce();
            self.announced = true;
            let manifests = self.operator.manifests_file();
            self.send(&[secret, manifests]);
            note!("announced");
        } else if !self.announced && machine::below(2_000) == 0 {
            let key = self.operator.rotate_receipt_key();
            let manifests = self.operator.manifests_file();
            self.send(&[key, manifests]);
            note!("another receipt key");
        }
    }

    /// Sends files to every keyring: each arrives when it does, and is read some time after.
    fn send(&mut self, files: &[KeyringFile]) {
        let now = machine::now_ms();
        for at in 0..self.replicas.len() {
            let mut last = 0;
            for file in files {
                let arrives = now + machine::below(1_500);
                last = last.max(arrives);
                self.parcel += 1;
                self.parcels.insert((arrives, self.parcel), (at, Some(file.clone())));
                if machine::happens(30) {
                    self.parcel += 1;
                    self.parcels.insert((arrives + 1, self.parcel), (at, None));
                }
            }
            self.parcel += 1;
            self.parcels.insert((last + machine::below(500), self.parcel), (at, None));
        }
    }

    /// Has something fail, now and then.
    async fn fail(&mut self) {
        let now = machine::now_ms();
        let at = self.any_replica();
        // A file that is deleted and whose process is killed before it looks is missed by nobody but who compares
        // the platform's records.
        let may_die = self.deleted.get(&REPLICAS[at]).is_none_or(|noticed| *noticed <= now);
        match machine::below(400) {
            0..6 if may_die && self.replicas[at].is_running() => {
                self.replicas[at].kill(machine::happens(50));
                self.later(200 + machine::below(3_000), Recovery::StartReplica(at));
            }
            6..8 if may_die => self.replicas[at].upgrade().await,
            8..12 => {
                self.replicas[at].pause(true);
                self.later(machine::below(4_000), Recovery::ResumeReplica(at));
            }
            12..16 => {
                note!("replica {at}: its disk is full");
                self.replicas[at].disk.with(|disk| disk.full = true);
                self.later(machine::below(3_000), Recovery::DiskHasSpace(at));
            }
            16..22 => self.replicas[at].disk.with(|disk| disk.torn_writes += 1),
            22..28 => self.replicas[at].disk.with(|disk| disk.failing_syncs += 1),
            28..30 if self.replicas[at].is_running() => {
                self.replicas[at].delete_live_file();
                self.deleted.insert(REPLICAS[at], now + 10_000);
            }
            30..34 => {
                let skew = i64::try_from(machine::below(20_000)).unwrap() - 10_000;
                note!("replica {at}: its clock jumps by {skew} ms");
                machine::set_skew(REPLICAS[at], skew);
                self.later(machine::below(5_000), Recovery::ClockIsRight(at));
            }
            34..44 => {
                let at = usize::try_from(machine::below(PLATFORMS.len() as u64)).unwrap();
                if let Some(process) = &self.processes[at] {
                    process.kill_after(1 + machine::below(60));
                }
            }
            44..47 => {
                let at = usize::try_from(machine::below(PLATFORMS.len() as u64)).unwrap();
                if let Some(process) = &self.processes[at] {
                    process.pause(true);
                    self.later(machine::below(4_000), Recovery::ResumePlatform(at));
                }
            }
            47..51 => {
                // Somebody takes a platform for dead and starts another in its place.
                let at = usize::try_from(machine::below(PLATFORMS.len() as u64)).unwrap();
                note!("a second process plays at the tables of platform {at}");
                self.processes[at] = Some(self.start_platform(at));
            }
            _ => {}
        }
    }

    /// Ends all faults, and closes what is open.
    async fn quiet(&mut self) {
        note!("quiet");
        self.network.set_faulty(false);
        self.relay.set_faulty(false);
        self.storage.faulty = false;
        for (at, process) in self.processes.iter().enumerate() {
            if let Some(process) = process {
                process.kill();
            }
            note!("platform {at} has ended");
        }
        for (at, host) in REPLICAS.iter().enumerate() {
            machine::set_skew(*host, 0);
            self.replicas[at].pause(false);
            self.replicas[at].disk.with(|disk| {
                (disk.full, disk.torn_writes, disk.failing_syncs) = (false, 0, 0);
            });
        }
        // Late calls arrive, losses are noticed, and every file is read.
        sleep(Duration::from_secs(15)).await;
        let manifests = self.operator.manifests_file();
        for (_, (at, file)) in std::mem::take(&mut self.parcels) {
            file.iter().for_each(|file| self.replicas[at].take_file(file));
        }
        for replica in &mut self.replicas {
            replica.take_file(&manifests);
            replica.start().await;
            replica.reload().await;
        }
    }

    /// Returns every promise that was not kept.
    async fn judge(&mut self) -> Vec<String> {
        let mut broken = Vec::new();
        let platform = self.platform.clone();
        let epochs = self.operator.next_epoch();
        let host = PLATFORMS[0];
        let closing = async move { platform.finish_all(host, epochs).await };
        let life = Arc::default();
        let closed = OnHost::new(host, &life, closing).await.expect("nobody kills it");
        for replica in &mut self.replicas {
            replica.stop().await;
        }
        let (transcripts, stuck) = match closed {
            Ok(closed) => closed,
            Err(error) => return vec![format!("the ledger cannot be read in the end: {error}")],
        };
        broken.extend(stuck);
        let (answers, faults) = self.network.answers().finish();
        broken.extend(faults);
        broken.extend(self.storage.faults().iter().cloned());
        let evidence = self.evidence(&mut broken);
        let mut answered: BTreeMap<Hash, (&RecordEnvelope, BTreeSet<HostId>)> = BTreeMap::new();
        for answer in &answers {
            for record in &answer.records {
                let of = answered.entry(record.hash()).or_insert((record, BTreeSet::new()));
                of.1.insert(answer.host);
            }
        }
        for (hash, (record, hosts)) in answered {
            // One of these replicas may have raised the loss of a file.
            if !evidence.records.contains_key(&hash) && hosts.is_disjoint(&evidence.alarmed) {
                let kind = record.kind().name();
                broken.push(format!("{kind} {hash} of replicas {hosts:?} is in no evidence"));
            }
        }
        let (wallets, faults) = self.platform.finish();
        broken.extend(faults);
        // A process that was killed after a close leaves the file of the lock. The log takes each whole.
        for file in files::list(&[self.platform.locks()]).expect("the folder can be read") {
            let text = fs::read(&file).expect("a file can be read");
            let record = text.strip_suffix(b"\n").map(RecordEnvelope::parse);
            if !matches!(record, Some(Ok(record)) if record.kind() == RecordKind::Lock) {
                broken.push(format!("{} is no lock", file.display()));
            }
        }
        for rounds in transcripts {
            self.audit(&rounds, &wallets, &evidence, &mut broken);
        }
        broken
    }

    /// Audits the rounds of a table, and compares their money with the wallets and their records with the evidence.
    fn audit(
        &self,
        rounds: &TableRecords,
        wallets: &Postings,
        evidence: &Evidence,
        broken: &mut Vec<String>,
    ) {
        let mut text = String::new();
        let records = rounds.iter().flat_map(|(_, records)| records);
        for record in self.operator.chain().iter().chain(records) {
            text.push_str(&record.to_line());
            text.push('\n');
        }
        let witnesses = [witness_key().public()].into();
        let beacons = [beacon::chain().chain()].into();
        let terms = AuditTerms { witnesses, beacons, ..AuditTerms::of(Operator::root()) };
        let report = audit::audit(text.as_bytes(), &terms, &CATALOGUE);
        for check in report.checks.iter().filter(|check| check.status == CheckStatus::Failed) {
            broken.push(format!("a transcript does not audit: {check:?}"));
        }
        if report.rounds.len() != rounds.len() {
            broken.push(format!(
                "{} rounds were played, {} audited",
                rounds.len(),
                report.rounds.len()
            ));
        }
        for ((place, records), audited) in rounds.iter().zip(&report.rounds) {
            let mut entries = Vec::new();
            if let Some(settlement) =
                audited.replayed.as_ref().and_then(|round| round.settlement.as_ref())
            {
                for (seat, result) in settlement.seats.iter() {
                    entries.push((format!("seat {}", seat.number()), result.net));
                }
                entries.push(("bank".to_owned(), settlement.bank.net));
                entries.push(("house".to_owned(), settlement.house_net));
            }
            if wallets.get(place) != Some(&entries) {
                broken
                    .push(format!("{place:?}: paid {:?}, audited {entries:?}", wallets.get(place)));
            }
            broken.extend(self.late_lock(records));
            // The evidence has every record of the round, and no other close of it.
            for record in records {
                let is_kept = evidence.records.contains_key(&record.hash());
                if !is_kept && evidence.alarmed.is_empty() {
                    broken.push(format!(
                        "{place:?}: a {} record is in no evidence",
                        record.kind().name()
                    ));
                }
            }
        }
    }

    /// Returns the broken promise of a round whose wagers were locked when their value was public.
    fn late_lock(&self, records: &[RecordEnvelope]) -> Option<String> {
        let ticket = records.iter().find(|record| record.kind() == RecordKind::Ticket)?;
        let ticket = Ticket::parse(ticket.json().ok()?).ok()?;
        let published = beacon::chain().published_at(ticket.external?.round) * 1000;
        let locked = self.platform.locked_at(&ticket.round_id.to_string())?;
        let name = ticket.coordinates.table;
        (locked >= published).then(|| {
            format!("{name}: wagers are locked at {locked}, their value is public at {published}")
        })
    }

    /// Reads all evidence, of replicas and storage.
    fn evidence(&self, broken: &mut Vec<String>) -> Evidence {
        let mut found = Evidence::default();
        let mut verifier = EvidenceVerifier::new(&[]);
        for replica in &self.replicas {
            let mut own: BTreeMap<String, Vec<u8>> = BTreeMap::new();
            for ((host, name), bytes) in self.storage.objects() {
                if *host == replica.host {
                    own.insert(name.clone(), bytes.clone());
                }
            }
            for file in files::list(&[replica.evidence()]).expect("the folder can be read") {
                let name =
                    file.file_name().and_then(|name| name.to_str()).expect("a file has a name");
                own.insert(name.to_owned(), fs::read(&file).expect("a file can be read"));
            }
            for (name, bytes) in own {
                note!("evidence {} {name} {}", replica.host, Hash::of(&bytes));
                verifier.begin_file(&format!("replica-{}/{name}", replica.host));
                files::each_line(&bytes[..], |line, whole| {
                    verifier.line(line, whole);
                    if let Ok(line) = EvidenceLine::parse(line)
                        && whole
                    {
                        found.take(replica.host, line);
                    }
                })
                .expect("bytes can be read");
            }
        }
        let report = verifier.finish();
        for fault in &report.faults {
            // The replica has raised that a file was deleted. Where the next one was deleted too, the evidence
            // itself has a gap.
            let is_told = fault.boot.as_deref().is_some_and(machine::loss_was_told);
            let is_gap = matches!(fault.kind, EvidenceFaultKind::Gap | EvidenceFaultKind::Lost);
            if !(is_told && is_gap) {
                let kind = fault.kind.name();
                broken.push(format!("evidence: {kind} {:?} {}", fault.boot, fault.what));
            }
        }
        for fork in &report.forks {
            broken.push(format!("evidence: two answers: {fork:?}"));
        }
        found
    }
}

/// The evidence of all replicas.
#[derive(Debug, Default)]
struct Evidence {
    records: BTreeMap<Hash, RecordEnvelope>,
    /// The replicas that report a lost file.
    alarmed: BTreeSet<HostId>,
}

impl Evidence {
    fn take(&mut self, host: HostId, line: EvidenceLine) {
        match line.body {
            LineBody::Record(entry) => {
                let records = entry.records.into_iter();
                self.records.extend(records.map(|record| (record.hash(), record)));
            }
            LineBody::Event(event) if event.event == "evidence_lost" => {
                self.alarmed.insert(host);
            }
            LineBody::Start(_) | LineBody::Event(_) | LineBody::Manifest(_) | LineBody::Stop => {}
        }
    }
}
