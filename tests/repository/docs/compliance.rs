//! The compliance matrix: its items, what they cite, and the page that is written from them.

use std::fmt::Write as _;

use crate::docs::cited::is_test;
use crate::docs::generated::{cell, hold, origin};
use crate::docs::{files, read, root};

const SOURCE: &str = "docs/certify/compliance.toml";
const PAGE: &str = "docs/certify/compliance.md";

/// The statuses, each with what it says.
const STATUSES: [(&str, &str); 4] = [
    (
        "satisfied",
        "The engine's part is done. The platform's part of an item that both own is not judged",
    ),
    ("partly", "A part is done, and the sentence says which is missing"),
    ("not", "Nothing meets it"),
    ("platform", "The platform or the operator has to do it"),
];

const LEVELS: [(&str, &str); 3] = [("M", "must"), ("S", "should"), ("N", "nice to have")];

const OWNERS: [(&str, &str); 5] = [
    ("E", "engine"),
    ("P", "platform or operator"),
    ("E+P", "both"),
    ("B", "build and release"),
    ("E+B", "engine and build"),
];

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Matrix {
    item: Vec<Item>,
}

#[derive(serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    number: usize,
    area: String,
    requirement: String,
    source: Option<String>,
    level: String,
    owner: String,
    status: String,
    #[serde(rename = "where")]
    places: Vec<String>,
    tests: Vec<String>,
    note: String,
}

fn matrix() -> Vec<Item> {
    let matrix: Matrix = toml::from_str(&read(SOURCE)).unwrap();
    matrix.item
}

fn is_one_of(word: &str, words: &[(&str, &str)]) -> bool {
    words.iter().any(|(known, _)| *known == word)
}

/// Says what is wrong with a place, if anything is.
fn place_fault(place: &str) -> Option<String> {
    let (path, item) = place.split_once("::").unwrap_or((place, ""));
    if !root().join(path).exists() {
        return Some(format!("no file {path}"));
    }
    let is_word = |source: &str| {
        source.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == item)
    };
    (!item.is_empty() && !is_word(&read(path))).then(|| format!("{path} has no {item}"))
}

/// Says what is wrong with a test, if anything is. A script has to be run by a test of Rust.
fn test_fault(test: &str, sources: &[String]) -> Option<String> {
    if let Some((path, name)) = test.split_once("::") {
        let is_there = root().join(path).exists() && is_test(&read(path), name);
        return (!is_there).then(|| format!("no test {test}"));
    }
    let is_run = root().join(test).exists() && sources.iter().any(|source| source.contains(test));
    (!is_run).then(|| format!("no test of Rust runs {test}"))
}

#[test]
fn every_item_is_answered_and_what_it_cites_is_there() {
    let items = matrix();
    let numbers: Vec<usize> = items.iter().map(|item| item.number).collect();
    assert_eq!(numbers, (1..=100).collect::<Vec<usize>>());
    let mut paths = Vec::new();
    files(&root().join("tests/system"), &["rs"], &mut paths);
    let sources: Vec<String> =
        paths.iter().map(|path| std::fs::read_to_string(path).unwrap()).collect();
    let mut wrong = Vec::new();
    for item in &items {
        let mut note = |what: String| wrong.push(format!("{}: {what}", item.number));
        for (what, word, words) in [
            ("status", &item.status, &STATUSES[..]),
            ("level", &item.level, &LEVELS[..]),
            ("owner", &item.owner, &OWNERS[..]),
        ] {
            if !is_one_of(word, words) {
                note(format!("no {what} {word:?}"));
            }
        }
        if item.places.is_empty() {
            note("cites no place".to_owned());
        }
        if item.status == "platform" && item.owner != "P" {
            note("the platform does not own it alone".to_owned());
        }
        if !item.note.ends_with('.') || item.note.split_whitespace().count() > 25 {
            note("the note is not one sentence of at most 25 words".to_owned());
        }
        item.places.iter().filter_map(|place| place_fault(place)).for_each(&mut note);
        item.tests.iter().filter_map(|test| test_fault(test, &sources)).for_each(&mut note);
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn what_an_item_cites_wrongly_is_found() {
    assert!(place_fault("docs/certify/nowhere.md").is_some());
    assert!(place_fault("Cargo.toml::no_such_word").is_some());
    assert_eq!(place_fault("src/server/host.rs::entropy"), None);
    assert!(test_fault("src/server/host.rs::entropy", &[]).is_some());
    let script = "tests/operations/common.py";
    assert!(test_fault(script, &[]).is_some());
    assert_eq!(test_fault(script, &[format!("run({script:?})")]), None);
}

/// A place as a link: the item that it names, or the path.
fn link(place: &str) -> String {
    let (path, item) = place.split_once("::").unwrap_or((place, place));
    format!("[`{item}`](../../{path})")
}

#[test]
fn the_matrix_is_written_from_its_source() {
    let items = matrix();
    let mut page = format!(
        "# The compliance matrix\n\n{}\n\n\
         It answers the 100 items of a checklist of what regulators and test laboratories ask for. The requirements are\n\
         in our own words. Clause numbers were gathered second-hand: check them before you quote them. The same in a\n\
         form for programs is [`compliance.toml`](compliance.toml).\n\n\
         | Status | Items | What it says |\n|---|---|---|\n",
        origin(SOURCE)
    );
    for (status, says) in STATUSES {
        let count = items.iter().filter(|item| item.status == status).count();
        writeln!(page, "| {status} | {count} | {says} |").unwrap();
    }
    let words = |words: &[(&str, &str)]| {
        words.iter().map(|(word, says)| format!("{word} {says}")).collect::<Vec<_>>().join(", ")
    };
    writeln!(page, "\nLevels: {}. Owners: {}.", words(&LEVELS), words(&OWNERS)).unwrap();
    let mut area = "";
    for item in &items {
        if item.area != area {
            area = &item.area;
            write!(
                page,
                "\n## {area}\n\n\
                 | # | Requirement | Level, owner | Status | What holds it or is missing | Where | Tests |\n\
                 |---|---|---|---|---|---|---|\n"
            )
            .unwrap();
        }
        let source = item.source.as_ref().map_or_else(String::new, |source| format!(" ({source})"));
        let places: Vec<String> = item.places.iter().map(|place| link(place)).collect();
        let tests: Vec<String> = item.tests.iter().map(|test| format!("`{test}`")).collect();
        writeln!(
            page,
            "| {} | {}{} | {}, {} | {} | {} | {} | {} |",
            item.number,
            cell(&item.requirement),
            cell(&source),
            item.level,
            item.owner,
            item.status,
            cell(&item.note),
            places.join(", "),
            tests.join(", ")
        )
        .unwrap();
    }
    hold(PAGE, &page);
}
