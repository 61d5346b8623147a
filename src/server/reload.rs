//! Files that are read again, when they change or at SIGHUP, without dropping a call.
//!
//! Each part is replaced as a whole, or refused as a whole: then the log lists every fault
//! and the old part stays. Calls that have begun end with what they began with.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arc_swap::ArcSwap;
use notify::{RecommendedWatcher, RecursiveMode, Watcher as _};
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;
use zeroize::Zeroizing;

use super::gate::Doors;
use super::{parts, start, tls};
use crate::config::{Config, TlsConfig};
use crate::engine::Engine;
use crate::evidence::{Event, Significant};
use crate::fairness::encoding::Hash;
use crate::fairness::manifest::ManifestChain;
use crate::rpc::{State, World};

/// How long files must be quiet before they are read: writers write more than once.
const QUIET: Duration = Duration::from_millis(200);

/// How long they are waited for at most: something else in their folder may never be quiet.
const NOISE: Duration = Duration::from_secs(2);

/// What is read again.
#[derive(Debug)]
pub(super) struct Sources {
    config: Config,
    /// What the files of the certificates held when they were last taken.
    certificates: Option<Hash>,
    /// SIGHUP, listened to from the start on: unheard, it would end the process.
    hangup: Option<Signal>,
}

/// How reading a part again came out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Outcome {
    /// It is in force.
    Taken,
    /// It is as it was.
    Unchanged,
}

/// What a reload replaces.
pub(super) struct Targets {
    pub(super) state: Arc<State>,
    pub(super) doors: Arc<ArcSwap<Doors>>,
    pub(super) tls: Option<Arc<ArcSwap<rustls::ServerConfig>>>,
}

impl Sources {
    pub(super) fn new(config: Config) -> Self {
        let certificates = config.tls.as_ref().map(held);
        let in_runtime = tokio::runtime::Handle::try_current().is_ok();
        let hangup = if in_runtime { hangups().ok() } else { None };
        Self { config, certificates, hangup }
    }

    /// The folders in which a change counts. Files are watched through their folders:
    /// an editor and Kubernetes put a new file in the place of the old one.
    fn folders(&self) -> Vec<PathBuf> {
        let tls = self.config.tls.iter().flat_map(|tls| {
            [Some(&tls.certificate_file), Some(&tls.key_file), tls.client_ca_file.as_ref()]
        });
        let files = tls.flatten().chain(&self.config.access.file);
        let parent = |file: &PathBuf| match file.parent() {
            Some(parent) if parent.as_os_str().is_empty() => PathBuf::from("."),
            Some(parent) => parent.to_owned(),
            None => PathBuf::from("/"),
        };
        let mut folders: Vec<PathBuf> = files.map(parent).collect();
        folders.push(self.config.keyring.directory.clone());
        folders.sort();
        folders.dedup();
        folders
    }

    /// Reads everything again whenever it changes or SIGHUP comes, for ever; the first time
    /// at once, for what has changed since it was read at start. `caught_up` is dropped
    /// after that: from then on only a change or a signal has a file read.
    pub(super) async fn follow(mut self, targets: Targets, caught_up: oneshot::Sender<()>) {
        let mut caught_up = Some(caught_up);
        let (changed, mut changes) = mpsc::channel(1);
        // One change more or less in a full channel makes no difference.
        let note = {
            let changed = changed.clone();
            move |event: notify::Result<notify::Event>| {
                if !event.is_ok_and(|event| event.kind.is_access()) {
                    changed.try_send(()).unwrap_or_default();
                }
            }
        };
        let watcher = notify::recommended_watcher(note)
            .and_then(|mut watcher| watch(&mut watcher, &self.folders()).map(|()| watcher));
        if let Err(error) = &watcher {
            tracing::warn!(%error, "files are not watched: SIGHUP still has them read again");
        }
        let mut hangup = match self.hangup.take().map_or_else(hangups, Ok) {
            Ok(hangup) => hangup,
            Err(error) => {
                tracing::warn!(%error, "SIGHUP is not listened to");
                return;
            }
        };
        let targets = Arc::new(targets);
        loop {
            // Files may be on a disk that hangs: what accepts and drains must not.
            let aside = Arc::clone(&targets);
            let reading = tokio::task::spawn_blocking(move || {
                let taken = self.read_again(&aside);
                (self, taken)
            });
            let Ok((sources, manifests_taken)) = reading.await else {
                tracing::error!("reading again has panicked: files are no longer followed");
                return;
            };
            self = sources;
            if manifests_taken {
                // Its builds and rules are to be those that run here.
                targets.state.verify().await;
            }
            drop(caught_up.take());
            tokio::select! {
                _ = hangup.recv() => {}
                _ = changes.recv() => settled(&mut changes, &mut hangup).await,
            }
        }
    }

    /// Returns whether new manifests are in force.
    fn read_again(&mut self, targets: &Targets) -> bool {
        let keyring = self.keyring(&targets.state);
        let taken = keyring == Ok(Outcome::Taken);
        report(&targets.state, "keyring", Significant::ManifestLoaded, keyring, |event| {
            let world = targets.state.world.load();
            let newest = world.engine.manifests.newest();
            event.with("seq", newest.manifest.seq).with("hash", newest.hash)
        });
        let access = self.access(targets);
        report(&targets.state, "access", Significant::AccessChanged, access, |event| {
            event.with("tenants", targets.doors.load().access().tenants().count())
        });
        if let (Some(config), Some(tls)) = (&self.config.tls, &targets.tls) {
            let held = held(config);
            if self.certificates != Some(held) {
                let made = tls::load(config).map(|made| {
                    tls.store(made);
                    // What was refused is looked at, and told, again.
                    self.certificates = Some(held);
                    Outcome::Taken
                });
                report(&targets.state, "tls", Significant::TlsChanged, made, |event| event);
            }
        }
        taken
    }

