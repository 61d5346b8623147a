//! The writer of a log: appends records, commits them, and publishes checkpoints.
//!
//! The order of the steps makes it safe to kill the process after any of them:
//!
//! 1. Tiles and entries are written. Nothing refers to those beyond the state.
//! 2. The state is replaced: it says how far the log goes, and where evidence was read to.
//! 3. The log signs the tree of the state, and no other. So it signs one root for each size.
//! 4. Witnesses sign, and their checkpoint is kept.
//! 5. The checkpoint is published.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::path::Path;

use paigow_engine::SecretKey;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::log_proof::{PublicLog, log_entry};
use paigow_fairness::merkle::leaf_hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use serde::{Deserialize, Serialize};

use crate::follow::BootPlace;
use crate::reader::{CHECKPOINT, WITNESSES, cosigned_name};
use crate::tree::{WIDTH, last_bundle, outgrown, read_last_bundle};
use crate::{
    LogError, LogReader, LogStore, LogTree, SignedCheckpoint, StateFile, TreeEdge, WitnessClient,
    WitnessKey,
};

/// How many of the last leaves are remembered. A record of a round that comes again within so many
/// entries is not appended again. Manifests, reveals and closes are never appended twice.
const RECENT: usize = 1 << 16;

/// How many bytes of entries and tiles wait at most, before they are to be committed.
const MOST_WAITING: usize = 1 << 25;

/// How a writer begins.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LogStart {
    /// From its state.
    Continue,
    /// Makes a log. There is neither a state nor a checkpoint.
    New,
    /// Makes the state of a log again. The evidence is read from its beginning, and entries that
    /// the log has are not appended again.
    Recover,
}

/// The entries that a writer has appended, and the place from which it goes on.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct LogState {
    /// The name of the log.
    origin: String,
    /// How many entries the log has.
    size: u64,
    /// The hash of its tree.
    root: Hash,
    /// Whether evidence is read again that the log may have: then all leaves are known.
    recovers: bool,
    /// The leaves of manifests, reveals and closes.
    published: BTreeSet<Hash>,
    /// Up to where the lines of each boot were read.
    evidence: BTreeMap<String, BootPlace>,
}

/// The last leaves of a log.
#[derive(Debug)]
struct RecentLeaves {
    most: usize,
    set: HashSet<Hash>,
    order: VecDeque<Hash>,
}

impl RecentLeaves {
    fn add(&mut self, leaf: Hash) {
        if self.set.insert(leaf) {
            self.order.push_back(leaf);
        }
        while self.order.len() > self.most {
            let oldest = self.order.pop_front();
            oldest.map(|oldest| self.set.remove(&oldest));
        }
    }
}

/// The outcome of a publication.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct LogPublication {
    /// How many entries the published checkpoint has.
    pub size: u64,
    /// How many witnesses have signed it.
    pub cosignatures: usize,
    /// The reasons why other witnesses have not.
    pub faults: Vec<String>,
}

/// Appends to a log. Only one process may do so at a time.
#[derive(Debug)]
pub struct LogWriter<'s> {
    store: &'s dyn LogStore,
    file: StateFile,
    log: PublicLog,
    key: SecretKey,
    state: LogState,
    edge: TreeEdge,
    recent: RecentLeaves,
    /// The entries behind the last full bundle.
    bundle: Vec<u8>,
    /// Full tiles and bundles that were not written.
    waiting: Vec<(String, Vec<u8>)>,
    waiting_bytes: usize,
    /// The state as it was saved last.
    saved: String,
}

/// How a record goes into the log.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum LogPart {
    /// Once for ever.
    Published,
    /// Once within the last entries.
    OfRound,
}

impl LogPart {
    /// Returns how a record goes into the log; [`None`] if it does not.
    fn of(record: &RecordEnvelope) -> Option<Self> {
        match record.kind() {
            RecordKind::Manifest | RecordKind::EpochReveal | RecordKind::EpochClose => {
                Some(Self::Published)
            }
            RecordKind::Ticket | RecordKind::Settle => Some(Self::OfRound),
            RecordKind::Lock => {
                // Most locks of wagers end like this at the top level, because their members are
                // sorted.
                if record.payload().ends_with(b",\"step\":\"wagers\"}") {
                    return Some(Self::OfRound);
                }
                let Ok(Json::Obj(lock)) = record.json() else { return None };
                let is_of_wagers = lock.get("step") == Some(&Json::text("wagers"));
                is_of_wagers.then_some(Self::OfRound)
            }
            RecordKind::Deal | RecordKind::Action | RecordKind::LogProof => None,
        }
    }
}

/// Whether a log has records of this kind and step.
pub(crate) fn is_logged(record: &RecordEnvelope) -> bool {
    LogPart::of(record).is_some()
}

