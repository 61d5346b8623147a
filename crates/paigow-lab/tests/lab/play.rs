//! `paigow-lab play` against the real server, `paigow-lab audit` of its transcript, and later the
//! epoch's reveal.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paigow_fairness::record::RecordEnvelope;
use paigow_rules::cards::Card;
use paigow_rules::game;
use paigow_testkit::{operator_rules, tools};
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

    /// Starts in a folder that may already hold a keyring, with an operator's own rules.
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
        // Further output is read, so that the process never waits for a reader.
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
fn the_example_rulesets_are_dealt_settled_and_audited() {
    let rules = tools::root().join("examples/rules");
    let server = Server::start_in(tempfile::tempdir().unwrap(), Some(&rules));
    let root = std::fs::read(server.path(".paigow-dev/root.json")).unwrap();
    let root: Value = serde_json::from_slice(&root).unwrap();
    let root = root["keys"][0].as_str().unwrap();
    let way = rules.join("house-ways/harbour.toml");
    let lantern =
        ["base", "lantern", "dark_lantern", "first_light", "day_or_night", "calm", "front_light"];
    for (id, bets) in
        [("lantern", &lantern[..]), ("harbour", &["base", "breakwater", "harbour_light"])]
    {
        let file = server.path(&format!("{id}.jsonl"));
        let at = ["--ruleset", id, "--table", id, "--rounds", "20", "--transcript"];
        server.play(&[&at[..], &[file.to_str().unwrap()]].concat());
        let settled = bets_settled(&std::fs::read_to_string(&file).unwrap());
        for bet in bets {
            assert!(settled.contains(*bet), "{bet}: {settled:?}");
        }
        let ruleset = rules.join(format!("rulesets/{id}.toml"));
        let terms =
            [file.to_str().unwrap(), "--root", root, "--ruleset", ruleset.to_str().unwrap()];
        let terms = [&terms[..], &["--house-way", way.to_str().unwrap()]].concat();
        // All checks agree, and the file does not have the secret of the epoch yet.
        let engine = run(&[&["audit"], &terms[..]].concat(), b"");
        assert_eq!(engine.status.code(), Some(3), "{}", text(&engine));
        let mut python = Command::new("python3");
        let python =
            python.arg(tools::root().join("verifiers/python")).args(terms).output().unwrap();
        assert_eq!(python.status.code(), Some(3), "{}", text(&python));
    }
}

/// Returns the bets of all lines in the rounds of a transcript.
fn bets_settled(transcript: &str) -> BTreeSet<String> {
    let mut bets = BTreeSet::new();
    for line in transcript.lines() {
        let record = RecordEnvelope::parse(line.as_bytes()).unwrap();
        let payload: Value = serde_json::from_slice(record.payload()).unwrap();
        let seats = payload["results"]["seats"].clone();
        for seat in seats.as_object().into_iter().flat_map(|seats| seats.values()) {
            let lines = seat["lines"].as_array().unwrap();
            bets.extend(lines.iter().map(|line| line["bet"].as_str().unwrap().to_owned()));
        }
    }
    bets
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

    // The manifest still lists them, but the files are gone.
    let home = server.killed();
    let server = Server::start_in(home, None);
    let refused = run(&["play", "--server", &server.url, "--ruleset", "our-express"], b"");
    assert_eq!(refused.status.code(), Some(64));
}

