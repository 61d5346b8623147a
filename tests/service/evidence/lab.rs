//! `paigow-lab sink` as people run it: the binary, its output, its exit codes.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

use paigow_fairness::record::RecordEnvelope;
use paigow_files::keys::{KeyFile, MANIFESTS};

use crate::evidence::casino::{
    Casino, EPOCH, RoundPlan, SETTLE_UNTIL, receipt_key, root_key, witness_key,
};
use crate::evidence::replica::{Replica, boot_id, files_in, lines_of, settings};

fn lab(arguments: &[&str]) -> Output {
    Command::new(paigow_testkit::programs::lab()).args(arguments).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn verify(folder: &Path, more: &[&str]) -> Output {
    lab(&[&["sink", "verify", folder.to_str().unwrap()], more].concat())
}

fn verify_json(folder: &Path, more: &[&str]) -> Value {
    let output = verify(folder, &[&["--json"], more].concat());
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A replica that has settled `rounds` rounds and dealt one more; if `open`, neither that
/// one nor the boot has an end.
async fn played(rounds: u64, open: bool) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let replica = Replica::start(Casino::new(), 1, settings(folder.path()));
    for round_no in 1..=rounds {
        let plan = RoundPlan::random("locked", round_no, None, 7);
        let plan = RoundPlan { table: format!("table-{round_no}"), round_no: 1, ..plan };
        let dealt = replica.deal(&plan).await;
        replica.settle(&plan, &dealt).await;
    }
    if open {
        let plan = RoundPlan::random("locked", 1, None, 8);
        replica.deal(&RoundPlan { table: "open".to_owned(), ..plan }).await;
    } else {
        replica.stop().await;
    }
    folder
}

#[tokio::test]
async fn the_exit_code_tells_sound_from_broken_from_open() {
    let sound = played(3, false).await;
    let output = verify(sound.path(), &[]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    assert!(text(&output).ends_with("verdict: sound: every line is present and unaltered\n"));

    let open = played(3, true).await;
    let output = verify(open.path(), &[]);
    assert_eq!(output.status.code(), Some(2));
    for words in [
        "open: no last line",
        "tickets without a close",
        "table open, round 1, dealt, open since Unix time 1800000000\n",
    ] {
        assert!(text(&output).contains(words), "{}", text(&output));
    }

    let file = files_in(sound.path()).remove(0);
    let mut lines = lines_of(&file);
    lines.remove(5);
    fs::write(&file, lines.concat()).unwrap();
    let output = verify(sound.path(), &[]);
    assert_eq!(output.status.code(), Some(1));
    let place = format!("gap          {}:6: boot {} seq 5", file.display(), boot_id(1));
    assert!(text(&output).contains(&place), "{}", text(&output));
    assert!(text(&output).contains("verdict: broken: 1 fault, 0 forks"));
}

#[tokio::test]
async fn emptied_files_are_told_and_their_boot_is_open() {
    let folder = played(2, false).await;
    let file = files_in(folder.path()).remove(0);
    fs::write(&file, "").unwrap();
    let output = verify(folder.path(), &[]);
    assert_eq!(output.status.code(), Some(2), "{}", text(&output));
    for words in [
        format!("  {}  ?, version ?, 0 lines, open: no last line\n", boot_id(1)),
        format!("empty files\n  {}\n", file.display()),
        "verdict: open: the files have no line\n".to_owned(),
    ] {
        assert!(text(&output).contains(&words), "{words} in {}", text(&output));
    }
    assert_eq!(verify_json(folder.path(), &[])["empty"][0], file.to_str().unwrap());
    let figures = folder.path().join("paigow_sink.prom");
    assert_eq!(
        verify(folder.path(), &["--prometheus", figures.to_str().unwrap()]).status.code(),
        Some(0)
    );
    let figures = fs::read_to_string(&figures).unwrap();
    assert!(figures.contains("\npaigow_sink_open_boots 1\n"), "{figures}");
}

#[tokio::test]
async fn json_says_the_same_and_is_held_against_the_files_later() {
    let folder = played(3, true).await;
    let report = verify_json(folder.path(), &[]);
    assert_eq!((&report["verdict"], &report["lines"]), (&"open".into(), &11.into()));
    assert_eq!((&report["rounds"], &report["faults"]), (&4.into(), &Value::Array(vec![])));
    let boot = &report["boots"][0];
    assert_eq!((&boot["boot"], &boot["seq"]), (&boot_id(1).into(), &10.into()));
    let ticket = &report["open_tickets"][0];
    assert_eq!((&ticket["table"], &ticket["dealt"]), (&"open".into(), &true.into()));
    assert_eq!(ticket["ticket"]["seq"], 10);
    assert_eq!(ticket["time"], 1_800_000_000_123_u64);

    let known = folder.path().join("report.json");
    fs::write(&known, report.to_string()).unwrap();
    let known = known.to_str().unwrap();
    assert_eq!(verify_json(folder.path(), &["--known", known])["faults"], Value::Array(vec![]));
    let file = files_in(folder.path()).remove(0);
    let lines = lines_of(&file);
    fs::write(&file, lines[..8].concat()).unwrap();
    assert_eq!(verify_json(folder.path(), &[])["faults"], Value::Array(vec![]));
    let fault = &verify_json(folder.path(), &["--known", known])["faults"][0];
    assert_eq!((&fault["kind"], &fault["seq"]), (&"tail_dropped".into(), &8.into()));
    assert_eq!((&fault["file"], &fault["line"]), (&file.to_str().unwrap().into(), &8.into()));
}

#[tokio::test]
async fn figures_for_prometheus_are_written_beside_the_report() {
    let folder = played(2, true).await;
    let figures = folder.path().join("paigow_sink.prom");
    let output = verify(folder.path(), &["--prometheus", figures.to_str().unwrap()]);
    // A ticket is open, which is a figure and no failure of the job.
    assert_eq!(output.status.code(), Some(0));
    let text = fs::read_to_string(&figures).unwrap();
    let value = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(&format!("paigow_sink_{name} ")));
        line.and_then(|line| line.split(' ').nth(1)?.parse::<u64>().ok())
    };
    for (name, expected) in [
        ("lines", 9),
        ("faults", 0),
        ("forks", 0),
        ("reopens", 0),
        ("open_tickets", 1),
        // Its line is of 2027-01-15.
        ("old_tickets", u64::from(value("verified_timestamp_seconds") > Some(1_800_086_400))),
        ("open_boots", 1),
    ] {
        assert_eq!(value(name), Some(expected), "{name} in {text}");
        assert!(text.contains(&format!("# TYPE paigow_sink_{name} gauge\n")));
    }
    assert!(value("verified_timestamp_seconds") > Some(1_700_000_000));
    assert!(!figures.with_extension("prom.new").exists());
}

