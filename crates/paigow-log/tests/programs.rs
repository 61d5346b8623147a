//! The programs, run as an operator and a witness run them.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use paigow_engine::SecretKey;
use paigow_evidence::{EvidenceLine, LineBody, RecordEntry};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::log_copy::{CopiedEntry, LogCopy};
use paigow_fairness::log_proof::{LogProof, PublicLog};
use paigow_fairness::manifest::Manifest;
use paigow_fairness::merkle::tree_hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_files::keys::{KeyFile, KeyRole};
use paigow_files::system;
use paigow_log::{LogReader, LogStore as _, ObjectLogStore};
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

const ORIGIN: &str = "log.example/paigow";
const BOOT: &str = "1800000000-0123456789abcdef";

fn secret(byte: u8) -> SecretKey {
    SecretKey::from_bytes(&[byte; 32])
}

fn log() -> PublicLog {
    PublicLog { origin: ORIGIN.parse().unwrap(), key: secret(1).public() }
}

/// The records of the kit's first case: one round of two seats, and the reveal. The round no longer
/// belongs to these manifests, because the second lists the log.
fn round() -> Vec<RecordEnvelope> {
    let kit = include_str!("../../../verifiers/conformance/records.jsonl");
    let case: serde_json::Value = serde_json::from_str(kit.lines().next().unwrap()).unwrap();
    let lines = case["input"]["transcript"].as_array().unwrap();
    let lines: Vec<&str> = lines.iter().map(|line| line.as_str().unwrap()).collect();
    let mut records = transcript::parse(lines.join("\n").as_bytes()).unwrap();
    let mut manifest = Manifest::parse(records[1].json().unwrap()).unwrap();
    manifest.log = Some(log());
    records[1] = RecordEnvelope::seal(RecordKind::Manifest, &manifest.to_json(), &[&secret(4)]);
    records
}

fn ticket(number: u64) -> RecordEnvelope {
    RecordEnvelope::unsigned(RecordKind::Ticket, &Json::obj([("n", Json::Int(number))]))
}

/// Returns the lines of evidence with these records, one each.
fn evidence(records: &[RecordEnvelope]) -> String {
    let line = |record: &RecordEnvelope| {
        let body = LineBody::Record(RecordEntry {
            rpc: "Deal".into(),
            tenant: "acme".parse().unwrap(),
            round_id: Hash::ZERO,
            trace_id: None,
            records: vec![record.clone()],
            kept: Vec::new(),
        });
        let (boot, prev) = (BOOT.to_owned(), Hash::ZERO);
        EvidenceLine { boot, seq: 0, prev, time: 1_800_000_000_000, body }.to_bytes()
    };
    let lines = records.iter().map(|record| String::from_utf8(line(record)).unwrap() + "\n");
    lines.collect()
}

fn entry(record: &RecordEnvelope) -> Vec<u8> {
    // The pre-authentication encoding of DSSE, written out.
    let (kind, payload) = (record.kind().payload_type(), record.payload());
    let head = format!("DSSEv1 {} {kind} {} ", kind.len(), payload.len());
    [head.as_bytes(), payload].concat()
}

/// An operator's folder.
struct Operator {
    folder: TempDir,
}

impl Operator {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        for name in ["evidence", "records", "log"] {
            fs::create_dir(folder.path().join(name)).unwrap();
        }
        let key = KeyFile::Signing { role: KeyRole::Log, key: secret(1) };
        fs::rename(key.write_new(folder.path()).unwrap(), folder.path().join("log.key")).unwrap();
        Self { folder }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn address(&self) -> String {
        format!("file://{}", self.path("log").display())
    }

    fn append(&self, records: &[RecordEnvelope]) {
        let path = self.path("evidence").join(format!("{BOOT}-000001.jsonl"));
        let file = fs::OpenOptions::new().create(true).append(true).open(path);
        file.unwrap().write_all(evidence(records).as_bytes()).unwrap();
    }

