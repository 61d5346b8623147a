//! Audits of records that nobody forged, or that all key holders forged together.

use super::*;

/// Audits records with the shipped rules.
fn report_of(records: &[RecordEnvelope]) -> AuditReport {
    let root = Root { keys: vec![root_key().public()], threshold: 1 };
    let witnesses = [witness_key().public()].into();
    let terms = AuditTerms { witnesses, ..AuditTerms::of(root) };
    audit(text(records).join("\n").as_bytes(), &terms, &Catalogue::shipped())
}

/// Returns one check of a report.
fn check(report: &AuditReport, code: CheckCode) -> &AuditCheck {
    report.checks.iter().find(|check| check.code == code).unwrap()
}

#[test]
fn findings_are_said_in_the_words_of_records() {
    let casino = Casino::new();
    let good = untouched(&casino);
    for (name, _, forge) in FORGERIES {
        let mut records = good.clone();
        forge(&mut records);
        for check in report_of(&records).checks {
            let said = format!("{} {}", check.expected, check.found);
            for form in ["Some(", "None", "Seat(", "Hash(", "Card(", "{", "[\""] {
                assert!(!said.contains(form), "{name}: {said}");
            }
        }
    }
    let plan = plan(1, None);
    let dealt = casino.deal(&plan);
    let void = casino.void_request(&plan, &dealt.records, VoidReason::PlayerLeft);
    let voided =
        paigow_engine::void_round(&casino.context, &casino.keys, &casino.call("strict"), &void)
            .unwrap();
    let records = [casino.manifests.as_slice(), &dealt.records, &voided.records].concat();
    let found = |code, edit: &dyn Fn(&mut Json)| {
        let mut forged = records.clone();
        collude(&mut forged, records.len() - 1, edit);
        let report = report_of(&forged);
        assert_eq!(report.code(), Some(code));
        let check = check(&report, code);
        (check.expected.clone(), check.found.clone())
    };
    let reason = found(CheckCode::Chain, &|p| insert(p, "reason", Json::str("operator")));
    assert_eq!(reason, ("the reason of its lock, player_left".into(), "operator".into()));
    let (expected, returned) =
        found(CheckCode::Results, &|p| insert(obj(p, "returns"), "1", Json::str("7")));
    assert!(expected.starts_with("returns seat ") && returned.contains("seat 1 7"), "{returned}");
}

#[test]
fn locked_tickets_of_a_fresh_round_are_a_fork_and_unlocked_ones_are_not() {
    let casino = Casino::fresh();
    let plan = plan(1, None);
    let (call, open) = (casino.call("strict"), casino.open(&plan));
    let ticket = |chance: u64| {
        let mut entropy = casino::entropy_of(chance);
        paigow_engine::open_round(&casino.context, &casino.keys, &call, &open, &mut entropy)
            .unwrap()
            .ticket
    };
    let (first, second) = (ticket(1), ticket(2));
    assert_ne!(first.hash(), second.hash());
    let (first_lock, second_lock) = (casino.lock(&plan, &first), casino.lock(&plan, &second));
    let audited = |records: &[&RecordEnvelope]| {
        let records: Vec<RecordEnvelope> = records.iter().copied().cloned().collect();
        let report = report_of(&[casino.manifests.clone(), records].concat());
        let forks = check(&report, CheckCode::NoFork);
        (report.verdict(), report.code(), forks.status, forks.expected.clone())
    };
    // Answers were lost: none of these was played.
    let none = (AuditVerdict::Incomplete, None, CheckStatus::Passed, String::new());
    assert_eq!(audited(&[&first, &second]), none);
    assert_eq!(audited(&[&first, &first_lock, &second]), none);
    assert_eq!(audited(&[&first, &second, &second_lock]), none);
    let round_id = plan.coordinates().round_id();
    let fork = (
        AuditVerdict::Mismatch,
        Some(CheckCode::NoFork),
        CheckStatus::Failed,
        format!("one ticket for round {round_id}"),
    );
    assert_eq!(audited(&[&first, &first_lock, &second, &second_lock]), fork);
}

