//! Which chains of manifests an engine works from, and what it says of the others.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;

use casino::{
    announcement, complete, id, key, ledger_key, receipt_key, root_key, sign_manifest, successor,
    witness_key,
};
use paigow_engine::SecretKey;
use paigow_fairness::beacon::BeaconRound;
use paigow_fairness::encoding::Hash;
use paigow_fairness::json::Json;
use paigow_fairness::manifest::{
    Build, Epoch, EpochStatus, Manifest, ManifestChain, ManifestFault, ManifestRule,
    ManifestTenant, ReceiptKey, Root, SaltSource, Suite, rule_faults, verify_chain,
};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::signature::PublicKey;

fn root(keys: &[u8], threshold: usize) -> Root {
    Root { keys: keys.iter().map(|byte| key(*byte).public()).collect(), threshold }
}

fn trusted() -> Root {
    Root { keys: vec![root_key().public()], threshold: 1 }
}

fn signed(manifest: &Manifest, keys: &[&SecretKey]) -> RecordEnvelope {
    RecordEnvelope::seal(RecordKind::Manifest, &manifest.to_json(), keys)
}

/// Returns the faults of one changed manifest.
fn faults(edit: impl FnOnce(&mut Manifest)) -> String {
    let mut manifest = announcement(Suite::Derived);
    edit(&mut manifest);
    load(&[sign_manifest(&manifest)])
}

/// Returns the faults of a chain; empty if it loads.
fn load(chain: &[RecordEnvelope]) -> String {
    match ManifestChain::load(&trusted(), chain) {
        Ok(_) => String::new(),
        Err(faults) => faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"),
    }
}

#[track_caller]
fn says(said: &str, part: &str) {
    assert!(said.contains(part), "`{part}` is not in `{said}`");
}

#[test]
fn an_epoch_is_listed_with_what_its_suite_needs() {
    assert_eq!(faults(|_| {}), "");
    says(&faults(|m| m.epochs[0].commit = None), "epoch 7: the derived suite needs commit");
    says(&faults(|m| m.epochs[0].salt_source = None), "epoch 7: the derived suite needs commit");
    says(&faults(|m| m.epochs[0].salt = Some(Hash::of(b"x"))), "not what its source gives");
    says(&faults(|m| m.epochs[0].suite = Suite::Fresh), "the fresh suite has no commit");
    let named = BeaconRound { chain: Hash::ZERO, round: 9 };
    let drand = SaltSource::Drand { named, signature: None };
    says(&faults(|m| m.epochs[0].salt_source = Some(drand)), "a drand salt of another chain");
    let first = sign_manifest(&announcement(Suite::Derived));
    let mut second = successor(&first);
    complete(&mut second);
    assert_eq!(load(&[first.clone(), sign_manifest(&second)]), "");
    let bad = "the party's signature is not over this announcement and value";
    let mut other = second.clone();
    let Some(SaltSource::Party { value: Some((value, _)), .. }) = &mut other.epochs[0].salt_source
    else {
        panic!("completed by a party")
    };
    value[0] ^= 1;
    says(&load(&[first, sign_manifest(&other)]), bad);
    // The witness signed for the manifest that announces the epoch, and for no other.
    let mut rewritten = announcement(Suite::Derived);
    rewritten.tenants[0].tables = Some(vec![id("table-1")]);
    let rewritten = sign_manifest(&rewritten);
    let after = Manifest { prev: rewritten.hash(), ..second };
    says(&load(&[rewritten, sign_manifest(&after)]), bad);
}

#[test]
fn windows_are_in_order_and_do_not_overlap() {
    says(&faults(|m| m.epochs[0].open_until = m.epochs[0].open_from), "open_from < open_until");
    says(&faults(|m| m.epochs[0].settle_until -= 1), "settle_until at least 7 days later");
    says(
        &faults(|m| {
            let mut second = m.epochs[0].clone();
            second.epoch += 1;
            second.open_from = m.epochs[0].open_until - 1;
            second.open_until += 9;
            second.settle_until += 9;
            m.epochs.push(second);
        }),
        "the windows of two epochs overlap",
    );
    says(&faults(|m| m.epochs.push(m.epochs[0].clone())), "epoch 7: listed more than once");
}

