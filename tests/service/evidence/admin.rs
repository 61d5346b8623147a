//! `paigow-lab admin` against two real servers that keep their evidence in files of their own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use paigow_client::PaiGowServiceClient;
use paigow_engine::SecretKey;
use paigow_fairness::signature::Signer as _;
use paigow_files::command::ledger_key;
use paigow_proto::v1 as pb;
use paigow_testkit::running::eventually;
use serde_json::Value;
use tonic::transport::Channel;

use crate::evidence::child::KilledOnDrop;

/// The keyring of two servers, and the folder of each one's evidence.
struct Deployment {
    home: tempfile::TempDir,
    servers: [Server; 2],
}

struct Server {
    _process: KilledOnDrop,
    url: String,
}

impl Server {
    fn start(home: &Path, name: &str, settings: &[(&str, &str)]) -> Self {
        let evidence = home.join(name);
        fs::create_dir_all(&evidence).unwrap();
        let mut process = Command::new(paigow_testkit::programs::server())
            .env_clear()
            .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
            .env("PAIGOW__SERVER__TENANT", "dev-locked")
            .env("PAIGOW__TELEMETRY__INSTANCE", name)
            .env("PAIGOW__EVIDENCE__TARGET", "file")
            .env("PAIGOW__EVIDENCE__DIRECTORY", &evidence)
            .envs(settings.iter().copied())
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        use std::io::BufRead as _;
        let mut lines = std::io::BufReader::new(process.stdout.take().unwrap()).lines();
        let address = lines
            .by_ref()
            .map(Result::unwrap)
            .find_map(|line| Some(line.trim_start().strip_prefix("listens on")?.trim().to_owned()));
        // Its further output must not fill the pipe.
        std::thread::spawn(move || for _ in lines {});
        Self { _process: process, url: format!("http://{}", address.unwrap()) }
    }

    async fn client(&self) -> PaiGowServiceClient<Channel> {
        PaiGowServiceClient::connect(self.url.clone()).await.unwrap()
    }
}

impl Deployment {
    fn start() -> Self {
        Self::with(&[])
    }

    fn with(settings: &[(&str, &str)]) -> Self {
        let home = tempfile::tempdir().unwrap();
        let servers = ["a", "b"].map(|name| Server::start(home.path(), name, settings));
        Self { home, servers }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.home.path().join(name)
    }

    /// The file of the ledger of the locked tenant.
    fn ledger_file(&self) -> PathBuf {
        let entries = fs::read_dir(self.path(".paigow-dev")).unwrap();
        let mut files = entries.map(|entry| entry.unwrap().path());
        files
            .find(|path| path.file_name().unwrap().to_str().unwrap().starts_with("ledger-"))
            .unwrap()
    }

    fn ledger(&self) -> SecretKey {
        ledger_key(&self.ledger_file()).unwrap()
    }

    /// Runs `paigow-lab admin` on both servers.
    fn admin(&self, arguments: &[&str]) -> Output {
        let [one, two] = self.servers.each_ref().map(|server| server.url.as_str());
        self.admin_of(&[one, two], arguments)
    }

    fn admin_of(&self, servers: &[&str], arguments: &[&str]) -> Output {
        Command::new(paigow_testkit::programs::lab())
            .current_dir(self.home.path())
            .arg("admin")
            .args(servers.iter().flat_map(|server| ["--server", server]))
            .args(arguments)
            .output()
            .unwrap()
    }

    /// The open tickets, by table.
    fn open_tickets(&self) -> (Option<i32>, Vec<Value>) {
        let output = self.admin(&["open-tickets", "--json"]);
        (output.status.code(), lines(&output))
    }

    /// Voids a round with the key of its ledger.
    fn void(&self, round: &str, more: &[&str]) -> Output {
        let ledger = self.ledger_file();
        let own = ["void", "--round", round, "--ledger-key", ledger.to_str().unwrap()];
        let file = ["--transcript", "void.jsonl", "--minimum-age", "0"];
        self.admin(&[&own[..], &file, more].concat())
    }

