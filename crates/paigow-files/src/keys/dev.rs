//! The development keyring (D16), which a first start without any configuration uses.

use std::fs::{DirBuilder, File};
use std::io::Write;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::load::{LoadedKeys, load, write_root};
use super::{KeyEntropy, KeyFault, KeyFile, KeyRole, MANIFESTS, ROOT};
use crate::system::may_write;
use paigow_engine::{KeyRing, SecretKey};
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::manifest::{
    AbsentPolicy, ClientPolicy, Epoch, EpochStatus, ExternalPolicy, ListedHouseWay, ListedRuleset,
    Manifest, ManifestChain, ManifestTenant, Policy, ReceiptKey, Root, SaltSource, SeatAuth, Suite,
};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;
use paigow_fairness::signature::PublicKey;
use paigow_round::{Catalogue, ENGINE_ID, ListedGame, NamingFault};
use paigow_rules::house_way::HouseWay;

const DAY: u64 = 24 * 3600;
/// How long the epoch of a development folder is open.
const OPEN_DAYS: u64 = 366;
/// How long its rounds can be settled after that.
const SETTLE_DAYS: u64 = 30;

/// Loads a development folder, and creates it first if it does not exist.
///
/// `now` is in Unix seconds.
///
/// # Errors
///
/// As [`load`] and [`create_dev`]. Also if the folder's last epoch has closed: the error then says
/// how to make a new folder.
pub fn open_dev(
    dir: &Path,
    catalogue: &Catalogue,
    now: u64,
    entropy: KeyEntropy<'_>,
) -> Result<LoadedKeys, Vec<KeyFault>> {
    if is_vacant(dir).map_err(|fault| vec![fault])? {
        create_dev(dir, catalogue, now, entropy).map_err(|fault| vec![fault])?;
    }
    load_open(dir, now)
}

/// Returns the same as [`open_dev`], but makes no folder. If there is no folder, it makes the
/// keyring in memory and does not keep its keys.
///
/// # Errors
///
/// As [`open_dev`]. Also if no folder can be made at this place.
pub fn preview_dev(
    dir: &Path,
    catalogue: &Catalogue,
    now: u64,
    entropy: KeyEntropy<'_>,
) -> Result<LoadedKeys, Vec<KeyFault>> {
    if !is_vacant(dir).map_err(|fault| vec![fault])? {
        return load_open(dir, now);
    }
    let one = |fault: KeyFault| vec![fault];
    let system = |error: std::io::Error| vec![KeyFault::at(dir, error.to_string())];
    may_be_made(dir).map_err(system)?;
    let keys = DevKeys::draw(entropy).map_err(system)?;
    let (_, manifests, root) = keys.sealed(dir, catalogue, now).map_err(one)?;
    let mut ring = KeyRing::default();
    ring.add_receipt_key(keys.receipt);
    ring.add_epoch(1, keys.epoch);
    Ok(LoadedKeys { keys: ring, manifests, root, awaited: None, staged: Vec::new() })
}

/// Loads a development folder with an epoch that is open or will be open.
fn load_open(dir: &Path, now: u64) -> Result<LoadedKeys, Vec<KeyFault>> {
    let loaded = load(dir, None, None)?.that_signs(dir)?;
    let epochs = &loaded.manifests.newest().manifest.epochs;
    if epochs.iter().any(|epoch| now < epoch.open_until) {
        Ok(loaded)
    } else {
        let what = "the development epoch has closed: move this folder away and start again, \
                    and a new one with new keys is made in its place";
        Err(vec![KeyFault::at(dir, what)])
    }
}

/// Creates a development folder.
///
/// It has a root 1-of-1, one receipt key, one ledger key, and the tenants `dev` and `dev-locked`.
/// Epoch 1 is open for 366 days from the day of `now` (Unix seconds, 00:00 UTC) and has no salt.
/// Everything in `catalogue` can be dealt.
///
/// The folder appears whole or not at all. If another process was faster, its folder stays and the
/// keys made here are dropped. So two servers on one folder have one keyring. `dir` may be an empty
/// folder but not a mount point.
///
/// # Errors
///
/// If entropy or the file system fails.
pub fn create_dev(
    dir: &Path,
    catalogue: &Catalogue,
    now: u64,
    entropy: KeyEntropy<'_>,
) -> Result<(), KeyFault> {
    let fault = |error: std::io::Error| KeyFault::at(dir, error.to_string());
    let mut tag = [0; 8];
    entropy(&mut tag).map_err(fault)?;
    let keys = DevKeys::draw(entropy).map_err(fault)?;

    let name = dir.file_name().ok_or_else(|| KeyFault::at(dir, "a folder needs a name"))?;
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(name);
    hidden.push(format!(".new-{}", hex::encode(tag)));
    let made = dir.with_file_name(hidden);
    if let Some(parent) = made.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        std::fs::create_dir_all(parent).map_err(fault)?;
    }
    DirBuilder::new().mode(0o700).create(&made).map_err(fault)?;
    let placed = keys.write(&made, catalogue, now).and_then(|()| place(&made, dir));
    if !matches!(placed, Ok(KeyPlacement::Here)) {
        std::fs::remove_dir_all(&made).map_err(fault)?;
    }
    placed.map(drop)
}

