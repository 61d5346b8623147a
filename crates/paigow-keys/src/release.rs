//! `paigow-keys sign-release`: one root holder after the other.

use std::io::Write;
use std::path::{Path, PathBuf};

use paigow_files::command::{CommandError, CommandOutcome, read_file, signing_key};
use paigow_files::keys::KeyRole;
use paigow_files::release;

/// Adds the signatures of root keys to a record and writes it as one line.
///
/// # Errors
///
/// If the file is no release record, or a key is no root key or has signed already.
pub fn sign_release(
    path: &Path,
    keys: &[PathBuf],
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let (mut envelope, _) = release::read(&read_file(path)?)
        .map_err(|error| CommandError::Data(format!("{}: {error}", path.display())))?;
    for file in keys {
        let key = signing_key(file, &[KeyRole::Root])?;
        if envelope.count_signers(&[key.public()]) > 0 {
            return Err(CommandError::Usage(format!(
                "{}: this key has already signed the record",
                file.display()
            )));
        }
        envelope.add_signature(&key);
    }
    writeln!(out, "{}", envelope.to_line())?;
    Ok(CommandOutcome::Well)
}
