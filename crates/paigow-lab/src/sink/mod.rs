//! `paigow-lab sink`: whether the evidence of all replicas is what they wrote, the transcript of
//! one round out of it, and the public close of an epoch.

mod close;
mod report;
mod transcript;

use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;

use super::{CommandError, CommandOutcome, read_file};
use paigow_evidence::verify::{EvidenceReport, EvidenceVerdict, EvidenceVerifier};
use paigow_evidence::{ChainHead, acknowledge_losses, files};

pub use close::{SinkClose, SinkProof, close, proof};
pub use transcript::transcript;

/// The request of `paigow-lab sink verify`.
#[derive(Clone, Debug)]
pub struct SinkVerification {
    /// Files, and folders with files.
    pub paths: Vec<PathBuf>,
    /// Earlier reports in JSON: what they saw has to be there still.
    pub known: Vec<PathBuf>,
    /// A report that is kept: known if it is there, and written anew where nothing is wrong.
    pub report: Option<PathBuf>,
    /// Writes JSON instead of text.
    pub json: bool,
    /// Writes figures in the text format of Prometheus to this file; what is open is told
    /// there, and does not change how the verification ends.
    pub prometheus: Option<PathBuf>,
    /// The time of the verification, in Unix seconds.
    pub now: u64,
}

/// Verifies the sink and tells what was found.
///
/// # Errors
///
/// If a file cannot be read, an earlier report is none, or output fails. A damaged sink is
/// no error but a finding.
pub fn verify(
    verify: &SinkVerification,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    // The first verification of all finds no report.
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
    // A broken sink is held against the last report of a better one until it is mended.
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

/// Acknowledges the losses that a server has noticed in its folder, and tells them.
///
/// # Errors
///
/// If the folder is not there, the marker cannot be read or removed, or output fails.
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

/// Reads all files in their order, with a progress bar where there is a terminal.
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
    for path in paths {
        fs::metadata(path).map_err(|error| no_input(path, error))?;
    }
    let files = files::list(paths).map_err(|error| CommandError::NoInput(error.to_string()))?;
    if files.is_empty() {
        return Err(CommandError::NoInput("no *.jsonl file in the given folders".to_owned()));
    }
    let sizes = files.iter().map(|path| fs::metadata(path).map_or(0, |facts| facts.len()));
    let progress = progress_bar(sizes.sum());
    for path in &files {
        take(SinkFileEvent::File(&path.display().to_string()));
        let file = File::open(path).map_err(|error| no_input(path, error))?;
        let lines = |bytes: &[u8], whole| take(SinkFileEvent::Line { bytes, whole });
        files::each_line(progress.wrap_read(file), lines).map_err(|error| no_input(path, error))?;
    }
    progress.finish_and_clear();
    Ok(())
}

fn progress_bar(bytes: u64) -> ProgressBar {
    let template = "{wide_bar} {bytes}/{total_bytes}, {eta} to go";
    let style = ProgressStyle::with_template(template).expect("a constant that a test draws");
    ProgressBar::new(bytes).with_style(style)
}

/// An earlier report, as far as it is needed.
#[derive(Deserialize)]
struct EarlierReport {
    boots: Vec<EarlierBoot>,
    /// What it missed itself, which stays known.
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

/// Writes a file so that whoever reads it sees the old one or the new one, never a part.
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
