//! The collected output equals the published vectors, byte by byte.

use std::io::Read;
use std::process::{Command, Stdio};

use serde_json::Value;

use super::{List, SECRET, collect, collect_text, published};
use crate::binary::{lines, run, text};

fn block(case: &Value, stream: &str) -> Vec<u8> {
    hex::decode(case[format!("{stream}_block_0")].as_str().unwrap()).unwrap()
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect()
}

fn numbers_in(text: &str) -> Vec<u32> {
    text.lines().map(|line| line.parse().unwrap()).collect()
}

#[test]
fn raw_bytes_are_the_published_blocks_of_each_seed() {
    let list = List::of_published();
    for stream in ["deck", "dice"] {
        let blocks: Vec<u8> = published().iter().flat_map(|case| block(case, stream)).collect();
        let raw = ["raw", "--seeds", list.path(), "--stream", stream, "--per-seed", "64"];
        assert_eq!(collect(&raw), blocks, "{stream}");
        assert_eq!(numbers_in(&collect_text(&raw)), words(&blocks), "{stream}");
    }
}

#[test]
fn raw_bytes_without_a_share_for_each_seed_are_one_stream() {
    let case = &published()[0];
    let list = List::of(&[case["round_seed"].as_str().unwrap()]);
    assert_eq!(collect(&["raw", "--seeds", list.path(), "--bytes", "64"]), block(case, "deck"));
    let long = collect(&["raw", "--seeds", list.path(), "--bytes", "1000000"]);
    assert_eq!(long.len(), 1_000_000, "more than is gathered at once");
    assert_eq!(long[..64], block(case, "deck"));
}

#[test]
fn a_count_ends_within_a_share() {
    let list = List::of_published();
    let whole = collect(&["raw", "--seeds", list.path(), "--per-seed", "48"]);
    let some = collect(&["raw", "--seeds", list.path(), "--per-seed", "48", "--bytes", "60"]);
    assert_eq!(some, whole[..60]);
}

#[test]
fn uniform_numbers_are_the_residues_of_the_published_words() {
    let list = List::of_published();
    for bound in [2_u64, 6, 53, 1 << 32] {
        // None of the published words is in the incomplete block at the top.
        let limit = (1 << 32) - (1 << 32) % bound;
        let expected: Vec<u32> = published()
            .iter()
            .flat_map(|case| words(&block(case, "deck")))
            .map(|word| {
                assert!(u64::from(word) < limit);
                u32::try_from(u64::from(word) % bound).unwrap()
            })
            .collect();
        let bound = bound.to_string();
        let uniform = [
            "uniform",
            "--seeds",
            list.path(),
            "--bound",
            &bound,
            "--per-seed",
            "16",
            "--count",
            "32",
        ];
        assert_eq!(words(&collect(&uniform)), expected, "{bound}");
        assert_eq!(numbers_in(&collect_text(&uniform)), expected, "{bound}");
    }
}

#[test]
fn decks_are_the_published_ones() {
    let list = List::of_published();
    let decks: Vec<u8> = published()
        .iter()
        .flat_map(|case| case["deck"].as_array().unwrap().clone())
        .map(|card| u8::try_from(card.as_u64().unwrap()).unwrap())
        .collect();
    assert_eq!(collect(&["decks", "--seeds", list.path()]), decks);
    let codes: Vec<String> = collect_text(&["decks", "--seeds", list.path()])
        .lines()
        .flat_map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    assert_eq!(codes, decks.iter().map(|number| code(*number)).collect::<Vec<_>>());
    assert_eq!(collect(&["decks", "--seeds", list.path(), "--count", "1"]), decks[..53]);
    let without_joker = collect(&["decks", "--seeds", list.path(), "--cards", "52"]);
    assert_eq!((without_joker.len(), without_joker.contains(&52)), (104, false));
}

/// The code of a card by its number, as PGE-FAIR-1 numbers them (section 5.3).
fn code(number: u8) -> String {
    match number {
        52 => "Jk".to_owned(),
        _ => format!(
            "{}{}",
            char::from(b"23456789TJQKA"[usize::from(number % 13)]),
            char::from(b"cdhs"[usize::from(number / 13)])
        ),
    }
}

#[test]
fn seeds_are_derived_as_another_program_derives_them() {
    // By Python's hashlib and hmac, from the formulas of PGE-FAIR-1, sections 3.3 and 3.4.
    let expected = [
        "9233eca89deae8ccba4fe6c5d962870b58fe6f2a27b3d9f244a2a9a8d2840e7c",
        "230c470f824230c60625aa32e7792aacc8829146f6e353161875ebd27559eda9",
    ];
    let list = List::of(&expected);
    let derived = collect(&["decks", "--seed", SECRET, "--count", "2"]);
    assert_eq!(derived, collect(&["decks", "--seeds", list.path()]));
    let second = ["decks", "--seed", SECRET, "--count", "1", "--first-round", "2"];
    assert_eq!(collect(&second), derived[53..]);
    let list = List::of(&["660092227e89a19fa46641cf37a5b8d22fdc66390f6b82c84b882463a5b45e6c"]);
    let other =
        ["decks", "--seed", SECRET, "--table", "decks", "--first-round", "5", "--count", "1"];
    assert_eq!(collect(&other), collect(&["decks", "--seeds", list.path()]));
}