/// A development folder with the key of its root, so that one person can end its epochs.
#[derive(Clone, Debug)]
pub struct DevKeyring {
    dir: PathBuf,
    /// The keys that a server loads from the folder.
    pub loaded: LoadedKeys,
    root: SecretKey,
}

impl DevKeyring {
    /// Loads a development folder, and refuses any other.
    ///
    /// The folder holds the only key of its root, and its newest manifest lists one epoch. Every
    /// epoch of its manifests is derived without a salt. No tenant has a policy that a production
    /// server admits. So no production server serves any of its epochs.
    ///
    /// # Errors
    ///
    /// As [`load`]. Also returns the first fact that a development folder cannot have.
    pub fn open(dir: &Path) -> Result<Self, Vec<KeyFault>> {
        let loaded = load(dir, None, None)?.that_signs(dir)?;
        let refuse =
            |what: &str| vec![KeyFault::at(dir, format!("no development keyring: {what}"))];
        let [public] = loaded.root.keys[..] else {
            return Err(refuse("its root has several keys"));
        };
        let path = dir.join(format!("{}-{}.key", KeyRole::Root.name(), public.kid()));
        if !path.exists() {
            return Err(refuse("it does not hold the key of its root"));
        }
        let root = match KeyFile::read(&path, None).map_err(|fault| vec![fault])? {
            KeyFile::Signing { role: KeyRole::Root, key } if key.public() == public => key,
            KeyFile::Signing { .. } | KeyFile::Epoch { .. } | KeyFile::Token { .. } => {
                return Err(vec![KeyFault::at(&path, "not the key of the root")]);
            }
        };
        for signed in loaded.manifests.all() {
            let manifest = &signed.manifest;
            for epoch in &manifest.epochs {
                if epoch.salt_source != Some(SaltSource::None) {
                    let number = epoch.epoch;
                    return Err(refuse(&format!("epoch {number} is not one without a salt")));
                }
            }
            let for_production = |tenant: &&ManifestTenant| tenant.production_faults().is_empty();
            if let Some(tenant) = manifest.tenants.iter().find(for_production) {
                let name = &tenant.tenant;
                return Err(refuse(&format!("tenant {name} has a policy for production")));
            }
        }
        if loaded.manifests.newest().manifest.epochs.len() != 1 {
            return Err(refuse("its newest manifest does not list exactly one epoch"));
        }
        Ok(Self { dir: dir.to_owned(), loaded, root })
    }

    /// Returns the number of the epoch in force.
    ///
    /// # Panics
    ///
    /// Never: the newest manifest lists one epoch.
    #[must_use]
    pub fn epoch(&self) -> u32 {
        let newest = &self.loaded.manifests.newest().manifest;
        newest.epochs.first().expect("a development keyring has an epoch").epoch
    }

