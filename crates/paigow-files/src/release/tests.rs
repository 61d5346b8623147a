use super::critical::Critical;
use super::*;
use paigow_fairness::encoding::{Hash, Identifier};
use paigow_fairness::json::Json;
use paigow_fairness::manifest::{Build, ListedHouseWay, ListedRuleset, Manifest};
use paigow_fairness::record::{self, RecordKind};
use paigow_fairness::transcript;

fn name(text: &str) -> Identifier {
    text.parse().unwrap()
}

fn named(text: &str, hash: &[u8]) -> Named {
    Named { name: name(text), hash: Hash::of(hash) }
}

fn key(byte: u8) -> SecretKey {
    SecretKey::from_bytes(&[byte; 32])
}

fn root(keys: &[u8], threshold: usize) -> Root {
    Root { keys: keys.iter().map(|byte| key(*byte).public()).collect(), threshold }
}

fn critical(texts: &[String]) -> Critical {
    Critical::from_inputs(texts.iter().map(|text| text.parse().unwrap()).collect()).unwrap()
}

fn texts() -> Vec<String> {
    let sha256 = Hash::of(b"cards\n");
    vec![
        format!("file {sha256} .cargo/config.toml"),
        format!("file {sha256} crates/cards/src/lib.rs"),
        format!("manifest {sha256} crates/cards/Cargo.toml"),
        format!("package hex 0.4.3 registry+https://github.com/rust-lang/crates.io-index {sha256}"),
        format!("table {sha256} profile"),
    ]
}

fn build() -> BuildSettings {
    BuildSettings {
        compiler: vec!["rustc 1.95.0".to_owned(), "host: x86_64-unknown-linux-gnu".to_owned()],
        features: vec![],
        profile: "release".to_owned(),
        rustflags: vec!["--cfg=chacha20_avx512".to_owned()],
        target: "x86_64-unknown-linux-gnu".to_owned(),
    }
}

fn sample() -> Release {
    let binary = |text: &str| Binary {
        name: name(text),
        sha256: Hash::of(text.as_bytes()),
        size: 9,
        build: None,
    };
    let server = Binary { build: Some(build()), ..binary("paigow-server") };
    Release {
        binaries: vec![binary("paigow-lab"), server],
        configurations: vec![named("default.toml", b"settings")],
        created: Some("2026-12-01".to_owned()),
        critical: critical(&texts()),
        engine: name("pge-1"),
        house_ways: vec![named("mikes", b"chart")],
        libraries: vec![binary("libc.so.6")],
        page: ReleasedPage { sha256: Hash::of(b"page"), size: 4 },
        prev: Some(Hash::of(b"before")),
        revision: "0123abcd".to_owned(),
        rulesets: vec![named("mikes", b"rules"), named("mini", b"mini rules")],
        self_test: Hash::of(b"answers"),
        version: "0.1.0".to_owned(),
    }
}

#[test]
fn a_record_reads_back_as_itself_and_needs_the_threshold_of_the_root() {
    let release = sample();
    let both = seal(&release, &[&key(1), &key(2)]).to_line() + "\n";
    assert_eq!(read_signed(both.as_bytes(), &root(&[1, 2, 3], 2)), Ok(release.clone()));
    let unsigned = Err(ReleaseError::Unsigned { threshold: 2, keys: 3 });
    for keys in [&[][..], &[&key(1)], &[&key(1), &key(1)], &[&key(1), &key(9)]] {
        let line = seal(&release, keys).to_line();
        assert_eq!(read_signed(line.as_bytes(), &root(&[1, 2, 3], 2)), unsigned);
    }
}

#[test]
fn neither_a_transcript_nor_a_release_takes_the_other() {
    let line = seal(&sample(), &[&key(1)]).to_line();
    let refused = transcript::parse(line.as_bytes()).unwrap_err();
    assert_eq!(refused.error, ParseEnvelopeError::Kind);
    // The same payload, signed as a manifest: the signature covers the payload type.
    let manifest =
        record::RecordEnvelope::seal(RecordKind::Manifest, &sample().to_json(), &[&key(1)]);
    let line = manifest.to_line();
    assert_eq!(read(line.as_bytes()).unwrap_err(), ParseEnvelopeError::Kind.into());
    let renamed = line.replace("vnd.pge.manifest.", "vnd.pge.release.");
    let refused = read_signed(renamed.as_bytes(), &root(&[1], 1));
    assert_eq!(refused, Err(ReleaseError::Unsigned { threshold: 1, keys: 1 }));
}

