//! The battery as people run it.
#![expect(clippy::float_arithmetic, reason = "statistics, computed a second time")]

use std::collections::BTreeMap;

use serde_json::Value;

use super::{List, SECRET, collect, collect_text};
use crate::binary::{run, text};

fn check(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(&[&["rng", "check"], arguments].concat(), b"");
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text(&output))
}

fn tests_of(report: &Value) -> &Vec<Value> {
    report["tests"].as_array().unwrap()
}

fn statistic(report: &Value, group: &str, name: &str) -> f64 {
    let found = tests_of(report).iter().find(|test| test["group"] == group && test["name"] == name);
    found.unwrap()["statistic"].as_f64().unwrap()
}

/// Pearson's statistic of equally likely cells.
fn pearson(observed: &[u32]) -> f64 {
    let samples: u32 = observed.iter().sum();
    let expected = f64::from(samples) / f64::from(u32::try_from(observed.len()).unwrap());
    observed.iter().map(|count| (f64::from(*count) - expected).powi(2) / expected).sum()
}

fn is_near(found: f64, expected: f64) {
    assert!((found / expected - 1.0).abs() < 1e-9, "{found}, not {expected}");
}

#[test]
fn the_generator_passes_the_short_run_whose_seed_is_the_default() {
    let (code, told) = check(&["--short", "--json"]);
    let report: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, &report["passed"]), (Some(0), &Value::from(true)));
    // The SHA-256 of "paigow-lab rng check", by sha256sum.
    let seed = "628efe87d97353f87b24b0c1afb3d0daf433c66716038c80dfe4238174ebc2b1";
    assert_eq!(report["seed"], seed);
    assert_eq!((&report["decks"], &report["draws"]), (&50_000.into(), &100_000.into()));
    assert_eq!((&report["significance"], &report["rule"]), (&0.01.into(), &"holm".into()));

    let mut groups: BTreeMap<&str, Vec<u64>> = BTreeMap::new();
    for test in tests_of(&report) {
        let dofs = groups.entry(test["group"].as_str().unwrap()).or_default();
        let Some(dof) = test["dof"].as_u64() else {
            // Five times 53 x 52 x 51 cells.
            assert_eq!((&test["group"], &test["needs"]), (&"first three".into(), &702_780.into()));
            continue;
        };
        dofs.push(dof);
        let [upper, lower] = ["p_upper", "p_lower"].map(|p| test[p].as_f64().unwrap());
        assert!((upper + lower - 1.0).abs() < 1e-12, "{test}");
        assert_eq!(test["failure"], Value::Null);
    }
    let is = |group: &str, tests: usize, dof: u64| assert_eq!(groups[group], vec![dof; tests]);
    is("byte", 64, 255);
    is("position", 53, 52);
    is("table", 1, 52 * 52);
    is("pair", 53, 53 * 52 - 1);
    is("first three", 0, 0);
    is("step", 53, 52);
    is("dice", 1, 215);
    is("start", 1, 6);
    is("dice and deck", 1, 6 * 53 - 1);
    is("p-values", 1, 9);
    assert_eq!(groups["uniform"], (1..=52).collect::<Vec<_>>());
    assert_eq!(groups["serial"], (2..=53).map(|n| n * n - 1).collect::<Vec<_>>());
    assert_eq!(groups["class"].len(), 7);
    assert_eq!(groups.len(), 16);
}

