//! Settings with which the production profile refuses to start, and a start that succeeds.

mod checked;
mod planted;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use paigow::server::{StartError, prepare};
use paigow_config::{Config, ConfigError};
use paigow_engine::SecretKey;
use paigow_engine::TokenKey;
use paigow_fairness::manifest::{
    AbsentPolicy, ClientPolicy, Epoch, EpochStatus, ListedRuleset, Manifest, ManifestTenant, Root,
    SaltSource, Suite,
};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;
use paigow_files::keys::{self, KeyFile, KeyRole};
use paigow_round::Catalogue;
use tempfile::TempDir;

use crate::server::certificates::Authority;

/// Everything that a production start needs, in one folder.
struct Deployment {
    home: TempDir,
    manifest: Manifest,
    root: SecretKey,
}

const ACCESS: &str = "[[tenants]]\ntenant = \"acme\"\nrulesets = [\"mikes\"]\n\
    [[tenants.clients]]\nname = \"tables\"\nroles = [\"table\"]\ncertificate = \"a.example\"\n";

impl Deployment {
    fn new() -> Self {
        let home = tempfile::tempdir().unwrap();
        let [root, receipt, ledger] = [1, 2, 3].map(|byte| SecretKey::from_bytes(&[byte; 32]));
        let folder = home.path().join("keys");
        std::fs::create_dir(&folder).unwrap();
        let catalogue = Catalogue::shipped();
        let dev = home.path().join("dev");
        let mut byte = 9;
        let generated = keys::open_dev(&dev, &catalogue, 1_795_132_800, &mut |bytes| {
            bytes.fill(byte);
            byte += 1;
            Ok(())
        });
        let generated = generated.unwrap().manifests.newest().manifest.clone();
        let mut policy = generated.tenants[1].policy;
        policy.lock_required = true;
        policy.chain_required = true;
        policy.absent = AbsentPolicy::Off;
        let manifest = Manifest {
            epochs: vec![Epoch {
                epoch: 1,
                suite: Suite::Fresh,
                commit: None,
                vrf_key: None,
                salt_source: None,
                salt: None,
                open_from: 0,
                open_until: 4_000_000_000,
                settle_until: 4_000_700_000,
                status: EpochStatus::Active,
            }],
            receipt_keys: vec![paigow_fairness::manifest::ReceiptKey {
                key: receipt.public(),
                revoked: false,
            }],
            root: Root { keys: vec![root.public()], threshold: 1 },
            tenants: vec![ManifestTenant {
                ledger_keys: vec![ledger.public()],
                policy,
                tables: Some(vec!["T1".parse().unwrap()]),
                tenant: "acme".parse().unwrap(),
            }],
            ..generated
        };
        KeyFile::Signing { role: KeyRole::Receipt, key: receipt }.write_new(&folder).unwrap();
        let token = KeyFile::Token { kid: [5; 8], serial: 1, key: TokenKey::new([6; 32]) };
        token.write_new(&folder).unwrap();
        let authority = Authority::new("authority");
        authority.sign(&["localhost"]).write(home.path());
        std::fs::write(home.path().join("ca.pem"), &authority.pem).unwrap();
        std::fs::write(home.path().join("access.toml"), ACCESS).unwrap();
        std::fs::create_dir(home.path().join("evidence")).unwrap();
        let deployment = Self { home, manifest, root };
        deployment.publish();
        deployment
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// Writes the manifest as it now is.
    fn publish(&self) {
        let record =
            RecordEnvelope::seal(RecordKind::Manifest, &self.manifest.to_json(), &[&self.root]);
        let chain = self.path("keys").join(keys::MANIFESTS);
        std::fs::write(chain, record.to_line() + "\n").unwrap();
    }

    /// The settings of a good start, with additional `changes` as `section.key = value`.
    fn settings(&self, changes: &[(&str, &str)]) -> Vec<(String, String)> {
        let text = |path: &Path| format!("{path:?}");
        let mut settings: Vec<(String, String)> = [
            ("server.profile", "\"production\"".to_owned()),
            ("server.listen", "\"127.0.0.1:0\"".to_owned()),
            ("server.reflection", "false".to_owned()),
            ("tls.certificate_file", text(&self.path("server.pem"))),
            ("tls.key_file", text(&self.path("server.key"))),
            ("tls.client_ca_file", text(&self.path("ca.pem"))),
            ("tls.client_certificates", "\"required\"".to_owned()),
            ("access.file", text(&self.path("access.toml"))),
            ("keyring.directory", text(&self.path("keys"))),
            ("keyring.generate", "false".to_owned()),
            ("keyring.root_keys", format!("[\"{}\"]", self.root.public())),
            ("evidence.target", "\"file\"".to_owned()),
            ("evidence.directory", text(&self.path("evidence"))),
            ("verification.release_file", text(&self.path("release.jsonl"))),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into();
        for (key, value) in changes {
            settings.retain(|(name, _)| name != key);
            settings.push(((*key).to_owned(), (*value).to_owned()));
        }
        settings
    }

    /// Writes the file of the settings, with `changes` added.
    fn write(&self, changes: &[(&str, &str)]) -> PathBuf {
        let mut sections: std::collections::BTreeMap<String, String> = Default::default();
        for (key, value) in self.settings(changes) {
            let (section, key) = key.split_once('.').unwrap();
            writeln!(sections.entry(section.to_owned()).or_default(), "{key} = {value}").unwrap();
        }
        let mut file = String::new();
        for (section, lines) in sections {
            write!(file, "[{section}]\n{lines}").unwrap();
        }
        let path = self.path("settings.toml");
        std::fs::write(&path, file).unwrap();
        path
    }

    /// Everything that keeps it from starting.
    fn faults(&self, changes: &[(&str, &str)]) -> Vec<String> {
        let path = self.write(changes);
        let config = match Config::load(Some(&path)) {
            Ok(config) => config,
            Err(ConfigError::Invalid(faults)) => return faults,
            Err(error) => panic!("{error}"),
        };
        match prepare(&config) {
            Ok(_) => Vec::new(),
            Err(StartError::Unfit(faults)) => faults,
            Err(error) => panic!("{error}"),
        }
    }
}

#[test]
fn a_deployment_without_a_fault_starts() {
    let deployment = Deployment::new();
    assert_eq!(deployment.faults(&[]), Vec::<String>::new());
    // Public files, which a proxy encrypts on their way to the players.
    let page = [("server.verifier_listen", "\"0.0.0.0:8080\"")];
    assert_eq!(deployment.faults(&page), Vec::<String>::new());
}

#[test]
fn the_program_ends_with_78_and_names_everything_that_is_unsafe() {
    let deployment = Deployment::new();
    let unsafe_settings = [("server.reflection", "true"), ("verification.release_file", "\"\"")];
    let told = deployment.faults(&unsafe_settings);
    let key = SecretKey::from_bytes(&[1; 32]);
    KeyFile::Signing { role: KeyRole::Root, key }.write_new(&deployment.path("keys")).unwrap();
    let run = || {
        let output = std::process::Command::new(paigow_testkit::programs::server())
            .arg("--config")
            .arg(deployment.path("settings.toml"))
            .env_clear()
            .output()
            .unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let (status, said) = run();
    assert_eq!((status, told.len()), (Some(78), 2));
    assert!(told.iter().all(|fault| said.contains(fault)), "{said}");
    // With these mended, the keyring is looked at.
    assert_eq!(deployment.faults(&[]).len(), 1);
    let (status, said) = run();
    assert!(status == Some(78) && said.contains("holds a root key"), "{said}");
}

#[test]
fn settings_that_are_unsafe_are_refused_each_by_name() {
    let deployment = Deployment::new();
    for (key, value, told) in [
        ("server.allow_plaintext", "true", "server.allow_plaintext: must be false"),
        ("server.reflection", "true", "server.reflection: must be false"),
        ("server.allow_dev_policy", "true", "server.allow_dev_policy: must be false"),
        ("access.file", "\"\"", "access.file: is needed"),
        ("keyring.root_keys", "[]", "keyring.root_keys: are needed"),
        ("verification.release_file", "\"\"", "verification.release_file: is needed"),
    ] {
        let faults = deployment.faults(&[(key, value)]);
        assert_eq!(faults.len(), 1, "{key}: {faults:?}");
        assert!(faults[0].starts_with(told), "{key}: {faults:?}");
        assert!(faults[0].ends_with("(server.profile = \"production\")"), "{faults:?}");
    }
    let plaintext = [
        ("tls.certificate_file", "\"\""),
        ("tls.key_file", "\"\""),
        ("tls.client_ca_file", "\"\""),
        ("tls.client_certificates", "\"off\""),
    ];
    let faults = deployment.faults(&plaintext);
    assert!(faults.len() == 1 && faults[0].starts_with("tls.certificate_file: is needed"));
    let off = [("evidence.target", "\"off\""), ("evidence.directory", "\"\"")];
    let faults = deployment.faults(&off);
    assert!(faults.len() == 1 && faults[0].starts_with("evidence.target: must be"), "{faults:?}");
    let generated = [("keyring.generate", "true"), ("keyring.root_keys", "[]")];
    let faults = deployment.faults(&generated);
    assert!(faults.len() == 2 && faults[0].starts_with("keyring.generate: must be false"));
}

#[test]
fn a_development_keyring_is_refused() {
    let deployment = Deployment::new();
    let key = SecretKey::from_bytes(&[1; 32]);
    KeyFile::Signing { role: KeyRole::Root, key }.write_new(&deployment.path("keys")).unwrap();
    let faults = deployment.faults(&[]);
    assert!(faults.len() == 1 && faults[0].contains("holds a root key"), "{faults:?}");

    let mut deployment = Deployment::new();
    let policy = &mut deployment.manifest.tenants[0].policy;
    policy.lock_required = false;
    policy.chain_required = false;
    deployment.manifest.epochs[0] = derived(SaltSource::None);
    deployment.publish();
    let secret = KeyFile::Epoch { epoch: 1, secret: EpochSecret::new([8; 32]) };
    secret.write_new(&deployment.path("keys")).unwrap();
    let faults = deployment.faults(&[]);
    assert_eq!(faults.len(), 3, "{faults:?}");
    assert!(faults[0].starts_with("tenant acme has lock: off"), "{faults:?}");
    assert!(faults[1].starts_with("tenant acme has chain: off"), "{faults:?}");
    assert!(faults[2].starts_with("epoch 1 has no salt"), "{faults:?}");
}

#[test]
fn each_tenant_needs_locks_a_chain_and_tables_or_commitments() {
    let witness = SaltSource::Party { key: SecretKey::from_bytes(&[4; 32]).public(), value: None };
    type Edit = fn(&mut ManifestTenant);
    let edits: [(Edit, &[&str]); 5] = [
        (|tenant| tenant.policy.lock_required = false, &["tenant acme has lock: off"]),
        (|tenant| tenant.policy.chain_required = false, &["tenant acme has chain: off"]),
        (|tenant| tenant.tables = None, &["tenant acme has neither tables nor client: committed"]),
        (
            |tenant| {
                tenant.tables = None;
                tenant.policy.client = ClientPolicy::Committed;
            },
            &[],
        ),
        (|_| {}, &[]),
    ];
    for (edit, expected) in edits {
        let mut deployment = Deployment::new();
        deployment.manifest.epochs[0] = Epoch { salt: None, ..derived(witness.clone()) };
        edit(&mut deployment.manifest.tenants[0]);
        deployment.publish();
        let secret = KeyFile::Epoch { epoch: 1, secret: EpochSecret::new([8; 32]) };
        secret.write_new(&deployment.path("keys")).unwrap();
        let faults = deployment.faults(&[]);
        assert_eq!(faults.len(), expected.len(), "{faults:?}");
        for (fault, start) in faults.iter().zip(expected) {
            assert!(fault.starts_with(start), "{fault}");
        }
    }
}

/// An epoch of the derived suite, open now.
fn derived(salt_source: SaltSource) -> Epoch {
    let commit = paigow_fairness::seed::epoch_commit(1, &EpochSecret::new([8; 32]));
    Epoch {
        epoch: 1,
        suite: Suite::Derived,
        commit: Some(commit),
        salt: Some(paigow_fairness::encoding::Hash::ZERO),
        vrf_key: None,
        salt_source: Some(salt_source),
        open_from: 0,
        open_until: 4_000_000_000,
        settle_until: 4_000_700_000,
        status: EpochStatus::Active,
    }
}

#[test]
fn rules_that_the_manifest_does_not_list_are_refused() {
    let mut deployment = Deployment::new();
    let rules = deployment.path("rules");
    std::fs::create_dir_all(rules.join("rulesets")).unwrap();
    let online = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/paigow-rules/src/game/rulesets/online.toml"
    ));
    let own = online.replacen("id = \"online\"", "id = \"our-online\"", 1);
    assert_ne!(online, own);
    std::fs::write(rules.join("rulesets/our-online.toml"), own).unwrap();
    let folder = format!("{rules:?}");
    let faults = deployment.faults(&[("rules.directory", &folder)]);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("the manifest does not list ruleset our-online"), "{faults:?}");

