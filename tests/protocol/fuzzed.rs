//! The corpora of the fuzzers, replayed: `tests/fuzz` searches, this holds what it has found.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use paigow_testkit::fuzzed::TARGETS;
use paigow_testkit::tools::root;

/// The files of a folder, by name.
fn files(folder: &Path) -> Vec<PathBuf> {
    let read = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = read.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// The names of a folder's entries, without an extension.
fn names(folder: &Path) -> BTreeSet<String> {
    let name = |path: &PathBuf| path.file_stem().unwrap().to_str().unwrap().to_owned();
    files(folder).iter().map(name).collect()
}

#[test]
fn every_target_has_a_program_and_a_corpus_and_there_are_no_others() {
    let targets: BTreeSet<String> = TARGETS.iter().map(|(name, _)| (*name).to_owned()).collect();
    assert_eq!(names(&root().join("fuzz/fuzz_targets")), targets);
    assert_eq!(names(&root().join("fuzz/corpus")), targets);
    let manifest = fs::read_to_string(root().join("fuzz/Cargo.toml")).unwrap();
    let manifest: toml::Table = manifest.parse().unwrap();
    let programs = manifest["bin"].as_array().unwrap();
    let programs = programs.iter().map(|bin| bin["name"].as_str().unwrap().to_owned());
    assert_eq!(programs.collect::<BTreeSet<_>>(), targets);
    for name in targets {
        let program = root().join(format!("fuzz/fuzz_targets/{name}.rs"));
        let program = fs::read_to_string(program).unwrap();
        assert!(program.contains(&format!("paigow_testkit::fuzzed::{name}(bytes)")), "{program}");
    }
}

#[test]
fn every_file_of_every_corpus_passes() {
    for (name, target) in TARGETS {
        let files = files(&root().join("fuzz/corpus").join(name));
        assert!(!files.is_empty(), "{name} has an empty corpus");
        for file in files {
            let bytes = fs::read(&file).unwrap();
            let result = std::panic::catch_unwind(|| target(&bytes));
            assert!(result.is_ok(), "{name} fails of {}", file.display());
        }
    }
}
