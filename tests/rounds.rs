//! Whole rounds through the engine: every policy, every promise.
#![allow(clippy::unwrap_used)]

#[allow(dead_code, reason = "each test uses a part of the casino")]
#[path = "support/casino.rs"]
mod casino;

use casino::{Casino, Choices, NOW, Plan, TENANTS, entropy, policy};
use paigow::engine::audit::{Code, Status, Verdict, audit};
use paigow::engine::{Catalogue, VoidReason};
use paigow::fairness::record::Envelope;
use paigow::fairness::transcript;
use proptest::prelude::*;

/// Plays rounds 1 to `rounds` of one table and returns their records in order.
fn play_chain(casino: &Casino, tenant: &str, rounds: u64, seed: u64) -> Vec<Envelope> {
    let mut records = Vec::new();
    let mut prev: Option<Envelope> = None;
    for round_no in 1..=rounds {
        let chained = policy(tenant).chain_required && round_no > 1;
        let plan = Plan::random_of_all(tenant, round_no, prev.filter(|_| chained), seed);
        let round = casino.play(&plan);
        prev = round.last().cloned();
        records.extend(round);
    }
    records
}

fn audited(casino: &Casino, records: &[Envelope], reveal: bool) -> paigow::engine::audit::Report {
    let reveal: Vec<Envelope> = if reveal { vec![casino.reveal()] } else { Vec::new() };
    let all = casino.manifests.iter().chain(records).chain(&reveal);
    audit(transcript::write(all).as_bytes(), &casino.engine.root, &Catalogue::shipped())
}

#[test]
fn rounds_under_every_policy_audit_as_a_match() {
    let casino = Casino::new();
    for tenant in TENANTS {
        let records = play_chain(&casino, tenant, 28, 1);
        let report = audited(&casino, &records, true);
        assert_eq!(report.verdict, Verdict::Match, "{tenant}: {:?}", report.checks);
        assert_eq!(report.rounds.len(), 28);
        for check in &report.checks {
            let chain_off = check.code == Code::Genesis && !policy(tenant).chain_required;
            let expected = if chain_off { Status::Skipped } else { Status::Passed };
            assert_eq!(check.status, expected, "{tenant}: {check:?}");
        }
    }
}

#[test]
fn without_the_reveal_only_the_epochs_secret_is_left_open() {
    let casino = Casino::new();
    let report = audited(&casino, &play_chain(&casino, "strict", 3, 2), false);
    assert_eq!(report.verdict, Verdict::Match);
    for check in &report.checks {
        let open = matches!(check.code, Code::EpochCommit | Code::SeedWasNotChosen);
        assert_eq!(check.status == Status::Skipped, open, "{check:?}");
    }
}

#[test]
fn fresh_rounds_audit_as_a_match_and_say_that_they_are_fresh() {
    let casino = Casino::fresh();
    let report = audited(&casino, &play_chain(&casino, "strict", 4, 3), false);
    assert_eq!(report.verdict, Verdict::Match, "{:?}", report.checks);
    let epoch = report.checks.iter().find(|c| c.code == Code::EpochCommit).unwrap();
    assert_eq!((epoch.status, epoch.found.as_str()), (Status::Skipped, "fresh"));
}

#[test]
fn a_void_returns_everything_reveals_nothing_and_audits_as_a_match() {
    let casino = Casino::new();
    for tenant in TENANTS {
        let plan = Plan::random(tenant, 1, None, 4);
        let dealt = casino.deal(&plan);
        for known in 1..=3 {
            let request =
                casino.void_request(&plan, &dealt.records[..known], VoidReason::Equipment);
            let answer =
                casino.engine.settle(&casino.keys, &casino.call(tenant), &request).unwrap();
            let voided = answer.close.unwrap_err();
            let staked: i64 = plan.sheet.wagers.iter().map(|w| w.amount_minor).sum();
            let fees: i64 = dealt.fees.values().sum();
            let expected = [0, staked, staked + fees][known - 1];
            assert_eq!(voided.returns.values().sum::<i64>(), expected, "{tenant} {known}");
            let payload = answer.records.last().unwrap().json().unwrap();
            let paigow::fairness::json::Json::Obj(members) = payload else { panic!() };
            let members: Vec<&str> = members.keys().collect();
            assert_eq!(members, ["disposition", "prev", "reason", "returns", "round_id", "ticket"]);
            let records = [&dealt.records[..known], &answer.records].concat();
            let report = audited(&casino, &records, true);
            assert_eq!(report.verdict, Verdict::Match, "{tenant} {known}: {:?}", report.checks);
        }
    }
}

