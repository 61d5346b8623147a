//! The valid content of a manifest and its successor: a row for each refusal.
#![allow(clippy::unwrap_used)]

use paigow_testkit::beacons::beacon;
use paigow_testkit::casino;
use paigow_testkit::literals;

use casino::{announcement, complete, id, key, sign_manifest, successor};
use paigow_fairness::beacon::BeaconRound;
use paigow_fairness::encoding::Hash;
use paigow_fairness::manifest::{
    AbsentPolicy, Epoch, EpochStatus, ExternalPolicy, Manifest, ManifestChain, Root, SaltSource,
    Suite,
};
use paigow_fairness::record::RecordEnvelope;

/// Returns the faults of a chain, a line for each; empty if it loads.
fn said(chain: &[Manifest]) -> Vec<String> {
    let root = Root { keys: vec![casino::root_key().public()], threshold: 1 };
    let mut signed: Vec<RecordEnvelope> = Vec::new();
    for manifest in chain {
        let linked = match signed.last() {
            Some(before) => {
                let Manifest { seq, prev, .. } = successor(before);
                Manifest { seq, prev, ..manifest.clone() }
            }
            None => manifest.clone(),
        };
        signed.push(sign_manifest(&linked));
    }
    let faults = ManifestChain::load(&root, &signed).err().unwrap_or_default();
    faults.iter().map(ToString::to_string).collect()
}

type Edit = fn(&mut Manifest);

fn of_suite(suite: Suite, edit: Edit) -> Vec<String> {
    let mut manifest = announcement(suite);
    edit(&mut manifest);
    said(&[manifest])
}

/// An epoch after the first, as long and announced only.
fn next_epoch(first: &Epoch) -> Epoch {
    let open_from = first.open_until;
    let open_until = open_from + 60;
    let settle_until = open_until + 7 * 86_400;
    Epoch { epoch: first.epoch + 1, open_from, open_until, settle_until, ..first.clone() }
}

fn set_policy(manifest: &mut Manifest, lock: bool, chain: bool) {
    let policy = &mut manifest.tenants[0].policy;
    (policy.lock_required, policy.chain_required) = (lock, chain);
}

/// Lets seats of a tenant register the clause for absence.
fn set_absent(manifest: &mut Manifest, tenant: &str) {
    let mut tenants = manifest.tenants.iter_mut();
    let listed = tenants.find(|listed| listed.tenant.as_str() == tenant).unwrap();
    listed.policy.absent = AbsentPolicy::Optional;
}

const ABSENT: &str =
    "tenant locked: absent needs lock: required, and seat_auth: optional or required";
const FRESH: &str = "epoch 7: the fresh suite has no commit, salt or salt_source";
const VRF: &str = "epoch 7: the vrf suite needs vrf_key and salt_source";
const DERIVED: &str = "epoch 7: the derived suite needs commit and salt_source";
const GIVES: &str = "epoch 7: the salt is not what its source gives";
const WINDOW: &str = "epoch 7: open_from < open_until, and settle_until at least 7 days later";
const SALTED: &str = "epoch 7: listed with its salt before it was announced";

