//! `paigow-lab every-row` without a server: which keyrings it opens, and what it finds. With a real server
//! `deploy/lab-kit forced` plays every row, which a test of the workspace runs.

use std::collections::BTreeMap;
use std::path::PathBuf;

use paigow_files::keys::{KeyFile, KeyRole, create_dev};
use paigow_round::Catalogue;
use serde_json::Value;
use tempfile::TempDir;

use crate::binary::{run, text};

/// A development keyring whose secrets are known: bytes that count up.
fn keyring() -> (TempDir, PathBuf) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("keyring");
    let mut next = 0_u8;
    let mut entropy = |bytes: &mut [u8]| {
        for byte in bytes {
            *byte = next;
            next = next.wrapping_add(1);
        }
        Ok(())
    };
    create_dev(&folder, &Catalogue::shipped(), 1_800_000_000, &mut entropy).unwrap();
    (home, folder)
}

fn every_row(folder: &std::path::Path, arguments: &[&str]) -> (Option<i32>, String, String) {
    let keyring = ["--keyring", folder.to_str().unwrap()];
    let output = run(&[&["every-row"], arguments, &keyring].concat(), b"");
    let told = String::from_utf8(output.stderr.clone()).unwrap();
    (output.status.code(), text(&output), told)
}

#[test]
fn the_rounds_found_are_the_same_whatever_the_number_of_threads() {
    let (_home, folder) = keyring();
    let found = |threads| {
        every_row(&folder, &["queen-push", "--limit", "20000", "--threads", threads, "--json"])
    };
    let one = found("1");
    assert_eq!(one, found("3"));
    // Each row is named once, and some are found at once.
    let mut rows: BTreeMap<String, u64> = BTreeMap::new();
    for line in one.1.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let table = row["table"].as_u64().unwrap_or(0);
        assert!(rows.insert(row["row"].as_str().unwrap().to_owned(), table).is_none(), "{row}");
    }
    assert!(rows.values().any(|table| *table > 0), "{rows:?}");
}

#[test]
fn rows_that_no_round_pays_are_named_and_end_with_findings() {
    let (_home, folder) = keyring();
    let (code, told, _) = every_row(&folder, &["express", "--limit", "1"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.starts_with("express: 25 rows of 4 bonus bets\n"), "{told}");
    assert!(told.contains("five-aces") && told.contains("NOT FOUND: raise --limit"), "{told}");
}

#[test]
fn a_keyring_that_is_not_for_development_alone_is_refused() {
    let (_home, folder) = keyring();
    let root =
        std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).find(|path| {
            matches!(KeyFile::read(path, None), Ok(KeyFile::Signing { role: KeyRole::Root, .. }))
        });
    std::fs::remove_file(root.unwrap()).unwrap();
    let (code, _, told) = every_row(&folder, &["express", "--limit", "1"]);
    assert_eq!(code, Some(64), "{told}");
    assert!(
        told.contains("no development keyring: it does not hold the key of its root"),
        "{told}"
    );
}
