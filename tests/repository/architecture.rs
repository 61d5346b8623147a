//! The architecture as a test. Cargo lets a crate import its dependencies alone; what Cargo
//! cannot express stands here.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use paigow_testkit::tools::root;

/// The certified crates, and the crates of the workspace that each may depend on.
const CERTIFIED: [(&str, &[&str]); 7] = [
    ("paigow-rules", &[]),
    ("paigow-exact", &["paigow-rules"]),
    ("paigow-fairness", &["paigow-rules"]),
    ("paigow-round", &["paigow-exact", "paigow-fairness", "paigow-rules"]),
    ("paigow-engine", &["paigow-fairness", "paigow-round", "paigow-rules"]),
    ("paigow-proto", &[]),
    (
        "paigow-wire",
        &["paigow-engine", "paigow-fairness", "paigow-proto", "paigow-round", "paigow-rules"],
    ),
];

/// The registry crates that certified crates may name, build scripts included.
const LISTED: [&str; 24] = [
    "aws-lc-rs",
    "base64",
    "base64-simd",
    "chacha20",
    "chacha20poly1305",
    // The group of ed25519-dalek, for tables of keys.
    "curve25519-dalek",
    // Signatures of drand, on the pairings of bls12_381.
    "drand-verify",
    "ed25519-dalek",
    "hex",
    "hmac",
    "itoa",
    "prost",
    "prost-build",
    "prost-reflect",
    "protox",
    "rand_chacha",
    "rand_core",
    // For the lab alone, which writes findings down.
    "serde",
    "serde_json",
    "sha2",
    "thiserror",
    "toml",
    "zeroize",
    "prost-types",
];

/// The crates whose code is pure. The last two have the messages of the contract and their JSON form.
const PURE: [&str; 7] = [
    "paigow-rules",
    "paigow-exact",
    "paigow-fairness",
    "paigow-round",
    "paigow-engine",
    "paigow-proto",
    "paigow-wire",
];

/// The words that the crates of messages may hold.
const OF_MESSAGES: [&str; 2] = ["tonic", "prost"];

/// Words that no line of a pure crate may hold, tests aside.
const IMPURE: [&str; 22] = [
    "tonic",
    "prost",
    "tokio",
    "tracing",
    "config::",
    "std::time",
    "std::env",
    "std::fs",
    "std::io",
    "std::net",
    "std::process",
    "std::thread",
    "HashMap",
    "HashSet",
    "f32",
    "f64",
    "getrandom",
    "SysRng",
    "async fn",
    "SystemTime",
    "Instant",
    "println!",
];

/// Packages that open sockets, or exist to serve programs that do.
const NETWORK: [&str; 14] = [
    "axum",
    "h2",
    "http",
    "http-body",
    "hyper",
    "hyper-util",
    "mio",
    "reqwest",
    "rustls",
    "socket2",
    "tokio",
    "tokio-rustls",
    "tonic",
    "tower",
];

/// Packages that reach files, clocks, threads or the system.
const SYSTEM: [&str; 8] =
    ["getrandom", "libc", "linux-raw-sys", "notify", "rustix", "time", "wasi", "windows-sys"];

struct Source {
    /// The path below the repository.
    path: String,
    /// The text without line comments.
    code: String,
}

/// Returns the sources below a folder, those of tests aside.
fn sources(folder: &str) -> Vec<Source> {
    let mut files = Vec::new();
    walk(&root().join(folder), &mut files);
    let source = |path: PathBuf| {
        let path_text = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
        let is_test = path_text.split('/').any(|part| part.trim_end_matches(".rs") == "tests");
        let text = fs::read_to_string(&path).unwrap();
        let code: Vec<&str> =
            text.lines().map(|line| line.split("//").next().unwrap_or("")).collect();
        (!is_test).then(|| Source { path: path_text, code: code.join("\n") })
    };
    files.into_iter().filter_map(source).collect()
}