    /// Makes the command `paigow-log write` with these further arguments.
    fn write(&self, more: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_paigow-log"));
        command.args(["write", "--log", &self.address(), "--origin", ORIGIN]);
        command.arg("--key").arg(self.path("log.key")).arg("--state").arg(self.path("state"));
        command.arg("--records").arg(self.path("records")).args(more).arg(self.path("evidence"));
        command
    }

    fn prove(&self, transcript: &Path, more: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_paigow-log"));
        command.args(["prove", "--log", &self.address(), "--transcript"]).arg(transcript);
        command.args(more).output().unwrap()
    }

    /// Returns the verified entries of the published log, and the number of witnesses that have
    /// signed it.
    fn entries(&self) -> (Vec<Vec<u8>>, usize) {
        let store = ObjectLogStore::open(&self.address()).unwrap();
        let reader = LogReader::new(&store, log());
        let checkpoint = reader.checkpoint(&reader.witnesses().unwrap()).unwrap().unwrap();
        let mut entries = Vec::new();
        let tree = reader.tree(&checkpoint);
        tree.entries(0..checkpoint.size, |_, entry| {
            entries.push(entry.to_vec());
            ControlFlow::Continue(())
        })
        .unwrap();
        let leaves: Vec<Hash> =
            entries.iter().map(|entry| Hash::of_parts(&[&[0], entry])).collect();
        assert_eq!(tree_hash(&leaves), Some(checkpoint.root));
        (entries, checkpoint.cosignatures.len())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs a command and checks its exit code. Returns its output, followed by its errors.
fn run(mut command: Command, code: i32) -> String {
    let output = command.output().unwrap();
    let told = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{told}");
    told
}

/// A witness that runs.
struct RunningWitness {
    child: Child,
    url: String,
    key: String,
}

impl RunningWitness {
    fn start(folder: &Path, more: &[&str]) -> Self {
        let key = folder.join(format!("witness-{}.key", secret(2).public().kid()));
        if !key.exists() {
            let file = KeyFile::Signing { role: KeyRole::Witness, key: secret(2) };
            assert_eq!(file.write_new(folder).unwrap(), key);
        }
        let mut command = Command::new(env!("CARGO_BIN_EXE_paigow-log-witness"));
        command.args(["--listen", "127.0.0.1:0", "--name", "witness.example"]);
        command.arg("--key").arg(key).arg("--state").arg(folder.join("witness.state"));
        command.args(["--log", &format!("{ORIGIN}={}", secret(1).public())]).args(more);
        let mut child = command.stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut next =
            |start: &str| lines.next().unwrap().unwrap().strip_prefix(start).unwrap().to_owned();
        let url = format!("http://{}", next("listens on "));
        Self { child, url, key: next("key ") }
    }

    fn argument(&self) -> String {
        format!("{}={}", self.url, self.key)
    }

    fn end(mut self, signal: Signal) -> std::process::ExitStatus {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
        self.child.wait().unwrap()
    }
}

#[test]
fn a_round_is_logged_witnessed_and_proven() {
    let operator = Operator::new();
    let witness = RunningWitness::start(operator.folder.path(), &["--new"]);
    let records = round();
    let (manifests, rest) = records.split_at(2);
    let (of_round, reveal) = rest.split_at(rest.len() - 1);
    fs::write(operator.path("records/manifests.jsonl"), transcript::write(manifests)).unwrap();
    fs::write(operator.path("records/reveal-1.jsonl"), transcript::write(reveal)).unwrap();
    operator.append(&(0..300).map(ticket).collect::<Vec<_>>());
    operator.append(of_round);
    // The same call again, and a start that also reports the manifests.
    operator.append(&of_round[..3]);
    operator.append(manifests);
    let argument = witness.argument();
    let asked = ["--witness", argument.as_str()];
    let since = system::now();
    let told = run(operator.write(&[&asked[..], &["--new"]].concat()), 0);
    assert_eq!(told, "306 appended\n306 entries are published, with 1 of 1 cosignatures\n");
    let logged = [RecordKind::Ticket, RecordKind::Lock, RecordKind::Settle];
    let is_logged = |record: &&RecordEnvelope| {
        logged.contains(&record.kind()) && !text(record.payload()).contains("\"step\":\"final\"")
    };
    let wanted: Vec<&RecordEnvelope> =
        manifests.iter().chain(of_round.iter().filter(is_logged)).chain(reveal).collect();
    let (entries, cosignatures) = operator.entries();
    assert_eq!((entries.len(), cosignatures, wanted.len()), (306, 1, 6));
    // The witness publishes the checkpoints that it has signed.
    let told = ObjectLogStore::open(&witness.url).unwrap();
    let name = |origin: &str| format!("{}/checkpoint", Hash::of(origin.as_bytes()));
    let published = fs::read(operator.path("log/checkpoint")).unwrap();
    assert_eq!(told.read_one(&name(ORIGIN)).unwrap(), Some(published));
    assert_eq!(told.read_one(&name("log.example/other")).unwrap(), None);

    // More entries come later. The proofs are from the checkpoint that dates the records best.
    operator.append(&[ticket(1_000)]);
    run(operator.write(&asked), 0);
    let path = operator.path("round.jsonl");
    fs::write(&path, transcript::write(&records)).unwrap();
    let proven = operator.prove(&path, &[]);
    assert_eq!((proven.status.code(), text(&proven.stderr)), (Some(0), String::new()));
    let proofs = transcript::parse(&proven.stdout).unwrap();
    assert_eq!(proofs.len(), wanted.len());
    for (line, record) in proofs.iter().zip(wanted) {
        assert!(line.kind() == RecordKind::LogProof && !line.is_signed());
        let proof = LogProof::parse(line.json().unwrap()).unwrap();
        assert_eq!((proof.record, proof.checkpoint.size), (Hash::of(&entry(record)), 306));
        assert!(proof.leads_to_root(Hash::of_parts(&[&[0], &entry(record)])));
        assert_eq!(entries[usize::try_from(proof.index).unwrap()], entry(record));
        assert!(proof.checkpoint.is_of(&log()));
        let [cosignature] = &proof.checkpoint.cosignatures[..] else { panic!("one witness") };
        assert_eq!(cosignature.key, secret(2).public());
        assert!(cosignature.verifies(&proof.checkpoint.text()));
        assert!((since..=system::now()).contains(&cosignature.time));
    }

    // A copy has every entry and the newest checkpoint.
    let copied = operator.path("copy.jsonl");
    let mut command = Command::new(env!("CARGO_BIN_EXE_paigow-log"));
    command.arg("copy").arg("--log").arg(operator.address()).arg("--transcript").arg(&path);
    command.arg("--out").arg(&copied);
    run(command, 0);
    let copy = LogCopy::parse(&fs::read(&copied).unwrap()).unwrap();
    assert!(copy.checkpoint().is_of(&log()) && copy.checkpoint().size == 307);
    assert_eq!(copy.checkpoint().cosignatures[0].key, secret(2).public());
    let hashes: Vec<Hash> = copy.entries().iter().map(CopiedEntry::hash).collect();
    let (entries, _) = operator.entries();
    assert_eq!(hashes, entries.iter().map(|entry| Hash::of(entry)).collect::<Vec<_>>());
    assert_eq!(copy.to_text().into_bytes(), fs::read(&copied).unwrap());

    // With a record that is not in the log, into a file.
    let stray = ticket(5_000);
    fs::write(&path, transcript::write(records.iter().chain([&stray]))).unwrap();
    let to = operator.path("proven.jsonl");
    let proven = operator.prove(&path, &["--out", to.to_str().unwrap()]);
    assert_eq!((proven.status.code(), text(&proven.stdout)), (Some(1), String::new()));
    assert_eq!(text(&proven.stderr), format!("ticket {}: it is not in the log\n", stray.hash()));
    let whole = fs::read(&to).unwrap();
    let whole = transcript::parse(&whole).unwrap();
    assert_eq!(whole[..records.len()], records);
    assert_eq!(whole[records.len() + 1..], proofs);

    // A transcript of another log.
    fs::write(&path, transcript::write(&records[..1])).unwrap();
    let refused = operator.prove(&path, &[]);
    assert_eq!(refused.status.code(), Some(65));
    assert!(text(&refused.stderr).contains("no manifest of the transcript lists a log"));
    assert_eq!(witness.end(Signal::TERM).code(), Some(0));
}

#[test]
fn a_record_that_no_witness_has_signed_is_named() {
    let operator = Operator::new();
    let records = round();
    fs::write(operator.path("records/manifests.jsonl"), transcript::write(&records[..2])).unwrap();
    run(operator.write(&["--new", "--wanted", "0"]), 0);
    let path = operator.path("round.jsonl");
    fs::write(&path, transcript::write(&records[..2])).unwrap();
    let refused = operator.prove(&path, &[]);
    assert_eq!((refused.status.code(), text(&refused.stdout)), (Some(1), String::new()));
    let names: Vec<String> = records[..2]
        .iter()
        .map(|record| {
            let hash = record.hash();
            format!("manifest {hash}: it is in the log, and no witness has signed that yet\n")
        })
        .collect();
    assert_eq!(text(&refused.stderr), names.concat());
}

#[test]
fn a_writer_that_is_killed_goes_on() {
    let operator = Operator::new();
    let witness = RunningWitness::start(operator.folder.path(), &["--new"]);
    let argument = witness.argument();
    let asked = ["--witness", argument.as_str()];
    run(operator.write(&[&asked[..], &["--new"]].concat()), 0);
    let mut number = 0;
    for round in 0..6_u64 {
        let mut child = operator
            .write(&[&asked[..], &["--every", "1"]].concat())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        for _ in 0..20 {
            operator.append(&(number..number + 50).map(ticket).collect::<Vec<_>>());
            number += 50;
            std::thread::sleep(Duration::from_millis(20 + 7 * round));
        }
        child.kill().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9));
    }
    let told = run(operator.write(&asked), 0);
    assert!(told.ends_with("6000 entries are published, with 1 of 1 cosignatures\n"), "{told}");
    let expected: Vec<Vec<u8>> = (0..6_000).map(|n| entry(&ticket(n))).collect();
    assert_eq!(operator.entries(), (expected, 1));

