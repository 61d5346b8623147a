use std::fs;

use super::*;
use paigow_engine::SecretKey;
use paigow_fairness::encoding::Identifier;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::keys;
use paigow_files::release::critical::Critical;
use paigow_files::release::{Binary, Code, ReleasedPage};

/// The checks that fail with a bad record. Without a record the file on disk has to be the running
/// executable. Here only a record vouches for both.
const WITHOUT_RECORD: [Code; 2] = [Code::Release, Code::Executable];

/// A folder with everything that a verified process runs from.
struct Home {
    folder: tempfile::TempDir,
    context: RoundContext,
    root: SecretKey,
}

fn name(text: &str) -> Identifier {
    text.parse().unwrap()
}

impl Home {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir_all(path("rules/rulesets")).unwrap();
        let rules = include_str!("../../../crates/paigow-rules/src/game/rulesets/mikes.toml");
        let own = rules.replacen("id = \"mikes\"", "id = \"our-game\"", 1);
        fs::write(path("rules/rulesets/our-game.toml"), own).unwrap();
        fs::write(path("executable"), "\x7fELF and the rest").unwrap();
        let settings = format!(
            "[rules]\ndirectory = {:?}\n[verification]\nrelease_file = {:?}\n",
            path("rules"),
            path("release.jsonl")
        );
        fs::write(path("server.toml"), settings).unwrap();

