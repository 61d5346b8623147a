//! The keys and commitments that seats bring to a round, and the effect of policies on
//! them.

use std::collections::BTreeSet;

use paigow_fairness::encoding::Hash;
use paigow_fairness::json::{Json, WriteJson as _};
use paigow_fairness::manifest::{ClientPolicy, Policy, SeatAuth};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::SeatKey;
use paigow_round::record::CloseLock;
use paigow_round::{Deal, DealStart, OpenRound, Reason, SeatDecisions, Settle, Wagers};
use paigow_rules::cards::Seat;
use paigow_rules::game::Wager;

use crate::refusals::casino::{
    Casino, RoundPlan, client_seed, entropy, id, key, ledger_key, receipt_key, registered_key,
    root_key, seat, seat_key, sign_manifest, successor, witness_key,
};
use crate::refusals::{deal, insert, ledger, open, refused, settle};

/// A casino whose tenant `dev`, which needs no lock, has another policy.
fn with_policy(edit: impl FnOnce(&mut Policy)) -> Casino {
    let casino = Casino::new();
    let mut manifest = successor(casino.manifest());
    let dev = manifest.tenants.iter_mut().find(|tenant| tenant.tenant == id("dev")).unwrap();
    edit(&mut dev.policy);
    let mut manifests = casino.manifests.clone();
    manifests.push(sign_manifest(&manifest));
    Casino::with_manifests(manifests)
}

/// A plan of `dev` with two base wagers or more and no client seed.
fn plan_of_two() -> RoundPlan {
    let plans = (51..).map(|seed| RoundPlan::random("dev", 1, None, seed));
    let deciding = |plan: &RoundPlan| plan.sheet.wagers.iter().filter(|w| w.bet == "base").count();
    let mut plan = plans.into_iter().find(|plan| deciding(plan) > 1).unwrap();
    plan.committed.clear();
    plan
}

#[test]
fn where_seats_may_sign_a_seat_with_a_key_must() {
    let casino = with_policy(|policy| policy.seat_auth = SeatAuth::Optional);
    let mut plan = plan_of_two();
    let bases: BTreeSet<Seat> =
        plan.sheet.wagers.iter().filter(|w| w.bet == "base").map(|w| w.seat).collect();
    let (signs, does_not) = (*bases.first().unwrap(), *bases.last().unwrap());
    plan.signing = vec![signs];
    let dealt = casino.deal(&plan);
    let (actions, _) = casino.close(&plan, &dealt);
    let at = |seat: Seat| bases.iter().position(|one| *one == seat).unwrap();
    let settled = |actions: Vec<RecordEnvelope>| {
        let lock = CloseLock::Final {
            absent: Vec::new(),
            supersedes: Vec::new(),
            actions: actions.iter().map(RecordEnvelope::hash).collect(),
            prev: dealt.records[2].hash(),
            round_id: dealt.round_id,
        };
        let decisions = SeatDecisions::Locked { actions, lock: ledger(&lock.to_json()) };
        settle(&casino, "dev", &Settle::new(dealt.records.to_vec(), decisions))
    };
    let with = |seat: Seat, keys: &[&paigow_engine::SecretKey], edit: bool| {
        let mut actions = actions.clone();
        let mut payload = actions[at(seat)].json().unwrap();
        if edit {
            insert(&mut payload, "house_way", Json::str(Hash::of(b"another house way")));
            let Json::Obj(members) = &mut payload else { panic!("no object") };
            members.remove("low");
        }
        let action = RecordEnvelope::seal(RecordKind::Action, &payload, keys);
        actions[at(seat)] = action;
        settled(actions)
    };
    assert!(settled(actions.clone()).is_ok());
    refused(with(signs, &[], false), Reason::SeatAuthRequired);
    refused(with(signs, &[&seat_key(does_not)], false), Reason::BadSignature);
    // A signature that no key of the ticket verifies says nothing.
    refused(with(does_not, &[&seat_key(does_not)], false), Reason::BadSignature);
    refused(with(does_not, &[&key(9)], false), Reason::BadSignature);
    // The seat signed for another house way than the ruleset's.
    let refusal = refused(with(signs, &[&seat_key(signs)], true), Reason::HouseWay);
    assert_eq!(refusal.violations[0].field, format!("actions[{}]", at(signs)));

    // Nobody decides for it: even the policy accepts no lock that does.
    let typed = SeatDecisions::Typed(plan.decisions(&dealt));
    let request = Settle::new(dealt.records.to_vec(), typed);
    refused(settle(&casino, "dev", &request), Reason::SeatAuthRequired);
    plan.signing.clear();
    let dealt = casino.deal(&plan);
    assert!(settle(&casino, "dev", &casino.settle_request(&plan, &dealt)).is_ok());
}

