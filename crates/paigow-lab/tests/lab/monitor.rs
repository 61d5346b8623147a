//! The monitor of a public log: an honest log has no finding, and each fault is named.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use paigow_evidence::{EvidenceLine, LineBody, RecordEntry};
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::Suite;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::system;
use paigow_lab::monitor::{MonitorRequest, run};
use paigow_log::{
    LogReader, LogStart, LogStore as _, LogWriting, ObjectLogStore, SignedCheckpoint, WitnessKey,
    write,
};
use paigow_round::{Catalogue, VoidReason};
use paigow_testkit::casino::{Casino, DRAND, RoundPlan, SETTLE_UNTIL, root_key, witness_key};
use paigow_testkit::logs::{log_key, public_log};
use tempfile::TempDir;

const BOOT: &str = "1800000000-0123456789abcdef";

/// A log in a folder, and what its monitor needs.
struct Operator {
    folder: TempDir,
}

fn witness() -> WitnessKey {
    WitnessKey { name: "witness.example".to_owned(), key: witness_key().public() }
}

fn evidence(records: &[RecordEnvelope]) -> String {
    let line = |record: &RecordEnvelope| {
        let body = LineBody::Record(RecordEntry {
            rpc: "Deal".into(),
            tenant: "drand".parse().unwrap(),
            round_id: Hash::ZERO,
            trace_id: None,
            records: vec![record.clone()],
            kept: Vec::new(),
        });
        let (boot, prev) = (BOOT.to_owned(), Hash::ZERO);
        let line = EvidenceLine { boot, seq: 0, prev, time: 1_800_000_000_000, body };
        String::from_utf8(line.to_bytes()).unwrap() + "\n"
    };
    records.iter().map(line).collect()
}

fn is_of_a_round(record: &RecordEnvelope) -> bool {
    use RecordKind::{Action, Deal, Lock, Settle, Ticket};
    matches!(record.kind(), Ticket | Lock | Deal | Action | Settle)
}

