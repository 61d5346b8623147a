//! `paigow-lab play` against the real server, its transcript under `paigow-lab audit`,
//! and the epoch's reveal after it.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paigow_rules::game;
use paigow_testkit::operator_rules;
use serde_json::Value;

use crate::binary::{lines, run, text};
use crate::certificates::{Authority, Signed};
use crate::child::KilledOnDrop;

/// A server on a port of its own with a development keyring of its own.
struct Server {
    _process: KilledOnDrop,
    home: tempfile::TempDir,
    url: String,
}

impl Server {
    fn start() -> Self {
        Self::start_in(tempfile::tempdir().unwrap(), None)
    }

    /// Starts with TLS.
    fn encrypted(signed: &Signed) -> Self {
        let home = tempfile::tempdir().unwrap();
        let [certificate, key] = signed.write(home.path());
        Self::start_with(
            home,
            &[
                ("PAIGOW__TLS__CERTIFICATE_FILE", certificate.as_path()),
                ("PAIGOW__TLS__KEY_FILE", key.as_path()),
            ],
        )
    }

    /// Starts in a folder that may hold a keyring already, with an operator's own rules.
    fn start_in(home: tempfile::TempDir, rules: Option<&Path>) -> Self {
        let rules = rules.map(|folder| ("PAIGOW__RULES__DIRECTORY", folder));
        Self::start_with(home, rules.as_slice())
    }

    fn start_with(home: tempfile::TempDir, settings: &[(&str, &Path)]) -> Self {
        let mut process = Command::new(paigow_testkit::programs::server())
            .current_dir(home.path())
            .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
            .envs(settings.iter().copied())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        let mut told = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = told
            .find_map(|line| {
                line.unwrap().trim().strip_prefix("listens on").map(|at| at.trim().to_owned())
            })
            .expect("the server says where it listens");
        // Whatever else it says is read, so that it never waits for a reader.
        std::thread::spawn(move || told.for_each(drop));
        Self { _process: process, home, url: format!("http://{address}") }
    }

    /// Kills it, and returns the folder of its keyring.
    fn killed(self) -> tempfile::TempDir {
        self.home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    fn play(&self, arguments: &[&str]) -> std::process::Output {
        let output = run(&[&["play", "--server", &self.url], arguments].concat(), b"");
        let failure = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{failure}");
        output
    }

    fn audit(&self, file: &Path) -> (Option<i32>, Value) {
        let root = self.path(".paigow-dev/root.json");
        let (file, root) = (file.to_str().unwrap(), root.to_str().unwrap());
        let output = run(&["audit", file, "--root", root, "--json"], b"");
        (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
    }
}

#[test]
fn an_operators_own_rules_are_dealt_from_a_folder_and_audit_with_their_files() {
    let rules = tempfile::tempdir().unwrap();
    let (way, ruleset) = operator_rules::write(rules.path());
    let server = Server::start_in(tempfile::tempdir().unwrap(), Some(rules.path()));
    let file = server.path("own.jsonl");
    let at = ["--ruleset", "our-express", "--table", "T1", "--rounds", "5", "--transcript"];
    let told = text(&server.play(&[&at[..], &[file.to_str().unwrap()]].concat()));
    assert!(told.contains("5 rounds of our-express at table T1"), "{told}");
    assert!(told.contains("amounts in EUR"), "{told}");

    let root = server.path(".paigow-dev/root.json");
    let (file, root) = (file.to_str().unwrap(), root.to_str().unwrap());
    let (way, ruleset) = (way.to_str().unwrap(), ruleset.to_str().unwrap());
    let without = run(&["audit", file, "--root", root], b"");
    assert_eq!(without.status.code(), Some(2), "incomplete: the rules are not at hand");
    let own = ["--ruleset", ruleset, "--house-way", way];
    let with = run(&[&["audit", file, "--root", root], &own[..]].concat(), b"");
    assert_eq!(with.status.code(), Some(3), "{}", text(&with));

    // The manifest lists them still, and they are gone.
    let home = server.killed();
    let server = Server::start_in(home, None);
    let refused = run(&["play", "--server", &server.url, "--ruleset", "our-express"], b"");
    assert_eq!(refused.status.code(), Some(64));
}

#[test]
fn what_the_manifest_does_not_list_is_loaded_and_not_dealt() {
    // A keyring from before the rules were there.
    let server = Server::start();
    let home = server.killed();
    let rules = tempfile::tempdir().unwrap();
    operator_rules::write(rules.path());
    let server = Server::start_in(home, Some(rules.path()));
    let refused = run(&["play", "--server", &server.url, "--ruleset", "our-express"], b"");
    assert_eq!(refused.status.code(), Some(64));
    server.play(&["--rounds", "1", "--ruleset", "mini"]);
}

/// The status of a check in an audit's answer.
fn status<'a>(answer: &'a Value, code: &str) -> &'a str {
    let checks = answer["checks"].as_array().unwrap();
    checks.iter().find(|check| check["code"] == code).unwrap()["status"].as_str().unwrap()
}

