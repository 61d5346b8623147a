//! The claims of an audit: no more than its checks have found.

use std::collections::BTreeMap;

use super::*;
use paigow_fairness::encoding::Hash;
use paigow_round::audit::{CLAIMS, ClaimFinding, ClaimStatus, MySeat, RoundEnding, RoundReport};
use paigow_round::record::InclusionProof;
use paigow_testkit::casino::NOW;
use paigow_testkit::logs::log_copy;

/// The terms under which the most is shown: the witness is trusted, and seat 1 is the caller's.
fn terms() -> AuditTerms {
    let my_seat = MySeat { seat: seat(1), key: Some(seat_key(seat(1)).public()) };
    AuditTerms { my_seat: Some(my_seat), ..Casino::new().terms() }
}

/// The terms of a laboratory, which has no seat.
fn laboratory() -> AuditTerms {
    Casino::new().terms()
}

fn audited(records: &[RecordEnvelope], terms: &AuditTerms) -> AuditReport {
    audit(text(records).join("\n").as_bytes(), terms, &Catalogue::shipped())
}

/// Returns one claim of a list: its status, and why.
fn claim<'c>(claims: &'c [ClaimFinding], name: &str) -> (ClaimStatus, &'c str) {
    let found = claims.iter().find(|found| found.claim.name == name).unwrap();
    (found.status, &found.why)
}

/// The untouched file, whose announcement pins the tables of every tenant.
fn pinned(tables: &[&str]) -> Vec<RecordEnvelope> {
    let mut records = untouched(&Casino::new());
    collude(&mut records, ANNOUNCED, |p| {
        let Json::Arr(tenants) = obj(p, "tenants") else { panic!() };
        for tenant in tenants {
            insert(tenant, "tables", Json::arr(tables.iter().map(Json::str)));
        }
    });
    witness_again(&mut records);
    records
}

#[test]
fn every_claim_names_checks_of_the_protocol_and_is_told_once() {
    let mut names: Vec<&str> = CLAIMS.iter().map(|claim| claim.name.as_str()).collect();
    assert_eq!(names.len(), 11);
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), 11);
    for claim in CLAIMS.iter() {
        assert!(!claim.checks.is_empty() && claim.shows.ends_with('.'), "{claim:?}");
    }
}

#[test]
fn no_claim_is_shown_while_a_check_that_it_rests_on_has_not_passed() {
    let mut untouched = pinned(&["table-1"]);
    untouched.push(Casino::new().close_epoch(&untouched));
    let logged = beacons::played(&Casino::with_beacon(Suite::Derived));
    let copies = vec![log_copy(&logged, NOW)];
    let mut files: Vec<Vec<RecordEnvelope>> = vec![untouched.clone(), logged];
    for (_, _, forge) in FORGERIES {
        let mut records = super::untouched(&Casino::new());
        forge(&mut records);
        files.push(records);
    }
    for left_out in 0..untouched.len() {
        let mut records = untouched.clone();
        records.remove(left_out);
        files.push(records);
    }
    let mut shown = BTreeMap::<&str, u32>::new();
    for records in &files {
        for terms in [terms(), laboratory()] {
            let terms = AuditTerms { log_copies: copies.clone(), ..terms };
            let report = audited(records, &terms);
            let closed = |round: &RoundReport| {
                let mut tellings = report.rounds.iter().filter(|r| r.round_id == round.round_id);
                tellings.any(|telling| telling.ending.is_some())
            };
            let is_left_out = |round: &RoundReport| {
                let elsewhere = round.ending.is_none() && closed(round);
                round.ending == Some(RoundEnding::Void) || elsewhere
            };
            let has_voids = report.rounds.iter().any(is_left_out);
            let rounds = report.rounds.iter().map(|round| (&round.claims, &round.checks, false));
            let file = (&report.claims, &report.checks, has_voids);
            for (claims, checks, has_voids) in rounds.chain([file]) {
                for found in claims.iter().filter(|found| found.status == ClaimStatus::Shown) {
                    *shown.entry(&found.claim.name).or_default() += 1;
                    for rests_on in &found.claim.checks {
                        let code = rests_on.code;
                        let check = checks.iter().find(|check| check.code == code).unwrap();
                        let passed = check.status == CheckStatus::Passed;
                        // A void round, and one that another telling closes, skips checks of claims that do not apply to it.
                        let left_out = has_voids && check.status == CheckStatus::Skipped;
                        assert!(passed || left_out, "{}: {check:?}", found.claim.name);
                    }
                }
            }
        }
    }
    // Every claim can be shown here.
    let names: Vec<&str> = shown.into_keys().collect();
    let mut expected: Vec<&str> = CLAIMS.iter().map(|claim| claim.name.as_str()).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
}