    /// Ends the epoch in force, starts a new one, and returns its number.
    ///
    /// Two manifests are added to the chain. The first lists the epoch as revealed. The second
    /// lists the new epoch in its place, open for 366 days from the day of `now` (Unix seconds,
    /// 00:00 UTC). A running server reads them and serves no round of an earlier epoch any more.
    ///
    /// # Errors
    ///
    /// If entropy or the file system fails, or the folder has an epoch of the highest number.
    pub fn next_epoch(&self, now: u64, entropy: KeyEntropy<'_>) -> Result<u32, KeyFault> {
        let fault = |error: std::io::Error| KeyFault::at(&self.dir, error.to_string());
        let mut secret = Zeroizing::new([0; 32]);
        entropy(secret.as_mut_slice()).map_err(fault)?;
        let secret = EpochSecret::new(*secret);
        let chain = &self.loaded.manifests;
        let numbers = chain.all().iter().flat_map(|signed| &signed.manifest.epochs);
        let last = numbers.map(|epoch| epoch.epoch).max().unwrap_or(0);
        let number = last + 1;
        let newest = chain.newest();
        let mut revealed =
            Manifest { seq: newest.manifest.seq + 1, prev: newest.hash, ..newest.manifest.clone() };
        for epoch in &mut revealed.epochs {
            epoch.status = EpochStatus::Revealed;
        }
        let seal = |manifest: &Manifest| {
            RecordEnvelope::seal(RecordKind::Manifest, &manifest.to_json(), &[&self.root])
        };
        let ended = seal(&revealed);
        let renewed = seal(&Manifest {
            seq: revealed.seq + 1,
            prev: ended.hash(),
            epochs: vec![dev_epoch(number, &secret, now)],
            ..revealed
        });
        let before = chain.all().iter().map(|signed| &signed.envelope);
        let records: Vec<RecordEnvelope> = before.chain([&ended, &renewed]).cloned().collect();
        // A chain that could never be loaded is not written.
        ManifestChain::load(&self.loaded.root, &records).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            KeyFault::at(&self.dir, faults.join("; "))
        })?;
        let lines: String = records.iter().map(|record| record.to_line() + "\n").collect();
        KeyFile::Epoch { epoch: number, secret }.write_new(&self.dir)?;
        replace(&self.dir.join(MANIFESTS), lines.as_bytes()).map_err(fault)?;
        Ok(number)
    }
}

/// Replaces a file as a whole or not at all.
fn replace(path: &Path, content: &[u8]) -> std::io::Result<()> {
    let next = path.with_extension("next");
    let mut file = File::create(&next)?;
    file.write_all(content)?;
    file.sync_all()?;
    std::fs::rename(&next, path)
}

/// Whether a folder is missing or empty.
fn is_vacant(dir: &Path) -> Result<bool, KeyFault> {
    match std::fs::read_dir(dir) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(KeyFault::at(dir, error.to_string())),
    }
}

/// Checks that a folder can be made at a place, or can replace an empty one. The nearest folder
/// above it must exist and be writable.
fn may_be_made(dir: &Path) -> std::io::Result<()> {
    let above = dir.ancestors().skip(1).map(|above| match above {
        // The parent folder of a bare name.
        above if above.as_os_str().is_empty() => Path::new("."),
        above => above,
    });
    for above in above {
        match std::fs::symlink_metadata(above) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(_) => return may_write(above),
        }
    }
    Ok(())
}

/// The process whose folder is in its place.
enum KeyPlacement {
    /// The one that was made here.
    Here,
    /// One that another process made in the meantime.
    Elsewhere,
}

/// Gives the finished folder its name. A rename replaces an empty folder, but never a full one. So
/// of two processes exactly one succeeds.
fn place(made: &Path, dir: &Path) -> Result<KeyPlacement, KeyFault> {
    match std::fs::rename(made, dir) {
        Ok(()) => Ok(KeyPlacement::Here),
        Err(_) if dir.join(MANIFESTS).exists() => Ok(KeyPlacement::Elsewhere),
        Err(error) => Err(KeyFault::at(dir, error.to_string())),
    }
}

/// The secrets of a development folder.
struct DevKeys {
    root: SecretKey,
    receipt: SecretKey,
    ledger: SecretKey,
    epoch: EpochSecret,
}

impl DevKeys {
    fn draw(entropy: KeyEntropy<'_>) -> std::io::Result<Self> {
        let mut draw = || -> std::io::Result<Zeroizing<[u8; 32]>> {
            let mut bytes = Zeroizing::new([0; 32]);
            entropy(bytes.as_mut_slice())?;
            Ok(bytes)
        };
        Ok(Self {
            root: SecretKey::from_bytes(&*draw()?),
            receipt: SecretKey::from_bytes(&*draw()?),
            ledger: SecretKey::from_bytes(&*draw()?),
            epoch: EpochSecret::new(*draw()?),
        })
    }

    fn write(&self, dir: &Path, catalogue: &Catalogue, now: u64) -> Result<(), KeyFault> {
        let signing = [
            (KeyRole::Root, &self.root),
            (KeyRole::Receipt, &self.receipt),
            (KeyRole::Ledger, &self.ledger),
        ];
        for (role, key) in signing {
            KeyFile::Signing { role, key: key.clone() }.write_new(dir)?;
        }
        KeyFile::Epoch { epoch: 1, secret: self.epoch.clone() }.write_new(dir)?;

        // A folder that could never be loaded is not made.
        let (record, _, root) = self.sealed(dir, catalogue, now)?;
        let text = |name: &str, text: String| {
            let path: PathBuf = dir.join(name);
            std::fs::write(&path, text).map_err(|error| KeyFault::at(&path, error.to_string()))
        };
        text(ROOT, write_root(&root))?;
        text(MANIFESTS, record.to_line() + "\n")
    }

