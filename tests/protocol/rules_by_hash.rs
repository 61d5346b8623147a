//! Rules are what their bytes are: a changed file is other rules, and a record stays with
//! the file that it was made under.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;

use casino::{Casino, RoundPlan};
use paigow_fairness::record::RecordEnvelope;
use paigow_fairness::seed::{house_way_hash, ruleset_hash};
use paigow_fairness::transcript;
use paigow_round::audit::{AuditReport, AuditVerdict, CheckCode, CheckStatus, audit};
use paigow_round::{
    Catalogue, Deal, DealStart, HandSetter, NamingFault, OpenRound, Reason, RefusalClass,
    SetHouseWay, Settle, VoidReason, Wagers,
};
use paigow_rules::game::{self, Ruleset};
use paigow_rules::house_way::{self, HouseWay};

fn ruleset(id: &str) -> &'static Ruleset {
    game::shipped().iter().find(|ruleset| ruleset.id() == id).unwrap()
}

/// Mike's under its own id with one byte more, as it may have been before an operator's
/// last edit.
fn older() -> Ruleset {
    Ruleset::parse(&format!("{}\n", ruleset("mikes").text())).unwrap()
}

fn catalogue_of(rulesets: Vec<Ruleset>) -> Catalogue {
    Catalogue::new(house_way::shipped().to_vec(), rulesets).unwrap()
}

fn audited(casino: &Casino, records: &[RecordEnvelope], catalogue: &Catalogue) -> AuditReport {
    let all = casino.manifests.iter().chain(records);
    audit(transcript::write(all).as_bytes(), &casino.terms(), catalogue)
}

fn check(report: &AuditReport, code: CheckCode) -> (CheckStatus, &str) {
    let check = report.checks.iter().find(|check| check.code == code).unwrap();
    (check.status, check.found.as_str())
}

#[test]
fn one_byte_changes_the_hash_of_a_ruleset_and_of_a_chart() {
    for ruleset in game::shipped() {
        let own = ruleset_hash(ruleset.id(), ruleset.text().as_bytes());
        let mut bytes = ruleset.text().as_bytes().to_vec();
        for place in (0..bytes.len()).step_by(97) {
            bytes[place] ^= 1;
            assert_ne!(ruleset_hash(ruleset.id(), &bytes), own, "{} byte {place}", ruleset.id());
            bytes[place] ^= 1;
        }
    }
    for way in house_way::shipped() {
        let own = house_way_hash(way.id(), way.text().as_bytes());
        let mut bytes = way.text().as_bytes().to_vec();
        for place in (0..bytes.len()).step_by(97) {
            bytes[place] ^= 1;
            assert_ne!(house_way_hash(way.id(), &bytes), own, "{} byte {place}", way.id());
            bytes[place] ^= 1;
        }
    }
}

#[test]
fn a_round_audits_with_the_file_that_it_was_dealt_under_and_with_no_other() {
    let casino = Casino::with_catalogue(catalogue_of(vec![older()]));
    let records = casino.play(&RoundPlan::random("locked", 1, None, 51));

    for old_at_hand in
        [catalogue_of(vec![older()]), catalogue_of(vec![ruleset("mikes").clone(), older()])]
    {
        let report = audited(&casino, &records, &old_at_hand);
        assert_eq!(report.verdict(), AuditVerdict::Pending, "{:?}", report.checks);
        assert_eq!(check(&report, CheckCode::Results).0, CheckStatus::Passed);
    }
    // The new file has the same id and another hash.
    let report = audited(&casino, &records, &Catalogue::shipped());
    assert_eq!(report.verdict(), AuditVerdict::Incomplete);
    let (status, found) = check(&report, CheckCode::Results);
    let hash = ruleset_hash("mikes", older().text().as_bytes()).to_string();
    assert_eq!(status, CheckStatus::Skipped);
    assert!(found.contains(&hash), "{found}");
}

#[test]
fn a_round_audits_with_the_chart_that_it_was_set_by() {
    // The chart with one byte more, and the ruleset that names it by its new hash.
    let shipped = house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap();
    let chart = HouseWay::parse(&format!("{}\n", shipped.text())).unwrap();
    let hash = |way: &HouseWay| house_way_hash(way.id(), way.text().as_bytes()).to_string();
    let rules = ruleset("mikes").text().replace(&hash(shipped), &hash(&chart));
    let rules = Ruleset::parse(&rules).unwrap();
    let own = || Catalogue::new(vec![chart.clone()], vec![rules.clone()]).unwrap();
    let casino = Casino::with_catalogue(own());
    let records = casino.play(&RoundPlan::random("locked", 1, None, 51));
    assert_eq!(audited(&casino, &records, &own()).verdict(), AuditVerdict::Pending);
    let report = audited(&casino, &records, &Catalogue::shipped());
    assert_eq!(report.verdict(), AuditVerdict::Incomplete);
    assert_eq!(check(&report, CheckCode::Results).0, CheckStatus::Skipped);
}

