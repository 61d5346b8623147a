//! The development keyring (D16): what a first start without any configuration runs on.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use zeroize::Zeroizing;

use super::load::{Loaded, load, write_root};
use super::{Entropy, KeyFault, KeyFile, MANIFESTS, ROOT, Role};
use crate::engine::{Catalogue, ENGINE_ID, ListedGame, NotNamed};
use crate::fairness::encoding::{Hash, Identifier};
use crate::fairness::manifest::{
    ClientPolicy, Epoch, EpochStatus, ListedHouseWay, ListedRuleset, Manifest, ManifestChain,
    Policy, ReceiptKey, Root, SaltSource, SeatAuth, Suite, Tenant,
};
use crate::fairness::record::{Envelope, Kind};
use crate::fairness::secret::EpochSecret;
use crate::fairness::seed::epoch_commit;
use crate::fairness::signature::{PublicKey, SecretKey};
use crate::house_way::HouseWay;

const DAY: u64 = 24 * 3600;
/// How long the epoch of a development folder is open.
const OPEN_DAYS: u64 = 366;
/// How long its rounds can be settled after that.
const SETTLE_DAYS: u64 = 30;

/// Loads a development folder, and creates it first where there is none.
///
/// `now` is in Unix seconds.
///
/// # Errors
///
/// As [`load`] and [`create_dev`]; and if the folder's last epoch has closed, with how
/// to make a new folder.
pub fn open_dev(
    dir: &Path,
    catalogue: &Catalogue,
    now: u64,
    entropy: Entropy<'_>,
) -> Result<Loaded, Vec<KeyFault>> {
    if is_vacant(dir).map_err(|fault| vec![fault])? {
        create_dev(dir, catalogue, now, entropy).map_err(|fault| vec![fault])?;
    }
    let loaded = load(dir, None)?;
    let epochs = &loaded.manifests.newest().manifest.epochs;
    if epochs.iter().any(|epoch| now < epoch.open_until) {
        Ok(loaded)
    } else {
        let what = "the development epoch has closed: move this folder away and start again, \
                    and a new one with new keys is made in its place";
        Err(vec![KeyFault::at(dir, what)])
    }
}

/// Creates a development folder: root 1-of-1, one receipt and one ledger key, tenants
/// `dev` and `dev-locked`, epoch 1 open for 366 days from the day of `now` (Unix
/// seconds, 00:00 UTC), no salt, and everything of `catalogue` to deal.
///
/// The folder appears whole or not at all. Where another process was faster, its folder
/// stays and this one's keys are forgotten: two servers on one folder end up with one
/// keyring. `dir` may be an empty folder but not a mount point.
///
/// # Errors
///
/// If entropy or the file system fails.
pub fn create_dev(
    dir: &Path,
    catalogue: &Catalogue,
    now: u64,
    entropy: Entropy<'_>,
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
    if !matches!(placed, Ok(Placed::Here)) {
        std::fs::remove_dir_all(&made).map_err(fault)?;
    }
    placed.map(drop)
}