    fn keyring(&self, state: &State) -> Result<Outcome, Vec<String>> {
        let now = state.world.load_full();
        let loaded = parts::keyring(&self.config.keyring, &now.engine.catalogue, false)?;
        if !continues(&now.engine.manifests, &loaded.manifests) {
            return Err(vec![
                "keyring.directory: the manifests do not continue those in force".to_owned(),
            ]);
        }
        let catalogue = now.engine.catalogue.clone();
        let faults = parts::faults(&self.config, &loaded.manifests, &catalogue);
        if !faults.is_empty() {
            return Err(faults);
        }
        let same = loaded.manifests.all().len() == now.engine.manifests.all().len()
            && loaded.keys.held() == now.keys.held();
        if same {
            return Ok(Outcome::Unchanged);
        }
        let newest = loaded.manifests.newest();
        state.meters.manifest(newest.manifest.seq);
        // Those before are in the evidence since the start of this boot.
        let before = now.engine.manifests.all().len();
        let added = loaded.manifests.all().iter().skip(before).map(|m| m.envelope.clone());
        state.sink.manifest(&added.collect::<Vec<_>>());
        start::warn_of_gaps(&newest.manifest, &catalogue, (state.clock)());
        let engine = Engine { catalogue, manifests: loaded.manifests, root: loaded.root };
        state.world.store(Arc::new(World::new(engine, loaded.keys)));
        Ok(Outcome::Taken)
    }

    fn access(&self, targets: &Targets) -> Result<Outcome, Vec<String>> {
        let world = targets.state.world.load();
        let manifest = &world.engine.manifests.newest().manifest;
        let access = parts::access(&self.config)?;
        let faults = parts::access_faults(&self.config, &access, manifest, &world.engine.catalogue);
        if !faults.is_empty() {
            return Err(faults);
        }
        if access == *targets.doors.load().access() {
            return Ok(Outcome::Unchanged);
        }
        let before = targets.doors.load().access().switches.clone();
        if before != access.switches {
            let event = Event::new(Significant::NewRoundsChanged);
            let event = event.with("before", &before);
            targets.state.tell(event.with("after", &access.switches));
        }
        targets.doors.store(Arc::new(Doors::new(access)));
        Ok(Outcome::Taken)
    }
}

/// Returns what tells one state of the certificates' files from another.
fn held(config: &TlsConfig) -> Hash {
    let files =
        [Some(&config.certificate_file), Some(&config.key_file), config.client_ca_file.as_ref()];
    let read = |file: &PathBuf| std::fs::read(file).unwrap_or_default();
    let bytes: Vec<Zeroizing<Vec<u8>>> =
        files.into_iter().flatten().map(|file| Zeroizing::new(read(file))).collect();
    let fields: Vec<&[u8]> = bytes.iter().map(|bytes| bytes.as_slice()).collect();
    Hash::of_tuple("certificates", &fields)
}

/// Whether a chain begins with all of another.
fn continues(before: &ManifestChain, after: &ManifestChain) -> bool {
    before.all().len() <= after.all().len()
        && before.all().iter().zip(after.all()).all(|(old, new)| old.hash == new.hash)
}

fn watch(watcher: &mut RecommendedWatcher, folders: &[PathBuf]) -> notify::Result<()> {
    folders.iter().try_for_each(|folder: &PathBuf| {
        let folder: &Path = folder;
        watcher.watch(folder, RecursiveMode::NonRecursive)
    })
}

/// Listens to SIGHUP from here on.
///
/// # Errors
///
/// If the system does not let it be listened to.
fn hangups() -> std::io::Result<Signal> {
    signal(SignalKind::hangup())
}

/// Completes when files have been quiet, or after some seconds in which something beside
/// them never is, or when somebody does not want to wait.
async fn settled(changes: &mut mpsc::Receiver<()>, hangup: &mut Signal) {
    let quiet = async { while timeout(QUIET, changes.recv()).await.is_ok() {} };
    tokio::select! {
        () = quiet => {}
        () = tokio::time::sleep(NOISE) => {}
        _ = hangup.recv() => {}
    }
}

/// Tells how reading a part again came out; `facts` adds what is in force now.
fn report(
    state: &State,
    part: &'static str,
    changed: Significant,
    read: Result<Outcome, Vec<String>>,
    facts: impl FnOnce(Event) -> Event,
) {
    let (outcome, event) = match read {
        Ok(Outcome::Taken) => ("taken", Some(facts(Event::new(changed)))),
        Ok(Outcome::Unchanged) => ("unchanged", None),
        Err(faults) => {
            let event = Event::new(Significant::ReloadRefused).with("part", part);
            ("refused", Some(event.with("faults", faults.join("; "))))
        }
    };
    state.meters.reload(part, outcome);
    if let Some(event) = event {
        state.tell(event);
    }
}
