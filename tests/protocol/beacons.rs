//! Public randomness and the public log: rounds whose seed waits for a beacon, salts from one, and the
//! times that witnesses give.

use std::collections::BTreeSet;

use paigow_engine::{PreparedOpening, deal, open_round, prepare_open, void_round};
use paigow_fairness::beacon::BeaconRound;
use paigow_fairness::log_copy::LogCopy;
use paigow_fairness::log_proof::LogProof;
use paigow_fairness::manifest::{Manifest, ManifestRule, SaltSource, Suite, rule_faults};
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::seed::epoch_salt_drand;
use paigow_round::audit::{
    AuditReport, AuditTerms, AuditVerdict, CheckCode, CheckStatus, ClaimStatus, audit,
};
use paigow_round::record::DealRecord;
use paigow_round::{Catalogue, OpenRound, OperatorPermit, Reason, VoidReason};
use paigow_testkit::beacons::{beacon, beacon_signature};
use paigow_testkit::casino::{
    self, Casino, DRAND, NOW, RoundPlan, SETTLE_UNTIL, entropy, key, sign_manifest, successor,
};
use paigow_testkit::logs::{log_copy, log_proofs, proof_records, public_log, sign_checkpoint};

const SUITES: [Suite; 3] = [Suite::Derived, Suite::Vrf, Suite::Fresh];

fn text(records: &[RecordEnvelope]) -> String {
    records.iter().map(|record| format!("{}\n", record.to_line())).collect()
}

fn report(records: &[RecordEnvelope], terms: &AuditTerms) -> AuditReport {
    audit(text(records).as_bytes(), terms, &Catalogue::shipped())
}

fn check(report: &AuditReport, code: CheckCode) -> (CheckStatus, String) {
    let check = report.checks.iter().find(|check| check.code == code).unwrap();
    (check.status, check.found.clone())
}

fn claim(report: &AuditReport, name: &str) -> (ClaimStatus, String) {
    let found = report.claims.iter().find(|found| found.claim.name == name).unwrap();
    (found.status, found.why.clone())
}

/// Terms that trust the chain of the casino's beacon.
fn terms(casino: &Casino) -> AuditTerms {
    AuditTerms { beacons: [beacon(NOW).chain()].into(), ..casino.terms() }
}

fn plan(round_no: u64, prev: Option<RecordEnvelope>) -> RoundPlan {
    RoundPlan::random(DRAND, round_no, prev, 11)
}

/// The manifests and two rounds, with the reveal where the suite has one.
fn played(casino: &Casino, suite: Suite) -> Vec<RecordEnvelope> {
    let first = casino.play(&plan(1, None));
    let second = casino.play(&plan(2, first.last().cloned()));
    let reveal = (suite == Suite::Derived).then(|| casino.reveal());
    [casino.manifests.clone(), first, second, reveal.into_iter().collect()].concat()
}

/// A transcript with proofs of all its records, from a checkpoint that the witness signed at `time`.
fn logged(records: &[RecordEnvelope], time: u64) -> Vec<RecordEnvelope> {
    [records.to_vec(), proof_records(&log_proofs(records, time))].concat()
}

