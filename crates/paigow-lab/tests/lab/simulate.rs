//! `paigow-lab simulate` and its shards.

use std::fs;

use serde_json::Value;

use crate::binary::{run, text};

const SEED: &str = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";

fn simulate(arguments: &[&str]) -> String {
    let output = run(&[&["simulate"], arguments].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(output.stderr.is_empty());
    text(&output)
}

#[test]
fn all_shards_merged_are_the_whole_run_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let arguments = ["mania", "--seats", "3", "--rounds", "300", "--seed", SEED, "--json"];
    let whole = simulate(&arguments);
    let files: Vec<String> = ["0/4", "1/4", "2/4", "3/4"]
        .iter()
        .enumerate()
        .map(|(i, shard)| {
            let threads = (i + 1).to_string();
            let part =
                simulate(&[&arguments[..], &["--shard", shard, "--threads", &threads]].concat());
            let path = folder.path().join(i.to_string()).to_str().unwrap().to_owned();
            fs::write(&path, part).unwrap();
            path
        })
        .collect();
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| files[i].as_str());
    // The parts merge in any order, and merged parts merge again.
    assert_eq!(simulate(&["merge", c, a, d, b, "--json"]), whole);
    let half = folder.path().join("half").to_str().unwrap().to_owned();
    fs::write(&half, simulate(&["merge", d, b, "--json"])).unwrap();
    assert_eq!(simulate(&["merge", a, &half, c, "--json"]), whole);
    assert_eq!(simulate(&["merge", a, b, c, d]), simulate(&arguments[..7]));
    // A round counts once, and only in its own simulation.
    let other = folder.path().join("other").to_str().unwrap().to_owned();
    fs::write(&other, whole.replace(SEED, &SEED.replace('0', "1"))).unwrap();
    for (files, what) in [
        (&[a, b, a][..], "rounds 0 to 74 are in two results"),
        (&[a, &half, b], "are in two results"),
        (&[a, &other], "not of the same simulation"),
        (&["Cargo.toml"], "expected"),
    ] {
        let output = run(&[&["simulate", "merge"], files].concat(), b"");
        assert_eq!(output.status.code(), Some(65), "{what}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(what), "{what}: {output:?}");
    }
}

#[test]
fn every_round_can_be_replayed_from_its_seed() {
    // One round of one seat: the row that came up is that of the cards that `replay` deals.
    let document: Value = serde_json::from_str(&simulate(&[
        "express", "--rounds", "40", "--shard", "17/40", "--seed", SEED, "--json",
    ]))
    .unwrap();
    assert_eq!(document["ranges"], serde_json::json!([[17, 18]]));
    let label = b"pge-lab/v1/simulated-round";
    let tuple = [
        &[26][..],
        label,
        &[2],
        &32_u32.to_le_bytes(),
        &hex::decode(SEED).unwrap(),
        &8_u32.to_le_bytes(),
        &17_u64.to_le_bytes(),
    ];
    let seed = paigow_fairness::encoding::Hash::of(&tuple.concat());
    let line = format!("{{\"round_seed\":\"{seed}\"}}\n");
    let replayed = run(&["replay"], line.as_bytes());
    let replayed: Value = serde_json::from_slice(&replayed.stdout).unwrap();
    // Cards by their numbers: 13 a suit, clubs, diamonds, hearts, spades, then the joker.
    let deck: Vec<u64> =
        replayed["deck"].as_array().unwrap().iter().map(|c| c.as_u64().unwrap()).collect();
    let dice: u64 = replayed["dice"].as_array().unwrap().iter().map(|d| d.as_u64().unwrap()).sum();
    // Express deals packets of seven, counter-clockwise from the position that the dice name;
    // dead hands too.
    let place = |position: u64| (dice + 6 + 7 - position) % 7;
    let packet = usize::try_from(place(1)).unwrap();
    let red =
        deck[7 * packet..7 * packet + 7].iter().filter(|card| (13..39).contains(*card)).count();
    let bets = document["bets"].as_array().unwrap();
    let red_black = bets.iter().find(|bet| bet["bet"] == "red_black").unwrap();
    for row in red_black["rows"].as_array().unwrap() {
        let of = format!("{red}-cards-of-the-chosen-color");
        assert_eq!(row["hits"], u64::from(row["row"] == of.as_str()), "{red} red, {row}");
    }
}

#[test]
fn double_downs_are_played_where_the_game_has_them() {
    let arguments = ["--rounds", "50", "--seed", SEED, "--double-down", "--json"];
    let document: Value =
        serde_json::from_str(&simulate(&[&["mini"], &arguments[..]].concat())).unwrap();
    let double = &document["bets"][1];
    assert_eq!((double["bet"].as_str(), double["lines"].as_u64()), (Some("double_down"), Some(50)));
    let output = run(&[&["simulate", "express"], &arguments[..]].concat(), b"");
    assert_eq!(output.status.code(), Some(64));
}

#[test]
fn without_a_seed_the_system_gives_one_and_the_result_names_it() {
    // With an unpredictable seed, three rounds may be far from their average: status 1.
    let three_rounds = |more: &[&str]| {
        let output =
            run(&[&["simulate", "express", "--rounds", "3", "--json"], more].concat(), b"");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{:?}", output.status);
        (output.status.code(), text(&output))
    };
    let seed = |text: &str| -> String {
        serde_json::from_str::<Value>(text).unwrap()["seed"].as_str().unwrap().to_owned()
    };
    let first = three_rounds(&[]);
    assert_eq!(three_rounds(&["--seed", &seed(&first.1)]), first);
    assert_ne!(seed(&three_rounds(&[]).1), seed(&first.1));
}

#[test]
fn wrong_arguments_are_named() {
    for arguments in [
        &["simulate"][..],
        &["simulate", "nothing"],
        &["simulate", "express", "--seats", "7"],
        &["simulate", "express", "--seats", "0"],
        &["simulate", "express", "--rounds", "0"],
        &["simulate", "express", "--seed", "00"],
        &["simulate", "express", "--shard", "0/2"],
        &["simulate", "express", "--shard", "2/2", "--seed", SEED],
        &["simulate", "merge"],
        &["simulate", "express", "merge", "x"],
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(64), "{arguments:?}");
        assert!(!output.stderr.is_empty() && output.stdout.is_empty(), "{arguments:?}");
    }
    assert_eq!(run(&["simulate", "merge", "nowhere"], b"").status.code(), Some(66));
}
