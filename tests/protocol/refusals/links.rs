//! Signatures and links inside one round: records of the right round, and yet none that
//! follow one another.

use paigow_engine::DealAnswer;
use paigow_engine::TokenKey;
use paigow_engine::sealed;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::WriteJson as _;
use paigow_fairness::manifest::Suite;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::seed::round_commit;
use paigow_fairness::ticket::Ticket;
use paigow_round::record::{CloseLock, DealRecord};
use paigow_round::{
    Deal, DealStart, Reason, Refusal, SeatDecisions, Settle, VoidReason, VoidRound, Wagers,
};

use crate::refusals::casino::{Casino, RoundPlan, policy, receipt_key, successor, token_key};
use crate::refusals::{deal, dealt, ledger, open, refused, settle, void_round};

/// A record without its signatures.
fn unsigned(record: &RecordEnvelope) -> RecordEnvelope {
    RecordEnvelope::unsigned(record.kind(), &record.json().unwrap())
}

#[test]
fn a_ticket_that_nobody_signed_is_none() {
    let (casino, plan, dealt) = dealt("dev");
    let ticket = unsigned(&dealt.records[0]);
    let wagers = || Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: plan.client_seeds() };
    let start = |ticket: &RecordEnvelope| DealStart::Ticket(ticket.clone());
    let with = |ticket: &RecordEnvelope| Deal {
        start: start(ticket),
        wagers: wagers(),
        beacon_signature: None,
    };
    let refusal = refused(deal(&casino, &plan, &with(&ticket)), Reason::BadSignature);
    assert_eq!(refusal.violations[0].field, "ticket");
    assert!(deal(&casino, &plan, &with(&dealt.records[0])).is_ok());

    let mut request = casino.settle_request(&plan, &dealt);
    assert!(settle(&casino, "dev", &request).is_ok());
    request.records[0] = ticket.clone();
    let refusal = refused(settle(&casino, "dev", &request), Reason::BadSignature);
    assert_eq!(refusal.violations[0].field, "records[0]");

    let void = |ticket: &RecordEnvelope| {
        casino.void_request(&plan, std::slice::from_ref(ticket), VoidReason::Operator)
    };
    refused(void_round(&casino, "dev", &void(&ticket)), Reason::BadSignature);
    assert!(void_round(&casino, "dev", &void(&dealt.records[0])).is_ok());
}

#[test]
fn a_deal_that_nobody_signed_is_none() {
    let (casino, plan, dealt) = dealt("dev");
    let deal = unsigned(&dealt.records[2]);
    let mut request = casino.settle_request(&plan, &dealt);
    request.records[2] = deal.clone();
    let refusal = refused(settle(&casino, "dev", &request), Reason::BadSignature);
    assert_eq!(refusal.violations[0].field, "records[2]");
    let [ticket, lock, signed] = dealt.records.clone();
    let void = |deal: RecordEnvelope| {
        let records = [ticket.clone(), lock.clone(), deal];
        void_round(&casino, "dev", &casino.void_request(&plan, &records, VoidReason::Operator))
    };
    refused(void(deal), Reason::BadSignature);
    assert!(void(signed).is_ok());
}

#[test]
fn a_lock_follows_its_own_ticket_of_two_for_one_round() {
    let casino = Casino::new();
    // Two tickets of one round, which differ in the seats' keys alone.
    let first = RoundPlan::random("seats", 1, None, 41);
    let mut second = first.clone();
    let seat = first.sheet.wagers[0].seat;
    if first.signing.contains(&seat) {
        second.signing.retain(|signing| *signing != seat);
    } else {
        second.signing.push(seat);
    }
    let tickets = [&first, &second].map(|plan| open(&casino, plan).unwrap());
    assert_ne!(tickets[0], tickets[1]);
    let locks = [(&first, &tickets[0]), (&second, &tickets[1])]
        .map(|(plan, ticket)| casino.lock(plan, ticket));
    let with = |ticket: usize, lock: usize| {
        let start = DealStart::Ticket(tickets[ticket].clone());
        let request =
            Deal { start, wagers: Wagers::Lock(locks[lock].clone()), beacon_signature: None };
        deal(&casino, &first, &request)
    };
    refused(with(0, 1), Reason::ChainBroken);
    refused(with(1, 0), Reason::ChainBroken);
    let (first_deal, second_deal) = (with(0, 0).unwrap(), with(1, 1).unwrap());
    assert_eq!(first_deal.round_id, second_deal.round_id, "one round");

    // No records of both together, in a settlement or in a void.
    let [ticket, lock, deal] = first_deal.records.clone();
    let [_, other_lock, other_deal] = second_deal.records.clone();
    for records in [[&ticket, &other_lock, &deal], [&ticket, &lock, &other_deal]] {
        let records = records.map(Clone::clone);
        let void = casino.void_request(&first, &records, VoidReason::Operator);
        refused(void_round(&casino, "seats", &void), Reason::ChainBroken);
        let mut request = casino.settle_request(&first, &first_deal);
        assert!(settle(&casino, "seats", &request).is_ok());
        request.records = records.to_vec();
        refused(settle(&casino, "seats", &request), Reason::ChainBroken);
    }
}

