//! Forks over the files of many replicas, and tickets without a close.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use paigow_engine::DealAnswer;
use paigow_evidence::verify::{EvidenceReport, EvidenceVerdict};
use paigow_evidence::{EvidenceLine, LineBody};
use paigow_fairness::encoding::Hash;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;
use paigow_lab::CommandOutcome;
use paigow_lab::sink::{self, SinkVerification};
use paigow_round::record::{CloseLock, DealRecord};
use paigow_round::{SeatDecisions, Settle, SpentLock, VoidReason};
use tempfile::TempDir;

use crate::evidence::casino::{
    Casino, RoundPlan, SeededChoices, entropy_of, ledger_key, random_sheet, receipt_key,
};
use crate::evidence::replica::{Replica, boot_id, files_in, lines_of, settings, verified};

/// Replicas, each with a folder of its own.
struct Replicas {
    folder: TempDir,
}

impl Replicas {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn start(&self, number: u8, casino: Casino) -> Replica {
        let folder = self.folder.path().join(format!("replica-{number}"));
        fs::create_dir(&folder).unwrap();
        Replica::start(casino, number, settings(&folder))
    }

    fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Stops the replicas and looks at all their files.
    async fn stop(&self, replicas: Vec<Replica>) -> EvidenceReport {
        for replica in replicas {
            replica.stop().await;
        }
        let report = verified(&[self.path()]);
        assert_eq!(report.faults, [], "a fork breaks no chain");
        report
    }
}

fn classes(report: &EvidenceReport) -> BTreeSet<&'static str> {
    report.forks.iter().map(|fork| fork.class.name()).collect()
}

#[tokio::test]
async fn one_question_answered_alike_by_all_is_no_fork() {
    let replicas = Replicas::new();
    let (one, two) = (replicas.start(1, Casino::new()), replicas.start(2, Casino::new()));
    for round_no in 1..=5 {
        let plan = RoundPlan::random("dev", round_no, None, 3);
        let dealt = one.deal(&plan).await;
        two.deal(&plan).await;
        one.settle(&plan, &dealt).await;
        two.settle(&plan, &dealt).await;
        two.settle(&plan, &dealt).await;
    }
    let report = replicas.stop(vec![one, two]).await;
    assert_eq!((report.rounds, report.verdict()), (5, EvidenceVerdict::Sound));
    assert_eq!(report.boots.len(), 2);
}

#[tokio::test]
async fn two_engines_that_answer_differently_are_found_by_round_and_class() {
    let other = Casino::with_secret(EpochSecret::new([9; 32]));
    let replicas = Replicas::new();
    let (one, two) = (replicas.start(1, Casino::new()), replicas.start(2, other));
    let plan = RoundPlan::random("dev", 1, None, 3);
    let dealt = one.deal(&plan).await;
    one.settle(&plan, &dealt).await;
    let other = two.deal(&plan).await;
    two.settle(&plan, &other).await;
    // A round beside it that only one has dealt.
    let alone = RoundPlan::random("dev", 2, None, 3);
    let dealt_alone = one.deal(&alone).await;
    one.settle(&alone, &dealt_alone).await;
    let report = replicas.stop(vec![one, two]).await;
    let all = ["close", "deal", "phase_1_lock", "phase_2_lock", "ticket"];
    assert_eq!(classes(&report), all.into());
    assert_eq!((report.forks.len(), report.verdict()), (5, EvidenceVerdict::Broken));
    for fork in &report.forks {
        assert_eq!(fork.round_id, dealt.round_id);
        assert_eq!((&*fork.first.boot, &*fork.second.boot), (&*boot_id(1), &*boot_id(2)));
        assert_ne!(fork.first.hash, fork.second.hash);
        // Start, started, two manifests, deal, settle.
        let line = if ["close", "phase_2_lock"].contains(&fork.class.name()) { 6 } else { 5 };
        assert_eq!((fork.first.place.line, fork.second.place.line), (line, line));
        assert_eq!((fork.first.seq, fork.second.seq), (line - 1, line - 1));
    }
}