/// Whether a folder is missing or empty.
fn is_vacant(dir: &Path) -> Result<bool, KeyFault> {
    match std::fs::read_dir(dir) {
        Ok(mut entries) => Ok(entries.next().is_none()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(true),
        Err(error) => Err(KeyFault::at(dir, error.to_string())),
    }
}

/// Whose folder is in its place.
enum Placed {
    /// The one that was made here.
    Here,
    /// One that another process made in the meantime.
    Elsewhere,
}

/// Gives the finished folder its name. A rename replaces an empty folder, never a full
/// one, so of two processes exactly one succeeds.
fn place(made: &Path, dir: &Path) -> Result<Placed, KeyFault> {
    match std::fs::rename(made, dir) {
        Ok(()) => Ok(Placed::Here),
        Err(_) if dir.join(MANIFESTS).exists() => Ok(Placed::Elsewhere),
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
    fn draw(entropy: Entropy<'_>) -> std::io::Result<Self> {
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
            (Role::Root, &self.root),
            (Role::Receipt, &self.receipt),
            (Role::Ledger, &self.ledger),
        ];
        for (role, key) in signing {
            KeyFile::Signing { role, key: key.clone() }.write_new(dir)?;
        }
        KeyFile::Epoch { epoch: 1, secret: self.epoch.clone() }.write_new(dir)?;

        let unlisted = |error: NotNamed| {
            KeyFault::at(dir, format!("{error}; the manifest of a new keyring lists an id once"))
        };
        let manifest = self.manifest(catalogue, now).map_err(unlisted)?;
        let record = Envelope::seal(Kind::Manifest, &manifest.to_json(), &[&self.root]);
        let root = Root { keys: vec![self.root.public()], threshold: 1 };
        // A folder that could never be loaded is not made.
        ManifestChain::load(&root, std::slice::from_ref(&record)).map_err(|faults| {
            let faults: Vec<String> = faults.iter().map(ToString::to_string).collect();
            KeyFault::at(dir, faults.join("; "))
        })?;
        let text = |name: &str, text: String| {
            let path: PathBuf = dir.join(name);
            std::fs::write(&path, text).map_err(|error| KeyFault::at(&path, error.to_string()))
        };
        text(ROOT, write_root(&root))?;
        text(MANIFESTS, record.to_line() + "\n")
    }

    fn manifest(&self, catalogue: &Catalogue, now: u64) -> Result<Manifest, NotNamed> {
        let open_from = now - now % DAY;
        let open_until = open_from + OPEN_DAYS * DAY;
        Ok(Manifest {
            builds: None,
            engine: identifier(ENGINE_ID),
            epochs: vec![Epoch {
                epoch: 1,
                suite: Suite::Derived,
                commit: Some(epoch_commit(1, &self.epoch)),
                salt_source: Some(SaltSource::None),
                salt: Some(Hash::ZERO),
                open_from,
                open_until,
                settle_until: open_until + SETTLE_DAYS * DAY,
                status: EpochStatus::Active,
            }],
            house_ways: Some(listed_house_ways(catalogue)?),
            prev: Hash::ZERO,
            receipt_keys: vec![ReceiptKey { key: self.receipt.public(), revoked: false }],
            root: Some(Root { keys: vec![self.root.public()], threshold: 1 }),
            rulesets: listed_rulesets(catalogue)?,
            seq: 1,
            tenants: dev_tenants(self.ledger.public()),
        })
    }
}

fn dev_tenants(ledger: PublicKey) -> Vec<Tenant> {
    let locked = Policy {
        client: ClientPolicy::Optional,
        lock_required: true,
        chain_required: true,
        seat_auth: SeatAuth::Optional,
    };
    [("dev", Policy::DEV), ("dev-locked", locked)]
        .map(|(name, policy)| Tenant {
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
pub fn listed_rulesets(catalogue: &Catalogue) -> Result<Vec<ListedRuleset>, NotNamed> {
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
pub fn listed_house_ways(catalogue: &Catalogue) -> Result<Vec<ListedHouseWay>, NotNamed> {
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
mod tests {
    use super::*;
    use crate::fairness::record::Envelope;
    use std::os::unix::fs::{MetadataExt, PermissionsExt};

    /// 2026-11-20 13:20:00 UTC.
    const NOW: u64 = 1_795_180_800;

    /// Bytes that differ from call to call, the same in every run.
    fn counting(first: u8) -> impl FnMut(&mut [u8]) -> std::io::Result<()> {
        let mut next = first;
        move |bytes: &mut [u8]| {
            bytes.fill(next);
            next = next.wrapping_add(1);
            Ok(())
        }
    }

    fn lines(faults: &[KeyFault]) -> String {
        faults.iter().map(|fault| fault.to_string() + "\n").collect()
    }

    fn names(dir: &Path) -> Vec<String> {
        let mut names: Vec<String> = std::fs::read_dir(dir)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn a_first_start_makes_the_folder_of_d16() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("deep/keys");
        let loaded = open_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).unwrap();
        let manifest = &loaded.manifests.newest().manifest;
        assert_eq!((manifest.seq, manifest.engine.as_str()), (1, "pge-1"));
        let epoch = manifest.epoch(1).unwrap();
        // 2026-11-20 00:00:00 UTC and 366 days later, by `date -u +%s -d`.
        assert_eq!((epoch.open_from, epoch.open_until), (1_795_132_800, 1_826_755_200));
        assert!(epoch.settle_until >= epoch.open_until + 7 * DAY);
        assert_eq!(epoch.salt, Some(Hash::ZERO));
        assert!(loaded.keys.epoch(1).is_some());
        let locked = manifest.tenant(&identifier("dev-locked")).unwrap();
        assert!(locked.policy.lock_required && locked.policy.chain_required);
        assert_eq!(manifest.tenant(&identifier("dev")).unwrap().policy, Policy::DEV);
        assert_eq!(manifest.rulesets.len(), Catalogue::shipped().games().len());
        assert_eq!(loaded.root.threshold, 1);

        assert_eq!(std::fs::metadata(&dir).unwrap().mode() & 0o777, 0o700);
        for name in names(&dir).iter().filter(|name| name.ends_with(".key")) {
            assert_eq!(std::fs::metadata(dir.join(name)).unwrap().mode() & 0o777, 0o600, "{name}");
        }
        assert_eq!(names(&dir.join("..")), ["keys"], "nothing is left beside it");
    }

    #[test]
    fn a_second_start_finds_the_first_ones_keys() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("keys");
        let first = open_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).unwrap();
        let second = open_dev(&dir, &Catalogue::shipped(), NOW + DAY, &mut counting(100)).unwrap();
        assert_eq!(first.manifests.newest(), second.manifests.newest());
    }

    #[test]
    fn of_two_starts_at_once_one_keyring_stays() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("keys");
        let hashes: Vec<Hash> = std::thread::scope(|scope| {
            let start = |first: u8| {
                let dir = &dir;
                scope.spawn(move || {
                    create_dev(dir, &Catalogue::shipped(), NOW, &mut counting(first)).unwrap();
                    load(dir, None).unwrap().manifests.newest().hash
                })
            };
            let racers: Vec<_> = [1, 60, 120, 180].map(start).into();
            racers.into_iter().map(|racer| racer.join().unwrap()).collect()
        });
        assert!(hashes.windows(2).all(|pair| pair[0] == pair[1]));
        assert_eq!(names(home.path()), ["keys"]);
    }

    #[test]
    fn a_folder_of_something_else_is_left_alone() {
        let home = tempfile::tempdir().unwrap();
        std::fs::write(home.path().join("notes.txt"), "mine").unwrap();
        assert!(open_dev(home.path(), &Catalogue::shipped(), NOW, &mut counting(1)).is_err());
        assert_eq!(names(home.path()), ["notes.txt"]);
    }

    #[test]
    fn a_closed_epoch_says_how_to_make_a_new_folder() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("keys");
        create_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).unwrap();
        assert!(open_dev(&dir, &Catalogue::shipped(), 1_826_755_199, &mut counting(9)).is_ok());
        let faults =
            open_dev(&dir, &Catalogue::shipped(), 1_826_755_200, &mut counting(9)).unwrap_err();
        assert!(lines(&faults).contains("move this folder away"), "{}", lines(&faults));
    }

    #[test]
    fn every_fault_of_a_folder_is_told_at_once() {
        let home = tempfile::tempdir().unwrap();
        let (dir, other) = (home.path().join("keys"), home.path().join("other"));
        create_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).unwrap();
        create_dev(&other, &Catalogue::shipped(), NOW, &mut counting(100)).unwrap();
        std::fs::copy(other.join("epoch-1.key"), dir.join("epoch-1.key")).unwrap();
        for name in names(&other).iter().filter(|name| name.starts_with("receipt-")) {
            std::fs::copy(other.join(name), dir.join(name)).unwrap();
        }
        for name in names(&dir).iter().filter(|name| name.starts_with("receipt-")) {
            std::fs::set_permissions(dir.join(name), PermissionsExt::from_mode(0o644)).unwrap();
        }
        let text = lines(&load(&dir, None).unwrap_err());
        assert!(text.contains("not the secret that the manifest commits to"), "{text}");
        assert!(text.contains("which signs, is not there"), "{text}");
        assert_eq!(text.matches("chmod 600").count(), 2, "{text}");
    }

    #[test]
    fn manifests_of_another_root_are_refused() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("keys");
        create_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).unwrap();
        let stranger = SecretKey::from_bytes(&[200; 32]);
        let root = Root { keys: vec![stranger.public()], threshold: 1 };
        let text = lines(&load(&dir, Some(root)).unwrap_err());
        assert!(text.contains("not signed by 1 of the 1 trusted root keys"), "{text}");

        // Signed by the right root, but the payload was changed after.
        let path = dir.join(MANIFESTS);
        let line = std::fs::read(&path).unwrap();
        let mut json: serde_json::Value = serde_json::from_slice(&line).unwrap();
        let record = Envelope::parse(line.trim_ascii_end()).unwrap();
        let payload = String::from_utf8(record.payload().to_vec()).unwrap();
        let forged = payload.replace("\"dev-locked\"", "\"dev-open\"");
        use base64::Engine as _;
        json["payload"] = base64::engine::general_purpose::STANDARD.encode(forged).into();
        std::fs::write(&path, json.to_string()).unwrap();
        assert!(load(&dir, None).is_err());
    }

    #[test]
    fn roots_are_read_back_and_nonsense_is_refused() {
        let keys: Vec<PublicKey> =
            [1, 2, 3].map(|byte| SecretKey::from_bytes(&[byte; 32]).public()).to_vec();
        let root = Root { keys: keys.clone(), threshold: 2 };
        let again = super::super::parse_root(write_root(&root).as_bytes()).unwrap();
        assert_eq!((again.keys.len(), again.threshold), (3, 2));
        let twice = Root { keys: vec![keys[0], keys[0]], threshold: 1 };
        let high = Root { keys: keys.clone(), threshold: 4 };
        let none = Root { keys, threshold: 0 };
        for bad in [twice, high, none] {
            assert!(super::super::parse_root(write_root(&bad).as_bytes()).is_err());
        }
    }

    #[test]
    fn two_files_of_one_id_stop_the_start_and_make_no_folder() {
        let home = tempfile::tempdir().unwrap();
        let dir = home.path().join("keys");
        let mut ways = crate::house_way::shipped().to_vec();
        let twin = format!("{}\n", ways[0].text());
        ways.push(HouseWay::parse(&twin).unwrap());
        let twice = Catalogue::new(ways, Vec::new()).unwrap();
        let faults = open_dev(&dir, &twice, NOW, &mut counting(1)).unwrap_err();
        assert!(lines(&faults).contains("several house ways are called \"ballys-ac\""));
        assert!(!dir.exists());
        // The folder is made once the twin has gone.
        assert!(open_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).is_ok());
    }
}
