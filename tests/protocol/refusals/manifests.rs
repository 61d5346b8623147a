//! The rules for a new round from the manifest that a request names and from the newest; and the
//! conditions under which a ticket can go on here.

use std::collections::BTreeSet;
use std::sync::Arc;

use paigow_fairness::json::Json;
use paigow_fairness::manifest::{Manifest, Suite};
use paigow_fairness::record::RecordEnvelope;
use paigow_round::{
    CallContext, CallerSwitch, Deal, DealStart, FactKey, OpenRound, OperatorPermit, Reason,
    SwitchScope, VoidReason, Wagers,
};

use crate::refusals::casino::{
    Casino, RoundPlan, announcement, complete, entropy, id, sign_manifest, successor,
};
use crate::refusals::{deal, dealt, insert, open, refused, resigned, settle, void_round};

/// The casino after one more manifest.
fn after(casino: &Casino, edit: impl FnOnce(&mut Manifest)) -> Casino {
    let mut manifest = successor(casino.manifest());
    edit(&mut manifest);
    let mut manifests = casino.manifests.clone();
    manifests.push(sign_manifest(&manifest));
    Casino::with_manifests(manifests)
}

#[test]
fn a_tenant_that_the_newest_manifest_dropped_opens_nothing() {
    let casino = Casino::new();
    let plan = RoundPlan::random("locked", 1, None, 61);
    let named = casino.open(&plan);
    let dropped = after(&casino, |m| m.tenants.retain(|tenant| tenant.tenant != id("locked")));
    let opened = |casino: &Casino, tenant: &str| {
        let call = casino.call(tenant);
        paigow_engine::open_round(&casino.context, &casino.keys, &call, &named, &mut entropy(&plan))
    };
    assert!(opened(&casino, "locked").is_ok());
    refused(opened(&dropped, "locked"), Reason::Tenant);
    // Its open rounds go on under the manifests of their tickets.
    let dealt = casino.deal(&plan);
    assert!(settle(&dropped, "locked", &casino.settle_request(&plan, &dealt)).is_ok());
}

#[test]
fn the_tables_of_the_named_manifest_count_beside_those_of_the_newest() {
    let casino = after(&Casino::new(), |m| {
        m.tenants.iter_mut().for_each(|tenant| tenant.tables = Some(vec![id("table-7")]));
    });
    let widened = after(&casino, |m| m.tenants.iter_mut().for_each(|t| t.tables = None));
    let at = |table: &str| RoundPlan {
        table: table.to_owned(),
        ..RoundPlan::random("dev", 1, None, 62)
    };
    let opened = |plan: &RoundPlan| {
        // The request names the manifest that pins.
        let (request, call) = (casino.open(plan), casino.call("dev"));
        paigow_engine::open_round(
            &widened.context,
            &widened.keys,
            &call,
            &request,
            &mut entropy(plan),
        )
    };
    refused(opened(&at("table-1")), Reason::TableNotListed);
    assert!(opened(&at("table-7")).is_ok());
    assert!(open(&widened, &at("table-1")).is_ok(), "the newest pins nothing");
}

#[test]
fn a_ticket_of_another_engine_goes_on_there() {
    let (casino, plan, dealt) = dealt("dev");
    let elsewhere = after(&casino, |m| m.engine = id("pge-2"));
    let manifest = elsewhere.manifest().hash();
    let ticket = |engine: bool, listed: bool| {
        resigned(&dealt.records[0], 2, |payload| {
            if engine {
                insert(payload, "engine", Json::str("pge-2"));
            }
            if listed {
                insert(payload, "manifest", Json::str(manifest));
            }
        })
    };
    let wagers = || Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: plan.client_seeds() };
    let dealt_to = |ticket: RecordEnvelope| {
        deal(
            &elsewhere,
            &plan,
            &Deal { start: DealStart::Ticket(ticket), wagers: wagers(), beacon_signature: None },
        )
    };
    let voided = |ticket: RecordEnvelope| {
        void_round(&elsewhere, "dev", &casino.void_request(&plan, &[ticket], VoidReason::Operator))
    };
    assert!(dealt_to(ticket(false, false)).is_ok() && voided(ticket(false, false)).is_ok());
    for (context, listed) in [(true, false), (false, true), (true, true)] {
        refused(dealt_to(ticket(context, listed)), Reason::EngineNotHere);
        refused(voided(ticket(context, listed)), Reason::EngineNotHere);
    }
}

/// A permit with one switch on for one ruleset, or for every one by a scope.
fn switched(is_halt: bool, scope: SwitchScope) -> OperatorPermit {
    let (every_ruleset, rulesets) = match scope {
        SwitchScope::Ruleset => (None, ["mikes".to_owned()].into()),
        scope @ (SwitchScope::Engine | SwitchScope::Tenant | SwitchScope::Jurisdiction) => {
            (Some(scope), BTreeSet::new())
        }
    };
    let switch = CallerSwitch { every_ruleset, rulesets, why: "a recall".to_owned() };
    if is_halt {
        OperatorPermit { halted: switch, ..OperatorPermit::default() }
    } else {
        OperatorPermit { closed_to_new_rounds: switch, ..OperatorPermit::default() }
    }
}

