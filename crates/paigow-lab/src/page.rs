//! `paigow-lab page`: writes the verifier page to a folder.

use std::fs;
use std::io::Write;
use std::path::Path;

use paigow_verifier_page::PAGE;

use super::{CommandError, CommandOutcome};

/// Writes all files of the verifier page to `folder`, which it creates if it does not exist.
///
/// # Errors
///
/// If the folder is not empty, or a file cannot be written.
pub fn run(folder: &Path, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let failed = |path: &Path, error: std::io::Error| {
        CommandError::CannotCreate(format!("{}: {error}", path.display()))
    };
    fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    if fs::read_dir(folder).map_err(|error| failed(folder, error))?.next().is_some() {
        let what = "the folder is not empty: give a new or an empty folder";
        return Err(CommandError::CannotCreate(format!("{}: {what}", folder.display())));
    }
    for (path, bytes) in PAGE {
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        fs::create_dir_all(parent).map_err(|error| failed(parent, error))?;
        fs::write(&path, bytes).map_err(|error| failed(&path, error))?;
    }
    writeln!(out, "wrote {} files: open {}", PAGE.len(), folder.join("index.html").display())?;
    Ok(CommandOutcome::Well)
}