#[test]
fn a_round_follows_the_close_of_its_own_table() {
    let casino = Casino::new();
    let elsewhere = casino.play(&plan(1, None));
    let at_2 = |plan: RoundPlan| RoundPlan { table: "table-2".to_owned(), ..plan };
    let first = casino.play(&at_2(plan(1, None)));
    let second = casino.play(&at_2(plan(2, first.last().cloned())));
    let records = [casino.manifests.clone(), elsewhere.clone(), first, second].concat();
    assert_eq!(verdict(&text(&records)), (AuditVerdict::Pending, None));
    // All keys together follow the close of the other table, of the same number.
    let close = elsewhere.last().unwrap().hash();
    let mut forged = records;
    collude(&mut forged, TICKET + 2 * NEXT, |p| {
        assert_eq!(obj(p, "round_no"), &Json::str("2"));
        insert(p, "prev", Json::str(close));
    });
    assert_eq!(verdict(&text(&forged)), (AuditVerdict::Mismatch, Some(CheckCode::Genesis)));
}

#[test]
fn a_settled_round_beside_a_lone_ticket_is_incomplete() {
    let records = untouched(&Casino::new());
    let with_ticket = |records: &[RecordEnvelope]| verdict(&text(records));
    assert_eq!(with_ticket(&records[..=SETTLE]), (AuditVerdict::Pending, None));
    assert_eq!(with_ticket(&records[..=TICKET + NEXT]), (AuditVerdict::Incomplete, None));
    // Nor does it matter which of the two comes first.
    let ticket = records[TICKET + NEXT].clone();
    let before = [&records[..TICKET], &[ticket], &records[TICKET..=SETTLE]].concat();
    assert_eq!(with_ticket(&before), (AuditVerdict::Incomplete, None));
}

#[test]
fn rules_are_not_held_against_a_round_of_another_engine() {
    let mut records = untouched(&Casino::new());
    records.drain(SETTLE + 1..);
    for manifest in [ANNOUNCED, COMPLETED] {
        collude(&mut records, manifest, |p| insert(p, "engine", Json::str("pge-2")));
    }
    witness_again(&mut records);
    // The commitment names the engine too.
    let Ok(SettleRecord::Settled(settled)) = SettleRecord::parse(payload_of(&records[SETTLE]))
    else {
        panic!("a settled round")
    };
    let ticket = Ticket::parse(payload_of(&records[TICKET])).unwrap();
    let engine = casino::id("pge-2");
    let commit = round_commit(&settled.server_seed, &ticket.round_id, &ticket.ruleset, &engine);
    collude(&mut records, TICKET, |p| {
        insert(p, "engine", Json::str("pge-2"));
        insert(p, "commit", Json::str(commit));
    });
    let report = report_of(&records);
    assert_eq!((report.verdict(), report.code()), (AuditVerdict::Incomplete, None));
    for code in [CheckCode::CardsShown, CheckCode::Results] {
        let check = check(&report, code);
        assert_eq!(check.status, CheckStatus::Skipped, "{check:?}");
        assert!(check.found.contains("pge-2"), "{check:?}");
    }
    for code in [
        CheckCode::Signatures,
        CheckCode::Chain,
        CheckCode::Commit,
        CheckCode::Replay,
        CheckCode::DeckCommit,
    ] {
        assert_eq!(check(&report, code).status, CheckStatus::Passed, "{code:?}");
    }
}

#[test]
fn no_results_are_made_of_cards_that_are_not_those_of_the_deck() {
    let good = untouched(&Casino::new());
    let forgeries: [fn(&mut Vec<RecordEnvelope>); 2] = [
        |r| {
            collude(r, DEAL, |p| {
                let Json::Arr(cards) = obj(obj(p, "visible"), "1") else { panic!("no array") };
                cards.swap(0, 1);
            });
        },
        |r| {
            collude(r, SETTLE, |p| {
                let Json::Arr(dealer) = obj(p, "dealer") else { panic!("no array") };
                dealer.reverse();
            });
        },
    ];
    for forge in forgeries {
        let mut records = good.clone();
        forge(&mut records);
        let report = report_of(&records);
        let mismatch = (AuditVerdict::Mismatch, Some(CheckCode::CardsShown));
        assert_eq!((report.verdict(), report.code()), mismatch);
        assert_eq!(check(&report, CheckCode::Results).status, CheckStatus::Skipped);
        assert!(report.rounds[0].replayed.as_ref().unwrap().settlement.is_none());
        assert!(report.rounds[1].replayed.as_ref().unwrap().settlement.is_some());
    }
}