#[test]
fn a_round_waits_for_the_beacon_and_shows_that_nobody_knew_its_deck() {
    for suite in SUITES {
        let casino = Casino::with_beacon(suite);
        let records = played(&casino, suite);
        let bare = report(&records, &terms(&casino));
        assert_eq!(bare.verdict(), AuditVerdict::Match, "{suite:?}: {}", bare.because());
        assert_eq!(check(&bare, CheckCode::Beacon).0, CheckStatus::Passed);
        assert_eq!(check(&bare, CheckCode::Logged).0, CheckStatus::Skipped);
        let (status, why) = claim(&bare, "decks_unknown_in_advance");
        assert_eq!(status, ClaimStatus::NotShown);
        assert!(why.contains("no pinned witness dated the wagers"), "{why}");

        // Round 1 of the beacon is published at NOW, round 2 three seconds later.
        let in_time = report(&logged(&records, NOW - 1), &terms(&casino));
        assert_eq!(in_time.verdict(), AuditVerdict::Match, "{suite:?}: {}", in_time.because());
        for name in ["logged", "decks_unknown_in_advance"] {
            assert_eq!(claim(&in_time, name), (ClaimStatus::Shown, String::new()), "{suite:?}");
        }
        let late = report(&logged(&records, NOW), &terms(&casino));
        assert_eq!(late.verdict(), AuditVerdict::Match);
        assert_eq!(claim(&late, "logged").0, ClaimStatus::Shown);
        let (status, why) = claim(&late, "decks_unknown_in_advance");
        assert_eq!(status, ClaimStatus::NotShown);
        let told = format!(
            "a witness dated the wagers at {NOW}, and the beacon's round was published at {NOW}"
        );
        assert!(why.contains(&told), "{why}");

        // A chain that the caller does not know may be the operator's own.
        let untrusted = report(&logged(&records, NOW - 1), &casino.terms());
        let (status, why) = claim(&untrusted, "decks_unknown_in_advance");
        assert_eq!(status, ClaimStatus::NotShown);
        assert!(why.contains("the chain of the beacon is not among those given"), "{why}");
        let unwitnessed = AuditTerms { witnesses: [].into(), ..terms(&casino) };
        let unwitnessed = report(&logged(&records, NOW - 1), &unwitnessed);
        assert_eq!(claim(&unwitnessed, "logged").0, ClaimStatus::NotShown);
        assert_eq!(check(&unwitnessed, CheckCode::Logged).0, CheckStatus::Skipped);
    }
}

#[test]
fn a_deck_depends_on_the_signature_of_the_beacon() {
    let casino = Casino::with_beacon(Suite::Derived);
    let plan = plan(1, None);
    let request = casino.deal_request(&plan);
    let call = casino.call(DRAND);
    let ask = |beacon_signature| {
        let request = paigow_round::Deal { beacon_signature, ..request.clone() };
        deal(&casino.context, &casino.keys, &call, &request, &mut entropy(&plan))
    };
    let dealt = ask(request.beacon_signature).unwrap();
    let record = DealRecord::parse(dealt.records[2].json().unwrap()).unwrap();
    assert_eq!(record.beacon, Some(beacon_signature(1)));
    for (signature, reason) in
        [(None, Reason::FieldMissing), (Some(beacon_signature(2)), Reason::BeaconSignature)]
    {
        let refusal = ask(signature).unwrap_err();
        assert_eq!(refusal.reason, reason);
        assert_eq!(refusal.violations[0].field, "beacon_signature");
    }
    // The same places and wagers of a tenant without a beacon have another deck.
    let mut other = plan.clone();
    other.tenant = "locked".to_owned();
    let request = casino.deal_request(&other);
    let request = paigow_round::Deal { beacon_signature: Some(beacon_signature(1)), ..request };
    let call = casino.call("locked");
    let refusal =
        deal(&casino.context, &casino.keys, &call, &request, &mut entropy(&other)).unwrap_err();
    assert_eq!(refusal.reason, Reason::FieldInvalid);
}

