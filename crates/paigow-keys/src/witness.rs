//! `paigow-witness`: a witness gives an epoch its salt, one for each root and epoch.

mod list;

use std::io::Write;
use std::path::PathBuf;

use self::list::{GivenSalt, ListLine, SeenManifest, WitnessList};
use super::draw::start_up_test;
use super::records;
use paigow_engine::SecretKey;
use paigow_fairness::manifest::{Epoch, ManifestChain, Root, SaltSource};
use paigow_fairness::seed::epoch_salt_statement;
use paigow_fairness::signature::Signer;
use paigow_files::command::{CommandError, signing_key};
use paigow_files::keys::{KeyEntropy, KeyRole};

/// The request of `paigow-witness`.
#[derive(Clone, Debug)]
pub struct SaltRequest {
    /// The published manifests, `manifests.jsonl`, from manifest 1 on.
    pub chain: PathBuf,
    /// The root that players trust; manifest 1 names it.
    pub root: Root,
    /// The epoch.
    pub epoch: u32,
    /// The witness's key file.
    pub key: PathBuf,
    /// The list of all that this key has signed. It is created with the first salt.
    pub list: PathBuf,
}

/// Writes the salt of an announced epoch as the line that goes into the description:
/// `salt = { party = "...", value = "...", signature = "..." }`.
///
/// The list remembers each salt that was given and each manifest that was seen. The same
/// announcement gets the same salt again; any other one of that epoch under that root gets none.
/// A new salt is 32 random bytes, and is in the list, on disk, before it is written out.
///
/// A witness runs this only after it has received the manifest from where it is published: an
/// operator that knew the value before the commitment could have chosen the secret.
///
/// # Errors
///
/// If the chain is not one that a server loads under the root, or manifest 1 names another root;
/// if the epoch is not announced with the salt of this key; if the list is damaged, is another
/// key's, or lacks a salt that this key has signed; if the list knows another announcement of the
/// epoch, or another manifest of one sequence number; if entropy or the file system fails.
pub fn salt(
    request: &SaltRequest,
    entropy: KeyEntropy<'_>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let key = signing_key(&request.key, &[KeyRole::Witness])?;
    let chain = published(request)?;
    let asked = announced(request, &chain, &key)?;
    let mut list = WitnessList::open(&request.list, key.public())?;
    let refuse = |what: String| Err(CommandError::Data(what));
    let seen = seen(&chain);
    if let Some(what) = list.other_announcement(&seen, &asked) {
        return refuse(what);
    }
    if let Some(what) = list.fork(&seen) {
        return refuse(what);
    }
    let mut lines = list.unseen(&seen);
    let given = match list.given(&asked) {
        Some(given) => given.clone(),
        None => {
            refuse_lost_salts(request, &chain, &key, &list)?;
            let given = draw(asked, &key, entropy)?;
            lines.push(ListLine::Salt(given.clone()));
            given
        }
    };
    // On disk before anybody can read the value.
    list.append(&lines)?;
    writeln!(
        out,
        "salt = {{ party = \"{}\", value = \"{}\", signature = \"{}\" }}",
        key.public(),
        hex::encode(given.value),
        hex::encode(given.signature)
    )?;
    Ok(())
}

/// Loads the chain as a server does.
fn published(request: &SaltRequest) -> Result<ManifestChain, CommandError> {
    let refuse = |what: String| CommandError::Data(format!("{}: {what}", request.chain.display()));
    let chain =
        ManifestChain::load(&request.root, &records(&request.chain)?).map_err(|faults| {
            let lines: Vec<String> = faults.iter().map(ToString::to_string).collect();
            refuse(lines.join("; "))
        })?;
    let first = &chain.all()[0].manifest;
    if first.seq != 1 {
        return Err(refuse("give all manifests, from manifest 1 on".to_owned()));
    }
    if !first.root.same_as(&request.root) {
        return Err(refuse("manifest 1 names another root than --root".to_owned()));
    }
    Ok(chain)
}

/// Returns the announcement of the epoch, still without value and signature.
fn announced(
    request: &SaltRequest,
    chain: &ManifestChain,
    key: &SecretKey,
) -> Result<GivenSalt, CommandError> {
    let epoch = request.epoch;
    let refuse = |what: &str| Err(CommandError::Usage(format!("epoch {epoch}: {what}")));
    let listed = chain.newest().manifest.epoch(epoch);
    let (Some(listed), Some(announcement)) = (listed, chain.announcement(epoch)) else {
        return refuse("the newest manifest does not list it");
    };
    let Epoch { commit: Some(commit), salt_source: Some(source), .. } = listed else {
        return refuse("the epoch has no commitment, so it takes no salt");
    };
    match source {
        SaltSource::Party { key: named, .. } if *named == key.public() => {}
        SaltSource::Party { .. } => return refuse("the newest manifest names another witness key"),
        SaltSource::None | SaltSource::Drand { .. } => {
            return refuse("the epoch does not take its salt from a witness");
        }
    }
    Ok(GivenSalt {
        chain: chain.all()[0].hash,
        epoch,
        announcement: announcement.hash,
        commit: *commit,
        value: [0; 32],
        signature: [0; 64],
    })
}

/// Returns the manifests of a chain as the list has them.
fn seen(chain: &ManifestChain) -> Vec<SeenManifest> {
    let first = chain.all()[0].hash;
    let seen = chain.all().iter().map(|signed| SeenManifest {
        chain: first,
        seq: signed.manifest.seq,
        hash: signed.hash,
        roots: signed.manifest.root.keys.clone(),
    });
    seen.collect()
}

/// Refuses to draw if a manifest has a value that this key has signed and the list lacks: then
/// the list is not all that the key has signed.
fn refuse_lost_salts(
    request: &SaltRequest,
    chain: &ManifestChain,
    key: &SecretKey,
    list: &WitnessList,
) -> Result<(), CommandError> {
    for epoch in chain.all().iter().flat_map(|signed| &signed.manifest.epochs) {
        let Some(SaltSource::Party { key: named, value: Some((value, _)) }) = &epoch.salt_source
        else {
            continue;
        };
        if *named == key.public() && !list.has_value(epoch.epoch, value) {
            let (list, number) = (request.list.display(), epoch.epoch);
            return Err(CommandError::Data(format!(
                "{list}: the manifests have a salt of epoch {number} by this key that is not in \
                 the list: restore the whole list"
            )));
        }
    }
    Ok(())
}

fn draw(
    asked: GivenSalt,
    key: &SecretKey,
    entropy: KeyEntropy<'_>,
) -> Result<GivenSalt, CommandError> {
    start_up_test(entropy)?;
    let mut value = [0; 32];
    entropy(&mut value)?;
    let statement = epoch_salt_statement(asked.epoch, &asked.announcement, &asked.commit, &value);
    Ok(GivenSalt { value, signature: key.sign(&statement), ..asked })
}
