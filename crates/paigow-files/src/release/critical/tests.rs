use std::collections::BTreeSet;

use super::*;

const ROOT: &str = r#"
[workspace]
members = ["crates/*"]
resolver = "3"

[workspace.package]
edition = "2024"
version = "0.1.0"

[workspace.dependencies]
cipher = { version = "0.5", features = ["legacy"] } # pinned
http = "1"
rules = { path = "crates/rules" }
time = { package = "chrono", version = "0.4" }

[workspace.metadata.certified]
crates = ["engine", "rules"]

[profile.release]
lto = "fat"
"#;
const ENGINE: &str = r#"
[package]
name = "engine"
edition.workspace = true

[dependencies]
cipher.workspace = true
rules = { workspace = true }

[target.'cfg(unix)'.dependencies]
time.workspace = true

[target.'cfg(windows)'.dev-dependencies]
winapi = "0.3"

[build-dependencies]
protox = "0.10"

[dev-dependencies]
proptest = "1"
"#;
const RULES: &str = "[package]\nname = \"rules\"\n";
const SERVER: &str = "[package]\nname = \"server\"\n[dependencies]\nhttp.workspace = true\n";

/// A package of a lock file; one of the workspace has no version to download.
fn package(name: &str, version: &str, dependencies: &[&str]) -> String {
    let quoted: Vec<String> = dependencies.iter().map(|d| format!("\"{d}\"")).collect();
    let source = match version {
        "" => "version = \"0.1.0\"\n".to_owned(),
        _ => {
            let checksum = Hash::of(format!("{name} {version}").as_bytes());
            format!("version = \"{version}\"\nsource = \"registry+r\"\nchecksum = \"{checksum}\"\n")
        }
    };
    let dependencies = quoted.join(", ");
    format!("[[package]]\nname = \"{name}\"\n{source}dependencies = [{dependencies}]\n\n")
}

fn lock() -> String {
    [
        package("chrono", "0.4.1", &[]),
        package("cipher", "0.5.0", &["rand_core 0.9.0", "zeroize"]),
        package("engine", "", &["chrono", "cipher", "proptest", "protox", "rules", "winapi"]),
        package("http", "1.0.0", &["bytes"]),
        package("bytes", "1.0.0", &[]),
        package("proptest", "1.0.0", &["rand_core 0.6.0"]),
        package("protox", "0.10.0", &["rand_core 0.9.0 (registry+r)"]),
        package("rand_core", "0.6.0", &[]),
        package("rand_core", "0.9.0", &[]),
        package("rules", "", &[]),
        package("server", "", &["engine", "http"]),
        package("winapi", "0.3.0", &[]),
        package("zeroize", "1.0.0", &["cipher"]),
    ]
    .concat()
}

fn tree() -> Tree {
    let files = [
        (".cargo/config.toml", "[build]\n"),
        ("Cargo.lock", &lock()),
        ("Cargo.toml", ROOT),
        ("README.md", "read me\n"),
        ("crates/engine/Cargo.toml", ENGINE),
        ("crates/engine/src/lib.rs", "pub mod deal;\n"),
        ("crates/engine/src/deal/tests.rs", "// a test\n"),
        ("crates/rules/Cargo.toml", RULES),
        ("crates/rules/benches/all.rs", "fn main() {}\n"),
        ("crates/rules/build.rs", "fn main() {}\n"),
        ("crates/rules/src/express.toml", "id = \"express\"\n"),
        ("crates/rules/src/tests/mod.rs", "mod oracle;\n"),
        ("crates/rules/src/tests_of_rank.rs", "//! Not a test.\n"),
        ("crates/rules-extra/src/lib.rs", "// of another crate\n"),
        ("crates/server/Cargo.toml", SERVER),
        ("crates/server/src/lib.rs", "// serves\n"),
        ("proto/pge.proto", "syntax = \"proto3\";\n"),
        ("rust-toolchain.toml", "[toolchain]\n"),
    ];
    files.map(|(path, text)| (path.to_owned(), Node::File(text.as_bytes().to_vec()))).into()
}

fn edited(path: &str, old: &str, new: &str) -> Tree {
    let mut tree = tree();
    let Some(Node::File(bytes)) = tree.get_mut(path) else { panic!("no file {path}") };
    let text = String::from_utf8(bytes.clone()).unwrap();
    assert_eq!(text.matches(old).count(), 1, "{old:?} in {path}");
    *bytes = text.replace(old, new).into_bytes();
    tree
}

