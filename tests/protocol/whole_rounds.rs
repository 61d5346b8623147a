//! Whole rounds through the engine: every policy, every promise.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;

use std::collections::BTreeMap;

use casino::{Casino, NOW, RoundPlan, SeededChoices, TENANTS, entropy, ledger_key, policy};
use paigow_engine::KeyRing;
use paigow_engine::TokenKey;
use paigow_engine::sealed;
use paigow_fairness::json::Json;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::ticket::Ticket;
use paigow_fairness::transcript;
use paigow_round::audit::{AuditVerdict, CheckCode, CheckStatus, audit};
use paigow_round::{
    Catalogue, Deal, DealStart, HandSetter, MAX_HANDS, Reason, SetHouseWay, VoidReason, Wagers,
};
use paigow_rules::cards::Card;
use proptest::prelude::*;

/// Plays rounds 1 to `rounds` of one table and returns their records in order.
fn play_chain(casino: &Casino, tenant: &str, rounds: u64, seed: u64) -> Vec<RecordEnvelope> {
    let mut records = Vec::new();
    let mut prev: Option<RecordEnvelope> = None;
    for round_no in 1..=rounds {
        let chained = policy(tenant).chain_required && round_no > 1;
        let plan = RoundPlan::random_of_all(tenant, round_no, prev.filter(|_| chained), seed);
        let round = casino.play(&plan);
        prev = round.last().cloned();
        records.extend(round);
    }
    records
}

fn audited(
    casino: &Casino,
    records: &[RecordEnvelope],
    reveal: bool,
) -> paigow_round::audit::AuditReport {
    let reveal: Vec<RecordEnvelope> = if reveal { vec![casino.reveal()] } else { Vec::new() };
    let all = casino.manifests.iter().chain(records).chain(&reveal);
    audit(transcript::write(all).as_bytes(), &casino.terms(), &Catalogue::shipped())
}

#[test]
fn rounds_under_every_policy_audit_as_a_match() {
    let casino = Casino::new();
    for tenant in TENANTS {
        let records = play_chain(&casino, tenant, 28, 1);
        let report = audited(&casino, &records, true);
        assert_eq!(report.verdict(), AuditVerdict::Match, "{tenant}: {:?}", report.checks);
        assert_eq!(report.rounds.len(), 28);
        for check in &report.checks {
            let chain_off = check.code == CheckCode::Genesis && !policy(tenant).chain_required;
            // No tables are pinned, nobody names a seat, the file has no close of the epoch, no
            // beacon and no log, and its suite has no proofs of seeds.
            let not_there = matches!(
                check.code,
                CheckCode::PlaceListed
                    | CheckCode::PlaceNotChosen
                    | CheckCode::EpochClose
                    | CheckCode::SeedProof
                    | CheckCode::Beacon
                    | CheckCode::Logged
                    | CheckCode::LockedBeforeBeacon
            );
            let is_open = chain_off || not_there;
            let expected = if is_open { CheckStatus::Skipped } else { CheckStatus::Passed };
            assert_eq!(check.status, expected, "{tenant}: {check:?}");
        }
    }
}

#[test]
fn without_the_reveal_only_the_epochs_secret_is_left_open() {
    let casino = Casino::new();
    let report = audited(&casino, &play_chain(&casino, "strict", 3, 2), false);
    assert_eq!(report.verdict(), AuditVerdict::Pending);
    for check in &report.checks {
        let open = matches!(
            check.code,
            CheckCode::EpochCommit
                | CheckCode::SeedWasNotChosen
                | CheckCode::SeedProof
                | CheckCode::Beacon
                | CheckCode::Logged
                | CheckCode::LockedBeforeBeacon
                | CheckCode::PlaceListed
                | CheckCode::PlaceNotChosen
                | CheckCode::EpochClose
        );
        assert_eq!(check.status == CheckStatus::Skipped, open, "{check:?}");
    }
}

