//! `paigow-lab monitor`: follows a public log, and reports what its operator did wrong or left out.
//!
//! The monitor verifies every checkpoint, that each tree continues the previous one, and every
//! entry that it reads. It trusts the root, which signs the manifests, and the witnesses that the
//! caller names. The entries have no signatures. The log's own signature is the operator's word for
//! them.

mod figures;
mod rounds;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use self::figures::MonitorFigures;
use self::rounds::LoggedRounds;
use crate::replay_all::DEFAULT_SAMPLES;
use crate::sink::StopSignal;
use crate::{CommandError, CommandOutcome, counted, read_file};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{ManifestChain, Root};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::transcript;
use paigow_files::system;
use paigow_log::{LogError, LogReader, ObjectLogStore, SignedCheckpoint, StateFile, WitnessKey};
use paigow_round::Catalogue;

macro_rules! finding_codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// The kinds of finding of a monitor.
        #[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
        pub enum FindingCode {
            $($(#[$doc])* $name,)*
        }

        impl FindingCode {
            /// Every code.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the code as it is printed.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

finding_codes! {
    /// The log cannot be read now.
    Unreachable = "LOG_UNREACHABLE";
    /// A checkpoint is not signed by the log, or an object is not of its tree.
    Broken = "LOG_BROKEN";
    /// The log shows fewer entries than before.
    RolledBack = "LOG_ROLLED_BACK";
    /// The tree does not continue the one that was seen before.
    Forked = "LOG_FORKED";
    /// Two views of the log have trees of which neither continues the other.
    SplitView = "LOG_SPLIT_VIEW";
    /// Fewer of the named witnesses have signed the checkpoint than wanted.
    NotWitnessed = "LOG_NOT_WITNESSED";
    /// No named witness has signed a checkpoint for a while.
    Stale = "LOG_STALE";
    /// An entry cannot be read as a record.
    Entry = "ENTRY";
    /// The log has a manifest that is not in the given chain.
    ManifestUnknown = "MANIFEST_UNKNOWN";
    /// A lock or a close follows a ticket that the log does not have.
    TicketMissing = "TICKET_MISSING";
    /// Two records contradict each other.
    Fork = "FORK";
    /// Numbers of a table's rounds are missing.
    Gap = "GAP";
    /// A close of an epoch does not count the rounds of the log.
    CloseDiffers = "CLOSE_DIFFERS";
    /// A round has no close after the end of settling.
    NotClosed = "NOT_CLOSED";
    /// The secret of an epoch is not published in time.
    RevealOverdue = "REVEAL_OVERDUE";
    /// The close of an epoch is not published in time.
    CloseOverdue = "CLOSE_OVERDUE";
}

/// One finding of a monitor.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct MonitorFinding {
    /// The kind of the finding.
    pub code: FindingCode,
    /// The finding, as a sentence without a full stop.
    pub what: String,
}

/// The request of `paigow-lab monitor`.
#[derive(Clone, Debug)]
pub struct MonitorRequest {
    /// The address of the log.
    pub log: String,
    /// Addresses at which others see the same log.
    pub views: Vec<String>,
    /// The file of the manifests.
    pub manifests: PathBuf,
    /// The root that signs the manifests.
    pub root: Root,
    /// The witnesses that the caller trusts.
    pub witnesses: Vec<WitnessKey>,
    /// How many of them have to sign a checkpoint.
    pub wanted: usize,
    /// How many seconds may pass without a signature of a witness.
    pub stale: u64,
    /// How many seconds after the end of settling reveals and closes may come.
    pub grace: u64,
    /// The file of the last checkpoint that was seen.
    pub state: Option<PathBuf>,
    /// How long to wait between two looks; [`None`]: one look.
    pub every: Option<Duration>,
    /// The address for the requests of Prometheus.
    pub listen: Option<SocketAddr>,
    /// The time of the looks, in seconds since 1970; [`None`]: now.
    pub as_of: Option<u64>,
    /// How many other deals each void is compared with.
    pub samples: u32,
}

impl MonitorRequest {
    /// How many other deals each void is compared with, if the caller names no number.
    pub const SAMPLES: u32 = DEFAULT_SAMPLES;
}

/// The last checkpoint that was verified.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
struct SeenTree {
    size: u64,
    root: Option<Hash>,
}

impl SeenTree {
    fn read(file: &StateFile) -> Result<Self, CommandError> {
        let Some(text) = file.read()? else { return Ok(Self::default()) };
        let path = file.path().display();
        let broken = || CommandError::Data(format!("{path}: not the state of a monitor"));
        let value: Value = serde_json::from_slice(&text).map_err(|_| broken())?;
        let size = value["size"].as_u64().ok_or_else(broken)?;
        let root = value["root"].as_str().and_then(|root| root.parse().ok()).ok_or_else(broken)?;
        Ok(Self { size, root: Some(root) })
    }

    fn write(self, file: &StateFile) -> Result<(), LogError> {
        let root = self.root.map(|root| root.to_string());
        file.write(json!({"size": self.size, "root": root}).to_string().as_bytes())
    }
}

/// A monitor at work.
struct LogMonitor<'r> {
    request: &'r MonitorRequest,
    catalogue: &'r Catalogue,
    manifests: ManifestChain,
    store: ObjectLogStore,
    views: Vec<ObjectLogStore>,
    state: Option<StateFile>,
    /// The last checkpoint of this and of earlier runs.
    seen: SeenTree,
    /// How many entries this run has read.
    read: u64,
    rounds: LoggedRounds,
}

/// Follows a log. Without `every` it looks once. With it, it looks again until SIGTERM comes, and
/// prints what is new.
///
/// # Errors
///
/// If an argument or a file is wrong. A finding is an outcome, and no error.
pub fn run(
    request: &MonitorRequest,
    catalogue: &Catalogue,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let text = read_file(&request.manifests)?;
    let fault =
        |what: String| CommandError::Data(format!("{}: {what}", request.manifests.display()));
    let records: Vec<RecordEnvelope> =
        transcript::parse(&text).map_err(|error| fault(error.to_string()))?;
    let manifests = ManifestChain::load(&request.root, &records).map_err(|faults| {
        fault(faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))
    })?;
    let open = |address: &String| ObjectLogStore::open(address).map_err(CommandError::from);
    let state = request.state.as_deref().map(StateFile::open).transpose()?;
    let mut monitor = LogMonitor {
        request,
        catalogue,
        manifests,
        store: open(&request.log)?,
        views: request.views.iter().map(open).collect::<Result<_, _>>()?,
        seen: state.as_ref().map_or(Ok(SeenTree::default()), SeenTree::read)?,
        state,
        read: 0,
        rounds: LoggedRounds::default(),
    };
    let figures = request.listen.map(MonitorFigures::serve).transpose()?;
    let Some(every) = request.every else {
        let found = monitor.look(figures.as_ref(), out)?;
        for finding in &found {
            writeln!(out, "{}: {}", finding.code.name(), finding.what)?;
        }
        return Ok(if found.is_empty() {
            CommandOutcome::Well
        } else {
            CommandOutcome::WithFindings
        });
    };
    let stop = StopSignal::listen()?;
    let mut told = BTreeSet::new();
    loop {
        let is_last = stop.is_asked();
        for finding in monitor.look(figures.as_ref(), out)? {
            if told.insert(finding.clone()) {
                writeln!(out, "{}: {}", finding.code.name(), finding.what)?;
            }
        }
        out.flush()?;
        if is_last {
            let outcome =
                if told.is_empty() { CommandOutcome::Well } else { CommandOutcome::WithFindings };
            return Ok(outcome);
        }
        stop.wait(every);
    }
}