#[test]
fn a_listed_table_is_one_of_so_many() {
    let report = audited(&pinned(&["table-1", "table-2"]), &laboratory());
    assert_eq!(report.verdict(), AuditVerdict::Match);
    let tenants = 2 * casino::TENANTS.len();
    let (status, why) = claim(&report.claims, "place_listed");
    assert_eq!((status, why), (ClaimStatus::Shown, &*format!("one of {tenants} tables")));

    // Without the announcement its content is unknown.
    let report = audited(&pinned(&["table-1"])[COMPLETED..], &laboratory());
    assert_eq!((report.verdict(), report.code()), (AuditVerdict::Match, None));
    assert_eq!(claim(&report.claims, "place_listed").0, ClaimStatus::NotShown);

    // Where one tenant may use any name, the operator has as many as it likes.
    let mut records = pinned(&["table-1"]);
    collude(&mut records, ANNOUNCED, |p| {
        let Json::Arr(tenants) = obj(p, "tenants") else { panic!() };
        let mut dev = tenants
            .iter_mut()
            .filter_map(|tenant| (*obj(tenant, "tenant") == Json::str("dev")).then_some(tenant));
        remove(dev.next().unwrap(), "tables");
    });
    witness_again(&mut records);
    let report = audited(&records, &laboratory());
    assert_eq!(report.verdict(), AuditVerdict::Match);
    let (status, why) = claim(&report.claims, "place_listed");
    assert_eq!(status, ClaimStatus::NotShown);
    assert!(why.contains("tenant dev may use any name"), "{why}");
}

#[test]
fn the_claims_of_a_seat_are_those_of_the_caller() {
    let records = untouched(&Casino::new());
    let mine = ["place_not_chosen", "decks_unknown_in_advance", "decided_before_reveal"];
    let statuses = |terms: &AuditTerms| {
        let report = audited(&records, terms);
        mine.map(|name| claim(&report.claims, name).0)
    };
    let (shown, not) = (ClaimStatus::Shown, ClaimStatus::NotShown);
    assert_eq!(statuses(&terms()), [shown, shown, shown]);
    assert_eq!(statuses(&laboratory()), [not, not, not]);
    let named = |number, key| {
        let my_seat = Some(MySeat { seat: seat(number), key });
        AuditTerms { my_seat, ..laboratory() }
    };
    assert_eq!(statuses(&named(1, None)), [shown, shown, not]);
    assert_eq!(statuses(&named(1, Some(seat_key(seat(2)).public()))), [shown, shown, not]);
    assert_eq!(statuses(&named(3, None)), [not, not, not]);
}

#[test]
fn a_seed_that_a_player_used_twice_accuses_nobody_and_shows_nothing() {
    let casino = Casino::new();
    let first = casino.play(&plan(1, None));
    // Another table, and the same seeds: the plan makes them from its seed alone.
    let again = RoundPlan { table: "table-2".to_owned(), ..plan(1, None) };
    let second = casino.play(&again);
    let reveal = vec![casino.reveal()];
    let records = [casino.manifests.clone(), first.clone(), second, reveal.clone()].concat();
    let report = audited(&records, &terms());
    assert_eq!(report.verdict(), AuditVerdict::Match);
    assert_eq!(claim(&report.claims, "place_not_chosen").0, ClaimStatus::NotShown);
    // The same records a second time are the same round.
    let twice = [casino.manifests.clone(), first.clone(), first, reveal].concat();
    let report = audited(&twice, &terms());
    assert_eq!(claim(&report.claims, "place_not_chosen").0, ClaimStatus::Shown);
}

