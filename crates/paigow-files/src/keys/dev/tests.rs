//! The development folder: its content and its refusals.

use super::*;
use paigow_fairness::record::RecordEnvelope;
use std::os::unix::fs::{MetadataExt, PermissionsExt};

/// 2026-11-20 13:20:00 UTC.
const NOW: u64 = 1_795_180_800;

/// Returns a source of bytes that differ from call to call and are the same in every run.
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
    assert_eq!(locked.policy.absent, AbsentPolicy::Optional);
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
                load(dir, None, None).unwrap().manifests.newest().hash
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
    let text = lines(&load(&dir, None, None).unwrap_err());
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
    let text = lines(&load(&dir, None, Some(root)).unwrap_err());
    assert!(text.contains("not signed by 1 of the 1 trusted root keys"), "{text}");

    // The right root key has signed the manifest, but the payload was changed afterwards.
    let path = dir.join(MANIFESTS);
    let line = std::fs::read(&path).unwrap();
    let mut json: serde_json::Value = serde_json::from_slice(&line).unwrap();
    let record = RecordEnvelope::parse(line.trim_ascii_end()).unwrap();
    let payload = String::from_utf8(record.payload().to_vec()).unwrap();
    let forged = payload.replace("\"dev-locked\"", "\"dev-open\"");
    use base64::Engine as _;
    json["payload"] = base64::engine::general_purpose::STANDARD.encode(forged).into();
    std::fs::write(&path, json.to_string()).unwrap();
    assert!(load(&dir, None, None).is_err());
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
    let mut ways = paigow_rules::house_way::shipped().to_vec();
    let twin = format!("{}\n", ways[0].text());
    ways.push(HouseWay::parse(&twin).unwrap());
    let twice = Catalogue::new(ways, Vec::new()).unwrap();
    let faults = open_dev(&dir, &twice, NOW, &mut counting(1)).unwrap_err();
    assert!(lines(&faults).contains("several house ways are called \"ballys-ac\""));
    assert!(!dir.exists());
    // The folder is made once the twin has gone.
    assert!(open_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).is_ok());
}

/// Makes a folder, and returns its path and its keyring.
fn made(home: &Path) -> (PathBuf, DevKeyring) {
    let dir = home.join("keys");
    create_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).unwrap();
    let keyring = DevKeyring::open(&dir).unwrap();
    (dir, keyring)
}

#[test]
fn the_next_epoch_takes_the_place_of_the_one_that_ends() {
    let home = tempfile::tempdir().unwrap();
    let (dir, keyring) = made(home.path());
    assert_eq!(keyring.epoch(), 1);
    let announced = keyring.loaded.manifests.newest().hash;
    assert_eq!(keyring.next_epoch(NOW + 3 * DAY, &mut counting(50)).unwrap(), 2);
    let loaded = open_dev(&dir, &Catalogue::shipped(), NOW + 3 * DAY, &mut counting(9)).unwrap();
    let [first, ended, renewed] = loaded.manifests.all() else { panic!("three manifests") };
    assert_eq!((first.hash, ended.manifest.prev), (announced, announced));
    assert_eq!(ended.manifest.epoch(1).unwrap().status, EpochStatus::Revealed);
    let numbers = |manifest: &Manifest| -> Vec<u32> {
        manifest.epochs.iter().map(|epoch| epoch.epoch).collect()
    };
    assert_eq!((numbers(&ended.manifest), numbers(&renewed.manifest)), (vec![1], vec![2]));
    let epoch = renewed.manifest.epoch(2).unwrap();
    // Three days later than the first: 2026-11-23 00:00:00 UTC.
    assert_eq!(epoch.open_from, 1_795_392_000);
    let secrets = [1, 2].map(|epoch| *loaded.keys.epoch(epoch).unwrap().0.expose());
    assert_ne!(secrets[0], secrets[1]);
    assert_eq!(DevKeyring::open(&dir).unwrap().epoch(), 2);
    // The secret of the next epoch is made once.
    assert!(keyring.next_epoch(NOW, &mut counting(50)).is_err());
}

