//! `paigow-keys reveal`: publishes the secret of a closed epoch.

use std::io::Write;
use std::path::Path;

use super::manifest::parse;
use super::signing::add_signature;
use super::{SigningArguments, records};
use paigow_engine::is_secret_of;
use paigow_fairness::manifest::{EpochStatus, Suite};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::command::{CommandError, passphrase};
use paigow_files::keys::{KeyFile, KeyRole, MANIFESTS};
use paigow_files::utc;
use paigow_round::record::EpochReveal;

/// Writes the epoch-reveal record of an epoch of the keyring folder `dir`, signed with `key`.
/// Without a key, the first receipt key that the newest manifest lists signs.
///
/// `now` is in Unix seconds.
///
/// # Errors
///
/// Returns [`CommandError`] if the epoch can still be settled at `now` and is not revoked. Also if
/// the secret is not the committed one. Also if the newest manifest lists the key neither as
/// receipt nor as root key.
pub fn reveal(
    dir: &Path,
    epoch: u32,
    key: &SigningArguments,
    now: u64,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let refuse = |what: String| Err(CommandError::Usage(format!("epoch {epoch}: {what}")));
    let chain = dir.join(MANIFESTS);
    let Some(newest) = records(&chain)?.pop() else {
        return Err(CommandError::Data(format!("{}: the file has no record", chain.display())));
    };
    let manifest = parse(&newest)?;
    let secret = dir.join(format!("epoch-{epoch}.key"));
    let phrase = key.passphrase_file.as_deref().map(passphrase).transpose()?;
    let read = KeyFile::read(&secret, phrase.as_ref());
    let read = read.map_err(|fault| CommandError::NoInput(fault.to_string()))?;
    let KeyFile::Epoch { epoch: inside, secret: epoch_secret } = read else {
        return Err(CommandError::Data(format!("{}: not an epoch secret", secret.display())));
    };
    if inside != epoch {
        let what = format!("the file holds the secret of epoch {inside}, not of epoch {epoch}");
        return Err(CommandError::Data(format!("{}: {what}", secret.display())));
    }
    let Some(listed) = manifest.epoch(epoch) else {
        return refuse("the newest manifest does not list it".to_owned());
    };
    if listed.suite == Suite::Vrf {
        return refuse(
            "its suite publishes no secret: `paigow-keys prove-seeds` proves the seeds of rounds \
             without a settlement"
                .to_owned(),
        );
    }
    if !is_secret_of(&epoch_secret, listed) {
        return refuse(
            "the secret in the key file does not match the commitment in the newest manifest"
                .to_owned(),
        );
    }
    let in_use = match listed.status {
        EpochStatus::Active => now < listed.settle_until,
        EpochStatus::Revoked | EpochStatus::Revealed => false,
    };
    if in_use {
        let until = utc::text(listed.settle_until);
        return refuse(format!(
            "rounds can be settled until {until}; revealing the secret earlier would disclose cards"
        ));
    }
    let signing = manifest.receipt_keys.iter().find(|listed| !listed.revoked);
    let own = match signing {
        _ if !key.is_empty() => key.clone(),
        Some(listed) => {
            let file = dir.join(format!("receipt-{}.key", listed.key.kid()));
            SigningArguments { keys: vec![file], ..key.clone() }
        }
        None => return refuse("the newest manifest lists no receipt key".to_owned()),
    };
    let mut key = own.open_one(&[KeyRole::Receipt, KeyRole::Root])?;
    let is_root = manifest.root.keys.contains(&key.public());
    let is_receipt =
        manifest.receipt_keys.iter().any(|listed| listed.key == key.public() && !listed.revoked);
    if !(is_root || is_receipt) {
        let what = "not a root key or a receipt key of the newest manifest";
        return Err(CommandError::Usage(format!("{key}: {what}")));
    }
    let payload = EpochReveal { epoch, secret: epoch_secret }.to_json();
    let mut record = RecordEnvelope::unsigned(RecordKind::EpochReveal, &payload);
    if add_signature(&mut record, &mut key)? {
        writeln!(out, "{}", record.to_line())?;
    }
    Ok(())
}
