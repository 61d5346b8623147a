//! Gates: windows, revocations, policies and pins that a newer manifest closes.

use std::collections::BTreeSet;

use paigow_engine::KeyRing;
use paigow_fairness::manifest::{
    ClientPolicy, Epoch, EpochStatus, Manifest, Policy, ReceiptKey, SeatAuth, Suite,
};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::secret::EpochSecret;
use paigow_fairness::seed::epoch_commit;
use paigow_fairness::ticket::Ticket;
use paigow_round::{
    CallContext, CallerSwitch, Deal, DealStart, OpenRound, OperatorPermit, Reason, Refusal,
    RefusalClass, SeatDecisions, VoidReason, Wagers,
};
use paigow_rules::cards::Seat;

use crate::refusals::casino::{
    Casino, EPOCH, OPEN_FROM, OPEN_UNTIL, RoundPlan, SETTLE_UNTIL, announcement, complete, entropy,
    id, key, receipt_key, sign_manifest, successor,
};
use crate::refusals::{
    deal, deal_at, dealt, open, open_at, refused, resigned, settle, settle_at, void_round,
    void_round_at,
};

#[test]
fn the_windows_are_half_open() {
    let (casino, plan, dealt) = dealt("dev");
    let (deal_request, settle_request) =
        (casino.deal_request(&plan), casino.settle_request(&plan, &dealt));
    let ticket_only = Deal {
        start: DealStart::Ticket(dealt.records[0].clone()),
        wagers: deal_request.wagers.clone(),
        beacon_signature: None,
    };
    let void = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
    refused(deal_at(&casino, &plan, &ticket_only, OPEN_FROM - 1), Reason::EpochNotOpen);
    assert!(deal_at(&casino, &plan, &ticket_only, OPEN_FROM).is_ok());
    refused(settle_at(&casino, "dev", &settle_request, OPEN_FROM - 1), Reason::EpochNotOpen);
    assert!(settle_at(&casino, "dev", &settle_request, OPEN_FROM).is_ok());
    refused(void_round_at(&casino, "dev", &void, OPEN_FROM - 1), Reason::EpochNotOpen);
    assert!(void_round_at(&casino, "dev", &void, OPEN_FROM).is_ok());
    refused(open_at(&casino, &plan, OPEN_FROM - 1), Reason::EpochNotOpen);
    assert!(open_at(&casino, &plan, OPEN_FROM).is_ok());
    assert!(open_at(&casino, &plan, OPEN_UNTIL - 1).is_ok());
    refused(open_at(&casino, &plan, OPEN_UNTIL), Reason::EpochClosed);
    assert!(deal_at(&casino, &plan, &ticket_only, SETTLE_UNTIL - 1).is_ok());
    refused(deal_at(&casino, &plan, &ticket_only, SETTLE_UNTIL), Reason::EpochClosed);
    assert!(settle_at(&casino, "dev", &settle_request, SETTLE_UNTIL - 1).is_ok());
    refused(settle_at(&casino, "dev", &settle_request, SETTLE_UNTIL), Reason::EpochClosed);
    assert!(void_round_at(&casino, "dev", &void, SETTLE_UNTIL - 1).is_ok());
    refused(void_round_at(&casino, "dev", &void, SETTLE_UNTIL), Reason::EpochClosed);
}

/// A casino that lists a second epoch, which opens at the second that the first one closes.
fn of_two_epochs() -> Casino {
    let second = EpochSecret::new([0x5a; 32]);
    let mut announced = announcement(Suite::Derived);
    announced.epochs.push(Epoch {
        epoch: EPOCH + 1,
        commit: Some(epoch_commit(EPOCH + 1, &second)),
        open_from: OPEN_UNTIL,
        open_until: OPEN_UNTIL + 86_400,
        settle_until: SETTLE_UNTIL + 86_400,
        ..announced.epochs[0].clone()
    });
    let announced = sign_manifest(&announced);
    let mut completed = successor(&announced);
    for _ in 0..2 {
        complete(&mut completed);
        completed.epochs.reverse();
    }
    let mut casino = Casino::with_manifests(vec![announced, sign_manifest(&completed)]);
    casino.keys.add_epoch(EPOCH + 1, second);
    casino
}

