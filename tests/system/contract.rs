//! The contract as `tests/proto` guards it: buf's STANDARD and COMMENTS lint, and that it only
//! grows; and the options of its files.
#![allow(clippy::unwrap_used)]

use paigow_testkit::tools;

use std::fs;
use std::path::Path;
use std::process::Output;

use prost_reflect::DescriptorPool;
use tempfile::TempDir;

const FILE: &str = "proto/paigow/v1/paigow_service.proto";

/// A copy of what `tests/proto` reads, to be changed.
fn copy() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    copied(home.path(), "proto");
    for file in ["buf.yaml", "tests/proto", "tests/vectors/contract.binpb"] {
        fs::create_dir_all(home.path().join(file).parent().unwrap()).unwrap();
        // By another process: a script that this one has open for writing cannot be run, nor
        // while a process that another test starts at that moment has inherited it.
        let (from, to) = (tools::root().join(file), home.path().join(file));
        assert!(tools::command("cp").args([from, to]).status().unwrap().success());
    }
    home
}

fn copied(home: &Path, folder: &str) {
    fs::create_dir_all(home.join(folder)).unwrap();
    for entry in fs::read_dir(tools::root().join(folder)).unwrap() {
        let entry = entry.unwrap();
        let inside = format!("{folder}/{}", entry.file_name().to_str().unwrap());
        if entry.file_type().unwrap().is_dir() {
            copied(home, &inside);
        } else {
            fs::copy(entry.path(), home.join(inside)).unwrap();
        }
    }
}

fn edited(home: &TempDir, from: &str, to: &str) {
    let path = home.path().join(FILE);
    let text = fs::read_to_string(&path).unwrap();
    assert!(text.contains(from), "{from}");
    fs::write(path, text.replacen(from, to, 1)).unwrap();
}

fn guarded(home: &Path) -> Output {
    tools::command(home.join("tests/proto")).output().unwrap()
}

/// Returns the guard's output for a copy with one change.
fn refused(from: &str, to: &str) -> String {
    let home = copy();
    edited(&home, from, to);
    let output = guarded(home.path());
    assert!(!output.status.success(), "{to} is let through");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_contract_follows_the_style_and_has_only_grown() {
    let said = tools::text(&guarded(tools::root()));
    assert!(
        said.contains("STANDARD and COMMENTS hold") && said.contains("nothing since"),
        "{said}"
    );
}

#[test]
fn what_would_break_a_caller_is_refused() {
    let said = refused(
        "int64 round_no = 4 [debug_redact = true];",
        "int64 round_no = 44 [debug_redact = true];",
    );
    assert!(said.contains("\"4\" with name \"round_no\""), "{said}");
    let said = refused(
        "int64 round_no = 4 [debug_redact = true];",
        "string round_no = 4 [debug_redact = true];",
    );
    assert!(said.contains("changed type from \"int64\" to \"string\""), "{said}");
    let said = refused(
        "  rpc Settle(SettleRequest) returns (SettleResponse) {\n    \
         option idempotency_level = IDEMPOTENT;\n  }\n",
        "",
    );
    assert!(said.contains("RPC \"Settle\""), "{said}");
}

#[test]
fn a_name_against_the_style_is_refused() {
    let said = refused(
        "int64 round_no = 4 [debug_redact = true];",
        "int64 round_no = 4 [debug_redact = true];\n  // Whether it is new.\n  bool isNew = 9999;",
    );
    assert!(said.contains("\"isNew\" should be lower_snake_case"), "{said}");
}

#[test]
fn an_element_without_a_comment_is_refused() {
    let said = refused(
        "int64 round_no = 4 [debug_redact = true];",
        "int64 round_no = 4 [debug_redact = true];\n  bool is_new = 9999;",
    );
    assert!(said.contains("\"is_new\" should have a non-empty comment"), "{said}");
}

#[test]
fn every_file_names_its_package_in_each_language() {
    let files = DescriptorPool::decode(paigow_proto::DESCRIPTORS).unwrap();
    let ours = files.files().filter(|file| file.package_name() == "paigow.v1");
    let mut count = 0;
    for file in ours {
        count += 1;
        let options = file.file_descriptor_proto().options.as_ref().unwrap();
        assert_eq!(options.csharp_namespace(), "Paigow.V1");
        assert_eq!(options.go_package(), "paigow/v1;paigowv1");
        assert!(options.java_multiple_files());
        // Where case does not count in a file's name, the default is the name of the service.
        assert!(options.java_outer_classname().ends_with("Proto"));
        assert_eq!(options.java_package(), "paigow.v1");
        assert_eq!(options.objc_class_prefix(), "PGW");
        assert_eq!(options.ruby_package(), "Paigow::V1");
    }
    assert_eq!(count, 2);
}

#[test]
fn stubs_are_generated_and_compiled_for_every_language() {
    let made = tempfile::tempdir().unwrap();
    let said = tools::command("tests/stubs").arg(made.path()).output().unwrap();
    let said = tools::text(&said);
    assert!(said.contains("compiled: Python, Go, Java, TypeScript"), "{said}");

    let exists = |file: &str| assert!(made.path().join(file).exists(), "{file}");
    exists("go/paigow.a");
    exists("classes/paigow/v1/PaiGowServiceGrpc.class");
    let csharp = ["ErrorReason", "PaigowService"]
        .map(|file| fs::read_to_string(made.path().join(format!("csharp/{file}.cs"))).unwrap());
    assert!(csharp.iter().all(|text| text.contains("namespace Paigow.V1 {")));
    let csharp = csharp.concat();
    let has = |name: &str| assert!(csharp.contains(name), "{name}");

    let pool = DescriptorPool::decode(paigow_proto::DESCRIPTORS).unwrap();
    let ours = |name: &str| name.starts_with("paigow.v1.");
    for message in pool.all_messages().filter(|message| ours(message.full_name())) {
        let name = message.name();
        if message.parent_message().is_none() {
            exists(&format!("classes/paigow/v1/{name}.class"));
        }
        if !message.is_map_entry() {
            has(&format!("public sealed partial class {name} : "));
        }
    }
    for kind in pool.all_enums().filter(|kind| ours(kind.full_name())) {
        let name = kind.name();
        has(&format!("public enum {name} {{"));
        for value in kind.values() {
            // C# has no underscores, and the name of the enum no second time.
            let words = value.name().split('_');
            let words: String =
                words.map(|word| format!("{}{}", &word[..1], word[1..].to_lowercase())).collect();
            let short = words.strip_prefix(name).unwrap();
            has(&format!("\"{}\")] {short} = {},", value.name(), value.number()));
        }
    }
}

#[test]
fn comments_of_the_contract_state_rules_and_no_numbers_of_decisions() {
    for file in [FILE, "proto/paigow/v1/error_reason.proto"] {
        let text = fs::read_to_string(tools::root().join(file)).unwrap();
        for (at, line) in text.lines().enumerate() {
            let mut words = line.split(|c: char| !c.is_ascii_alphanumeric());
            let is_number = |word: &str| {
                let digits = word.strip_prefix(['D', 'P']).unwrap_or_default();
                !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit())
            };
            assert!(!words.any(is_number), "{file}, line {}: {line}", at + 1);
        }
    }
}