#[tokio::test]
async fn a_deal_record_forged_with_the_receipt_key_is_a_fork() {
    let replicas = Replicas::new();
    let one = replicas.start(1, Casino::new());
    let plan = RoundPlan::random("locked", 1, None, 3);
    let dealt = one.deal(&plan).await;
    one.settle(&plan, &dealt).await;
    let deal = DealRecord::parse(dealt.records[2].json().unwrap()).unwrap();
    let deal = DealRecord { deck_commit: Hash::of(b"another deck"), ..deal };
    let forged = RecordEnvelope::seal(RecordKind::Deal, &deal, &[&receipt_key()]);
    one.keep_close(&plan, &dealt, std::slice::from_ref(&forged)).await;
    let report = replicas.stop(vec![one]).await;
    let [fork] = report.forks.as_slice() else { panic!("{:?}", report.forks) };
    assert_eq!((fork.class.name(), fork.second.hash), ("deal", forged.hash()));
    assert_eq!(fork.first.hash, dealt.records[2].hash());
}

#[tokio::test]
async fn wagers_changed_after_the_cards_were_seen_are_a_fork() {
    // With locks off the engine answers both; the evidence shows it (D7).
    let replicas = Replicas::new();
    let one = replicas.start(1, Casino::new());
    let first = RoundPlan::random("base", 1, None, 3);
    let sheet = random_sheet(&mut SeededChoices(99));
    let second = RoundPlan { sheet, ..first.clone() };
    one.deal(&first).await;
    let dealt = one.deal(&second).await;
    one.settle(&second, &dealt).await;
    let report = replicas.stop(vec![one]).await;
    assert_eq!(classes(&report), ["deal", "phase_1_lock"].into());
}

#[tokio::test]
async fn a_round_settled_here_and_voided_there_is_a_fork() {
    let replicas = Replicas::new();
    let (one, two) = (replicas.start(1, Casino::new()), replicas.start(2, Casino::new()));
    let plan = RoundPlan::random("locked", 1, None, 3);
    let dealt = one.deal(&plan).await;
    one.settle(&plan, &dealt).await;
    two.void(&plan, &dealt).await;
    // Asking again makes it no worse.
    two.void(&plan, &dealt).await;
    let report = replicas.stop(vec![one, two]).await;
    assert_eq!(classes(&report), ["close", "phase_2_lock"].into());
    assert_eq!(report.forks.len(), 2);
}

#[tokio::test]
async fn of_the_fresh_suite_several_tickets_are_normal_and_two_locked_ones_a_fork() {
    let replicas = Replicas::new();
    let one = replicas.start(1, Casino::fresh());
    let casino = &one.casino;
    let plan = RoundPlan::random("locked", 1, None, 3);
    let mut tickets = Vec::new();
    for entropy in [1, 2] {
        let (call, open) = (casino.call("locked"), casino.open(&plan));
        let opened = paigow_engine::open_round(
            &casino.context,
            &casino.keys,
            &call,
            &open,
            &mut entropy_of(entropy),
        )
        .unwrap();
        one.keep("OpenRound", "locked", std::slice::from_ref(&opened.ticket)).await;
        tickets.push(opened.ticket);
    }
    assert_ne!(tickets[0].hash(), tickets[1].hash());
    let report = verified(&[replicas.path()]);
    assert_eq!((report.forks.len(), report.open_tickets.len()), (0, 1));
    // A round with no close in any telling is open, and no re-open yet.
    assert_eq!(report.reopenings, []);
    for ticket in &tickets {
        let lock = one.casino.lock(&plan, ticket);
        one.keep("Deal", "locked", &[ticket.clone(), lock]).await;
    }
    let report = replicas.stop(vec![one]).await;
    assert_eq!(classes(&report), ["phase_1_lock", "ticket"].into());
}

/// Opens a round and keeps the answer; returns the ticket.
async fn opened(replica: &Replica, plan: &RoundPlan) -> RecordEnvelope {
    let (casino, tenant) = (&replica.casino, plan.tenant.as_str());
    let (call, open) = (casino.call(tenant), casino.open(plan));
    let (context, keys) = (&casino.context, &casino.keys);
    let entropy = &mut entropy_of(7);
    let ticket = paigow_engine::open_round(context, keys, &call, &open, entropy).unwrap().ticket;
    replica.keep("OpenRound", tenant, std::slice::from_ref(&ticket)).await;
    ticket
}