#[test]
fn a_round_is_held_against_no_reveal_but_that_of_its_epoch() {
    // A second epoch, in the window after the first, announced by a later manifest.
    let casino = Casino::new();
    let (number, secret) = (casino::EPOCH + 1, [9; 32]);
    let mut manifest = successor(casino.manifest());
    let mut epoch = manifest.epochs[0].clone();
    epoch.epoch = number;
    epoch.commit = Some(epoch_commit(number, &EpochSecret::new(secret)));
    epoch.salt = None;
    epoch.salt_source = epoch.salt_source.as_ref().map(SaltSource::announced);
    epoch.open_from = epoch.open_until;
    epoch.open_until += 86_400;
    epoch.settle_until += 86_400;
    manifest.epochs.push(epoch);
    let mut records = untouched(&casino);
    let reveal = records.pop().unwrap();
    let mut other = vec![reveal.clone()];
    resign(&mut other, 0, |p| {
        insert(p, "epoch", Json::Int(u64::from(number)));
        insert(p, "epoch_secret", Json::str(hex::encode(secret)));
    });
    records.push(sign_manifest(&manifest));
    records.extend(other);
    let statuses = |records: &[RecordEnvelope]| {
        let report = report_of(records);
        let status = |code| check(&report, code).status;
        let checks = (status(CheckCode::EpochCommit), status(CheckCode::SeedWasNotChosen));
        (report.verdict(), report.code(), checks)
    };
    // The other epoch's reveal opens none of these rounds, and does not affect them.
    let skipped = (CheckStatus::Skipped, CheckStatus::Skipped);
    assert_eq!(statuses(&records), (AuditVerdict::Pending, None, skipped));
    let passed = (CheckStatus::Passed, CheckStatus::Passed);
    let whole = [records.as_slice(), std::slice::from_ref(&reveal)].concat();
    assert_eq!(statuses(&whole), (AuditVerdict::Match, None, passed));
    // A reveal whose signature is broken opens nothing.
    let mut broken = vec![reveal];
    sign_as(&mut broken, 0, &key(99));
    let mismatch = (AuditVerdict::Mismatch, Some(CheckCode::Signatures), skipped);
    assert_eq!(statuses(&[records, broken].concat()), mismatch);
}

#[test]
fn nothing_but_the_close_follows_a_void_lock_and_another_lock_a_final_one() {
    let casino = Casino::new();
    let plan = plan(1, None);
    let dealt = casino.deal(&plan);
    let [ticket, lock, deal] = &dealt.records[..] else { panic!("three records of a deal") };
    let void = |last: &RecordEnvelope| {
        let payload = CloseLock::Void {
            supersedes: Vec::new(),
            prev: last.hash(),
            reason: VoidReason::Operator,
            round_id: dealt.round_id,
        };
        RecordEnvelope::seal(RecordKind::Lock, &payload, &[&ledger_key()])
    };
    let format = |records: &[&RecordEnvelope]| {
        let records: Vec<RecordEnvelope> = records.iter().copied().cloned().collect();
        let report = report_of(&[casino.manifests.clone(), records].concat());
        let check = check(&report, CheckCode::Format);
        (check.status, check.place.clone())
    };
    let in_place = (CheckStatus::Passed, String::new());
    assert_eq!(format(&[ticket, &void(ticket)]), in_place);
    assert_eq!(format(&[ticket, lock, &void(lock)]), in_place);
    // Behind two manifests.
    let at = |line: usize| (CheckStatus::Failed, format!("line {line}"));
    assert_eq!(format(&[ticket, &void(ticket), lock]), at(5));
    assert_eq!(format(&[ticket, lock, &void(lock), deal]), at(6));
    let (actions, last) = casino.close(&plan, &dealt);
    assert_eq!(format(&[ticket, lock, deal, &actions[0], &last]), in_place);
    assert_eq!(format(&[ticket, lock, deal, &actions[0], &last, &actions[1]]), in_place);
    assert_eq!(format(&[ticket, lock, deal, &actions[0], &last, &void(deal)]), in_place);
    assert_eq!(format(&[ticket, lock, deal, &last, &last, deal]), at(8));
    let mut locks = vec![ticket, lock, deal];
    locks.extend(std::iter::repeat_n(&last, 9));
    assert_eq!(format(&locks), in_place);
    locks.push(&last);
    assert_eq!(format(&locks), at(15));
    assert_eq!(format(&[ticket, lock, deal, &actions[0], deal]), at(7));
    assert_eq!(format(&[ticket, lock, deal, &void(deal), &last]), at(7));
}