#[test]
fn an_opening_names_a_round_that_is_neither_too_soon_nor_too_late() {
    let casino = Casino::with_beacon(Suite::Derived);
    let mut call = casino.call(DRAND);
    let permit = OperatorPermit { minimum_beacon_lead: 10, ..OperatorPermit::default() };
    call.permit = permit.into();
    let open = casino.open(&plan(1, None));
    let at = |beacon_round| OpenRound { beacon_round, ..open.clone() };
    let last = (SETTLE_UNTIL - NOW).div_ceil(3);
    for (round, reason) in [
        (None, Some(Reason::FieldMissing)),
        (Some(1), Some(Reason::BeaconRound)),
        // Round 4 is published 9 seconds from now, round 5 after 12.
        (Some(4), Some(Reason::BeaconRound)),
        (Some(5), None),
        (Some(last), None),
        (Some(last + 1), Some(Reason::BeaconRound)),
    ] {
        let request = at(round);
        let opened =
            open_round(&casino.context, &casino.keys, &call, &request, &mut casino::entropy_of(1));
        let prepared = prepare_open(&casino.context, &casino.keys, &call, &request);
        let prepared = prepared.map(|PreparedOpening { round_id, .. }| round_id);
        match reason {
            None => assert_eq!(opened.unwrap().round_id, prepared.unwrap()),
            Some(reason) => {
                let refusal = opened.unwrap_err();
                assert_eq!(refusal.reason, reason);
                if reason == Reason::BeaconRound {
                    let facts: Vec<&str> = refusal.facts.values().map(String::as_str).collect();
                    assert_eq!(facts, [&last.to_string()[..], "5"]);
                }
                assert_eq!(prepared.unwrap_err(), refusal);
            }
        }
    }
    let refused = OpenRound {
        beacon_round: Some(5),
        ..casino.open(&RoundPlan::random("locked", 1, None, 3))
    };
    let call = casino.call("locked");
    let refusal =
        open_round(&casino.context, &casino.keys, &call, &refused, &mut casino::entropy_of(1));
    assert_eq!(refusal.unwrap_err().reason, Reason::FieldInvalid);
}

#[test]
fn a_round_is_voided_with_or_without_its_beacon() {
    let casino = Casino::with_beacon(Suite::Derived);
    let plan = plan(1, None);
    let dealt = casino.deal(&plan);
    for records in [&dealt.records[..1], &dealt.records[..2], &dealt.records[..3]] {
        let request = casino.void_request(&plan, records, VoidReason::PlayerLeft);
        let voided =
            void_round(&casino.context, &casino.keys, &casino.call(DRAND), &request).unwrap();
        let file = [&casino.manifests[..], records, &voided.records].concat();
        let found = report(&[file, vec![casino.reveal()]].concat(), &terms(&casino));
        assert_eq!(found.verdict(), AuditVerdict::Match, "{}", found.because());
        let is_dealt = records.len() == 3;
        let replayed = check(&found, CheckCode::Replay).0 == CheckStatus::Passed;
        assert_eq!(replayed, is_dealt);
    }
}

/// The records of a logged file, and the place of its first proof.
fn logged_file(casino: &Casino) -> (Vec<RecordEnvelope>, Vec<LogProof>) {
    let records = played(casino, Suite::Derived);
    let proofs = log_proofs(&records, NOW - 1);
    (records, proofs)
}