    deployment.manifest.rulesets.retain(|listed| listed.name.as_str() != "mikes");
    deployment.publish();
    let faults = deployment.faults(&[]);
    assert_eq!(faults.len(), 1, "{faults:?}");
    assert!(faults[0].contains("tenant acme: the ruleset \"mikes\" is loaded"), "{faults:?}");
}

/// A ruleset on terms of which best play is not counted, and then the file that counts it.
#[test]
fn a_ruleset_of_which_best_play_is_unknown_is_refused() {
    let mut deployment = Deployment::new();
    let rules = deployment.path("rules");
    std::fs::create_dir_all(rules.join("rulesets")).unwrap();
    std::fs::create_dir_all(rules.join("house-ways")).unwrap();
    let own = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/paigow-rules/src/game/rulesets/mania.toml"
    ));
    let own =
        own.replacen("id = \"mania\"", "id = \"our-mania\"", 1).replacen("\"1/20\"", "\"1/25\"", 1);
    std::fs::write(rules.join("rulesets/our-mania.toml"), &own).unwrap();
    let ruleset = paigow_rules::game::Ruleset::parse(&own).unwrap();
    let hash = paigow_fairness::seed::ruleset_hash("our-mania", own.as_bytes());
    let cards = u8::try_from(ruleset.cards()).unwrap();
    deployment.manifest.rulesets.push(ListedRuleset {
        name: "our-mania".parse().unwrap(),
        hash,
        cards,
    });
    deployment.publish();
    let folder = format!("{rules:?}");
    let faults = deployment.faults(&[("rules.directory", &folder)]);
    assert_eq!(faults.len(), 1, "{faults:?}");
    let told = "ruleset our-mania: best play against the house way trump-plaza is not counted";
    assert!(faults[0].starts_with(told), "{faults:?}");

    // The file of counts goes beside the house way.
    let terms = paigow_exact::BestPlayTerms::of(&ruleset).unwrap();
    let way = paigow_rules::house_way::shipped().iter().find(|way| way.id() == "trump-plaza");
    let counted = paigow_exact::best_plays(way.unwrap()).next().unwrap().clone();
    let counted = paigow_exact::BestPlay { terms, ..counted };
    let file = format!("house-ways/{}.best", ruleset.house_way().hash);
    std::fs::write(rules.join(file), counted.to_string()).unwrap();
    assert_eq!(deployment.faults(&[("rules.directory", &folder)]), Vec::<String>::new());
}

