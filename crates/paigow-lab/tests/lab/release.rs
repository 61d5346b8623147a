//! `paigow-lab release`: a record is made, root holders sign it one after the other, and this
//! program and `sha256sum` verify it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::binary::{run, run_keys, text};
use paigow_verifier_page::{SINGLE_FILE, single_file};

/// A substitute for a program: it has the settings of its build.
const SERVER: &str = concat!(
    "an executable\n",
    "paigow-build-settings {\"compiler\":[\"rustc 1.95.0\"],\"features\":[\"default\"],",
    "\"profile\":\"release\",\"rustflags\":[\"--cfg=a\"],\"target\":\"x86_64\"}\n"
);

/// A small source tree, a binary and settings.
struct Home {
    folder: tempfile::TempDir,
}

impl Home {
    fn new() -> Self {
        let home = Self { folder: tempfile::tempdir().unwrap() };
        for (path, text) in [
            (
                "tree/Cargo.lock",
                "[[package]]\nname = \"rules\"\nversion = \"0.1.0\"\n\
                 [[package]]\nname = \"server\"\nversion = \"0.1.0\"\n",
            ),
            (
                "tree/Cargo.toml",
                "[workspace]\nresolver = \"3\"\n\
                 [workspace.metadata.certified]\ncrates = [\"rules\"]\n",
            ),
            ("tree/proto/paigow.proto", "syntax = \"proto3\";\n"),
            ("tree/crates/rules/Cargo.toml", "[package]\nname = \"rules\"\n"),
            ("tree/crates/rules/src/money.rs", "//! Money.\n"),
            ("tree/crates/server/src/lib.rs", "//! The process.\n"),
            ("tree/README.md", "not an input\n"),
            ("bin/paigow-server", SERVER),
            ("lib/libc.so.6", "a shared object\n"),
            ("production.toml", "[server]\ntenant = \"acme\"\n"),
        ] {
            home.write(path, text);
        }
        home
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn text(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Runs `paigow-lab release` and returns its exit code and output.
    fn release(&self, arguments: &[&str]) -> (i32, String) {
        told(&run(&[&["release"], arguments].concat(), b""))
    }

    /// Makes a record of everything and returns the output.
    fn make(&self, record: &str, more: &[&str]) -> String {
        let (tree, record) = (self.text("tree"), self.text(record));
        let arguments = ["make", "--source", &tree, "--out", &record];
        let (code, told) = self.release(&[&arguments[..], more].concat());
        assert_eq!(code, 0, "{told}");
        told
    }

    /// Makes a root key of a holder and returns its public half and file.
    fn root_key(&self, holder: &str) -> (String, String) {
        fs::create_dir(self.path(holder)).unwrap();
        let lines = text(&run_keys(&["root", "--out", &self.text(holder)]));
        let value = |name: &str| {
            let line = lines.lines().find(|line| line.starts_with(name)).unwrap();
            line[name.len()..].trim().to_owned()
        };
        (value("public"), value("file"))
    }

    fn sign(&self, record: &str, key: &str, signed: &str) {
        let output = run_keys(&["sign-release", &self.text(record), "--key", key]);
        assert_eq!(output.status.code(), Some(0));
        fs::write(self.path(signed), output.stdout).unwrap();
    }
}

/// Returns the exit code of a program and its whole output.
fn told(output: &Output) -> (i32, String) {
    let told = text(output) + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap(), told)
}

/// Returns the value of a row of the output.
fn row(told: &str, name: &str) -> String {
    let line = told.lines().find(|line| line.starts_with(name)).unwrap();
    line.split_whitespace().nth(1).unwrap().to_owned()
}

#[test]
fn a_release_that_two_of_three_have_signed_verifies_until_one_byte_is_changed() {
    let home = Home::new();
    let holders = ["ann", "bob", "eve"].map(|holder| home.root_key(holder));
    let roots: Vec<&str> = holders.iter().flat_map(|(key, _)| ["--root", key.as_str()]).collect();
    let files = ["bin/paigow-server", "lib/libc.so.6", "production.toml"];
    let [binary, library, config] = files.map(|file| home.text(file));
    let given = ["--binary", &binary, "--library", &library, "--config", &config];
    home.make("draft", &given);
    home.sign("draft", &holders[0].1, "half");
    home.sign("half", &holders[1].1, "signed");

    let tree = home.text("tree");
    let verify = |record: &str| {
        let record = home.text(record);
        let at = ["verify", &record, "--threshold", "2", "--source", &tree];
        home.release(&[&at[..], &roots, &given].concat())
    };
    let (code, told) = verify("signed");
    assert_eq!(code, 0, "{told}");
    assert!(told.ends_with("verdict: match: everything that was given is what was released\n"));
    assert!(!told.contains("MISMATCH"));
    assert!(told.contains(", 5 inputs\n"), "{told}");
    let build = "build      x86_64, release, rustflags --cfg=a, features default, rustc 1.95.0\n";
    assert!(told.contains(build), "{told}");

    let (code, told) = verify("half");
    assert_eq!(code, 1);
    assert!(told.contains("signatures    MISMATCH  1 of 3 root keys, 2 have to sign"), "{told}");

    for (file, changed, line) in [
        (
            "bin/paigow-server",
            "another executable\n",
            "binary        MISMATCH  paigow-server: released",
        ),
        ("lib/libc.so.6", "A shared object\n", "library       MISMATCH  libc.so.6: released"),
        ("production.toml", "[server]\n", "settings      MISMATCH  production.toml: released"),
        (
            "tree/crates/rules/src/money.rs",
            "//! Monex.\n",
            "critical      MISMATCH  file crates/rules/src/money.rs: changed",
        ),
        ("tree/rust-toolchain.toml", "", "critical      MISMATCH  file rust-toolchain.toml: added"),
    ] {
        let before = fs::read_to_string(home.path(file)).ok();
        home.write(file, changed);
        let (code, told) = verify("signed");
        assert_eq!(code, 1, "{file}");
        assert!(told.contains(line), "{told}");
        assert!(told.ends_with("verdict: mismatch: 1 difference\n"), "{told}");
        match before {
            Some(text) => home.write(file, &text),
            None => fs::remove_file(home.path(file)).unwrap(),
        }
    }
    // The page for players is that of this program. A file of it verifies until one bit changes.
    home.write("verifier.html", std::str::from_utf8(single_file()).unwrap());
    let page = home.text("verifier.html");
    let root = ["--threshold", "2", "--page", &page];
    let signed = home.text("signed");
    let verify_page = || home.release(&[&["verify", &signed][..], &root, &roots].concat());
    let (code, told) = verify_page();
    assert_eq!(code, 0, "{told}");
    assert_eq!(told.matches("\npage          matches   ").count(), 2, "{told}");
    for at in [0, single_file().len() / 2, single_file().len() - 1] {
        let mut bytes = single_file().to_vec();
        bytes[at] ^= 1;
        fs::write(&page, bytes).unwrap();
        let (code, told) = verify_page();
        assert_eq!(code, 1);
        assert!(told.contains(&format!("page          MISMATCH  {page}: released ")), "{told}");
        assert!(told.ends_with("verdict: mismatch: 1 difference\n"), "{told}");
    }
    // Files that no certified crate is built from may differ.
    home.write("tree/crates/server/src/lib.rs", "//! Another process.\n");
    assert_eq!(verify("signed").0, 0);
    fs::remove_file(home.path("tree/crates/rules/src/money.rs")).unwrap();
    let (code, told) = verify("signed");
    assert_eq!(code, 1);
    let line = "critical      MISMATCH  file crates/rules/src/money.rs: removed";
    assert!(told.contains(line), "{told}");
}

#[test]
fn only_root_keys_sign_a_release_and_each_only_once() {
    let home = Home::new();
    home.make("draft", &[]);
    let (_, ann) = home.root_key("ann");
    home.sign("draft", &ann, "signed");
    let (code, said) = told(&run_keys(&["sign-release", &home.text("signed"), "--key", &ann]));
    assert_eq!(code, 64);
    assert!(said.contains("this key has already signed the record"), "{said}");
    let witness = text(&run_keys(&["witness", "--out", &home.text("ann")]));
    let witness = witness.lines().last().unwrap().trim_start_matches("file").trim();
    let (code, said) = told(&run_keys(&["sign-release", &home.text("draft"), "--key", witness]));
    assert_eq!(code, 64);
    assert!(said.contains("not a root key"), "{said}");
}

#[test]
fn the_lists_are_checked_by_sha256sum() {
    let home = Home::new();
    let told = home.make("draft", &["--binary", &home.text("bin/paigow-server")]);
    let sums = |folder: &str, list: &str| {
        let mut command = Command::new("sha256sum");
        let child = command.arg("--check").arg("--strict").current_dir(home.path(folder));
        let mut child = child
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), list.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (output.status.success(), text(&output).lines().count())
    };
    let draft = home.text("draft");
    let (_, sources) = home.release(&["list", &draft]);
    assert_eq!(sums("tree", &sources), (true, 2));
    let (_, binaries) = home.release(&["list", &draft, "--binaries"]);
    fs::write(home.path("bin").join(SINGLE_FILE), single_file()).unwrap();
    assert_eq!(sums("bin", &binaries), (true, 2));