#[test]
fn a_lock_is_of_the_round_that_it_names() {
    let (casino, plan, dealt) = dealt("locked");
    let mut lock = casino.lock_payload(&plan, &dealt.records[0]);
    let with = |lock: RecordEnvelope| {
        let start = DealStart::Ticket(dealt.records[0].clone());
        deal(&casino, &plan, &Deal { start, wagers: Wagers::Lock(lock), beacon_signature: None })
    };
    assert!(with(ledger(&lock.to_json())).is_ok());
    lock.round_id = Hash::of(b"another round");
    refused(with(ledger(&lock.to_json())), Reason::ChainBroken);
}

#[test]
fn a_deal_names_its_lock_its_ticket_and_its_round() {
    // A void recomputes nothing: only the links show it.
    let (casino, plan, dealt) = dealt("dev");
    let [ticket, lock, deal] = dealt.records.clone();
    let with = |edit: &dyn Fn(&mut DealRecord)| {
        let mut record = DealRecord::parse(deal.json().unwrap()).unwrap();
        edit(&mut record);
        let forged = RecordEnvelope::seal(RecordKind::Deal, &record, &[&receipt_key()]);
        let records = [ticket.clone(), lock.clone(), forged];
        void_round(&casino, "dev", &casino.void_request(&plan, &records, VoidReason::Operator))
    };
    assert!(with(&|_| {}).is_ok());
    let other = Hash::of(b"another record");
    for edit in [
        (&|deal: &mut DealRecord| deal.prev = other) as &dyn Fn(&mut DealRecord),
        &|deal| deal.ticket = other,
        &|deal| deal.round_id = other,
    ] {
        let refusal = refused(with(edit), Reason::ChainBroken);
        assert_eq!(refusal.violations[0].field, "records[2]");
    }
}

#[test]
fn actions_and_their_lock_follow_the_deal() {
    let casino = Casino::new();
    // At least two seats decide.
    let plans = (42..).map(|seed| RoundPlan::random("locked", 1, None, seed));
    let deciding = |plan: &RoundPlan| plan.sheet.wagers.iter().filter(|w| w.bet == "base").count();
    let plan = plans.into_iter().find(|plan| deciding(plan) > 1).unwrap();
    let dealt = casino.deal(&plan);
    let (actions, _) = casino.close(&plan, &dealt);
    let deal = dealt.records[2].hash();
    let with = |actions: &[RecordEnvelope], edit: &dyn Fn(&mut Hash, &mut Hash)| {
        let (mut prev, mut round_id) = (deal, dealt.round_id);
        edit(&mut prev, &mut round_id);
        let covered = actions.iter().map(RecordEnvelope::hash).collect();
        let lock = ledger(
            &CloseLock::Final {
                absent: Vec::new(),
                actions: covered,
                prev,
                round_id,
                supersedes: Vec::new(),
            }
            .to_json(),
        );
        let decisions = SeatDecisions::Locked { actions: actions.to_vec(), lock };
        settle(&casino, "locked", &Settle::new(dealt.records.to_vec(), decisions))
    };
    let as_made: &dyn Fn(&mut Hash, &mut Hash) = &|_, _| {};
    assert!(with(&actions, as_made).is_ok());

    let other = Hash::of(b"another deal");
    let mut strayed = actions.clone();
    let mut payload = strayed[0].json().unwrap();
    crate::refusals::insert(&mut payload, "prev", paigow_fairness::json::Json::str(other));
    strayed[0] = RecordEnvelope::unsigned(RecordKind::Action, &payload);
    let refusal = refused(with(&strayed, as_made), Reason::ChainBroken);
    assert_eq!(refusal.violations[0].field, "actions[0]");
    for stray in [
        (&|prev: &mut Hash, _: &mut Hash| *prev = other) as &dyn Fn(&mut Hash, &mut Hash),
        &|_, round_id| *round_id = other,
    ] {
        let refusal = refused(with(&actions, stray), Reason::ChainBroken);
        assert_eq!(refusal.violations[0].field, "lock");
    }
    // Covered all, and in another order than by seat.
    let reversed: Vec<RecordEnvelope> = actions.iter().rev().cloned().collect();
    refused(with(&reversed, as_made), Reason::Phase);
}

