//! Audits rounds one by one and as one file. For rounds forged in many ways, both name the same
//! checks, lines and values.

use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_round::Catalogue;
use paigow_round::audit::{
    AuditVerdict, Auditor, BulkFinding, CheckCode, CheckStatus, RoundWindow, audit,
};

use crate::replay_all::casino::{Casino, SeededChoices, TENANTS, key, receipt_key};
use crate::replay_all::play;

/// The first failure of every check, and whether it was skipped anywhere.
type Noted = Vec<(CheckCode, Option<(Option<usize>, String, String)>, bool)>;

/// The lines of a round with their numbers, and whether it follows another round without a gap.
type Cut<'a> = (Vec<(usize, &'a [u8])>, bool);

/// Audits round by round, as `paigow-lab replay-all` does.
fn one_by_one(casino: &Casino, records: &[RecordEnvelope]) -> (AuditVerdict, Noted) {
    let catalogue = Catalogue::shipped();
    let of_the_input = |record: &RecordEnvelope| {
        matches!(record.kind(), RecordKind::Manifest | RecordKind::EpochReveal)
    };
    let numbered = || (1_usize..).zip(records);
    let known = numbered().filter(|(_, record)| of_the_input(record));
    let known = known.map(|(number, record)| (number, record.clone())).collect();
    let terms = casino.terms();
    let auditor = Auditor::new(known, &terms, &catalogue);
    let lines: Vec<(usize, String)> =
        numbered().map(|(number, record)| (number, record.to_line())).collect();
    let mut rounds: Vec<Cut<'_>> = Vec::new();
    let mut in_round = false;
    for ((number, line), record) in lines.iter().zip(records) {
        if of_the_input(record) {
            in_round = false;
            continue;
        }
        if !in_round || record.kind() == RecordKind::Ticket {
            rounds.push((Vec::new(), in_round));
        }
        in_round = true;
        rounds.last_mut().unwrap().0.push((*number, line.as_bytes()));
    }
    let mut window = RoundWindow::default();
    let (mut all, mut verdicts): (Vec<BulkFinding>, _) = (auditor.found().to_vec(), Vec::new());
    for (lines, follows) in &rounds {
        let round = window.add(&auditor, lines, *follows, auditor.round(lines));
        verdicts.push(auditor.conclusion(&round).reason.verdict());
        all.extend(round.found);
    }
    let noted = CheckCode::ALL.iter().map(|code| {
        let of_code = || all.iter().filter(|found| found.code == *code);
        let failed = of_code().find(|found| found.status == CheckStatus::Failed);
        let failed = failed.map(|f| (f.line, f.expected.clone(), f.found.clone()));
        (*code, failed, of_code().any(|found| found.status == CheckStatus::Skipped))
    });
    let noted: Noted = noted.collect();
    let failed = noted.iter().any(|(_, failed, _)| failed.is_some());
    let some = |verdict| verdicts.contains(&verdict);
    let verdict = if failed {
        AuditVerdict::Mismatch
    } else if verdicts.is_empty()
        || some(AuditVerdict::Incomplete)
        || window.first_gap().is_some()
        || window.unclosed().reason.is_some()
    {
        AuditVerdict::Incomplete
    } else if some(AuditVerdict::Pending) {
        AuditVerdict::Pending
    } else {
        AuditVerdict::Match
    };
    (verdict, noted)
}

/// Compares both audits of some records, and returns the first code that failed.
fn compare(casino: &Casino, records: &[RecordEnvelope], what: &str) -> Option<CheckCode> {
    let text = transcript::write(records);
    let report = audit(text.as_bytes(), &casino.terms(), &Catalogue::shipped());
    let (verdict, noted) = one_by_one(casino, records);
    assert_eq!(verdict, report.verdict(), "{what}");
    let refused = report.code() == Some(CheckCode::Format);
    for (check, (code, failed, skipped)) in report.checks.iter().zip(noted) {
        assert_eq!(check.code, code);
        if refused && code != CheckCode::Format {
            // FORMAT has refused the file, so no further check runs.
            continue;
        }
        match check.status {
            CheckStatus::Failed => {
                let (line, expected, found) = failed.unwrap_or_else(|| panic!("{what}: {check:?}"));
                assert_eq!(
                    (&expected, &found),
                    (&check.expected, &check.found),
                    "{what}: {code:?}"
                );
                let line = line.map_or(String::new(), |line| format!("line {line}"));
                assert!(check.place.ends_with(&line), "{what}: {code:?} {} {line}", check.place);
            }
            CheckStatus::Skipped => assert!(failed.is_none(), "{what}: {code:?} {failed:?}"),
            CheckStatus::Passed => {
                assert!(failed.is_none() && !skipped, "{what}: {code:?} {failed:?}")
            }
        }
    }
    report.code()
}

fn whole(casino: &Casino, rounds: &[Vec<RecordEnvelope>]) -> Vec<RecordEnvelope> {
    [casino.manifests.clone(), rounds.concat(), vec![casino.reveal()]].concat()
}

/// The payload of `record` with another number or word. Its engine signs it again.
fn resealed(record: &RecordEnvelope, choices: &mut SeededChoices) -> Option<RecordEnvelope> {
    let text = String::from_utf8(record.json().unwrap().to_bytes()).unwrap();
    let places: Vec<usize> =
        text.match_indices(|c: char| c.is_ascii_digit()).map(|m| m.0).collect();
    let at = places[usize::try_from(choices.below(places.len() as u64)).unwrap()];
    let mut bytes = text.into_bytes();
    bytes[at] = b'0' + (bytes[at] - b'0' + 1) % 10;
    let payload = paigow_fairness::json::Json::parse(&bytes).ok()?;
    Some(RecordEnvelope::seal(record.kind(), &payload, &[&receipt_key()]))
}

