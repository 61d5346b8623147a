//! Forged transcripts of the vrf suite, where each settlement proves its seed.

use super::*;
use casino::id;
use paigow_engine::VrfSecretKey;
use paigow_fairness::seed::Coordinates;
use paigow_round::audit::ClaimStatus;
use paigow_round::record::EpochClose;

/// The lines of two settled rounds. No secret is published.
fn played(casino: &Casino) -> Vec<RecordEnvelope> {
    let first = casino.play(&plan(1, None));
    let second = casino.play(&plan(2, first.last().cloned()));
    [casino.manifests.clone(), first, second].concat()
}

/// Puts rounds in the place of those of the file, under its manifests.
fn replace_rounds(records: &mut Vec<RecordEnvelope>, rounds: &[RecordEnvelope]) {
    let (old, new) = (rounds[COMPLETED].hash(), records[COMPLETED].hash());
    records.splice(TICKET..REVEAL, rounds[TICKET..REVEAL].iter().cloned());
    relink(&mut records[TICKET..REVEAL], old.to_string(), new.to_string());
}

fn seed_proof(record: &RecordEnvelope) -> Json {
    let mut settled = payload_of(record);
    obj(&mut settled, "seed_proof").clone()
}

/// The changes of a forger to the records of the vrf suite.
pub(super) const FORGERIES: &[Forgery] = &[
    ("another seed with its proof left as it was, all signed again", CheckCode::SeedProof, |r| {
        let proofs = [SETTLE, SETTLE + NEXT].map(|at| seed_proof(&r[at]));
        replace_rounds(r, &played(&Casino::vrf_with_secret(EpochSecret::new([9; 32]))));
        for (at, proof) in [SETTLE, SETTLE + NEXT].into_iter().zip(proofs) {
            collude(r, at, |p| insert(p, "seed_proof", proof));
        }
    }),
    ("a seed proof left out, all signed again", CheckCode::SeedProof, |r| {
        collude(r, SETTLE, |p| remove(p, "seed_proof"));
    }),
    ("the seed proof of another round, all signed again", CheckCode::SeedProof, |r| {
        let other = seed_proof(&r[SETTLE + NEXT]);
        collude(r, SETTLE, |p| insert(p, "seed_proof", other));
    }),
    ("a seed proof by another key, all signed again", CheckCode::SeedProof, |r| {
        replace_rounds(r, &played(&Casino::vrf_with_secret(EpochSecret::new([9; 32]))));
    }),
    (
        "a seed proof in a settle record of the derived suite, all signed again",
        CheckCode::SeedProof,
        |r| {
            let proof = seed_proof(&r[SETTLE]);
            *r = untouched(&Casino::new());
            collude(r, SETTLE, |p| insert(p, "seed_proof", proof));
        },
    ),
    ("a VRF key left out at completion, all signed again", CheckCode::Canonical, |r| {
        collude(r, COMPLETED, |p| remove(item(obj(p, "epochs"), 0), "vrf_key"));
    }),
    ("a VRF key announced after the salt, all signed again", CheckCode::ManifestRules, |r| {
        let key = Json::str(VrfSecretKey::new(&EpochSecret::new([9; 32])).public());
        for at in [ANNOUNCED, COMPLETED] {
            collude(r, at, |p| insert(item(obj(p, "epochs"), 0), "vrf_key", key.clone()));
        }
    }),
    ("a later manifest with another VRF key", CheckCode::ManifestRules, |r| {
        let mut manifest = successor(&r[COMPLETED]);
        manifest.epochs[0].vrf_key = Some(VrfSecretKey::new(&EpochSecret::new([9; 32])).public());
        r.insert(COMPLETED + 1, sign_manifest(&manifest));
    }),
    ("a VRF key that is the receipt key too, all signed again", CheckCode::ManifestRules, |r| {
        for at in [ANNOUNCED, COMPLETED] {
            let key = Json::str(receipt_key().public());
            collude(r, at, |p| insert(item(obj(p, "epochs"), 0), "vrf_key", key));
        }
        witness_again(r);
    }),
];

/// Forgeries of the other suite that need its commitment, its published secret, or an engine of it.
const OF_THE_SECRET: [&str; 9] = [
    "a commitment left out at completion, all signed again",
    "an epoch committed to after the salt, all signed again",
    "a later manifest that commits to another secret",
    "another epoch secret revealed",
    "a reveal signed by the ledger",
    "a second reveal with another secret",
    "a reveal of an epoch that nobody announced",
    "a reveal before the round ends",
    "rounds played from another secret, all signed again",
];
const OF_THE_ENGINE: [&str; 2] = ["a round both settled and void", "two tickets of one round"];

