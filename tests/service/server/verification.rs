//! The server as a process that holds itself against a signed release record: its own
//! binary, rules and settings in a folder, and one byte of each changed.

mod opening;
mod settings;

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paigow_client::PaiGowServiceClient;
use paigow_engine::SecretKey;
use paigow_files::keys::{self, KeyFile};
use paigow_files::release;
use paigow_proto::v1 as pb;
use paigow_round::Catalogue;
use tonic::Code;
use tonic::transport::Channel;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::server::child::KilledOnDrop;
use crate::server::running::{deal, eventually, reason_and_fields, settle};

/// The health name of new rounds.
const DEAL: &str = "paigow.v1.PaiGowService/Deal";

/// A folder with all that a server runs from.
struct Home {
    folder: tempfile::TempDir,
    root: SecretKey,
}

impl Home {
    /// Lays out a binary, an operator's rules, settings, a development keyring and the
    /// record of all of them, which it is held against every `interval_s` seconds.
    fn new(interval_s: u32) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        // By another process: a program that this one has open for writing cannot be run, nor
        // while a process that another test starts at that moment has inherited it.
        let written = Command::new("cp")
            .args([Path::new(paigow_testkit::programs::server()), &path("paigow-server")])
            .status();
        assert!(written.unwrap().success());
        let catalogue = Catalogue::shipped();
        let rules = catalogue.game_named("mikes").unwrap().ruleset.text();
        fs::create_dir_all(path("rules/rulesets")).unwrap();
        let own = rules.replacen("id = \"mikes\"", "id = \"our-game\"", 1);
        fs::write(path("rules/rulesets/our-game.toml"), own).unwrap();

        let now = paigow::server::now();
        let loaded = keys::open_dev(&path("keys"), &catalogue, now, &mut paigow::server::entropy);
        let kid = loaded.unwrap().root.keys[0].kid();
        let root = KeyFile::read(&path("keys").join(format!("root-{kid}.key")), None).unwrap();
        let KeyFile::Signing { key: root, .. } = root else { panic!("a root key signs") };
        let settings = format!(
            "[server]\nlisten = \"127.0.0.1:0\"\n[keyring]\ndirectory = \"keys\"\n\
             [rules]\ndirectory = \"rules\"\n[evidence]\ntarget = \"file\"\ndirectory = \"evidence\"\n\
             fsync = \"never\"\n\
             [verification]\nrelease_file = \"release.jsonl\"\ninterval_s = {interval_s}\n"
        );
        fs::write(path("server.toml"), settings).unwrap();
        fs::create_dir(path("evidence")).unwrap();
        let home = Self { folder, root };
        home.release();
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Makes the record with `paigow-lab` and signs it.
    fn release(&self) {
        let of = ["--config", "server.toml", "--rules", "rules"];
        make_release(self.folder.path(), Path::new("paigow-server"), &of, &self.root);
    }

    /// Replaces one place in a file, which gets a new inode as by a package manager: what
    /// runs is not touched.
    fn change(&self, file: &str, from: &[u8], to: &[u8]) {
        let (path, aside) = (self.path(file), self.path("aside"));
        let mut bytes = fs::read(&path).unwrap();
        let at = bytes.windows(from.len()).position(|window| window == from);
        let at = at.unwrap_or_else(|| panic!("{file} holds it"));
        bytes.splice(at..at + from.len(), to.iter().copied());
        fs::write(&aside, bytes).unwrap();
        fs::set_permissions(&aside, fs::metadata(&path).unwrap().permissions()).unwrap();
        fs::rename(aside, path).unwrap();
    }

    /// How often the evidence holds an event.
    fn events(&self, name: &str) -> usize {
        let files = fs::read_dir(self.path("evidence")).unwrap();
        let told: String = files.map(|f| fs::read_to_string(f.unwrap().path()).unwrap()).collect();
        told.matches(&format!("\"{name}\"")).count()
    }
}

/// Makes the record of a server's binary in a folder, with `paigow-lab` and what `of` adds, and
/// signs it: `release.jsonl`.
pub(super) fn make_release(folder: &Path, server: &Path, of: &[&str], root: &SecretKey) {
    let tree = folder.join("tree");
    fs::create_dir_all(tree.join("crates/rules")).unwrap();
    for (file, text) in [
        (
            "Cargo.toml",
            "[workspace]\nresolver = \"3\"\n\
             [workspace.metadata.certified]\ncrates = [\"rules\"]\n",
        ),
        ("Cargo.lock", "[[package]]\nname = \"rules\"\nversion = \"0.1.0\"\n"),
        ("crates/rules/Cargo.toml", "[package]\nname = \"rules\"\n"),
    ] {
        fs::write(tree.join(file), text).unwrap();
    }
    let mut make = Command::new(paigow_testkit::programs::lab());
    make.env_clear().current_dir(folder).args(["release", "make", "--source", "tree"]);
    make.arg("--binary").arg(server).args(of);
    for library in libraries(&folder.join(server)) {
        make.arg("--library").arg(library);
    }
    let record = folder.join("release.jsonl");
    let made = make.arg("--out").arg(&record).output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let (mut envelope, _) = release::read(&fs::read(&record).unwrap()).unwrap();
    envelope.add_signature(root);
    fs::write(record, envelope.to_line() + "\n").unwrap();
}

/// The shared objects that a binary loads; none if it is static.
fn libraries(binary: &Path) -> Vec<String> {
    let output = Command::new("ldd").arg(binary).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let path = |line: &str| {
        let start = line.find('/')?;
        line[start..].split_whitespace().next().map(str::to_owned)
    };
    text.lines().filter_map(path).collect()
}