#[test]
fn rules_that_are_listed_and_not_loaded_are_refused_where_they_are_needed_and_a_void_needs_none() {
    let old = Casino::with_catalogue(catalogue_of(vec![older()]));
    let hash = ruleset_hash("mikes", older().text().as_bytes()).to_string();
    let plan = RoundPlan::random("locked", 1, None, 51);
    let dealt = old.deal(&plan);

    // The same manifests, after the file was deleted.
    let new = Casino {
        context: paigow_round::RoundContext {
            catalogue: Catalogue::shipped(),
            ..old.context.clone()
        },
        ..old.clone()
    };
    let call = new.call("locked");
    let open = |ruleset: &str, epoch| {
        let request = OpenRound { ruleset: ruleset.to_owned(), epoch, ..new.open(&plan) };
        paigow_engine::open_round(
            &new.context,
            &new.keys,
            &call,
            &request,
            &mut casino::entropy(&plan),
        )
        .unwrap_err()
    };
    for name in [hash.as_str(), "mikes"] {
        let refused = open(name, Some(casino::EPOCH));
        assert_eq!(refused.reason, Reason::RulesetNotLoaded);
        assert!(refused.message.contains(&hash), "{refused}");
        // A fault that every replica finds comes first.
        assert_eq!(open(name, Some(99)).reason, Reason::FieldInvalid);
        let set = SetHouseWay { by: HandSetter::Ruleset(name.to_owned()), hands: Vec::new() };
        let refused = new.context.set_house_way(&set).unwrap_err();
        assert_eq!(refused.reason, Reason::RulesetNotLoaded);
    }
    for unlisted in ["express", "none", &"00".repeat(32)] {
        let refused = open(unlisted, Some(casino::EPOCH));
        assert_eq!(
            (refused.reason, refused.violations[0].field.as_str()),
            (Reason::Ruleset, "ruleset")
        );
    }
    assert_eq!(Reason::RulesetNotLoaded.class(), RefusalClass::Unavailable);
    let [ticket, lock, _] = dealt.records.clone();
    let request = Deal {
        start: DealStart::Ticket(ticket),
        wagers: Wagers::Lock(lock),
        beacon_signature: None,
    };
    let refused =
        paigow_engine::deal(&new.context, &new.keys, &call, &request, &mut casino::entropy(&plan))
            .unwrap_err();
    assert_eq!(refused.reason, Reason::RulesetNotLoaded);
    let settle = |casino: &Casino, request: &Settle| {
        paigow_engine::settle(&casino.context, &casino.keys, &call, request)
            .map(|answer| answer.records)
    };
    let request = old.settle_request(&plan, &dealt);
    assert_eq!(settle(&new, &request).unwrap_err().reason, Reason::RulesetNotLoaded);
    for count in 1..=3 {
        let void = old.void_request(&plan, &dealt.records[..count], VoidReason::Equipment);
        let voided = |casino: &Casino| {
            paigow_engine::void_round(&casino.context, &casino.keys, &call, &void).unwrap().records
        };
        assert_eq!(voided(&new), voided(&old));
    }
}

#[test]
fn a_name_that_nothing_or_two_files_have_is_refused_with_what_there_is() {
    let unknown = Catalogue::shipped().game_named("express-8").unwrap_err();
    assert!(matches!(unknown, NamingFault::Unknown { .. }));
    let told = unknown.to_string();
    let nearest = "unknown ruleset \"express-8\"; available: express-2, express-3, express-4";
    assert!(told.starts_with(nearest), "{told}");

    let both = catalogue_of(vec![ruleset("mikes").clone(), older()]);
    let told = both.game_named("mikes").unwrap_err().to_string();
    for text in [ruleset("mikes").text(), older().text()] {
        let hash = ruleset_hash("mikes", text.as_bytes()).to_string();
        assert!(told.contains(&hash), "{told}");
        assert_eq!(both.game_named(&hash).unwrap().ruleset.text(), text);
    }
    // A manifest lists one of them under the name, which is then the one meant.
    let casino = Casino::with_catalogue(catalogue_of(vec![older()]));
    let manifest = &casino.context.manifests.newest().manifest;
    assert_eq!(both.game_listed(manifest, "mikes").unwrap().ruleset.text(), older().text());
}

#[test]
fn rules_that_do_not_go_together_say_what_to_change() {
    let mikes = ruleset("mikes").text();
    let hash = |id: &str| {
        let way = house_way::shipped().iter().find(|way| way.id() == id).unwrap();
        house_way_hash(id, way.text().as_bytes()).to_string()
    };
    let told = |file: &str, ways: Vec<HouseWay>| -> Vec<String> {
        let faults = Catalogue::new(ways, vec![Ruleset::parse(file).unwrap()]).unwrap_err();
        faults.iter().map(ToString::to_string).collect()
    };
    let shipped = || house_way::shipped().to_vec();
    let named = format!("house_way = {{ id = \"mikes\", hash = \"{}\" }}", hash("mikes"));
    assert!(mikes.contains(&named));

    // A six-card house way on a seven-card game.
    let mini = format!("house_way = {{ id = \"mini\", hash = \"{}\" }}", hash("mini"));
    assert_eq!(
        told(&mikes.replace(&named, &mini), shipped()),
        ["mikes.house_way: mini sets hands of 6 cards, and the ruleset deals 7: name a house way \
          for 7"]
    );
    // One way's hash under another's id.
    let crossed = format!("house_way = {{ id = \"mikes\", hash = \"{}\" }}", hash("foxwoods"));
    assert_eq!(
        told(&mikes.replace(&named, &crossed), shipped()),
        ["mikes.house_way: the hash is of foxwoods, not of mikes"]
    );
    // A chart that was edited after the ruleset had named it.
    let way = house_way::shipped().iter().find(|way| way.id() == "mikes").unwrap();
    let edited = HouseWay::parse(&format!("{}\n", way.text())).unwrap();
    let edited_hash = house_way_hash("mikes", edited.text().as_bytes());
    assert_eq!(
        told(mikes, vec![edited]),
        [format!(
            "mikes.house_way: no house way mikes with hash {}: the loaded file has {edited_hash}",
            hash("mikes")
        )]
    );
    // Another rank of A-2-3-4-5.
    assert_eq!(
        told(&mikes.replace("wheel = \"second\"", "wheel = \"lowest\""), shipped()),
        ["mikes.house_way: ranks A-2-3-4-5 unlike the ruleset"]
    );
}