/// A round without client commitments, and the same round with another ruleset.
fn opened_again() -> [RoundPlan; 2] {
    let first = RoundPlan::random("base", 1, None, 3);
    assert!(first.committed.is_empty());
    let second = RoundPlan { ruleset: "express".to_owned(), ..first.clone() };
    assert_ne!(first.ruleset, second.ruleset);
    [first, second]
}

#[tokio::test]
async fn a_round_opened_again_before_a_lock_is_counted_and_no_fork() {
    // Whichever replica is read first: the closed telling, or the ticket that was given up.
    for numbers in [[1, 2], [2, 1]] {
        let replicas = Replicas::new();
        let [one, two] = numbers.map(|number| replicas.start(number, Casino::new()));
        let [first, second] = opened_again();
        let given_up = opened(&one, &second).await;
        opened(&one, &second).await;
        assert_eq!(verified(&[replicas.path()]).reopenings, []);
        let dealt = two.deal(&first).await;
        two.settle(&first, &dealt).await;
        let report = replicas.stop(vec![one, two]).await;
        assert_eq!((report.forks.as_slice(), report.verdict()), (&[][..], EvidenceVerdict::Sound));
        let [reopened] = report.reopenings.as_slice() else { panic!("{:?}", report.reopenings) };
        assert_eq!((reopened.class.name(), reopened.round_id), ("ticket", dealt.round_id));
        let hashes = BTreeSet::from([reopened.first.hash, reopened.second.hash]);
        assert_eq!(hashes, [given_up.hash(), dealt.records[0].hash()].into());
        // The command says the same: no fault, and a figure that no alert asks for.
        let prometheus = replicas.path().join("paigow_sink.prom");
        let verify = |json, prometheus| SinkVerification {
            paths: vec![replicas.path().to_owned()],
            known: vec![],
            report: None,
            json,
            prometheus,
            now: 1_800_000_001,
        };
        let mut told = Vec::new();
        let outcome = sink::verify(&verify(false, Some(prometheus.clone())), &mut told).unwrap();
        assert_eq!(outcome, CommandOutcome::Well);
        let told = String::from_utf8(told).unwrap();
        assert!(told.contains("re-opens: ") && told.contains("verdict: sound: "), "{told}");
        assert!(!told.contains("forks: "), "{told}");
        let figures = fs::read_to_string(prometheus).unwrap();
        for line in ["paigow_sink_reopens 1", "paigow_sink_forks 0"] {
            assert!(figures.lines().any(|found| found == line), "{line} in {figures}");
        }
        let mut told = Vec::new();
        sink::verify(&verify(true, None), &mut told).unwrap();
        let report: serde_json::Value = serde_json::from_slice(&told).unwrap();
        assert_eq!(
            (&report["verdict"], &report["reopens"][0]["class"]),
            (&"sound".into(), &"ticket".into())
        );
    }
}

#[tokio::test]
async fn a_round_opened_again_and_voided_under_the_other_ticket_is_a_fork() {
    // Both are locked: the first by its deal, the second by its close.
    for numbers in [[1, 2], [2, 1]] {
        let replicas = Replicas::new();
        let [one, two] = numbers.map(|number| replicas.start(number, Casino::new()));
        let [first, second] = opened_again();
        let dealt = one.deal(&first).await;
        one.settle(&first, &dealt).await;
        let ticket = opened(&two, &second).await;
        let casino = &two.casino;
        let request =
            casino.void_request(&second, std::slice::from_ref(&ticket), VoidReason::Operator);
        let call = casino.call("base");
        let voided =
            paigow_engine::void_round(&casino.context, &casino.keys, &call, &request).unwrap();
        two.keep_close(&second, &dealt, &voided.records).await;
        let report = replicas.stop(vec![one, two]).await;
        assert_eq!(classes(&report), ["close", "phase_2_lock", "ticket"].into());
        assert_eq!((report.reopenings.len(), report.verdict()), (0, EvidenceVerdict::Broken));
    }
}

