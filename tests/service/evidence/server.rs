//! The evidence of the real server: what it has answered is in it.

mod opened;

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paigow_evidence::verify::{BootEnding, EvidenceReport, EvidenceVerdict};
use paigow_evidence::{EvidenceLine, LineBody};
use paigow_fairness::manifest::Manifest;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_files::keys::{self, KeyFile};

use crate::evidence::child::KilledOnDrop;
use crate::evidence::replica::{files_in, lines_of, verified};

/// A server that keeps its evidence in a folder.
struct Server {
    child: KilledOnDrop,
    url: String,
}

impl Server {
    /// Starts it on the keyring in `home`.
    fn start(home: &Path, evidence: &Path) -> Self {
        let server = Command::new(paigow_testkit::programs::server());
        let rotates = ("PAIGOW__EVIDENCE__ROTATE_BYTES", (1 << 17).to_string());
        Self::start_by(server, rotates, home, evidence)
    }

    /// Starts it by a command that becomes the server, with one setting more.
    fn start_by(
        mut command: Command,
        (key, value): (&str, String),
        home: &Path,
        evidence: &Path,
    ) -> Self {
        fs::create_dir_all(evidence).unwrap();
        let mut child = command
            .env_clear()
            .env("PAIGOW__SERVER__LISTEN", "127.0.0.1:0")
            .env("PAIGOW__SERVER__DRAIN_MS", "0")
            .env("PAIGOW__EVIDENCE__TARGET", "file")
            .env("PAIGOW__EVIDENCE__DIRECTORY", evidence)
            .env(key, value)
            .current_dir(home)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut printed = lines.by_ref().map(Result::unwrap);
        let address = printed
            .find_map(|line| Some(line.trim_start().strip_prefix("listens on")?.trim().to_owned()))
            .unwrap();
        // Later output of the process must not fill the pipe.
        std::thread::spawn(move || for _ in lines {});
        Self { child, url: format!("http://{address}") }
    }

    /// Starts to play against it.
    fn playing(&self, table: &str, rounds: u32, transcript: &Path) -> KilledOnDrop {
        Command::new(paigow_testkit::programs::lab())
            .args(["play", "--quiet", "--server", &self.url, "--table", table])
            .args(["--rounds", &rounds.to_string(), "--transcript"])
            .arg(transcript)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map(KilledOnDrop)
            .unwrap()
    }

    /// Plays against it, and returns the records of its answers.
    fn play(&self, table: &str, rounds: u32, home: &Path) -> Vec<String> {
        let transcript = home.join(format!("{table}.jsonl"));
        assert!(self.playing(table, rounds, &transcript).wait().unwrap().success());
        let text = fs::read_to_string(transcript).unwrap();
        text.lines().filter(|line| !line.contains("pge.manifest")).map(str::to_owned).collect()
    }

    fn signal(&self, signal: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
    }

