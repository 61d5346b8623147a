//! The record that a ticket follows: the close of the round before, or the manifest.

use paigow_fairness::encoding::Hash;
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::ticket::Ticket;
use paigow_round::{Reason, VoidReason};

use crate::refusals::casino::{Casino, RoundPlan, TENANTS, policy};
use crate::refusals::{open, refused};

/// The record that a ticket follows.
fn prev(ticket: &RecordEnvelope) -> Hash {
    Ticket::parse(ticket.json().unwrap()).unwrap().prev
}

/// Opens a round that may not follow the close that it shows.
#[track_caller]
fn broken(casino: &Casino, plan: &RoundPlan) {
    let refusal = refused(open(casino, plan), Reason::ChainBroken);
    let blamed: Vec<_> = refusal.violations.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(blamed, ["prev"]);
}

#[test]
fn a_round_follows_a_void_as_it_does_a_settlement() {
    let casino = Casino::new();
    for tenant in TENANTS.into_iter().filter(|tenant| policy(tenant).chain_required) {
        let plan = RoundPlan::random(tenant, 1, None, 61);
        let dealt = casino.deal(&plan);
        for known in 1..=3 {
            let void = casino.void_request(&plan, &dealt.records[..known], VoidReason::PlayerLeft);
            let voided = paigow_engine::void_round(
                &casino.context,
                &casino.keys,
                &casino.call(tenant),
                &void,
            )
            .unwrap();
            let close = voided.records.last().unwrap();
            let next = RoundPlan::random(tenant, 2, Some(close.clone()), 61);
            let ticket = open(&casino, &next).unwrap();
            assert_eq!(prev(&ticket), close.hash(), "{tenant} {known}");
            // It is the close of that round alone.
            broken(&casino, &RoundPlan { table: "table-2".to_owned(), ..next.clone() });
            broken(&casino, &RoundPlan::random(tenant, 3, Some(close.clone()), 61));
            // The lock of a void is no close.
            broken(&casino, &RoundPlan { prev: voided.records.first().cloned(), ..next });
        }
    }
}

#[test]
fn the_first_round_follows_the_manifest() {
    let casino = Casino::new();
    for tenant in TENANTS {
        let ticket = open(&casino, &RoundPlan::random(tenant, 1, None, 62)).unwrap();
        assert_eq!(prev(&ticket), casino.manifest().hash(), "{tenant}");
    }
}

#[test]
fn where_the_chain_is_off_a_round_follows_the_manifest_or_the_close_that_it_shows() {
    let casino = Casino::new();
    let plan = |round_no, prev| RoundPlan::random("dev", round_no, prev, 63);
    let first = casino.play(&plan(1, None));
    let close = first.last().unwrap();
    let ticket = open(&casino, &plan(2, None)).unwrap();
    assert_eq!(prev(&ticket), casino.manifest().hash());
    let ticket = open(&casino, &plan(2, Some(close.clone()))).unwrap();
    assert_eq!(prev(&ticket), close.hash());
    // A close that is shown without need must be as good as a required one.
    broken(&casino, &plan(1, Some(close.clone())));
    broken(&casino, &plan(3, Some(close.clone())));
    broken(&casino, &plan(2, Some(first[2].clone())));
    broken(&casino, &RoundPlan { table: "table-2".to_owned(), ..plan(2, Some(close.clone())) });
}