    /// Returns the record of the first manifest, the chain with only this manifest, and its root.
    fn sealed(
        &self,
        dir: &Path,
        catalogue: &Catalogue,
        now: u64,
    ) -> Result<(RecordEnvelope, ManifestChain, Root), KeyFault> {
        let unlisted = |error: NamingFault| {
            KeyFault::at(dir, format!("{error}; the manifest of a new keyring lists an id once"))
        };
        let manifest = self.manifest(catalogue, now).map_err(unlisted)?;
        let record = RecordEnvelope::seal(RecordKind::Manifest, &manifest.to_json(), &[&self.root]);
        let root = Root { keys: vec![self.root.public()], threshold: 1 };
        let chain = ManifestChain::load(&root, std::slice::from_ref(&record));
        let chain = chain.map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            KeyFault::at(dir, faults.join("; "))
        })?;
        Ok((record, chain, root))
    }

    fn manifest(&self, catalogue: &Catalogue, now: u64) -> Result<Manifest, NamingFault> {
        Ok(Manifest {
            beacon: None,
            log: None,
            builds: None,
            engine: identifier(ENGINE_ID),
            epochs: vec![dev_epoch(1, &self.epoch, now)],
            house_ways: listed_house_ways(catalogue)?,
            prev: Hash::ZERO,
            receipt_keys: vec![ReceiptKey { key: self.receipt.public(), revoked: false }],
            root: Root { keys: vec![self.root.public()], threshold: 1 },
            rulesets: listed_rulesets(catalogue)?,
            seq: 1,
            tenants: dev_tenants(self.ledger.public()),
        })
    }
}

/// Returns an epoch without a salt, open from the day of `now`.
fn dev_epoch(epoch: u32, secret: &EpochSecret, now: u64) -> Epoch {
    let open_from = now - now % DAY;
    let open_until = open_from + OPEN_DAYS * DAY;
    Epoch {
        epoch,
        suite: Suite::Derived,
        commit: Some(epoch_commit(epoch, secret)),
        vrf_key: None,
        salt_source: Some(SaltSource::None),
        salt: Some(Hash::ZERO),
        open_from,
        open_until,
        settle_until: open_until + SETTLE_DAYS * DAY,
        status: EpochStatus::Active,
    }
}

fn dev_tenants(ledger: PublicKey) -> Vec<ManifestTenant> {
    let locked = Policy {
        external: ExternalPolicy::None,
        client: ClientPolicy::Optional,
        lock_required: true,
        chain_required: true,
        seat_auth: SeatAuth::Optional,
        absent: AbsentPolicy::Optional,
    };
    [("dev", Policy::DEV), ("dev-locked", locked)]
        .map(|(name, policy)| ManifestTenant {
            ledger_keys: vec![ledger],
            policy,
            tables: None,
            tenant: identifier(name),
        })
        .to_vec()
}

/// Returns the rulesets of a catalogue as a manifest lists them.
///
/// # Errors
///
/// If two files have one id: a manifest lists each id once.
///
/// # Panics
///
/// Never: a deck has at most 53 cards, and ids have the form of identifiers.
pub fn listed_rulesets(catalogue: &Catalogue) -> Result<Vec<ListedRuleset>, NamingFault> {
    let listed = |game: &ListedGame| {
        let id = game.ruleset.id();
        catalogue.game_named(id).map(|_| ListedRuleset {
            cards: u8::try_from(game.ruleset.cards()).expect("a deck has at most 53 cards"),
            hash: game.hash,
            name: identifier(id),
        })
    };
    catalogue.games().into_iter().map(listed).collect()
}

/// Returns the house ways of a catalogue as a manifest lists them.
///
/// # Errors
///
/// If two files have one id: a manifest lists each id once.
///
/// # Panics
///
/// Never: ids have the form of identifiers.
pub fn listed_house_ways(catalogue: &Catalogue) -> Result<Vec<ListedHouseWay>, NamingFault> {
    let listed = |(hash, way): (Hash, &HouseWay)| {
        let name = identifier(way.id());
        catalogue.house_way_named(way.id()).map(|_| ListedHouseWay { hash, name })
    };
    catalogue.house_ways().into_iter().map(listed).collect()
}

fn identifier(name: &str) -> Identifier {
    name.parse().expect("the ids of rules files have the form of identifiers")
}

#[cfg(test)]
mod tests;