/// One manifest alone.
fn alone() -> Vec<(Suite, Edit, Vec<&'static str>)> {
    const STRICT: &str = "tenant locked: the fresh suite needs lock: required and chain: required";
    let (derived, fresh, vrf) = (Suite::Derived, Suite::Fresh, Suite::Vrf);
    vec![
        (derived, |_| {}, vec![]),
        (fresh, |_| {}, vec![]),
        (vrf, |_| {}, vec![]),
        (vrf, |m| m.epochs[0].vrf_key = None, vec![VRF]),
        (vrf, |m| m.epochs[0].commit = Some(Hash::ZERO), vec![VRF]),
        (vrf, |m| m.epochs[0].salt_source = None, vec![VRF]),
        (derived, |m| m.epochs[0].vrf_key = Some(key(9).public()), vec![DERIVED]),
        (
            vrf,
            |m| {
                let next = next_epoch(&m.epochs[0]);
                m.epochs.push(next);
            },
            vec!["epoch 8: its vrf_key is that of epoch 7"],
        ),
        (derived, |m| m.receipt_keys.clear(), vec!["receipt_keys: none"]),
        (fresh, |m| m.epochs[0].commit = Some(Hash::ZERO), vec![FRESH]),
        (fresh, |m| m.epochs[0].salt = Some(Hash::ZERO), vec![FRESH]),
        (fresh, |m| m.epochs[0].salt_source = Some(SaltSource::None), vec![FRESH]),
        (derived, |m| m.epochs[0].commit = None, vec![DERIVED]),
        (derived, |m| m.epochs[0].salt_source = None, vec![DERIVED]),
        (
            derived,
            |m| {
                let named = BeaconRound { chain: Hash::ZERO, round: 9 };
                m.epochs[0].salt_source = Some(SaltSource::Drand { named, signature: None });
            },
            vec!["epoch 7: a drand salt of another chain than the beacon of the manifest"],
        ),
        (derived, |m| m.epochs[0].salt = Some(Hash::ZERO), vec![GIVES, SALTED]),
        (
            derived,
            |m| {
                m.epochs[0].salt_source = Some(SaltSource::None);
                m.epochs[0].salt = Some(Hash::of(b"a salt"));
            },
            vec![GIVES],
        ),
        (
            derived,
            |m| {
                m.epochs[0].salt_source = Some(SaltSource::None);
                m.epochs[0].salt = Some(Hash::ZERO);
            },
            vec![],
        ),
        (
            derived,
            |m| {
                complete(m);
                m.epochs[0].salt = None;
            },
            vec!["epoch 7: a value without the salt that it gives"],
        ),
        (derived, complete, vec![SALTED]),
        (derived, |m| m.epochs[0].open_until = m.epochs[0].open_from, vec![WINDOW]),
        (derived, |m| m.epochs[0].settle_until -= 1, vec![WINDOW]),
        (
            derived,
            |m| {
                let next = next_epoch(&m.epochs[0]);
                m.epochs.push(next);
            },
            vec![],
        ),
        (
            derived,
            |m| {
                let mut next = next_epoch(&m.epochs[0]);
                next.open_from -= 1;
                m.epochs.insert(0, next);
            },
            vec!["the windows of two epochs overlap"],
        ),
        (
            derived,
            |m| {
                let next = Epoch { epoch: 7, ..next_epoch(&m.epochs[0]) };
                m.epochs.push(next);
            },
            vec!["epoch 7: listed more than once"],
        ),
        (
            derived,
            |m| m.tenants.push(m.tenants[1].clone()),
            vec!["tenant base: listed more than once"],
        ),
        (
            derived,
            // Another ruleset of the same name.
            |m| {
                let mikes = m.rulesets.iter().find(|listed| listed.name.as_str() == "mikes");
                let mut second = mikes.unwrap().clone();
                second.hash = Hash::of(b"another ruleset");
                m.rulesets.push(second);
            },
            vec!["ruleset mikes: listed more than once"],
        ),
        (
            derived,
            |m| {
                let mikes = m.house_ways.iter().find(|listed| listed.name.as_str() == "mikes");
                let second = mikes.unwrap().clone();
                m.house_ways.push(second);
            },
            vec!["house way mikes: listed more than once"],
        ),
        (
            derived,
            |m| m.tenants[2].policy.external = ExternalPolicy::Drand,
            vec![
                "tenant locked: external: drand needs lock: required, and a beacon in the manifest",
            ],
        ),
        (
            derived,
            |m| {
                m.beacon = Some(beacon(0));
                m.tenants[2].policy.external = ExternalPolicy::Drand;
            },
            vec![],
        ),
        (derived, |m| set_absent(m, "locked"), vec![ABSENT]),
        (derived, |m| set_absent(m, "strict"), vec![]),
        (fresh, |m| set_policy(m, false, true), vec![STRICT]),
        (fresh, |m| set_policy(m, true, false), vec![STRICT]),
        (fresh, |m| set_policy(m, false, false), vec![STRICT]),
        (
            derived,
            |m| m.tenants.iter_mut().for_each(|tenant| tenant.ledger_keys.clear()),
            vec![
                "tenant locked: lock: required needs a ledger key",
                "tenant seats: lock: required needs a ledger key",
                "tenant strict: lock: required needs a ledger key",
            ],
        ),
    ]
}

