//! `paigow-log write`: follows the evidence and appends to the log.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use paigow_engine::SecretKey;
use paigow_evidence::files;
use paigow_fairness::log_proof::{LogOrigin, PublicLog};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::transcript;
use paigow_files::command::{CommandError, CommandOutcome};
use tokio::runtime::Runtime;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::follow::follow;
use crate::{AskedWitness, LogError, LogStart, LogWriter, ObjectLogStore, WitnessClient};

/// The request of `paigow-log write`.
#[derive(Debug)]
pub struct LogWriting {
    /// The address of the log.
    pub log: String,
    /// The name of the log.
    pub origin: LogOrigin,
    /// The key of the log.
    pub key: SecretKey,
    /// The file of the state.
    pub state: PathBuf,
    /// How the first pass begins.
    pub start: LogStart,
    /// The folders of the evidence of the replicas.
    pub evidence: Vec<PathBuf>,
    /// Files, and folders with files, of manifests, reveals and closes.
    pub records: Vec<PathBuf>,
    /// The witnesses to ask.
    pub witnesses: Vec<AskedWitness>,
    /// How many cosignatures a checkpoint has to have.
    pub wanted: usize,
    /// How long the witnesses have to answer.
    pub limit: Duration,
    /// How long to wait between two passes; [`None`]: one pass.
    pub every: Option<Duration>,
}

/// Appends what the evidence has, and publishes the checkpoint. With `every` it goes on until
/// SIGTERM or SIGINT comes, and makes one last pass then.
///
/// # Errors
///
/// If an argument is wrong; if the log, its state and its checkpoint do not belong together, or, of
/// one pass, something cannot be read or written. With `every` the next pass tries that again.
pub fn write(request: &LogWriting, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    if request.wanted > request.witnesses.len() {
        return Err(CommandError::Usage(format!(
            "--wanted {}: name as many witnesses with --witness, or give --wanted 0",
            request.wanted
        )));
    }
    let store = ObjectLogStore::open(&request.log)?;
    let mut witnesses = WitnessClient::new(request.witnesses.clone(), request.limit)?;
    let log = PublicLog { origin: request.origin.clone(), key: request.key.public() };
    let open =
        |start| LogWriter::open(&store, &request.state, log.clone(), request.key.clone(), start);
    let mut pass = LogPass { request, seen: BTreeMap::new(), told: String::new() };
    let mut writer = open(request.start)?;
    let Some(every) = request.every else { return pass.run(&mut writer, &mut witnesses, out) };
    let mut writer = Some(writer);
    let mut stop = StopWait::listen()?;
    let mut is_last = false;
    loop {
        let mut run = || {
            let opened = writer.take().map_or_else(|| open(LogStart::Continue), Ok)?;
            // After an error the log is opened again, because a step may be half done.
            let opened = writer.insert(opened);
            pass.run(opened, &mut witnesses, out)
        };
        let outcome = match run() {
            Err(CommandError::Unavailable(what)) => {
                writer = None;
                pass.seen.clear();
                writeln!(out, "the next pass tries again: {what}")?;
                CommandOutcome::WithFindings
            }
            outcome => outcome?,
        };
        out.flush()?;
        if is_last {
            return Ok(outcome);
        }
        is_last = stop.wait(every);
    }
}

/// The passes of a writer.
struct LogPass<'r> {
    request: &'r LogWriting,
    /// The bytes of the files of records when they were read last.
    seen: BTreeMap<PathBuf, Vec<u8>>,
    /// The message of the last publication, so that it is not repeated.
    told: String,
}

impl LogPass<'_> {
    /// Appends all that is new, commits it in parts, and publishes.
    fn run(
        &mut self,
        writer: &mut LogWriter<'_>,
        witnesses: &mut WitnessClient,
        out: &mut dyn Write,
    ) -> Result<CommandOutcome, CommandError> {
        writer.check_published()?;
        let before = writer.size();
        let mut findings = self.records(writer)?;
        let mut is_well = true;
        loop {
            let mut places = std::mem::take(writer.evidence());
            let followed =
                follow(&self.request.evidence, &mut places, &mut findings, &mut |records| {
                    for record in &records {
                        writer.append(record);
                    }
                    if writer.is_full() {
                        ControlFlow::Break(())
                    } else {
                        ControlFlow::Continue(())
                    }
                });
            *writer.evidence() = places;
            let followed = followed?;
            is_well &= findings.is_empty();
            for finding in findings.drain(..) {
                writeln!(out, "{finding}")?;
            }
            if followed.is_continue() {
                writer.end_recovery();
            }
            writer.commit()?;
            if followed.is_continue() {
                break;
            }
        }
        let published = writer.publish(witnesses, self.request.wanted)?;
        let (size, had, wanted) = (published.size, published.cosignatures, self.request.wanted);
        let mut text: String = published.faults.iter().map(|fault| format!("{fault}\n")).collect();
        text += &format!("{size} entries are published, with {had} of {wanted} cosignatures\n");
        let appended = writer.size() - before;
        if appended > 0 || self.told != text {
            write!(out, "{appended} appended\n{text}")?;
            self.told = text;
        }
        let is_short = size > 0 && had < wanted;
        Ok(if is_well && !is_short { CommandOutcome::Well } else { CommandOutcome::WithFindings })
    }

    /// Appends the records of the files that have changed. Returns what cannot be read.
    fn records(&mut self, writer: &mut LogWriter<'_>) -> Result<Vec<String>, LogError> {
        let cannot = |path: &Path, error: &std::io::Error| {
            LogError::Unavailable(format!("{}: {error}", path.display()))
        };
        let mut findings = Vec::new();
        for given in &self.request.records {
            let listed = files::list(std::slice::from_ref(given));
            for path in listed.map_err(|error| cannot(given, &error))? {
                let bytes = std::fs::read(&path).map_err(|error| cannot(&path, &error))?;
                if self.seen.get(&path) == Some(&bytes) {
                    continue;
                }
                for (line, number) in transcript::lines(&bytes).zip(1..) {
                    match RecordEnvelope::parse(line) {
                        Ok(record) => _ = writer.append(&record),
                        Err(error) => {
                            let path = path.display();
                            findings.push(format!("{path}: line {number}: {error}"));
                        }
                    }
                }
                self.seen.insert(path, bytes);
            }
        }
        Ok(findings)
    }
}

/// The wish of the system that this process ends: SIGTERM or SIGINT.
struct StopWait {
    runtime: Runtime,
    terminate: Signal,
    interrupt: Signal,
}

impl StopWait {
    /// Listens from here on.
    fn listen() -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let entered = runtime.enter();
        let (terminate, interrupt) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        drop(entered);
        Ok(Self { runtime, terminate, interrupt })
    }

    /// Waits so long, or until the process is to end. Returns whether it is.
    fn wait(&mut self, limit: Duration) -> bool {
        let Self { runtime, terminate, interrupt } = self;
        runtime.block_on(async {
            tokio::select! {
                () = tokio::time::sleep(limit) => false,
                _ = terminate.recv() => true,
                _ = interrupt.recv() => true,
            }
        })
    }
}