#[tokio::test]
async fn a_kept_report_misses_a_folder_that_is_gone_night_after_night() {
    let (one, two) = (played(1, false).await, tempfile::tempdir().unwrap());
    let replica = Replica::start(Casino::new(), 2, settings(two.path()));
    replica.deal(&RoundPlan::random("locked", 1, None, 7)).await;
    replica.stop().await;
    let kept = tempfile::tempdir().unwrap();
    let (report, figures) = (kept.path().join("report.json"), kept.path().join("figures.prom"));
    let verified = |folders: &[&Path]| {
        let folders = folders.iter().map(|folder| folder.to_str().unwrap());
        let kept =
            ["--report", report.to_str().unwrap(), "--prometheus", figures.to_str().unwrap()];
        let output = lab(&[&["sink", "verify"][..], &folders.collect::<Vec<_>>(), &kept].concat());
        let figures = fs::read_to_string(&figures).unwrap();
        let absent =
            figures.lines().find_map(|line| line.strip_prefix("paigow_sink_absent_boots "));
        (output.status.code(), absent.unwrap().to_owned(), text(&output))
    };
    let (code, absent, _) = verified(&[one.path(), two.path()]);
    assert_eq!((code, absent.as_str()), (Some(0), "0"));
    // A removed folder leaves no gap in the others. But `sink verify` still reports it as missing, also
    // after it has written a report without it.
    for _ in 0..2 {
        let (code, absent, told) = verified(&[one.path()]);
        assert_eq!((code, absent.as_str()), (Some(0), "1"), "{told}");
        assert!(
            told.contains("missing: known from a link or a report, not in the files"),
            "{told}"
        );
    }
    // A fault leaves the report unchanged, so that the fault is found again.
    let before = fs::read(&report).unwrap();
    let file = files_in(one.path()).remove(0);
    let lines = lines_of(&file);
    fs::write(&file, lines[..lines.len() - 2].concat()).unwrap();
    for _ in 0..2 {
        assert_eq!(verified(&[one.path(), two.path()]).0, Some(1));
        assert_eq!(fs::read(&report).unwrap(), before);
    }
}

