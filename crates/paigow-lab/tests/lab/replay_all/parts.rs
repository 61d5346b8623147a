//! Shards of an audit: interrupted, resumed, and merged to the bytes of one run.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use parquet::file::reader::{FileReader as _, SerializedFileReader};

use crate::replay_all::binary::{run, text};
use crate::replay_all::casino::{Casino, receipt_key, witness_key};
use crate::replay_all::command::{BEFORE, Played, played, write};

/// How many shards share the work.
const SHARDS: u32 = 4;

/// Writes two files with 3,000 rounds. They have a wrong result, a torn line, a round that stands twice, the reveal and
/// the close of the epoch.
fn input(folder: &Path) -> [String; 2] {
    let Played { manifests, rounds, reveal, .. } = played();
    let close = Casino::new().close_epoch(&rounds.concat());
    let mut rounds = rounds.clone();
    let settle = rounds[1711].last_mut().unwrap();
    let payload = String::from_utf8(settle.json().unwrap().to_bytes()).unwrap();
    let altered = payload.replacen("\"house_net\":\"", "\"house_net\":\"7", 1);
    let altered = paigow_fairness::json::Json::parse(altered.as_bytes()).unwrap().into_owned();
    *settle = RecordEnvelope::seal(RecordKind::Settle, &altered, &[&receipt_key()]);
    let (first, second) = rounds.split_at(1000);
    let again = first[7].clone();
    let day = |rounds: &[Vec<RecordEnvelope>], more: &[RecordEnvelope]| {
        transcript::write(manifests.iter().chain(rounds.iter().flatten()).chain(more))
    };
    let first = day(first, &[]);
    let torn = first.len() - 300;
    let first = format!("{}\n{}", &first[..torn], &first[torn..]);
    let ends: Vec<RecordEnvelope> = again.into_iter().chain([reveal.clone(), close]).collect();
    [write(folder, "1", first.as_bytes()), write(folder, "2", day(second, &ends).as_bytes())]
}

/// The arguments of an audit of these files.
fn asked(files: &[String]) -> Vec<String> {
    let witness = hex::encode(witness_key().public().to_bytes());
    let options = ["--root", &played().root, "--as-of", BEFORE, "--witness", &witness];
    let words = ["replay-all"].into_iter().chain(files.iter().map(String::as_str)).chain(options);
    words.map(str::to_owned).collect()
}

fn with(asked: &[String], more: &[&str]) -> (Option<i32>, String) {
    let arguments: Vec<&str> =
        asked.iter().map(String::as_str).chain(more.iter().copied()).collect();
    let output = run(&arguments, b"");
    (output.status.code(), text(&output) + &String::from_utf8_lossy(&output.stderr))
}

/// Runs a shard into a part until it ends.
fn shard(asked: &[String], index: u32, part: &str) -> (Option<i32>, String) {
    with(asked, &["--shard", &format!("{index}/{SHARDS}"), "--part", part])
}

#[test]
fn shards_as_processes_one_killed_and_resumed_merge_to_the_bytes_of_one_run() {
    let home = tempfile::tempdir().unwrap();
    let files = input(home.path());
    let asked = asked(&files);
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let parts: Vec<String> = (0..SHARDS).map(|index| path(&format!("part-{index}"))).collect();
    for (index, part) in (0..SHARDS).zip(&parts) {
        if index == 2 {
            // The test kills it when it has the findings of some rounds and not of all.
            let mut child = Command::new(paigow_testkit::programs::lab())
                .args(&asked)
                .args(["--shard", &format!("2/{SHARDS}"), "--part", part, "--threads", "1"])
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap();
            let lines =
                || fs::read(part).map_or(0, |all| all.iter().filter(|b| **b == b'\n').count());
            while lines() < 3 {
                assert!(child.try_wait().unwrap().is_none(), "it ended before it was killed");
                std::thread::yield_now();
            }
            child.kill().unwrap();
            assert!(!child.wait().unwrap().success());
            // The disk also has half of a line.
            let mut torn = fs::read(part).unwrap();
            torn.extend_from_slice(b"{\"batch\":14,\"te");
            fs::write(part, torn).unwrap();
        }
        let (code, told) = shard(&asked, index, part);
        assert_eq!(code, Some(0), "{told}");
        assert!(told.starts_with(&format!("shard {index}/{SHARDS}: ")), "{told}");
        // Another run audits no round again.
        let before = fs::read(part).unwrap();
        let (code, told) = shard(&asked, index, part);
        assert_eq!((code, fs::read(part).unwrap() == before), (Some(0), true));
        assert!(told.contains(": 0 rounds audited; the part is whole"), "{told}");
    }
    // The part of the killed process equals the part of an uninterrupted one.
    let whole = path("whole");
    shard(&asked, 2, &whole);
    assert!(fs::read(&whole).unwrap() == fs::read(&parts[2]).unwrap());

    let merge: Vec<&str> =
        ["--parts"].into_iter().chain(parts.iter().rev().map(String::as_str)).collect();
    for more in [&[][..], &["--json"], &["--voids", "--voids-samples", "3"], &["--failures", "-"]] {
        let (code, one) = with(&asked, more);
        assert_eq!(code, Some(1), "{one}");
        assert_eq!(with(&asked, &[more, &merge].concat()), (code, one), "{more:?}");
    }
    let (one, merged) = (path("one.parquet"), path("merged.parquet"));
    with(&asked, &["--rounds", &one]);
    with(&asked, &[&["--rounds", &merged][..], &merge].concat());
    assert!(fs::read(&one).unwrap() == fs::read(&merged).unwrap());
}