fn walk(folder: &Path, files: &mut Vec<PathBuf>) {
    let mut entries: Vec<PathBuf> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// Returns the sources of every crate of the workspace.
fn all_sources() -> Vec<Source> {
    let mut all = sources("src");
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        all.extend(sources(&format!("crates/{name}/src")));
    }
    all
}

fn manifest(package: &str) -> toml::Table {
    let path = root().join("crates").join(package).join("Cargo.toml");
    fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Returns what a manifest names as dependencies, those of tests aside: of every target, and of
/// the build script.
fn dependencies(manifest: &toml::Table) -> BTreeSet<String> {
    let targets = manifest.get("target").and_then(toml::Value::as_table);
    let tables =
        targets.into_iter().flat_map(toml::Table::values).filter_map(toml::Value::as_table);
    [manifest]
        .into_iter()
        .chain(tables)
        .flat_map(|table| ["dependencies", "build-dependencies"].map(|key| table.get(key)))
        .flatten()
        .filter_map(toml::Value::as_table)
        .flat_map(toml::Table::keys)
        .cloned()
        .collect()
}

/// Returns the names of the packages that a package is built from, by `cargo tree`.
fn packages(package: &str, more: &[&str]) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--locked", "--offline", "-e", "normal", "--prefix", "none"])
        .args(["-p", package])
        .args(more)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn certified_crates_depend_on_certified_and_listed_crates_alone() {
    let listed: BTreeSet<&str> = LISTED.into_iter().collect();
    for (package, workspace) in CERTIFIED {
        for name in dependencies(&manifest(package)) {
            let may = workspace.contains(&name.as_str()) || listed.contains(name.as_str());
            assert!(may, "{package} depends on {name}");
        }
    }
}

#[test]
fn every_crate_takes_the_lints_of_the_workspace_which_forbid_unsafe_code() {
    let workspace: toml::Table =
        fs::read_to_string(root().join("Cargo.toml")).unwrap().parse().unwrap();
    assert_eq!(workspace["workspace"]["lints"]["rust"]["unsafe_code"].as_str(), Some("forbid"));
    for entry in fs::read_dir(root().join("crates")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let lints = manifest(&name)["lints"]["workspace"].as_bool();
        assert_eq!(lints, Some(true), "{name}");
    }
}

#[test]
fn rules_and_exact_counts_are_built_from_few_packages() {
    for package in ["paigow-rules", "paigow-exact"] {
        // As `cargo tree -e normal --prefix none | sort -u` counts them: a package that is met
        // again has a line of its own.
        let output = Command::new(env!("CARGO"))
            .args(["tree", "--locked", "--offline", "-e", "normal", "--prefix", "none"])
            .args(["-p", package])
            .current_dir(root())
            .output()
            .unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let text = String::from_utf8(output.stdout).unwrap();
        let lines: BTreeSet<&str> = text.lines().collect();
        assert!((5..=20).contains(&lines.len()), "{package}: {lines:#?}");
    }
}

#[test]
fn the_key_ceremony_links_no_network_crate() {
    let packages = packages("paigow-keys", &[]);
    assert!(packages.contains("paigow-engine"), "{packages:?}");
    for name in NETWORK {
        assert!(!packages.contains(name), "paigow-keys is built with {name}");
    }
}

/// A build of the server has one form: no feature can add code to it, and nothing that finds rounds
/// by their decks is in it.
#[test]
fn the_server_has_no_feature_and_links_no_program_of_a_laboratory() {
    let packages = packages("paigow", &[]);
    assert!(packages.contains("paigow-engine"), "{packages:?}");
    for name in ["paigow-lab", "paigow-testkit", "paigow-client", "paigow-keys"] {
        assert!(!packages.contains(name), "paigow is built with {name}");
    }
    let own = packages.iter().filter(|name| name.starts_with("paigow-"));
    let folder = |name: &str| match name {
        "paigow-verifier-page" => "verifiers/web".to_owned(),
        name => format!("crates/{name}"),
    };
    let manifests = own.map(|name| format!("{}/Cargo.toml", folder(name)));
    for path in manifests.chain(["Cargo.toml".to_owned()]) {
        let text = fs::read_to_string(root().join(&path)).unwrap();
        let manifest: toml::Table = text.parse().unwrap();
        assert!(!manifest.contains_key("features"), "{path} has features");
    }
}

#[test]
fn a_round_needs_no_key_and_in_a_page_no_system() {
    let packages = packages("paigow-round", &["--target", "wasm32-unknown-unknown"]);
    assert!(packages.contains("paigow-fairness"), "{packages:?}");
    for name in SYSTEM.into_iter().chain(NETWORK).chain(["paigow-engine", "aws-lc-rs"]) {
        assert!(!packages.contains(name), "paigow-round is built with {name}");
    }
    let with_keys = ["SecretKey", "TokenKey", "KeyRing", "SigningKey"];
    for folder in ["rules", "exact", "fairness", "round"] {
        for source in sources(&format!("crates/paigow-{folder}/src")) {
            for name in with_keys {
                assert!(!source.code.contains(name), "{} names {name}", source.path);
            }
        }
    }
}

#[test]
fn the_certified_domain_is_pure() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for package in PURE {
        for source in sources(&format!("crates/{package}/src")) {
            count += 1;
            let words: BTreeSet<&str> =
                source.code.split(|c: char| !(c.is_alphanumeric() || c == '_')).collect();
            let is_of_messages = ["paigow-proto", "paigow-wire"].contains(&package);
            for word in IMPURE {
                if is_of_messages && OF_MESSAGES.contains(&word) {
                    continue;
                }
                let plain = word.chars().all(char::is_alphanumeric);
                if if plain { words.contains(word) } else { source.code.contains(word) } {
                    wrong.push(format!("{} says {word}", source.path));
                }
            }
        }
    }
    assert!(count > 100, "{count} files");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn the_keystream_is_drawn_and_blocks_are_hashed_in_one_place() {
    let mut all = all_sources();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    let users = |of: &str| -> Vec<&str> {
        all.iter().filter(|s| s.code.contains(of)).map(|s| s.path.as_str()).collect()
    };
    assert_eq!(users("chacha20::"), ["crates/paigow-fairness/src/shuffle.rs"]);
    // The second implementation that a start compares with the first.
    assert_eq!(users("rand_chacha::"), ["crates/paigow-fairness/src/self_test.rs"]);
    assert_eq!(users("rand_core::"), ["crates/paigow-fairness/src/self_test.rs"]);
    assert_eq!(users("compress256"), ["crates/paigow-fairness/src/sha256.rs"]);
    // One module verifies signatures. One signs for the engine, and one for platforms.
    assert_eq!(
        users("aws_lc_rs::signature"),
        [
            "crates/paigow-client/src/keys.rs",
            "crates/paigow-engine/src/secret_key.rs",
            "crates/paigow-fairness/src/signature.rs"
        ]
    );
}

/// Returns the names of the types that a source declares at its top level.
fn declared_types(source: &Source) -> impl Iterator<Item = &str> {
    source.code.lines().filter_map(|line| {
        let declaration = match line.strip_prefix("pub") {
            Some(rest) => {
                rest.strip_prefix("(super)").or(rest.strip_prefix("(crate)")).unwrap_or(rest)
            }
            None => line,
        };
        let (keyword, rest) = declaration.trim_start().split_once(' ')?;
        let is_type = ["struct", "enum", "trait", "type", "union"].contains(&keyword);
        (is_type && !line.starts_with(' '))
            .then(|| rest.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap())
    })
}

#[test]
fn a_type_name_means_one_thing_in_the_whole_workspace() {
    let mut all = all_sources();
    // Platforms read the client alone. Its names are those of the clients in other languages.
    all.retain(|source| !source.path.starts_with("crates/paigow-client/"));
    let mut declared: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for source in &all {
        for name in declared_types(source) {
            declared.entry(name).or_default().insert(&source.path);
        }
    }
    assert!(declared.len() > 400, "{} types", declared.len());
    declared.retain(|_, files| files.len() > 1);
    assert!(declared.is_empty(), "{declared:#?}");
}
