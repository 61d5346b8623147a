//! Wrong arguments and unusable lists, each named.

use super::List;
use crate::binary::run;

fn refused(arguments: &[&str], code: i32, what: &str) {
    let output = run(&[&["rng"], arguments].concat(), b"");
    let told = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{arguments:?}: {told}");
    assert!(told.contains(what), "{arguments:?}: {told}");
}

const SEED: &str = "0000000000000000000000000000000000000000000000000000000000000000";

#[test]
fn one_source_has_to_be_named() {
    refused(&["decks"], 64, "--seeds <FILE>|--seed <HEX>|--entropy");
    refused(&["decks", "--entropy", "--seed", SEED], 64, "cannot be used with");
    let entropy = ["decks", "--entropy", "--count", "1"];
    refused(&[&entropy[..], &["--table", "x"]].concat(), 64, "--table requires --seed");
    refused(&[&entropy[..], &["--first-round", "2"]].concat(), 64, "--first-round requires --seed");
    refused(&["decks", "--seed", "00"], 64, "not 32 bytes in lower-case hexadecimal");
    refused(&["decks", "--seed", SEED, "--table", "a b"], 64, "not an identifier");
    refused(&["decks", "--seed", SEED, "--count", "1", "--first-round", "0"], 64, "--first-round");
}

#[test]
fn rounds_end_where_the_protocol_ends_them() {
    let last = "9223372036854775807";
    refused(
        &["decks", "--seed", SEED, "--count", "2", "--first-round", last],
        64,
        "the round number exceeds",
    );
}

#[test]
fn a_list_that_is_none_is_named_with_its_line() {
    let list = List::of(&[SEED, "0123", SEED]);
    refused(&["decks", "--seeds", list.path()], 65, "seeds.txt: line 2: not a seed");
    let missing = format!("{}.missing", list.path());
    refused(&["decks", "--seeds", &missing], 66, "missing");
}

#[test]
fn a_list_that_is_too_short_or_too_long_is_told() {
    let list = List::of(&[SEED, SEED]);
    let three = ["decks", "--seeds", list.path(), "--count", "3"];
    refused(&three, 65, "seeds.txt: too few seeds: 2 of 3");
    let raw = ["raw", "--seeds", list.path(), "--per-seed", "8", "--bytes", "20"];
    refused(&raw, 65, "seeds.txt: too few seeds: 2 of 3");
    refused(&["raw", "--seeds", list.path()], 64, "more than one seed");
    let empty = List::of(&[]);
    refused(&["raw", "--seeds", empty.path()], 65, "too few seeds: 0 of 1");
}

#[test]
fn amounts_out_of_range_are_told() {
    refused(&["raw", "--seed", SEED, "--bytes", "6"], 64, "--bytes 6: not a multiple of 4");
    refused(&["raw", "--seed", SEED, "--per-seed", "9"], 64, "--per-seed 9: not a multiple of 4");
    refused(&["raw", "--seed", SEED, "--bytes", "0"], 64, "--bytes");
    refused(&["uniform", "--seed", SEED, "--bound", "1"], 64, "--bound");
    refused(&["uniform", "--seed", SEED, "--bound", "4294967297"], 64, "--bound");
    refused(&["decks", "--seed", SEED, "--cards", "51"], 64, "--cards");
}

#[test]
fn an_unknown_ruleset_is_told() {
    refused(
        &["rounds", "--seed", SEED, "--ruleset", "poker"],
        64,
        "unknown ruleset \"poker\" (and no such file); available: ",
    );
}

#[test]
fn a_file_of_seeds_that_cannot_be_written_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("none").join("seeds.txt");
    let path = path.to_str().unwrap();
    refused(&["decks", "--entropy", "--count", "1", "--save-seeds", path], 73, "seeds.txt");
}