#[test]
fn fresh_rounds_audit_as_a_match_and_say_that_they_are_fresh() {
    let casino = Casino::fresh();
    let report = audited(&casino, &play_chain(&casino, "strict", 4, 3), false);
    assert_eq!(report.verdict(), AuditVerdict::Match, "{:?}", report.checks);
    let epoch = report.checks.iter().find(|c| c.code == CheckCode::EpochCommit).unwrap();
    assert_eq!((epoch.status, epoch.found.as_str()), (CheckStatus::Skipped, "fresh"));
}

#[test]
fn a_seed_is_sealed_for_the_first_of_two_token_keys_and_either_settles_it() {
    let casino = Casino::fresh();
    let ring = |kids: [&[u8; 8]; 2]| {
        let mut ring = KeyRing::default();
        ring.add_receipt_key(casino::receipt_key());
        for kid in kids {
            ring.add_token_key(*kid, TokenKey::new([kid[0]; 32]));
        }
        ring
    };
    // Rotated: what the old key sealed is opened while it is held.
    let (old, new) = (b"old key.", b"new key.");
    for (kids, stranger) in [([old, new], new), ([new, old], old)] {
        let plan = RoundPlan::random("locked", 1, None, 5);
        let keys = ring(kids);
        let call = casino.call("locked");
        let open = casino.open(&plan);
        let opened =
            paigow_engine::open_round(&casino.context, &keys, &call, &open, &mut entropy(&plan))
                .unwrap();
        let ticket = Ticket::parse(opened.ticket.json().unwrap()).unwrap();
        let blob = ticket.sealed.unwrap();
        assert_eq!(sealed::sealing_key(&blob), Some(*kids[0]));
        let opens = |kid: &[u8; 8]| {
            let key = TokenKey::new([kid[0]; 32]);
            sealed::open(&key, &blob, &ticket.round_id, &ticket.commit).is_some()
        };
        assert!(opens(kids[0]) && !opens(stranger));
        let lock = casino.lock(&plan, &opened.ticket);
        let deal = Deal {
            start: DealStart::Ticket(opened.ticket),
            wagers: Wagers::Lock(lock),
            beacon_signature: None,
        };
        let turned = ring([kids[1], kids[0]]);
        let dealt =
            paigow_engine::deal(&casino.context, &turned, &call, &deal, &mut entropy(&plan))
                .unwrap();
        let settle = casino.settle_request(&plan, &dealt);
        let settled = paigow_engine::settle(&casino.context, &turned, &call, &settle).unwrap();
        let records = [dealt.records.as_slice(), &settled.records].concat();
        assert_eq!(audited(&casino, &records, false).verdict(), AuditVerdict::Match);
    }
}

#[test]
fn a_call_sets_64_hands_and_no_more() {
    assert_eq!(MAX_HANDS, 64);
    let casino = Casino::new();
    let set = |count: usize| {
        let hand = "2d Ac As 9c Ah Ad Jk".split(' ').map(|card| card.parse().unwrap()).collect();
        let hands: Vec<Vec<Card>> = vec![hand; count];
        let by = HandSetter::HouseWay("mikes".to_owned());
        let set = casino.context.set_house_way(&SetHouseWay { hands, by });
        set.map(|set| set.len()).map_err(|refusal| refusal.reason)
    };
    assert_eq!(set(1), Ok(1));
    assert_eq!(set(64), Ok(64));
    assert_eq!(set(65), Err(Reason::BatchLimit));
    assert_eq!(set(0), Err(Reason::BatchLimit));
}

