//! The binary over files, compressed and not.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::GzEncoder;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;
use paigow_round::record::{EpochClose, SettleRecord};
use serde_json::Value;

use crate::replay_all::binary::{run, text};
use crate::replay_all::casino::{Casino, receipt_key, root_key, witness_key};
use crate::replay_all::play;

const ROUNDS: u64 = 3000;

/// A time at which no secret is overdue.
pub(super) const BEFORE: &str = "1970-01-01T00:00:00Z";

pub(super) struct Played {
    pub(super) root: String,
    pub(super) manifests: Vec<RecordEnvelope>,
    pub(super) rounds: Vec<Vec<RecordEnvelope>>,
    pub(super) reveal: RecordEnvelope,
}

/// Returns 3,000 rounds of one table, which are played once.
pub(super) fn played() -> &'static Played {
    static PLAYED: OnceLock<Played> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let casino = Casino::new();
        Played {
            root: hex::encode(root_key().public().to_bytes()),
            rounds: play(&casino, "base", ROUNDS, 21),
            reveal: casino.reveal(),
            manifests: casino.manifests,
        }
    })
}

fn replay_all(arguments: &[&str], input: &[u8]) -> (Option<i32>, Value) {
    let all = [&["replay-all", "--json", "--root", &played().root, "--as-of", BEFORE], arguments]
        .concat();
    let output = run(&all, input);
    assert!(output.stderr.is_empty(), "{}", String::from_utf8_lossy(&output.stderr));
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap())
}

fn whole() -> String {
    let Played { manifests, rounds, reveal, .. } = played();
    transcript::write(manifests.iter().chain(rounds.iter().flatten()).chain([reveal]))
}

fn check<'a>(summary: &'a Value, code: &str) -> &'a Value {
    let checks = summary["checks"].as_array().unwrap();
    checks.iter().find(|check| check["check"] == code).unwrap()
}

pub(super) fn write(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Returns the status of a claim in a summary, and the reason.
fn claim<'a>(summary: &'a Value, name: &str) -> (&'a str, &'a str) {
    let claims = summary["claims"].as_array().unwrap();
    let claim = claims.iter().find(|claim| claim["name"] == name).unwrap();
    (claim["status"].as_str().unwrap(), claim["why"].as_str().unwrap())
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd(bytes: &[u8]) -> Vec<u8> {
    ruzstd::encoding::compress_to_vec(bytes, ruzstd::encoding::CompressionLevel::Fastest)
}

#[test]
fn three_thousand_rounds_match_however_they_are_stored_and_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let whole = whole();
    let plain = write(folder.path(), "plain", whole.as_bytes());
    let (code, summary) = replay_all(&[&plain, "--threads", "1"], b"");
    assert_eq!((code, &summary["verdict"]), (Some(0), &Value::from("match")));
    assert_eq!(summary["rounds"], ROUNDS);
    assert_eq!(summary["match"], ROUNDS);
    for code in ["FORMAT", "RESULTS", "GENESIS", "NO_FORK", "SEED_WAS_NOT_CHOSEN"] {
        assert_eq!(check(&summary, code)["passed"], ROUNDS, "{code}");
    }
    assert_eq!(check(&summary, "MANIFEST_SIG")["passed"], 1);
    // The count has two manifests and a reveal too.
    assert_eq!(check(&summary, "CANONICAL")["passed"], ROUNDS + 3);
    let names = [("gzip", gzip(whole.as_bytes())), ("zstd", zstd(whole.as_bytes()))];
    for ((name, bytes), threads) in names.into_iter().zip(["2", "7"]) {
        assert!(bytes.len() < whole.len());
        let file = write(folder.path(), name, &bytes);
        let (status, other) = replay_all(&[&file, "--threads", threads], b"");
        // The first finding of a check names its file.
        let other = other.to_string().replace(&file, &plain);
        assert_eq!((status, other), (code, summary.to_string()), "{name}");
    }
}