    // The critical hash is the SHA-256 of the list of inputs, of the record and of the tree.
    let (_, inputs) = home.release(&["list", &draft, "--inputs"]);
    assert_eq!(home.release(&["inputs", "--tree", &home.text("tree")]), (0, inputs.clone()));
    home.write("inputs", &inputs);
    let output = Command::new("sha256sum").arg(home.path("inputs")).output().unwrap();
    assert_eq!(row(&told, "critical"), text(&output).split(' ').next().unwrap());
    let (_, hashes) = home.release(&["hash", "--tree", &home.text("tree")]);
    assert_eq!(hashes.lines().last().unwrap(), format!("{} critical", row(&told, "critical")));

    home.write("tree/crates/rules/src/money.rs", "//! Else.\n");
    assert!(!sums("tree", &sources).0);
}

#[test]
fn a_file_that_a_build_has_read_and_that_is_no_input_is_named() {
    let home = Home::new();
    let tree = home.text("tree");
    let built = home.text("target/release");
    let inputs = || home.release(&["inputs", "--tree", &tree, "--built", &built]);
    // The files that Cargo leaves for a unit of work: its description, and the files that it has
    // read.
    let unit = |name: &str, what: &str, file: &str, read: &str| {
        home.write(&format!("target/release/.fingerprint/{name}-0123456789abcdef/{what}"), "");
        home.write(&format!("target/release/{file}"), read);
        let library = file.replace("deps/", "deps/lib").replace(".d", ".rlib");
        home.write(&format!("target/release/{library}"), "");
    };
    unit("server", "lib-server", "deps/server-0123456789abcdef.d", "x: /etc/hosts\n");
    let (code, told) = inputs();
    assert_eq!(code, 65);
    assert!(told.ends_with("--built: no build of rules\n"), "{told}");

    let lib = "deps/rules-0123456789abcdef.d";
    unit("rules", "lib-rules", lib, "librules.rlib: crates/rules/src/money.rs\n");
    assert_eq!(inputs().0, 0);
    // The compilation of the unit tests, an earlier compilation, and a crate whose longer name
    // begins alike.
    let fingerprints = "target/release/.fingerprint";
    home.write(&format!("{fingerprints}/rules-00000000000000aa/test-lib-rules"), "");
    home.write("target/release/deps/rules-00000000000000aa.d", "x: crates/server/src/lib.rs\n");
    home.write(&format!("{fingerprints}/rules-00000000000000bb/lib-rules"), "");
    home.write("target/release/deps/librules-00000000000000bb.rlib", "");
    // The unit of Clippy, which makes no library.
    home.write(&format!("{fingerprints}/rules-00000000000000ee/lib-rules"), "");
    home.write("target/release/deps/rules-00000000000000ee.d", "x: Cargo.toml\n");
    let earlier = "x: crates/server/src/lib.rs crates/rules/src/gone.rs\n";
    home.write("target/release/deps/rules-00000000000000bb.d", earlier);
    unit(
        "rules-extra",
        "lib-rules_extra",
        "deps/rules_extra-0123456789abcdef.d",
        "x: /etc/hosts\n",
    );
    assert_eq!(inputs().0, 0);

    // The files of the build script are in folders of their own.
    let script = "build-script-build-script-build";
    home.write(&format!("{fingerprints}/rules-00000000000000cc/{script}"), "");
    let of_script =
        "target/release/build/rules-00000000000000cc/build_script_build-00000000000000cc.d";
    home.write(of_script, "x: crates/rules/Cargo.toml README.md\n");
    home.write(&format!("{fingerprints}/rules-00000000000000dd/run-{script}"), "");
    let output = "cargo::rerun-if-changed=../../proto\ncargo::rerun-if-changed=../server\n";
    home.write("target/release/build/rules-00000000000000dd/output", output);
    home.write("tree/crates/rules/src/tests.rs", "//! A unit test, it says.\n");
    let read = "x: crates/rules/src/money.rs crates/rules/src/tests.rs\n# env-dep:SEED=1\n";
    home.write(&format!("target/release/{lib}"), read);
    let (code, told) = inputs();
    assert_eq!(code, 1);
    for finding in [
        "README.md: read by a certified crate, and not an input\n",
        "crates/rules/src/tests.rs: read by a certified crate, and not an input\n",
        "crates/server: read by a certified crate, and not an input\n",
        "SEED: a variable that a certified crate reads, and not an input\n",
    ] {
        assert!(told.contains(finding), "{told}");
    }
    assert_eq!(told.matches("certified crate").count(), 4, "{told}");
}