#[test]
fn a_void_lock_follows_the_last_record_and_says_the_reason_of_the_call() {
    let (casino, plan, dealt) = dealt("locked");
    let round_id = dealt.round_id;
    let with = |shown: usize, prev: &RecordEnvelope, said: Option<VoidReason>| {
        let lock = CloseLock::Void {
            prev: prev.hash(),
            reason: VoidReason::PlayerLeft,
            round_id,
            supersedes: Vec::new(),
        };
        let records = dealt.records[..shown].to_vec();
        let lock = Some(ledger(&lock.to_json()));
        void_round(&casino, "locked", &VoidRound::new(records, said, lock))
    };
    let said = Some(VoidReason::PlayerLeft);
    for shown in 1..=3 {
        for (at, prev) in dealt.records.iter().enumerate() {
            if at + 1 == shown {
                assert!(with(shown, prev, said).is_ok());
            } else {
                let refusal = refused(with(shown, prev, said), Reason::ChainBroken);
                assert_eq!(refusal.violations[0].field, "lock");
            }
        }
    }
    let last = &dealt.records[2];
    assert!(with(3, last, None).is_ok(), "the lock says it");
    let refusal = refused(with(3, last, Some(VoidReason::Operator)), Reason::FieldInvalid);
    assert_eq!(refusal.violations[0].field, "reason");
    assert_eq!(plan.tenant, "locked");
}

#[test]
fn wagers_of_a_lock_stand_in_the_rulesets_order() {
    let casino = Casino::new();
    let mut plan = RoundPlan::random("locked", 1, None, 43);
    plan.committed.clear();
    let wager = plan.sheet.wagers[0].clone();
    let of = |bet: &str, amount_minor| paigow_rules::game::Wager {
        bet: bet.to_owned().into(),
        amount_minor,
        ..wager.clone()
    };
    plan.sheet.wagers = vec![of("base", 1000), of("outlaw_9", 1)];
    let ticket = open(&casino, &plan).unwrap();
    let mut lock = casino.lock_payload(&plan, &ticket);
    let with = |lock: RecordEnvelope| {
        let start = DealStart::Ticket(ticket.clone());
        deal(&casino, &plan, &Deal { start, wagers: Wagers::Lock(lock), beacon_signature: None })
    };
    assert!(with(ledger(&lock.to_json())).is_ok());
    lock.wagers.reverse();
    let refusal = refused(with(ledger(&lock.to_json())), Reason::Record);
    assert_eq!(refusal.violations[0].field, "lock");
    lock.wagers.reverse();
    // A seat without a wager has no place in it.
    let idle = if wager.seat == crate::refusals::casino::seat(6) { 5 } else { 6 };
    lock.seats.insert(crate::refusals::casino::seat(idle), ());
    refused(with(ledger(&lock.to_json())), Reason::Record);
}

#[test]
fn what_is_no_action_is_none_though_the_lock_covers_it() {
    let (casino, plan, dealt) = dealt("locked");
    let (actions, _) = casino.close(&plan, &dealt);
    let with = |actions: Vec<RecordEnvelope>| {
        let lock = CloseLock::Final {
            absent: Vec::new(),
            supersedes: Vec::new(),
            actions: actions.iter().map(RecordEnvelope::hash).collect(),
            prev: dealt.records[2].hash(),
            round_id: dealt.round_id,
        };
        let decisions = SeatDecisions::Locked { actions, lock: ledger(&lock.to_json()) };
        settle(&casino, "locked", &Settle::new(dealt.records.to_vec(), decisions))
    };
    assert!(with(actions.clone()).is_ok());
    let payload = actions[0].json().unwrap();
    let strays = [
        dealt.records[1].clone(),
        dealt.records[2].clone(),
        // All that an action says, in a record of another kind.
        RecordEnvelope::unsigned(RecordKind::Lock, &payload),
        RecordEnvelope::unsigned(RecordKind::Deal, &payload),
    ];
    for stray in strays {
        let mut instead = actions.clone();
        instead[0] = stray.clone();
        let refusal = refused(with(instead), Reason::Phase);
        assert_eq!(refusal.violations[0].field, "actions[0]");
        let beside = [actions.as_slice(), &[stray]].concat();
        let refusal = refused(with(beside), Reason::Phase);
        assert_eq!(refusal.violations[0].field, format!("actions[{}]", actions.len()));
    }
}

/// A ticket as a holder of the receipt key can sign it anew.
fn forged(ticket: &RecordEnvelope, edit: impl FnOnce(&mut Ticket)) -> RecordEnvelope {
    let mut ticket = Ticket::parse(ticket.json().unwrap()).unwrap();
    edit(&mut ticket);
    RecordEnvelope::seal(RecordKind::Ticket, &ticket, &[&receipt_key()])
}