#[test]
fn a_closed_engine_opens_nothing_a_halted_one_deals_nothing_and_both_close_rounds() {
    use SwitchScope::{Engine, Jurisdiction, Ruleset, Tenant};
    let (casino, plan, dealt) = dealt("dev");
    let (context, keys) = (&casino.context, &casino.keys);
    let wagers = || Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: plan.client_seeds() };
    let inline = OpenRound { client_commits: Vec::new(), ..casino.open(&plan) };
    let inline =
        Deal { start: DealStart::Open(Box::new(inline)), wagers: wagers(), beacon_signature: None };
    let of_ticket = Deal {
        start: DealStart::Ticket(dealt.records[0].clone()),
        wagers: wagers(),
        beacon_signature: None,
    };
    for (is_halt, reason) in [(false, Reason::ClosedToNewRounds), (true, Reason::Halted)] {
        for scope in [Engine, Ruleset, Tenant, Jurisdiction] {
            let permit = Arc::new(switched(is_halt, scope));
            let call = CallContext { permit, ..casino.call("dev") };
            let open = casino.open(&plan);
            let entropy = || entropy(&plan);
            let deal = |request| paigow_engine::deal(context, keys, &call, request, &mut entropy());
            let opened = paigow_engine::open_round(context, keys, &call, &open, &mut entropy());
            for refusal in [
                refused(opened, reason),
                refused(deal(&inline), reason),
                refused(paigow_engine::prepare_open(context, keys, &call, &open), reason),
            ] {
                let told = refusal.facts.get(&FactKey::Scope).map(String::as_str);
                assert_eq!(told, Some(scope.name()));
            }
            if is_halt {
                refused(deal(&of_ticket), reason);
            } else {
                assert_eq!(deal(&of_ticket).unwrap().records, dealt.records);
            }
            // An opened round can be voided, and a dealt one settled or voided.
            let settle = casino.settle_request(&plan, &dealt);
            assert!(paigow_engine::settle(context, keys, &call, &settle).is_ok());
            for records in [&dealt.records[..1], &dealt.records] {
                let void = casino.void_request(&plan, records, VoidReason::Operator);
                assert!(paigow_engine::void_round(context, keys, &call, &void).is_ok());
            }
        }
    }
}

#[test]
fn a_ruleset_or_currency_that_the_tenant_may_not_play_is_not_dealt() {
    let (casino, plan, dealt) = dealt("dev");
    let wagers = Wagers::Sheet { sheet: plan.sheet.clone(), client_seeds: plan.client_seeds() };
    let request =
        Deal { start: DealStart::Ticket(dealt.records[0].clone()), wagers, beacon_signature: None };
    let one = |name: &str| Some([name.to_owned()].into());
    let others = OperatorPermit { rulesets: one("mania"), ..OperatorPermit::default() };
    let currencies = OperatorPermit { currencies: one("EUR"), ..OperatorPermit::default() };
    for (permit, reason) in
        [(others, Reason::RulesetNotAllowed), (currencies, Reason::CurrencyNotAllowed)]
    {
        let call = CallContext { permit: Arc::new(permit), ..casino.call("dev") };
        let (context, keys) = (&casino.context, &casino.keys);
        refused(paigow_engine::deal(context, keys, &call, &request, &mut entropy(&plan)), reason);
        let settled = casino.settle_request(&plan, &dealt);
        assert!(paigow_engine::settle(context, keys, &call, &settled).is_ok(), "{reason:?}");
        let void = casino.void_request(&plan, &dealt.records[..1], VoidReason::Operator);
        assert!(paigow_engine::void_round(context, keys, &call, &void).is_ok(), "{reason:?}");
    }
}

#[test]
fn tables_and_tenants_that_were_added_after_the_announcement_count_for_later_epochs() {
    let tables = |names: &[&str]| Some(names.iter().map(|name| id(name)).collect());
    let mut announced = announcement(Suite::Derived);
    announced.tenants.iter_mut().for_each(|tenant| tenant.tables = tables(&["table-1"]));
    let last = announced.tenants.pop().unwrap();
    let announced = sign_manifest(&announced);
    let mut completed = successor(&announced);
    complete(&mut completed);
    completed.tenants.iter_mut().for_each(|t| t.tables = tables(&["table-1", "table-2"]));
    let (early, late) = (completed.tenants[0].tenant.clone(), last.tenant.clone());
    completed.tenants.push(last);
    let casino = Casino::with_manifests(vec![announced, sign_manifest(&completed)]);
    let at = |tenant: &str, table: &str| RoundPlan {
        table: table.to_owned(),
        ..RoundPlan::random(tenant, 1, None, 62)
    };
    assert!(open(&casino, &at(early.as_str(), "table-1")).is_ok());
    refused(open(&casino, &at(early.as_str(), "table-2")), Reason::TableNotListed);
    refused(open(&casino, &at(late.as_str(), "table-1")), Reason::TableNotListed);
}
