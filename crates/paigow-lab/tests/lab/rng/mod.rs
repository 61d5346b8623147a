//! `paigow-lab rng` against the published vectors, and its refusals.

mod check;
mod collected;
mod refused;

use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::binary::run;

/// The round seeds whose streams, deck and dice are published.
fn published() -> Vec<Value> {
    let vectors: Value = serde_json::from_str(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../tests/vectors/fairness.json"
    )))
    .unwrap();
    let cases = vectors["lab_replay"].as_array().unwrap().clone();
    assert!(cases.len() > 1);
    cases
}

/// The bytes 0, 1, 2, ... 31.
const SECRET: &str = "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

fn collect(arguments: &[&str]) -> Vec<u8> {
    let output = run(&[&["rng"], arguments].concat(), b"");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    output.stdout
}

fn collect_text(arguments: &[&str]) -> String {
    String::from_utf8(collect(&[arguments, &["--format", "text"]].concat())).unwrap()
}

/// A list of seeds in a temporary folder, which is removed when this is dropped.
struct List {
    path: PathBuf,
    _folder: TempDir,
}

impl List {
    fn of(lines: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("seeds.txt");
        std::fs::write(&path, lines.iter().map(|line| format!("{line}\n")).collect::<String>())
            .unwrap();
        Self { path, _folder: folder }
    }

    fn of_published() -> Self {
        let cases = published();
        Self::of(&cases.iter().map(|case| case["round_seed"].as_str().unwrap()).collect::<Vec<_>>())
    }

    fn path(&self) -> &str {
        self.path.to_str().unwrap()
    }
}