#[test]
fn files_of_certificates_and_access_are_checked_at_start_and_every_fault_is_told() {
    let deployment = Deployment::new();
    std::fs::write(deployment.path("server.pem"), "rubbish").unwrap();
    std::fs::write(deployment.path("ca.pem"), "").unwrap();
    std::fs::remove_file(deployment.path("server.key")).unwrap();
    let access = ACCESS.replace("acme", "nobody").replace("mikes", "misspelt");
    std::fs::write(deployment.path("access.toml"), access).unwrap();
    let faults = deployment.faults(&[]);
    let told = [
        "tls.certificate_file: ",
        "tls.key_file: ",
        "tls.client_ca_file: ",
        "access.file: ",
        "access.file: ",
    ];
    assert_eq!(faults.len(), told.len(), "{faults:?}");
    for (fault, told) in faults.iter().zip(told) {
        assert!(fault.starts_with(told), "{told} in {faults:?}");
    }
    assert!(faults[3].contains("no tenant nobody") && faults[4].contains("misspelt"), "{faults:?}");
}

#[test]
fn a_certificate_whose_time_is_over_or_has_not_come_stops_the_start() {
    let deployment = Deployment::new();
    // The first of January 2021 and 2090, by date -u -d.
    for (years, told) in [
        ([2020, 2021], "a certificate that expired at 2021-01-01 00:00:00 UTC"),
        ([2090, 2099], "a certificate that is not valid before 2090-01-01 00:00:00 UTC"),
        ([2099, 2090], "a certificate that ends before it begins"),
    ] {
        Authority::new("authority")
            .sign_between(&["localhost"], years)
            .write(deployment.home.path());
        let faults = deployment.faults(&[]);
        let path = deployment.path("server.pem");
        assert_eq!(faults, [format!("tls.certificate_file: {}: {told}", path.display())]);
    }
}
