//! The sink in a real process: killed, on a full disk, on the standard output.

use std::collections::BTreeSet;
use std::fs;
use std::io::{BufRead, BufReader, Lines, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use paigow_evidence::verify::{BootEnding, EvidenceVerdict, EvidenceVerifier};
use paigow_evidence::{
    Event, EvidenceLine, Fsync, LineBody, RecordEntry, Sink, SinkError, SinkHealth, SinkSettings,
    SinkTarget, files,
};
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};

use crate::evidence::casino::id;
use crate::evidence::child::KilledOnDrop;
use crate::evidence::replica::{boot, boot_id, clock, files_in, lines_of, settings, verified};

/// An entry that its number identifies.
fn entry(number: u64) -> RecordEntry {
    let payload = Json::obj([("n", Json::Int(number)), ("text", Json::str("x".repeat(700)))]);
    RecordEntry {
        rpc: "Deal".into(),
        tenant: id("acme"),
        round_id: Hash::of(&number.to_le_bytes()),
        trace_id: None,
        records: vec![RecordEnvelope::unsigned(RecordKind::Action, &payload)],
        kept: Vec::new(),
    }
}

/// Says what it keeps until its input ends, then closes the sink.
///
/// Run in a process of its own by the tests below: `SINK` is a folder or `stdout`, `BOOT`
/// the number of the boot.
#[test]
#[ignore = "a process for the other tests"]
fn a_process_that_keeps_records() {
    let (Ok(target), Ok(number)) = (std::env::var("SINK"), std::env::var("BOOT")) else { return };
    let fsync = Fsync::Always;
    let settings = match target.as_str() {
        "stdout" => SinkSettings { target: SinkTarget::Stdout, fsync, ..settings(Path::new("")) },
        folder => SinkSettings { fsync, ..settings(Path::new(folder)) },
    };
    let tell = |words: String| eprintln!("{words}");
    let input = std::thread::spawn(|| std::io::stdin().read_to_end(&mut Vec::new()));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(async {
        let sink = Sink::open(settings, boot(number.parse().unwrap(), "a"), clock).unwrap();
        let mut health = sink.watch();
        let mut first = 0;
        while !input.is_finished() {
            // Eight calls at once share a write and a sync.
            let mut calls = tokio::task::JoinSet::new();
            for number in first..first + 8 {
                let sink = sink.clone();
                calls.spawn(async move { (number, sink.keep(entry(number)).await) });
            }
            first += 8;
            for (number, kept) in calls.join_all().await {
                tell(format!("{} {number}", if kept.is_ok() { "kept" } else { "refused" }));
            }
            if sink.health() != SinkHealth::Sound {
                tell("failing".to_owned());
                health.wait_for(|health| *health == SinkHealth::Sound).await.unwrap();
                tell("sound".to_owned());
            }
        }
        sink.close().await;
    });
}

/// The process above.
struct Keeper {
    child: KilledOnDrop,
    input: Option<ChildStdin>,
    told: Lines<BufReader<std::process::ChildStderr>>,
    output: Option<ChildStdout>,
    kept: BTreeSet<u64>,
    refused: BTreeSet<u64>,
}

