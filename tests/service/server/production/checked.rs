//! `--check-config`: everything that a start would check, and nothing that a start would do.

use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;

use paigow_engine::SecretKey;
use paigow_files::keys::{KeyFile, KeyRole};

use super::Deployment;
use crate::server::verification::make_release;

/// A deployment with a signed record, and an operator's folder of rules.
fn released() -> Deployment {
    let deployment = Deployment::new();
    fs::create_dir(deployment.path("rules")).unwrap();
    deployment
        .write(&changes(&deployment).iter().map(|(k, v)| (*k, v.as_str())).collect::<Vec<_>>());
    let server = Path::new(paigow_testkit::programs::server());
    let of = ["--config", "settings.toml", "--rules", "rules"];
    make_release(deployment.home.path(), server, &of, &deployment.root);
    deployment
}

/// The settings of [`released`] in addition to those of every deployment.
fn changes(deployment: &Deployment) -> [(&'static str, String); 1] {
    [("rules.directory", format!("{:?}", deployment.path("rules")))]
}

/// The exit status, what was printed, and the faults, each a line.
fn checked(deployment: &Deployment, more: &[&str]) -> (Option<i32>, String, Vec<String>) {
    let output = Command::new(paigow_testkit::programs::server())
        .arg("--check-config")
        .arg(deployment.path("settings.toml"))
        .args(more)
        .env_clear()
        .current_dir(deployment.home.path())
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    let faults = told.lines().filter_map(|line| line.strip_prefix("  ")).map(str::to_owned);
    (output.status.code(), String::from_utf8(output.stdout).unwrap(), faults.collect())
}

/// Everything below a folder: mode, size, times of change, and content.
fn listing(folder: &Path) -> BTreeMap<PathBuf, (u32, i64, i64, Vec<u8>)> {
    let mut all = BTreeMap::new();
    let mut open = vec![folder.to_owned()];
    while let Some(path) = open.pop() {
        let is = fs::symlink_metadata(&path).unwrap();
        let mut content = Vec::new();
        if is.is_dir() {
            open.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            content = fs::read(&path).unwrap();
        }
        all.insert(path, (is.mode(), is.mtime_nsec(), is.ctime_nsec(), content));
    }
    all
}

#[test]
fn a_good_deployment_passes_and_nothing_is_changed() {
    let deployment = released();
    let before = listing(deployment.home.path());
    let (status, printed, faults) = checked(&deployment, &[]);
    assert_eq!((status, faults), (Some(0), vec![]));
    assert!(printed.starts_with("# Attested settings: "), "{printed}");
    assert!(printed.contains("\nserver.profile = \"production\"\n"), "{printed}");
    assert_eq!(listing(deployment.home.path()), before);
    // It takes no port: one that is in use is no fault of the settings.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("{:?}", taken.local_addr().unwrap().to_string());
    let rules = format!("{:?}", deployment.path("rules"));
    deployment.write(&[("server.listen", &address), ("rules.directory", &rules)]);
    assert_eq!(checked(&deployment, &[]).0, Some(0));
}

/// Spoils one thing of a deployment.
type Spoil = fn(&Deployment);

fn replace(path: PathBuf, from: &str, to: &str) {
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{}: {from}", path.display());
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

/// The ways to spoil a deployment, each with the beginning of its fault.
const SPOILT: [(Spoil, &str); 9] = [
    (
        |deployment| fs::write(deployment.path("rules/notes.md"), "what is this?").unwrap(),
        "rules.directory: ",
    ),
    (
        |deployment| fs::write(deployment.path("server.pem"), "rubbish").unwrap(),
        "tls.certificate_file: ",
    ),
    (
        |deployment| {
            let others = Permissions::from_mode(0o644);
            fs::set_permissions(deployment.path("server.key"), others).unwrap();
        },
        "tls.key_file: ",
    ),
    (
        |deployment| {
            let key = SecretKey::from_bytes(&[4; 32]);
            let folder = deployment.path("keys");
            KeyFile::Signing { role: KeyRole::Ledger, key }.write_new(&folder).unwrap();
        },
        "keyring.directory: ",
    ),
    (|deployment| replace(deployment.path("access.toml"), "mikes", "misspelt"), "access.file: "),
    (|deployment| fs::remove_dir(deployment.path("evidence")).unwrap(), "evidence.directory: "),
    (
        |deployment| {
            let settings = deployment.path("settings.toml");
            let telemetry = "[telemetry]\notlp_endpoint = \"https://127.0.0.1:1\"\n\
                             otlp_ca_file = \"nowhere.pem\"\n[server]\n";
            replace(settings, "[server]\n", telemetry);
        },
        "telemetry.otlp_ca_file: ",
    ),
    (
        |deployment| replace(deployment.path("release.jsonl"), "\"sig\":\"", "\"sig\":\"A"),
        "verification.release_file: ",
    ),
    (
        |deployment| {
            replace(
                deployment.path("settings.toml"),
                "[evidence]\n",
                "[evidence]\nfsync = \"never\"\n",
            );
        },
        "verification.release_file: CONFIGURATION failed: ",
    ),
];

#[test]
fn each_fault_is_named_and_nothing_is_changed() {
    for (spoil, told) in SPOILT {
        let deployment = released();
        spoil(&deployment);
        let before = listing(deployment.home.path());
        let (status, printed, faults) = checked(&deployment, &[]);
        assert_eq!((status, printed.as_str()), (Some(78), ""), "{told}");
        // A record that cannot be relied on vouches for no binary either.
        assert!(faults.iter().all(|fault| fault.starts_with(told)), "{told}: {faults:?}");
        assert!(!faults.is_empty() && faults.len() <= 2, "{told}: {faults:?}");
        assert_eq!(listing(deployment.home.path()), before, "{told}");
    }
}

#[test]
fn all_faults_are_named_at_once_and_nothing_is_changed() {
    let deployment = released();
    // With a bad folder of rules the settings are not compared with the record.
    let spoilt = &SPOILT[..SPOILT.len() - 1];
    for (spoil, _) in spoilt {
        spoil(&deployment);
    }
    let before = listing(deployment.home.path());
    let (status, _, faults) = checked(&deployment, &[]);
    assert_eq!(status, Some(78));
    for (_, told) in spoilt {
        assert!(faults.iter().any(|fault| fault.starts_with(told)), "{told}: {faults:#?}");
    }
    assert_eq!(listing(deployment.home.path()), before);
    // The settings themselves are good, and these are all that is looked at then.
    let (status, printed, faults) = checked(&deployment, &["--settings-only"]);
    assert_eq!((status, faults), (Some(0), vec![]));
    assert!(printed.contains("telemetry.otlp_ca_file = \"nowhere.pem\"\n"), "{printed}");
}

#[test]
fn a_manifest_whose_key_has_not_come_is_a_fault() {
    let deployment = released();
    let key = deployment.manifest.receipt_keys[0].key;
    fs::remove_file(deployment.path("keys").join(format!("receipt-{}.key", key.kid()))).unwrap();
    let (status, _, faults) = checked(&deployment, &[]);
    let told = format!(
        "keyring.directory: {}: receipt key {}, which signs, is not there",
        deployment.path("keys").display(),
        key.kid()
    );
    assert_eq!((status, faults), (Some(78), vec![told]));
}