#[tokio::test]
async fn the_transcript_of_a_round_is_what_an_audit_takes() {
    let folder = played(3, false).await;
    let round =
        RoundPlan { table: "table-2".to_owned(), ..RoundPlan::random("locked", 1, None, 7) };
    let round = round.coordinates().round_id().to_string();
    let output = lab(&["sink", "transcript", "--round", &round, folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0));
    let file = folder.path().join("round");
    fs::write(&file, &output.stdout).unwrap();
    let root = root_key().public().to_string();
    let audit = ["audit", file.to_str().unwrap(), "--root", &root];
    let audit = lab(&[&audit[..], &["--as-of", "1970-01-01T00:00:00Z"]].concat());
    assert_eq!(audit.status.code(), Some(3), "{}", text(&audit));
    assert!(text(&audit).contains(&format!("id    {round}")));
    assert!(text(&audit).contains("verdict: pending: everything computable agrees"));
}

#[tokio::test]
async fn the_transcript_of_a_fork_has_every_answer_and_an_audit_names_it() {
    let folder = tempfile::tempdir().unwrap();
    let replica = Replica::start(Casino::new(), 1, settings(folder.path()));
    let plan = RoundPlan::random("locked", 1, None, 7);
    let dealt = replica.deal(&plan).await;
    replica.settle(&plan, &dealt).await;
    replica.void(&plan, &dealt).await;
    replica.stop().await;
    let report = verify_json(folder.path(), &[]);
    assert_eq!(report["forks"].as_array().unwrap().len(), 2);
    assert_eq!(report["forks"][1]["class"], "close");
    let round = report["forks"][1]["round_id"].as_str().unwrap().to_owned();
    let output = lab(&["sink", "transcript", "--round", &round, folder.path().to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1));
    let tables = folder.path().join("tables");
    let evidence = folder.path().to_str().unwrap();
    let export = lab(&["sink", "export", "--to", tables.to_str().unwrap(), evidence]);
    assert_eq!(export.status.code(), Some(1), "{}", text(&export));
    assert!(text(&export).contains("1 round with two closes: the first was taken"));
    let file = folder.path().join("round");
    fs::write(&file, &output.stdout).unwrap();
    let root = root_key().public().to_string();
    let audit = lab(&["audit", file.to_str().unwrap(), "--root", &root]);
    assert_eq!(audit.status.code(), Some(1));
    assert!(text(&audit).contains("verdict: mismatch: NO_FORK failed first"), "{}", text(&audit));
}

#[tokio::test]
async fn what_cannot_be_looked_at_has_its_own_exit_codes() {
    let folder = played(1, false).await;
    let path = folder.path().to_str().unwrap();
    let empty = tempfile::tempdir().unwrap();
    let no_report = folder.path().join("no-report");
    fs::write(&no_report, "{}").unwrap();
    let unknown = "00".repeat(32);
    for (arguments, code) in [
        (&["sink", "verify"][..], 64),
        (&["sink", "verify", "nowhere"], 66),
        (&["sink", "verify", empty.path().to_str().unwrap()], 66),
        (&["sink", "verify", path, "--known", "nowhere"], 66),
        (&["sink", "verify", path, "--known", no_report.to_str().unwrap()], 65),
        (&["sink", "verify", path, "--prometheus", "/nowhere/figures"], 73),
        (&["sink", "transcript", path], 64),
        (&["sink", "transcript", path, "--round", "abc"], 64),
        (&["sink", "transcript", path, "--round", &unknown], 65),
    ] {
        let output = lab(arguments);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{arguments:?}: {error}");
    }
}