    /// Audits what a void has written.
    fn audit(&self) -> Value {
        let root = self.path(".paigow-dev/root.json");
        let output = Command::new(paigow_testkit::programs::lab())
            .current_dir(self.home.path())
            .args(["audit", "void.jsonl", "--json", "--root", root.to_str().unwrap()])
            .output()
            .unwrap();
        // All agrees; the secret of the epoch is not there yet, or not needed.
        assert!([Some(0), Some(3)].contains(&output.status.code()), "{}", told(&output));
        serde_json::from_slice(&output.stdout).unwrap()
    }
}

fn told(output: &Output) -> String {
    [&output.stdout[..], &output.stderr].map(String::from_utf8_lossy).concat()
}

fn lines(output: &Output) -> Vec<Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn signed(ledger: &SecretKey, prepared: Option<pb::UnsignedRecord>) -> Option<pb::Record> {
    let prepared = prepared.unwrap();
    let signature = pb::Signature {
        public_key: ledger.public().to_string(),
        signature: ledger.sign(&prepared.to_sign).to_vec(),
    };
    Some(pb::Record { signatures: vec![signature], ..prepared.record.unwrap() })
}

async fn open(client: &mut PaiGowServiceClient<Channel>, table: &str) -> pb::OpenRoundResponse {
    let engine = client.get_engine(pb::GetEngineRequest {}).await.unwrap().into_inner();
    let open = pb::OpenRoundRequest {
        manifest: engine.manifest,
        epoch: Some(engine.open_epochs[0].epoch),
        table: table.to_owned(),
        round_no: 1,
        ruleset: "express".to_owned(),
        ..pb::OpenRoundRequest::default()
    };
    client.open_round(open).await.unwrap().into_inner()
}

async fn deal(
    client: &mut PaiGowServiceClient<Channel>,
    opened: &pb::OpenRoundResponse,
    ledger: &SecretKey,
) -> pb::DealResponse {
    let wager =
        pb::Wager { seat: 1, bet: "base".to_owned(), amount_minor: 2500, ..pb::Wager::default() };
    let sheet = pb::WagerSheet {
        currency: Some(pb::Currency { code: "USD".to_owned(), exponent: 2 }),
        wagers: vec![wager],
        ..pb::WagerSheet::default()
    };
    let prepare = pb::PrepareDealRequest { ticket: opened.ticket.clone(), sheet: Some(sheet) };
    let lock = client.prepare_deal(prepare).await.unwrap().into_inner().lock;
    let request = pb::DealRequest {
        start: opened.ticket.clone().map(pb::deal_request::Start::Ticket),
        wagers: signed(ledger, lock).map(pb::deal_request::Wagers::Lock),
        beacon_signature: String::new(),
    };
    client.deal(request).await.unwrap().into_inner()
}

async fn settle(
    client: &mut PaiGowServiceClient<Channel>,
    dealt: &pb::DealResponse,
    ledger: &SecretKey,
) {
    let records = dealt.records.clone();
    let decision = pb::Decision {
        seat: 1,
        setting: Some(pb::decision::Setting::HouseWay(true)),
        ..pb::Decision::default()
    };
    let prepare = pb::PrepareSettleRequest {
        records: records.clone(),
        decisions: vec![decision],
        ..pb::PrepareSettleRequest::default()
    };
    let prepared = client.prepare_settle(prepare).await.unwrap().into_inner();
    let request = pb::SettleRequest {
        records,
        actions: prepared.actions.into_iter().filter_map(|one| one.action?.record).collect(),
        lock: signed(ledger, prepared.lock),
        ..pb::SettleRequest::default()
    };
    client.settle(request).await.unwrap();
}

