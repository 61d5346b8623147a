//! The epochs that `GetEngine` calls open are those in which `OpenRound` opens rounds.

use std::collections::BTreeSet;

use paigow_fairness::manifest::{EpochStatus, Manifest, Suite};
use paigow_round::CallContext;
use paigow_testkit::casino::{
    Casino, EPOCH, NOW, OPEN_FROM, OPEN_UNTIL, RoundPlan, SETTLE_UNTIL, announcement, complete,
    entropy, id, sign_manifest, successor, witness_key,
};

/// The casino after one more manifest.
fn after(casino: &Casino, edit: impl FnOnce(&mut Manifest)) -> Casino {
    let mut manifest = successor(casino.manifest());
    edit(&mut manifest);
    let mut manifests = casino.manifests.clone();
    manifests.push(sign_manifest(&manifest));
    Casino::with_manifests(manifests)
}

/// The casino whose first manifest is edited, and whose second completes the epoch.
fn announced_as(edit: impl FnOnce(&mut Manifest)) -> Casino {
    let whole = announcement(Suite::Derived);
    let mut first = whole.clone();
    edit(&mut first);
    let first = sign_manifest(&first);
    let mut second = successor(&first);
    second.tenants = whole.tenants;
    complete(&mut second);
    Casino::with_manifests(vec![first, sign_manifest(&second)])
}

/// Whether `OpenRound` opens a round of the tenant in the epoch.
fn opens(casino: &Casino, tenant: &str, now: u64) -> bool {
    let plan = RoundPlan::random(tenant, 1, None, 1);
    let call = CallContext { now, ..casino.call(tenant) };
    let (context, keys) = (&casino.context, &casino.keys);
    let open = casino.open(&plan);
    paigow_engine::open_round(context, keys, &call, &open, &mut entropy(&plan)).is_ok()
}

#[test]
fn an_epoch_is_open_where_a_round_can_be_opened_in_it() {
    let casino = Casino::new();
    let is_dev = |tenant: &str| tenant == "dev";
    let casinos = [
        ("derived", casino.clone()),
        ("fresh", Casino::fresh()),
        ("announced", Casino::with_manifests(casino.manifests[..1].to_vec())),
        ("revoked", after(&casino, |m| m.epochs[0].status = EpochStatus::Revoked)),
        ("revealed", after(&casino, |m| m.epochs[0].status = EpochStatus::Revealed)),
        ("without the tenant", after(&casino, |m| m.tenants.retain(|t| is_dev(t.tenant.as_str())))),
        ("a tenant announced later", announced_as(|m| m.tenants.truncate(1))),
        ("the receipt key revoked", after(&casino, |m| m.receipt_keys[0].revoked = true)),
        ("another engine", after(&casino, |m| m.engine = id("pge-2"))),
    ];
    let mut seen = BTreeSet::new();
    for (about, casino) in &casinos {
        for tenant in ["dev", "base", "locked", "strict"] {
            for now in [0, OPEN_FROM - 1, OPEN_FROM, NOW, OPEN_UNTIL - 1, OPEN_UNTIL, SETTLE_UNTIL]
            {
                let epochs = casino.context.tenant_epochs(&id(tenant), now);
                let opens = opens(casino, tenant, now);
                let listed: Vec<u32> = epochs.open.iter().map(|epoch| epoch.epoch).collect();
                let expected = if opens { vec![EPOCH] } else { vec![] };
                assert_eq!(listed, expected, "{about}, {tenant}, {now}");
                seen.insert((*about, opens));
            }
        }
    }
    for about in ["derived", "fresh", "without the tenant", "a tenant announced later"] {
        assert!(seen.contains(&(about, true)) && seen.contains(&(about, false)), "{about}");
    }
}

#[test]
fn an_epoch_is_upcoming_before_its_window_and_before_its_salt() {
    let casino = Casino::new();
    let of = |casino: &Casino, now| {
        let epochs = casino.context.tenant_epochs(&id("locked"), now);
        (epochs.open.len(), epochs.upcoming.len())
    };
    assert_eq!(of(&casino, OPEN_FROM - 1), (0, 1));
    assert_eq!(of(&casino, OPEN_FROM), (1, 0));
    assert_eq!(of(&casino, OPEN_UNTIL), (0, 0));
    let announced = Casino::with_manifests(casino.manifests[..1].to_vec());
    assert_eq!(of(&announced, OPEN_FROM - 1), (0, 1));
    assert_eq!(of(&announced, NOW), (0, 1), "its salt is awaited");
    assert_eq!(of(&announced, OPEN_UNTIL), (0, 0), "too late for a salt");
    let revoked = after(&casino, |m| m.epochs[0].status = EpochStatus::Revoked);
    assert_eq!(of(&revoked, OPEN_FROM - 1), (0, 0));
}

#[test]
fn the_witnesses_of_every_manifest_are_named_once() {
    let casino = Casino::new();
    let of =
        |casino: &Casino| -> Vec<_> { casino.context.manifests.witness_keys().copied().collect() };
    assert_eq!(of(&casino), [witness_key().public()]);
    // A manifest may drop an epoch once its secret is published.
    let revealed = after(&casino, |m| m.epochs[0].status = EpochStatus::Revealed);
    let dropped = after(&revealed, |m| m.epochs.clear());
    assert_eq!(of(&dropped), [witness_key().public()]);
    assert!(of(&Casino::fresh()).is_empty());
}