#[test]
fn a_void_returns_everything_reveals_nothing_and_audits_as_a_match() {
    let casino = Casino::new();
    for tenant in TENANTS {
        let plan = RoundPlan::random(tenant, 1, None, 4);
        let dealt = casino.deal(&plan);
        for known in 1..=3 {
            let request =
                casino.void_request(&plan, &dealt.records[..known], VoidReason::Equipment);
            let answer = paigow_engine::void_round(
                &casino.context,
                &casino.keys,
                &casino.call(tenant),
                &request,
            )
            .unwrap();
            let staked: i64 = plan.sheet.wagers.iter().map(|w| w.amount_minor).sum();
            let fees: i64 = dealt.fees.values().sum();
            let expected = [0, staked, staked + fees][known - 1];
            assert_eq!(answer.returns.values().sum::<i64>(), expected, "{tenant} {known}");
            let payload = answer.records.last().unwrap().json().unwrap();
            let Json::Obj(members) = payload else { panic!() };
            let members: Vec<&str> = members.keys().collect();
            assert_eq!(members, ["disposition", "prev", "reason", "returns", "round_id", "ticket"]);
            let records = [&dealt.records[..known], &answer.records].concat();
            let report = audited(&casino, &records, true);
            assert_eq!(
                report.verdict(),
                AuditVerdict::Match,
                "{tenant} {known}: {:?}",
                report.checks
            );
        }
    }
}

/// A lock of wagers that the ledger signed over these members, and over links and step.
fn ledgers(ticket: &RecordEnvelope, members: &str) -> RecordEnvelope {
    let round_id = Ticket::parse(ticket.json().unwrap()).unwrap().round_id;
    let (before, seats) = members.split_once("\"seats\"").unwrap_or((members, ""));
    let seats = if seats.is_empty() { String::new() } else { format!("\"seats\"{seats},") };
    let prev = ticket.hash();
    let text = format!(
        "{{{before}\"prev\":\"{prev}\",\"round_id\":\"{round_id}\",{seats}\"step\":\"wagers\"}}"
    );
    let payload = Json::parse_canonical(text.as_bytes()).unwrap();
    RecordEnvelope::seal(RecordKind::Lock, &payload, &[&ledger_key()])
}

/// The currency and the facts of a lock of Mike's.
const TABLE: &str =
    r#""currency":{"code":"USD","exponent":2},"facts":{"action_pile":3,"bank_minor":"50000"},"#;

