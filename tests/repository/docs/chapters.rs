//! The chapters for laboratories against the code that they describe.

use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use paigow_fairness::manifest::ManifestRule;
use paigow_fairness::record::RecordKind;
use paigow_round::audit::{CLAIMS, CLAIMS_FILE, CheckCode};
use paigow_round::{Reason, VoidReason};

use crate::docs::cited::is_test;
use crate::docs::markdown::{first_cells, links, quoted, sections, table};
use crate::docs::read;

/// The pages that describe the checks of an audit, in their order.
const CHECKS: [&str; 3] = ["checks-records", "checks-outcome", "checks-epoch"];

const CHAPTERS: [&str; 7] =
    ["rng", "maths", "records", "verifier", CHECKS[0], CHECKS[1], CHECKS[2]];

fn page(name: &str) -> String {
    let folder = match name {
        "records" => "protocol",
        "verifier" | "checks-records" | "checks-outcome" | "checks-epoch" => "verify",
        "rng" | "maths" => "certify",
        _ => panic!("no chapter {name}"),
    };
    format!("docs/{folder}/{name}.md")
}

fn chapter(name: &str) -> String {
    read(&page(name))
}

/// The sections of the pages on the checks.
fn sections_on_checks() -> Vec<(String, String)> {
    CHECKS.iter().flat_map(|name| sections(&chapter(name))).collect()
}