impl<'s> LogWriter<'s> {
    /// Opens a log for writing, and verifies its edge against the state.
    ///
    /// # Errors
    ///
    /// - Another process has the state open.
    /// - `start` does not fit the state and the checkpoint that exist.
    /// - The state is behind the published checkpoint.
    /// - Tiles, state and checkpoint do not belong together.
    pub fn open(
        store: &'s dyn LogStore,
        state: &Path,
        log: PublicLog,
        key: SecretKey,
        start: LogStart,
    ) -> Result<Self, LogError> {
        let file = StateFile::open(state)?;
        let published = LogReader::new(store, log.clone()).checkpoint(&[])?;
        let told = |what: &str| LogError::Broken(format!("{}: {what}", state.display()));
        let fresh = |size, root, recovers| LogState {
            origin: log.origin.to_string(),
            size,
            root,
            recovers,
            published: BTreeSet::new(),
            evidence: BTreeMap::new(),
        };
        let state = match (start, file.read()?, &published) {
            (LogStart::Continue, Some(bytes), _) => serde_json::from_slice(&bytes)
                .map_err(|error| told(&format!("not the state of a log: {error}")))?,
            (LogStart::Continue, None, _) => {
                return Err(told("no state: a new log needs --new, a lost state --recover"));
            }
            (LogStart::New | LogStart::Recover, Some(_), _) => {
                return Err(told("there is a state: leave out --new and --recover"));
            }
            (LogStart::New, None, Some(_)) => {
                return Err(told(
                    "no state, but the log has a checkpoint: --recover makes the state",
                ));
            }
            (LogStart::New, None, None) => fresh(0, Hash::of(b""), false),
            (LogStart::Recover, None, Some(found)) => fresh(found.size, found.root, true),
            (LogStart::Recover, None, None) => {
                return Err(told("the log has no checkpoint: a new log needs --new"));
            }
        };
        if state.origin != log.origin.as_str() {
            return Err(told(&format!("it is of the log {}, not of {}", state.origin, log.origin)));
        }
        let edge = TreeEdge::read(store, state.size, &state.root)?;
        let bundle = read_last_bundle(store, &edge)?;
        let most = if state.recovers { usize::MAX } else { RECENT };
        let mut recent = RecentLeaves { most, set: HashSet::default(), order: VecDeque::default() };
        let tree = LogTree::new(store, state.size, state.root);
        let first = state.size.saturating_sub(u64::try_from(most).unwrap_or(u64::MAX));
        tree.leaves(first..state.size)?.into_iter().for_each(|leaf| recent.add(leaf));
        let mut writer = Self {
            store,
            file,
            log,
            key,
            state,
            edge,
            recent,
            bundle,
            waiting: Vec::new(),
            waiting_bytes: 0,
            saved: String::new(),
        };
        if let Some(published) = &published {
            writer.check(published)?;
        }
        writer.save()?;
        Ok(writer)
    }

    /// Returns how many entries the log has, with those that were not committed.
    #[must_use]
    pub const fn size(&self) -> u64 {
        self.edge.size()
    }

    /// Up to where evidence was read. The next commit keeps it.
    pub(crate) const fn evidence(&mut self) -> &mut BTreeMap<String, BootPlace> {
        &mut self.state.evidence
    }

    /// Notes that all evidence was read. The next commit keeps it.
    pub(crate) const fn end_recovery(&mut self) {
        self.state.recovers = false;
        self.recent.most = RECENT;
    }

    /// Whether so much waits that it has to be committed.
    #[must_use]
    pub const fn is_full(&self) -> bool {
        self.waiting_bytes >= MOST_WAITING
    }

    /// Appends a record, if the log takes records of its kind and does not have it. Returns whether
    /// it did.
    pub fn append(&mut self, record: &RecordEnvelope) -> bool {
        let Some(part) = LogPart::of(record) else { return false };
        let entry = log_entry(record);
        let leaf = leaf_hash(&entry);
        let is_known = self.recent.set.contains(&leaf);
        let is_new = match part {
            LogPart::Published => self.state.published.insert(leaf) && !is_known,
            LogPart::OfRound => !is_known,
        };
        if !is_new {
            return false;
        }
        // An entry has at most 65,535 bytes.
        let Ok(length) = u16::try_from(entry.len()) else { return false };
        self.recent.add(leaf);
        self.bundle.extend_from_slice(&length.to_be_bytes());
        self.bundle.extend_from_slice(&entry);
        self.waiting_bytes += entry.len();
        self.edge.push(leaf, |name, bytes| self.waiting.push((name, bytes)));
        if self.edge.size().is_multiple_of(WIDTH) {
            let room = Vec::with_capacity(self.bundle.len());
            let bundle = std::mem::replace(&mut self.bundle, room);
            self.waiting.extend(last_bundle(self.edge.size()).map(|name| (name, bundle)));
        }
        true
    }