impl Operator {
    /// A log of these records, which the witness has signed now.
    fn new(casino: &Casino, records: &[RecordEnvelope]) -> Self {
        let operator = Self { folder: tempfile::tempdir().unwrap() };
        for name in ["evidence", "records", "log"] {
            fs::create_dir(operator.path(name)).unwrap();
        }
        let lines = |records: &[RecordEnvelope]| -> String {
            records.iter().map(|record| record.to_line() + "\n").collect()
        };
        fs::write(operator.path("manifests"), lines(&casino.manifests)).unwrap();
        operator.append(records, LogStart::New);
        operator
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn address(&self) -> String {
        format!("file://{}", self.path("log").display())
    }

    /// Appends records to the log, and has the witness sign.
    fn append(&self, records: &[RecordEnvelope], start: LogStart) {
        use std::io::Write as _;
        let (rounds, others): (Vec<RecordEnvelope>, Vec<RecordEnvelope>) =
            records.iter().cloned().partition(is_of_a_round);
        let file = self.path("evidence").join(format!("{BOOT}-000001.jsonl"));
        let file = fs::OpenOptions::new().create(true).append(true).open(file);
        file.unwrap().write_all(evidence(&rounds).as_bytes()).unwrap();
        let others: String = others.iter().map(|record| record.to_line() + "\n").collect();
        let file =
            fs::OpenOptions::new().create(true).append(true).open(self.path("records/all.jsonl"));
        file.unwrap().write_all(others.as_bytes()).unwrap();
        let request = LogWriting {
            log: self.address(),
            origin: public_log().origin,
            key: log_key(),
            state: self.path("state"),
            start,
            evidence: vec![self.path("evidence")],
            records: vec![self.path("records")],
            witnesses: Vec::new(),
            wanted: 0,
            limit: Duration::from_secs(1),
            every: None,
        };
        let mut told = Vec::new();
        write(&request, &mut told).unwrap();
        self.cosign(system::now());
    }

    /// Has the witness sign the newest checkpoint.
    fn cosign(&self, time: u64) {
        let store = ObjectLogStore::open(&self.address()).unwrap();
        let mut checkpoint = LogReader::new(&store, public_log()).checkpoint(&[]).unwrap().unwrap();
        checkpoint.cosignatures = vec![witness().cosign(&witness_key(), time, &checkpoint.text())];
        store.write(&[("checkpoint".to_owned(), checkpoint.to_note().into_bytes())]).unwrap();
    }

    fn request(&self) -> MonitorRequest {
        MonitorRequest {
            log: self.address(),
            views: Vec::new(),
            manifests: self.path("manifests"),
            root: paigow_fairness::manifest::Root { keys: vec![root_key().public()], threshold: 1 },
            witnesses: vec![witness()],
            wanted: 1,
            stale: 600,
            grace: 0,
            state: Some(self.path("seen")),
            every: None,
            listen: None,
            as_of: None,
            samples: 9,
        }
    }

    /// Runs the monitor once, and returns its output.
    fn look(&self, request: &MonitorRequest) -> String {
        let mut out = Vec::new();
        run(request, &Catalogue::shipped(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Runs the monitor once, and returns the codes of its findings.
    fn codes(&self, request: &MonitorRequest) -> Vec<String> {
        let told = self.look(request);
        let codes = told.lines().filter_map(|line| line.split_once(": "));
        codes.map(|(code, _)| code.to_owned()).filter(|code| code.to_uppercase() == *code).collect()
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &to);
        } else {
            fs::copy(entry.path(), to).unwrap();
        }
    }
}

/// The manifests, a settled round, a void over its wagers, the reveal and the close.
fn played(casino: &Casino) -> Vec<RecordEnvelope> {
    let first = casino.play(&RoundPlan::random(DRAND, 1, None, 3));
    let second = RoundPlan::random(DRAND, 2, first.last().cloned(), 3);
    let dealt = casino.deal(&second);
    let request = casino.void_request(&second, &dealt.records, VoidReason::Operator);
    let voided =
        paigow_engine::void_round(&casino.context, &casino.keys, &casino.call(DRAND), &request);
    let second = [dealt.records.to_vec(), voided.unwrap().records].concat();
    let rounds = [first, second].concat();
    let close = casino.close_epoch(&rounds);
    [casino.manifests.clone(), rounds, vec![casino.reveal(), close]].concat()
}

#[test]
fn an_honest_log_has_no_finding_and_each_fault_is_named() {
    let casino = Casino::with_beacon(Suite::Derived);
    let honest = played(&casino);
    let after = SETTLE_UNTIL + 1;
    let operator = Operator::new(&casino, &honest);
    let request = operator.request();
    let told = operator.look(&request);
    assert!(told.contains("2 rounds: 1 settled, 1 void, 0 open"), "{told}");
    assert!(told.contains("1 of 2 rounds have locked wagers and no settlement: 1 void"), "{told}");
    assert_eq!(operator.codes(&request), [""; 0]);

    type Edit<'a> = &'a dyn Fn(&mut Vec<RecordEnvelope>);
    let of_kind = |records: &[RecordEnvelope], kind: RecordKind| {
        records.iter().position(|record| record.kind() == kind).unwrap()
    };
    let other = casino
        .play(&RoundPlan { table: "table-2".to_owned(), ..RoundPlan::random(DRAND, 1, None, 4) });
    let faults: [(&[&str], Edit<'_>); 7] = [
        // The first round is left out: its number is missing, and the close counts it.
        (&["GAP", "CLOSE_DIFFERS"], &|records| {
            let second = records.iter().rposition(|r| r.kind() == RecordKind::Ticket).unwrap();
            records.drain(2..second);
        }),
        (&["TICKET_MISSING", "TICKET_MISSING", "GAP", "CLOSE_DIFFERS"], &|records| {
            records.remove(of_kind(records, RecordKind::Ticket));
        }),
        (&["CLOSE_DIFFERS", "CLOSE_DIFFERS"], &|records| {
            let at = of_kind(records, RecordKind::EpochReveal);
            records.splice(at..at, other.clone());
        }),
        (&["NOT_CLOSED"], &|records| {
            let at = records.iter().rposition(|r| r.kind() == RecordKind::Settle).unwrap();
            records.remove(at);
        }),
        (&["REVEAL_OVERDUE"], &|records| {
            records.remove(of_kind(records, RecordKind::EpochReveal));
        }),
        (&["CLOSE_OVERDUE"], &|records| {
            records.remove(of_kind(records, RecordKind::EpochClose));
        }),
        (&["FORK"], &|records| {
            let plan = RoundPlan::random(DRAND, 1, None, 3);
            let dealt = casino.deal(&plan);
            let request = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
            let voided = paigow_engine::void_round(
                &casino.context,
                &casino.keys,
                &casino.call(DRAND),
                &request,
            );
            records.extend(voided.unwrap().records);
        }),
    ];
    for (codes, edit) in faults {
        let mut records = honest.clone();
        edit(&mut records);
        let operator = Operator::new(&casino, &records);
        operator.cosign(after);
        let request = MonitorRequest { as_of: Some(after), ..operator.request() };
        assert_eq!(operator.codes(&request), codes, "{}", operator.look(&request));
    }
}

#[test]
fn a_log_that_goes_back_forks_or_shows_two_trees_is_found() {
    let casino = Casino::with_beacon(Suite::Derived);
    let honest = played(&casino);
    let operator = Operator::new(&casino, &honest[..6]);
    let request = operator.request();
    assert_eq!(operator.codes(&request), [""; 0]);
    copy(&operator.path("log"), &operator.path("early"));
    operator.append(&honest[6..], LogStart::Continue);
    assert_eq!(operator.codes(&request), [""; 0]);

    // Another reader saw an earlier tree of the same log, and then a different tree.
    let early = format!("file://{}", operator.path("early").display());
    let views = MonitorRequest { views: vec![early.clone()], ..request.clone() };
    assert_eq!(operator.codes(&views), [""; 0]);
    let other = Operator::new(&casino, &[&honest[..2], &honest[3..12]].concat());
    let views = MonitorRequest { views: vec![other.address()], ..request.clone() };
    assert_eq!(operator.codes(&views), ["LOG_SPLIT_VIEW"]);

    // The log shows the earlier checkpoint again.
    let back = MonitorRequest { log: early, ..request.clone() };
    assert_eq!(operator.codes(&back), ["LOG_ROLLED_BACK"]);
    // Another tree, at least as long, under the same key.
    let longer = Operator::new(&casino, &[&honest[..3], &honest[4..], &honest[3..4]].concat());
    let forked = MonitorRequest { log: longer.address(), ..request.clone() };
    assert_eq!(operator.codes(&forked), ["LOG_FORKED"]);

    operator.cosign(system::now() - 601);
    assert_eq!(operator.codes(&request), ["LOG_STALE"]);
    let store = ObjectLogStore::open(&operator.address()).unwrap();
    let reader = LogReader::new(&store, public_log());
    let newest = reader.checkpoint(&[]).unwrap().unwrap();
    let write = |checkpoint: &SignedCheckpoint| {
        store.write(&[("checkpoint".to_owned(), checkpoint.to_note().into_bytes())]).unwrap();
    };
    write(&SignedCheckpoint { cosignatures: Vec::new(), ..newest.clone() });
    assert_eq!(operator.codes(&request), ["LOG_NOT_WITNESSED"]);
    write(&SignedCheckpoint { sig: [7; 64], ..newest.clone() });
    assert_eq!(operator.codes(&request), ["LOG_BROKEN"]);
    write(&newest);
    operator.cosign(system::now());
    fs::remove_dir_all(operator.path("log/tile/entries")).unwrap();
    let afresh = MonitorRequest { state: None, ..request };
    assert_eq!(operator.codes(&afresh), ["LOG_BROKEN"]);
}