#[test]
fn a_file_has_exactly_one_record() {
    let line = seal(&sample(), &[]).to_line();
    for bad in ["", "\n", &format!("{line}\n{line}\n"), &format!("{line}\n\n")] {
        assert_eq!(read(bad.as_bytes()).unwrap_err(), ReleaseError::Lines);
    }
    assert!(read(line.as_bytes()).is_ok());
}

#[test]
fn lists_have_one_order_and_members_one_form() {
    for (edit, place) in [
        ((|r| r.binaries.reverse()) as fn(&mut Release), "binaries"),
        (|r| r.libraries.push(r.libraries[0].clone()), "libraries"),
        (|r| r.rulesets.reverse(), "rulesets"),
        (|r| r.house_ways.push(r.house_ways[0].clone()), "house_ways"),
        (|r| r.configurations.push(r.configurations[0].clone()), "configurations"),
        (|r| r.binaries[1].build.as_mut().unwrap().features = vec!["x".repeat(257)], "binaries[1]"),
        (|r| r.page.size = 1 << 53, "page"),
        (|r| r.revision = "x".repeat(257), "revision"),
    ] {
        let mut release = sample();
        edit(&mut release);
        let error = Release::parse(release.to_json()).unwrap_err().to_string();
        assert!(error.starts_with(place), "{place}: {error}");
    }
    // Texts of inputs, by their place in the record.
    let text = String::from_utf8(sample().to_json().to_bytes()).unwrap();
    for (from, to, place) in [
        ("crates/cards/src", "crates/../src", "critical.inputs[1]: "),
        ("file ", "folder ", "critical.inputs[0]: "),
        ("table ", "link ", "critical.inputs: not in ascending order"),
    ] {
        let spoilt = text.replace(from, to);
        let json = Json::parse_canonical(spoilt.as_bytes()).unwrap();
        let error = Release::parse(json).unwrap_err().to_string();
        assert!(error.starts_with(place), "{place}: {error}");
    }
    let extra = sample().to_json().with("notes", Some(Json::str("x")));
    assert!(Release::parse(extra).is_err());
    let empty = sample().to_json().with("libraries", Some(Json::arr([])));
    assert!(Release::parse(empty).is_err());
}

proptest::proptest! {
    #[test]
    fn a_changed_byte_of_a_signed_record_is_never_another_release(
        at in 0_usize..4096,
        to in proptest::prelude::any::<u8>(),
    ) {
        let release = sample();
        let mut line = seal(&release, &[&key(1)]).to_line().into_bytes();
        let at = at % line.len();
        line[at] = to;
        if let Ok(read) = read_signed(&line, &root(&[1], 1)) {
            proptest::prop_assert_eq!(read, release);
        }
    }
}

#[test]
fn the_hashes_of_a_record_are_those_of_its_inputs() {
    // With `texts` as sample() has them: awk '{ print length($0), $0 }' texts | sha256sum
    let release = sample();
    assert_eq!(
        release.critical.hash().to_string(),
        "cff16b0809c550490b7491f44056a5aa1dc4ecc3f820eb99ac6de4636a646573"
    );
    let parts: Vec<String> =
        release.critical.parts().iter().map(|(name, hash)| format!("{hash} {name}")).collect();
    assert_eq!(
        parts,
        [
            "687a66498936640d378419d60502bd70bb49bd77bbbef569b0a97bd0b3943e28 crates/cards",
            "4e53b9ab03b022cba6d21a3ca6597b1483ef7ba2e68f0ed91cd9631906a3bdcd packages",
            "382b52fd8a0c8efd592e9f0edeb1f9dd4249fc2ab0681656851b06b62e319e1a workspace",
        ]
    );
    // A record whose hashes are others than those of its inputs is refused.
    for (from, place) in [
        ("cff16b0809c550490b7491f44056a5aa1dc4ecc3f820eb99ac6de4636a646573", "critical.hash: "),
        ("4e53b9ab03b022cba6d21a3ca6597b1483ef7ba2e68f0ed91cd9631906a3bdcd", "critical.parts: "),
    ] {
        let line = String::from_utf8(release.to_json().to_bytes()).unwrap();
        let spoilt = line.replace(from, &Hash::of(b"other").to_string());
        assert_ne!(spoilt, line);
        let json = Json::parse_canonical(spoilt.as_bytes()).unwrap();
        let error = Release::parse(json).unwrap_err().to_string();
        assert!(error.starts_with(place), "{error}");
    }
}