/// The server of a folder.
struct Server {
    _process: KilledOnDrop,
    channel: Channel,
}

impl Server {
    async fn start(home: &Home) -> Self {
        let mut process = Command::new(home.path("paigow-server"))
            .args(["--config", "server.toml"])
            .env_clear()
            .current_dir(&home.folder)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        let mut lines = BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines.find_map(|line| {
            Some(line.unwrap().trim().strip_prefix("listens on")?.trim().to_owned())
        });
        let address = address.expect("the server says where it listens");
        std::thread::spawn(move || lines.for_each(drop));
        let channel = Channel::from_shared(format!("http://{address}")).unwrap();
        Self { _process: process, channel: channel.connect().await.unwrap() }
    }

    fn client(&self) -> PaiGowServiceClient<Channel> {
        PaiGowServiceClient::new(self.channel.clone())
    }

    /// The codes of the checks with a status, by a verification made now.
    async fn verify(&self, status: pb::CheckStatus) -> Vec<String> {
        let answer = self.client().verify_engine(pb::VerifyEngineRequest {}).await.unwrap();
        let answer = answer.into_inner();
        let failed = answer.checks.iter().any(|check| check.status() == pb::CheckStatus::Failed);
        assert_eq!(answer.passed, !failed);
        let of = answer.checks.into_iter().filter(|check| check.status() == status);
        of.map(|check| check.code).collect()
    }

    /// Whether health says that rounds can be dealt.
    async fn deals(&self) -> bool {
        self.is_healthy(DEAL).await
    }

    async fn is_healthy(&self, name: &str) -> bool {
        let request = HealthCheckRequest { service: name.to_owned() };
        let answer = HealthClient::new(self.channel.clone()).check(request).await.unwrap();
        answer.into_inner().status() == ServingStatus::Serving
    }
}

#[tokio::test]
async fn one_changed_byte_of_anything_stops_new_rounds_and_lets_open_ones_end() {
    let home = Home::new(86_400);
    let server = Server::start(&home).await;
    let passed = server.verify(pb::CheckStatus::Passed).await;
    assert_eq!(
        passed,
        [
            "RELEASE",
            "EXECUTABLE",
            "BUILD",
            "SHARED_OBJECTS",
            "RULESETS",
            "HOUSE_WAYS",
            "CONFIGURATION",
            "KNOWN_ANSWERS",
            "MANIFEST"
        ]
    );
    // The first byte of the binary, and one of each file.
    let binary = fs::read(home.path("paigow-server")).unwrap();
    let (head, changed) = (&binary[..64], [&[binary[0] ^ 1], &binary[1..64]].concat());
    let cases: [(&str, &[u8], &[u8], &str); 4] = [
        ("paigow-server", head, &changed, "EXECUTABLE"),
        ("rules/rulesets/our-game.toml", b"Mike's", b"Mika's", "RULESETS"),
        ("server.toml", b"interval_s = 86400", b"interval_s = 86300", "CONFIGURATION"),
        ("release.jsonl", b"\"sig\"", b"\"sag\"", "RELEASE"),
    ];
    for (round_no, (file, from, to, failed)) in (1..).zip(cases) {
        let dealt = server.client().deal(deal(round_no)).await.unwrap().into_inner();
        home.change(file, from, to);
        assert_eq!(server.verify(pb::CheckStatus::Failed).await, [failed], "{file}");
        let refused = server.client().deal(deal(100)).await.unwrap_err();
        assert_eq!(refused.code(), Code::Unavailable);
        assert_eq!(reason_and_fields(&refused).0, "ENGINE_UNVERIFIED");
        eventually(async || (!server.deals().await).then_some(())).await;
        server.client().settle(settle(&dealt)).await.unwrap();

        home.change(file, to, from);
        assert!(server.verify(pb::CheckStatus::Failed).await.is_empty(), "{file}");
        eventually(async || server.deals().await.then_some(())).await;
    }
    // The first start and one verification a case found nothing, and one a case did.
    assert_eq!(home.events("verification_failed"), cases.len());
}

#[tokio::test]
async fn a_binary_that_was_not_released_starts_and_deals_nothing() {
    let home = Home::new(86_400);
    let released = Server::start(&home).await;
    let dealt = released.client().deal(deal(1)).await.unwrap().into_inner();
    drop(released);
    // It runs as before, with one byte more at its end.
    let written = Command::new("sh")
        .args(["-c", "printf '\\0' >> paigow-server"])
        .current_dir(&home.folder)
        .status();
    assert!(written.unwrap().success());
    let server = Server::start(&home).await;
    let refused = server.client().deal(deal(2)).await.unwrap_err();
    assert_eq!(reason_and_fields(&refused).0, "ENGINE_UNVERIFIED");
    assert_eq!(server.verify(pb::CheckStatus::Failed).await, ["EXECUTABLE"]);
    // Probes still find it healthy, so it keeps its place: open rounds are settled here too.
    assert!(!server.deals().await);
    for name in ["", "paigow.v1.PaiGowService"] {
        assert!(server.is_healthy(name).await, "{name:?}");
    }
    server.client().settle(settle(&dealt)).await.unwrap();
}

#[tokio::test]
async fn a_change_is_found_without_being_asked_for() {
    let home = Home::new(1);
    let server = Server::start(&home).await;
    eventually(async || server.deals().await.then_some(())).await;
    home.change("rules/rulesets/our-game.toml", b"Mike's", b"Mika's");
    eventually(async || (!server.deals().await).then_some(())).await;
    home.change("rules/rulesets/our-game.toml", b"Mika's", b"Mike's");
    eventually(async || server.deals().await.then_some(())).await;
}