fn hash(tree: &Tree) -> Hash {
    Critical::of(tree).unwrap().hash()
}

#[test]
fn the_inputs_are_what_the_definition_lists() {
    let critical = Critical::of(&tree()).unwrap();
    let names: Vec<String> = critical.inputs().iter().map(|input| input.split().0).collect();
    let expected = [
        "file .cargo/config.toml",
        "file crates/engine/src/lib.rs",
        "file crates/rules/build.rs",
        "file crates/rules/src/express.toml",
        "file crates/rules/src/tests_of_rank.rs",
        "file proto/pge.proto",
        "file rust-toolchain.toml",
        "manifest crates/engine/Cargo.toml",
        "manifest crates/rules/Cargo.toml",
    ];
    let of_crates = |name: &&String| !name.starts_with("package ") && !name.starts_with("table ");
    let mut found: Vec<&String> = names.iter().filter(of_crates).collect();
    found.sort();
    assert_eq!(found, expected);
    let texts: BTreeSet<&str> = critical.inputs().iter().map(Input::text).collect();
    let packages: Vec<&str> = texts
        .iter()
        .filter_map(|text| text.strip_prefix("package ")?.split(" registry+r ").next())
        .collect();
    let expected =
        ["chrono 0.4.1", "cipher 0.5.0", "protox 0.10.0", "rand_core 0.9.0", "zeroize 1.0.0"];
    assert_eq!(packages, expected);
    let tables: BTreeSet<&str> =
        texts.iter().filter_map(|text| text.strip_prefix("table ")?.split(' ').nth(1)).collect();
    let expected = [
        "profile",
        "workspace.dependencies.cipher",
        "workspace.dependencies.rules",
        "workspace.dependencies.time",
        "workspace.metadata.certified",
        "workspace.package.edition",
        "workspace.resolver",
    ];
    assert_eq!(tables, expected.into());
}

/// Every hash here was computed with `sha256sum` from a text written by hand.
#[test]
fn texts_and_lines_are_those_of_the_definition() {
    let manifest = r#"{"package":{"name":"rules"}}"#;
    let sha256 = Hash::of(format!("{manifest}\n").as_bytes());
    let critical = Critical::of(&tree()).unwrap();
    let texts: Vec<&str> = critical.inputs().iter().map(Input::text).collect();
    assert!(texts.contains(&&*format!("manifest {sha256} crates/rules/Cargo.toml")));
    // printf 'syntax = "proto3";\n' | sha256sum
    let proto = "26695965cd692d9dce08efe0b2e1f745c3be7c19631b56873c8956b8d486cf17 ";
    let text = texts.iter().find(|text| text.ends_with(" proto/pge.proto")).unwrap();
    assert!(text.starts_with(&format!("file {proto}")), "{text}");
    // printf '"3"\n' | sha256sum
    let text = texts.iter().find(|text| text.ends_with(" workspace.resolver")).unwrap();
    assert!(
        text.starts_with("table 6a9d3546d0eafa98251ab1abb06d0d8a1fba95ec27fc1e9ed5b6dc380ac2c22d "),
        "{text}"
    );
    let line = format!("{} {text}\n", 6 + 64 + 1 + 18);
    assert!(lines(critical.inputs()).contains(&line), "{line}");
    // The only file of proto/ is a part by itself.
    let (_, part) = critical.parts().into_iter().find(|(name, _)| name == "proto").unwrap();
    let text = texts.iter().find(|text| text.ends_with(" proto/pge.proto")).unwrap();
    assert_eq!(part, Hash::of(format!("85 {text}\n").as_bytes()));
}