#[test]
fn a_change_of_outcome_code_is_told_from_any_other() {
    let home = Home::new();
    let first = home.make("first", &["--created", "2026-12-01"]);
    home.write("tree/crates/server/src/lib.rs", "//! The process, changed.\n");
    let before = home.text("first");
    let second = home.make("second", &["--prev", &before]);
    assert_eq!(row(&second, "prev"), row(&first, "record"));
    assert_eq!(row(&second, "critical"), row(&first, "critical"));
    assert!(second.ends_with("since 0.1.0  critical hash unchanged\n"), "{second}");

    home.write("tree/crates/rules/src/money.rs", "//! Other money.\n");
    home.write("tree/crates/rules/src/cards.rs", "//! Cards.\n");
    fs::remove_file(home.path("tree/proto/paigow.proto")).unwrap();
    let third = home.make("third", &["--prev", &before]);
    let changes = "since 0.1.0  critical hash CHANGED\n  \
                   added    file crates/rules/src/cards.rs\n  \
                   changed  file crates/rules/src/money.rs\n  \
                   removed  file proto/paigow.proto\n";
    assert!(third.ends_with(changes), "{third}");
}

#[test]
fn the_same_files_make_the_same_record() {
    let home = Home::new();
    home.make("first", &[]);
    home.make("second", &[]);
    let read = |name: &str| fs::read(home.path(name)).unwrap();
    assert_eq!(read("first"), read("second"));
}