#[tokio::test]
async fn what_one_replica_opened_and_another_closed_is_not_open_also_where_both_opened_it() {
    let deployment = Deployment::start();
    let ledger = deployment.ledger();
    let [mut a, mut b] =
        [deployment.servers[0].client().await, deployment.servers[1].client().await];
    // Opened at A, dealt and settled at B.
    let opened = open(&mut a, "closed").await;
    let dealt = deal(&mut b, &opened, &ledger).await;
    settle(&mut b, &dealt, &ledger).await;
    // The answer of A was lost: opened at both, settled at B.
    let opened = open(&mut a, "twice").await;
    assert_eq!(open(&mut b, "twice").await, opened);
    let dealt = deal(&mut b, &opened, &ledger).await;
    settle(&mut b, &dealt, &ledger).await;
    assert_eq!(deployment.open_tickets(), (Some(0), vec![]));

    let stranded = open(&mut a, "stranded").await;
    let dealt_elsewhere = open(&mut a, "dealt").await;
    deal(&mut b, &dealt_elsewhere, &ledger).await;
    let (code, open) = deployment.open_tickets();
    assert_eq!(code, Some(1));
    let facts: Vec<_> = open
        .iter()
        .map(|one| {
            let text = |key: &str| one[key].as_str().unwrap().to_owned();
            let replicas = one["replicas"].as_array().unwrap().len();
            (text("table"), text("round_id"), one["dealt"].as_bool().unwrap(), replicas)
        })
        .collect();
    let expected = [
        ("stranded".to_owned(), stranded.round_id.clone(), false, 1),
        ("dealt".to_owned(), dealt_elsewhere.round_id.clone(), true, 2),
    ];
    assert_eq!(facts, expected);
    assert!(open.iter().all(|one| one["can_be_voided"] == true && one["tenant"] == "dev-locked"));
    // A ticket that may be in play is not in a list of old ones.
    let old = deployment.admin(&["open-tickets", "--minimum-age", "3600"]);
    assert_eq!(old.status.code(), Some(0), "{}", told(&old));
    assert_eq!(told(&old), "0 open tickets at 2 replicas\n");
    // Half of the replicas do not know what the other half has closed.
    let gone =
        deployment.admin_of(&[&deployment.servers[0].url, "http://127.0.0.1:9"], &["open-tickets"]);
    assert_eq!(gone.status.code(), Some(69));
    assert!(told(&gone).contains("every replica has to answer"), "{}", told(&gone));
}

#[tokio::test]
async fn a_stranded_ticket_is_voided_over_its_last_record_and_its_transcript_audits() {
    let deployment = Deployment::start();
    let ledger = deployment.ledger();
    let [mut a, mut b] =
        [deployment.servers[0].client().await, deployment.servers[1].client().await];
    let opened = open(&mut a, "opened").await;
    let dealt = open(&mut a, "dealt").await;
    deal(&mut b, &dealt, &ledger).await;

    for (round, records, returns) in [(&opened, 3, 0), (&dealt, 5, 1)] {
        let output = deployment.void(&round.round_id, &["--json"]);
        assert_eq!(output.status.code(), Some(0), "{}", told(&output));
        let answer = &lines(&output)[0];
        assert_eq!(answer["round_id"], round.round_id.as_str());
        assert_eq!(answer["returns"].as_array().unwrap().len(), returns);
        let transcript = fs::read_to_string(deployment.path("void.jsonl")).unwrap();
        let own = transcript.lines().filter(|line| !line.contains("pge.manifest"));
        assert_eq!(own.count(), records, "{transcript}");
        let audit = deployment.audit();
        let round_of_audit = &audit["rounds"][0];
        assert_eq!(round_of_audit["roundId"], round.round_id.as_str(), "{audit}");
        assert_eq!(round_of_audit["disposition"], "DISPOSITION_VOID", "{audit}");
    }
    assert_eq!(deployment.open_tickets(), (Some(0), vec![]));
    // It is closed now, and a second void of it no void at all.
    let again = deployment.void(&dealt.round_id, &[]);
    assert_eq!(again.status.code(), Some(65));
    assert!(told(&again).contains("is closed"), "{}", told(&again));
    // All replicas together report no fork.
    let verify = Command::new(paigow_testkit::programs::lab())
        .args(["sink", "verify", "--json"])
        .args([deployment.path("a"), deployment.path("b")])
        .output()
        .unwrap();
    let report = &lines(&verify)[0];
    assert_eq!(
        (&report["forks"], &report["open_tickets"]),
        (&Value::Array(vec![]), &Value::Array(vec![]))
    );
}