#[test]
fn whatever_builds_certified_code_changes_the_hash() {
    let before = hash(&tree());
    for (path, old, new) in [
        (".cargo/config.toml", "[build]", "[build]\nrustflags = []"),
        ("Cargo.toml", "[\"legacy\"]", "[]"),
        ("Cargo.toml", "\"fat\"", "\"thin\""),
        ("Cargo.toml", "\"2024\"", "\"2021\""),
        ("Cargo.toml", "resolver = \"3\"", "resolver = \"2\""),
        ("Cargo.toml", "[profile", "[patch.crates-io]\ncipher.path = \"x\"\n[profile"),
        ("Cargo.lock", "\"cipher\"\nversion = \"0.5.0\"", "\"cipher\"\nversion = \"0.5.1\""),
        ("crates/engine/Cargo.toml", "protox = \"0.10\"", "protox = \"0.10.1\""),
        ("crates/engine/src/lib.rs", "pub", "// a comment\npub"),
        ("crates/rules/build.rs", "{}", "{ }"),
        ("crates/rules/src/express.toml", "express", "Express"),
        ("proto/pge.proto", "proto3", "proto2"),
        ("rust-toolchain.toml", "[toolchain]", "[toolchain]\nchannel = \"1.95.0\""),
    ] {
        assert_ne!(hash(&edited(path, old, new)), before, "{path}: {old} to {new}");
    }
    let mut renamed = tree();
    let file = renamed.remove("crates/rules/build.rs").unwrap();
    renamed.insert("crates/rules/make.rs".to_owned(), file);
    assert_ne!(hash(&renamed), before);
    let mut added = tree();
    added.insert("crates/rules/notes".to_owned(), Node::File(Vec::new()));
    assert_ne!(hash(&added), before);
}

#[test]
fn what_builds_no_certified_code_leaves_the_hash() {
    let before = hash(&tree());
    for (path, old, new) in [
        ("Cargo.toml", "http = \"1\"", "http = \"1.1\""),
        ("Cargo.toml", " # pinned", ""),
        ("Cargo.toml", "version = \"0.1.0\"", "version = \"0.2.0\""),
        ("Cargo.lock", "\"bytes\"\nversion = \"1.0.0\"", "\"bytes\"\nversion = \"1.0.1\""),
        ("Cargo.lock", "\"rand_core\"\nversion = \"0.9.0\"", "\"rand_core\"\nversion = \"0.9.0\" "),
        ("README.md", "read", "do read"),
        ("crates/engine/Cargo.toml", "proptest = \"1\"", "proptest = \"1.1\"\ntempfile = \"3\""),
        ("crates/engine/Cargo.toml", "winapi = \"0.3\"", "winapi = \"0.2\""),
        ("crates/engine/src/deal/tests.rs", "a test", "another test"),
        ("crates/rules/benches/all.rs", "{}", "{ }"),
        ("crates/rules/src/tests/mod.rs", "oracle", "judge"),
        ("crates/rules-extra/src/lib.rs", "another", "some other"),
        ("crates/server/src/lib.rs", "serves", "serves well"),
    ] {
        assert_eq!(hash(&edited(path, old, new)), before, "{path}: {old} to {new}");
    }
}

#[test]
fn a_tree_outside_the_definition_is_refused() {
    let refused = |path: &str, old: &str, new: &str| {
        Critical::of(&edited(path, old, new)).unwrap_err().to_string()
    };
    for (path, old, new, told) in [
        (
            "Cargo.toml",
            "crates = [\"engine\", \"rules\"]",
            "crates = [\"engine\"]",
            "engine is certified and depends on rules, which is neither certified nor from a registry",
        ),
        (
            "Cargo.lock",
            "\"rand_core 0.9.0\", \"zeroize\"",
            "\"rand_core 0.9.0\", \"zeroize\", \"server\"",
            "cipher is certified and depends on server, which is neither certified nor from a registry",
        ),
        (
            "Cargo.toml",
            "\"engine\", \"rules\"]",
            "\"engine\", \"none\"]",
            "crates/none/Cargo.toml: no such file",
        ),
        (
            "Cargo.toml",
            "crates = [\"engine\", \"rules\"]",
            "crates = [\"../engine\"]",
            "Cargo.toml: no list `crates` of names in [workspace.metadata.certified]",
        ),
        ("Cargo.toml", "resolver = \"3\"", "", "Cargo.toml: no `resolver` in [workspace]"),
        (
            "Cargo.toml",
            "\"fat\"",
            "1.5",
            "Cargo.toml: a number with a point, or a date: it has no one spelling",
        ),
        (
            "Cargo.lock",
            "\"rand_core 0.9.0\", \"zeroize\"",
            "\"rand_core\", \"zeroize\"",
            "Cargo.lock: several packages rand_core",
        ),
        (
            "crates/engine/Cargo.toml",
            "protox =",
            "prost =",
            "Cargo.lock: package engine lists no dependency prost",
        ),
        (
            "crates/engine/Cargo.toml",
            "[build-dependencies]",
            "[build_dependencies]",
            "crates/engine/Cargo.toml: build_dependencies: write it with `-`",
        ),
        (
            "crates/rules/Cargo.toml",
            "\"rules\"",
            "\"rule\"",
            "crates/rules/Cargo.toml: not the manifest of a package rules",
        ),
    ] {
        assert_eq!(refused(path, old, new), told);
    }
}