#[test]
fn what_a_build_might_read_and_a_list_cannot_tell_is_refused() {
    let refused = |spoil: fn(&Path)| {
        let home = Home::new();
        spoil(&home.path("tree"));
        let (tree, draft) = (home.text("tree"), home.text("draft"));
        let (code, told) = home.release(&["make", "--source", &tree, "--out", &draft]);
        assert!(!home.path("draft").exists());
        (code, told)
    };
    let (code, told) = refused(|tree| {
        std::os::unix::fs::symlink("/etc/passwd", tree.join("crates/rules/passwd")).unwrap();
    });
    assert_eq!(code, 65);
    assert!(told.contains("a symbolic link to \"/etc/passwd\""), "{told}");
    let (code, told) =
        refused(|tree| fs::write(tree.join("crates/rules/src/a\nb.rs"), "").unwrap());
    assert_eq!(code, 65);
    assert!(told.contains("a path of an input has printable ASCII"), "{told}");
    let (code, told) = refused(|tree| {
        let made = Command::new("mkfifo").arg(tree.join("proto/pipe")).status().unwrap();
        assert!(made.success());
    });
    assert_eq!(code, 65);
    assert!(told.contains("neither a file, a folder nor a symbolic link"), "{told}");
    let (code, told) = refused(|tree| fs::remove_file(tree.join("Cargo.lock")).unwrap());
    assert_eq!(code, 65);
    assert!(told.contains("Cargo.lock: no such file"), "{told}");
}

#[test]
fn a_record_of_a_round_is_no_release() {
    let home = Home::new();
    let transcript =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/vectors/transcript-example.jsonl");
    let record = fs::read_to_string(transcript).unwrap();
    home.write("record", record.lines().next().unwrap());
    let (code, told) = home.release(&["show", &home.text("record")]);
    assert_eq!(code, 65);
    assert!(told.contains("an unknown payload type"), "{told}");
}

/// Runs the script that builds reproducibly.
fn reproducible_build(arguments: &[&str]) -> (i32, String) {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/reproducible-build");
    let output = Command::new(script).args(arguments).output().unwrap();
    (output.status.code().unwrap(), String::from_utf8(output.stderr).unwrap())
}

#[test]
#[ignore = "two release builds take two processors 25 minutes"]
fn the_same_commit_gives_the_same_bytes_wherever_it_is_built() {
    let (code, told) = reproducible_build(&[]);
    assert_eq!(code, 0, "{told}");
}

#[test]
fn a_path_of_the_builder_in_a_binary_is_found() {
    let home = Home::new();
    let clean = home.text("bin/paigow-server");
    assert_eq!(reproducible_build(&["--check-paths", "/home/ann/", &clean]).0, 0);
    let spoilt = home.path("spoilt");
    fs::write(&spoilt, b"\x7fELF\0\xff\0panicked at /home/ann/src/lib.rs\0").unwrap();
    let spoilt = spoilt.to_str().unwrap();
    let (code, told) = reproducible_build(&["--check-paths", "/home/ann/", &clean, spoilt]);
    assert_eq!((code, told), (1, format!("{spoilt} holds /home/ann/\n")));
    // A dot in the path stands for a dot only.
    assert_eq!(reproducible_build(&["--check-paths", "/home/.nn/", spoilt]).0, 0);
}
