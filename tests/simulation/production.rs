//! The code under simulation is the code of production: no line of it is compiled otherwise.

use std::fs;
use std::path::{Path, PathBuf};

use paigow_testkit::tools;

/// The packages that a world runs: the service, the clients, and all that they are made of.
const PACKAGES: [&str; 11] = [
    "client", "config", "engine", "evidence", "exact", "fairness", "files", "proto", "round",
    "rules", "wire",
];

/// The conditions of a line that a world and production decide alike. `test` and `doctest` hold in programs of unit
/// tests alone, and these features are those of the database of a ledger.
const SAME: [&str; 6] = [
    "cfg(test)",
    "cfg!(test)",
    "cfg(doctest)",
    r#"cfg(feature = "platform")"#,
    r#"cfg(feature = "sqlite")"#,
    r#"cfg(feature = "postgres")"#,
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let is_of_tests = path.file_stem().is_some_and(|name| name == "tests");
        if path.is_dir() {
            sources(&path, found);
        } else if !is_of_tests && path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn no_line_of_the_service_or_a_client_is_compiled_otherwise_for_a_simulation() {
    let crates = PACKAGES.map(|name| tools::root().join("crates").join(format!("paigow-{name}")));
    let mut found = Vec::new();
    for package in crates.iter().map(PathBuf::as_path).chain([tools::root()]) {
        sources(&package.join("src"), &mut found);
        let manifest = fs::read_to_string(package.join("Cargo.toml")).unwrap();
        let has_features = manifest.contains("[features]");
        assert_eq!(has_features, package.ends_with("paigow-client"), "{}", package.display());
    }
    assert!(found.len() > 300, "{} files: are these all?", found.len());
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with("//")) {
            let conditions = line.matches("cfg(").count() + line.matches("cfg!(").count();
            let same: usize = SAME.iter().map(|same| line.matches(same).count()).sum();
            let is_target = line.contains("target_") && conditions == 1;
            let is_readme = line.contains("cfg(all(doctest, ");
            assert!(same == conditions || is_target || is_readme, "{}: {line}", path.display());
        }
    }
}