impl LogMonitor<'_> {
    /// Checks the log once, and returns all findings.
    fn look(
        &mut self,
        figures: Option<&MonitorFigures>,
        out: &mut dyn Write,
    ) -> Result<Vec<MonitorFinding>, CommandError> {
        let now = self.request.as_of.unwrap_or_else(system::now);
        let (mut found, newest) = self.follow(now);
        found.extend(self.rounds.findings(&self.manifests, now, self.request.grace));
        let (stakes, mut known) = self.rounds.stakes();
        let chain = self.manifests.all().iter();
        known.extend(chain.map(|signed| (0, signed.envelope.clone())));
        let counts = self.rounds.counts();
        let all = counts.open + counts.settled + counts.void;
        let threads = system::processors();
        let beacons = BTreeMap::new();
        let voids =
            stakes.count(all, &known, &beacons, self.catalogue, self.request.samples, threads);
        if self.request.every.is_none() {
            let (read, long) = (self.read, self.rounds.long());
            writeln!(out, "{read} entries of the log, {long} of them the hash of a longer record")?;
            let rounds = counted(all, "round");
            let (settled, void, open) = (counts.settled, counts.void, counts.open);
            writeln!(out, "{rounds}: {settled} settled, {void} void, {open} open")?;
            voids.text(out)?;
        }
        if let Some(state) = &self.state
            && self.seen.root.is_some()
        {
            self.seen.write(state)?;
        }
        if let Some(figures) = figures {
            figures.set(self.read, counts, &found, newest.as_ref(), &voids.json());
        }
        Ok(found)
    }

    /// Reads the newest checkpoint and the entries up to it.
    fn follow(&mut self, now: u64) -> (Vec<MonitorFinding>, Option<SignedCheckpoint>) {
        let mut found = Vec::new();
        let mut note = |code, what: String| found.push(MonitorFinding { code, what });
        let Some(log) = self.manifests.newest().manifest.log.clone() else {
            note(FindingCode::Unreachable, "the newest manifest lists no log".to_owned());
            return (found, None);
        };
        let reader = LogReader::new(&self.store, log.clone());
        let checkpoint = match reader.checkpoint(&self.request.witnesses) {
            Ok(Some(checkpoint)) => checkpoint,
            Ok(None) => {
                note(FindingCode::Unreachable, "the log has no checkpoint".to_owned());
                return (found, None);
            }
            Err(error) => {
                note(code_of(&error), error.to_string());
                return (found, None);
            }
        };
        let witnessed = checkpoint.cosignatures.len();
        if witnessed < self.request.wanted {
            let wanted = self.request.wanted;
            let what = format!(
                "{witnessed} of the named witnesses signed the newest checkpoint, wanted {wanted}"
            );
            note(FindingCode::NotWitnessed, what);
        }
        let times = checkpoint.cosignatures.iter().map(|one| one.cosignature.time);
        if let Some(last) = times.max()
            && now > last.saturating_add(self.request.stale)
        {
            note(FindingCode::Stale, format!("a witness signed last {} seconds ago", now - last));
        }
        let tree = reader.tree(&checkpoint);
        let SeenTree { size, root } = self.seen;
        if checkpoint.size < size {
            let what = format!("it shows {} entries, and had {size}", checkpoint.size);
            note(FindingCode::RolledBack, what);
            return (found, Some(checkpoint));
        }
        match tree.root_at(size) {
            Ok(before) if root.is_some_and(|root| root != before) => {
                let what = format!("the first {size} entries are others than before");
                note(FindingCode::Forked, what);
                return (found, Some(checkpoint));
            }
            Ok(_) => {}
            Err(error) => {
                note(code_of(&error), error.to_string());
                return (found, Some(checkpoint));
            }
        }
        for (view, address) in self.views.iter().zip(&self.request.views) {
            match split(&reader, &checkpoint, &LogReader::new(view, log.clone())) {
                Ok(None) => {}
                Ok(Some(what)) => note(FindingCode::SplitView, format!("{address}: {what}")),
                Err(error) => note(code_of(&error), format!("{address}: {error}")),
            }
        }
        let (rounds, manifests, read) = (&mut self.rounds, &self.manifests, &mut self.read);
        let entries = tree.entries(*read..checkpoint.size, |index, entry| {
            rounds.add(index, entry, manifests);
            *read = index + 1;
            ControlFlow::Continue(())
        });
        match entries {
            Ok(()) => self.seen = SeenTree { size: checkpoint.size, root: Some(checkpoint.root) },
            Err(error) => note(code_of(&error), error.to_string()),
        }
        (found, Some(checkpoint))
    }
}

/// Compares another view of a log: of two honest checkpoints, the later tree continues the earlier.
fn split(
    own: &LogReader<'_>,
    checkpoint: &SignedCheckpoint,
    other: &LogReader<'_>,
) -> Result<Option<String>, LogError> {
    let Some(theirs) = other.checkpoint(&[])? else {
        return Ok(Some("it has no checkpoint".to_owned()));
    };
    let (later, size, root) = if theirs.size > checkpoint.size {
        (other.tree(&theirs), checkpoint.size, checkpoint.root)
    } else {
        (own.tree(checkpoint), theirs.size, theirs.root)
    };
    let is_one = later.root_at(size)? == root;
    Ok((!is_one).then(|| format!("the first {size} entries are not the same")))
}

const fn code_of(error: &LogError) -> FindingCode {
    match error {
        LogError::Usage(_) | LogError::Unavailable(_) => FindingCode::Unreachable,
        LogError::Broken(_) => FindingCode::Broken,
    }
}