    /// Lets it end in order.
    fn stop(mut self) {
        self.signal("-TERM");
        assert_eq!(self.child.wait().unwrap().code(), Some(0));
    }

    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// The records that are in a folder of evidence, as published.
fn kept(evidence: &Path) -> BTreeSet<String> {
    let mut kept = BTreeSet::new();
    for line in whole_lines(evidence) {
        if let LineBody::Record(entry) = line.body {
            kept.extend(entry.records.iter().map(|record| record.to_line()));
        }
    }
    kept
}

fn whole_lines(evidence: &Path) -> Vec<EvidenceLine> {
    let lines = files_in(evidence).iter().flat_map(|file| lines_of(file)).collect::<Vec<_>>();
    let whole = lines.iter().filter_map(|line| line.strip_suffix(b"\n"));
    whole.map(|line| EvidenceLine::parse(line).unwrap()).collect()
}

fn report(evidence: &Path) -> EvidenceReport {
    verified(&[evidence])
}

#[test]
fn a_server_that_ends_in_order_leaves_sound_evidence_of_every_answer() {
    let home = tempfile::tempdir().unwrap();
    let evidence = home.path().join("evidence");
    let server = Server::start(home.path(), &evidence);
    let answered = server.play("a", 30, home.path());
    server.stop();
    let report = report(&evidence);
    assert_eq!((report.faults.clone(), report.verdict()), (vec![], EvidenceVerdict::Sound));
    assert_eq!((report.rounds, report.boots.len()), (30, 1));
    assert!(files_in(&evidence).len() > 1, "it went on from file to file");
    let kept = kept(&evidence);
    for record in &answered {
        assert!(kept.contains(record), "{record}");
    }
    let lines = whole_lines(&evidence);
    let LineBody::Start(start) = &lines[0].body else { panic!("a start") };
    let program: PathBuf = paigow_testkit::programs::server().into();
    let executable = paigow_fairness::encoding::Hash::of(&fs::read(program).unwrap());
    assert_eq!((&*start.boot.version, start.boot.executable), ("0.1.0", Some(executable)));
    assert!(
        lines.iter().any(|line| matches!(&line.body, LineBody::Manifest(all) if all.len() == 1))
    );
    let events: Vec<&str> = lines
        .iter()
        .filter_map(|line| match &line.body {
            LineBody::Event(event) => Some(&*event.event),
            LineBody::Start(_) | LineBody::Record(_) | LineBody::Manifest(_) | LineBody::Stop => {
                None
            }
        })
        .collect();
    for event in ["started", "draining", "stopped"] {
        assert!(events.contains(&event), "{event} in {events:?}");
    }
}

/// Signs the next manifest of a development folder, and puts it there.
fn next_manifest(folder: &Path) {
    let chain = folder.join(keys::MANIFESTS);
    let text = fs::read_to_string(&chain).unwrap();
    let newest = RecordEnvelope::parse(text.lines().last().unwrap().as_bytes()).unwrap();
    let manifest = Manifest::parse(newest.json().unwrap()).unwrap();
    let next = Manifest { seq: manifest.seq + 1, prev: newest.hash(), ..manifest };
    let root = next.root.keys[0].kid();
    let file = KeyFile::read(&folder.join(format!("root-{root}.key")), None).unwrap();
    let KeyFile::Signing { key, .. } = file else { panic!("the root signs") };
    let record = RecordEnvelope::seal(RecordKind::Manifest, &next.to_json(), &[&key]);
    let new = chain.with_extension("new");
    fs::write(&new, format!("{text}{}\n", record.to_line())).unwrap();
    fs::rename(new, chain).unwrap();
}

#[test]
fn a_manifest_that_is_added_is_kept_and_those_before_not_again() {
    let home = tempfile::tempdir().unwrap();
    let evidence = home.path().join("evidence");
    let server = Server::start(home.path(), &evidence);
    next_manifest(&home.path().join(".paigow-dev"));
    server.signal("-HUP");
    let loaded = |line: &EvidenceLine| matches!(&line.body, LineBody::Event(e) if e.event == "manifest_loaded");
    // Until it is in force, rounds are played.
    let mut tables = 0;
    while !whole_lines(&evidence).iter().any(loaded) {
        tables += 1;
        assert!(tables < 1000, "never loaded");
        server.play(&format!("t{tables}"), 1, home.path());
    }
    server.stop();
    let manifests = |line: EvidenceLine| match line.body {
        LineBody::Manifest(found) => Some(found),
        LineBody::Start(_) | LineBody::Record(_) | LineBody::Event(_) | LineBody::Stop => None,
    };
    let lines: Vec<Vec<RecordEnvelope>> =
        whole_lines(&evidence).into_iter().filter_map(manifests).collect();
    let chain = fs::read(home.path().join(".paigow-dev").join(keys::MANIFESTS)).unwrap();
    let chain = transcript::parse(&chain).unwrap();
    assert_eq!(chain.len(), 2);
    assert_eq!(lines, chain.into_iter().map(|manifest| vec![manifest]).collect::<Vec<_>>());
    assert_eq!(report(&evidence).verdict(), EvidenceVerdict::Sound);
}

#[test]
fn a_server_that_is_killed_has_kept_every_answer_and_its_successor_names_its_last_line() {
    let home = tempfile::tempdir().unwrap();
    let evidence = home.path().join("evidence");
    let server = Server::start(home.path(), &evidence);
    // Others are in the middle of a round when it is killed.
    let mut others = server.playing("others", 1_000_000, &home.path().join("others.jsonl"));
    let answered = server.play("a", 20, home.path());
    server.kill();
    assert!(!others.wait().unwrap().success());
    let kept = kept(&evidence);
    assert!(answered.iter().all(|record| kept.contains(record)));
    let before = report(&evidence);
    assert_eq!((before.faults.clone(), before.verdict()), (vec![], EvidenceVerdict::Open));
    assert_ne!(before.boots[0].ending, BootEnding::Stopped);

    Server::start(home.path(), &evidence).stop();
    let after = report(&evidence);
    assert_eq!((after.faults, after.boots.len()), (vec![], 2));
    let named = whole_lines(&evidence).into_iter().rev().find_map(|line| match line.body {
        LineBody::Start(start) => start.before,
        LineBody::Record(_) | LineBody::Event(_) | LineBody::Manifest(_) | LineBody::Stop => None,
    });
    assert_eq!(named, before.boots[0].head);
}

#[test]
fn replicas_on_one_keyring_leave_evidence_without_a_fork() {
    let home = tempfile::tempdir().unwrap();
    let evidence = home.path().join("evidence");
    let start = |name: &str| Server::start(home.path(), &evidence.join(name));
    let (one, two) = (start("one"), start("two"));
    // The same table and choices: the same questions to both.
    let first = one.play("same", 15, home.path());
    assert_eq!(two.play("same", 15, home.path()), first);
    one.stop();
    two.stop();
    let report = report(&evidence);
    assert_eq!((report.faults.clone(), report.forks.len()), (vec![], 0));
    assert_eq!((report.rounds, report.verdict()), (15, EvidenceVerdict::Sound));
    // Each round is opened or dealt, and settled, on both.
    assert_eq!(kept(&evidence.join("one")), kept(&evidence.join("two")));
}