#[test]
fn the_settings_of_a_build_are_found_in_its_binary() {
    let text = concat!(
        "paigow-build-settings {\"compiler\":[\"rustc 1.95.0\",\"host: x\"],\"features\":[],",
        "\"profile\":\"release\",\"rustflags\":[\"--cfg\",\"a=\\\"b\\\"\"],\"target\":\"x\"}\n"
    );
    let settings = BuildSettings::of_program(text).unwrap();
    assert_eq!(settings.rustflags, ["--cfg", "a=\"b\""]);
    assert_eq!(settings.compiler, ["rustc 1.95.0", "host: x"]);
    // The mark without any settings of this program, as in a program that only reads the settings
    // of others.
    let binary =
        |texts: &[&str]| ["\x7fELF", &texts.concat(), "\0paigow-build-settings \0"].concat();
    assert_eq!(BuildSettings::find(binary(&[text]).as_bytes()), Some(settings.clone()));
    assert_eq!(BuildSettings::find(binary(&[text, text]).as_bytes()), Some(settings));
    let other = text.replace("release", "debug");
    assert_eq!(BuildSettings::find(binary(&[text, &other]).as_bytes()), None);
    assert_eq!(BuildSettings::find(binary(&[]).as_bytes()), None);
    assert!(BuildSettings::of_program(&text.replace("\"target\":\"x\"", "\"x\":\"x\"")).is_err());
}

/// A process that is what `sample` released.
fn found() -> Found {
    let release = sample();
    let file = |name: &str, text: &[u8]| File { name: name.to_owned(), sha256: Ok(Hash::of(text)) };
    let rules = |list: &[Named]| InUse { in_use: list.to_vec(), on_disk: Ok(list.to_vec()) };
    let settings = release.configurations[0].hash;
    Found {
        executable: vec![file("running", b"paigow-server"), file("on disk", b"paigow-server")],
        executable_at_start: Some(Hash::of(b"paigow-server")),
        build: Ok(build()),
        shared_objects: vec![file("/lib/libc.so.6", b"libc.so.6")],
        rulesets: rules(&release.rulesets),
        house_ways: rules(&release.house_ways),
        configuration: Configuration { in_use: settings, on_disk: Ok(settings) },
        self_test: Ok(release.self_test),
        self_test_at_start: release.self_test,
    }
}

fn manifest() -> Manifest {
    let release = sample();
    let ruleset =
        |named: &Named| ListedRuleset { cards: 53, hash: named.hash, name: named.name.clone() };
    let way = |named: &Named| ListedHouseWay { hash: named.hash, name: named.name.clone() };
    Manifest {
        beacon: None,
        log: None,
        builds: Some(vec![Build { digest: Hash::of(b"paigow-server"), name: name("server") }]),
        engine: name("pge-1"),
        epochs: vec![],
        house_ways: release.house_ways.iter().map(way).collect(),
        prev: Hash::ZERO,
        receipt_keys: vec![],
        root: Root { keys: vec![], threshold: 0 },
        rulesets: release.rulesets.iter().map(ruleset).collect(),
        seq: 1,
        tenants: vec![],
    }
}

/// The codes of one status.
fn with(status: Status, checks: &[Check]) -> Vec<Code> {
    checks.iter().filter(|check| check.status == status).map(|check| check.code).collect()
}

const ALL: [Code; 9] = [
    Code::Release,
    Code::Executable,
    Code::Build,
    Code::SharedObjects,
    Code::Rulesets,
    Code::HouseWays,
    Code::Configuration,
    Code::KnownAnswers,
    Code::Manifest,
];

#[test]
fn a_process_that_is_what_was_released_passes_every_check() {
    let checks = check(Recorded::Signed(&sample()), &found(), &manifest());
    assert_eq!(with(Status::Passed, &checks), ALL);
}