#[test]
fn the_epoch_that_is_open_now_is_taken_where_none_is_named() {
    let casino = of_two_epochs();
    let plan = RoundPlan::random("dev", 1, None, 65);
    let request = OpenRound { epoch: None, ..casino.open(&plan) };
    let at = |now: u64| -> Result<u32, Refusal> {
        let call = CallContext { now, ..casino.call("dev") };
        let opened = paigow_engine::open_round(
            &casino.context,
            &casino.keys,
            &call,
            &request,
            &mut entropy(&plan),
        )?;
        let ticket = Ticket::parse(opened.ticket.json().unwrap()).unwrap();
        Ok(ticket.coordinates.epoch)
    };
    refused(at(OPEN_FROM - 1), Reason::EpochNotOpen);
    for (now, epoch) in [
        (OPEN_FROM, EPOCH),
        (OPEN_UNTIL - 1, EPOCH),
        (OPEN_UNTIL, EPOCH + 1),
        (OPEN_UNTIL + 86_399, EPOCH + 1),
    ] {
        assert_eq!(at(now), Ok(epoch), "{now}");
    }
    refused(at(OPEN_UNTIL + 86_400), Reason::EpochNotOpen);
}

#[test]
fn the_rulesets_of_a_permit_are_named_by_id_or_by_content_hash() {
    let (casino, plan, dealt) = dealt("dev");
    let hash = casino.context.catalogue.game_named("mikes").unwrap().hash.to_string();
    let last = if hash.ends_with('0') { "1" } else { "0" };
    let strayed = format!("{}{last}", &hash[..63]);
    let open_request = casino.open(&plan);
    let ticket = DealStart::Ticket(dealt.records[0].clone());
    let deal_request =
        Deal { start: ticket, wagers: casino.deal_request(&plan).wagers, beacon_signature: None };
    let both = |permit: OperatorPermit| {
        let call = CallContext { permit: permit.into(), ..casino.call("dev") };
        let (context, keys) = (&casino.context, &casino.keys);
        [
            paigow_engine::open_round(context, keys, &call, &open_request, &mut entropy(&plan))
                .map(drop),
            paigow_engine::deal(context, keys, &call, &deal_request, &mut entropy(&plan)).map(drop),
        ]
    };
    for (name, named) in [("mikes", true), (&hash, true), (&strayed, false), ("mania", false)] {
        let list: BTreeSet<String> = [name.to_owned()].into();
        let allowed = OperatorPermit { rulesets: Some(list.clone()), ..OperatorPermit::default() };
        let why = "a recall".to_owned();
        let halted = CallerSwitch { every_ruleset: None, rulesets: list, why };
        let closed = OperatorPermit { halted, ..OperatorPermit::default() };
        for (allowed, closed) in both(allowed).into_iter().zip(both(closed)) {
            if named {
                assert!(allowed.is_ok(), "{name}");
                refused(closed, Reason::Halted);
            } else {
                refused(allowed, Reason::RulesetNotAllowed);
                assert!(closed.is_ok(), "{name}");
            }
        }
    }
}

/// The casino after one more manifest.
fn after(casino: &Casino, edit: impl FnOnce(&mut Manifest)) -> Casino {
    let mut manifest = successor(casino.manifest());
    edit(&mut manifest);
    let mut manifests = casino.manifests.clone();
    manifests.push(sign_manifest(&manifest));
    Casino::with_manifests(manifests)
}

/// The casino after a manifest that pins every tenant to `table-7`.
fn pinned(casino: &Casino) -> Casino {
    after(casino, |m| {
        m.tenants.iter_mut().for_each(|tenant| tenant.tables = Some(vec![id("table-7")]));
    })
}

