//! Files that are read again, when they change or at SIGHUP, without dropping a call.
//!
//! Each part is replaced as a whole, or refused as a whole. If it is refused, the log lists every
//! fault and the old part stays. A call keeps the parts that it began with.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use arc_swap::ArcSwap;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::sync::oneshot;
use zeroize::Zeroizing;

use super::authorization::CallerTable;
use super::follow::{FileSnapshot, FollowedFiles};
use super::{parts, start, tls};
use crate::epochs;
use crate::rpc::{LoadedEngine, ServiceState};
use crate::telemetry::LogFilter;
use paigow_config::{Config, TlsConfig};
use paigow_evidence::{Event, Significant};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::ManifestChain;
use paigow_fairness::signature::PublicKey;
use paigow_files::keys::read_regular;
use paigow_round::RoundContext;

/// The files that are read again, and what is known of them.
#[derive(Debug)]
pub(super) struct Sources {
    config: Config,
    /// The file of the settings and the filter of the log, if the filter can be replaced.
    log: Option<(PathBuf, LogFilter)>,
    /// The changed settings that wait for a restart, as the log last named them.
    waiting: Vec<String>,
    /// The hash of the certificate files when they were last accepted.
    certificates: Option<Hash>,
    /// SIGHUP. The process listens from the start on: without a listener the signal would end it.
    hangup: Option<Signal>,
    /// The receipt key that a manifest waits for, as the log last named it.
    awaited: Option<PublicKey>,
    /// The keys that no manifest lists, as the log last named them.
    staged: Vec<PathBuf>,
    /// The faults of each part that was refused when it was last read, and its files at that time.
    refused: BTreeMap<&'static str, (FileSnapshot, Vec<String>)>,
}

/// The result of reading a part again.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum ReloadOutcome {
    /// It is in force.
    Taken,
    /// It is as it was.
    Unchanged,
    /// It was refused before and has not changed since.
    StillRefused,
    /// The newest manifest waits for this receipt key, and the previous one is in force.
    Waits(PublicKey),
    /// The newest manifest still waits for the same key.
    StillWaits,
}

/// The values that a reload replaces.
pub(super) struct ReloadTargets {
    pub(super) state: Arc<ServiceState>,
    pub(super) callers: Arc<ArcSwap<CallerTable>>,
    pub(super) tls: Option<Arc<ArcSwap<tls::Certificates>>>,
}

impl Sources {
    pub(super) fn new(config: Config, log: Option<(PathBuf, LogFilter)>) -> Self {
        let certificates = config.tls.as_ref().map(held);
        let in_runtime = tokio::runtime::Handle::try_current().is_ok();
        let hangup = if in_runtime { hangups().ok() } else { None };
        let (waiting, refused) = (Vec::new(), BTreeMap::new());
        let (awaited, staged) = (None, Vec::new());
        Self { config, log, waiting, certificates, hangup, awaited, staged, refused }
    }

    /// The files that are read again, without those of the keyring.
    fn files(&self) -> Vec<PathBuf> {
        let tls = self.config.tls.iter().flat_map(files_of);
        let settings = self.log.iter().map(|(file, _)| file);
        let named = tls.chain(&self.config.access.file).chain(settings);
        named.chain(&self.config.keyring.manifests).cloned().collect()
    }

    /// The folders of which every file is read again: the keyring, and the manifests if they are
    /// in a folder of their own.
    fn folders(&self) -> Vec<PathBuf> {
        let keyring = &self.config.keyring;
        [Some(&keyring.directory), keyring.manifests.as_ref()]
            .into_iter()
            .flatten()
            .cloned()
            .collect()
    }