/// A manifest after one whose epoch 7 is completed.
fn after_completion() -> Vec<(Edit, Vec<&'static str>)> {
    const CHANGED: &str = "epoch 7: only its completion and its status may change";
    vec![
        (|_| {}, vec![]),
        (|m| m.epochs[0].status = EpochStatus::Revoked, vec![]),
        (|m| m.epochs[0].status = EpochStatus::Revealed, vec![]),
        (|m| m.epochs[0].open_from -= 1, vec![CHANGED]),
        (|m| m.epochs[0].open_until -= 1, vec![CHANGED]),
        (|m| m.epochs[0].settle_until += 1, vec![CHANGED]),
        // Taken back, so that another may be chosen.
        (
            |m| {
                let epoch = &mut m.epochs[0];
                epoch.salt = None;
                epoch.salt_source = epoch.salt_source.as_ref().map(SaltSource::announced);
            },
            vec![CHANGED],
        ),
        (
            |m| {
                m.epochs[0].salt_source = Some(SaltSource::None);
                m.epochs[0].salt = Some(Hash::ZERO);
            },
            vec![CHANGED],
        ),
        (|m| m.beacon = Some(beacon(0)), vec![]),
        (|m| m.epochs.clear(), vec!["epoch 7: an epoch is listed until it is revealed"]),
        (
            |m| {
                let next = next_epoch(&m.epochs[0]);
                m.epochs.push(next);
            },
            // With a salt of its own from the beginning.
            vec!["epoch 8: listed with its salt before it was announced"],
        ),
        (
            |m| {
                let mut next = next_epoch(&m.epochs[0]);
                next.salt = None;
                next.salt_source = next.salt_source.as_ref().map(SaltSource::announced);
                m.epochs.push(next);
            },
            vec![],
        ),
    ]
}

#[test]
fn every_fault_of_a_manifest_is_told() {
    let mut told = Vec::new();
    for (row, (suite, edit, due)) in alone().into_iter().enumerate() {
        let found = of_suite(suite, edit);
        let due: Vec<String> =
            due.iter().map(|due| format!("manifest 1 of the chain: {due}")).collect();
        assert_eq!(found, due, "row {row}");
        told.extend(found);
    }
    let announced = announcement(Suite::Derived);
    let mut completed = successor(&sign_manifest(&announced));
    complete(&mut completed);
    for (row, (edit, due)) in after_completion().into_iter().enumerate() {
        let mut last = completed.clone();
        edit(&mut last);
        let found = said(&[announced.clone(), completed.clone(), last]);
        let due: Vec<String> =
            due.iter().map(|due| format!("manifest 3 of the chain: {due}")).collect();
        assert_eq!(found, due, "row {row} after completion");
        told.extend(found);
    }
    let source = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/paigow-fairness/src/manifest/rules.rs"
    ));
    let content = &source[source.find("pub fn rule_faults").unwrap()..];
    let of_suite = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/crates/paigow-fairness/src/manifest/epoch.rs"
    ));
    let (_, of_suite) = of_suite.split_once("pub const fn suite_fault").unwrap();
    let (of_suite, _) = of_suite.split_once("fn to_json").unwrap();
    let messages = [literals::messages(content), literals::messages(of_suite)].concat();
    assert!(messages.len() > 15, "{messages:#?}");
    let others = [
        "listed again after it was dropped",
        "another beacon than before, or none",
        "one chain of manifests serves one suite",
        " key that is a ",
        " key too",
    ];
    for message in messages {
        let elsewhere = others.iter().any(|other| message.contains(other));
        let has_row = told.iter().any(|fault| fault.contains(&message));
        assert!(has_row || elsewhere, "no row tells {message:?}");
    }
}

#[test]
fn a_status_never_goes_back() {
    let announced = announcement(Suite::Derived);
    let with = |status: EpochStatus| {
        let mut manifest = announced.clone();
        manifest.epochs[0].status = status;
        manifest
    };
    use EpochStatus::{Active, Revealed, Revoked};
    for (from, to, may) in [
        (Active, Active, true),
        (Active, Revoked, true),
        (Active, Revealed, true),
        (Revoked, Active, false),
        (Revoked, Revoked, true),
        (Revoked, Revealed, true),
        (Revealed, Active, false),
        (Revealed, Revoked, false),
        (Revealed, Revealed, true),
    ] {
        let found = said(&[announced.clone(), with(from), with(to)]);
        let due = "manifest 3 of the chain: epoch 7: only its completion and its status may change";
        assert_eq!(found, if may { vec![] } else { vec![due.to_owned()] }, "{from:?} to {to:?}");
    }
}

#[test]
fn an_epoch_keeps_what_was_committed_to() {
    let announced = announcement(Suite::Derived);
    let edits: [Edit; 3] = [
        |m| m.epochs[0].commit = Some(Hash::of(b"another secret")),
        |m| {
            let key = key(9).public();
            m.epochs[0].salt_source = Some(SaltSource::Party { key, value: None });
        },
        |m| m.epochs[0].salt_source = Some(SaltSource::None),
    ];
    for edit in edits {
        let mut next = announced.clone();
        edit(&mut next);
        let due = "manifest 2 of the chain: epoch 7: only its completion and its status may change";
        assert_eq!(said(&[announced.clone(), next]), [due]);
    }
    assert_eq!(announced.engine, id("pge-1"));
}