#[test]
fn every_forgery_is_refused_where_settlements_prove_their_seeds() {
    let casino = Casino::vrf();
    let untouched = played(&casino);
    assert_eq!(untouched.len(), REVEAL);
    assert_eq!(verdict(&text(&untouched)), (AuditVerdict::Match, None));
    let left_out = |name: &str| OF_THE_SECRET.contains(&name) || OF_THE_ENGINE.contains(&name);
    let others = super::FORGERIES.iter().filter(|(name, ..)| !left_out(name));
    let mut wrong = Vec::new();
    let mut count = 0;
    for (name, code, forge) in others.chain(FORGERIES) {
        let mut records = untouched.clone();
        forge(&mut records);
        let is_of_the_seed = *code == CheckCode::SeedWasNotChosen;
        let code = if is_of_the_seed { CheckCode::SeedProof } else { *code };
        let found = verdict(&text(&records));
        if found != (AuditVerdict::Mismatch, Some(code)) {
            wrong.push(format!("{name}: expected {code:?}, found {found:?}"));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    let names = super::FORGERIES.iter().map(|(name, ..)| *name);
    assert_eq!(names.filter(|name| left_out(name)).count(), 11);
    assert_eq!(count, super::FORGERIES.len() - 11 + FORGERIES.len());
}

fn report(records: &[RecordEnvelope], terms: &AuditTerms) -> AuditReport {
    let text = text(records).iter().map(|line| format!("{line}\n")).collect::<String>();
    audit(text.as_bytes(), terms, &Catalogue::shipped())
}

fn status(report: &AuditReport, code: CheckCode) -> CheckStatus {
    report.checks.iter().find(|check| check.code == code).unwrap().status
}

#[test]
fn a_settlement_shows_at_once_that_its_seed_was_not_chosen() {
    let casino = Casino::vrf();
    let records = played(&casino);
    let report = report(&records, &casino.terms());
    assert_eq!(report.verdict(), AuditVerdict::Match);
    assert_eq!(status(&report, CheckCode::SeedProof), CheckStatus::Passed);
    for code in [CheckCode::EpochCommit, CheckCode::SeedWasNotChosen] {
        assert_eq!(status(&report, code), CheckStatus::Skipped);
    }
    let claim = |name: &str| report.claims.iter().find(|found| found.claim.name == name).unwrap();
    for name in ["seed_not_chosen", "salt_independent"] {
        assert_eq!(claim(name).status, ClaimStatus::Shown, "{name}: {}", claim(name).why);
    }
    assert!(report.claims.iter().all(|found| found.status != ClaimStatus::Pending));
    // Long after the epoch nothing is overdue.
    let terms = AuditTerms { as_of: Some(casino::SETTLE_UNTIL + 1), ..casino.terms() };
    assert_eq!(vrf::report(&records, &terms).verdict(), AuditVerdict::Match);
}

/// A round that was voided after its deal, and the close of its epoch.
fn voided(casino: &Casino) -> (Vec<RecordEnvelope>, Vec<RecordEnvelope>) {
    let plan = plan(1, None);
    let dealt = casino.deal(&plan);
    let void = casino.void_request(&plan, &dealt.records, VoidReason::PlayerLeft);
    let call = casino.call("strict");
    let void = paigow_engine::void_round(&casino.context, &casino.keys, &call, &void).unwrap();
    let round = [&dealt.records[..], &void.records].concat();
    ([casino.manifests.clone(), round.clone()].concat(), round)
}

#[test]
fn the_close_of_the_epoch_opens_a_void() {
    let casino = Casino::vrf();
    let (records, round) = voided(&casino);
    let before = report(&records, &casino.terms());
    assert_eq!(before.verdict(), AuditVerdict::Match);
    assert_eq!(status(&before, CheckCode::SeedProof), CheckStatus::Skipped);
    assert_eq!(status(&before, CheckCode::Replay), CheckStatus::Skipped);

    let with =
        |close: RecordEnvelope| report(&[records.clone(), vec![close]].concat(), &casino.terms());
    let whole = with(casino.close_epoch(&round));
    assert_eq!(whole.verdict(), AuditVerdict::Match);
    for code in [CheckCode::SeedProof, CheckCode::Replay, CheckCode::DeckCommit] {
        assert_eq!(status(&whole, code), CheckStatus::Passed, "{code:?}");
    }
    // Another deck than the one that was committed to, found although the round is void.
    let without = with(casino.close_epoch_as(&round, |close| {
        assert_eq!(close.seed_proofs.len(), 1);
        EpochClose { seed_proofs: Vec::new(), ..close }
    }));
    assert_eq!(without.code(), Some(CheckCode::EpochClose));
    let other_key = VrfSecretKey::new(&EpochSecret::new([9; 32]));
    let place = Ticket::parse(records[TICKET].json().unwrap()).unwrap().coordinates;
    let salt = casino.context.manifests.newest().manifest.epochs[0].salt.unwrap();
    let proof_of = |key: &VrfSecretKey, place: &Coordinates| key.prove(&place.vrf_input(&salt)).1;
    let next = Coordinates { round_no: 2, ..place.clone() };
    let own_key = VrfSecretKey::new(&casino.secret);
    for proof in [proof_of(&other_key, &place), proof_of(&own_key, &next)] {
        let forged = with(casino.close_epoch_as(&round, |mut close| {
            close.seed_proofs[0].proof = proof;
            close
        }));
        assert_eq!(forged.code(), Some(CheckCode::SeedProof));
        assert_eq!(status(&forged, CheckCode::EpochClose), CheckStatus::Skipped);
    }
}

#[test]
fn seed_proofs_of_a_close_have_one_form() {
    let casino = Casino::vrf();
    let (_, round) = voided(&casino);
    let close = casino.close_epoch(&round);
    let close = EpochClose::parse(close.json().unwrap()).unwrap();
    let again = |edit: &dyn Fn(&mut EpochClose)| {
        let mut changed = close.clone();
        edit(&mut changed);
        EpochClose::parse(changed.to_json()).map(drop).map_err(|error| error.to_string())
    };
    assert_eq!(again(&|_| {}), Ok(()));
    let refused = |edit: &dyn Fn(&mut EpochClose), what: &str| {
        let error = again(edit).unwrap_err();
        assert!(error.contains(what), "{error}");
    };
    let ascending = "ascending by table and number";
    refused(&|close| close.seed_proofs.push(close.seed_proofs[0].clone()), ascending);
    let unsettled = "the rounds without a settlement";
    refused(&|close| close.seed_proofs[0].round_no = 0, unsettled);
    refused(&|close| close.seed_proofs[0].round_no = 2, unsettled);
    refused(&|close| close.seed_proofs[0].table = id("table-9"), unsettled);
    refused(
        &|close| {
            // Settled rounds need no proof.
            close.tables[0].last = 2;
            let second = close.seed_proofs[0].clone();
            close.seed_proofs.push(second);
            close.seed_proofs[1].round_no = 2;
        },
        unsettled,
    );
}

#[test]
fn two_epochs_have_two_keys_and_a_key_has_one_role() {
    let announced = announcement(Suite::Vrf);
    let rules = |edit: &dyn Fn(&mut Manifest)| {
        let mut manifest = announced.clone();
        edit(&mut manifest);
        let faults = paigow_fairness::manifest::rule_faults(&[&manifest]);
        faults.iter().map(|fault| fault.rule.unwrap().name()).collect::<Vec<_>>()
    };
    let next = |manifest: &Manifest| {
        let mut next = manifest.epochs[0].clone();
        next.epoch += 1;
        (next.open_from, next.open_until) = (next.open_until, next.open_until + 3600);
        next.settle_until += 3600;
        next
    };
    assert_eq!(rules(&|_| {}), Vec::<&str>::new());
    let twice = |manifest: &mut Manifest| manifest.epochs.push(next(manifest));
    assert_eq!(rules(&twice), ["SECRET_TWICE"]);
    let other = |manifest: &mut Manifest| {
        let key = Some(VrfSecretKey::new(&EpochSecret::new([9; 32])).public());
        manifest.epochs.push(paigow_fairness::manifest::Epoch { vrf_key: key, ..next(manifest) });
    };
    assert_eq!(rules(&other), Vec::<&str>::new());
    let receipt =
        |manifest: &mut Manifest| manifest.epochs[0].vrf_key = Some(receipt_key().public());
    assert_eq!(rules(&receipt), ["KEY_ROLES"]);
    let none = |manifest: &mut Manifest| manifest.epochs[0].vrf_key = None;
    assert_eq!(rules(&none), ["SUITE_MEMBERS"]);
    let both = |manifest: &mut Manifest| {
        manifest.epochs[0].commit = Some(Hash::ZERO);
    };
    assert_eq!(rules(&both), ["SUITE_MEMBERS"]);
}