#[test]
fn whatever_differs_fails_its_own_check_and_no_other() {
    let other = || Ok(Hash::of(b"other"));
    type Edit = fn(&mut Release, &mut Found, &mut Manifest);
    let edits: [(Edit, Code); 18] = [
        (|r, _, _| r.engine = name("pge-2"), Code::Release),
        (|_, f, _| f.executable[1].sha256 = Ok(Hash::of(b"other")), Code::Executable),
        (|_, f, _| f.executable[1].sha256 = Err("gone".to_owned()), Code::Executable),
        (|_, f, _| f.executable.truncate(0), Code::Executable),
        (|_, f, _| f.build.as_mut().unwrap().rustflags.clear(), Code::Build),
        (|_, f, _| f.build = Err("not there".to_owned()), Code::Build),
        (|r, _, _| r.binaries[1].build = None, Code::Build),
        (|_, f, _| f.shared_objects[0].sha256 = Ok(Hash::of(b"other")), Code::SharedObjects),
        (|r, _, _| r.libraries.clear(), Code::SharedObjects),
        (|_, f, _| f.rulesets.on_disk = Err("unreadable".to_owned()), Code::Rulesets),
        (|_, f, _| f.rulesets.on_disk.as_mut().unwrap()[0].hash = Hash::of(b"x"), Code::Rulesets),
        (|r, _, _| _ = r.rulesets.remove(0), Code::Rulesets),
        (|_, f, _| f.house_ways.in_use.push(named("new", b"new")), Code::HouseWays),
        (|_, f, _| f.configuration.in_use = Hash::of(b"x"), Code::Configuration),
        (|_, f, _| f.configuration.on_disk = Err("gone".to_owned()), Code::Configuration),
        (|_, f, _| f.self_test = Err("SHA-256 of \"abc\"".to_owned()), Code::KnownAnswers),
        (|_, _, m| m.rulesets[0].hash = Hash::of(b"x"), Code::Manifest),
        (|_, _, m| m.house_ways[0].hash = Hash::of(b"x"), Code::Manifest),
    ];
    for (i, (edit, code)) in edits.into_iter().enumerate() {
        let (mut release, mut found, mut manifest) = (sample(), found(), manifest());
        // A manifest can list builds of the executable. This one lists no builds.
        manifest.builds = None;
        edit(&mut release, &mut found, &mut manifest);
        let checks = check(Recorded::Signed(&release), &found, &manifest);
        assert_eq!(with(Status::Failed, &checks), [code], "edit {i}: {checks:#?}");
        assert_eq!(checks.len(), ALL.len());
    }
    let mut found = found();
    found.executable[0].sha256 = other();
    let checks = check(Recorded::Signed(&sample()), &found, &manifest());
    assert_eq!(with(Status::Failed, &checks), [Code::Executable, Code::Manifest]);
}

#[test]
fn a_failed_check_says_what_was_expected_and_what_is_there() {
    let mut found = found();
    found.rulesets.on_disk.as_mut().unwrap()[1].hash = Hash::of(b"other");
    let checks = check(Recorded::Signed(&sample()), &found, &manifest());
    let rules = &checks[4];
    assert_eq!(rules.expected, format!("mini {}", Hash::of(b"mini rules")));
    assert_eq!(rules.found, format!("mini {}", Hash::of(b"other")));
}

#[test]
fn a_manifest_may_be_ahead_of_a_replica() {
    let mut manifest = manifest();
    let later = ListedRuleset { cards: 53, hash: Hash::of(b"later"), name: name("later") };
    manifest.rulesets.push(later);
    let checks = check(Recorded::Signed(&sample()), &found(), &manifest);
    assert_eq!(with(Status::Failed, &checks), []);
    let told = format!("listed and not loaded here: later {}", Hash::of(b"later"));
    assert_eq!(checks[8].code, Code::Manifest);
    assert_eq!(checks[8].found, told);
    assert!(!checks[8].expected.contains("agree"), "{}", checks[8]);
    // A manifest lists the ruleset under another hash than the loaded one: a fault.
    manifest.rulesets[0].hash = Hash::of(b"x");
    let checks = check(Recorded::Signed(&sample()), &found(), &manifest);
    assert_eq!(checks[8].status, Status::Failed);
    assert!(checks[8].found.ends_with(&told), "{}", checks[8]);
}

#[test]
fn without_a_record_everything_has_to_be_as_at_the_start() {
    let checks = check(Recorded::Absent, &found(), &manifest());
    assert_eq!(with(Status::Skipped, &checks), [Code::Release, Code::Build, Code::SharedObjects]);
    assert_eq!(with(Status::Failed, &checks), []);
    type Edit = fn(&mut Found);
    let edits: [(Edit, Code); 5] = [
        (|f| f.executable[1].sha256 = Ok(Hash::of(b"other")), Code::Executable),
        (|f| _ = f.rulesets.on_disk.as_mut().unwrap().remove(0), Code::Rulesets),
        (|f| f.house_ways.on_disk.as_mut().unwrap().push(named("n", b"n")), Code::HouseWays),
        (|f| f.configuration.on_disk = Ok(Hash::of(b"other")), Code::Configuration),
        (|f| f.self_test = Ok(Hash::of(b"other")), Code::KnownAnswers),
    ];
    for (edit, code) in edits {
        let mut found = found();
        edit(&mut found);
        let checks = check(Recorded::Absent, &found, &manifest());
        assert_eq!(with(Status::Failed, &checks), [code]);
    }
}

#[test]
fn a_record_that_cannot_be_relied_on_fails_and_vouches_for_nothing() {
    let checks = check(Recorded::Unusable("not signed"), &found(), &manifest());
    assert_eq!(with(Status::Failed, &checks), [Code::Release]);
    assert_eq!(checks[0].found, "not signed");
    assert_eq!(with(Status::Skipped, &checks), [Code::Build, Code::SharedObjects]);
}
