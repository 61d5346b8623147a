//! `paigow-witness`: a witness gives an epoch its salt, one for each root and epoch.

mod list;

use std::io::Write;
use std::path::PathBuf;

use self::list::{DrawnSalt, GivenSalt, ListLine, SeenManifest, WitnessList};
use super::draw::start_up_test;
use super::signing::CeremonyKey;
use super::{SigningArguments, records};
use paigow_fairness::manifest::{ManifestChain, Root, SaltSource};
use paigow_fairness::signature::PublicKey;
use paigow_files::command::CommandError;
use paigow_files::keys::{KeyEntropy, KeyRole};

/// The request of `paigow-witness`.
#[derive(Clone, Debug)]
pub struct SaltRequest {
    /// The published manifests, `manifests.jsonl`, from manifest 1 on.
    pub chain: PathBuf,
    /// The root that players trust; manifest 1 names it.
    pub root: Root,
    /// The epochs; empty for all that wait for a salt of this key.
    pub epochs: Vec<u32>,
    /// The witness's key.
    pub key: SigningArguments,
    /// The list of all that this key has signed. It is created with the first salt.
    pub list: PathBuf,
}

/// Writes the salts of announced epochs, a line each, as `paigow-keys manifest next --salts` reads
/// them: `7 = { party = "...", value = "...", signature = "..." }`.
///
/// The list records each salt that was given and each manifest that was seen. The same announcement
/// gets the same salt again. Any other announcement of that epoch under that root gets none. A new
/// salt is 32 random bytes, and is in the list, on disk, before it is written out.
///
/// If the bytes are signed elsewhere, the call puts the value into the list, writes the bytes and
/// ends. The call that brings the signature gives the salt.
///
/// A witness runs this only after it has received the manifest from where it is published: an
/// operator that knew the value before the commitment could have chosen the secret.
///
/// # Errors
///
/// Returns [`CommandError`] in these cases:
///
/// - A server would not load the chain under the root, or manifest 1 names another root.
/// - No epoch is announced with the salt of this key, or one that is requested is not.
/// - The list is damaged, is another key's, or lacks a salt that this key has signed.
/// - The list knows another announcement of an epoch, or another manifest of one sequence number.
/// - The key does not sign, or entropy or the file system fails.
pub fn salt(
    request: &SaltRequest,
    entropy: KeyEntropy<'_>,
    out: &mut dyn Write,
) -> Result<(), CommandError> {
    let mut key = request.key.open_one(&[KeyRole::Witness])?;
    let chain = published(request)?;
    let epochs = match &request.epochs[..] {
        [] => waiting(&chain, &key.public()),
        named => named.to_vec(),
    };
    let usage = |what: &str| Err(CommandError::Usage(what.to_owned()));
    if epochs.is_empty() {
        return usage("no epoch of the newest manifest waits for a salt of this key");
    }
    if epochs.len() > 1 && request.key.public.is_some() && request.key.signers.is_empty() {
        return usage("name one epoch with --epoch: bytes are signed elsewhere one by one");
    }
    let mut list = WitnessList::open(&request.list, key.public())?;
    for epoch in epochs {
        let Some(given) = give(epoch, request, &chain, &mut key, &mut list, entropy)? else {
            return Ok(());
        };
        writeln!(
            out,
            "{epoch} = {{ party = \"{}\", value = \"{}\", signature = \"{}\" }}",
            key.public(),
            hex::encode(given.drawn.value),
            hex::encode(given.signature)
        )?;
    }
    Ok(())
}

/// Returns the epochs of the newest manifest that wait for a salt of a key.
fn waiting(chain: &ManifestChain, key: &PublicKey) -> Vec<u32> {
    let listed = chain.newest().manifest.epochs.iter();
    let waits = listed.filter(|epoch| {
        matches!(&epoch.salt_source, Some(SaltSource::Party { key: named, value: None }) if named == key)
    });
    waits.map(|epoch| epoch.epoch).collect()
}

