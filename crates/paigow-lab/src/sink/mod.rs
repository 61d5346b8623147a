//! `paigow-lab sink`: verifies the evidence of all replicas, extracts the transcript of one round,
//! and makes the public close of an epoch.

mod close;
mod dispute;
mod export;
mod report;
mod ship;
mod store;
mod transcript;

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;

use self::store::{EvidenceStore, StoredFile};
use super::{CommandError, CommandOutcome, read_file};
use paigow_evidence::verify::{EvidenceReport, EvidenceVerdict, EvidenceVerifier};
use paigow_evidence::{ChainHead, acknowledge_losses, files};

pub use close::{SinkClose, SinkCloseOutput, SinkProof, close, proof};
pub use dispute::{DisputedRound, SinkDispute, dispute};
pub use export::export;
pub(crate) use ship::StopSignal;
pub use ship::{SinkShipment, prune, restore, ship};
pub use transcript::transcript;

/// The request of `paigow-lab sink verify`.
#[derive(Clone, Debug)]
pub struct SinkVerification {
    /// Files, and folders with files.
    pub paths: Vec<PathBuf>,
    /// Earlier reports in JSON. Everything in them must still be in the files.
    pub known: Vec<PathBuf>,
    /// A report that is kept. It is read if it exists, and updated if there is no fault.
    pub report: Option<PathBuf>,
    /// Writes JSON instead of text.
    pub json: bool,
    /// The file to write figures to, in the text format of Prometheus. It also has what is open,
    /// which does not change the outcome of the verification.
    pub prometheus: Option<PathBuf>,
    /// The time of the verification, in Unix seconds.
    pub now: u64,
}

/// Verifies the sink and writes the findings.
///
/// # Errors
///
/// If a file cannot be read, if an earlier report is not a report, or if output fails. A damaged
/// sink is no error but a finding.
pub fn verify(
    verify: &SinkVerification,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    // The first verification finds no report.
    let kept = verify.report.iter().filter(|path| path.exists());
    let known = known(verify.known.iter().chain(kept))?;
    let mut verifier = EvidenceVerifier::new(&known);
    each_file(&verify.paths, &mut |event| match event {
        SinkFileEvent::File(path) => verifier.begin_file(path),
        SinkFileEvent::Line { bytes, whole } => verifier.line(bytes, whole),
    })?;
    let report = verifier.finish();
    if verify.json {
        writeln!(out, "{}", report::json(&report))?;
    } else {
        report::text(&report, out)?;
    }
    if let Some(path) = &verify.prometheus {
        write_whole(path, &report::prometheus(&report, verify.now))?;
    }
    // A broken sink is compared with the last good report until it is repaired.
    if let Some(path) =
        verify.report.as_ref().filter(|_| report.verdict() != EvidenceVerdict::Broken)
    {
        write_whole(path, &report::json(&report).to_string())?;
    }
    Ok(match report.verdict() {
        EvidenceVerdict::Sound => CommandOutcome::Well,
        EvidenceVerdict::Broken => CommandOutcome::WithFindings,
        EvidenceVerdict::Open if verify.prometheus.is_some() => CommandOutcome::Well,
        EvidenceVerdict::Open => CommandOutcome::Incomplete,
    })
}

/// Acknowledges the losses that a server has noticed in its folder, and lists them.
///
/// # Errors
///
/// If the folder does not exist, if the marker cannot be read or removed, or if output fails.
pub fn acknowledge(folder: &Path, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let losses = acknowledge_losses(folder)
        .map_err(|error| CommandError::NoInput(format!("{}: {error}", folder.display())))?;
    for loss in &losses {
        writeln!(out, "acknowledged: {loss}")?;
    }
    if losses.is_empty() {
        writeln!(out, "no loss of evidence waits for an acknowledgement")?;
    }
    Ok(CommandOutcome::Well)
}