    /// Reads everything again whenever it changes or SIGHUP comes, for ever. The first time is
    /// at once, because files may have changed since the start read them. `caught_up` is dropped
    /// after that: from then on files are read only after a change or a signal.
    pub(super) async fn follow(mut self, targets: ReloadTargets, caught_up: oneshot::Sender<()>) {
        let mut caught_up = Some(caught_up);
        let mut followed = FollowedFiles::new(self.files(), self.folders());
        let mut hangup = match self.hangup.take().map_or_else(hangups, Ok) {
            Ok(hangup) => Some(hangup),
            Err(error) => {
                tracing::warn!(%error, "SIGHUP is not listened to: files are read when they change");
                None
            }
        };
        let targets = Arc::new(targets);
        let mut asked = true;
        loop {
            // Files may be on a disk that hangs. The thread that accepts and drains must not.
            let aside = Arc::clone(&targets);
            let reading = tokio::task::spawn_blocking(move || {
                followed.begin();
                let taken = self.read_files(&aside, &followed.files(), asked);
                (self, followed, taken)
            });
            let Ok((sources, same, manifests_taken)) = reading.await else {
                tracing::error!("reading files again panicked: they are no longer watched");
                return;
            };
            (self, followed) = (sources, same);
            if manifests_taken {
                // The builds and rules that it lists must be those that run here.
                targets.state.verify().await;
            }
            drop(caught_up.take());
            asked = tokio::select! {
                () = heard(&mut hangup) => true,
                () = followed.changed() => false,
            };
        }
    }

    /// Reads the files once, as they are now. Returns whether new manifests are in force.
    pub(super) fn read_once(&mut self, targets: &ReloadTargets) -> bool {
        let mut files = FollowedFiles::new(self.files(), self.folders());
        files.look();
        self.read_files(targets, &files.files(), true)
    }

    /// Reads the files, which are as `seen`. If an operator `asked` for it, earlier findings are
    /// logged again. Returns whether new manifests are in force.
    fn read_files(&mut self, targets: &ReloadTargets, seen: &FileSnapshot, asked: bool) -> bool {
        if asked {
            self.refused.clear();
            self.awaited = None;
        }
        self.read_again(targets, seen)
    }

    /// Reads each part again, whose files are as `seen`. Returns whether new manifests are in force.
    fn read_again(&mut self, targets: &ReloadTargets, seen: &FileSnapshot) -> bool {
        let keyring = self.keyring(&targets.state);
        let keyring = self.once("keyring", seen, keyring).map(|read| self.wait_once(read));
        let taken = keyring == Ok(ReloadOutcome::Taken);
        report(&targets.state, "keyring", Significant::ManifestLoaded, keyring, |event| {
            let world = targets.state.world.load();
            let newest = world.context.manifests.newest();
            event.with("seq", newest.manifest.seq).with("hash", newest.hash)
        });
        let access = self.access(targets);
        let access = self.once("access", seen, access);
        report(&targets.state, "access", Significant::AccessChanged, access, |event| {
            event.with("tenants", targets.callers.load().access().tenants().count())
        });
        if let (Some(config), Some(tls)) = (&self.config.tls, &targets.tls) {
            let held = held(config);
            let made = if self.certificates == Some(held) {
                Ok(ReloadOutcome::Unchanged)
            } else {
                tls::load(config).map(|made| {
                    tls.store(made);
                    // Refused certificates are read, and logged, again.
                    self.certificates = Some(held);
                    ReloadOutcome::Taken
                })
            };
            let made = self.once("tls", seen, made);
            report(&targets.state, "tls", Significant::TlsChanged, made, |event| event);
        }
        if let Some((before, log)) = self.log() {
            let after = self.config.log.filter.clone();
            let log = self.once("log", seen, log);
            report(&targets.state, "log", Significant::LogFilterChanged, log, |event| {
                event.with("before", before).with("after", after)
            });
        }
        taken
    }

    /// Distinguishes a repeated refusal of the same files from a new one. If a file beside them
    /// changes all the time, as a log does, they are read again each time.
    fn once(
        &mut self,
        part: &'static str,
        seen: &FileSnapshot,
        read: Result<ReloadOutcome, Vec<String>>,
    ) -> Result<ReloadOutcome, Vec<String>> {
        let Err(faults) = read else {
            self.refused.remove(part);
            return read;
        };
        let now = (seen.clone(), faults.clone());
        let before = self.refused.insert(part, now.clone());
        if before == Some(now) { Ok(ReloadOutcome::StillRefused) } else { Err(faults) }
    }