#[test]
fn a_revoked_a_revealed_and_a_dropped_epoch_only_void_until_their_window_ends() {
    let (casino, plan, dealt) = dealt("locked");
    let deal_request = casino.deal_request(&plan);
    let settle_request = casino.settle_request(&plan, &dealt);
    let void = casino.void_request(&plan, &dealt.records, VoidReason::EpochRevoked);
    let revoked = after(&casino, |m| m.epochs[0].status = EpochStatus::Revoked);
    refused(open(&revoked, &plan), Reason::EpochRevoked);
    refused(deal(&revoked, &plan, &deal_request), Reason::EpochRevoked);
    refused(settle(&revoked, "locked", &settle_request), Reason::EpochRevoked);
    assert!(void_round(&revoked, "locked", &void).is_ok());
    let revealed = after(&casino, |m| m.epochs[0].status = EpochStatus::Revealed);
    refused(open(&revealed, &plan), Reason::EpochClosed);
    refused(deal(&revealed, &plan, &deal_request), Reason::EpochClosed);
    refused(settle(&revealed, "locked", &settle_request), Reason::EpochClosed);
    // The secret is published at once after a revocation: what was open must still end.
    assert!(void_round(&revealed, "locked", &void).is_ok());
    refused(void_round_at(&revealed, "locked", &void, SETTLE_UNTIL), Reason::EpochClosed);
    let dropped = after(&revealed, |m| m.epochs.clear());
    refused(deal(&dropped, &plan, &deal_request), Reason::EpochClosed);
    refused(settle(&dropped, "locked", &settle_request), Reason::EpochClosed);
    // D13: a void is accepted until `settle_until`, the ticket's, and needs no epoch secret.
    let mut keys = KeyRing::default();
    keys.add_receipt_key(receipt_key());
    let without_secret = Casino { keys, ..dropped };
    assert!(void_round_at(&without_secret, "locked", &void, SETTLE_UNTIL - 1).is_ok());
    refused(void_round_at(&without_secret, "locked", &void, SETTLE_UNTIL), Reason::EpochClosed);
}

#[test]
fn a_new_round_names_no_manifest_of_another_policy_than_the_newest() {
    let casino = Casino::new();
    let plan = RoundPlan::random("dev", 1, None, 33);
    let named = casino.open(&plan);
    let dealt = casino.deal(&plan);
    let changed = |edit: &dyn Fn(&mut Policy)| {
        let newer = after(&casino, |m| {
            let tenant = m.tenants.iter_mut().find(|t| t.tenant == id("dev")).unwrap();
            edit(&mut tenant.policy);
        });
        let call = casino.call("dev");
        let opened = paigow_engine::open_round(
            &newer.context,
            &newer.keys,
            &call,
            &named,
            &mut entropy(&plan),
        );
        // A round that was open goes on under its ticket's policy.
        assert!(settle(&newer, "dev", &casino.settle_request(&plan, &dealt)).is_ok());
        opened
    };
    refused(changed(&|policy| policy.lock_required = true), Reason::LockRequired);
    refused(changed(&|policy| policy.chain_required = true), Reason::ChainRequired);
    refused(changed(&|policy| policy.seat_auth = SeatAuth::Required), Reason::SeatAuthRequired);
    refused(changed(&|policy| policy.seat_auth = SeatAuth::Optional), Reason::PolicyChanged);
    refused(changed(&|policy| policy.client = ClientPolicy::Committed), Reason::PolicyChanged);
    // Fewer seeds ask for less and still shut somebody out: who chose them all (D10).
    refused(changed(&|policy| policy.client = ClientPolicy::None), Reason::PolicyChanged);
    assert!(changed(&|_| {}).is_ok(), "another manifest with the same policy");
    let pinned = pinned(&casino);
    let opened = paigow_engine::open_round(
        &pinned.context,
        &pinned.keys,
        &casino.call("dev"),
        &named,
        &mut entropy(&plan),
    );
    refused(opened, Reason::TableNotListed);
}

/// The casino after a manifest in which every tenant lists the ledger keys of these numbers.
fn ledgers(casino: &Casino, keys: &[u8]) -> Casino {
    after(casino, |m| {
        for tenant in &mut m.tenants {
            tenant.ledger_keys = keys.iter().map(|byte| key(*byte).public()).collect();
        }
    })
}