    // Stopped in order, it ends after a last pass.
    let mut child = operator.write(&[&asked[..], &["--every", "600"]].concat()).spawn().unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    operator.append(&[ticket(number)]);
    while operator.entries().0.len() < 6_001 && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(50));
    }
    operator.append(&[ticket(number + 1)]);
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(operator.entries().0.len(), 6_002);
    witness.end(Signal::KILL);
}

#[test]
fn a_witness_refuses_a_fork_and_a_rollback_also_after_a_kill() {
    let (ours, other) = (Operator::new(), Operator::new());
    let witness = RunningWitness::start(ours.folder.path(), &["--new"]);
    let argument = witness.argument();
    ours.append(&(0..20).map(ticket).collect::<Vec<_>>());
    run(ours.write(&["--new", "--witness", &argument]), 0);
    assert_eq!(witness.end(Signal::KILL).signal(), Some(9));
    let witness = RunningWitness::start(ours.folder.path(), &[]);
    let argument = witness.argument();
    let asked = ["--witness", argument.as_str()];

    // A log of the same name and key, first shorter and then longer than the signed one.
    other.append(&(100..110).map(ticket).collect::<Vec<_>>());
    let told = run(other.write(&[&asked[..], &["--new"]].concat()), 65);
    assert!(told.contains("has signed this log with 20 entries, and the state has 10"), "{told}");
    other.append(&(110..130).map(ticket).collect::<Vec<_>>());
    let told = run(other.write(&asked), 1);
    assert!(told.contains("witness witness.example: it answered 422"), "{told}");
    assert!(told.ends_with("30 entries are published, with 0 of 1 cosignatures\n"), "{told}");
    assert_eq!(other.entries().1, 0);

    // While the witness runs, no other process can open the state.
    let second = Command::new(env!("CARGO_BIN_EXE_paigow-log-witness"))
        .args(["--listen", "127.0.0.1:0", "--name", "witness.example"])
        .arg("--key")
        .arg(ours.path(&format!("witness-{}.key", secret(2).public().kid())))
        .arg("--state")
        .arg(ours.path("witness.state"))
        .args(["--log", &format!("{ORIGIN}={}", secret(1).public())])
        .output()
        .unwrap();
    assert_eq!(second.status.code(), Some(65), "{}", text(&second.stderr));

    ours.append(&(20..25).map(ticket).collect::<Vec<_>>());
    run(ours.write(&asked), 0);
    assert_eq!(ours.entries().1, 1);
    witness.end(Signal::TERM);
}