#[tokio::test]
async fn a_round_with_client_commitments_that_was_opened_again_is_a_fork() {
    let replicas = Replicas::new();
    let one = replicas.start(1, Casino::new());
    let first = RoundPlan::random("strict", 1, None, 3);
    let second = RoundPlan { committed: first.committed[1..].to_vec(), ..first.clone() };
    assert!(first.committed.len() > 1);
    opened(&one, &first).await;
    opened(&one, &second).await;
    let report = replicas.stop(vec![one]).await;
    assert_eq!((classes(&report), report.reopenings), (["ticket"].into(), vec![]));
}

/// A final lock over a round's actions that supersedes others, as the ledger signs it.
fn final_lock(
    dealt: &DealAnswer,
    actions: &[RecordEnvelope],
    supersedes: &[Hash],
) -> RecordEnvelope {
    let lock = CloseLock::Final {
        absent: Vec::new(),
        actions: actions.iter().map(RecordEnvelope::hash).collect(),
        prev: dealt.records[2].hash(),
        round_id: dealt.round_id,
        supersedes: supersedes.to_vec(),
    };
    RecordEnvelope::seal(RecordKind::Lock, &lock, &[&ledger_key()])
}

#[tokio::test]
async fn a_spent_lock_is_counted_and_no_fork_and_one_that_nothing_supersedes_is() {
    let plan = RoundPlan::random("locked", 1, None, 3);
    let (replicas, others) = (Replicas::new(), Replicas::new());
    let one = replicas.start(1, Casino::new());
    let dealt = one.deal(&plan).await;
    let casino = &one.casino;
    let (actions, _) = casino.close(&plan, &dealt);
    // A seat too few spends a lock.
    let spent_actions = actions[1..].to_vec();
    let spent = final_lock(&dealt, &spent_actions, &[]);
    let lock = final_lock(&dealt, &actions, &[spent.hash()]);
    let mut request =
        Settle::new(dealt.records.to_vec(), SeatDecisions::Locked { actions, lock: lock.clone() });
    request.spent = vec![SpentLock { actions: spent_actions, lock: spent.clone() }];
    let call = casino.call("locked");
    let settled = paigow_engine::settle(&casino.context, &casino.keys, &call, &request).unwrap();
    assert!(settled.records.contains(&spent), "the engine returns what it was shown");
    one.keep_close(&plan, &dealt, &settled.records).await;
    one.keep_close(&plan, &dealt, &settled.records).await;
    let report = replicas.stop(vec![one]).await;
    assert_eq!((report.forks.as_slice(), report.verdict()), (&[][..], EvidenceVerdict::Sound));
    let [spent_lock] = report.reopenings.as_slice() else { panic!("{:?}", report.reopenings) };
    assert_eq!(spent_lock.class.name(), "phase_2_lock");
    assert_eq!((spent_lock.first.hash, spent_lock.second.hash), (spent.hash(), lock.hash()));

    // Beside a third lock that neither supersedes nor is superseded.
    let one = others.start(1, Casino::new());
    one.keep("Deal", "locked", &dealt.records).await;
    one.keep_close(&plan, &dealt, &settled.records).await;
    one.void(&plan, &dealt).await;
    let report = others.stop(vec![one]).await;
    assert_eq!(classes(&report), ["close", "phase_2_lock"].into());
    assert_eq!(report.reopenings.len(), 1);
}

#[tokio::test]
async fn tickets_without_a_close_are_listed_wherever_the_close_might_be() {
    let replicas = Replicas::new();
    let (one, two) = (replicas.start(1, Casino::new()), replicas.start(2, Casino::new()));
    let plan = |round_no| RoundPlan::random("dev", round_no, None, 3);
    // 1: closed on the other replica. 2: dealt only. 3: opened only.
    let dealt = one.deal(&plan(1)).await;
    two.settle(&plan(1), &dealt).await;
    one.deal(&plan(2)).await;
    let casino = &one.casino;
    let (call, open) = (casino.call("dev"), casino.open(&plan(3)));
    let opened =
        paigow_engine::open_round(&casino.context, &casino.keys, &call, &open, &mut entropy_of(3))
            .unwrap();
    one.keep("OpenRound", "dev", &[opened.ticket]).await;
    let report = replicas.stop(vec![one, two]).await;
    let told: Vec<_> = report
        .open_tickets
        .iter()
        .map(|ticket| (ticket.round_no, ticket.dealt, ticket.sighting.seq))
        .collect();
    assert_eq!(told, [(2, true, 5), (3, false, 6)]);
    for ticket in &report.open_tickets {
        assert_eq!((ticket.tenant.as_str(), ticket.table.as_str()), ("dev", "table-1"));
        assert_eq!(*ticket.sighting.boot, *boot_id(1));
        assert_eq!(ticket.round_id, plan(ticket.round_no).coordinates().round_id());
    }
    assert_eq!(report.verdict(), EvidenceVerdict::Open);
}

