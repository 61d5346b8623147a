//! `paigow-lab release list`: what any third party's tool can check.

use std::io::Write;
use std::path::Path;

use super::read;
use crate::{CommandError, CommandOutcome};
use paigow_files::release::sum_line;

/// Which files are listed.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum What {
    /// Every source file, by its path below the source tree.
    Sources,
    /// The critical source files: the SHA-256 of this list is the critical hash.
    Critical,
    /// Executables and shared objects, by name.
    Binaries,
}

/// Writes the lines that `sha256sum -c` reads.
///
/// # Errors
///
/// If the file is no release record or output fails.
pub fn list(path: &Path, what: What, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let (_, release) = read(path)?;
    let lines: String = match what {
        What::Sources => release.sources.iter().map(|s| sum_line(&s.sha256, &s.path)).collect(),
        What::Critical => release.critical().map(|s| sum_line(&s.sha256, &s.path)).collect(),
        What::Binaries => release
            .binaries
            .iter()
            .chain(&release.libraries)
            .map(|binary| sum_line(&binary.sha256, binary.name.as_str()))
            .collect(),
    };
    out.write_all(lines.as_bytes())?;
    Ok(CommandOutcome::Well)
}