#[test]
fn what_the_operating_system_gave_can_be_repeated_from_its_saved_seeds() {
    let saved = List::of(&[]);
    let first = collect(&["decks", "--entropy", "--count", "3", "--save-seeds", saved.path()]);
    assert_eq!(collect(&["decks", "--seeds", saved.path()]), first);
    let other = collect(&["decks", "--entropy", "--count", "3"]);
    assert_ne!(other, first);
}

#[test]
fn a_list_may_come_from_standard_input() {
    let list = List::of_published();
    let input = std::fs::read(list.path()).unwrap();
    let output = run(&["rng", "decks", "--seeds", "-"], &input);
    assert_eq!(output.stdout, collect(&["decks", "--seeds", list.path()]));
}

#[test]
fn rounds_deal_the_published_decks_by_the_published_dice() {
    // Express: packets of seven, counter-clockwise from the position that the dice name.
    let list = List::of_published();
    let rounds = ["rounds", "--ruleset", "express", "--seeds", list.path()];
    let output = run(&[&["rng"], &rounds[..], &["--format", "text"]].concat(), b"");
    let told = lines(&output);
    let bytes = collect(&rounds);
    assert_eq!((told.len(), bytes.len()), (published().len(), published().len() * 60));
    for ((case, round), record) in published().iter().zip(&told).zip(bytes.chunks(60)) {
        assert_eq!((&round["seed"], &round["dice"]), (&case["round_seed"], &case["dice"]));
        let sum: u64 =
            case["dice"].as_array().unwrap().iter().map(|die| die.as_u64().unwrap()).sum();
        let first = (sum + 6) % 7;
        assert_eq!(round["first"], first);
        let deck: Vec<u8> = case["deck"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| u8::try_from(card.as_u64().unwrap()).unwrap())
            .collect();
        let mut expected: Vec<u8> = case["dice"]
            .as_array()
            .unwrap()
            .iter()
            .map(|die| u8::try_from(die.as_u64().unwrap()).unwrap())
            .collect();
        expected.push(u8::try_from(first).unwrap());
        // Settlement begins there, or at seat 1 if that is the dealer's.
        expected.push(u8::try_from(first.max(1)).unwrap());
        for position in 0..7 {
            let place = usize::try_from((first + 7 - position) % 7).unwrap();
            let packet = &deck[7 * place..7 * place + 7];
            expected.extend_from_slice(packet);
            let codes: Vec<String> = packet.iter().map(|card| code(*card)).collect();
            assert_eq!(round["hands"][position.to_string()], serde_json::json!(codes));
        }
        assert_eq!(record[..54], expected);
        for (seat, byte) in (1..=6).zip(&record[54..]) {
            let word = ["lose", "push", "win"][usize::from(*byte)];
            assert_eq!(round["outcomes"][seat.to_string()], word);
        }
        for low in round["low"].as_object().unwrap().values() {
            assert_eq!(low.as_array().unwrap().len(), 2);
        }
    }
}

#[test]
fn every_shipped_ruleset_has_rounds() {
    for (ruleset, file) in crate::files::RULESETS {
        let output = run(
            &[
                "rng",
                "rounds",
                "--ruleset",
                ruleset,
                "--seed",
                SECRET,
                "--count",
                "2",
                "--format",
                "text",
            ],
            b"",
        );
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let file: toml::Table = file.parse().unwrap();
        let with_dice = file["dealing"]["dice"].as_str() == Some("three");
        for round in lines(&output) {
            assert_eq!(round["dice"].as_array().unwrap().len(), if with_dice { 3 } else { 0 });
            let hands = round["hands"].as_object().unwrap();
            let seats = file["seats"].as_integer().unwrap();
            assert_eq!(i64::try_from(hands.len()).unwrap(), seats + 1, "{ruleset}");
            assert_eq!(round["outcomes"].as_object().unwrap().len() + 1, hands.len());
        }
    }
}

#[test]
fn a_reader_that_leaves_ends_an_endless_stream_without_a_word() {
    let mut child = Command::new(paigow_testkit::programs::lab())
        .args(["rng", "raw", "--seed", SECRET])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut taken = [0; 4096];
    child.stdout.take().unwrap().read_exact(&mut taken).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr), (Some(74), vec![]));
    assert_eq!(taken[..], collect(&["raw", "--seed", SECRET, "--bytes", "4096"]));
}

#[test]
fn text_is_ascii_and_ends_with_a_line() {
    let output = run(&["rng", "raw", "--seed", SECRET, "--bytes", "8", "--format", "text"], b"");
    let text = text(&output);
    assert!(text.is_ascii() && text.ends_with('\n') && text.lines().count() == 2, "{text:?}");
}