/// The number of the ledger key that the casino begins with.
const OLD: u8 = 3;
/// The number of the one that takes over.
const NEW: u8 = 10;

#[test]
fn a_new_round_names_no_manifest_with_a_ledger_key_that_was_dropped() {
    let old = Casino::new();
    let both = ledgers(&old, &[OLD, NEW]);
    let new = ledgers(&both, &[NEW]);
    for tenant in ["dev", "locked"] {
        let plan = RoundPlan::random(tenant, 1, None, 37);
        let under = |newest: &Casino, named: &Casino| {
            let (call, request) = (newest.call(tenant), named.open(&plan));
            paigow_engine::open_round(
                &newest.context,
                &newest.keys,
                &call,
                &request,
                &mut entropy(&plan),
            )
        };
        assert!(under(&both, &old).is_ok(), "both are listed");
        assert!(under(&new, &new).is_ok());
        let refusal = refused(under(&new, &old), Reason::PolicyChanged);
        assert!(refusal.message.contains("ledger key"), "{refusal}");
        refused(under(&new, &both), Reason::PolicyChanged);
        let turned = ledgers(&both, &[NEW, OLD]);
        assert!(under(&turned, &both).is_ok(), "the order of keys says nothing");
    }
}

#[test]
fn wagers_are_dealt_under_a_ledger_key_that_is_still_listed_and_a_dealt_round_ends_as_it_began() {
    let old = Casino::new();
    let plan = RoundPlan::random("locked", 1, None, 38);
    let request = old.deal_request(&plan);
    let dealt = old.deal(&plan);
    let both = ledgers(&old, &[OLD, NEW]);
    assert_eq!(deal(&both, &plan, &request).unwrap().records, dealt.records);

    // Signed under the manifest that lists both, by the one, by the other, and by both.
    let ticket = open(&both, &plan).unwrap();
    let locked_by = |bytes: &[u8]| {
        let mut lock =
            RecordEnvelope::unsigned(RecordKind::Lock, &both.lock_payload(&plan, &ticket));
        bytes.iter().for_each(|byte| lock.add_signature(&key(*byte)));
        Deal {
            start: DealStart::Ticket(ticket.clone()),
            wagers: Wagers::Lock(lock),
            beacon_signature: None,
        }
    };
    let new = ledgers(&both, &[NEW]);
    refused(deal(&new, &plan, &request), Reason::PolicyChanged);
    refused(deal(&new, &plan, &locked_by(&[OLD])), Reason::PolicyChanged);
    assert!(deal(&new, &plan, &locked_by(&[NEW])).is_ok());
    assert!(deal(&new, &plan, &locked_by(&[OLD, NEW])).is_ok());
    // A removed tenant lists no key.
    let gone = after(&both, |m| m.tenants.retain(|tenant| tenant.tenant != id("locked")));
    refused(deal(&gone, &plan, &locked_by(&[NEW])), Reason::PolicyChanged);

    let void = old.void_request(&plan, &dealt.records, VoidReason::Operator);
    for casino in [&new, &gone] {
        assert!(settle(casino, "locked", &old.settle_request(&plan, &dealt)).is_ok());
        assert!(void_round(casino, "locked", &void).is_ok());
    }
}

#[test]
fn a_lock_without_a_signature_relies_on_no_ledger_key() {
    let casino = Casino::new();
    let plan = RoundPlan::random("dev", 1, None, 39);
    let dealt = casino.deal(&plan);
    let wagers = Wagers::Lock(dealt.records[1].clone());
    let request =
        Deal { start: DealStart::Ticket(dealt.records[0].clone()), wagers, beacon_signature: None };
    for newest in
        [ledgers(&casino, &[NEW]), after(&casino, |m| m.tenants.remove(0).ledger_keys.clear())]
    {
        assert_eq!(deal(&newest, &plan, &request).unwrap().records, dealt.records);
    }
}