#[test]
fn a_laboratory_counts_the_same_in_what_it_collects() {
    let size = ["--decks", "3000", "--draws", "5000", "--seed", SECRET];
    let (_, told) = check(&[&size[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&told).unwrap();

    let uniform = ["uniform", "--seed", SECRET, "--per-seed", "4096", "--count", "5000"];
    let of_17 = [&uniform[..], &["--bound", "17", "--table", "uniform-17"]].concat();
    let mut observed = [0; 17];
    for number in collect_text(&of_17).lines() {
        observed[number.parse::<usize>().unwrap()] += 1;
    }
    is_near(statistic(&report, "uniform", "bound 17"), pearson(&observed));

    let of_6 = [&uniform[..], &["--bound", "6", "--table", "serial-6"]].concat();
    let numbers: Vec<usize> =
        collect_text(&of_6).lines().map(|line| line.parse().unwrap()).collect();
    let mut observed = [0; 36];
    for pair in numbers.chunks(2) {
        observed[6 * pair[0] + pair[1]] += 1;
    }
    is_near(statistic(&report, "serial", "bound 6"), pearson(&observed));

    let decks = collect(&["decks", "--seed", SECRET, "--table", "decks", "--count", "3000"]);
    let decks: Vec<&[u8]> = decks.chunks(53).collect();
    let mut table = vec![0; 53 * 53];
    let mut steps = vec![0; 53 * 53];
    for (place, deck) in decks.iter().enumerate() {
        for (position, card) in deck.iter().enumerate() {
            table[53 * position + usize::from(*card)] += 1;
            if place > 0 {
                let step = (53 + usize::from(*card) - usize::from(decks[place - 1][position])) % 53;
                steps[53 * position + step] += 1;
            }
        }
    }
    for position in [0, 20, 52] {
        let cells = 53 * position..53 * position + 53;
        let name = format!("card at position {position}");
        is_near(statistic(&report, "position", &name), pearson(&table[cells.clone()]));
        let name = format!("from deck to deck at position {position}");
        is_near(statistic(&report, "step", &name), pearson(&steps[cells]));
    }
    let whole = statistic(&report, "table", "positions by cards");
    is_near(whole, pearson(&table) * 52.0 / 53.0);

    let raw = ["raw", "--seed", SECRET, "--table", "raw", "--per-seed", "64", "--bytes", "192000"];
    let mut observed = [0; 256];
    for block in collect(&raw).chunks(64) {
        observed[usize::from(block[63])] += 1;
    }
    is_near(statistic(&report, "byte", "byte 63 of a block"), pearson(&observed));
}

#[test]
fn the_output_is_the_same_whatever_the_number_of_threads() {
    for form in [&[][..], &["--json"]] {
        let run = |threads| {
            let size = ["--decks", "21000", "--draws", "1000", "--threads", threads];
            check(&[&size[..], form].concat())
        };
        assert_eq!(run("1"), run("3"));
    }
}

#[test]
fn a_seed_of_the_operating_system_is_told_and_can_be_given_again() {
    let size = ["--decks", "500", "--draws", "500", "--json"];
    let first = check(&[&size[..], &["--entropy"]].concat());
    let report: Value = serde_json::from_str(&first.1).unwrap();
    let seed = report["seed"].as_str().unwrap();
    assert_eq!(check(&[&size[..], &["--seed", seed]].concat()), first);
}

#[test]
fn the_text_has_every_group_and_the_verdict() {
    let (code, told) = check(&["--decks", "20000", "--draws", "1000"]);
    assert_eq!(code, Some(0), "{told}");
    for group in ["byte", "uniform", "position", "pair", "step", "class", "dice and deck"] {
        assert!(told.lines().any(|line| line.starts_with(&format!("{group} "))), "{group}: {told}");
    }
    assert!(told.contains("not made: needs 702780 samples"), "{told}");
    assert!(told.ends_with("\nverdict: passed\n"), "{told}");
    assert!(told.lines().all(|line| line.chars().count() <= 100), "{told}");
}

#[test]
fn a_seed_that_chance_makes_fail_ends_with_findings() {
    // One seed in a hundred fails: of 0, 1, 2, ... the first at this size is ten.
    let ten = format!("{:064x}", 10);
    let size = ["--decks", "14000", "--draws", "10000", "--seed", &ten];
    let (code, told) = check(&size);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("\nFAILED ") && told.ends_with("\nverdict: failed\n"), "{told}");
    let (code, told) = check(&[&size[..], &["--json"]].concat());
    let report: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, &report["passed"]), (Some(1), &Value::from(false)));
    assert!(tests_of(&report).iter().any(|test| test["failure"].is_string()), "{told}");
}

#[test]
fn what_contradicts_itself_is_refused() {
    let seed = "00".repeat(32);
    for (arguments, what) in [
        (&["--short", "--decks", "5"][..], "cannot be used with"),
        (&["--short", "--draws", "5"], "cannot be used with"),
        (&["--entropy", "--seed", &seed], "cannot be used with"),
        (&["--seed", "12"], "not 32 bytes in lower-case hexadecimal"),
        (&["--decks", "0"], "--decks"),
        (&["--draws", "0"], "--draws"),
        (&["--threads", "0"], "--threads"),
        (&["--input", "-", "--seed", &seed], "cannot be used with"),
        (&["--input", "-", "--decks", "5"], "cannot be used with"),
        (&["--format", "text"], "--input"),
    ] {
        let output = run(&[&["rng", "check"], arguments].concat(), b"");
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(64), "{arguments:?}");
        assert!(told.contains(what), "{arguments:?}: {told}");
    }
}