#[test]
fn a_lock_that_no_rules_deal_to_is_voided_and_every_stake_goes_back() {
    let casino = Casino::new();
    let plan = RoundPlan::random("locked", 1, None, 5);
    let call = casino.call("locked");
    let ticket = casino.deal(&plan).records[0].clone();
    let base = r#"{"amount":"2500","bet":"base"}"#;
    let cases = [
        (TABLE, format!(r#""seats":{{"1":{{"wagers":[{base}]}}}}"#), vec![(1, 2500)]),
        // Below the minimum, an unknown bet, a seat above the table's.
        (TABLE, r#""seats":{"1":{"wagers":[{"amount":"1","bet":"base"}]}}"#.into(), vec![(1, 1)]),
        (TABLE, r#""seats":{"2":{"wagers":[{"amount":"7","bet":"none"}]}}"#.into(), vec![(2, 7)]),
        (TABLE, format!(r#""seats":{{"7":{{"wagers":[{base}]}}}}"#), vec![(7, 2500)]),
        // One bet twice, and a seat that has none.
        (
            TABLE,
            format!(r#""seats":{{"1":{{"wagers":[{base},{base}]}},"2":{{"wagers":[]}}}}"#),
            vec![(1, 5000)],
        ),
        (TABLE, r#""seats":{}"#.into(), vec![]),
        (
            r#""currency":{"code":"TOKENS","exponent":0},"facts":{},"#,
            format!(r#""seats":{{"1":{{"wagers":[{base}]}}}}"#),
            vec![(1, 2500)],
        ),
    ];
    for (table, seats, expected) in cases {
        let records = [ticket.clone(), ledgers(&ticket, &format!("{table}{seats}"))];
        let void = casino.void_request(&plan, &records, VoidReason::Operator);
        let answer =
            paigow_engine::void_round(&casino.context, &casino.keys, &call, &void).unwrap();
        let returns = answer.returns.clone();
        let returns: Vec<_> = returns.into_iter().map(|(seat, sum)| (seat.number(), sum)).collect();
        assert_eq!(returns, expected, "{seats}");
        let records = [&records[..], &answer.records].concat();
        for (revealed, catalogue) in [(true, Catalogue::shipped()), (false, Catalogue::default())] {
            let all = [casino.manifests.as_slice(), &records].concat();
            let all = if revealed { [all, vec![casino.reveal()]].concat() } else { all };
            let report = audit(transcript::write(&all).as_bytes(), &casino.terms(), &catalogue);
            let verdict = if revealed { AuditVerdict::Match } else { AuditVerdict::Pending };
            assert_eq!(report.verdict(), verdict, "{seats}: {:?}", report.checks);
        }
    }
}

#[test]
fn a_lock_that_is_not_of_its_form_is_no_record_and_no_audit_takes_it() {
    let casino = Casino::new();
    let plan = RoundPlan::random("locked", 1, None, 6);
    let call = casino.call("locked");
    let ticket = casino.deal(&plan).records[0].clone();
    let seats = r#""seats":{"1":{"wagers":[{"amount":"2500","bet":"base"}]}}"#;
    let usd = r#""currency":{"code":"USD","exponent":2},"#;
    let facts = |facts: &str| format!(r#"{usd}"facts":{{{facts}}},{seats}"#);
    let currency = |currency: &str| format!(r#""currency":{{{currency}}},"facts":{{}},{seats}"#);
    let cases = [
        format!("{TABLE}{}", seats.replace(r#""1""#, r#""0""#)),
        format!("{TABLE}{}", seats.replace(r#""1""#, r#""8""#)),
        format!("{TABLE}{}", seats.replace("2500", "0")),
        format!("{TABLE}{}", seats.replace("2500", "-2500")),
        facts(r#""action_pile":7"#),
        facts(r#""action_pile":255"#),
        facts(r#""bank_minor":"-5""#),
        facts(r#""banker_seat":0"#),
        facts(r#""banker_seat":8"#),
        facts(r#""table_min_minor":"-1""#),
        facts(r#""limit_minor":"1""#),
        currency(r#""code":"US","exponent":2"#),
        currency(r#""code":"usd","exponent":2"#),
        currency(r#""code":"USD","exponent":5"#),
        format!("{usd}{seats}"),
        format!(r#""facts":{{}},{seats}"#),
        TABLE.to_owned(),
    ];
    for members in cases {
        let lock = ledgers(&ticket, &members);
        let start = DealStart::Ticket(ticket.clone());
        let deal = Deal { start, wagers: Wagers::Lock(lock.clone()), beacon_signature: None };
        let refused =
            paigow_engine::deal(&casino.context, &casino.keys, &call, &deal, &mut entropy(&plan))
                .unwrap_err();
        assert_eq!(refused.reason, Reason::Record, "{members}: {refused}");
        let records = [ticket.clone(), lock];
        let void = casino.void_request(&plan, &records, VoidReason::Operator);
        // The ledger signed it: it can be voided with the ticket, and nothing comes back.
        let voided =
            paigow_engine::void_round(&casino.context, &casino.keys, &call, &void).unwrap();
        let returns = voided.returns.clone();
        assert!(returns.is_empty(), "{members}");
        let all = [casino.manifests.as_slice(), &records].concat();
        let text = transcript::write(&all);
        let report = audit(text.as_bytes(), &casino.terms(), &Catalogue::shipped());
        let failed = report.checks.iter().find(|check| check.status == CheckStatus::Failed);
        assert_eq!(failed.map(|check| check.code), Some(CheckCode::Canonical), "{members}");
    }
}

#[test]
fn an_unsettled_round_is_incomplete() {
    let casino = Casino::new();
    let dealt = casino.deal(&RoundPlan::random("locked", 1, None, 5));
    for known in 1..=3 {
        let report = audited(&casino, &dealt.records[..known], false);
        assert_eq!(report.verdict(), AuditVerdict::Incomplete, "{:?}", report.checks);
    }
}

#[test]
fn settling_and_voiding_one_round_is_reported_as_a_fork() {
    // The ledger signed two locks of phase 2: each transcript matches, both are a fork.
    let casino = Casino::new();
    let plan = RoundPlan::random("locked", 1, None, 6);
    let dealt = casino.deal(&plan);
    let settled = casino.settle(&plan, &dealt);
    let void = casino.void_request(&plan, &dealt.records, VoidReason::Operator);
    let voided =
        paigow_engine::void_round(&casino.context, &casino.keys, &casino.call("locked"), &void)
            .unwrap();
    let first = [dealt.records.as_slice(), &settled.records].concat();
    let second = [dealt.records.as_slice(), &voided.records].concat();
    assert_eq!(audited(&casino, &first, true).verdict(), AuditVerdict::Match);
    assert_eq!(audited(&casino, &second, true).verdict(), AuditVerdict::Match);
    let both = audited(&casino, &[first.clone(), second].concat(), false);
    assert_eq!((both.verdict(), both.code()), (AuditVerdict::Mismatch, Some(CheckCode::NoFork)));
    let twice = audited(&casino, &[first.clone(), first].concat(), true);
    assert_eq!(twice.verdict(), AuditVerdict::Match, "the same records twice are no fork");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Two engines with the same keyring, loaded separately: the same request, the same
    /// bytes, whatever the time within the gates.
    #[test]
    fn the_same_request_gets_the_same_bytes_on_every_replica(seed: u64, tenant in 0usize..5) {
        let (here, there) = (Casino::new(), Casino::new());
        let plan = RoundPlan::random(TENANTS[tenant], 1, None, seed);
        let request = here.deal_request(&plan);
        let later = paigow_round::CallContext { now: NOW + 5000, ..here.call(&plan.tenant) };
        let a = paigow_engine::deal(&here.context, &here.keys, &here.call(&plan.tenant), &request, &mut entropy(&plan))
            .unwrap();
        let b = paigow_engine::deal(&there.context, &there.keys, &later, &request, &mut entropy(&plan)).unwrap();
        prop_assert_eq!(lines(&a.records), lines(&b.records));
        let request = here.settle_request(&plan, &a);
        let a = paigow_engine::settle(&here.context, &here.keys, &here.call(&plan.tenant), &request).unwrap();
        let b = paigow_engine::settle(&there.context, &there.keys, &later, &request).unwrap();
        prop_assert_eq!(lines(&a.records), lines(&b.records));
    }

    /// A changed byte of any record is refused, or is the same record spelt otherwise.
    #[test]
    fn a_changed_byte_of_a_record_is_refused(seed: u64, at: prop::sample::Index, bit in 0u8..7) {
        let casino = Casino::new();
        let plan = RoundPlan::random("strict", 1, None, seed);
        let dealt = casino.deal(&plan);
        let request = casino.settle_request(&plan, &dealt);
        let which = usize::try_from(SeededChoices(seed).below(3)).unwrap();
        let mut line = request.records[which].to_line().into_bytes();
        let at = at.index(line.len());
        line[at] ^= 1 << bit;
        let Ok(changed) = RecordEnvelope::parse(&line) else { return Ok(()) };
        let mut forged = request.clone();
        forged.records[which] = changed.clone();
        let answer = paigow_engine::settle(&casino.context, &casino.keys, &casino.call("strict"), &forged);
        let only_a_hint = changed.hash() == request.records[which].hash()
            && changed.signatures()[0].sig == request.records[which].signatures()[0].sig;
        prop_assert_eq!(answer.is_ok(), only_a_hint, "{:?}", answer.err());
    }

    /// Any bytes as a transcript: a report, never a panic.
    #[test]
    fn any_bytes_are_audited(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let casino = Casino::new();
        let report = audit(&bytes, &casino.terms(), &Catalogue::shipped());
        prop_assert_ne!(report.verdict(), AuditVerdict::Match);
    }
}

/// The lines of a good transcript with one of them dropped, doubled, moved, cut short or
/// changed in a place; whether what is left still says the same.
fn disturbed(good: &[String], choices: &mut SeededChoices) -> (Vec<u8>, bool) {
    let mut lines: Vec<Vec<u8>> = good.iter().map(|line| line.clone().into_bytes()).collect();
    let mut below = |bound: usize| -> usize {
        usize::try_from(choices.below(u64::try_from(bound).unwrap())).unwrap()
    };
    let (at, other) = (below(lines.len()), below(lines.len()));
    match below(8) {
        // A file may begin with a later manifest than the first.
        0 => drop(lines.remove(at.max(1))),
        // And a manifest that occurs twice counts once.
        1 => {
            let line = lines[at.max(2)].clone();
            lines.insert(other, line);
        }
        2 => lines.swap(at, other),
        3 => {
            let end = below(lines[at].len());
            lines[at].truncate(end);
        }
        4 => {
            let from = below(lines[at].len());
            lines[at] = lines[at].split_off(from);
        }
        5 => {
            let line = lines[other].clone();
            lines[at].extend(line);
        }
        _ => {
            let place = below(lines[at].len());
            lines[at][place] ^= 1 << below(8);
        }
    }
    let text = lines.iter().flat_map(|line| [line.as_slice(), b"\n"].concat()).collect();
    // The key's id in a signature is a hint that no signature covers, and base64 without padding
    // has spare bits. So a changed line may still read as the same record.
    let record = |line: &[u8]| {
        let envelope = RecordEnvelope::parse(line).ok()?;
        Some((envelope.hash(), envelope.signatures().iter().map(|s| s.sig).collect::<Vec<_>>()))
    };
    let same = lines.len() == good.len()
        && lines.iter().zip(good).all(|(line, good)| record(line) == record(good.as_bytes()));
    (text, same)
}

#[test]
fn a_transcript_with_a_change_is_audited_and_does_not_match() {
    let casino = Casino::new();
    let records = play_chain(&casino, "strict", 2, 3);
    let reveal = [casino.reveal()];
    let all = casino.manifests.iter().chain(&records).chain(&reveal);
    let good: Vec<String> = transcript::write(all).lines().map(str::to_owned).collect();
    let audited = |text: &[u8]| audit(text, &casino.terms(), &Catalogue::shipped());
    assert_eq!(audited((good.join("\n") + "\n").as_bytes()).verdict(), AuditVerdict::Match);
    let mut first_to_fail = BTreeMap::<String, u32>::new();
    for seed in 0..1500 {
        let (text, same) = disturbed(&good, &mut SeededChoices(seed));
        let report = audited(&text);
        if same {
            continue;
        }
        if report.verdict() == AuditVerdict::Match {
            // A repeated ticket alone, or a repeated reveal, adds nothing.
            let lines: Vec<&str> = std::str::from_utf8(&text).unwrap().lines().collect();
            let mut once = good.clone();
            let repeated = (0..lines.len()).find(|at| {
                lines[..*at] == good[..*at] && good.get(*at).is_none_or(|g| g != lines[*at])
            });
            let repeated = repeated.unwrap();
            once.insert(repeated, lines[repeated].to_owned());
            assert_eq!(lines, once, "{seed}");
            let record = RecordEnvelope::parse(lines[repeated].as_bytes()).unwrap();
            let told_again = [RecordKind::Ticket, RecordKind::EpochReveal];
            assert!(told_again.contains(&record.kind()), "{seed}");
            continue;
        }
        assert_ne!(report.verdict(), AuditVerdict::Match, "{seed}");
        let failed = report.checks.iter().find(|check| check.status == CheckStatus::Failed);
        let code = failed.map_or("none".to_owned(), |check| format!("{:?}", check.code));
        *first_to_fail.entry(code).or_default() += 1;
    }
    // The form alone does not decide it.
    for code in ["Format", "Signatures", "Chain"] {
        assert!(first_to_fail.get(code).is_some_and(|count| *count > 5), "{first_to_fail:?}");
    }
}

fn lines(records: &[RecordEnvelope]) -> Vec<String> {
    records.iter().map(RecordEnvelope::to_line).collect()
}