#[test]
fn rounds_that_are_played_are_pending_and_after_the_reveal_they_match() {
    let server = Server::start();
    let file = server.path("rounds.jsonl");
    let output =
        server.play(&["--rounds", "3", "--table", "T1", "--transcript", file.to_str().unwrap()]);
    let told = text(&output);
    assert!(told.contains("3 rounds of express at table T1"), "{told}");
    assert_eq!(told.matches("\n  dealer   dealt ").count(), 3, "{told}");

    let (code, answer) = server.audit(&file);
    assert_eq!((code, &answer["verdict"]), (Some(3), &Value::from("VERDICT_PENDING")), "{answer}");
    assert_eq!(answer["rounds"].as_array().unwrap().len(), 3);
    assert_eq!(status(&answer, "GENESIS"), "CHECK_STATUS_PASSED");
    assert_eq!(status(&answer, "SEED_WAS_NOT_CHOSEN"), "CHECK_STATUS_SKIPPED");

    // Far after the epoch of the development keyring, which is open for 366 days.
    {
        let keyring = server.path(".paigow-dev");
        let keyring = keyring.to_str().unwrap();
        let later = u32::MAX.to_string();
        let reveal = ["reveal", "--keyring", keyring, "--epoch", "1", "--now", &later];
        let record = crate::binary::run_keys(&reveal);
        assert_eq!(record.status.code(), Some(0));
        let mut whole = std::fs::read(&file).unwrap();
        whole.extend(record.stdout);
        std::fs::write(&file, whole).unwrap();
        let (code, answer) = server.audit(&file);
        assert_eq!(code, Some(0), "{answer}");
        for check in ["EPOCH_COMMIT", "EPOCH_SALT", "SEED_WAS_NOT_CHOSEN"] {
            assert_eq!(status(&answer, check), "CHECK_STATUS_PASSED", "{answer}");
        }
    }
}

#[test]
fn the_same_play_has_the_same_records() {
    let server = Server::start();
    let played = |name: &str, choices: &str| {
        let file = server.path(name);
        let at = ["--table", "T1", "--rounds", "2", "--seed-of-choices", choices, "--quiet"];
        server.play(&[&at[..], &["--transcript", file.to_str().unwrap()]].concat());
        std::fs::read(file).unwrap()
    };
    assert_eq!(played("first", "5"), played("second", "5"));
    assert_ne!(played("first", "5"), played("third", "6"));
}

#[test]
fn every_shipped_ruleset_is_played_and_nothing_is_open_but_the_secret() {
    let server = Server::start();
    for ruleset in game::shipped() {
        let id = ruleset.id();
        let file = server.path(id);
        let at = ["--ruleset", id, "--table", id, "--rounds", "6", "--transcript"];
        let told = text(&server.play(&[&at[..], &[file.to_str().unwrap()]].concat()));
        assert!(told.contains(&format!("6 rounds of {id} at table {id}")), "{told}");
        let (code, answer) = server.audit(&file);
        assert_eq!(code, Some(3), "{id}: {answer}");
        assert_eq!(status(&answer, "RESULTS"), "CHECK_STATUS_PASSED");
    }
}