#[test]
fn what_this_release_does_not_know_is_unsupported() {
    let text = String::from_utf8(announcement(Suite::Derived).to_json().to_bytes()).unwrap();
    for (from, to) in [
        ("\"suite\":\"derived\"", "\"suite\":\"beacon\""),
        ("\"external\":\"none\"", "\"external\":\"dice\""),
        ("\"type\":\"party\"", "\"type\":\"beacon\""),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        let payload = Json::parse_canonical(changed.as_bytes()).unwrap();
        says(
            &load(&[RecordEnvelope::seal(RecordKind::Manifest, &payload, &[&root_key()])]),
            "UNSUPPORTED",
        );
    }
}

#[test]
fn every_fault_is_listed_at_once() {
    let said = faults(|m| {
        m.receipt_keys.clear();
        m.epochs[0].commit = None;
        for tenant in &mut m.tenants {
            tenant.ledger_keys.clear();
        }
    });
    for part in ["receipt_keys: none", "needs commit", "tenant locked: lock"] {
        says(&said, part);
    }
}

#[test]
fn two_manifests_of_one_number_under_one_root_are_a_fork() {
    let first = sign_manifest(&announcement(Suite::Derived));
    let mut one = successor(&first);
    complete(&mut one);
    let mut other = one.clone();
    other.builds = Some(vec![Build { digest: Hash::of(b"x"), name: id("other") }]);
    let (second, twin) = (sign_manifest(&one), sign_manifest(&other));
    let third = sign_manifest(&successor(&second));
    let fork = |one: &RecordEnvelope, other: &RecordEnvelope, seq: u64| {
        let (one, other) = (one.hash(), other.hash());
        format!("a fork: two manifests of sequence number {seq} under one root, {one} and {other}")
    };
    assert_eq!(load(&[first.clone(), second.clone(), third.clone()]), "");
    // Next to each other, and apart.
    let found = load(&[first.clone(), second.clone(), twin.clone(), third.clone()]);
    assert_eq!(found, format!("manifest 3 of the chain: {}", fork(&second, &twin, 2)));
    let found = load(&[first.clone(), second.clone(), third, twin.clone()]);
    assert_eq!(found, format!("manifest 4 of the chain: {}", fork(&second, &twin, 2)));
    let mut again = announcement(Suite::Derived);
    again.builds = Some(vec![Build { digest: Hash::of(b"x"), name: id("other") }]);
    let again = sign_manifest(&again);
    says(&load(&[first.clone(), again.clone()]), &fork(&first, &again, 1));
    // The root of those numbers, also after it has handed over.
    let new = key(90);
    let mut handover = successor(&second);
    handover.root = Root { keys: vec![new.public()], threshold: 1 };
    let handover = signed(&handover, &[&root_key(), &new]);
    let found = load(&[first.clone(), second.clone(), handover.clone(), twin.clone()]);
    says(&found, &fork(&second, &twin, 2));
    // Nobody has signed two of one number if the root has signed one of them.
    let stranger = signed(&other, &[&new]);
    let found = load(&[first.clone(), second.clone(), handover, stranger.clone()]);
    says(&found, "names another root whose keys have not signed it");
    says(&load(&[first, second, stranger]), "not signed by 1 of the 1 trusted root keys");
}

#[test]
fn the_first_manifest_names_a_trusted_root_key() {
    let mut manifest = announcement(Suite::Derived);
    let others = [key(90), key(91)];
    let naming = |keys: Vec<PublicKey>| Root { keys, threshold: 1 };
    manifest.root = naming(vec![others[0].public()]);
    let first = signed(&manifest, &[&root_key(), &others[0]]);
    says(&load(&[first]), "the first manifest of the file names none of the trusted root keys");
    manifest.root = naming(vec![others[0].public(), root_key().public()]);
    assert_eq!(load(&[signed(&manifest, &[&root_key()])]), "");
    // A file that begins later is held to the same.
    manifest.seq = 2;
    manifest.root = naming(vec![others[0].public()]);
    let later = signed(&manifest, &[&root_key(), &others[0]]);
    let found = verify_chain(&trusted(), [&later]).unwrap_err().to_string();
    says(&found, "names none of the trusted root keys");
}