#[test]
fn a_revoked_receipt_key_makes_nothing_new_and_proves_nothing() {
    let (casino, plan, dealt) = dealt("locked");
    let deal_request = casino.deal_request(&plan);
    let settle_request = casino.settle_request(&plan, &dealt);
    let void = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
    let revoked = after(&casino, |m| m.receipt_keys[0].revoked = true);
    refused(deal(&revoked, &plan, &deal_request), Reason::KeyRevoked);
    refused(settle(&revoked, "locked", &settle_request), Reason::KeyRevoked);
    assert!(void_round(&revoked, "locked", &void).is_ok(), "stakes go back");
}

#[test]
fn a_record_by_a_revoked_key_proves_nothing_though_another_key_signs_now() {
    let second = ReceiptKey { key: key(8).public(), revoked: false };
    let casino = after(&Casino::new(), |m| m.receipt_keys.push(second));
    let plan = RoundPlan { committed: Vec::new(), ..RoundPlan::random("dev", 1, None, 35) };
    let dealt = casino.deal(&plan);
    let wagers = Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: Vec::new() };
    let deal_request = |ticket| Deal {
        start: DealStart::Ticket(ticket),
        wagers: wagers.clone(),
        beacon_signature: None,
    };
    let first = deal_request(dealt.records[0].clone());
    let seconds = deal_request(resigned(&dealt.records[0], 8, |_| {}));
    let settle_request = casino.settle_request(&plan, &dealt);
    let by_second = |at: usize| {
        let mut request = settle_request.clone();
        request.records[at] = resigned(&dealt.records[at], 8, |_| {});
        request
    };
    assert!(deal(&casino, &plan, &seconds).is_ok());
    assert!([0, 2].into_iter().all(|at| settle(&casino, "dev", &by_second(at)).is_ok()));

    let revoked = after(&casino, |m| m.receipt_keys[1].revoked = true);
    refused(deal(&revoked, &plan, &seconds), Reason::KeyRevoked);
    for at in [0, 2] {
        refused(settle(&revoked, "dev", &by_second(at)), Reason::KeyRevoked);
    }
    // A later manifest takes no revocation back.
    let relisted = after(&revoked, |m| m.receipt_keys[1].revoked = false);
    refused(deal(&relisted, &plan, &seconds), Reason::KeyRevoked);
    assert!(deal(&relisted, &plan, &first).is_ok());
    assert!(settle(&relisted, "dev", &settle_request).is_ok());
}

/// A casino that lists key 8 beside its own, and the close of a round under its own.
fn closed_under_two_keys() -> (Casino, RecordEnvelope) {
    let second = ReceiptKey { key: key(8).public(), revoked: false };
    let listed = after(&Casino::new(), |m| m.receipt_keys.push(second));
    let close = listed.play(&RoundPlan::random("base", 1, None, 36)).pop().unwrap();
    (listed, close)
}

#[test]
fn a_round_follows_a_close_under_any_manifest_of_the_chain() {
    let (listed, close) = closed_under_two_keys();
    let next = |by: u8| RoundPlan::random("base", 2, Some(resigned(&close, by, |_| {})), 36);
    assert!(open(&listed, &next(8)).is_ok());
    // The key is listed no more, and two manifests have followed.
    let rotated = after(&listed, |m| m.receipt_keys.truncate(1));
    let rotated = after(&rotated, |_| {});
    assert!(open(&rotated, &next(8)).is_ok());
    refused(open(&rotated, &next(9)), Reason::ManifestUnknown);
    // A replica that has not loaded the manifest of the key yet: another may have.
    let call = listed.call("base");
    let mut request = listed.open(&next(8));
    request.manifest = Some(Casino::new().manifest().hash());
    request.manifest_sequence = None;
    let lagging = Casino::new();
    let opened = paigow_engine::open_round(
        &lagging.context,
        &lagging.keys,
        &call,
        &request,
        &mut entropy(&next(8)),
    );
    let refusal = refused(opened, Reason::ManifestUnknown);
    assert_eq!(refusal.reason.class(), RefusalClass::Unavailable);
    assert!(refusal.message.contains("prev"), "{refusal}");
}

