//! `paigow-lab release sign`: one root holder after the other.

use std::io::Write;
use std::path::{Path, PathBuf};

use super::read;
use crate::keys::Role;
use crate::lab::ceremony::signing_key;
use crate::lab::{Ended, LabError};

/// Adds the signatures of root keys to a record and writes it as one line.
///
/// # Errors
///
/// If the file is no release record, or a key is no root key or has signed already.
pub fn sign(path: &Path, keys: &[PathBuf], out: &mut dyn Write) -> Result<Ended, LabError> {
    let (mut envelope, _) = read(path)?;
    for file in keys {
        let key = signing_key(file, &[Role::Root])?;
        if envelope.count_signers(&[key.public()]) > 0 {
            return Err(LabError::Usage(format!("{}: has signed already", file.display())));
        }
        envelope.add_signature(&key);
    }
    writeln!(out, "{}", envelope.to_line())?;
    Ok(Ended::Well)
}