/// Gives an epoch its salt: the one in the list, or a new one. Returns [`None`] if the bytes have
/// to be signed elsewhere first.
fn give(
    epoch: u32,
    request: &SaltRequest,
    chain: &ManifestChain,
    key: &mut CeremonyKey,
    list: &mut WitnessList,
    entropy: KeyEntropy<'_>,
) -> Result<Option<GivenSalt>, CommandError> {
    let asked = announced(epoch, chain, &key.public())?;
    let refuse = |what: String| Err(CommandError::Data(what));
    let seen = seen(chain);
    if let Some(what) = list.other_announcement(&seen, &asked) {
        return refuse(what);
    }
    if let Some(what) = list.fork(&seen) {
        return refuse(what);
    }
    let mut lines = list.unseen(&seen);
    if let Some(given) = list.given(&asked).cloned() {
        list.append(&lines)?;
        return Ok(Some(given));
    }
    let drawn = match list.drawn(&asked) {
        Some(drawn) => drawn.clone(),
        None => {
            refuse_lost_salts(request, chain, &key.public(), list)?;
            let drawn = draw(asked, entropy)?;
            // The call that brings the signature is about the same value.
            lines.extend(key.is_elsewhere().then(|| ListLine::Drawn(drawn.clone())));
            drawn
        }
    };
    if key.is_elsewhere() {
        list.append(&lines)?;
        lines.clear();
    }
    let Some(signature) = key.sign(&drawn.statement())? else { return Ok(None) };
    let given = GivenSalt { drawn, signature };
    lines.push(ListLine::Salt(given.clone()));
    // On disk before the value can be read.
    list.append(&lines)?;
    Ok(Some(given))
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

/// Returns the announcement of the epoch, still without a value.
fn announced(
    epoch: u32,
    chain: &ManifestChain,
    key: &PublicKey,
) -> Result<DrawnSalt, CommandError> {
    let refuse = |what: &str| Err(CommandError::Usage(format!("epoch {epoch}: {what}")));
    let listed = chain.newest().manifest.epoch(epoch);
    let (Some(listed), Some(announcement)) = (listed, chain.announcement(epoch)) else {
        return refuse("the newest manifest does not list it");
    };
    let (Some(commit), Some(source)) = (listed.commitment(), &listed.salt_source) else {
        return refuse("the epoch has no commitment, so it takes no salt");
    };
    match source {
        SaltSource::Party { key: named, .. } if named == key => {}
        SaltSource::Party { .. } => return refuse("the newest manifest names another witness key"),
        SaltSource::None | SaltSource::Drand { .. } => {
            return refuse("the epoch does not take its salt from a witness");
        }
    }
    Ok(DrawnSalt {
        chain: chain.all()[0].hash,
        epoch,
        announcement: announcement.hash,
        commit,
        value: [0; 32],
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

/// Refuses to draw if a manifest has a value that this key has signed and the list lacks. Then the
/// list is not complete.
fn refuse_lost_salts(
    request: &SaltRequest,
    chain: &ManifestChain,
    key: &PublicKey,
    list: &WitnessList,
) -> Result<(), CommandError> {
    for epoch in chain.all().iter().flat_map(|signed| &signed.manifest.epochs) {
        let Some(SaltSource::Party { key: named, value: Some((value, _)) }) = &epoch.salt_source
        else {
            continue;
        };
        if named == key && !list.has_value(epoch.epoch, value) {
            let (list, number) = (request.list.display(), epoch.epoch);
            return Err(CommandError::Data(format!(
                "{list}: the manifests have a salt of epoch {number} by this key that is not in \
                 the list: restore the whole list"
            )));
        }
    }
    Ok(())
}

fn draw(asked: DrawnSalt, entropy: KeyEntropy<'_>) -> Result<DrawnSalt, CommandError> {
    start_up_test(entropy)?;
    let mut value = [0; 32];
    entropy(&mut value)?;
    Ok(DrawnSalt { value, ..asked })
}