/// Has the lines of a replica that keep records written at these times.
fn written_at(replicas: &Replicas, number: u8, times: &[u64]) {
    let folder = replicas.path().join(format!("replica-{number}"));
    let file = files_in(&folder).remove(0);
    let (mut out, mut prev, mut times) = (Vec::new(), Hash::ZERO, times.iter());
    for bytes in lines_of(&file) {
        let mut line = EvidenceLine::parse(&bytes[..bytes.len() - 1]).unwrap();
        if matches!(line.body, LineBody::Record(_)) {
            line.time = *times.next().unwrap();
        }
        line.prev = prev;
        let bytes = line.to_bytes();
        prev = Hash::of(&bytes);
        out.extend([&bytes[..], b"\n"].concat());
    }
    fs::write(file, out).unwrap();
    assert_eq!(times.next(), None);
}

#[tokio::test]
async fn a_ticket_is_old_once_its_first_line_is_more_than_a_day_past() {
    let replicas = Replicas::new();
    let (one, two) = (replicas.start(1, Casino::new()), replicas.start(2, Casino::new()));
    let plan = |round_no| RoundPlan::random("dev", round_no, None, 3);
    for round_no in 1..=3 {
        one.deal(&plan(round_no)).await;
    }
    let dealt = one.deal(&plan(4)).await;
    one.settle(&plan(4), &dealt).await;
    two.deal(&plan(3)).await;
    two.deal(&plan(5)).await;
    replicas.stop(vec![one, two]).await;
    // 1 and 2: a millisecond apart. 3: the other replica, which is read later, was asked
    // first. 4: closed after three days. 5: by a clock that runs ahead.
    written_at(
        &replicas,
        1,
        &[
            1_800_086_399_999,
            1_800_086_400_000,
            1_800_172_000_000,
            1_799_900_000_000,
            1_800_159_200_000,
        ],
    );
    written_at(&replicas, 2, &[1_800_000_000_000, 1_800_172_800_001]);
    let report = verified(&[replicas.path()]);
    assert_eq!((report.faults.len(), report.open_tickets.len()), (0, 4));
    for (now, expected) in [
        (0, &[][..]),
        // 86,400 s after the first line of round 3, and a second more.
        (1_800_086_400, &[]),
        (1_800_086_401, &[3]),
        // 86,399.001 s and 86,400.001 s after round 1, of which round 2 lacks the last ms.
        (1_800_172_799, &[3]),
        (1_800_172_800, &[1, 3]),
        (1_800_172_801, &[1, 2, 3]),
        (1_800_259_200, &[1, 2, 3]),
        (1_800_259_201, &[1, 2, 3, 5]),
        (u64::MAX, &[1, 2, 3, 5]),
    ] {
        let mut old: Vec<u64> = report.old_tickets(now).map(|ticket| ticket.round_no).collect();
        old.sort_unstable();
        assert_eq!(old, expected, "at {now}");
    }
    // The figures are of the time that the verification is given.
    let prometheus = replicas.path().join("paigow_sink.prom");
    let verify = SinkVerification {
        paths: vec![replicas.path().to_owned()],
        known: vec![],
        report: None,
        json: false,
        prometheus: Some(prometheus.clone()),
        now: 1_800_172_800,
    };
    sink::verify(&verify, &mut Vec::new()).unwrap();
    let figures = fs::read_to_string(prometheus).unwrap();
    for line in ["paigow_sink_open_tickets 4", "paigow_sink_old_tickets 2"] {
        assert!(figures.lines().any(|found| found == line), "{line} in {figures}");
    }
}