#[test]
fn a_chain_links_and_changes_an_epoch_only_by_completing_it() {
    let first = sign_manifest(&announcement(Suite::Derived));
    let after = |edit: &dyn Fn(&mut Manifest)| {
        let mut manifest = successor(&first);
        edit(&mut manifest);
        load(&[first.clone(), sign_manifest(&manifest)])
    };
    assert_eq!(after(&|m| complete(m)), "");
    assert_eq!(after(&|m| m.epochs[0].status = EpochStatus::Revoked), "");
    says(&after(&|m| m.seq += 1), "seq or prev does not follow");
    says(&after(&|m| m.prev = Hash::ZERO), "seq or prev does not follow");
    says(&after(&|m| m.epochs[0].open_until += 1), "only its completion and its status may change");
    says(&after(&|m| m.epochs.clear()), "an epoch is listed until it is revealed");
    says(&load(&[]), "there is none");

    let mut completed = successor(&first);
    complete(&mut completed);
    let completed = sign_manifest(&completed);
    let mut other = successor(&completed);
    other.epochs[0].salt = None;
    other.epochs[0].salt_source = other.epochs[0].salt_source.as_ref().map(SaltSource::announced);
    says(
        &load(&[first.clone(), completed, sign_manifest(&other)]),
        "only its completion and its status may change",
    );
    let fresh = |m: &mut Manifest| {
        m.tenants.retain(|tenant: &ManifestTenant| tenant.policy.lock_required);
        let mut epoch = announcement(Suite::Fresh).epochs.remove(0);
        epoch.epoch += 1;
        epoch.open_from = m.epochs[0].open_until;
        epoch.open_until = epoch.open_from + 10;
        epoch.settle_until = epoch.open_until + 7 * 86_400;
        m.epochs.push(epoch);
    };
    let one_suite = "manifest 2 of the chain: one chain of manifests serves one suite";
    assert_eq!(after(&fresh), one_suite);
    // Not even where the old suite's epoch is listed no more.
    let revealed = |m: &mut Manifest| m.epochs[0].status = EpochStatus::Revealed;
    let mut second = successor(&first);
    revealed(&mut second);
    let second = sign_manifest(&second);
    let mut third = successor(&second);
    fresh(&mut third);
    third.epochs.remove(0);
    let said = load(&[first, second, sign_manifest(&third)]);
    assert_eq!(said, "manifest 3 of the chain: one chain of manifests serves one suite");
}

#[test]
fn a_dropped_epoch_is_never_listed_again() {
    let first = announcement(Suite::Derived);
    // Revealed, then dropped, then one more manifest without it.
    let mut chain = vec![sign_manifest(&first)];
    for edit in [
        (|m| m.epochs[0].status = EpochStatus::Revealed) as fn(&mut Manifest),
        |m| m.epochs.clear(),
        |_| {},
    ] {
        let mut next = successor(chain.last().unwrap());
        edit(&mut next);
        chain.push(sign_manifest(&next));
        assert_eq!(load(&chain), "");
    }
    let with = |edit: &dyn Fn(&mut Epoch)| {
        let mut last = successor(chain.last().unwrap());
        let mut epoch = first.epochs[0].clone();
        edit(&mut epoch);
        last.epochs.push(epoch);
        load(&[&chain[..], &[sign_manifest(&last)]].concat())
    };
    let refusal = "manifest 5 of the chain: epoch 7: listed again after it was dropped";
    assert_eq!(with(&|_| {}), refusal);
    assert_eq!(with(&|epoch| epoch.commit = Some(Hash::of(b"another secret"))), refusal);
    assert_eq!(with(&|epoch| epoch.status = EpochStatus::Revealed), refusal);
    assert_eq!(with(&|epoch| epoch.epoch = 8), "", "another number");
}