impl Keeper {
    /// Starts it in a shell after `prepare`.
    fn start(sink: &str, boot: u8, prepare: &str) -> Self {
        let program = std::env::current_exe().unwrap();
        let mut child = Command::new("bash")
            .args(["-c", &format!("{prepare} exec \"$0\" \"$@\"")])
            .arg(program)
            .args([
                "--ignored",
                "--exact",
                "--nocapture",
                "evidence::process::a_process_that_keeps_records",
            ])
            // With one thread the runner names the test first, on a line that it leaves open.
            .arg("--test-threads=2")
            .env("SINK", sink)
            .env("BOOT", boot.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map(KilledOnDrop)
            .unwrap();
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let told = BufReader::new(child.stderr.take().unwrap()).lines();
        Self { child, input, told, output, kept: BTreeSet::new(), refused: BTreeSet::new() }
    }

    /// Listens until it says a word, or to the end; false if it ends without.
    fn listen_for(&mut self, enough: impl Fn(&Self, &str) -> bool) -> bool {
        while let Some(Ok(line)) = self.told.next() {
            let mut words = line.split(' ');
            let word = words.next().unwrap();
            let number = words.next().and_then(|number| number.parse().ok());
            match (word, number) {
                ("kept", Some(number)) => drop(self.kept.insert(number)),
                ("refused", Some(number)) => drop(self.refused.insert(number)),
                _ => {}
            }
            if enough(self, word) {
                return true;
            }
        }
        false
    }

    fn listen_to_the_end(&mut self) {
        assert!(!self.listen_for(|_, _| false));
    }
}

/// The numbers of the entries in the files of a folder, in order.
fn numbers(folder: &Path, boot: u8) -> Vec<u64> {
    let mut numbers = Vec::new();
    for file in files_in(folder) {
        for bytes in lines_of(&file) {
            let Some(bytes) = bytes.strip_suffix(b"\n") else { continue };
            let line = EvidenceLine::parse(bytes).unwrap();
            let LineBody::Record(entry) = line.body else { continue };
            let Ok(Json::Obj(payload)) = entry.records[0].json() else { panic!() };
            let Json::Int(number) = *payload.get("n").unwrap() else { panic!() };
            if line.boot == boot_id(boot) {
                numbers.push(number);
            }
        }
    }
    numbers
}

#[test]
fn a_process_killed_while_it_writes_leaves_everything_it_has_acknowledged() {
    let folder = tempfile::tempdir().unwrap();
    for number in 1..=8 {
        let mut keeper = Keeper::start(folder.path().to_str().unwrap(), number, "");
        let enough = usize::from(number) * 16;
        assert!(keeper.listen_for(|keeper, _| keeper.kept.len() >= enough));
        keeper.child.kill().unwrap();
        keeper.listen_to_the_end();
        let found: BTreeSet<u64> = numbers(folder.path(), number).into_iter().collect();
        assert!(keeper.kept.is_subset(&found), "boot {number}");
    }
    // Each boot has named the last whole line of the one before.
    let report = verified(&[folder.path()]);
    assert_eq!(report.faults, []);
    assert_eq!((report.boots.len(), report.verdict()), (8, EvidenceVerdict::Open));
    assert!(report.boots.iter().all(|boot| boot.ending != BootEnding::Stopped));
}

#[test]
fn on_a_full_disk_nothing_acknowledged_is_lost_and_the_sink_recovers() {
    let folder = tempfile::tempdir().unwrap();
    // A file may have 64 KiB, and who writes more is refused and not killed.
    let full = "trap '' XFSZ; ulimit -S -f 64;";
    let mut keeper = Keeper::start(folder.path().to_str().unwrap(), 1, full);
    assert!(keeper.listen_for(|_, word| word == "failing"));
    assert!(!keeper.kept.is_empty() && !keeper.refused.is_empty());
    let before = keeper.kept.len();
    // An attempt that is under way may have a part of its line there for a moment.
    let file = files_in(folder.path()).remove(0);
    let ends = Instant::now() + Duration::from_secs(60);
    while !fs::read(&file).unwrap().ends_with(b"\n") {
        assert!(Instant::now() < ends, "no part of a line is left");
    }
    let pid = keeper.child.id().to_string();
    let freed = Command::new("prlimit").args(["--pid", &pid, "--fsize=unlimited"]).status();
    assert!(freed.unwrap().success());
    assert!(keeper.listen_for(|_, word| word == "sound"));
    assert!(keeper.listen_for(|keeper, _| keeper.kept.len() > before + 100));
    drop(keeper.input.take());
    keeper.listen_to_the_end();
    assert!(keeper.child.wait().unwrap().success());

    let found = numbers(folder.path(), 1);
    let distinct: BTreeSet<u64> = found.iter().copied().collect();
    assert_eq!(found.len(), distinct.len());
    assert_eq!(distinct, keeper.kept, "what was acknowledged, and nothing else");
    assert!(keeper.refused.is_disjoint(&distinct));
    let report = verified(&[folder.path()]);
    assert_eq!((report.faults.clone(), report.verdict()), (vec![], EvidenceVerdict::Sound));
    // Where a short line still fits and eight long ones do not, it fails more than once.
    let told = told_failures(folder.path());
    assert!(!told.is_empty(), "the failure is told in the sink");
    assert!(told.iter().all(|event| event.facts["error"].contains("too large")), "{told:?}");
    let refused = told.iter().map(|event| event.facts["refused"].parse::<usize>().unwrap());
    assert_eq!(refused.sum::<usize>(), keeper.refused.len(), "{told:?}");
}

/// Returns the failures of the sink that the files of a folder record, in order.
fn told_failures(folder: &Path) -> Vec<Event> {
    let lines = files_in(folder).into_iter().flat_map(|file| lines_of(&file));
    let events =
        lines.filter_map(|line| match EvidenceLine::parse(&line[..line.len() - 1]).unwrap().body {
            LineBody::Event(event) => Some(event),
            LineBody::Start(_) | LineBody::Record(_) | LineBody::Manifest(_) | LineBody::Stop => {
                None
            }
        });
    events.filter(|event| event.event == "evidence_failed").collect()
}

#[test]
fn the_standard_output_carries_the_same_chain() {
    let mut keeper = Keeper::start("stdout", 1, "");
    let output = keeper.output.take().unwrap();
    let reading = std::thread::spawn(move || {
        let mut verifier = EvidenceVerifier::default();
        verifier.begin_file("-");
        files::each_line(output, |line, whole| {
            // The test runner says something there too.
            if line.starts_with(b"{") {
                verifier.line(line, whole);
            }
        })
        .unwrap();
        verifier.finish()
    });
    assert!(keeper.listen_for(|keeper, _| keeper.kept.len() >= 100));
    drop(keeper.input.take());
    keeper.listen_to_the_end();
    let report = reading.join().unwrap();
    assert_eq!((report.faults.clone(), report.verdict()), (vec![], EvidenceVerdict::Sound));
    assert_eq!(report.records, keeper.kept.len() as u64);
}

#[tokio::test]
async fn a_sink_that_cannot_be_written_is_refused_at_the_start() {
    let folder = tempfile::tempdir().unwrap();
    let open = |number, settings| Sink::open(settings, boot(number, "a"), clock);
    let nowhere = settings(&folder.path().join("nowhere"));
    let Err(SinkError::Unwritable { place, .. }) = open(1, nowhere) else { panic!() };
    assert!(place.ends_with("nowhere"));
    let bad = paigow_evidence::Boot { id: "../1".to_owned(), ..boot(1, "a") };
    let refused = Sink::open(settings(folder.path()), bad, clock);
    assert!(matches!(refused, Err(SinkError::Boot(_))));
    open(1, settings(folder.path())).unwrap().close().await;
    // A boot does not write over another's files.
    assert!(matches!(open(1, settings(folder.path())), Err(SinkError::Unwritable { .. })));
    let file = files_in(folder.path()).remove(0);
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    assert_eq!(verified(&[folder.path()]).verdict(), EvidenceVerdict::Sound);
}