#[test]
fn a_witness_that_is_down_delays_nothing_beyond_the_limit() {
    let operator = Operator::new();
    let witness = RunningWitness::start(operator.folder.path(), &["--new"]);
    // One witness accepts connections and never answers. No program listens at the other's port.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let named = |address: std::net::SocketAddr, name: &str, key: u8| {
        format!("http://{address}={name}+{}", secret(key).public())
    };
    let silent_argument = named(silent.local_addr().unwrap(), "silent.example", 5);
    let gone_argument = named(gone, "gone.example", 6);
    let argument = witness.argument();
    let all = ["--witness", &argument, "--witness", &silent_argument, "--witness", &gone_argument];
    operator.append(&[ticket(1)]);
    let began = Instant::now();
    let more = ["--new", "--witness-limit", "1"];
    let told = run(operator.write(&[&all[..], &more].concat()), 0);
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert!(told.contains("witness silent.example: ") && told.contains("witness gone.example: "));
    assert!(told.ends_with("1 entries are published, with 1 of 1 cosignatures\n"), "{told}");
    // Two witnesses are required: this is a finding, and the checkpoint is still published.
    operator.append(&[ticket(2)]);
    let more = ["--wanted", "2", "--witness-limit", "1"];
    let told = run(operator.write(&[&all[..], &more].concat()), 1);
    assert!(told.ends_with("2 entries are published, with 1 of 2 cosignatures\n"), "{told}");
    assert_eq!(operator.entries().0.len(), 2);
    let told = run(operator.write(&["--witness", &argument, "--wanted", "2"]), 64);
    assert!(told.contains("--wanted 2: name as many witnesses"), "{told}");
    witness.end(Signal::TERM);
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_logged() {
    let operator = Operator::new();
    operator.append(&[ticket(1)]);
    let path = operator.path("evidence").join(format!("{BOOT}-000001.jsonl"));
    let at = fs::metadata(&path).unwrap().len();
    let mut file = fs::OpenOptions::new().append(true).open(&path).unwrap();
    file.write_all(b"damage\n").unwrap();
    operator.append(&[ticket(2)]);
    fs::write(operator.path("records/a.jsonl"), "no record\n").unwrap();
    let told = run(operator.write(&["--new", "--wanted", "0"]), 1);
    let records = operator.path("records/a.jsonl").display().to_string();
    assert!(told.contains(&format!("{records}: line 1: ")), "{told}");
    assert!(told.contains(&format!("{}: byte {at}: not a line of evidence: ", path.display())));
    let entries: BTreeSet<Vec<u8>> = operator.entries().0.into_iter().collect();
    assert_eq!(entries, [1, 2].map(|n| entry(&ticket(n))).into());
    // The program reported the line. Each run reads the file of records.
    fs::remove_file(operator.path("records/a.jsonl")).unwrap();
    let told = run(operator.write(&["--wanted", "0"]), 0);
    assert_eq!(told, "0 appended\n2 entries are published, with 0 of 0 cosignatures\n");
    let store = ObjectLogStore::open(&operator.address()).unwrap();
    assert!(store.list("cosigned").unwrap().is_empty());
}