#[test]
fn an_unsettled_round_is_incomplete() {
    let casino = Casino::new();
    let dealt = casino.deal(&Plan::random("locked", 1, None, 5));
    for known in 1..=3 {
        let report = audited(&casino, &dealt.records[..known], false);
        assert_eq!(report.verdict, Verdict::Incomplete, "{:?}", report.checks);
    }
}

#[test]
fn settling_and_voiding_one_round_is_reported_as_a_fork() {
    // The ledger signed two locks of phase 2: each transcript matches, both are a fork.
    let casino = Casino::new();
    let plan = Plan::random("locked", 1, None, 6);
    let dealt = casino.deal(&plan);
    let settled = casino.settle(&plan, &dealt);
    let void = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
    let voided = casino.engine.settle(&casino.keys, &casino.call("locked"), &void).unwrap();
    let first = [dealt.records.as_slice(), &settled.records].concat();
    let second = [dealt.records.as_slice(), &voided.records].concat();
    assert_eq!(audited(&casino, &first, false).verdict, Verdict::Match);
    assert_eq!(audited(&casino, &second, false).verdict, Verdict::Match);
    let both = audited(&casino, &[first.clone(), second].concat(), false);
    assert_eq!((both.verdict, both.code()), (Verdict::Mismatch, Some(Code::NoFork)));
    let twice = audited(&casino, &[first.clone(), first].concat(), false);
    assert_eq!(twice.verdict, Verdict::Match, "the same records twice are no fork");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Two engines with the same keyring, loaded separately: the same request, the same
    /// bytes, whatever the time within the gates.
    #[test]
    fn the_same_request_gets_the_same_bytes_on_every_replica(seed: u64, tenant in 0usize..5) {
        let (here, there) = (Casino::new(), Casino::new());
        let plan = Plan::random(TENANTS[tenant], 1, None, seed);
        let request = here.deal_request(&plan);
        let later = paigow::engine::Call { now: NOW + 5000, ..here.call(&plan.tenant) };
        let a = here
            .engine
            .deal(&here.keys, &here.call(&plan.tenant), &request, &mut entropy(&plan))
            .unwrap();
        let b = there.engine.deal(&there.keys, &later, &request, &mut entropy(&plan)).unwrap();
        prop_assert_eq!(lines(&a.records), lines(&b.records));
        let request = here.settle_request(&plan, &a);
        let a = here.engine.settle(&here.keys, &here.call(&plan.tenant), &request).unwrap();
        let b = there.engine.settle(&there.keys, &later, &request).unwrap();
        prop_assert_eq!(lines(&a.records), lines(&b.records));
    }

    /// A changed byte of any record is refused, or is the same record spelt otherwise.
    #[test]
    fn a_changed_byte_of_a_record_is_refused(seed: u64, at: prop::sample::Index, bit in 0u8..7) {
        let casino = Casino::new();
        let plan = Plan::random("strict", 1, None, seed);
        let dealt = casino.deal(&plan);
        let request = casino.settle_request(&plan, &dealt);
        let which = usize::try_from(Choices(seed).below(3)).unwrap();
        let mut line = request.records[which].to_line().into_bytes();
        let at = at.index(line.len());
        line[at] ^= 1 << bit;
        let Ok(changed) = Envelope::parse(&line) else { return Ok(()) };
        let mut forged = request.clone();
        forged.records[which] = changed.clone();
        let answer = casino.engine.settle(&casino.keys, &casino.call("strict"), &forged);
        let only_a_hint = changed.hash() == request.records[which].hash()
            && changed.signatures()[0].sig == request.records[which].signatures()[0].sig;
        prop_assert_eq!(answer.is_ok(), only_a_hint, "{:?}", answer.err());
    }

    /// Any bytes as a transcript: a report, never a panic.
    #[test]
    fn any_bytes_are_audited(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let casino = Casino::new();
        let report = audit(&bytes, &casino.engine.root, &Catalogue::shipped());
        prop_assert_ne!(report.verdict, Verdict::Match);
    }
}

fn lines(records: &[Envelope]) -> Vec<String> {
    records.iter().map(Envelope::to_line).collect()
}