/// Deals, settles and voids under a ticket in the place of that of a dealt round, with records
/// that follow it. With each answer the field that has the ticket.
fn under(
    casino: &Casino,
    plan: &RoundPlan,
    dealt: &DealAnswer,
    ticket: &RecordEnvelope,
) -> [(Result<(), Refusal>, &'static str); 3] {
    let lock = if policy(&plan.tenant).lock_required {
        casino.lock(plan, ticket)
    } else {
        RecordEnvelope::unsigned(RecordKind::Lock, &casino.lock_payload(plan, ticket))
    };
    let round_id = Ticket::parse(ticket.json().unwrap()).unwrap().round_id;
    let record = DealRecord {
        prev: lock.hash(),
        ticket: ticket.hash(),
        round_id,
        ..DealRecord::parse(dealt.records[2].json().unwrap()).unwrap()
    };
    let record = RecordEnvelope::seal(RecordKind::Deal, &record, &[&receipt_key()]);
    let records = [ticket.clone(), lock.clone(), record];
    let dealt = DealAnswer { records, round_id, ..dealt.clone() };
    let request = Deal {
        start: DealStart::Ticket(ticket.clone()),
        wagers: Wagers::Lock(lock),
        beacon_signature: None,
    };
    let void = casino.void_request(plan, std::slice::from_ref(ticket), VoidReason::Operator);
    [
        (deal(casino, plan, &request).map(drop), "ticket"),
        (settle(casino, &plan.tenant, &casino.settle_request(plan, &dealt)), "records[0]"),
        (void_round(casino, &plan.tenant, &void), "records[0]"),
    ]
}

#[track_caller]
fn refused_as_ticket(answers: [(Result<(), Refusal>, &str); 3]) {
    for (answer, field) in answers {
        let refusal = refused(answer, Reason::Record);
        let blamed: Vec<_> = refusal.violations.iter().map(|fault| &*fault.field).collect();
        assert_eq!(blamed, [field], "{refusal}");
    }
}

#[test]
fn the_round_of_a_ticket_is_that_of_its_coordinates() {
    let casino = Casino::new();
    let plan = RoundPlan { committed: Vec::new(), ..RoundPlan::random("dev", 1, None, 44) };
    let dealt = casino.deal(&plan);
    let salt = successor(casino.manifest()).epochs[0].salt.unwrap();
    // The commitment is to the round that the ticket says, and the seed of the epoch opens it.
    let of_round = |round_id: Hash| {
        forged(&dealt.records[0], |ticket| {
            let seed = ticket.coordinates.derived_server_seed(&casino.secret, &salt);
            ticket.commit = round_commit(&seed, &round_id, &ticket.ruleset, &ticket.engine);
            ticket.round_id = round_id;
        })
    };
    let same = of_round(dealt.round_id);
    assert_eq!(same, dealt.records[0]);
    assert!(under(&casino, &plan, &dealt, &same).iter().all(|(answer, _)| answer.is_ok()));
    let next = RoundPlan { round_no: 2, ..plan.clone() }.coordinates().round_id();
    for other in [next, Hash::of(b"another round")] {
        refused_as_ticket(under(&casino, &plan, &dealt, &of_round(other)));
    }
}

#[test]
fn the_suite_of_a_ticket_is_that_of_its_epoch() {
    // A holder of receipt key and token key can seal any seed: here the epoch's own.
    let casino = Casino::new();
    let plan = RoundPlan { committed: Vec::new(), ..RoundPlan::random("locked", 1, None, 45) };
    let dealt = casino.deal(&plan);
    let salt = successor(casino.manifest()).epochs[0].salt.unwrap();
    let same = forged(&dealt.records[0], |_| {});
    assert!(under(&casino, &plan, &dealt, &same).iter().all(|(answer, _)| answer.is_ok()));
    let fresh = forged(&dealt.records[0], |ticket| {
        let seed = ticket.coordinates.derived_server_seed(&casino.secret, &salt);
        let key = TokenKey::new(token_key());
        let (round_id, commit) = (&ticket.round_id, &ticket.commit);
        let blob = sealed::seal(&key, *b"tokenkey", [7; 24], round_id, commit, &seed);
        (ticket.suite, ticket.sealed) = (Suite::Fresh, Some(blob));
    });
    refused_as_ticket(under(&casino, &plan, &dealt, &fresh));

    // And a ticket without a sealed seed where the epoch has no secret.
    let casino = Casino::fresh();
    let dealt = casino.deal(&plan);
    let same = forged(&dealt.records[0], |_| {});
    assert!(under(&casino, &plan, &dealt, &same).iter().all(|(answer, _)| answer.is_ok()));
    let derived = forged(&dealt.records[0], |ticket| {
        (ticket.suite, ticket.sealed) = (Suite::Derived, None);
    });
    refused_as_ticket(under(&casino, &plan, &dealt, &derived));
}