        let catalogue = rules_folder::catalogue(&path("rules")).unwrap();
        let dev = path("keys");
        let loaded = keys::open_dev(&dev, &catalogue, 1_795_132_800, &mut host::entropy).unwrap();
        let kid = loaded.root.keys[0].kid();
        let file = keys::KeyFile::read(&dev.join(format!("root-{kid}.key")), None).unwrap();
        let keys::KeyFile::Signing { key: root, .. } = file else { panic!("a root key signs") };
        let context = RoundContext { catalogue, manifests: loaded.manifests, root: loaded.root };
        Self { folder, context, root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Starts a process: its executable is a file of the folder, everything else is this test's.
    fn start(&self) -> EngineVerifier {
        let file = self.path("server.toml");
        let config = Config::load(Some(&file)).unwrap();
        let verifier = EngineVerifier::new(
            &config,
            SettingsFrom::Sources(Some(file)),
            self_test::run().unwrap(),
        );
        EngineVerifier { executable: Some(self.path("executable")), ..verifier }
    }

    /// A record of everything in the folder and in this process.
    fn release(&self) -> Release {
        let verifier = self.start();
        let build = Some(BuildSettings::of_program(BUILD_SETTINGS).unwrap());
        let binary = |text: &str, sha256| {
            let build = build.clone();
            Binary { name: name(text), sha256, size: 1, build }
        };
        let mut libraries: Vec<Binary> = shared_objects()
            .into_iter()
            .map(|file| binary(file.name.rsplit('/').next().unwrap(), file.sha256.unwrap()))
            .collect();
        libraries.sort_by_key(|library| library.name.clone());
        let sorted = |mut list: Vec<Named>| {
            list.sort();
            list
        };
        let (rulesets, house_ways) = contents(&self.context.catalogue);
        Release {
            binaries: vec![
                binary("on-disk", hash_of(&self.path("executable")).unwrap()),
                binary("running", host::executable_sha256().unwrap()),
            ],
            configurations: vec![Named { name: name("server.toml"), hash: verifier.configuration }],
            created: None,
            critical: Critical::from_inputs(vec![]).unwrap(),
            engine: name("pge-1"),
            house_ways: sorted(house_ways),
            libraries,
            page: ReleasedPage { sha256: Hash::of(b"page"), size: 4 },
            prev: None,
            revision: "unknown".to_owned(),
            rulesets: sorted(rulesets),
            self_test: verifier.self_test_at_start,
            version: "0.1.0".to_owned(),
        }
    }

    fn publish(&self, release: &Release) {
        let line = release::seal(release, &[&self.root]).to_line();
        fs::write(self.path("release.jsonl"), line + "\n").unwrap();
    }

    fn failed(&self, verifier: &EngineVerifier) -> Vec<Code> {
        verifier.run(&self.context).failed().map(|check| check.code).collect()
    }

    /// Replaces one place of a file.
    fn change(&self, file: &str, from: &str, to: &str) {
        let text = fs::read_to_string(self.path(file)).unwrap();
        assert!(text.contains(from), "{file}: {from}");
        fs::write(self.path(file), text.replacen(from, to, 1)).unwrap();
    }
}

#[test]
fn what_was_released_verifies_and_one_changed_byte_of_anything_does_not() {
    let home = Home::new();
    home.publish(&home.release());
    let verifier = home.start();
    let verdict = verifier.run(&home.context);
    assert!(verdict.passed(), "{:#?}", verdict.checks);
    assert!(verdict.checks.iter().all(|check| check.status == Status::Passed));
    assert_eq!(verdict.checks.len(), 9);

    for (file, from, to, codes) in [
        ("executable", "the rest", "the resT", &[Code::Executable][..]),
        ("rules/rulesets/our-game.toml", "Mike's", "Mika's", &[Code::Rulesets]),
        ("server.toml", "[rules]", "[Rules]", &[Code::Configuration]),
        ("release.jsonl", "\"payload\"", "\"Payload\"", &WITHOUT_RECORD),
    ] {
        home.change(file, from, to);
        let failed = home.failed(&verifier);
        assert_eq!(failed, codes, "{file}");
        home.change(file, to, from);
        assert_eq!(home.failed(&verifier), [], "{file}");
    }
}

#[test]
fn what_is_missing_fails_like_what_is_changed() {
    for (file, codes) in [
        ("executable", &[Code::Executable][..]),
        ("rules/rulesets", &[]),
        ("rules", &[Code::Rulesets, Code::HouseWays]),
        ("server.toml", &[Code::Configuration]),
        ("release.jsonl", &WITHOUT_RECORD),
    ] {
        let home = Home::new();
        home.publish(&home.release());
        let verifier = home.start();
        fs::rename(home.path(file), home.path("aside")).unwrap();
        assert_eq!(home.failed(&verifier), codes, "{file}");
    }
}

#[test]
fn a_record_that_the_root_has_not_signed_vouches_for_nothing() {
    let home = Home::new();
    let release = home.release();
    let stranger = SecretKey::from_bytes(&[7; 32]);
    let line = release::seal(&release, &[&stranger]).to_line();
    fs::write(home.path("release.jsonl"), line).unwrap();
    let verdict = home.start().run(&home.context);
    let failed: Vec<&Check> = verdict.failed().collect();
    assert_eq!(failed.iter().map(|check| check.code).collect::<Vec<_>>(), WITHOUT_RECORD);
    assert!(failed[0].found.ends_with("not signed by 1 of the 1 trusted root keys"));
    // A manifest is signed by the root, but is not a release record.
    let manifest = home.context.manifests.newest().manifest.to_json();
    let line = RecordEnvelope::seal(RecordKind::Manifest, &manifest, &[&home.root]).to_line();
    fs::write(home.path("release.jsonl"), line).unwrap();
    assert_eq!(home.failed(&home.start()), WITHOUT_RECORD);
}

#[test]
fn the_next_release_is_laid_out_beside_the_running_one() {
    let home = Home::new();
    let mut release = home.release();
    home.publish(&release);
    let verifier = home.start();
    home.change("server.toml", "[rules]", "[server]\ntenant = \"dev-locked\"\n[rules]");
    assert_eq!(home.failed(&verifier), [Code::Configuration]);
    let hash = Config::load(Some(&home.path("server.toml"))).unwrap().digest();
    release.configurations.push(Named { name: name("server-2.toml"), hash });
    release.configurations.sort();
    home.publish(&release);
    assert_eq!(home.failed(&verifier), []);
}

#[test]
fn without_a_record_files_have_to_stay_what_they_were() {
    let home = Home::new();
    let file = home.path("server.toml");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.split("[verification]").next().unwrap()).unwrap();
    let config = Config::load(Some(&file)).unwrap();
    let verifier = EngineVerifier::new(
        &config,
        SettingsFrom::Sources(Some(file.clone())),
        self_test::run().unwrap(),
    );
    let verdict = verifier.run(&home.context);
    assert!(verdict.passed(), "{:#?}", verdict.checks);
    let skipped = verdict.checks.iter().filter(|check| check.status == Status::Skipped);
    let skipped: Vec<Code> = skipped.map(|check| check.code).collect();
    assert_eq!(skipped, [Code::Release, Code::Build, Code::SharedObjects]);

    fs::write(&file, "[server]\ntenant = \"other\"\n").unwrap();
    home.change("rules/rulesets/our-game.toml", "Mike's", "Mika's");
    assert_eq!(home.failed(&verifier), [Code::Rulesets, Code::Configuration]);
}

#[test]
fn the_code_that_a_process_has_mapped_is_found_by_path() {
    let maps = "\
55d0c0a00000-55d0c0a10000 r--p 00000000 08:01 131 /usr/bin/paigow server\n\
55d0c0a10000-55d0c0a20000 r-xp 00010000 08:01 131 /usr/bin/paigow server\n\
7f0000000000-7f0000100000 rw-p 00000000 00:00 0 \n\
7f0000200000-7f0000300000 r-xp 00000000 08:01 77 /lib/x86_64-linux-gnu/libc.so.6\n\
7f0000300000-7f0000400000 r--p 00100000 08:01 78 /lib/x86_64-linux-gnu/libm.so.6\n\
7ffd00000000-7ffd00001000 r-xp 00000000 00:00 0 [vdso]\n";
    let found: Vec<&str> = mapped_code(maps).into_iter().collect();
    assert_eq!(found, ["/lib/x86_64-linux-gnu/libc.so.6", "/usr/bin/paigow server"]);
}