#[test]
fn json_is_one_object_a_round_with_the_answers_of_the_server() {
    let server = Server::start();
    let rounds = lines(&server.play(&["--rounds", "2", "--first-round", "9", "--json"]));
    assert_eq!(rounds.len(), 2);
    for round in rounds {
        assert_eq!(round["deal"]["roundId"], round["settle"]["roundId"]);
        assert_eq!(round["settle"]["disposition"], "DISPOSITION_SETTLE");
        assert_eq!(round["settle"]["deck"].as_array().unwrap().len(), 53);
        // 64-bit integers are strings in canonical proto JSON; zero is left out.
        let minor = |value: &Value| value.as_str().map_or(0, |text| text.parse::<i64>().unwrap());
        let seats = round["settle"]["seats"].as_array().unwrap();
        let nets: i64 = seats.iter().map(|seat| minor(&seat["netMinor"])).sum();
        let bank = minor(&round["settle"]["bank"]["netMinor"]);
        assert_eq!(nets + bank + minor(&round["settle"]["houseNetMinor"]), 0);
    }
}

#[test]
fn many_rounds_are_summed_up_and_not_shown() {
    let server = Server::start();
    let told = text(&server.play(&["--rounds", "25", "--table", "T2"]));
    assert!(told.starts_with("25 rounds of express at table T2\n"), "{told}");
    assert!(!told.contains("dealt"), "{told}");
}

#[test]
fn no_server_and_an_unknown_ruleset_have_codes_of_their_own() {
    // Port 1 of this machine: nothing listens there.
    let output = run(&["play", "--server", "http://127.0.0.1:1"], b"");
    assert_eq!(output.status.code(), Some(69));
    assert!(String::from_utf8(output.stderr).unwrap().contains("is paigow-server running?"));
    let server = Server::start();
    let output = run(&["play", "--server", &server.url, "--ruleset", "nobodys"], b"");
    assert_eq!(output.status.code(), Some(64));
    assert!(String::from_utf8(output.stderr).unwrap().contains("mikes"));
    let refused = run(&["play", "--server", &server.url, "--table", "no table"], b"");
    assert_eq!(refused.status.code(), Some(69));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("open.table"));
}

#[test]
fn a_mistake_with_tls_is_told_with_its_cause_and_no_other() {
    let ours = Authority::new("ours");
    let home = tempfile::tempdir().unwrap();
    let file = |name: &str, authority: &Authority| {
        let path = home.path().join(name);
        std::fs::write(&path, &authority.pem).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (right, wrong) = (file("ours.pem", &ours), file("others.pem", &Authority::new("others")));
    let failed = |url: &str, more: &[&str]| {
        let output = run(&[&["play", "--server", url], more].concat(), b"");
        assert_eq!(output.status.code(), Some(69));
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(!told.contains("is paigow-server running?"), "{told}");
        told
    };

    let server = Server::encrypted(&ours.sign(&["127.0.0.1"]));
    let encrypted = server.url.replace("http://", "https://");
    let told = failed(&encrypted, &["--ca", &wrong]);
    assert!(told.contains("invalid peer certificate: UnknownIssuer"), "{told}");
    let told = failed(&server.url, &[]);
    assert!(told.starts_with("paigow-lab: no response: "), "{told}");
    assert!(told.ends_with("; if the server requires TLS, give an https:// address\n"), "{told}");
    let played = run(&["play", "--server", &encrypted, "--ca", &right, "--rounds", "1"], b"");
    assert_eq!(played.status.code(), Some(0), "{}", String::from_utf8_lossy(&played.stderr));

    let misnamed = Server::encrypted(&ours.sign(&["another.example"]));
    let encrypted = misnamed.url.replace("http://", "https://");
    let told = failed(&encrypted, &["--ca", &right]);
    assert!(told.contains("certificate not valid for name \"127.0.0.1\""), "{told}");
}

#[test]
fn a_token_file_that_is_no_text_is_named_and_never_sent_as_no_token() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("token");
    std::fs::write(&path, b"\xff\xfe").unwrap();
    let file = path.to_str().unwrap();
    // Nobody listens there: the file is looked at before.
    let output = run(&["play", "--server", "http://127.0.0.1:1", "--token-file", file], b"");
    assert_eq!(output.status.code(), Some(65));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, format!("paigow-lab: {file}: not UTF-8 text\n"));
}