#[test]
fn untouched_rounds_of_every_policy_come_to_the_same() {
    let casino = Casino::new();
    for tenant in TENANTS {
        let rounds = play(&casino, tenant, 14, 3);
        assert_eq!(compare(&casino, &whole(&casino, &rounds), tenant), None);
        compare(&casino, &rounds.concat(), "no manifest");
        compare(&casino, &casino.manifests, "no round");
    }
}

#[test]
fn every_record_left_out_doubled_or_moved_is_told_alike() {
    let casino = Casino::new();
    for tenant in ["base", "strict"] {
        let records = whole(&casino, &play(&casino, tenant, 4, 5));
        for i in 0..records.len() {
            let mut less = records.clone();
            let out = less.remove(i);
            compare(&casino, &less, &format!("{tenant}: without {}", i + 1));
            let mut doubled = records.clone();
            doubled.insert(i, out.clone());
            compare(&casino, &doubled, &format!("{tenant}: {} doubled", i + 1));
            less.insert(less.len().min(i + 3), out);
            compare(&casino, &less, &format!("{tenant}: {} moved", i + 1));
        }
    }
}

#[test]
fn altered_records_are_told_alike_whoever_signs_them() {
    let casino = Casino::new();
    let mut choices = SeededChoices(11);
    let mut codes = std::collections::BTreeSet::new();
    for tenant in ["base", "seats"] {
        let records = whole(&casino, &play(&casino, tenant, 5, 7));
        for turn in 0..6 {
            for i in 0..records.len() {
                let Some(other) = resealed(&records[i], &mut choices) else { continue };
                let mut altered = records.clone();
                altered[i] = other;
                let what = format!("{tenant}: {} altered, {turn}", i + 1);
                codes.extend(compare(&casino, &altered, &what));
            }
        }
    }
    // The forgeries are of many kinds.
    assert!(codes.len() >= 8, "{codes:?}");
}

#[test]
fn forks_and_broken_chains_between_rounds_are_told_alike() {
    let casino = Casino::new();
    let rounds = play(&casino, "base", 4, 9);
    let others = play(&casino, "base", 4, 10);
    // The same places with other cards: each round has two closes.
    let both = [rounds.clone(), others.clone()].concat();
    assert_eq!(compare(&casino, &whole(&casino, &both), "two chains"), Some(CheckCode::NoFork));
    // A round of one chain after the other chain.
    let mixed = [rounds[..2].to_vec(), others[2..].to_vec()].concat();
    assert_eq!(compare(&casino, &whole(&casino, &mixed), "mixed"), Some(CheckCode::Genesis));
    let twice = [rounds.clone(), rounds[1..2].to_vec()].concat();
    assert_eq!(compare(&casino, &whole(&casino, &twice), "one round twice"), None);
    let gap = [rounds[..1].to_vec(), rounds[2..].to_vec()].concat();
    assert_eq!(compare(&casino, &whole(&casino, &gap), "a round is missing"), None);
    let late = [casino.manifests[..1].to_vec(), rounds.concat(), casino.manifests.clone()].concat();
    assert_eq!(compare(&casino, &late, "a manifest below"), Some(CheckCode::ManifestLink));
    let stranger =
        RecordEnvelope::seal(RecordKind::Manifest, &casino.manifest().json().unwrap(), &[&key(9)]);
    let strange = [vec![stranger], rounds.concat()].concat();
    assert_eq!(compare(&casino, &strange, "a stranger's"), Some(CheckCode::ManifestSig));
}

#[test]
fn beyond_the_window_a_fork_is_not_seen_and_within_it_is() {
    let casino = Casino::new();
    let catalogue = Catalogue::shipped();
    let known = (1..).zip(casino.manifests.clone()).collect();
    let terms = casino.terms();
    let auditor = Auditor::new(known, &terms, &catalogue);
    let lines_of = |round: &[RecordEnvelope]| -> Vec<String> {
        round.iter().map(RecordEnvelope::to_line).collect()
    };
    let (ours, fork) = (play(&casino, "dev", 3, 1), play(&casino, "dev", 1, 2));
    let [first, filler, other] = [&ours[0], &ours[2], &fork[0]].map(|round| lines_of(round));
    let audited = |lines: &[String], window: &mut RoundWindow| -> Vec<(CheckCode, CheckStatus)> {
        let lines: Vec<(usize, &[u8])> = (10..).zip(lines.iter().map(String::as_bytes)).collect();
        let round = window.add(&auditor, &lines, false, auditor.round(&lines));
        round.found.iter().map(|found| (found.code, found.status)).collect()
    };
    // One found round stands for many, because the window keeps the same of each.
    let filler: Vec<(usize, &[u8])> = (10..).zip(filler.iter().map(String::as_bytes)).collect();
    let found = auditor.round(&filler);
    for (between, expected) in
        [(RoundWindow::ROUNDS - 1, CheckStatus::Failed), (RoundWindow::ROUNDS, CheckStatus::Passed)]
    {
        let mut window = RoundWindow::default();
        audited(&first, &mut window);
        for _ in 0..between {
            drop(window.add(&auditor, &filler, false, found.clone()));
        }
        let codes = audited(&other, &mut window);
        assert!(codes.contains(&(CheckCode::NoFork, expected)), "{between}: {codes:?}");
    }
}