#[test]
fn a_ticket_takes_the_seats_of_the_table_once_each() {
    let casino = with_policy(|policy| policy.seat_auth = SeatAuth::Optional);
    let plan = plan_of_two();
    let of_six = casino.open(&plan);
    let opened = |request: &OpenRound| {
        let call = casino.call("dev");
        paigow_engine::open_round(
            &casino.context,
            &casino.keys,
            &call,
            request,
            &mut entropy(&plan),
        )
    };
    let commit = Hash::of(b"a commitment");
    let all = |last: u8| -> Vec<Seat> { (1..=last).map(seat).collect() };
    for (ruleset, seats, good) in [
        ("mikes", vec![seat(0)], false),
        ("mikes", vec![seat(1), seat(0)], false),
        ("mikes", vec![seat(7)], false),
        ("mikes", all(7), false),
        ("mikes", vec![seat(2), seat(2)], false),
        ("mikes", all(6), true),
        // A table of seven.
        ("mini", all(7), true),
        ("mini", vec![seat(7), seat(0)], false),
        ("mikes", Vec::new(), true),
    ] {
        let ruleset = ruleset.to_owned();
        let base = OpenRound { ruleset, ..of_six.clone() };
        let client_commits = seats.iter().map(|seat| (*seat, commit)).collect();
        let seat_keys = seats.iter().map(|seat| (*seat, registered_key(*seat))).collect();
        let (commits, keys) =
            (OpenRound { client_commits, ..base.clone() }, OpenRound { seat_keys, ..base });
        for (list, request) in [("client_commits", commits), ("seat_keys", keys)] {
            if good {
                assert!(opened(&request).is_ok(), "{list}: {seats:?}");
            } else {
                let refusal = refused(opened(&request), Reason::Seat);
                let field = format!("{list}[{}].seat", seats.len() - 1);
                let fields: Vec<_> = refusal.violations.iter().map(|v| &v.field).collect();
                assert_eq!(fields, [&field]);
            }
        }
    }
}

#[test]
fn a_policy_says_which_seats_may_commit_and_sign() {
    let plan = plan_of_two();
    let opened = |casino: &Casino, tenant: &str, edit: &dyn Fn(&mut OpenRound)| {
        let mut request = casino.open(&plan);
        edit(&mut request);
        let call = casino.call(tenant);
        paigow_engine::open_round(
            &casino.context,
            &casino.keys,
            &call,
            &request,
            &mut entropy(&plan),
        )
    };
    let commits = |request: &mut OpenRound| {
        request.client_commits = vec![(seat(1), Hash::of(b"a commitment"))];
    };
    let signs = |request: &mut OpenRound| {
        request.seat_keys = vec![(seat(1), registered_key(seat(1)))];
    };
    let both = |request: &mut OpenRound| {
        commits(request);
        signs(request);
    };
    let none = with_policy(|policy| policy.client = ClientPolicy::None);
    let committed = with_policy(|policy| policy.client = ClientPolicy::Committed);
    let optional = Casino::new();
    let required = with_policy(|policy| policy.seat_auth = SeatAuth::Required);
    let field = |refusal: paigow_round::Refusal| refusal.violations[0].field.clone();

    let refusal = refused(opened(&none, "dev", &commits), Reason::ClientCommit);
    assert_eq!(field(refusal), "client_commits");
    assert!(opened(&none, "dev", &|_| {}).is_ok());
    let refusal = refused(opened(&committed, "dev", &|_| {}), Reason::ClientCommit);
    assert_eq!(field(refusal), "client_commits");
    assert!(opened(&committed, "dev", &commits).is_ok());
    assert!(
        opened(&optional, "dev", &commits).is_ok() && opened(&optional, "dev", &|_| {}).is_ok()
    );

    let refusal = refused(opened(&optional, "dev", &signs), Reason::FieldInvalid);
    assert_eq!(field(refusal), "seat_keys");
    assert!(opened(&required, "dev", &both).is_ok());
    for (role, key) in [
        ("root", root_key()),
        ("receipt", receipt_key()),
        ("ledger", ledger_key()),
        ("witness", witness_key()),
    ] {
        let with_key = |request: &mut OpenRound| {
            commits(request);
            request.seat_keys = vec![
                (seat(1), registered_key(seat(1))),
                (seat(2), SeatKey { key: key.public(), house_way_if_absent: false }),
            ];
        };
        let refusal = refused(opened(&required, "dev", &with_key), Reason::FieldInvalid);
        assert!(refusal.violations[0].message.contains(role), "{refusal:?}");
        assert_eq!(field(refusal), "seat_keys[1].public_key");
    }
}