#[test]
fn the_root_is_a_threshold_of_distinct_keys() {
    let manifest = Manifest { root: root(&[101, 102, 103], 2), ..announcement(Suite::Derived) };
    let (a, b, c, stranger) = (key(101), key(102), key(103), key(9));
    let loads = |keys: &[&SecretKey]| {
        ManifestChain::load(&root(&[101, 102, 103], 2), &[signed(&manifest, keys)]).is_ok()
    };
    assert!(loads(&[&a, &b]) && loads(&[&c, &a]) && loads(&[&a, &b, &c]));
    assert!(!loads(&[&a]) && !loads(&[&a, &a]) && !loads(&[&a, &stranger]) && !loads(&[]));
    let twice = root(&[101, 101], 2);
    assert!(ManifestChain::load(&twice, &[signed(&manifest, &[&a, &a])]).is_err());
    let nobody = Root { keys: Vec::new(), threshold: 0 };
    assert!(ManifestChain::load(&nobody, &[signed(&manifest, &[])]).is_err());
}

#[test]
fn a_new_root_is_signed_by_the_old_one_and_by_itself() {
    let first = sign_manifest(&announcement(Suite::Derived));
    let second = Manifest { root: root(&[7], 1), ..successor(&first) };
    let (old, new) = (root_key(), key(7));
    says(&load(&[first.clone(), signed(&second, &[&old])]), "whose keys have not signed it");
    says(&load(&[first.clone(), signed(&second, &[&new])]), "not signed by 1 of the 1 trusted");
    let crossed = signed(&second, &[&old, &new]);
    assert_eq!(load(&[first.clone(), crossed.clone()]), "");
    // From there on the new root signs, and the old one no longer.
    let third = successor(&crossed);
    assert_eq!(load(&[first.clone(), crossed.clone(), signed(&third, &[&new])]), "");
    says(&load(&[first, crossed, signed(&third, &[&old])]), "not signed by 1 of the 1 trusted");
    assert_eq!(third.engine, id("pge-1"));
}

#[test]
fn a_chain_begins_with_number_1_and_64_zeros_or_later() {
    let begins = |seq: u64, prev: Hash| {
        let first = Manifest { seq, prev, ..announcement(Suite::Derived) };
        verify_chain(&trusted(), &[sign_manifest(&first)]).is_ok()
    };
    let other = Hash::of(b"a manifest before");
    assert!(begins(1, Hash::ZERO));
    assert!(!begins(1, other));
    assert!(!begins(0, Hash::ZERO) && !begins(0, other));
    assert!(begins(2, other) && begins(2, Hash::ZERO), "a file may begin later");
}

#[test]
fn a_root_is_the_same_by_its_keys_and_its_threshold() {
    let (a, b, c) = (key(1), key(2), key(3));
    let old = root(&[1, 2, 3], 2);
    let first = Manifest { root: old.clone(), ..announcement(Suite::Derived) };
    let first = signed(&first, &[&a, &b]);
    let naming = |named: Root| Manifest { root: named, ..successor(&first) };
    let loads = |chain: &[RecordEnvelope]| verify_chain(&old, chain).is_ok();
    // In another order it is no other root.
    let reordered = signed(&naming(root(&[3, 1, 2], 2)), &[&b, &c]);
    let then = |keys: &[&SecretKey], before: &RecordEnvelope| signed(&successor(before), keys);
    assert!(loads(&[first.clone(), reordered.clone()]));
    assert!(loads(&[first.clone(), reordered.clone(), then(&[&a, &c], &reordered)]));
    assert!(!loads(&[first.clone(), reordered.clone(), then(&[&a], &reordered)]));
    // With another threshold it is one, which as many of its keys have to sign.
    let stricter = naming(root(&[1, 2, 3], 3));
    assert!(!loads(&[first.clone(), signed(&stricter, &[&a, &b])]));
    let stricter = signed(&stricter, &[&a, &b, &c]);
    assert!(loads(&[first.clone(), stricter.clone()]));
    assert!(!loads(&[first.clone(), stricter.clone(), then(&[&a, &b], &stricter)]));
    assert!(loads(&[first.clone(), stricter.clone(), then(&[&a, &b, &c], &stricter)]));
    let softer = naming(root(&[1, 2, 3], 1));
    assert!(!loads(&[first.clone(), signed(&softer, &[&a])]));
    let softer = signed(&softer, &[&a, &b]);
    assert!(loads(&[first, softer.clone(), then(&[&c], &softer)]));
}