#[test]
fn a_proof_that_is_wrong_in_any_way_fails_the_file() {
    let casino = Casino::with_beacon(Suite::Derived);
    let (records, proofs) = logged_file(&casino);
    let other = casino.play(&RoundPlan::random("locked", 1, None, 5));
    type Edit<'a> = &'a dyn Fn(&mut LogProof);
    let wrongs: [(&str, Edit<'_>); 8] = [
        ("a proof of another", &|p| p.record = other[0].hash()),
        ("another path", &|p| p.path[0] = p.checkpoint.root),
        ("another path", &|p| p.index += 1),
        ("another path", &|p| p.path.push(p.checkpoint.root)),
        ("another path", &|p| p.checkpoint.root = p.record),
        ("another, or none", &|p| p.checkpoint.sig[3] ^= 1),
        ("another, or none", &|p| p.checkpoint.origin = "log.example/other".parse().unwrap()),
        ("another signature", &|p| p.checkpoint.cosignatures[0].time -= 1),
    ];
    for (found, edit) in wrongs {
        let mut proofs = proofs.clone();
        edit(&mut proofs[2]);
        let file = [records.clone(), proof_records(&proofs)].concat();
        let report = report(&file, &terms(&casino));
        assert_eq!(report.code(), Some(CheckCode::Logged), "{found}");
        assert_eq!(check(&report, CheckCode::Logged), (CheckStatus::Failed, found.to_owned()));
    }
    // A smaller tree, honestly signed, is another checkpoint and no fault.
    let fewer = log_proofs(&records[..4], NOW - 2);
    let file = [records.clone(), proof_records(&proofs), proof_records(&fewer)].concat();
    assert_eq!(report(&file, &terms(&casino)).verdict(), AuditVerdict::Match);
    // A witness that the caller does not pin is not looked at.
    let mut by_another = proofs.clone();
    for proof in &mut by_another {
        sign_checkpoint(&mut proof.checkpoint, &key(9), NOW - 1);
    }
    let file = [records.clone(), proof_records(&by_another)].concat();
    let found = report(&file, &terms(&casino));
    assert_eq!(found.verdict(), AuditVerdict::Match);
    assert_eq!(check(&found, CheckCode::Logged).0, CheckStatus::Skipped);
    // A proof is no statement that anybody signs.
    let signed = RecordEnvelope::seal(RecordKind::LogProof, &proofs[0], &[&casino::receipt_key()]);
    let file = [records, vec![signed]].concat();
    assert_eq!(report(&file, &terms(&casino)).code(), Some(CheckCode::Signatures));
}

#[test]
fn a_file_has_every_round_that_a_copy_of_the_log_has() {
    let casino = Casino::with_beacon(Suite::Derived);
    let records = played(&casino, Suite::Derived);
    let told = |copies: Vec<LogCopy>, terms: &AuditTerms| {
        let terms = AuditTerms { log_copies: copies, ..terms.clone() };
        claim(&report(&records, &terms), "nothing_left_out_of_log")
    };
    let own = || vec![log_copy(&records, NOW)];
    let (size, trusted) = (records.len(), terms(&casino));
    // `date -u -d @1800003600 +%F`.
    let shown = format!("the first {size} entries of the log, as a witness signed on 2027-01-15");
    assert_eq!(told(own(), &trusted), (ClaimStatus::Shown, shown));
    let not_shown = |why: &str| (ClaimStatus::NotShown, format!("round 1: {why}"));
    assert_eq!(told(Vec::new(), &trusted), not_shown("no copy of the log was given"));
    let unwitnessed = AuditTerms { witnesses: BTreeSet::new(), ..terms(&casino) };
    let why = "no pinned witness has signed the checkpoint of the copy";
    assert_eq!(told(own(), &unwitnessed), not_shown(why));
    // The log goes on with another round of the table.
    let last = records.iter().rfind(|record| record.kind() == RecordKind::Settle);
    let more = [records.clone(), casino.play(&plan(3, last.cloned()))].concat();
    let why = "the log goes on: round 3 of table table-1 is not in the file";
    assert_eq!(told(vec![log_copy(&more, NOW)], &trusted), not_shown(why));
}

#[test]
fn a_copy_of_a_log_has_exactly_the_entries_of_its_checkpoint() {
    let casino = Casino::with_beacon(Suite::Derived);
    let text = log_copy(&played(&casino, Suite::Derived), NOW).to_text();
    let copy = LogCopy::parse(text.as_bytes()).unwrap();
    assert_eq!(copy.to_text(), text);
    let lines: Vec<&str> = text.lines().collect();
    let (first, entries) = lines.split_first().unwrap();
    let refused =
        |lines: &[&str]| LogCopy::parse(lines.join("\n").as_bytes()).unwrap_err().to_string();
    assert!(refused(&[]).starts_with("line 1: not a checkpoint: "));
    assert!(refused(entries).starts_with("line 1: not a checkpoint: "));
    let less = refused(&lines[..lines.len() - 1]);
    assert_eq!(
        less,
        format!("{} entries, and the checkpoint counts {}", entries.len() - 1, entries.len())
    );
    let turned = [&[*first], &entries[1..], &entries[..1]].concat();
    assert_eq!(refused(&turned), "the entries do not make the root of the checkpoint");
    let unread = [&[*first, "{}"], &entries[1..]].concat();
    assert!(refused(&unread).starts_with("line 2: neither a record nor a hash: "));
    let signed = entries[0]
        .replace("\"signatures\":[]", "\"signatures\":[{\"keyid\":\"\",\"sig\":\"SIG\"}]");
    let signed = signed.replace("SIG", &(String::from("A").repeat(86) + "=="));
    let signed = [&[*first, &signed], &entries[1..]].concat();
    assert_eq!(refused(&signed), "line 2: a record of a log has no signature");
}

#[test]
fn a_salt_of_the_beacon_is_later_than_its_announcement_if_a_witness_says_so() {
    let named = BeaconRound { chain: beacon(NOW).chain(), round: 9 };
    let announced = |source: SaltSource| {
        let mut manifest = casino::announcement(Suite::Derived);
        (manifest.beacon, manifest.log) = (Some(beacon(NOW)), Some(public_log()));
        manifest.epochs[0].salt_source = Some(source);
        manifest
    };
    let completed = |first: &RecordEnvelope, signature| {
        let mut manifest = successor(first);
        let source = SaltSource::Drand { named, signature: Some(signature) };
        manifest.epochs[0].salt_source = Some(source);
        manifest.epochs[0].salt = Some(epoch_salt_drand(&named, &signature));
        manifest
    };
    let first = sign_manifest(&announced(SaltSource::Drand { named, signature: None }));
    let second = sign_manifest(&completed(&first, beacon_signature(9)));
    let casino = Casino::with_manifests(vec![first.clone(), second]);
    let round = casino.play(&RoundPlan::random("locked", 1, None, 3));
    let records = [casino.manifests.clone(), round, vec![casino.reveal()]].concat();
    let published = beacon(NOW).published_at(9);
    for (file, status, told) in [
        (records.clone(), CheckStatus::Skipped, "no pinned witness dated the announcement"),
        (logged(&records, published - 1), CheckStatus::Passed, ""),
        (logged(&records, published), CheckStatus::Skipped, "was published at"),
    ] {
        let found = report(&file, &terms(&casino));
        assert_eq!(found.verdict(), AuditVerdict::Match, "{}", found.because());
        assert_eq!(check(&found, CheckCode::EpochSalt).0, CheckStatus::Passed);
        let (found, why) = check(&found, CheckCode::SaltAfterCommit);
        assert!(found == status && why.contains(told), "{why}");
    }
    // The rules of manifests: what a server does not load.
    let faults = |chain: &[&Manifest]| {
        let rules = rule_faults(chain).into_iter().filter_map(|fault| fault.rule);
        rules.collect::<Vec<_>>()
    };
    let one = announced(SaltSource::Drand { named, signature: None });
    assert_eq!(faults(&[&one, &completed(&first, beacon_signature(9))]), []);
    assert_eq!(faults(&[&one, &completed(&first, beacon_signature(8))]), [ManifestRule::Salt]);
    let other = BeaconRound { chain: beacon(NOW + 1).chain(), round: 9 };
    let other = announced(SaltSource::Drand { named: other, signature: None });
    assert_eq!(faults(&[&other]), [ManifestRule::SaltSource]);
    let mut at_once = completed(&first, beacon_signature(9));
    (at_once.seq, at_once.prev) = (1, paigow_fairness::encoding::Hash::ZERO);
    assert_eq!(faults(&[&at_once]), [ManifestRule::SaltBeforeAnnouncement]);
    let mut moved = completed(&first, beacon_signature(9));
    moved.beacon = Some(beacon(NOW + 1));
    assert_eq!(faults(&[&one, &moved]), [ManifestRule::SaltSource, ManifestRule::BeaconChanged]);
    let mut unlocked = one.clone();
    unlocked.tenants[0].policy.external = casino::policy(DRAND).external;
    assert_eq!(faults(&[&unlocked]), [ManifestRule::ExternalPolicy]);
    let mut same_key = one;
    same_key.log.as_mut().unwrap().key = casino::ledger_key().public();
    assert_eq!(faults(&[&same_key]), [ManifestRule::KeyRoles]);
}