#[test]
fn committed_seats_are_exactly_those_that_wager() {
    let casino = with_policy(|policy| policy.client = ClientPolicy::Committed);
    let mut plan = plan_of_two();
    let wagering: Vec<Seat> = {
        let seats: BTreeSet<Seat> = plan.sheet.wagers.iter().map(|w| w.seat).collect();
        seats.into_iter().collect()
    };
    let idle = (1..=6).map(seat).find(|seat| !wagering.contains(seat));
    // Every seat opens exactly what it committed to.
    let with = |plan: &RoundPlan| {
        let start = DealStart::Ticket(open(&casino, plan).unwrap());
        let (sheet, client_seeds) = (plan.sheet.clone(), plan.client_seeds());
        deal(
            &casino,
            plan,
            &Deal { start, wagers: Wagers::Sheet { sheet, client_seeds }, beacon_signature: None },
        )
    };
    plan.committed.clone_from(&wagering);
    assert!(with(&plan).is_ok());
    plan.committed = wagering[1..].to_vec();
    let blamed = refused(with(&plan), Reason::ClientCommit).violations;
    let first = plan.sheet.wagers.iter().position(|wager| wager.seat == wagering[0]).unwrap();
    let blamed: Vec<_> = blamed.iter().map(|violation| violation.field.as_str()).collect();
    assert_eq!(blamed, [format!("sheet.wagers[{first}].client_seed")]);
    let Some(idle) = idle else { panic!("a seat that does not wager") };
    plan.committed = [wagering.as_slice(), &[idle]].concat();
    plan.committed.sort();
    refused(with(&plan), Reason::ClientCommit);

    // Where a seat may commit, it has a wager too.
    let casino = Casino::new();
    let with = |plan: &RoundPlan| {
        let start = DealStart::Ticket(open(&casino, plan).unwrap());
        let (sheet, client_seeds) = (plan.sheet.clone(), plan.client_seeds());
        deal(
            &casino,
            plan,
            &Deal { start, wagers: Wagers::Sheet { sheet, client_seeds }, beacon_signature: None },
        )
    };
    refused(with(&plan), Reason::ClientCommit);
    plan.committed = vec![idle];
    refused(with(&plan), Reason::ClientCommit);
    plan.committed = wagering[1..].to_vec();
    assert!(with(&plan).is_ok());
}

#[test]
fn where_seats_must_commit_no_deal_opens_its_own_round() {
    let casino = with_policy(|policy| policy.client = ClientPolicy::Committed);
    let mut plan = plan_of_two();
    let inline = |plan: &RoundPlan, casino: &Casino, named: bool| {
        let mut request = casino.open(plan);
        request.manifest = request.manifest.filter(|_| named);
        let start = DealStart::Open(Box::new(request));
        let (sheet, client_seeds) = (plan.sheet.clone(), plan.client_seeds());
        deal(
            casino,
            plan,
            &Deal { start, wagers: Wagers::Sheet { sheet, client_seeds }, beacon_signature: None },
        )
    };
    for named in [true, false] {
        assert!(inline(&plan, &Casino::new(), named).is_ok(), "where they may, and none does");
        refused(inline(&plan, &casino, named), Reason::OpenFirst);
    }
    let seats: BTreeSet<Seat> = plan.sheet.wagers.iter().map(|wager| wager.seat).collect();
    plan.committed = seats.into_iter().collect();
    for named in [true, false] {
        refused(inline(&plan, &casino, named), Reason::OpenFirst);
        refused(inline(&plan, &Casino::new(), named), Reason::OpenFirst);
    }
}

#[test]
fn a_typed_sheet_shows_the_seed_of_a_seat_at_one_wager() {
    let casino = Casino::new();
    let mut plan = plan_of_two();
    let wager = |number, bet: &str, amount_minor| Wager {
        seat: seat(number),
        bet: bet.to_owned().into(),
        amount_minor,
        choice: None,
    };
    plan.sheet.wagers =
        vec![wager(1, "base", 1000), wager(2, "base", 1000), wager(1, "outlaw_9", 1)];
    plan.committed = vec![seat(1)];
    let ticket = open(&casino, &plan).unwrap();
    let seed = client_seed(1, seat(1));
    let with = |client_seeds: Vec<(usize, Vec<u8>)>| {
        let start = DealStart::Ticket(ticket.clone());
        let sheet = plan.sheet.clone();
        deal(
            &casino,
            &plan,
            &Deal { start, wagers: Wagers::Sheet { sheet, client_seeds }, beacon_signature: None },
        )
    };
    assert!(with(vec![(0, seed.clone())]).is_ok());
    assert!(with(vec![(2, seed.clone())]).is_ok());
    let mut other = seed.clone();
    other[0] ^= 1;
    for (first, second) in [(&seed, &seed), (&seed, &other), (&other, &seed)] {
        let twice = with(vec![(0, first.clone()), (2, second.clone())]);
        let refusal = refused(twice, Reason::ClientCommit);
        let blamed: Vec<_> = refusal.violations.iter().map(|fault| fault.field.as_str()).collect();
        assert_eq!(blamed, ["sheet.wagers[2].client_seed"]);
    }
}