#[test]
fn no_round_follows_a_close_by_a_revoked_key() {
    let (listed, close) = closed_under_two_keys();
    let next = |by: u8| RoundPlan::random("base", 2, Some(resigned(&close, by, |_| {})), 36);
    assert!(open(&listed, &next(8)).is_ok());
    let revoked = after(&listed, |m| m.receipt_keys[1].revoked = true);
    refused(open(&revoked, &next(8)), Reason::KeyRevoked);
    // Nor where the revoked key is listed no more, and none of the keys listed now is revoked.
    let forgotten = after(&revoked, |m| m.receipt_keys.truncate(1));
    refused(open(&forgotten, &next(8)), Reason::KeyRevoked);
    let same = RoundPlan::random("base", 2, Some(close.clone()), 36);
    assert!(open(&forgotten, &same).is_ok(), "the other key stands");
    refused(open(&forgotten, &next(9)), Reason::ManifestUnknown);
}

#[test]
fn a_seat_that_could_never_sign_is_not_dealt_in() {
    let casino = Casino::new();
    let plans = (34..).map(|seed| RoundPlan::random("strict", 1, None, seed));
    let bases = |plan: &RoundPlan| -> BTreeSet<Seat> {
        plan.sheet.wagers.iter().filter(|w| w.bet == "base").map(|w| w.seat).collect()
    };
    // Two seats decide, and another has bonus bets alone.
    let mixed = |plan: &RoundPlan| bases(plan).len() > 1 && bases(plan).len() < plan.signing.len();
    let mut plan = plans.into_iter().find(mixed).unwrap();
    let with = |plan: &RoundPlan| deal(&casino, plan, &casino.deal_request(plan));
    plan.signing = bases(&plan).into_iter().collect();
    assert!(with(&plan).is_ok(), "who decides nothing needs no key");
    plan.signing.pop();
    refused(with(&plan), Reason::SeatAuthRequired);
    plan.signing.clear();
    refused(with(&plan), Reason::SeatAuthRequired);
}

#[test]
fn a_closed_gate_is_told_before_a_missing_decision() {
    let (casino, plan, dealt) = dealt("dev");
    let mut request = casino.settle_request(&plan, &dealt);
    request.decisions = SeatDecisions::Typed(Vec::new());
    refused(settle(&casino, "dev", &request), Reason::DecisionMissing);
    refused(settle_at(&casino, "dev", &request, SETTLE_UNTIL), Reason::EpochClosed);
}

#[test]
fn a_newer_manifest_closes_gates_and_changes_no_byte() {
    let (casino, plan, dealt) = dealt("locked");
    let deal_request = casino.deal_request(&plan);
    let request = casino.settle_request(&plan, &dealt);
    let before = casino.settle(&plan, &dealt).records;
    let disabled = after(&casino, |m| m.rulesets.clear());
    // The request names the manifest that it was prepared under.
    let open_request = casino.open(&plan);
    let call = casino.call("locked");
    let opened = paigow_engine::open_round(
        &disabled.context,
        &casino.keys,
        &call,
        &open_request,
        &mut entropy(&plan),
    );
    refused(opened, Reason::RulesetDisabled);
    let again = deal(&disabled, &plan, &deal_request).unwrap();
    assert_eq!(again.records, dealt.records);
    let settled =
        paigow_engine::settle(&disabled.context, &disabled.keys, &call, &request).unwrap();
    assert_eq!(settled.records, before, "open rounds settle, byte for byte");

    let revoked = after(&casino, |m| m.receipt_keys[0].revoked = true);
    let opened = paigow_engine::open_round(
        &revoked.context,
        &casino.keys,
        &call,
        &open_request,
        &mut entropy(&plan),
    );
    refused(opened, Reason::KeyRevoked);
    let pinned = pinned(&casino);
    refused(open(&pinned, &plan), Reason::TableNotListed);
    assert!(open(&pinned, &RoundPlan { table: "table-7".to_owned(), ..plan.clone() }).is_ok());
    let elsewhere = after(&casino, |m| m.engine = id("pge-2"));
    refused(open(&elsewhere, &plan), Reason::EngineNotHere);
}