#[tokio::test]
async fn a_void_that_could_be_a_fork_is_refused_by_name() {
    let settings = [("PAIGOW__EVIDENCE__ROTATE_S", "1")];
    let deployment = Deployment::with(&settings);
    let ledger = deployment.ledger();
    let [mut a, mut b] =
        [deployment.servers[0].client().await, deployment.servers[1].client().await];
    let round = open(&mut a, "stranded").await;
    let dealt = deal(&mut b, &round, &ledger).await;
    let refused = |output: Output, code: i32, what: &str| {
        let told = told(&output);
        assert_eq!(output.status.code(), Some(code), "{told}");
        assert!(told.contains(what), "{told}");
        assert!(!deployment.path("void.jsonl").exists());
    };
    let ledger_file = deployment.ledger_file();
    let ledger_file = ledger_file.to_str().unwrap();
    // Young, unsigned, unknown.
    let own = ["void", "--round", &round.round_id, "--transcript", "void.jsonl"];
    let young = [&own[..], &["--ledger-key", ledger_file]].concat();
    refused(deployment.admin(&young), 65, "may be in play");
    let other = "0".repeat(64);
    refused(deployment.void(&other, &[]), 65, "no replica has an open ticket");
    refused(deployment.void("abc", &[]), 64, "--round abc");
    // Only the ticket, although a replica has dealt it.
    let ticket = deployment.path("ticket.jsonl");
    fs::write(&ticket, &round.ticket.as_ref().unwrap().envelope).unwrap();
    let file = ["--records", ticket.to_str().unwrap()];
    refused(deployment.void(&round.round_id, &file), 65, "the deal is not in the file");
    // The replica that has dealt it is not asked for its ticket, and it has none.
    let alone = [&own[..], &["--ledger-key", ledger_file, "--minimum-age", "0"]].concat();
    let of_b = deployment.admin_of(&[&deployment.servers[1].url], &alone);
    refused(of_b, 65, "was dealt, and no replica has its ticket");
    // The file with the deal was taken away, as after a shipment.
    let folder = deployment.path("b");
    let has_round = |file: &PathBuf| fs::read_to_string(file).unwrap().contains(&round.round_id);
    // A file is sealed once another was begun, which takes a second.
    let first = eventually(async || {
        let files = paigow_evidence::files::list(std::slice::from_ref(&folder)).unwrap();
        let (last, before) = files.split_last().unwrap();
        let found = before.iter().find(|file| has_round(file)).cloned();
        found.filter(|_| !has_round(last))
    })
    .await;
    let aside = deployment.path("aside");
    fs::rename(&first, &aside).unwrap();
    refused(deployment.void(&round.round_id, &[]), 65, "it may have been dealt or closed there");
    // With all of its records it is still voided.
    let records = deployment.path("records.jsonl");
    let text: Vec<u8> =
        dealt.records.iter().flat_map(|record| [&record.envelope[..], b"\n"].concat()).collect();
    fs::write(&records, text).unwrap();
    let voided = deployment.void(&round.round_id, &["--records", records.to_str().unwrap()]);
    assert_eq!(voided.status.code(), Some(0), "{}", told(&voided));
    deployment.audit();
}

#[tokio::test]
async fn a_policy_with_locks_takes_no_void_without_the_ledger() {
    let deployment = Deployment::start();
    let mut a = deployment.servers[0].client().await;
    let round = open(&mut a, "stranded").await;
    let own = ["void", "--round", &round.round_id, "--transcript", "void.jsonl"];
    let output = deployment.admin(&[&own[..], &["--minimum-age", "0"]].concat());
    assert_eq!(output.status.code(), Some(69));
    assert!(told(&output).contains("LOCK_REQUIRED"), "{}", told(&output));
}

