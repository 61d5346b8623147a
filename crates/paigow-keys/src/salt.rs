//! `paigow-keys salt`: a witness gives an epoch its salt.

use std::io::Write;
use std::path::Path;

use super::draw::start_up_test;
use super::manifest::parse;
use super::records;
use paigow_fairness::manifest::SaltSource;
use paigow_fairness::seed::epoch_salt_statement;
use paigow_fairness::signature::Signer;
use paigow_files::command::CommandError;
use paigow_files::command::signing_key;
use paigow_files::keys::{KeyEntropy, KeyRole};

/// Draws 32 bytes, signs them for the epoch that the newest manifest of `chain`
/// announces with the witness's key, and writes the line that goes into the
/// description: `salt = { party = "...", value = "...", signature = "..." }`.
///
/// A witness runs this only after he has received the manifest from where it is
/// published: who knew the value before the commitment could have chosen the secret.
///
/// # Errors
///
/// If the epoch is not announced, the epoch already has its salt value, or names another key.
pub fn salt(
    chain: &Path,
    epoch: u32,
    key: &Path,
    entropy: KeyEntropy<'_>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let refuse = |what: &str| Err(CommandError::Usage(format!("epoch {epoch}: {what}")));
    let key = signing_key(key, &[KeyRole::Witness])?;
    let chain_records = records(chain)?;
    let manifests: Vec<_> = chain_records.iter().map(parse).collect::<Result<_, _>>()?;
    let Some(manifest) = manifests.last() else {
        return Err(CommandError::Data(format!("{}: the file has no record", chain.display())));
    };
    let first = manifests.iter().position(|manifest| manifest.epoch(epoch).is_some());
    let Some(listed) = manifest.epoch(epoch) else {
        return refuse("the newest manifest does not list it");
    };
    let (Some(commit), Some(source)) = (&listed.commit, &listed.salt_source) else {
        return refuse("the epoch has no commitment, so it takes no salt");
    };
    match source {
        SaltSource::Party { key: named, value: None } if *named == key.public() => {}
        SaltSource::Party { value: None, .. } => {
            return refuse("the newest manifest names another witness key");
        }
        SaltSource::Party { value: Some(_), .. } => {
            return refuse("the epoch already has its salt value");
        }
        SaltSource::None | SaltSource::Drand { .. } => {
            return refuse("the epoch does not take its salt from a witness");
        }
    }
    start_up_test(entropy)?;
    let mut value = [0; 32];
    entropy(&mut value)?;
    // The newest lists it.
    let announcement = chain_records[first.unwrap_or_default()].hash();
    let signature = key.sign(&epoch_salt_statement(epoch, &announcement, commit, &value));
    writeln!(
        out,
        "salt = {{ party = \"{}\", value = \"{}\", signature = \"{}\" }}",
        key.public(),
        hex::encode(value),
        hex::encode(signature)
    )?;
    Ok(())
}
