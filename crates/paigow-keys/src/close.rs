//! `paigow-keys sign-close`: operator and witness sign the public close of an epoch.

use std::io::Write;
use std::path::Path;

use super::signing::add_signature;
use super::{SigningArguments, records};
use paigow_fairness::record::RecordKind;
use paigow_files::command::CommandError;
use paigow_files::keys::KeyRole;
use paigow_round::record::EpochClose;

/// Adds the signature of a receipt, root or witness key to an epoch-close record, and writes it.
///
/// # Errors
///
/// Returns [`CommandError`] in these cases:
///
/// - The file does not hold one epoch-close record.
/// - The key has another role, or has signed the record already.
/// - The record has as many signatures as an envelope can have.
pub fn sign_close(
    record: &Path,
    key: &SigningArguments,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let refuse = |what: &str| CommandError::Data(format!("{}: {what}", record.display()));
    let mut records = records(record)?;
    let (Some(mut close), true) = (records.pop(), records.is_empty()) else {
        return Err(refuse("not one record"));
    };
    let is_close = close.kind() == RecordKind::EpochClose
        && close.json().ok().is_some_and(|json| EpochClose::parse(json).is_ok());
    if !is_close {
        return Err(refuse("not an epoch-close record"));
    }
    let mut key = key.open_one(&[KeyRole::Receipt, KeyRole::Root, KeyRole::Witness])?;
    if close.any_verifies([&key.public()]) {
        return Err(refuse("the key has signed it"));
    }
    if close.is_full() {
        return Err(refuse("there is no room for another signature"));
    }
    if add_signature(&mut close, &mut key)? {
        writeln!(out, "{}", close.to_line())?;
    }
    Ok(())
}