/// Collected decks, 53 bytes each.
fn collected(count: &str) -> Vec<u8> {
    collect(&["decks", "--seed", SECRET, "--table", "decks", "--count", count])
}

fn check_input(form: &[&str], decks: &[u8]) -> (Option<i32>, String) {
    let output = run(&[&["rng", "check", "--input", "-"], form].concat(), decks);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), text(&output))
}

#[test]
fn decks_on_standard_input_are_counted_as_those_of_the_generator() {
    let decks = collected("20000");
    let (code, told) = check_input(&["--json"], &decks);
    let report: Value = serde_json::from_str(&told).unwrap();
    assert_eq!((code, &report["passed"]), (Some(0), &Value::from(true)), "{told}");
    assert_eq!((&report["input"], &report["decks"]), (&"standard input".into(), &20_000.into()));
    let (_, told) = check(&["--decks", "20000", "--draws", "2", "--seed", SECRET, "--json"]);
    let generator: Value = serde_json::from_str(&told).unwrap();
    let groups = [
        "position",
        "table",
        "pair",
        "first three",
        "step",
        "matches",
        "class",
        "successive classes",
    ];
    let of_decks = |test: &&Value| groups.contains(&test["group"].as_str().unwrap());
    let without_verdict = |test: &Value| {
        let mut test = test.clone();
        test.as_object_mut().unwrap().remove("failure");
        test
    };
    let expected: Vec<Value> =
        tests_of(&generator).iter().filter(of_decks).map(without_verdict).collect();
    let found: Vec<Value> = tests_of(&report).iter().map(without_verdict).collect();
    assert_eq!(found, expected);
}

#[test]
fn each_form_of_the_same_decks_has_the_same_result() {
    let decks = collected("1000");
    let lines = |word: &dyn Fn(u8) -> String| {
        let line = |deck: &[u8]| deck.iter().map(|card| word(*card)).collect::<Vec<_>>().join(" ");
        decks.chunks(53).map(|deck| line(deck) + "\n").collect::<String>()
    };
    let numbers = lines(&|card| card.to_string());
    let codes = collect_text(&["decks", "--seed", SECRET, "--table", "decks", "--count", "1000"]);
    let binary = check_input(&[], &decks);
    assert_eq!(binary.0, Some(0), "{}", binary.1);
    for text in [numbers, codes] {
        assert_eq!(check_input(&["--format", "text"], text.as_bytes()), binary);
        let file = List::of(&text.lines().collect::<Vec<_>>());
        let (code, told) = check(&["--input", file.path(), "--format", "text"]);
        let named = binary.1.replace("standard input", file.path());
        assert_eq!((code, told), (Some(0), named));
    }
}

#[test]
fn a_bias_that_a_laboratory_plants_in_its_decks_fails() {
    let fair = collected("20000");
    // In one deck of fifty the joker changes places with the first card.
    let mut biased = fair.clone();
    for deck in biased.chunks_mut(53).step_by(50) {
        let joker = deck.iter().position(|card| *card == 52).unwrap();
        deck.swap(0, joker);
    }
    // In one deck of fifty the cards of the deck before stay where they were.
    let mut stuck = fair.clone();
    for place in (50..20_000).step_by(50) {
        let (before, after) = stuck.split_at_mut(53 * place);
        after[..53].copy_from_slice(&before[53 * (place - 1)..]);
    }
    let (code, told) = check_input(&[], &fair);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.ends_with("\nverdict: passed\n"), "{told}");
    for (decks, expected) in [
        (biased, "FAILED position: card at position 0: too uneven"),
        (stuck, "FAILED matches: cards that stay from deck to deck: too uneven"),
    ] {
        let (code, told) = check_input(&[], &decks);
        assert_eq!(code, Some(1), "{told}");
        assert!(told.contains(expected), "{told}");
        assert!(told.ends_with("\nverdict: failed\n"), "{told}");
    }
}

#[test]
fn input_that_has_no_decks_is_refused() {
    let decks = collected("3");
    for (input, format, what) in [
        (&decks[..158], "binary", "standard input: deck 3: not a deck"),
        (&decks[..], "text", "standard input: line 1: not a deck"),
        (&decks[..53], "binary", "standard input: too few decks for any test: 1"),
        (&[][..], "binary", "standard input: too few decks for any test: 0"),
    ] {
        let output = run(&["rng", "check", "--input", "-", "--format", format], input);
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(65), "{told}");
        assert!(told.contains(what), "{told}");
    }
    let output = run(&["rng", "check", "--input", "/no/such/file"], b"");
    assert_eq!(output.status.code(), Some(66));
}