/// Runs `sink close` for a tenant at a time.
fn close(folder: &Path, tenant: &str, now: u64) -> Output {
    let (epoch, now) = (EPOCH.to_string(), now.to_string());
    let place = ["--epoch", &epoch, "--tenant", tenant, "--now", &now];
    lab(&[&["sink", "close"], &place[..], &[folder.to_str().unwrap()]].concat())
}

#[tokio::test]
async fn the_close_made_from_the_evidence_shows_that_nothing_was_left_out() {
    let folder = played(3, true).await;
    let early = close(folder.path(), "locked", SETTLE_UNTIL - 1);
    assert_eq!(early.status.code(), Some(64), "rounds can still be settled");
    assert_eq!(close(folder.path(), "no-such-tenant", SETTLE_UNTIL).status.code(), Some(65));
    let output = close(folder.path(), "locked", SETTLE_UNTIL);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut record = RecordEnvelope::parse(output.stdout.trim_ascii_end()).unwrap();
    record.add_signature(&receipt_key());
    record.add_signature(&witness_key());

    // The transcripts of all rounds, one that was never closed among them, and what ends the epoch.
    let mut rounds: Vec<String> = Vec::new();
    for (table, seed) in [("table-1", 7), ("table-2", 7), ("table-3", 7), ("open", 8)] {
        let number = table.strip_prefix("table-").map_or(1, |number| number.parse().unwrap());
        let plan = RoundPlan::random("locked", number, None, seed);
        let plan = RoundPlan { table: table.to_owned(), round_no: 1, ..plan };
        let round = plan.coordinates().round_id().to_string();
        let path = folder.path().to_str().unwrap();
        rounds.push(text(&lab(&["sink", "transcript", "--round", &round, path])));
    }
    let ends = Casino::new().reveal().to_line() + "\n" + &record.to_line() + "\n";
    let (root, witness) = (root_key().public().to_string(), witness_key().public().to_string());
    let claim = |rounds: &[String]| {
        let file = folder.path().join("whole");
        fs::write(&file, rounds.concat() + &ends).unwrap();
        let trust = ["--root", &root, "--witness", &witness, "--json"];
        let audit = lab(&[&["audit", file.to_str().unwrap()], &trust[..]].concat());
        let report: Value = serde_json::from_slice(&audit.stdout).unwrap();
        let claims = report["claims"].as_array().unwrap();
        let claim = claims.iter().find(|claim| claim["name"] == "nothing_left_out").unwrap();
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        (word(&report["verdict"]), word(&claim["status"]), word(&claim["why"]))
    };
    let (verdict, status, why) = claim(&rounds);
    // A round without a close lacks its end, but still counts.
    assert_eq!(
        (verdict.as_str(), status.as_str()),
        ("VERDICT_INCOMPLETE", "CLAIM_STATUS_SHOWN"),
        "{why}"
    );
    let (verdict, status, why) = claim(&rounds[..3]);
    assert_eq!((verdict.as_str(), status.as_str()), ("VERDICT_MATCH", "CLAIM_STATUS_NOT_SHOWN"));
    assert!(why.contains("the file has 3 of the 4 rounds of the epoch"), "{why}");
}

fn keys(arguments: &[&str]) -> Output {
    Command::new(paigow_testkit::programs::keys()).args(arguments).output().unwrap()
}

