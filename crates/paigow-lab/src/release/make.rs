//! `paigow-lab release make`: makes a record without signatures from a source tree and binaries.

use std::io::Write;
use std::path::PathBuf;

use super::changes::changes;
use super::{Rules, at, by_name, configuration, files_by_name, page, read, show, tree};
use crate::{CommandError, CommandOutcome};
use paigow_engine::self_test;
use paigow_files::build::GIT_REVISION;
use paigow_files::release::{self, Release};
use paigow_round::ENGINE_ID;
use paigow_verifier_page::single_file;

/// The inputs of a record.
#[derive(Clone, Debug)]
pub struct Make {
    /// The source tree.
    pub source: PathBuf,
    /// The executables.
    pub binaries: Vec<PathBuf>,
    /// The shared objects that they load; empty for static ones.
    pub libraries: Vec<PathBuf>,
    /// The files with settings that it may run with.
    pub configurations: Vec<PathBuf>,
    /// An operator's folder of rules.
    pub rules: Option<PathBuf>,
    /// The date to write in it: no clock is read.
    pub created: Option<String>,
    /// The record of the release before.
    pub prev: Option<PathBuf>,
    /// The file to write.
    pub record: PathBuf,
}

/// Makes the record, writes it to its file, and shows it. With the previous record, also shows
/// whether the critical hash has changed since, and by which inputs.
///
/// Version, engine, commit, page and known answers are those of this program, so it must be of the
/// same build as the binaries. The settings of each build are read from the binary.
///
/// # Errors
///
/// If a file cannot be read or named, if a known answer is not reproduced, or if the record cannot
/// be written.
pub fn make(make: &Make, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let settings = make.configurations.iter().map(|path| configuration(path));
    let rules = Rules::load(make.rules.as_deref())?;
    let before = make.prev.as_deref().map(read).transpose()?;
    let release = Release {
        binaries: files_by_name(&make.binaries)?,
        configurations: by_name(settings.collect::<Result<_, _>>()?)?,
        created: make.created.clone(),
        critical: tree::critical(&make.source)?,
        engine: ENGINE_ID
            .parse()
            .map_err(|error| CommandError::Data(format!("{ENGINE_ID}: {error}")))?,
        house_ways: rules.house_ways,
        libraries: files_by_name(&make.libraries)?,
        page: page(single_file())?,
        prev: before.as_ref().map(|(envelope, _)| envelope.hash()),
        revision: GIT_REVISION.to_owned(),
        rulesets: rules.rulesets,
        self_test: self_test::run().map_err(|error| CommandError::Data(error.to_string()))?,
        version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let envelope = release::seal(&release, &[]);
    // A record that could not be read back is not written.
    let line = envelope.to_line() + "\n";
    release::read(line.as_bytes()).map_err(|error| at(&make.record, error))?;
    std::fs::write(&make.record, line).map_err(|error| {
        CommandError::CannotCreate(format!("{}: {error}", make.record.display()))
    })?;
    show::summary(&envelope, &release, out)?;
    if let Some((_, before)) = &before {
        tell_changes(before, &release, out)?;
    }
    Ok(CommandOutcome::Well)
}

/// Writes whether the critical hash has changed, and by which inputs.
fn tell_changes(before: &Release, now: &Release, out: &mut dyn Write) -> Result<(), CommandError> {
    let changes = changes(&before.critical, &now.critical);
    let whether = if changes.is_empty() { "unchanged" } else { "CHANGED" };
    writeln!(out, "since {}  critical hash {whether}", before.version)?;
    for (change, name) in changes {
        writeln!(out, "  {:<8} {name}", change.name())?;
    }
    Ok(())
}