#[test]
fn a_round_missing_between_others_is_named_and_one_at_an_end_is_open() {
    let casino = Casino::new();
    let mut rounds: Vec<Vec<RecordEnvelope>> = Vec::new();
    for number in 1..=4 {
        let prev = rounds.last().and_then(|round| round.last().cloned());
        rounds.push(casino.play(&plan(number, prev)));
    }
    let of = |numbers: &[usize]| {
        let rounds = numbers.iter().flat_map(|number| rounds[number - 1].clone()).collect();
        [casino.manifests.clone(), rounds, vec![casino.reveal()]].concat()
    };
    let report = audited(&of(&[1, 2, 4]), &laboratory());
    assert_eq!((report.verdict(), report.code()), (AuditVerdict::Incomplete, None));
    assert_eq!(report.because(), "round 3 of table table-1 is not in the file");
    let open = |numbers: &[usize], terms: &AuditTerms| {
        let report = audited(&of(numbers), terms);
        let (status, why) = claim(&report.claims, "nothing_left_out");
        assert_eq!(status, ClaimStatus::NotShown);
        (report.verdict(), why.to_owned())
    };
    let (verdict, why) = open(&[1, 4], &terms());
    assert_eq!(verdict, AuditVerdict::Match, "a player may hold single rounds");
    assert!(why.contains("rounds 2 to 3 of table table-1"), "{why}");
    let (verdict, why) = open(&[3, 4], &laboratory());
    assert_eq!(verdict, AuditVerdict::Match);
    assert!(why.contains("rounds 1 to 2 of table table-1"), "{why}");
    // A close that was audited before links the rest of the table.
    let before = plan(2, None).coordinates().round_id();
    let after = |close| AuditTerms { after: [(before, close)].into(), ..laboratory() };
    let close = rounds[1].last().unwrap().hash();
    let report = audited(&of(&[3, 4]), &after(close));
    assert_eq!(report.verdict(), AuditVerdict::Match);
    let genesis = report.checks.iter().find(|check| check.code == CheckCode::Genesis).unwrap();
    assert_eq!(genesis.status, CheckStatus::Passed);
    let report = audited(&of(&[3, 4]), &after(rounds[2].last().unwrap().hash()));
    assert_eq!(report.code(), Some(CheckCode::Genesis));
}

#[test]
fn a_later_beginning_of_the_chain_is_trusted_where_its_hash_is_named() {
    let records = untouched(&Casino::new());
    let rules = |terms: &AuditTerms| {
        let report = audited(&records[COMPLETED..], terms);
        let rules = report.checks.iter().find(|check| check.code == CheckCode::ManifestRules);
        rules.unwrap().status
    };
    assert_eq!(rules(&laboratory()), CheckStatus::Skipped);
    let named = |hash| AuditTerms { first_manifest: Some(hash), ..laboratory() };
    assert_eq!(rules(&named(records[COMPLETED].hash())), CheckStatus::Passed);
    assert_eq!(rules(&named(records[ANNOUNCED].hash())), CheckStatus::Skipped);
}

#[test]
fn a_secret_is_pending_until_it_is_due_and_overdue_then() {
    let records = untouched(&Casino::new());
    let unrevealed = &records[..REVEAL];
    let due = {
        let manifest = Manifest::parse(payload_of(&records[COMPLETED])).unwrap();
        manifest.epochs[0].settle_until
    };
    let at = |as_of| audited(unrevealed, &AuditTerms { as_of, ..laboratory() });
    for (as_of, verdict) in [
        (None, AuditVerdict::Pending),
        (Some(due), AuditVerdict::Pending),
        (Some(due + 1), AuditVerdict::Incomplete),
    ] {
        let report = at(as_of);
        assert_eq!((report.verdict(), report.code()), (verdict, None), "{as_of:?}");
        let is_pending = verdict == AuditVerdict::Pending;
        let seed = if is_pending { ClaimStatus::Pending } else { ClaimStatus::NotShown };
        assert_eq!(claim(&report.claims, "seed_not_chosen").0, seed);
        assert_eq!(claim(&report.claims, "outcome_recomputed").0, ClaimStatus::Shown);
        assert_eq!(report.rounds[0].verdict(), verdict);
    }
    let late = AuditTerms { as_of: Some(due + 1), ..laboratory() };
    assert_eq!(audited(&records, &late).verdict(), AuditVerdict::Match);
}