    /// Distinguishes a manifest that begins to wait for a key from one that waited before.
    fn wait_once(&mut self, read: ReloadOutcome) -> ReloadOutcome {
        let before = self.awaited.take();
        if let ReloadOutcome::Waits(key) = read {
            self.awaited = Some(key);
        }
        let waits = self.awaited.is_some() && self.awaited == before;
        if waits { ReloadOutcome::StillWaits } else { read }
    }

    /// Warns once of each key that is in the folder before a manifest lists it.
    fn warn_of_staged(&mut self, staged: Vec<PathBuf>) {
        for file in staged.iter().filter(|file| !self.staged.contains(file)) {
            let file = file.display();
            tracing::warn!(%file, "staged, and not used: no manifest lists this key yet");
        }
        self.staged = staged;
    }

    fn keyring(&mut self, state: &ServiceState) -> Result<ReloadOutcome, Vec<String>> {
        let now = state.world.load_full();
        let loaded = parts::keyring(&self.config.keyring)?;
        self.warn_of_staged(loaded.staged);
        if !continues(&now.context.manifests, &loaded.manifests) {
            return Err(vec![
                "keyring.directory: the manifests do not continue those in force".to_owned(),
            ]);
        }
        let catalogue = now.context.catalogue.clone();
        let mut faults = parts::faults(&self.config, &loaded.manifests, &catalogue);
        // Without the key that signs under the newest manifest, the previous ones stay in force.
        let manifests = match loaded.awaited {
            Some(_) => now.context.manifests.clone(),
            None => loaded.manifests,
        };
        // Every replica reads the same folder: a secret that was deleted by mistake would stop play
        // on all of them.
        let manifest = &manifests.newest().manifest;
        let dropped = epochs::dropped(&now.keys, &loaded.keys, manifest, (state.clock)());
        faults.extend(dropped.iter().map(|what| format!("keyring.directory: {what}")));
        if !faults.is_empty() {
            return Err(faults);
        }
        let waits = loaded.awaited.map(ReloadOutcome::Waits);
        let same = manifests.all().len() == now.context.manifests.all().len()
            && loaded.keys.held() == now.keys.held();
        if same {
            return Ok(waits.unwrap_or(ReloadOutcome::Unchanged));
        }
        let newest = manifests.newest();
        state.meters.manifest(newest.manifest.seq);
        // The earlier ones are in the evidence since the start of this boot.
        let before = now.context.manifests.all().len();
        let added = manifests.all().iter().skip(before).map(|m| m.envelope.clone());
        state.sink.manifest(&added.collect::<Vec<_>>());
        parts::warn_of_best_play(&self.config.rules, &catalogue, &newest.manifest);
        let profile = self.config.server.profile;
        start::warn_of_gaps(&manifests, &catalogue, &loaded.keys, profile, (state.clock)());
        let context = RoundContext { catalogue, manifests, root: loaded.root };
        state.world.store(Arc::new(LoadedEngine::new(context, loaded.keys)));
        Ok(waits.unwrap_or(ReloadOutcome::Taken))
    }

    /// Reads the settings again and puts the filter of the log in force, the one setting that is not
    /// fixed at start. If there is a file, returns the previous filter and the outcome.
    fn log(&mut self) -> Option<(String, Result<ReloadOutcome, Vec<String>>)> {
        let (file, filter) = self.log.as_ref()?;
        let before = self.config.log.filter.clone();
        let read = match Config::load(Some(file)) {
            Ok(read) => read,
            Err(error) => return Some((before, Err(vec![error.to_string()]))),
        };
        let replaced = filter.replace(&read.log.filter);
        self.config.log.filter.clone_from(&read.log.filter);
        let waiting = read.differs_from(&self.config);
        if !waiting.is_empty() && waiting != self.waiting {
            let settings = waiting.join("; ");
            tracing::warn!(
                settings,
                "changed settings that take effect when the server is restarted"
            );
        }
        self.waiting = waiting;
        let outcome = match replaced {
            Ok(Some(_)) => Ok(ReloadOutcome::Taken),
            Ok(None) => Ok(ReloadOutcome::Unchanged),
            Err(error) => Err(vec![format!("log.filter: {error}")]),
        };
        Some((before, outcome))
    }