#[test]
fn every_section_names_code_and_what_holds_it() {
    // Lists of members, which a test of this file compares, and what only introduces others.
    let exempt = ["Members", "Types", "Reasons for a void", "The checks", "Known limits"];
    let mut wrong = Vec::new();
    for name in CHAPTERS {
        // The title and the text below it introduce the rest.
        for (heading, text) in sections(&chapter(name)).split_off(2) {
            let says = text.lines().any(|line| !line.is_empty() && !line.starts_with('|'));
            if !says || exempt.contains(&heading.as_str()) {
                continue;
            }
            let quoted = quoted(&text);
            let is_forged = text.contains("\nForged:\n");
            let is_source = |q: &String| q.starts_with("src/") || q.starts_with("crates/");
            let code = quoted.iter().any(is_source)
                || links(&text).iter().any(|link| link.target.ends_with(".rs"));
            // A test is named in a file of tests, or in a source after two colons.
            let held = quoted.iter().any(|q| {
                q.split_once("::")
                    .is_some_and(|(path, item)| path.ends_with(".rs") && is_test(&read(path), item))
            });
            let is_list = text.contains("| member | type |");
            if !(code && (held || is_list || is_forged)) && !text.contains("assert_eq!") {
                wrong.push(format!("{name}: {heading}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_checks_of_an_audit_are_those_of_the_code_in_their_order() {
    let names: BTreeSet<&str> = CheckCode::ALL.iter().map(|code| code.name()).collect();
    let sections = sections_on_checks();
    let headings: Vec<&str> = sections
        .iter()
        .map(|(heading, _)| heading.as_str())
        .filter(|heading| names.contains(heading))
        .collect();
    assert_eq!(headings, CheckCode::ALL.iter().map(|code| code.name()).collect::<Vec<_>>());
    assert_eq!(names.len(), headings.len());
}

#[test]
fn the_forgeries_under_each_check_are_those_of_the_tests() {
    let mut tested: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for path in [
        "tests/protocol/tamper.rs",
        "tests/protocol/tamper/vrf.rs",
        "tests/protocol/tamper/beacons.rs",
    ] {
        let source = read(path);
        let (_, forgeries) = source.split_once("const FORGERIES").unwrap();
        let (forgeries, _) = forgeries.split_once("\n];").unwrap();
        for (at, _) in forgeries.match_indices("Code::") {
            let (before, after) = forgeries.split_at(at);
            let name = before.rsplit('"').nth(1).unwrap();
            let code = after["Code::".len()..].split(',').next().unwrap();
            tested.entry(code.to_owned()).or_default().push(name.to_owned());
        }
    }
    let sections: BTreeMap<String, String> = sections_on_checks().into_iter().collect();
    for code in CheckCode::ALL {
        let text = &sections[code.name()];
        let Some((_, listed)) = text.split_once("\nForged:\n\n") else {
            assert!(text.contains("This check never fails"), "{}", code.name());
            continue;
        };
        let listed: Vec<&str> = listed.lines().map_while(|line| line.strip_prefix("- ")).collect();
        assert_eq!(listed, tested[&format!("{code:?}")], "{}", code.name());
    }
}

#[test]
fn words_in_capitals_are_words_of_the_code() {
    let statuses = ["UNAVAILABLE", "INTERNAL", "FAILED_PRECONDITION", "INVALID_ARGUMENT"];
    let known: BTreeSet<&str> = CheckCode::ALL
        .iter()
        .map(|code| code.name())
        .chain(Reason::ALL.iter().map(|reason| reason.as_str()))
        .chain(statuses)
        .chain(ManifestRule::ALL.iter().map(|rule| rule.name()))
        // A fault of a manifest.
        .chain(["UNSUPPORTED"])
        .collect();
    let pages = CHAPTERS.map(page);
    let pages = pages.iter().map(String::as_str);
    for name in pages.chain(["README.md", "docs/design/guarantees.md"]) {
        let text = read(name);
        for token in quoted(&text) {
            let is_linked = text.contains(&format!("[`{token}`]("));
            let is_word = !is_linked
                && token.len() > 4
                && token.bytes().all(|b| b.is_ascii_uppercase() || b == b'_')
                && token.bytes().any(|b| b.is_ascii_uppercase());
            assert!(!is_word || known.contains(token.as_str()), "{name}: {token}");
        }
    }
}

#[test]
fn the_rules_for_manifests_are_those_of_the_code() {
    let rules: Vec<String> =
        ManifestRule::ALL.iter().map(|rule| format!("`{}`", rule.name())).collect();
    let cells = first_cells(&table(&page("checks-records"), "MANIFEST_RULES"));
    let cells: Vec<String> =
        cells.iter().map(|cell| format!("`{}`", cell.trim_matches('`'))).collect();
    assert_eq!(cells, rules);
}

#[test]
fn the_kinds_of_records_are_those_of_the_code() {
    let kinds: Vec<&str> = RecordKind::ALL.iter().map(|kind| kind.name()).collect();
    assert_eq!(first_cells(&table(&page("records"), "Kinds")), kinds);
}

#[test]
fn the_reasons_for_a_void_are_those_of_the_code() {
    let reasons: Vec<&str> = VoidReason::ALL.iter().map(|reason| reason.name()).collect();
    assert_eq!(first_cells(&table(&page("records"), "Reasons for a void")), reasons);
}

#[test]
fn every_requirement_on_randomness_has_an_answer() {
    let asked: Vec<String> = (1..=18).map(|n: u32| n.to_string()).collect();
    let rows = table(&page("rng"), "Requirements, clause by clause");
    assert_eq!(first_cells(&rows), asked);
    assert!(rows.iter().all(|row| row.len() == 5 && !row[2].is_empty()));
}

/// The published vectors, the payloads of the example read out.
fn published() -> String {
    let mut text = read("tests/vectors/fairness.json");
    for line in read("tests/vectors/transcript-example.jsonl").lines() {
        let envelope: serde_json::Value = serde_json::from_str(line).unwrap();
        let payload = envelope["payload"].as_str().unwrap();
        let payload = base64::engine::general_purpose::STANDARD.decode(payload).unwrap();
        text.push_str(&String::from_utf8(payload).unwrap());
    }
    let kit = read("verifiers/conformance/records.jsonl");
    let case: serde_json::Value = serde_json::from_str(kit.lines().next().unwrap()).unwrap();
    let lines: Vec<&str> = case["input"]["transcript"]
        .as_array()
        .unwrap()
        .iter()
        .map(|l| l.as_str().unwrap())
        .collect();
    for record in paigow_fairness::transcript::parse(lines.join("\n").as_bytes()).unwrap() {
        text.push_str(&record.hash().to_hex());
        text.push_str(std::str::from_utf8(record.payload()).unwrap());
    }
    // The key of the example's root is beside it, not in it.
    text + "c69f9bc0a8090f7c2c6e5e4cff53c93e3e22d50ec49108d5cc49ed82f4f6709f"
}

#[test]
fn every_worked_number_is_a_published_one() {
    let published = published();
    let mut long = 0;
    for name in CHAPTERS {
        let text = chapter(name);
        for run in text.split(|c: char| !matches!(c, '0'..='9' | 'a'..='f')) {
            if run.len() >= 24 && run.bytes().any(|b| b.is_ascii_digit()) {
                assert!(published.contains(run), "{name}: {run}");
                long += 1;
            }
        }
    }
    assert!(long >= 12, "{long} numbers");
    // The short ones of the replayed round.
    let vectors: serde_json::Value =
        serde_json::from_str(&read("tests/vectors/fairness.json")).unwrap();
    let round = &vectors["rounds"][0]["out"];
    let words: Vec<u64> = round["deck_keystream_words_0_7"]
        .as_array()
        .unwrap()
        .iter()
        .map(|word| word.as_u64().unwrap())
        .collect();
    let replayed = chapter("checks-outcome");
    for word in &words[..3] {
        assert!(replayed.contains(&word.to_string()), "{word}");
    }
    let deck: Vec<u64> =
        round["deck"].as_array().unwrap().iter().map(|card| card.as_u64().unwrap()).collect();
    assert_eq!((words[0] % 53, 1 + words[1] % 52), (deck[0], deck[1]));
    assert_eq!((deck[0], deck[1]), (31, 23), "as the chapter says");
    assert!(round["deck_cards"].as_str().unwrap().starts_with("7h Qd "));
}

#[test]
fn the_seeds_outnumber_the_decks() {
    // 53! in limbs of 32 bits, the lowest first.
    let mut limbs = vec![1_u64];
    for factor in 2..=53 {
        let mut carry = 0;
        for limb in &mut limbs {
            let product = *limb * factor + carry;
            *limb = product & 0xffff_ffff;
            carry = product >> 32;
        }
        if carry > 0 {
            limbs.push(carry);
        }
    }
    let bits = 32 * (limbs.len() - 1) + (64 - limbs.last().unwrap().leading_zeros() as usize);
    assert_eq!(bits, 232, "at least 2^231 and below 2^232");
}

#[test]
fn a_deck_rejects_a_word_as_rarely_as_stated() {
    let words = 1_u64 << 32;
    let rejected: u64 = (2..=53).map(|bound| words % bound).sum();
    assert_eq!((rejected, words / rejected), (636, 6_753_093));
    let text = chapter("rng");
    assert!(text.contains("6,753,093") && text.contains("636"));
}

#[test]
fn the_dice_name_positions_as_often_as_stated() {
    let mut positions = [0; 7];
    for throw in 0..216 {
        let sum = 3 + throw % 6 + throw / 6 % 6 + throw / 36;
        positions[(sum - 1) % 7] += 1;
    }
    positions.sort_unstable();
    assert_eq!(positions, [30, 31, 31, 31, 31, 31, 31]);
}

#[test]
fn the_guarantees_are_the_claims_of_an_audit() {
    let page = read("docs/design/guarantees.md");
    for claim in CLAIMS.iter() {
        let checks: Vec<String> =
            claim.checks.iter().map(|check| format!("`{}`", check.code.name())).collect();
        let row = format!("| `{}` | {} | {} |\n", claim.name, claim.shows, checks.join(", "));
        assert!(page.contains(&row), "no row {row}");
    }
    assert_eq!(page.matches("\n| `").count(), CLAIMS.len());
    let file: serde_json::Value = serde_json::from_str(CLAIMS_FILE).unwrap();
    for open in file["always_open"].as_array().unwrap() {
        assert!(page.contains(&format!("\n- {}\n", open.as_str().unwrap())), "{open}");
    }
}
