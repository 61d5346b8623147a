//! A later version keeps every fact that a released version froze.

use std::collections::BTreeSet;
use std::fs;

use paigow_fairness::manifest::{ALGO, Suite};
use paigow_fairness::record::RecordKind;
use paigow_fairness::seed::{house_way_hash, ruleset_hash};
use paigow_round::audit::{CLAIMS, CheckCode};
use paigow_round::{ENGINE_ID, VoidReason};
use paigow_rules::{game, house_way};
use sha2::{Digest, Sha256};

use crate::docs::markdown::{rows, sections};
use crate::docs::{read, root};

/// Returns the lists that `tests/frozen` wrote: name and text, one for each version.
fn lists() -> Vec<(String, String)> {
    let folder = root().join("tests/vectors");
    let mut lists: Vec<(String, String)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with("frozen-"))
        .map(|name| {
            let text = read(&format!("tests/vectors/{name}"));
            (name, text)
        })
        .collect();
    lists.sort();
    lists
}

/// Returns the members of the records. A page lists them, and another test compares it with the code.
fn members() -> BTreeSet<String> {
    let mut members = BTreeSet::new();
    for (heading, text) in sections(&read("docs/protocol/members.md")) {
        if text.contains("| member | type |") {
            members.extend(rows(&text).iter().map(|row| {
                let plain = |cell: &str| cell.replace('`', "");
                format!("member {heading}: {}: {}", plain(&row[0]), plain(&row[1]))
            }));
        }
    }
    members
}

/// Returns the settings and their kinds. Another test compares the page with the code.
fn settings() -> Vec<String> {
    let rows = rows(&read("docs/operate/settings.md"));
    rows.iter().map(|row| format!("setting {} {}", row[0].trim_matches('`'), row[2])).collect()
}

/// Returns the facts of this tree, each as a line of a list.
fn present() -> BTreeSet<String> {
    let suites = [Suite::Derived, Suite::Fresh, Suite::Vrf].map(Suite::name);
    let mut facts = members();
    facts.extend(settings());
    facts.extend([format!("protocol {ALGO}"), format!("engine {ENGINE_ID}")]);
    facts.extend(suites.iter().map(|suite| format!("suite {suite}")));
    facts.extend(game::shipped().iter().map(|ruleset| {
        let hash = ruleset_hash(ruleset.id(), ruleset.text().as_bytes());
        format!("ruleset {} {hash}", ruleset.id())
    }));
    facts.extend(house_way::shipped().iter().map(|way| {
        let hash = house_way_hash(way.id(), way.text().as_bytes());
        format!("house-way {} {hash}", way.id())
    }));
    facts.extend(RecordKind::ALL.iter().map(|kind| format!("record {}", kind.name())));
    facts.extend(VoidReason::ALL.iter().map(|reason| format!("void {}", reason.name())));
    facts.extend(CheckCode::ALL.iter().map(|check| format!("check {}", check.name())));
    facts.extend(CLAIMS.iter().map(|claim| format!("claim {}", claim.name)));
    facts
}

/// Returns whether a file of the conformance kit begins with the cases of a line. Others may follow.
fn has_cases(line: &str) -> bool {
    let words: Vec<&str> = line.split(' ').collect();
    let text = read(&format!("verifiers/conformance/{}", words[1]));
    let count: usize = words[2].parse().unwrap();
    let first: String = text.split_inclusive('\n').take(count).collect();
    text.lines().count() >= count && hex::encode(Sha256::digest(first)) == words[3]
}

#[test]
fn each_fact_that_a_version_froze_still_holds() {
    let present = present();
    let lists = lists();
    assert!(!lists.is_empty());
    for (name, list) in &lists {
        let (kit, facts): (Vec<&str>, Vec<&str>) =
            list.lines().partition(|line| line.starts_with("kit "));
        let lost: Vec<&&str> = facts.iter().filter(|fact| !present.contains(**fact)).collect();
        assert!(lost.is_empty(), "{name}: {lost:#?}");
        for line in kit {
            assert!(has_cases(line), "{name}: {line}");
        }
    }
}

#[test]
fn a_list_has_facts_of_every_kind() {
    for (name, list) in lists() {
        let count =
            |kind: &str| list.lines().filter(|line| line.split(' ').next() == Some(kind)).count();
        let least = [
            ("protocol", 1),
            ("engine", 1),
            ("suite", 3),
            ("ruleset", 25),
            ("house-way", 10),
            ("record", 9),
            ("member", 230),
            ("void", 6),
            ("check", 31),
            ("claim", 11),
            ("kit", 10),
            ("setting", 67),
        ];
        for (kind, least) in least {
            assert!(count(kind) >= least, "{name}: {kind}: {}", count(kind));
        }
    }
}

#[test]
fn a_frozen_kind_of_record_gets_no_new_member() {
    // Another member is another version of the kind.
    let kind = |member: &str| member.split(": ").next().unwrap().to_owned();
    for (name, list) in lists() {
        let frozen: BTreeSet<&str> =
            list.lines().filter(|line| line.starts_with("member ")).collect();
        let kinds: BTreeSet<String> = frozen.iter().map(|member| kind(member)).collect();
        let new: Vec<String> = members()
            .into_iter()
            .filter(|member| kinds.contains(&kind(member)) && !frozen.contains(member.as_str()))
            .collect();
        assert!(new.is_empty(), "{name}: {new:#?}");
    }
}
