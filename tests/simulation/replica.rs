//! A replica of the service: the production code on a disk and a clock of the world.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use paigow::rpc::{BuildFacts, LoadedEngine, ServiceState};
use paigow::server::{InProcessReplica, Service};
use paigow_config::Config;
use paigow_config::access::Access;
use paigow_evidence::{Boot, Event, Fsync, Significant, Sink, SinkSettings, SinkTarget, files};
use paigow_fairness::encoding::Hash;
use paigow_files::keys;
use paigow_round::{Catalogue, RoundContext};
use paigow_testkit::casino::id;

use crate::disk::Disk;
use crate::machine::{self, HostId, Life, OnHost};
use crate::network::{Network, Reachable};
use crate::note;
use crate::operator::{KeyringFile, Operator};
use crate::storage::Storage;

/// The tenant of every platform: its policy asks for everything.
pub(crate) const TENANT: &str = "strict";

/// The size of a file of evidence, in bytes: small, so that there are many.
const FILE_BYTES: u64 = 200_000;

/// The rules of every replica and of the audits.
pub(crate) static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(Catalogue::shipped);

/// A replica and its disk, which outlives its processes.
pub(crate) struct ReplicaHost {
    pub(crate) host: HostId,
    pub(crate) disk: Disk,
    folder: PathBuf,
    network: Network,
    /// How often it was upgraded.
    version: usize,
    running: Option<Running>,
}

/// One process.
struct Running {
    life: Arc<Life>,
    replica: InProcessReplica,
}

/// The versions of the software, in turns.
const VERSIONS: [&str; 2] = ["0.1.0", "0.2.0"];

impl ReplicaHost {
    pub(crate) fn new(host: HostId, folder: &Path, network: &Network, operator: &Operator) -> Self {
        let made = Self {
            host,
            disk: Disk::default(),
            folder: folder.join(format!("replica-{host}")),
            network: network.clone(),
            version: 0,
            running: None,
        };
        fs::create_dir_all(made.evidence()).expect("a folder can be made");
        fs::create_dir_all(made.keyring()).expect("a folder can be made");
        operator.first_files().iter().for_each(|file| file.put(&made.keyring()));
        made
    }

    /// Returns the folder of its evidence.
    pub(crate) fn evidence(&self) -> PathBuf {
        self.folder.join("evidence")
    }

    fn keyring(&self) -> PathBuf {
        self.folder.join("keyring")
    }

    pub(crate) const fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Starts a process, unless one runs. Returns whether it serves.
    pub(crate) async fn start(&mut self) -> bool {
        if self.running.is_some() {
            return true;
        }
        let life = Arc::<Life>::default();
        let starting = OnHost::new(self.host, &Arc::clone(&life), self.begin(Arc::clone(&life)));
        let started = starting.await;
        match started {
            Some(Ok(replica)) => {
                let (calls, life_of_calls) = (replica.calls(), Arc::clone(&life));
                let reachable = Reachable { host: self.host, life: life_of_calls, calls };
                self.network.set(self.host, Some(reachable));
                self.running = Some(Running { life, replica });
                true
            }
            Some(Err(fault)) => {
                note!("replica {} does not start: {fault}", self.host);
                false
            }
            None => false,
        }
    }