#[test]
fn parts_of_another_audit_or_of_other_rounds_are_refused() {
    let home = tempfile::tempdir().unwrap();
    let files = input(home.path());
    let asked_here = asked(&files[..1]);
    let path = |name: &str| home.path().join(name).to_str().unwrap().to_owned();
    let parts: Vec<String> = (0..SHARDS).map(|index| path(&format!("part-{index}"))).collect();
    for (index, part) in (0..SHARDS).zip(&parts) {
        assert_eq!(shard(&asked_here, index, part).0, Some(0));
    }
    let parts: Vec<&str> = parts.iter().map(String::as_str).collect();
    let merged = |asked: &[String], parts: &[&str]| with(asked, &[&["--parts"], parts].concat());
    assert_eq!(merged(&asked_here, &parts).0, Some(1));
    let refused = |(code, told): (Option<i32>, String), what: &str| {
        assert!(code == Some(65) && told.contains(what), "{code:?} {told}");
    };
    let other = "of this audit by this program";
    // A shard is missing, occurs twice, or is replaced by another file.
    refused(merged(&asked_here, &parts[..3]), other);
    refused(merged(&asked_here, &[parts[0], parts[0], parts[2], parts[3]]), "is given twice");
    refused(merged(&asked_here, &[parts[0], parts[1], parts[2], &files[0]]), other);
    // Other terms, and other manifests and reveals.
    let mut strict = asked_here.clone();
    strict.extend(["--after".to_owned(), format!("{}:{}", "0".repeat(64), "1".repeat(64))]);
    refused(merged(&strict, &parts), other);
    refused(merged(&asked(&files), &parts), other);
    refused(shard(&strict, 0, parts[0]), other);
    // Other rounds under the same manifests: one digit of a signature differs.
    let altered = fs::read_to_string(&files[0]).unwrap();
    let at = altered.rfind("\"sig\":\"").unwrap() + 8;
    let digit = if altered[at..].starts_with('A') { "B" } else { "A" };
    fs::write(&files[0], format!("{}{digit}{}", &altered[..at], &altered[at + 1..])).unwrap();
    refused(merged(&asked_here, &parts), "findings of other rounds");
    fs::write(&files[0], &altered).unwrap();
    // A part that ends early, at any place. Then complete parts with a batch or a round too many or
    // too few.
    let part = fs::read_to_string(parts[3]).unwrap();
    let lines: Vec<&str> = part.split_inclusive('\n').collect();
    let [first, batches @ .., last] = lines.as_slice() else { panic!("{part}") };
    let of = |lines: &[&str]| fs::write(parts[3], lines.concat()).unwrap();
    for early in [0, first.len() / 2, first.len(), part.len() - last.len(), part.len() - 1] {
        fs::write(parts[3], &part[..early]).unwrap();
        let what = if early < first.len() { other } else { "ends early" };
        refused(merged(&asked_here, &parts), what);
        // Its shard continues from there.
        assert_eq!(shard(&asked_here, 3, parts[3]).0, Some(0));
        assert!(fs::read_to_string(parts[3]).unwrap() == part);
    }
    let (begin, end) = batches.split_at(batches.len() - 1);
    of(&[&[*first], begin, &[*last]].concat());
    let table = path("rounds.parquet");
    let with_table = [&["--rounds", &table, "--parts"][..], &parts].concat();
    refused(with(&asked_here, &with_table), "of fewer rounds than the input has");
    assert!(!Path::new(&table).exists(), "half of a table is removed");
    of(&[&[*first], batches, end, &[*last]].concat());
    refused(merged(&asked_here, &parts), "more rounds than the input has");
    let mut stored: serde_json::Value = serde_json::from_str(end[0]).unwrap();
    stored["rounds"].as_array_mut().unwrap().pop();
    let short = stored.to_string() + "\n";
    of(&[&[*first], begin, &[short.as_str()], &[*last]].concat());
    refused(merged(&asked_here, &parts), "findings of other rounds");
    // A file that is not a part is not overwritten.
    fs::write(parts[3], "the only line of a diary").unwrap();
    refused(shard(&asked_here, 3, parts[3]), other);
    assert_eq!(fs::read_to_string(parts[3]).unwrap(), "the only line of a diary");
    // Without a time of the audit each shard would have its own.
    let timeless: Vec<String> = asked_here
        .iter()
        .filter(|word| !["--as-of", BEFORE].contains(&word.as_str()))
        .cloned()
        .collect();
    for more in [&["--shard", "3/4", "--part", parts[3]][..], &["--parts", parts[0]]] {
        assert_eq!(with(&timeless, more).0, Some(64));
    }
    // The shards cannot all read standard input.
    let (code, told) = with(
        &["replay-all", "-", "--root", &played().root].map(str::to_owned),
        &["--shard", "0/2", "--part", &path("none"), "--as-of", BEFORE],
    );
    assert!(code == Some(64) && told.contains("a shard reads files"), "{told}");
}