#[test]
fn the_published_descriptors_are_those_of_the_contract_and_of_its_errors() {
    // One set after the other is a set of all files.
    let expected = [paigow_proto::DESCRIPTORS, tonic_types::pb::FILE_DESCRIPTOR_SET].concat();
    let file = tools::root().join("deploy/client/paigow.binpb");
    if std::env::var_os("WRITE_DOCS").is_some() {
        fs::write(&file, &expected).unwrap();
    }
    let is_published = fs::read(&file).is_ok_and(|published| published == expected);
    assert!(is_published, "stale: WRITE_DOCS=1 cargo test -p paigow --test system published");
    let pool = DescriptorPool::decode(&expected[..]).unwrap();
    for name in ["paigow.v1.DealRequest", "google.rpc.Status", "google.rpc.ErrorInfo"] {
        assert!(pool.get_message_by_name(name).is_some(), "{name}");
    }
}

#[test]
fn a_contract_that_grows_is_taken() {
    let home = copy();
    edited(
        &home,
        "int64 round_no = 4 [debug_redact = true];",
        "int64 round_no = 4 [debug_redact = true];\n  // Whether it is new.\n  bool is_new = 9999;",
    );
    tools::text(&guarded(home.path()));
}

#[test]
fn a_released_contract_is_held_against_its_tag() {
    let home = copy();
    let git = |arguments: &[&str]| {
        let who =
            ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"];
        let mut git = tools::command("git");
        git.current_dir(home.path()).args(who).args(arguments);
        tools::text(&git.output().unwrap())
    };
    edited(
        &home,
        "int64 round_no = 4 [debug_redact = true];",
        "int64 round_no = 4 [debug_redact = true];\n  // Whether it is new.\n  bool is_new = 9999;",
    );
    git(&["init", "--quiet"]);
    git(&["add", "."]);
    git(&["commit", "--quiet", "--message", "one"]);
    git(&["tag", "v0.1.0"]);
    let said = tools::text(&guarded(home.path()));
    assert!(said.contains("nothing since v0.1.0"), "{said}");
    // The fields of the release are a promise too.
    edited(&home, "  // Whether it is new.\n  bool is_new = 9999;\n", "");
    let output = guarded(home.path());
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("\"is_new\""));
    // A released contract cannot be overwritten.
    let mut accept = tools::command(home.path().join("tests/proto"));
    assert!(!accept.arg("--accept").output().unwrap().status.success());
}