#[tokio::test]
async fn in_the_vrf_suite_the_close_has_the_proof_of_each_round_without_a_settlement() {
    let folder = tempfile::tempdir().unwrap();
    let casino = Casino::vrf();
    let replica = Replica::start(Casino::vrf(), 1, settings(folder.path()));
    let plan = |table: &str| RoundPlan {
        table: table.to_owned(),
        round_no: 1,
        ..RoundPlan::random("locked", 1, None, 7)
    };
    let [settled, voided, open] = ["settled", "voided", "open"].map(plan);
    let dealt = replica.deal(&settled).await;
    replica.settle(&settled, &dealt).await;
    let dealt = replica.deal(&voided).await;
    replica.void(&voided, &dealt).await;
    replica.deal(&open).await;
    replica.stop().await;

    let (epoch, later) = (EPOCH.to_string(), SETTLE_UNTIL.to_string());
    let place = ["--epoch", &epoch, "--tenant", "locked", "--now", &later];
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let sink_close = |more: &[&str]| {
        lab(&[&["sink", "close"], &place[..], more, &[folder.path().to_str().unwrap()]].concat())
    };
    let without = sink_close(&[]);
    let said = String::from_utf8_lossy(&without.stderr).into_owned();
    assert_eq!(without.status.code(), Some(64), "{said}");
    assert!(said.contains("2 rounds have a lock of the wagers and no settlement"), "{said}");
    let unsettled = sink_close(&["--unsettled"]);
    let listed =
        "{\"round_no\":\"1\",\"table\":\"open\"}\n{\"round_no\":\"1\",\"table\":\"voided\"}\n";
    assert_eq!(text(&unsettled), listed);

    let keyring = tempfile::tempdir().unwrap();
    KeyFile::Epoch { epoch: EPOCH, secret: casino.secret.clone() }
        .write_new(keyring.path())
        .unwrap();
    let manifests: String = casino.manifests.iter().map(|one| one.to_line() + "\n").collect();
    fs::write(keyring.path().join(MANIFESTS), manifests).unwrap();
    let list = file("unsettled", &unsettled.stdout);
    let folder_of_keys = ["--keyring", keyring.path().to_str().unwrap()];
    let early = (SETTLE_UNTIL - 1).to_string();
    let at = |now: &str| {
        let when = ["--epoch", &epoch, "--tenant", "locked", "--now", now];
        keys(&[&["prove-seeds"], &folder_of_keys[..], &when, &[&list]].concat())
    };
    assert_eq!(at(&early).status.code(), Some(64), "rounds can still be settled");
    let proofs = at(&later);
    assert_eq!(proofs.status.code(), Some(0), "{}", String::from_utf8_lossy(&proofs.stderr));
    let when = ["--epoch", &epoch, "--now", &later];
    let reveal = keys(&[&["reveal"], &folder_of_keys[..], &when].concat());
    assert_eq!((reveal.status.code(), reveal.stdout.len()), (Some(64), 0));

    // A proof that is missing, or that proves the seed of another round.
    let lines: Vec<&str> = std::str::from_utf8(&proofs.stdout).unwrap().lines().collect();
    let exchanged =
        [lines[0].replace("\"open\"", "\"voided\""), lines[1].replace("\"voided\"", "\"open\"")];
    let exchanged = format!("{}\n{}\n", exchanged[1], exchanged[0]);
    for (bad, what) in [
        (lines[0].to_owned(), "not the proofs of exactly the rounds"),
        (exchanged, "round 1 of table open: the proof does not verify"),
    ] {
        let refused = sink_close(&["--seed-proofs", &file("bad", bad.as_bytes())]);
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(65), "{said}");
        assert!(said.contains(what), "{said}");
    }

    let close = sink_close(&["--seed-proofs", &file("proofs", &proofs.stdout)]);
    let mut record = RecordEnvelope::parse(close.stdout.trim_ascii_end()).unwrap();
    record.add_signature(&receipt_key());
    record.add_signature(&witness_key());
    let path = folder.path().to_str().unwrap();
    let rounds = [&settled, &voided, &open].map(|plan| {
        let round = plan.coordinates().round_id().to_string();
        text(&lab(&["sink", "transcript", "--round", &round, path]))
    });
    let whole = file("whole", (rounds.concat() + &record.to_line() + "\n").as_bytes());
    let (root, witness) = (root_key().public().to_string(), witness_key().public().to_string());
    let audit = lab(&["audit", &whole, "--root", &root, "--witness", &witness, "--json"]);
    let report: Value = serde_json::from_slice(&audit.stdout).unwrap();
    let status = |list: &str, key: &str, name: &str| {
        let found = report[list].as_array().unwrap().iter().find(|one| one[key] == name).unwrap();
        found["status"].as_str().unwrap().to_owned()
    };
    assert_eq!(status("claims", "name", "nothing_left_out"), "CLAIM_STATUS_SHOWN", "{report}");
    assert_eq!(status("claims", "name", "seed_not_chosen"), "CLAIM_STATUS_NOT_SHOWN");
    let checks = report["rounds"][1]["checks"].as_array().unwrap();
    let proven = checks.iter().find(|check| check["code"] == "SEED_PROOF").unwrap();
    assert_eq!(proven["status"], "CHECK_STATUS_PASSED", "the void of the second round");
}