    /// Starts as the server does, without a listener: keys, evidence, callers.
    fn begin(
        &self,
        life: Arc<Life>,
    ) -> impl Future<Output = Result<InProcessReplica, String>> + use<> {
        let (host, disk) = (self.host, self.disk.clone());
        let (evidence, keyring) = (self.evidence(), self.keyring());
        let version = VERSIONS[self.version % VERSIONS.len()];
        async move {
            let root = Operator::root();
            let loaded = keys::load(&keyring, None, Some(root.clone()))
                .and_then(|loaded| loaded.that_signs(&keyring))
                .map_err(|faults| format!("{faults:?}"))?;
            let boot = {
                let mut drawn = [0; 8];
                machine::draw(&mut drawn).expect("the machine has entropy");
                let id = Boot::make_id(machine::now(), drawn);
                let instance = format!("replica-{host}");
                Boot { id, instance, version: version.into(), executable: None }
            };
            let settings = SinkSettings {
                target: SinkTarget::Directory(evidence.clone()),
                fail_closed: true,
                fsync: Fsync::Always,
                rotate_bytes: FILE_BYTES,
                rotate_after: Duration::from_secs(30),
                folder_bytes: u64::MAX,
                queue: 100,
                stall: Duration::from_millis(800),
            };
            let medium = disk.medium(&evidence);
            let (sink, keeper) = Sink::open_on(medium, &settings, boot, machine::now_ms)
                .map_err(|error| error.to_string())?;
            tokio::spawn(OnHost::new(host, &life, keeper));
            let chain = loaded.manifests.all().iter().map(|signed| signed.envelope.clone());
            sink.manifest(&chain.collect::<Vec<_>>());
            let build = BuildFacts {
                version,
                git_revision: "simulated",
                executable_sha256: None,
                self_test_digest: Hash::ZERO,
            };
            let catalogue = CATALOGUE.clone();
            let context =
                RoundContext { catalogue, manifests: loaded.manifests, root: loaded.root };
            let engine = LoadedEngine::new(context, loaded.keys);
            let mut state = ServiceState::new(engine, build, machine::now, machine::draw);
            state.sink = sink;
            let mut config = Config::load(None).map_err(|error| error.to_string())?;
            config.keyring.directory = keyring;
            config.keyring.root = Some(root);
            config.server.tenant = id(TENANT);
            let service = Service::new(state, Access::of_everybody(id(TENANT)));
            let service = service.reading_again(&config);
            let replica = InProcessReplica::new(service, &config.server)
                .await
                .map_err(|error| error.to_string())?;
            tokio::spawn(OnHost::new(host, &life, replica.watch_evidence()));
            replica.state().tell(Event::new(Significant::Started));
            Ok(replica)
        }
    }

    /// Kills the process at once; with the power gone, what was not synced is gone too.
    pub(crate) fn kill(&mut self, power: bool) {
        let Some(running) = self.running.take() else { return };
        note!("kill replica {}, power {}", self.host, !power);
        running.life.kill();
        self.network.set(self.host, None);
        if power {
            self.disk.lose_power();
        }
    }

    /// Stops the process in order.
    pub(crate) async fn stop(&mut self) {
        let Some(running) = self.running.take() else { return };
        note!("stop replica {}", self.host);
        self.network.set(self.host, None);
        running.life.pause(false);
        let state = Arc::clone(running.replica.state());
        drop(running.replica);
        let stop = async move {
            state.tell(Event::new(Significant::Stopped));
            state.sink.clone().close().await;
        };
        OnHost::new(self.host, &running.life, stop).await;
        running.life.kill();
    }

    /// Starts another version in the place of this one.
    pub(crate) async fn upgrade(&mut self) {
        self.stop().await;
        self.version += 1;
        self.start().await;
    }

    /// Lets the process run, or stand still.
    pub(crate) fn pause(&self, paused: bool) {
        if let Some(running) = &self.running {
            note!("pause replica {}: {paused}", self.host);
            running.life.pause(paused);
        }
    }

    /// Puts a file into the keyring.
    pub(crate) fn take_file(&self, file: &KeyringFile) {
        file.put(&self.keyring());
    }

    /// Has the process read its files again. Returns whether it could: one that stands still does not.
    pub(crate) async fn reload(&mut self) -> bool {
        let Some(running) = &mut self.running else { return true };
        if running.life.is_paused() {
            return false;
        }
        let reading = async { running.replica.read_files_again() };
        let taken = OnHost::new(self.host, &running.life, reading).await;
        note!("replica {} has read its files again: {taken:?}", self.host);
        true
    }

    /// Deletes the live file of the evidence.
    pub(crate) fn delete_live_file(&self) {
        if let Some(live) = self.disk.live().filter(|live| live.exists()) {
            note!("delete {}", live.display());
            fs::remove_file(live).expect("a file can be deleted");
        }
    }

    /// Ships what no process writes any more, and deletes what was shipped before.
    pub(crate) fn ship(&self, storage: &mut Storage) {
        let folder = self.evidence();
        let sealed = files::sealed(&folder).expect("the folder can be read");
        for file in sealed {
            let marker = files::shipped_marker(&file);
            if marker.exists() {
                fs::remove_file(&file).expect("a file can be deleted");
                fs::remove_file(&marker).expect("a file can be deleted");
            } else if storage.take(self.host, &file) {
                fs::write(&marker, b"").expect("the folder takes a file");
            }
        }
    }
}