#[test]
fn a_manifest_that_stands_twice_is_one_manifest() {
    let casino = Casino::new();
    let records = untouched(&casino);
    let again = [&records[..=SETTLE], &casino.manifests, &records[SETTLE + 1..]].concat();
    assert_eq!(verdict(&text(&again)), (AuditVerdict::Match, None));
    let twice = [&casino.manifests[..1], &records].concat();
    assert_eq!(verdict(&text(&twice)), (AuditVerdict::Match, None));
}

/// A replay of Mike's from a round seed.
fn replayed(wagers: Vec<Wager>, decided: &[u8]) -> Result<ReplayedRound, Refusal> {
    let decision = Decision { setting: SettingChoice::HouseWay, double_down: false };
    let facts =
        TableFacts { bank_minor: Some(1_000_000), action_pile: Some(3), ..TableFacts::default() };
    let currency = Currency::new("USD", 2).unwrap();
    let request = ReplayRequest {
        seed: ReplaySeed::Round(RoundSeed::new([7; 32])),
        ruleset: "mikes".to_owned(),
        sheet: WagerSheet { currency, wagers, facts },
        client_seeds: Vec::new(),
        decisions: decided.iter().map(|number| (seat(*number), decision.clone())).collect(),
    };
    replay(&Catalogue::shipped(), &request)
}

#[test]
fn a_replay_takes_one_decision_of_a_seat() {
    let wagers = || vec![wager(1, "base", 2500), wager(2, "base", 1000)];
    assert!(replayed(wagers(), &[1, 2]).unwrap().settlement.is_some());
    for (decided, field) in [
        ([1, 1].as_slice(), "decisions[1].seat"),
        (&[1, 2, 1], "decisions[2].seat"),
        (&[2, 2, 1], "decisions[1].seat"),
    ] {
        let refusal = replayed(wagers(), decided).unwrap_err();
        assert_eq!(refusal.reason, Reason::TwoActionsOneSeat);
        let fields: Vec<&str> = refusal.violations.iter().map(|v| v.field.as_str()).collect();
        assert_eq!(fields, [field]);
    }
}

#[test]
fn a_replay_settles_what_nobody_has_to_decide() {
    // With a hand to set nothing is settled before it is.
    let base = replayed(vec![wager(1, "base", 2500)], &[]).unwrap();
    assert!(base.settlement.is_none());
    assert!(replayed(vec![wager(1, "base", 2500)], &[1]).unwrap().settlement.is_some());
    let bonus = replayed(vec![wager(1, "outlaw_9", 500)], &[]).unwrap();
    assert_eq!(bonus.deck, base.deck);
    assert!(bonus.settlement.is_some());
    let both = vec![wager(1, "base", 2500), wager(2, "outlaw_9", 500)];
    assert!(replayed(both.clone(), &[]).unwrap().settlement.is_none());
    assert!(replayed(both, &[1]).unwrap().settlement.is_some());
}