    /// Makes all that was appended durable: tiles and entries first, then the state.
    ///
    /// # Errors
    ///
    /// If the store or the state cannot be written. Then nothing was committed.
    pub fn commit(&mut self) -> Result<(), LogError> {
        let (before, root) = (self.state.size, self.state.root);
        let size = self.edge.size();
        if before != size {
            let mut objects = std::mem::take(&mut self.waiting);
            let full = objects.len();
            objects.extend(self.edge.new_partial_tiles(before));
            if !self.bundle.is_empty() {
                objects.extend(last_bundle(size).map(|name| (name, self.bundle.clone())));
            }
            if let Err(error) = self.store.write(&objects) {
                objects.truncate(full);
                self.waiting = objects;
                return Err(error);
            }
            self.waiting_bytes = 0;
            (self.state.size, self.state.root) = (size, self.edge.root());
        }
        // The writer signs a tree only when the disk has it.
        self.save().inspect_err(|_| (self.state.size, self.state.root) = (before, root))?;
        for folder in outgrown(before, size) {
            // They are no longer needed. A store that retains all objects refuses the removal.
            self.store.remove(&folder).ok();
        }
        Ok(())
    }

    fn save(&mut self) -> Result<(), LogError> {
        let text = serde_json::to_string(&self.state)
            .map_err(|error| LogError::Broken(format!("the state: {error}")))?;
        if text != self.saved {
            self.file.write(text.as_bytes())?;
            self.saved = text;
        }
        Ok(())
    }

    /// Checks that no other process has written the log: the state continues the published
    /// checkpoint.
    ///
    /// # Errors
    ///
    /// If it does not, or the checkpoint cannot be read.
    pub fn check_published(&self) -> Result<(), LogError> {
        let published = LogReader::new(self.store, self.log.clone()).checkpoint(&[])?;
        published.map_or(Ok(()), |published| self.check(&published))
    }

    /// Checks that the tree goes on from a checkpoint.
    fn check(&self, published: &SignedCheckpoint) -> Result<(), LogError> {
        let (size, path) = (self.state.size, self.file.path().display());
        if published.size > size {
            return Err(LogError::Broken(format!(
                "{path}: the state has {size} entries, and the published checkpoint {}: the state \
                 is an old copy, or another process writes this log",
                published.size
            )));
        }
        let root = LogTree::new(self.store, size, self.state.root).root_at(published.size)?;
        if root != published.root {
            return Err(LogError::Broken(format!(
                "{path}: the tree of the state does not give the published checkpoint of {} entries",
                published.size
            )));
        }
        Ok(())
    }

    /// Publishes the checkpoint of what was committed, with the cosignatures that it has and those
    /// that come. Does nothing if it is published with `wanted` of them.
    ///
    /// # Errors
    ///
    /// If the store cannot be read or written; if another process has written the log; if a witness
    /// has signed a larger tree.
    pub fn publish(
        &self,
        witnesses: &mut WitnessClient,
        wanted: usize,
    ) -> Result<LogPublication, LogError> {
        let LogState { size, root, .. } = self.state;
        if size == 0 {
            return Ok(LogPublication { size, cosignatures: 0, faults: Vec::new() });
        }
        let keys = self.witnesses(witnesses.keys())?;
        let before = self.store.read_one(CHECKPOINT)?;
        let published = before
            .as_ref()
            .map(|note| SignedCheckpoint::parse(note, &self.log, &keys))
            .transpose()?;
        if let Some(published) = &published {
            self.check(published)?;
        }
        let kept = cosigned_name(size);
        let mut checkpoint = match self.store.read_one(&kept)? {
            Some(note) => SignedCheckpoint::parse(&note, &self.log, &keys)?,
            None => SignedCheckpoint::sign(&self.log, &self.key, size, root),
        };
        if (checkpoint.size, checkpoint.root) != (size, root) {
            let what = format!("{kept}: not the checkpoint of the tree of {size} entries");
            return Err(LogError::Broken(what));
        }
        let had = checkpoint.cosignatures.len();
        let mut faults = Vec::new();
        let is_published = published.as_ref() == Some(&checkpoint);
        if !is_published || had < wanted {
            let tree = LogTree::new(self.store, size, root);
            faults = witnesses.ask(&mut checkpoint, &tree)?;
        }
        let cosignatures = checkpoint.cosignatures.len();
        let note = checkpoint.to_note().into_bytes();
        if cosignatures > had {
            self.store.write(&[(kept, note.clone())])?;
        }
        if published.as_ref() != Some(&checkpoint) {
            self.store.swap(CHECKPOINT, before.as_deref(), &note)?;
        }
        Ok(LogPublication { size, cosignatures, faults })
    }

    /// Adds witnesses to the list of the log, and returns all of it.
    fn witnesses(&self, keys: Vec<WitnessKey>) -> Result<Vec<WitnessKey>, LogError> {
        let listed = LogReader::new(self.store, self.log.clone()).witnesses()?;
        let all: BTreeSet<WitnessKey> = listed.iter().cloned().chain(keys).collect();
        if all.len() > listed.len() {
            let text: String = all.iter().map(|key| format!("{key}\n")).collect();
            self.store.write(&[(WITNESSES.to_owned(), text.into_bytes())])?;
        }
        Ok(all.into_iter().collect())
    }
}