#[test]
fn files_are_one_input_and_a_reveal_counts_wherever_it_stands() {
    let Played { manifests, rounds, reveal, .. } = played();
    let folder = tempfile::tempdir().unwrap();
    // Each day's file begins with the manifests, as a sink writes them.
    let day = |rounds: &[Vec<RecordEnvelope>]| {
        transcript::write(manifests.iter().chain(rounds.iter().flatten()))
    };
    let first = write(folder.path(), "1", &gzip(day(&rounds[..40]).as_bytes()));
    let second = write(folder.path(), "2", day(&rounds[40..90]).as_bytes());
    let third = write(folder.path(), "3", transcript::write([reveal]).as_bytes());
    let (code, summary) = replay_all(&[&first, &second, &third], b"");
    assert_eq!((code, &summary["match"]), (Some(0), &Value::from(90)));
    assert_eq!(check(&summary, "GENESIS")["passed"], 90);
    assert_eq!(check(&summary, "EPOCH_COMMIT")["passed"], 91);
    // The second day alone: its first round follows a round that is not in the file.
    let (code, summary) = replay_all(&[&second, &third], b"");
    assert_eq!((code, &check(&summary, "GENESIS")["skipped"]), (Some(0), &Value::from(1)));
    let missing = "rounds 1 to 40 of table table-1 are not in the file";
    assert_eq!(claim(&summary, "nothing_left_out"), ("not_shown", missing));
    // The last close of the day before links both days.
    let last = rounds[39].last().unwrap();
    let round_id = SettleRecord::parse(last.json().unwrap()).unwrap().round_id().to_string();
    let after = |close: &str| format!("{round_id}:{close}");
    let (code, summary) =
        replay_all(&[&second, &third, "--after", &after(&last.hash().to_string())], b"");
    assert_eq!((code, &check(&summary, "GENESIS")["passed"]), (Some(0), &Value::from(50)));
    assert_ne!(claim(&summary, "nothing_left_out").1, missing);
    let (code, summary) = replay_all(&[&second, &third, "--after", &after(&"0".repeat(64))], b"");
    assert_eq!((code, &check(&summary, "GENESIS")["failed"]), (Some(1), &Value::from(1)));
    // A day in between is missing.
    let late = write(folder.path(), "late", day(&rounds[90..100]).as_bytes());
    let (code, summary) = replay_all(&[&first, &late, &third], b"");
    let missing = "rounds 41 to 90 of table table-1 are not in the file";
    assert_eq!((code, &summary["because"]), (Some(2), &Value::from(missing)));
    // Standard input is read once: the reveal is below all rounds.
    let input = fs::read(&second).unwrap();
    let (code, summary) = replay_all(&["-"], &[input.clone(), fs::read(&third).unwrap()].concat());
    assert_eq!((code, &check(&summary, "EPOCH_COMMIT")["skipped"]), (Some(3), &Value::from(50)));
    let (code, summary) = replay_all(&[&third, "-"], &input);
    assert_eq!((code, &check(&summary, "EPOCH_COMMIT")["failed"]), (Some(0), &Value::from(0)));
    assert_eq!(check(&summary, "EPOCH_COMMIT")["passed"], 51);
}