#[test]
fn what_the_manifest_does_not_list_is_loaded_and_not_dealt() {
    // A keyring that is older than the rules.
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

/// The last line of a text.
fn last_line(text: &str) -> &str {
    text.lines().last().unwrap()
}

/// Returns the day on which settling ends in the first epoch of a transcript's first manifest,
/// computed by the `date` command.
fn due_date(transcript: &Path) -> String {
    let text = std::fs::read_to_string(transcript).unwrap();
    let record = RecordEnvelope::parse(text.lines().next().unwrap().as_bytes()).unwrap();
    let manifest: Value = serde_json::from_slice(record.payload()).unwrap();
    let until = manifest["epochs"][0]["settle_until"].as_str().unwrap();
    let arguments = ["-u", "-d", &format!("@{until}"), "+%F"];
    let output = Command::new("date").args(arguments).output().unwrap();
    text_of(&output.stdout).trim_end().to_owned()
}

fn text_of(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// The answers of the three verifiers on a file.
fn answers(server: &Server, file: &Path) -> [std::process::Output; 3] {
    let root = std::fs::read(server.path(".paigow-dev/root.json")).unwrap();
    let root: Value = serde_json::from_slice(&root).unwrap();
    let root = root["keys"][0].as_str().unwrap();
    let page = server.path("page");
    if !page.exists() {
        assert_eq!(run(&["page", page.to_str().unwrap()], b"").status.code(), Some(0));
    }
    let (file, cli) = (file.to_str().unwrap(), page.join("cli.mjs"));
    let rest = [file, "--root", root];
    [
        run(&[&["audit"], &rest[..]].concat(), b""),
        tools::command("python3").arg("verifiers/python").args(rest).output().unwrap(),
        tools::command("node").arg(cli).args(rest).output().unwrap(),
    ]
}

/// Returns the output of the three verifiers for a file.
fn told_by_all(server: &Server, file: &Path) -> [String; 3] {
    answers(server, file).map(|output| text(&output))
}

/// The verdict of each of the three verifiers on a file, and its exit code.
fn verdicts(server: &Server, file: &Path) -> Vec<(Option<i32>, String)> {
    let answers = answers(server, file);
    let codes = answers.iter().map(|output| output.status.code());
    let verdict = |output: &std::process::Output| {
        let told = text(output);
        let json: Option<Value> = serde_json::from_str(&told).ok();
        json.map_or(last_line(&told).to_owned(), |json| {
            json["verdict"].as_str().unwrap().to_owned()
        })
    };
    codes.zip(answers.iter().map(verdict)).collect()
}

/// Runs `paigow-keys dev-close` on the keyring of a server.
fn dev_close(server: &Server, files: &[&Path]) -> std::process::Output {
    let keyring = server.path(".paigow-dev");
    let files: Vec<&str> = files.iter().map(|file| file.to_str().unwrap()).collect();
    let close = ["dev-close", "--keyring", keyring.to_str().unwrap()];
    crate::binary::run_keys(&[&close[..], &files].concat())
}

#[test]
fn rounds_that_are_played_are_pending_and_match_once_their_epoch_is_closed() {
    let server = Server::start();
    let file = server.path("rounds.jsonl");
    let played = |server: &Server, file: &Path, table: &str| {
        let at = ["--rounds", "3", "--table", table, "--transcript", file.to_str().unwrap()];
        text(&server.play(&at))
    };
    let told = played(&server, &file, "T1");
    assert!(told.contains("3 rounds of classic at table T1"), "{told}");
    assert_eq!(told.matches("\n  dealer   dealt ").count(), 3, "{told}");
    let due = due_date(&file);
    let waits = |epoch: u32| {
        format!(
            "verdict: pending: everything computable agrees; the secret of epoch {epoch} is due \
             after {due}"
        )
    };
    assert_eq!(last_line(&told), waits(1));

    let (code, answer) = server.audit(&file);
    assert_eq!((code, &answer["verdict"]), (Some(3), &Value::from("VERDICT_PENDING")), "{answer}");
    assert_eq!(answer["rounds"].as_array().unwrap().len(), 3);
    assert_eq!(status(&answer, "GENESIS"), "CHECK_STATUS_PASSED");
    assert_eq!(status(&answer, "SEED_WAS_NOT_CHOSEN"), "CHECK_STATUS_SKIPPED");
    let pending = verdicts(&server, &file);
    assert!(pending.iter().all(|(code, _)| *code == Some(3)), "{pending:?}");
    assert_eq!(pending[0].1, waits(1));

    let closed = dev_close(&server, &[&file]);
    let told = text(&closed);
    assert_eq!(closed.status.code(), Some(0), "{told}{}", text_of(&closed.stderr));
    assert!(told.contains("epoch 1 is revealed and closed with 3 rounds"), "{told}");
    assert!(told.contains("every deck of epoch 1 is known now"), "{told}");
    let (code, answer) = server.audit(&file);
    assert_eq!(code, Some(0), "{answer}");
    for check in ["EPOCH_COMMIT", "EPOCH_SALT", "SEED_WAS_NOT_CHOSEN"] {
        assert_eq!(status(&answer, check), "CHECK_STATUS_PASSED", "{answer}");
    }
    let found = verdicts(&server, &file);
    let says_match = |(code, told): &(Option<i32>, String)| {
        *code == Some(0) && (told.starts_with("verdict: match") || told == "VERDICT_MATCH")
    };
    assert!(found.iter().all(says_match), "{found:?}");
    // There is no record to append again.
    let before = std::fs::read(&file).unwrap();
    assert!(text(&dev_close(&server, &[&file])).contains("0 records appended"));
    assert_eq!(std::fs::read(&file).unwrap(), before);

    // The next start continues with another epoch, whose rounds wait for another secret.
    let server = Server::start_in(server.killed(), None);
    let file = server.path("later.jsonl");
    assert_eq!(last_line(&played(&server, &file, "T2")), waits(2));
    let found = verdicts(&server, &file);
    assert!(found.iter().all(|(code, _)| *code == Some(3)), "{found:?}");
}

#[test]
fn two_manifests_of_one_number_are_called_a_fork_by_every_verifier() {
    let server = Server::start();
    let file = server.path("round.jsonl");
    server.play(&["--transcript", file.to_str().unwrap()]);
    let chain = server.path(".paigow-dev/manifests.jsonl");
    let chain = chain.to_str().unwrap();
    let folder = std::fs::read_dir(server.path(".paigow-dev")).unwrap();
    let names = folder.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let root = names.into_iter().find(|name| name.starts_with("root-")).unwrap();
    let root = server.path(&format!(".paigow-dev/{root}"));
    let described = text(&crate::binary::run_keys(&["manifest", "next", "--chain", chain]));
    let mut whole = std::fs::read_to_string(&file).unwrap();
    let mut hashes = Vec::new();
    for tenant in ["dev-locked", "dev-other"] {
        let description = server.path("manifest-2.toml");
        std::fs::write(&description, described.replace("\"dev-locked\"", &format!("{tenant:?}")))
            .unwrap();
        let (description, root) = (description.to_str().unwrap(), root.to_str().unwrap());
        let sign = ["manifest", "sign", description, "--chain", chain, "--key", root];
        let signed = crate::binary::run_keys(&sign);
        assert_eq!(signed.status.code(), Some(0), "{}", text_of(&signed.stderr));
        let line = text(&signed);
        hashes.push(RecordEnvelope::parse(line.trim_end().as_bytes()).unwrap().hash());
        whole += &line;
        std::fs::write(&file, &whole).unwrap();
        let codes: Vec<_> = verdicts(&server, &file).into_iter().map(|(code, _)| code).collect();
        let expected = if tenant == "dev-locked" { 3 } else { 1 };
        assert_eq!(codes, [Some(expected); 3], "{tenant}");
    }
    let fork = "a fork: two manifests of sequence number 2 under one root";
    let fork = format!("{fork}, {} and {}", hashes[0], hashes[1]);
    for told in told_by_all(&server, &file) {
        assert!(told.contains(&fork), "{told}");
        assert!(
            told.contains("MANIFEST_SIG failed first") || told.contains(CODE_OF_JSON),
            "{told}"
        );
    }
}

/// How the code of the first failed check stands in JSON.
const CODE_OF_JSON: &str = "\"code\":\"MANIFEST_SIG\"";

#[test]
fn a_running_server_serves_no_round_of_a_development_epoch_that_was_closed() {
    let server = Server::start();
    let (first, second) = (server.path("first.jsonl"), server.path("second.jsonl"));
    server.play(&["--table", "T1", "--transcript", first.to_str().unwrap()]);
    server.play(&["--table", "T1", "--first-round", "2", "--transcript", second.to_str().unwrap()]);
    assert_eq!(dev_close(&server, &[&first]).status.code(), Some(0));
    // A round that the close does not count cannot be added later.
    let refused = dev_close(&server, &[&second]);
    let told = text_of(&refused.stderr);
    assert_eq!(refused.status.code(), Some(65), "{told}");
    assert!(told.contains("with the close its audit is a mismatch: EPOCH_CLOSE"), "{told}");
    let later = server.path("later.jsonl");
    // A round that begins while the server reads the new manifest may be refused.
    let waits_for_epoch_2 = || {
        let arguments = ["--table", "T3", "--transcript", later.to_str().unwrap()];
        let played = run(&[&["play", "--server", &server.url][..], &arguments].concat(), b"");
        // A refused round prints no such line.
        text_of(&played.stdout).contains("the secret of epoch 2 is due after")
    };
    // The folder is read again within seconds.
    let deadline = std::time::Instant::now() + std::time::Duration::from_secs(60);
    while !waits_for_epoch_2() {
        assert!(std::time::Instant::now() < deadline);
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
}

#[test]
fn a_transcript_that_does_not_fit_ends_no_development_epoch() {
    let server = Server::start();
    let file = server.path("round.jsonl");
    server.play(&["--ruleset", "mini", "--transcript", file.to_str().unwrap()]);
    let whole = std::fs::read_to_string(&file).unwrap();
    let chain = std::fs::read(server.path(".paigow-dev/manifests.jsonl")).unwrap();
    let other = Server::start();
    let lines: Vec<&str> = whole.lines().collect();
    let (manifest, settle) = (lines[0], lines[lines.len() - 1]);
    let without_signature = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        record["signatures"] = Value::Array(Vec::new());
        record.to_string()
    };
    let forged = whole.replace(settle, &without_signature(settle));
    for (server, text, code, what) in [
        (&other, whole.as_str(), 65, "no manifest of the keyring"),
        (&server, forged.as_str(), 65, "its audit is a mismatch: SIGNATURES"),
        (&server, manifest, 65, "the file has no round"),
        (&server, "no record", 65, "line 1"),
    ] {
        std::fs::write(&file, text).unwrap();
        let refused = dev_close(server, &[&file]);
        let told = text_of(&refused.stderr);
        assert_eq!(refused.status.code(), Some(code), "{what}: {told}");
        assert!(told.contains(what), "{told}");
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
    }
    assert_eq!(std::fs::read(server.path(".paigow-dev/manifests.jsonl")).unwrap(), chain);
    assert!(!server.path(".paigow-dev/closed-1.jsonl").exists());
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
fn the_dealers_hand_that_a_deal_exposes_is_shown_and_no_other() {
    let server = Server::start();
    let shown = |ruleset: &str| text(&server.play(&["--ruleset", ruleset]));
    let told = shown("face-up");
    let exposed = told.lines().find(|line| line.starts_with("  exposed  low ")).unwrap();
    let dealt = told.lines().find(|line| line.starts_with("  dealer   dealt ")).unwrap();
    let cards = |line: &str| {
        let codes = line.split([' ', ',', ':']).filter(|word| word.parse::<Card>().is_ok());
        codes.map(str::to_owned).collect::<BTreeSet<_>>()
    };
    assert_eq!((cards(exposed).len(), cards(exposed)), (7, cards(dealt)), "{told}");
    assert!(!shown("express").contains("exposed"));
}

#[test]
fn json_is_one_object_a_round_with_the_answers_of_the_server() {
    let server = Server::start();
    let rounds = lines(&server.play(&["--rounds", "2", "--first-round", "9", "--json"]));
    assert_eq!(rounds.len(), 2);
    for round in rounds {
        assert_eq!(round["deal"]["roundId"], round["settle"]["roundId"]);
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
    assert!(told.starts_with("25 rounds of classic at table T2\n"), "{told}");
    assert!(!told.contains("dealt"), "{told}");
}

#[test]
fn no_server_and_an_unknown_ruleset_have_codes_of_their_own() {
    // No program listens on port 1 of this machine.
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
    // No program listens there: the command checks the file first.
    let output = run(&["play", "--server", "http://127.0.0.1:1", "--token-file", file], b"");
    assert_eq!(output.status.code(), Some(65));
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(told, format!("paigow-lab: {file}: not UTF-8 text\n"));
}