/// A file or a line of the sink, in input order.
enum SinkFileEvent<'a> {
    File(&'a str),
    Line { bytes: &'a [u8], whole: bool },
}

/// Reads all files in their order, with a progress bar on a terminal.
fn each_file(
    paths: &[PathBuf],
    take: &mut dyn FnMut(SinkFileEvent<'_>),
) -> Result<(), CommandError> {
    let no_input = |path: &Path, error: std::io::Error| {
        CommandError::NoInput(format!("{}: {error}", path.display()))
    };
    if paths == [Path::new("-")] {
        take(SinkFileEvent::File("-"));
        let lines = |bytes: &[u8], whole| take(SinkFileEvent::Line { bytes, whole });
        return Ok(files::each_line(std::io::stdin().lock(), lines)?);
    }
    let (addresses, paths): (Vec<_>, Vec<_>) =
        paths.iter().cloned().partition(|path| store::is_address(path));
    for path in &paths {
        fs::metadata(path).map_err(|error| no_input(path, error))?;
    }
    let stores: Vec<EvidenceStore> = addresses
        .iter()
        .map(|address| EvidenceStore::open(&address.display().to_string()))
        .collect::<Result<_, _>>()?;
    let files = files::list(&paths).map_err(|error| CommandError::NoInput(error.to_string()))?;
    let mut sources: Vec<SinkFile<'_>> = files.into_iter().map(SinkFile::Local).collect();
    for store in &stores {
        let stored = store.list()?.into_iter();
        sources.extend(stored.map(|(name, file)| SinkFile::Stored { store, name, file }));
    }
    if sources.is_empty() {
        return Err(CommandError::NoInput("no *.jsonl file in the given folders".to_owned()));
    }
    // Boots by time, each from its first file; other files in the order in which they were named.
    // If a file is in a folder and in a store, the one in the folder comes first.
    sources.sort_by_cached_key(SinkFile::place);
    let progress = progress_bar(sources.iter().map(SinkFile::size).sum());
    for (i, source) in sources.iter().enumerate() {
        let twin = i.checked_sub(1).map(|before| &sources[before]);
        if twin.is_some_and(|twin| twin.place().is_some() && twin.place() == source.place())
            && source.is_copy_of(&sources[i - 1])?
        {
            continue;
        }
        take(SinkFileEvent::File(&source.name()));
        let lines = |bytes: &[u8], whole| take(SinkFileEvent::Line { bytes, whole });
        files::each_line(progress.wrap_read(source.open()?), lines)
            .map_err(|error| CommandError::NoInput(format!("{}: {error}", source.name())))?;
    }
    progress.finish_and_clear();
    Ok(())
}

/// A file of evidence, wherever it is.
enum SinkFile<'s> {
    Local(PathBuf),
    Stored { store: &'s EvidenceStore, name: String, file: StoredFile },
}

impl SinkFile<'_> {
    /// Returns the name in findings.
    fn name(&self) -> String {
        match self {
            Self::Local(path) => path.display().to_string(),
            Self::Stored { store, file, .. } => store.address_of_stored(file),
        }
    }

    /// Returns the boot and the number in the name.
    fn place(&self) -> Option<(String, u32)> {
        match self {
            Self::Local(path) => files::place(path.file_name()?.to_str()?),
            Self::Stored { name, .. } => files::place(name),
        }
    }

    /// Returns how many bytes there are to read, in bytes.
    fn size(&self) -> u64 {
        match self {
            Self::Local(path) => fs::metadata(path).map_or(0, |facts| facts.len()),
            Self::Stored { file, .. } => file.size,
        }
    }

    fn open(&self) -> Result<Box<dyn Read>, CommandError> {
        match self {
            Self::Local(path) => {
                let no_input =
                    |error| CommandError::NoInput(format!("{}: {error}", path.display()));
                Ok(Box::new(File::open(path).map_err(no_input)?))
            }
            Self::Stored { store, file, .. } => Ok(Box::new(store.read(file)?)),
        }
    }

    /// Returns whether this file in a store has the bytes of another file. Two files of one folder
    /// never count as copies.
    fn is_copy_of(&self, other: &Self) -> Result<bool, CommandError> {
        let Self::Stored { store, file, .. } = self else { return Ok(false) };
        let mut bytes = Vec::new();
        let read = other.open()?.read_to_end(&mut bytes);
        read.map_err(|error| CommandError::NoInput(format!("{}: {error}", other.name())))?;
        store.holds(file, &bytes)
    }
}

fn progress_bar(bytes: u64) -> ProgressBar {
    let template = "{wide_bar} {bytes}/{total_bytes}, {eta} to go";
    let style = ProgressStyle::with_template(template).expect("a constant that a test draws");
    ProgressBar::new(bytes).with_style(style)
}

/// The part of an earlier report that is needed.
#[derive(Deserialize)]
struct EarlierReport {
    boots: Vec<EarlierBoot>,
    /// The boots that the earlier report missed itself, which stay known.
    #[serde(default)]
    absent: Vec<EarlierBoot>,
}

#[derive(Deserialize)]
struct EarlierBoot {
    boot: String,
    seq: Option<u64>,
    hash: Option<String>,
}

fn known<'p>(reports: impl Iterator<Item = &'p PathBuf>) -> Result<Vec<ChainHead>, CommandError> {
    let mut heads = Vec::new();
    for path in reports {
        let no_report = |what: &dyn std::fmt::Display| {
            CommandError::Data(format!(
                "{}: not a JSON report of `sink verify`: {what}",
                path.display()
            ))
        };
        let earlier: EarlierReport =
            serde_json::from_slice(&read_file(path)?).map_err(|error| no_report(&error))?;
        for EarlierBoot { boot, seq, hash } in earlier.boots.into_iter().chain(earlier.absent) {
            if let (Some(seq), Some(hash)) = (seq, hash) {
                let hash = hash.parse().map_err(|error| no_report(&error))?;
                heads.push(ChainHead { boot, seq, hash });
            }
        }
    }
    Ok(heads)
}

/// Writes a file atomically: a reader sees the old one or the new one, never a part.
fn write_whole(path: &Path, text: &str) -> Result<(), CommandError> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".new");
    fs::write(&beside, text)
        .and_then(|()| fs::rename(&beside, path))
        .map_err(|error| CommandError::CannotCreate(format!("{}: {error}", path.display())))
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_progress_bar_can_be_drawn() {
        super::progress_bar(3).finish();
    }
}