#[test]
fn a_file_with_every_round_the_reveal_and_the_close_shows_that_nothing_was_left_out() {
    let casino = Casino::new();
    let mut rounds: Vec<Vec<RecordEnvelope>> = Vec::new();
    for number in 1..=3 {
        let prev = rounds.last().and_then(|round| round.last().cloned());
        rounds.push(casino.play(&plan(number, prev)));
    }
    let elsewhere = casino.play(&RoundPlan { table: "table-2".to_owned(), ..plan(1, None) });
    let (of_one, of_two) = (rounds.concat(), [rounds.concat(), elsewhere.clone()].concat());
    let left_out = |records: &[RecordEnvelope], close: &RecordEnvelope, reveal: bool| {
        let reveal = reveal.then(|| casino.reveal());
        let ends = reveal.into_iter().chain([close.clone()]).collect();
        let report =
            audited(&[casino.manifests.clone(), records.to_vec(), ends].concat(), &terms());
        let (status, why) = claim(&report.claims, "nothing_left_out");
        (report.verdict(), status, why.to_owned())
    };
    let close = casino.close_epoch(&of_one);
    let shown = (AuditVerdict::Match, ClaimStatus::Shown, String::new());
    assert_eq!(left_out(&of_one, &close, true), shown);
    let (verdict, status, _) = left_out(&of_one, &close, false);
    assert_eq!((verdict, status), (AuditVerdict::Pending, ClaimStatus::Shown));

    // The last round is missing, or another table.
    let open = |records: &[RecordEnvelope], close, missing: &str| {
        let (verdict, status, why) = left_out(records, close, true);
        assert_eq!((verdict, status), (AuditVerdict::Match, ClaimStatus::NotShown), "{why}");
        assert!(why.contains(missing), "{why}");
    };
    open(&rounds[..2].concat(), &close, "round 3 of table table-1 is not in the file");
    let close_of_two = casino.close_epoch(&of_two);
    open(&of_one, &close_of_two, "the file has 3 of the 4 rounds of the epoch");
    assert_eq!(left_out(&of_two, &casino.close_epoch(&of_two), true), shown);

    // No signer that the caller trusts has signed it.
    let payload = close.json().unwrap().into_owned();
    let own = RecordEnvelope::seal(RecordKind::EpochClose, &payload, &[&receipt_key()]);
    open(&of_one, &own, "no witness that you named");
    // A ledger may not sign it, with or without others.
    for keys in [vec![&ledger_key()], vec![&receipt_key(), &ledger_key()]] {
        let forged = RecordEnvelope::seal(RecordKind::EpochClose, &payload, &keys);
        let report = [casino.manifests.clone(), of_one.clone(), vec![forged]].concat();
        assert_eq!(audited(&report, &terms()).code(), Some(CheckCode::Signatures));
    }
    // Two closes are a fork.
    let both = [casino.manifests.clone(), of_two.clone(), vec![close, casino.close_epoch(&of_two)]];
    assert_eq!(audited(&both.concat(), &terms()).code(), Some(CheckCode::EpochClose));
    let other = casino.close_epoch_as(&of_one, |mut close| {
        close.root = Hash::ZERO;
        close
    });
    let both = [casino.manifests.clone(), of_one.clone(), vec![casino.close_epoch(&of_one), other]];
    assert_eq!(audited(&both.concat(), &terms()).code(), Some(CheckCode::NoFork));
}

#[test]
fn an_inclusion_proof_counts_at_the_place_that_the_tables_of_the_close_give_it() {
    let casino = Casino::new();
    let table = |name: &str| {
        let at = |round_no, prev| {
            casino.play(&RoundPlan { table: name.to_owned(), ..plan(round_no, prev) })
        };
        let first = at(1, None);
        let second = at(2, first.last().cloned());
        [first, second].concat()
    };
    let (one, two) = (table("table-1"), table("table-2"));
    let all = [one, two.clone()].concat();
    // The leaf of round 2 of the second table is the last of four.
    let proofs = casino::rounds_of(&all).proofs(|table, _| table.as_str() == "table-2");
    assert_eq!(proofs.iter().map(|proof| proof.index).collect::<Vec<_>>(), [2, 3]);
    let ends = vec![casino.reveal(), casino.close_epoch(&all)];
    let file = [casino.manifests.clone(), two, ends].concat();
    let terms = AuditTerms { proofs: proofs.into_iter().collect(), ..laboratory() };
    let report = audited(&file, &terms);
    assert_eq!(claim(&report.claims, "nothing_left_out"), (ClaimStatus::Shown, ""));
}

#[test]
fn a_leaf_lists_each_hash_once_and_ascending() {
    let casino = Casino::new();
    let records = casino.play(&plan(1, None));
    let proof = casino::rounds_of(&records).proofs(|_, _| true).remove(0);
    let [low, high] = [1, 2].map(|byte| Json::str(Hash::from_bytes([byte; 32])));
    let with = |closes: [&Json; 2]| {
        let mut changed = proof.to_json().into_owned();
        insert(obj(&mut changed, "leaf"), "closes", Json::arr(closes.map(Clone::clone)));
        InclusionProof::parse(changed).map(|proof| proof.closes.len()).map_err(|e| e.to_string())
    };
    assert_eq!(with([&low, &high]), Ok(2));
    for wrong in [[&low, &low], [&high, &low]] {
        assert!(with(wrong).unwrap_err().contains("hashes ascend, each once"));
    }
}
