//! `paigow-keys sign-release`: one root holder after the other.

use std::io::Write;
use std::path::Path;

use super::SigningArguments;
use super::signing::add_signature;
use paigow_files::command::{CommandError, CommandOutcome, read_file};
use paigow_files::keys::KeyRole;
use paigow_files::release;

/// Adds the signatures of root keys to a record and writes it as one line.
///
/// # Errors
///
/// If the file is not a release record, or if a key is not a root key or has signed already.
pub fn sign_release(
    path: &Path,
    keys: &SigningArguments,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let (mut envelope, _) = release::read(&read_file(path)?)
        .map_err(|error| CommandError::Data(format!("{}: {error}", path.display())))?;
    for mut key in keys.open(&[KeyRole::Root])? {
        if envelope.count_signers(&[key.public()]) > 0 {
            let what = format!("{key}: this key has already signed the record");
            return Err(CommandError::Usage(what));
        }
        if !add_signature(&mut envelope, &mut key)? {
            return Ok(CommandOutcome::Well);
        }
    }
    writeln!(out, "{}", envelope.to_line())?;
    Ok(CommandOutcome::Well)
}