#[test]
fn an_altered_round_among_three_thousand_is_found_with_its_line_and_check() {
    let Played { manifests, rounds, .. } = played();
    let folder = tempfile::tempdir().unwrap();
    let at = 1711;
    let above = manifests.len() + rounds[..at].iter().map(Vec::len).sum::<usize>();
    let line = above + rounds[at].len();
    // The engine's own key signs results that give the house more.
    let settle = rounds[at].last().unwrap();
    let payload = String::from_utf8(settle.json().unwrap().to_bytes()).unwrap();
    let altered = payload.replacen("\"house_net\":\"", "\"house_net\":\"7", 1);
    assert_ne!(altered, payload);
    let altered = paigow_fairness::json::Json::parse(altered.as_bytes()).unwrap();
    let altered = RecordEnvelope::seal(RecordKind::Settle, &altered, &[&receipt_key()]);
    let mut lines_of: Vec<String> = whole().lines().map(str::to_owned).collect();
    lines_of[line - 1] = altered.to_line();
    // A line that is not a record, in another round.
    let torn = manifests.len() + rounds[..2500].iter().map(Vec::len).sum::<usize>() + 2;
    lines_of[torn - 1].truncate(100);
    let file = write(folder.path(), "altered", (lines_of.join("\n") + "\n").as_bytes());
    let list = folder.path().join("failures");
    let (code, summary) = replay_all(&[&file, "--failures", list.to_str().unwrap()], b"");
    assert_eq!((code, &summary["verdict"]), (Some(1), &Value::from("mismatch")));
    let found: Vec<Value> = fs::read_to_string(&list)
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let told: Vec<(&str, u64, &str)> = found
        .iter()
        .map(|f| {
            let (check, place) = (f["check"].as_str().unwrap(), f["place"].as_str().unwrap());
            (check, f["line"].as_u64().unwrap(), place)
        })
        .collect();
    let ticket_below = u64::try_from(line + 1).unwrap();
    let (line, torn) = (u64::try_from(line).unwrap(), u64::try_from(torn).unwrap());
    let places = [(at + 1, line), (at + 2, ticket_below), (2501, torn)]
        .map(|(r, l)| format!("round {r}, line {l}"));
    assert_eq!(
        told,
        [
            ("RESULTS", line, places[0].as_str()),
            // The chain continues from another close.
            ("GENESIS", ticket_below, &places[1]),
            ("FORMAT", torn, &places[2]),
        ]
    );
    assert!(found.iter().all(|f| f["file"] == file));
    assert_eq!(found[0]["round_id"].as_str().unwrap().len(), 64);
    assert_eq!(summary["mismatch"], 3);
    assert_eq!(summary["match"], ROUNDS - 3);
    // The list is the same on standard output, and whatever the number of threads.
    let arguments = ["replay-all", &file, "--root", &played().root, "--failures", "-"];
    let output = run(&[&arguments[..], &["--threads", "5"]].concat(), b"");
    let told = text(&output);
    let listed = told.lines().take(3).map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(listed.collect::<Vec<_>>(), found);
    assert!(told.contains("verdict: mismatch: 3 checks failed"), "{told}");
}

#[test]
fn a_compressed_file_that_is_cut_off_is_a_finding_and_what_is_there_is_audited() {
    let Played { manifests, rounds, .. } = played();
    let folder = tempfile::tempdir().unwrap();
    let some = transcript::write(manifests.iter().chain(rounds[..300].iter().flatten()));
    for (name, bytes) in [("gzip", gzip(some.as_bytes())), ("zstd", zstd(some.as_bytes()))] {
        let file = write(folder.path(), name, &bytes[..bytes.len() - 5]);
        let (code, summary) = replay_all(&[&file], b"");
        assert_eq!(code, Some(1), "{name}: {summary}");
        let failed = &check(&summary, "FORMAT")["first_failed"];
        assert_eq!(failed["expected"], "a file that can be read to its end");
        assert!(summary["pending"].as_u64().unwrap() > 0 || name == "zstd", "{name}: {summary}");
    }
}