/// Returns the rows of a table. Each value is a text, which is empty where there is no value.
fn rows(path: &str) -> Vec<Vec<String>> {
    let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
    let rows = reader.get_row_iter(None).unwrap();
    let text = |row: parquet::record::Row| {
        let fields = row.get_column_iter().map(|(_, field)| field.to_string());
        fields.map(|text| text.trim_matches('"').replace("null", "")).collect()
    };
    rows.map(|row| text(row.unwrap())).collect()
}

#[test]
fn the_table_of_rounds_says_what_each_comes_to_by_itself() {
    let Played { manifests, rounds, reveal, .. } = played();
    let home = tempfile::tempdir().unwrap();
    // The second round is torn, and the last one has no close.
    let mut some: Vec<Vec<RecordEnvelope>> = rounds[..4].to_vec();
    some[3].pop();
    let text = transcript::write(manifests.iter().chain([reveal]).chain(some.iter().flatten()));
    let mut lines: Vec<&str> = text.lines().collect();
    let second = manifests.len() + 1 + some[0].len();
    lines[second + 1] = &lines[second + 1][..50];
    let file = write(home.path(), "some", (lines.join("\n") + "\n").as_bytes());
    let table = home.path().join("rounds.parquet").to_str().unwrap().to_owned();
    let asked = asked(std::slice::from_ref(&file));
    assert_eq!(with(&asked, &["--rounds", &table]).0, Some(1));
    let found = rows(&table);
    let told: Vec<[&str; 4]> =
        found.iter().map(|row| [3, 4, 6, 0].map(|column| row[column].as_str())).collect();
    let file = file.as_str();
    let [first, torn, third, open] = told.as_slice() else { panic!("{told:?}") };
    let void_or_settled = ["settled", "void"];
    assert!(void_or_settled.contains(&first[0]) && first[1..] == ["match", "", file], "{first:?}");
    assert_eq!(*torn, ["unreadable", "mismatch", "FORMAT", file]);
    assert!(void_or_settled.contains(&third[0]) && third[1..] == ["match", "", file], "{third:?}");
    assert_eq!(*open, ["open", "", "", file]);
    assert_eq!(found[0][1], (manifests.len() + 2).to_string());
    // A table is not overwritten.
    assert_eq!(with(&asked, &["--rounds", &table]).0, Some(73));
    assert_eq!(rows(&table), found);
}