#[tokio::test]
async fn status_verify_and_switches_are_told_of_every_replica() {
    let deployment = Deployment::start();
    let well = deployment.admin(&["status"]);
    assert_eq!(well.status.code(), Some(0), "{}", told(&well));
    let text = told(&well);
    for words in [
        "  replica        a at http://127.0.0.1:",
        "  replica        b at http://127.0.0.1:",
        "  new rounds     begin\n",
        "  epoch          1: secret held, open; ",
        ": held, signs\n",
        "  verification   passed at ",
        "  evidence       file, fail closed, 0 lines waiting\n",
        "  setting        telemetry.instance = \"a\"\n",
        "  switch         none\n",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let verified = deployment.admin(&["verify", "--json"]);
    assert_eq!(verified.status.code(), Some(0), "{}", told(&verified));
    let verified = lines(&verified);
    assert!(verified.iter().all(|one| one["verification"]["passed"] == true), "{verified:?}");
    assert_eq!(verified.len(), 2);
    let switches = deployment.admin(&["switches"]);
    assert_eq!(switches.status.code(), Some(0), "{}", told(&switches));

    // One of three is down: the command shows the others.
    let [one, two] = deployment.servers.each_ref().map(|server| server.url.as_str());
    let gone = deployment.admin_of(&[one, "http://127.0.0.1:9", two], &["status", "--json"]);
    assert_eq!(gone.status.code(), Some(1), "{}", told(&gone));
    let gone = lines(&gone);
    assert_eq!(gone.len(), 3);
    assert_eq!(gone[0]["status"]["instance"], "a");
    assert!(gone[1]["error"].is_string() && gone[1].get("status").is_none());
    assert_eq!(gone[2]["status"]["manifest"], gone[0]["status"]["manifest"]);
    let none = deployment.admin_of(&["http://127.0.0.1:9"], &["status"]);
    assert_eq!(none.status.code(), Some(69));
}

#[tokio::test]
async fn switches_that_differ_and_a_caller_without_the_role_are_told() {
    let access = |roles: &str, switch: &str| {
        format!(
            "[[tenants]]\ntenant = \"dev-locked\"\n[[tenants.clients]]\nname = \"one\"\n\
             roles = [{roles}]\ntoken_sha256 = \"{}\"\n{switch}",
            // printf "the token" | sha256sum
            "d94772fd76a9e3a1c170673847ba8f96851fd423b1a7834871cd2c78633c7e97"
        )
    };
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let halted = "[halted]\nengine = true\nreason = \"a drill\"\n";
    for (name, text) in [
        ("one.toml", access("\"ops\"", "")),
        ("two.toml", access("\"ops\"", halted)),
        ("three.toml", access("\"table\", \"auditor\"", "")),
    ] {
        fs::write(home.path().join(name), text).unwrap();
    }
    fs::write(home.path().join("token"), "the token\n").unwrap();
    let start = |name: &str, file: &str| {
        Server::start(home.path(), name, &[("PAIGOW__ACCESS__FILE", &path(file))])
    };
    let servers = [start("a", "one.toml"), start("b", "two.toml")];
    let third = start("c", "three.toml");
    let deployment = Deployment { home, servers };
    let token = ["--token-file", "token"];
    let switches = deployment.admin(&[&["switches"][..], &token].concat());
    assert_eq!(switches.status.code(), Some(1), "{}", told(&switches));
    let text = told(&switches);
    assert!(text.contains("  switch         halted: engine: a drill\n"), "{text}");
    assert!(text.contains("the replicas differ"), "{text}");
    let status = deployment.admin(&[&["status", "--json"][..], &token].concat());
    assert_eq!(status.status.code(), Some(1));
    let status = lines(&status);
    assert_eq!(status[0]["status"]["obstacles"], Value::Null, "none is not written");
    assert_eq!(status[1]["status"]["obstacles"][0], "NEW_ROUNDS_OBSTACLE_HALTED");

    for task in [&["open-tickets"][..], &["refusals"]] {
        let output = deployment.admin_of(&[&third.url], &[task, &token].concat());
        assert_eq!(output.status.code(), Some(69), "{}", told(&output));
        assert!(told(&output).contains("ROLE"), "{}", told(&output));
    }
    // A caller without credentials gets nothing, and an operator sees that it tried.
    let stranger = deployment.admin(&["open-tickets"]);
    assert!(told(&stranger).contains("CREDENTIALS"), "{}", told(&stranger));
    let refusals = deployment.admin(&[&["refusals", "--json"][..], &token].concat());
    assert_eq!(refusals.status.code(), Some(0), "{}", told(&refusals));
    let refusals = lines(&refusals);
    assert_eq!(refusals.len(), 2, "{refusals:?}");
    for refusal in refusals {
        let call = &refusal["refusal"]["call"];
        assert_eq!(call["method"], "paigow.v1.PaiGowService/ListOpenTickets");
        assert_eq!((&call["reason"], &call["peer"]), (&"CREDENTIALS".into(), &"127.0.0.1".into()));
    }
}