    fn access(&self, targets: &ReloadTargets) -> Result<ReloadOutcome, Vec<String>> {
        let world = targets.state.world.load();
        let manifest = &world.context.manifests.newest().manifest;
        let access = parts::access(&self.config)?;
        let faults =
            parts::access_faults(&self.config, &access, manifest, &world.context.catalogue);
        if !faults.is_empty() {
            return Err(faults);
        }
        if access == *targets.callers.load().access() {
            return Ok(ReloadOutcome::Unchanged);
        }
        let before = targets.callers.load().access().switches.clone();
        if before != access.switches {
            let event = Event::new(Significant::SwitchesChanged);
            let event = event.with("before", &before);
            targets.state.tell(event.with("after", &access.switches));
        }
        targets.callers.store(Arc::new(CallerTable::new(access)));
        Ok(ReloadOutcome::Taken)
    }
}

/// The files of the certificates.
fn files_of(config: &TlsConfig) -> impl Iterator<Item = &PathBuf> {
    [Some(&config.certificate_file), Some(&config.key_file), config.client_ca_file.as_ref()]
        .into_iter()
        .flatten()
}

/// Returns a hash that identifies the state of the certificate files.
fn held(config: &TlsConfig) -> Hash {
    let read = |file: &PathBuf| read_regular(file, tls::PEM_BYTES).unwrap_or_default();
    let bytes: Vec<Zeroizing<Vec<u8>>> = files_of(config).map(read).collect();
    let fields: Vec<&[u8]> = bytes.iter().map(|bytes| bytes.as_slice()).collect();
    Hash::of_tuple("certificates", &fields)
}

/// Whether a chain begins with all of another.
fn continues(before: &ManifestChain, after: &ManifestChain) -> bool {
    before.all().len() <= after.all().len()
        && before.all().iter().zip(after.all()).all(|(old, new)| old.hash == new.hash)
}

/// Listens to SIGHUP from here on.
///
/// # Errors
///
/// If the system does not allow to listen to it.
fn hangups() -> std::io::Result<Signal> {
    signal(SignalKind::hangup())
}

/// Waits for SIGHUP; for ever if there is no listener.
async fn heard(hangup: &mut Option<Signal>) {
    match hangup {
        Some(hangup) => drop(hangup.recv().await),
        None => std::future::pending().await,
    }
}

/// Logs the outcome of reading a part again. `facts` adds what is in force now.
fn report(
    state: &ServiceState,
    part: &'static str,
    changed: Significant,
    read: Result<ReloadOutcome, Vec<String>>,
    facts: impl FnOnce(Event) -> Event,
) {
    let is_good = matches!(read, Ok(ReloadOutcome::Taken | ReloadOutcome::Unchanged));
    let waits = matches!(read, Ok(ReloadOutcome::Waits(_) | ReloadOutcome::StillWaits));
    if !waits {
        state.meters.reload_succeeded(part, is_good.then(|| (state.clock)()));
    }
    if part == "keyring" {
        state.meters.reload_waits(part, waits);
    }
    let (outcome, event) = match read {
        Ok(ReloadOutcome::Taken) => ("taken", Some(facts(Event::new(changed)))),
        Ok(ReloadOutcome::Unchanged | ReloadOutcome::StillRefused | ReloadOutcome::StillWaits) => {
            ("unchanged", None)
        }
        Ok(ReloadOutcome::Waits(key)) => {
            let event = Event::new(Significant::KeyAwaited).with("part", part);
            ("waits", Some(event.with("key", key.kid())))
        }
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

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[tokio::test]
    async fn a_signal_that_is_not_listened_to_is_waited_for_and_ends_nothing() {
        assert!(heard(&mut None).now_or_never().is_none());
        let mut listened = Some(hangups().unwrap());
        assert!(heard(&mut listened).now_or_never().is_none());
    }
}