#[test]
fn no_other_keyring_is_a_development_keyring() {
    let change = |edit: &dyn Fn(&mut Manifest)| {
        let home = tempfile::tempdir().unwrap();
        let (dir, keyring) = made(home.path());
        let newest = keyring.loaded.manifests.newest();
        let mut manifest = newest.manifest.clone();
        (manifest.seq, manifest.prev) = (2, newest.hash);
        edit(&mut manifest);
        let next =
            RecordEnvelope::seal(RecordKind::Manifest, &manifest.to_json(), &[&keyring.root]);
        let chain = format!("{}\n{}\n", newest.envelope.to_line(), next.to_line());
        std::fs::write(dir.join(MANIFESTS), chain).unwrap();
        DevKeyring::open(&dir).err().map(|faults| lines(&faults))
    };
    let told = |edit: &dyn Fn(&mut Manifest)| change(edit).unwrap_or_default();
    assert_eq!(change(&|_| {}), None);
    let for_production = |manifest: &mut Manifest| {
        let tenant = manifest.tenants.iter_mut().find(|tenant| tenant.policy.lock_required);
        tenant.unwrap().tables = Some(vec![identifier("T1")]);
    };
    let what = told(&for_production);
    assert!(what.contains("tenant dev-locked has a policy for production"), "{what}");
    let committed = |manifest: &mut Manifest| {
        let tenant = manifest.tenants.iter_mut().find(|tenant| tenant.policy.lock_required);
        tenant.unwrap().policy.client = ClientPolicy::Committed;
    };
    assert!(told(&committed).contains("has a policy for production"));
    let more = |witnessed: bool| {
        move |manifest: &mut Manifest| {
            let mut epoch = manifest.epochs[0].clone();
            (epoch.epoch, epoch.commit) = (2, Some(Hash::of(b"another")));
            (epoch.open_from, epoch.open_until) = (epoch.open_until, epoch.open_until + DAY);
            if witnessed {
                let key = SecretKey::from_bytes(&[77; 32]).public();
                (epoch.salt_source, epoch.salt) =
                    (Some(SaltSource::Party { key, value: None }), None);
            }
            manifest.epochs.push(epoch);
        }
    };
    assert!(told(&more(true)).contains("epoch 2 is not one without a salt"));
    assert!(told(&more(false)).contains("does not list exactly one epoch"));

    let home = tempfile::tempdir().unwrap();
    let (dir, keyring) = made(home.path());
    let root = dir.join(format!("root-{}.key", keyring.root.public().kid()));
    let hidden = dir.join("elsewhere");
    std::fs::rename(&root, &hidden).unwrap();
    let what = lines(&DevKeyring::open(&dir).unwrap_err());
    assert!(
        what.contains("no development keyring: it does not hold the key of its root"),
        "{what}"
    );
    // Another key has that name.
    let other = KeyFile::Signing { role: KeyRole::Root, key: SecretKey::from_bytes(&[9; 32]) };
    std::fs::rename(other.write_new(&dir).unwrap(), &root).unwrap();
    assert!(lines(&DevKeyring::open(&dir).unwrap_err()).contains("not the key of the root"));
}

#[test]
fn a_preview_is_what_a_start_would_make_and_makes_nothing() {
    let home = tempfile::tempdir().unwrap();
    let dir = home.path().join("new/keys");
    let made = preview_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).unwrap();
    assert!(names(home.path()).is_empty());
    let again = open_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(1)).unwrap();
    let (made, again) = (&made.manifests.newest().manifest, &again.manifests.newest().manifest);
    assert_eq!((&made.rulesets, &made.tenants.len()), (&again.rulesets, &again.tenants.len()));
    // For a folder that exists, the answer is that of a start.
    let before = names(&dir);
    preview_dev(&dir, &Catalogue::shipped(), NOW, &mut counting(9)).unwrap();
    assert_eq!(names(&dir), before);
    let closed = preview_dev(&dir, &Catalogue::shipped(), 1_826_755_200, &mut counting(9));
    assert!(lines(&closed.unwrap_err()).contains("move this folder away"));
    // A folder cannot be made below a file.
    let file = home.path().join("file");
    std::fs::write(&file, "").unwrap();
    let below = preview_dev(&file.join("a/b"), &Catalogue::shipped(), NOW, &mut counting(9));
    assert!(lines(&below.unwrap_err()).contains("Not a directory"));
}