#[test]
fn wrong_arguments_and_missing_files_are_told_before_anything_is_audited() {
    let root = played().root.as_str();
    for (arguments, code) in [
        (&["replay-all"][..], 64),
        (&["replay-all", "Cargo.toml"], 64),
        (&["replay-all", "-", "Cargo.toml", "--root", root], 64),
        (&["replay-all", "-", "-", "--root", root], 64),
        (&["replay-all", "Cargo.toml", "--root", root, "--threads", "0"], 64),
        (&["replay-all", "nowhere.jsonl", "--root", root], 66),
        (&["replay-all", "-", "--root", root, "--failures", "/nowhere/list"], 73),
        // A file that is not a transcript, and empty input.
        (&["replay-all", "Cargo.toml", "--root", root], 1),
        (&["replay-all", "-", "--root", root], 2),
    ] {
        let output = run(arguments, b"");
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert_eq!(output.stdout.is_empty(), code >= 64, "{arguments:?}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    // Rounds, and 300 MB of lines that are no rounds, in an address space of 192 MiB.
    let Played { manifests, rounds, .. } = played();
    let some = transcript::write(rounds[..3].iter().flatten()).repeat(100);
    let long = "x".repeat(1_000_000) + "\n";
    let input = transcript::write(manifests) + &some + &long.repeat(300) + &some;
    let limit = 192 << 20;
    let mut child = std::process::Command::new("prlimit")
        .arg(format!("--as={limit}"))
        .arg(paigow_testkit::programs::lab())
        .args(["replay-all", "-", "--threads", "1", "--root", &played().root, "--as-of", BEFORE])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let output = std::thread::scope(|scope| {
        scope.spawn(move || drop(stdin.write_all(input.as_bytes())));
        child.wait_with_output().unwrap()
    });
    // The round above the first of those lines is refused with it.
    assert!(text(&output).contains("599 settled"), "{}", text(&output));
    assert!(text(&output).contains("599 pending"), "{}", text(&output));
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_whole_epoch_with_its_close_shows_that_nothing_was_left_out() {
    let Played { manifests, rounds, reveal, .. } = played();
    let casino = Casino::new();
    let close = casino.close_epoch(&rounds.concat());
    let witness = hex::encode(witness_key().public().to_bytes());
    let asked = |rounds: &[Vec<RecordEnvelope>], ends: &[&RecordEnvelope], more: &[&str]| {
        let records = manifests.iter().chain(rounds.iter().flatten()).chain(ends.iter().copied());
        let folder = tempfile::tempdir().unwrap();
        let file = write(folder.path(), "rounds.jsonl", transcript::write(records).as_bytes());
        let arguments = [&[&*file, "--require", "nothing_left_out"], more].concat();
        replay_all(&arguments, b"")
    };
    let pinned: &[&str] = &["--witness", &witness];
    let counts = |summary: &Value| {
        let check = check(summary, "EPOCH_CLOSE");
        (check["passed"].as_u64().unwrap(), check["skipped"].as_u64().unwrap())
    };
    let (code, summary) = asked(rounds, &[reveal, &close], pinned);
    assert_eq!((code, &summary["verdict"]), (Some(0), &Value::from("match")), "{summary}");
    assert_eq!(claim(&summary, "nothing_left_out"), ("shown", ""));
    assert_eq!(counts(&summary), (ROUNDS, 0));

    // No trusted key has signed the close, or a round before the first or after the last is
    // missing.
    let (code, summary) = asked(rounds, &[reveal, &close], &[]);
    assert_eq!((code, claim(&summary, "nothing_left_out").0), (Some(2), "not_shown"));
    for rest in [&rounds[1..], &rounds[..rounds.len() - 1]] {
        let (code, summary) = asked(rest, &[reveal, &close], pinned);
        assert_eq!((code, &summary["verdict"]), (Some(2), &Value::from("match")), "{summary}");
        let (status, why) = claim(&summary, "nothing_left_out");
        assert!(status == "not_shown" && why.contains("is not in the file"), "{why}");
        assert_eq!(counts(&summary), (0, ROUNDS - 1));
    }
    // A close of another tree, and before the reveal.
    let other = casino.close_epoch_as(&rounds.concat(), |close| EpochClose {
        root: close.tables[0].head.unwrap(),
        ..close
    });
    let (code, summary) = asked(rounds, &[reveal, &other], pinned);
    assert_eq!(code, Some(2));
    assert!(claim(&summary, "nothing_left_out").1.contains("do not make the tree"));
    let (code, summary) = asked(rounds, &[&other], pinned);
    assert_eq!((code, claim(&summary, "nothing_left_out").0), (Some(3), "pending"));
    let (code, summary) = asked(rounds, &[&close], pinned);
    assert_eq!((code, claim(&summary, "nothing_left_out").0), (Some(3), "shown"));
}