#[test]
fn a_list_longer_than_any_deployment_needs_is_refused_by_its_path() {
    /// Repeats the first item of a list until it has `count`.
    fn fill<T: Clone>(list: &mut Vec<T>, count: usize) {
        *list = vec![list[0].clone(); count];
    }
    /// A list by its path, the most that it takes, and how to make it `usize` long.
    type Bound = (&'static str, usize, fn(&mut Manifest, usize));
    let bounds: [Bound; 9] = [
        ("builds", 64, |m, n| {
            m.builds = Some(vec![Build { digest: Hash::ZERO, name: id("build") }; n]);
        }),
        ("epochs", 400, |m, n| fill(&mut m.epochs, n)),
        ("house_ways", 256, |m, n| fill(&mut m.house_ways, n)),
        ("receipt_keys", 16, |m, n| fill(&mut m.receipt_keys, n)),
        ("root.keys", 16, |m, n| fill(&mut m.root.keys, n)),
        ("rulesets", 256, |m, n| fill(&mut m.rulesets, n)),
        ("tenants", 256, |m, n| fill(&mut m.tenants, n)),
        ("tenants[0].ledger_keys", 16, |m, n| fill(&mut m.tenants[0].ledger_keys, n)),
        ("tenants[0].tables", 1024, |m, n| m.tenants[0].tables = Some(vec![id("table-1"); n])),
    ];
    for (path, most, lengthen) in bounds {
        let parsed = |count: usize| {
            let mut manifest = announcement(Suite::Derived);
            lengthen(&mut manifest, count);
            Manifest::parse(manifest.to_json())
        };
        assert!(parsed(most).is_ok(), "{path}");
        let error = parsed(most + 1).unwrap_err();
        assert_eq!(error.to_string(), format!("{path}: more than a manifest takes"));
    }
}

#[test]
fn a_key_has_one_role_over_the_whole_chain() {
    type Add = fn(&mut Manifest, PublicKey);
    let roles: [(&str, SecretKey, Add); 4] = [
        ("root", root_key(), |m, key| m.root.keys.push(key)),
        ("receipt", receipt_key(), |m, key| {
            m.receipt_keys.push(ReceiptKey { key, revoked: false });
        }),
        ("ledger", ledger_key(), |m, key| m.tenants[0].ledger_keys.push(key)),
        ("witness", witness_key(), |m, key| {
            m.epochs[0].salt_source = Some(SaltSource::Party { key, value: None });
        }),
    ];
    let first = announcement(Suite::Derived);
    for (role, _, add) in &roles {
        for (other, key, _) in &roles {
            let mut second = successor(&sign_manifest(&first));
            add(&mut second, key.public());
            let faults = rule_faults(&[&first, &second]);
            let clash = |fault: &&ManifestFault| fault.rule == Some(ManifestRule::KeyRoles);
            let clashes: Vec<_> = faults.iter().filter(clash).collect();
            if role == other {
                // In its own role a key may stand again, in other manifests and other lists.
                assert!(clashes.is_empty(), "{role}: {clashes:?}");
            } else {
                assert_eq!(clashes.len(), 1, "{role} {other}");
                assert_eq!(clashes[0].index, 1);
                says(&clashes[0].what, &format!("a {role} key that is a {other} key too"));
            }
        }
    }
}
