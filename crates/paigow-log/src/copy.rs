//! `paigow-log copy`: a checkpoint and every entry before it, as an audit takes them.

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use paigow_fairness::log_copy::{CopiedEntry, LogCopy};
use paigow_fairness::transcript;
use paigow_files::command::{CommandError, CommandOutcome, read_file};

use crate::prove::newest;
use crate::{LogError, ObjectLogStore};

/// The request of `paigow-log copy`.
#[derive(Clone, Debug)]
pub struct LogCopying {
    /// The address of the log.
    pub log: String,
    /// A transcript, or a file of manifests: they list the log and its key.
    pub transcript: PathBuf,
    /// How many witnesses have to have signed the newest checkpoint.
    pub wanted: usize,
    /// The file for the copy; [`None`]: it goes to `out`.
    pub to: Option<PathBuf>,
}

/// Writes a copy of a log up to its newest checkpoint. Too few cosignatures are a finding.
///
/// # Errors
///
/// If the transcript cannot be read, none of its manifests lists a log that has signed the newest
/// checkpoint, the log cannot be read or is not what its checkpoint says, or an entry is not a record.
pub fn copy(request: &LogCopying, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let path = &request.transcript;
    let records = transcript::parse(&read_file(path)?)
        .map_err(|error| CommandError::Data(format!("{}: {error}", path.display())))?;
    let store = ObjectLogStore::open(&request.log)?;
    let (_, reader) = newest(&store, &records)?;
    let checkpoint = reader.checkpoint(&reader.witnesses()?)?;
    let checkpoint =
        checkpoint.ok_or_else(|| LogError::Unavailable("the log has no checkpoint".to_owned()))?;
    let (mut entries, mut broken) = (Vec::new(), None);
    reader.tree(&checkpoint).entries(
        0..checkpoint.size,
        |index, entry| match CopiedEntry::of_entry(entry) {
            Some(entry) => {
                entries.push(entry);
                ControlFlow::Continue(())
            }
            None => {
                broken = Some(index);
                ControlFlow::Break(())
            }
        },
    )?;
    if let Some(index) = broken {
        return Err(LogError::Broken(format!("entry {index} is not a record")).into());
    }
    let copy = LogCopy::new(checkpoint.of_record(), entries)
        .map_err(|error| LogError::Broken(error.to_string()))?;
    match &request.to {
        None => out.write_all(copy.to_text().as_bytes())?,
        Some(to) => fs::write(to, copy.to_text())
            .map_err(|error| CommandError::CannotCreate(format!("{}: {error}", to.display())))?,
    }
    let (signed, wanted) = (copy.checkpoint().cosignatures.len(), request.wanted);
    if signed < wanted {
        eprintln!("{signed} witnesses have signed the newest checkpoint, wanted {wanted}");
        return Ok(CommandOutcome::WithFindings);
    }
    Ok(CommandOutcome::Well)
}
