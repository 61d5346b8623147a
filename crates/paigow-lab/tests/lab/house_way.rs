//! `paigow-lab house-way` checks and proves a casino's chart without any Rust code.

use std::fs;

use crate::binary::run;

const FOXWOODS: &str = include_str!(concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../crates/paigow-rules/src/house_way/charts/foxwoods.toml"
));

fn told(arguments: &[&str]) -> (Option<i32>, Vec<String>) {
    let output = run(arguments, b"");
    let text = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), text.lines().map(str::to_owned).collect())
}

/// Checks a file with this text, and returns the exit code and the lines.
fn told_of(text: &str) -> (Option<i32>, Vec<String>) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("ours.toml");
    fs::write(&path, text).unwrap();
    let (code, lines) = told(&["house-way", path.to_str().unwrap()]);
    let prefix = format!("{}: ", path.display());
    (code, lines.into_iter().map(|line| line.replace(&prefix, "")).collect())
}

#[test]
fn a_way_that_is_compiled_in_is_told_and_proved() {
    let (code, lines) = told(&["house-way", "mini"]);
    assert_eq!(code, Some(0));
    assert_eq!(lines[0], "id        mini");
    // SHA-256 of the tuple of the id and the file, as the rulesets name it.
    let ruleset = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../crates/paigow-rules/src/game/rulesets/mini.toml"
    ));
    let hash = lines.iter().find_map(|line| line.strip_prefix("hash      ")).unwrap();
    assert!(ruleset.contains(&format!("id = \"mini\", hash = \"{hash}\"")));
    assert!(lines.contains(&"cards     6, A-2-3-4-5 the second highest straight".to_owned()));
    assert!(lines.contains(&"clauses   16".to_owned()));
    assert!(lines.iter().any(|line| line.starts_with("  M13  House way 1: No Pair")));
    assert!(lines.iter().any(|line| line.starts_with("proved    a sample of 227,582 hands")));
}

#[test]
fn a_casinos_own_chart_is_told_and_proved() {
    let ours = FOXWOODS.replace("foxwoods", "our-casino").replace("\"6543\"", "\"65432\"");
    let (code, lines) = told_of(&ours);
    assert_eq!(code, Some(0), "{lines:?}");
    assert_eq!(lines[0], "id        our-casino");
    assert!(lines.iter().any(|line| line.contains("our-casino.two-pair.sixes-or-lower-kept  ")));
    assert!(lines.iter().any(|line| line.starts_with("proved    a sample of 1,526,346 hands")));
}

#[test]
fn every_fault_of_a_chart_is_told_by_its_path() {
    let broken = FOXWOODS
        .replace("wheel = \"second\"\n", "")
        .replacen("front = \"two-highest\"", "front = \"two-highst\"", 1)
        .replacen("second_rank", "second_rnak", 1);
    let (code, lines) = told_of(&broken);
    assert_eq!(code, Some(1));
    let paths: Vec<&str> = lines.iter().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(
        paths,
        ["wheel", "clause[0].second_rnak", "clause[5].front", "3 faults; not a house way"]
    );
}

#[test]
fn a_chart_without_a_row_for_two_pairs_is_told_which_hands_are_left() {
    let row = FOXWOODS.find("[[clause]]\nid = \"foxwoods.two-pair.sixes-or-lower\"").unwrap();
    let next = row + FOXWOODS[row + 1..].find("[[clause]]").unwrap() + 1;
    let (code, lines) = told_of(&format!("{}{}", &FOXWOODS[..row], &FOXWOODS[next..]));
    assert_eq!(code, Some(1));
    assert_eq!(
        lines[0],
        "clause: no clause is sure to set 2+2+1+1+1 of 6 beside 5 without a straight or flush"
    );
}

#[test]
fn a_way_that_there_is_not_is_a_usage_error() {
    let output = run(&["house-way", "nobodys"], b"");
    assert_eq!(output.status.code(), Some(64));
    assert!(String::from_utf8(output.stderr).unwrap().contains("foxwoods"));
}
