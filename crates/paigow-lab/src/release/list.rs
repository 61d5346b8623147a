//! `paigow-lab release list`: lists that tools of third parties can check.

use std::io::Write;
use std::path::Path;

use super::read;
use crate::{CommandError, CommandOutcome};
use paigow_files::release::critical::lines;
use paigow_files::release::sum_line;
use paigow_verifier_page::SINGLE_FILE;

/// Which files are listed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum What {
    /// The files among the inputs of the critical hash, for `sha256sum -c` in the source tree.
    Files,
    /// The inputs of the critical hash: the SHA-256 of this list is the critical hash.
    Inputs,
    /// Executables and shared objects, by name, and the page for players.
    Binaries,
}

/// Writes a list: of files and binaries as `sha256sum -c` reads it.
///
/// # Errors
///
/// If the file is not a release record, or output fails.
pub fn list(path: &Path, what: What, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let (_, release) = read(path)?;
    let lines: String = match what {
        What::Files => release
            .critical
            .inputs()
            .iter()
            .filter_map(|input| input.file())
            .map(|(sha256, path)| sum_line(sha256, path))
            .collect(),
        What::Inputs => lines(release.critical.inputs()),
        What::Binaries => release
            .binaries
            .iter()
            .chain(&release.libraries)
            .map(|binary| sum_line(binary.sha256, binary.name.as_str()))
            .chain([sum_line(release.page.sha256, SINGLE_FILE)])
            .collect(),
    };
    out.write_all(lines.as_bytes())?;
    Ok(CommandOutcome::Well)
}