#[test]
fn a_link_leads_to_the_contract_or_is_refused() {
    let linked = |target: &str| {
        let mut tree = tree();
        tree.insert("crates/rules/proto".to_owned(), Node::Link(target.to_owned()));
        Critical::of(&tree)
    };
    // printf ../../proto | sha256sum
    let sha256 = "88633327314cbf9f9690361f9b1e20ae6e667d2982b9ef0ba1cb84bfeb12e701";
    let text: Input = format!("link {sha256} crates/rules/proto").parse().unwrap();
    assert!(linked("../../proto").unwrap().inputs().contains(&text));
    for target in ["/proto", "../../crates/server/src", "../../../proto", "../../protocol"] {
        assert!(matches!(linked(target), Err(CriticalError::Link { .. })), "{target}");
    }
}

#[test]
fn an_input_reads_back_as_itself_and_nothing_else_reads() {
    for input in Critical::of(&tree()).unwrap().inputs() {
        assert_eq!(input.text().parse().as_ref(), Ok(input));
    }
    let sha256 = Hash::of(b"x");
    for bad in [
        String::new(),
        "file".to_owned(),
        format!("file {sha256} ../x"),
        format!("file {sha256} a\nb"),
        format!("file {} x", &sha256.to_string()[1..]),
        format!("folder {sha256} x"),
        format!("package a 1 r {sha256} {sha256}"),
        "package a 1 r none".to_owned(),
        format!("file {sha256} {}", "x".repeat(600)),
    ] {
        assert_eq!(bad.parse::<Input>(), Err(ParseInputError), "{bad}");
    }
}

#[test]
fn a_read_file_that_is_no_input_is_a_finding() {
    let critical = Critical::of(&tree()).unwrap();
    let read = |text: &str| {
        let found = critical.unlisted(
            &DepInfo::parse(text),
            "/home/ann/my tree",
            &["/build/target".to_owned()],
        );
        found.into_iter().map(|finding| finding.to_string()).collect::<Vec<_>>()
    };
    let clean = "/build/target/deps/libengine.rlib: crates/engine/src/lib.rs \
                 /home/ann/my\\ tree/proto/pge.proto \
                 crates/engine/../../proto/pge.proto /build/target/out/pge.rs\n\n\
                 crates/engine/src/lib.rs:\n\n# env-dep:OUT_DIR=/build/target/out\n";
    assert_eq!(read(clean), Vec::<String>::new());
    let hidden = "x.d: crates/engine/src/lib.rs crates/rules/src/tests/mod.rs /etc/seed \
                  crates/server/src/lib.rs\n# env-dep:LUCK\n# env-dep:CARGO_PKG_VERSION=0.1.0\n";
    let expected = [
        "/etc/seed: read",
        "crates/rules/src/tests/mod.rs: read",
        "crates/server/src/lib.rs: read",
        "CARGO_PKG_VERSION: a variable",
        "LUCK: a variable",
    ];
    let found = read(hidden);
    assert_eq!(found.len(), expected.len(), "{found:#?}");
    for (finding, expected) in found.iter().zip(expected) {
        assert!(finding.starts_with(expected), "{finding}");
    }
    // A build script names a folder for all below it.
    let output = "cargo::rerun-if-changed=../../proto\ncargo:rerun-if-changed=../server/src\n\
                  cargo::rustc-env=A=b\n";
    let script = DepInfo::of_build_script(output, "/home/ann/my tree/crates/rules");
    let found = critical.unlisted(&script, "/home/ann/my tree", &["/build/target".to_owned()]);
    assert_eq!(found, [DepInfoFinding::File("crates/server/src".to_owned())]);
}
