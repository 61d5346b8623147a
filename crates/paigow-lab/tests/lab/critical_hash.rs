//! The critical hash of this source tree: the edits that change it, and an independent program that
//! computes the same.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::binary::{run, text};

/// The source tree that these tests belong to.
fn source_tree() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// A copy of the source tree that a test may edit.
struct Copy {
    folder: tempfile::TempDir,
}

impl Copy {
    fn new() -> Self {
        let copy = Self { folder: tempfile::tempdir().unwrap() };
        copy_folder(&source_tree(), copy.folder.path());
        copy
    }

    fn path(&self, path: &str) -> PathBuf {
        self.folder.path().join(path)
    }

    fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// Computes the list of inputs with both programs and returns it.
    fn inputs(&self) -> String {
        let tree = self.folder.path().to_str().unwrap();
        let ours = run(&["release", "inputs", "--tree", tree], b"");
        assert_eq!(ours.status.code(), Some(0), "{}", String::from_utf8_lossy(&ours.stderr));
        let ours = text(&ours);
        assert_eq!(ours, python(&[tree, "--inputs"]));
        ours
    }

    /// Edits a file, computes the inputs, and undoes the edit.
    fn inputs_with(&self, path: &str, edit: impl FnOnce(&str) -> String) -> String {
        let before = self.path(path).exists().then(|| self.read(path));
        let after = edit(before.as_deref().unwrap_or_default());
        assert_ne!(before.as_ref(), Some(&after), "{path}");
        fs::write(self.path(path), after).unwrap();
        let inputs = self.inputs();
        match before {
            Some(text) => fs::write(self.path(path), text).unwrap(),
            None => fs::remove_file(self.path(path)).unwrap(),
        }
        inputs
    }
}

/// Copies files and links, except those that Git and builds write.
fn copy_folder(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (kind, to) = (entry.file_type().unwrap(), to.join(entry.file_name()));
        if kind.is_symlink() {
            std::os::unix::fs::symlink(fs::read_link(entry.path()).unwrap(), to).unwrap();
        } else if kind.is_file() {
            fs::copy(entry.path(), to).unwrap();
        } else if kind.is_dir() && entry.file_name() != "target" && entry.file_name() != ".git" {
            fs::create_dir(&to).unwrap();
            copy_folder(&entry.path(), &to);
        }
    }
}

fn python(arguments: &[&str]) -> String {
    let script = source_tree().join("verifiers/critical_hash.py");
    let output = Command::new("python3").arg(script).args(arguments).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    text(&output)
}

/// Replaces a text that is there once.
fn replace(old: &str, new: &str) -> impl FnOnce(&str) -> String {
    move |text| {
        assert_eq!(text.matches(old).count(), 1, "{old:?}");
        text.replace(old, new)
    }
}

fn append(more: &str) -> impl FnOnce(&str) -> String {
    move |text| format!("{text}{more}")
}

/// Sets the version of a package in `Cargo.lock`.
fn version(name: &str) -> impl FnOnce(&str) -> String {
    let head = format!("[[package]]\nname = \"{name}\"\nversion = \"");
    move |lock| replace(&head, &format!("{head}9."))(lock)
}

#[test]
fn an_edit_of_what_certified_crates_are_built_from_changes_the_hash() {
    type Edit = Box<dyn FnOnce(&str) -> String>;
    let copy = Copy::new();
    let before = copy.inputs();
    let edits: [(&str, Edit); 17] = [
        // Build flags.
        (".cargo/config.toml", Box::new(replace("chacha20_avx512\"]", "chacha20_soft\"]"))),
        ("rust-toolchain.toml", Box::new(append("# another compiler\n"))),
        ("Cargo.lock", Box::new(version("chacha20"))),
        // A package that only a build script uses.
        ("Cargo.lock", Box::new(version("protox"))),
        ("Cargo.toml", Box::new(replace("lto = \"fat\"", "lto = \"off\""))),
        ("Cargo.toml", Box::new(append("\n[patch.crates-io]\nchacha20.path = \"x\"\n"))),
        ("Cargo.toml", Box::new(replace("resolver = \"3\"", "resolver = \"2\""))),
        ("Cargo.toml", Box::new(replace("\"legacy\", ", ""))),
        ("crates/paigow-exact/src/base_game.rs", Box::new(append("// decides what loads\n"))),
        ("crates/paigow-wire/src/answer/settlement.rs", Box::new(append("// amounts\n"))),
        ("crates/paigow-rules/src/game/rulesets/mini.toml", Box::new(append("# a rule\n"))),
        ("crates/paigow-rules/src/house_way/charts/mikes.toml", Box::new(append("# a chart\n"))),
        ("crates/paigow-rules/Cargo.toml", Box::new(append("\n[features]\nlucky = []\n"))),
        ("crates/paigow-rules/src/unheard_of.rs", Box::new(append("//! New.\n"))),
        ("crates/paigow-proto/build.rs", Box::new(append("// generates\n"))),
        ("proto/paigow/v1/paigow_service.proto", Box::new(append("// a comment\n"))),
        (".cargo/more.toml", Box::new(append("\n"))),
    ];
    for (path, edit) in edits {
        assert_ne!(copy.inputs_with(path, edit), before, "{path}");
    }
    assert_eq!(copy.inputs(), before);
    let cards = "crates/paigow-rules/src/cards";
    fs::rename(copy.path(&format!("{cards}/deck.rs")), copy.path(&format!("{cards}/pack.rs")))
        .unwrap();
    assert_ne!(copy.inputs(), before);
}

#[test]
fn an_edit_of_anything_else_leaves_the_hash() {
    type Edit = Box<dyn FnOnce(&str) -> String>;
    let copy = Copy::new();
    let before = copy.inputs();
    let manifest = "crates/paigow-fairness/Cargo.toml";
    let edits: [(&str, Edit); 10] = [
        ("crates/paigow-rules/src/cards/tests.rs", Box::new(append("// a comment\n"))),
        ("crates/paigow-exact/src/tests/figures.rs", Box::new(append("// a comment\n"))),
        (manifest, Box::new(replace("[dev-dependencies]", "[dev-dependencies]\ntempfile = \"3\""))),
        (manifest, Box::new(append("# a comment\n"))),
        ("Cargo.lock", Box::new(version("hyper"))),
        (
            "Cargo.toml",
            Box::new(replace("[workspace.dependencies]", "[workspace.dependencies]\nrand = \"1\"")),
        ),
        ("Cargo.toml", Box::new(replace("\nversion = \"0.1.0\"", "\nversion = \"0.2.0\""))),
        ("README.md", Box::new(append("\n"))),
        ("src/main.rs", Box::new(append("// serves\n"))),
        ("crates/paigow-lab/src/lib.rs", Box::new(append("// judges\n"))),
    ];
    for (path, edit) in edits {
        assert_eq!(copy.inputs_with(path, edit), before, "{path}");
    }
}

#[test]
fn an_independent_program_computes_the_same_hash_of_each_part() {
    let tree = source_tree();
    let tree = tree.to_str().unwrap();
    let ours = run(&["release", "hash", "--tree", tree], b"");
    assert_eq!(ours.status.code(), Some(0), "{}", String::from_utf8_lossy(&ours.stderr));
    let ours = text(&ours);
    assert_eq!(ours, python(&[tree]));
    let parts: Vec<&str> = ours.lines().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(
        parts,
        [
            "crates/paigow-engine",
            "crates/paigow-exact",
            "crates/paigow-fairness",
            "crates/paigow-proto",
            "crates/paigow-round",
            "crates/paigow-rules",
            "crates/paigow-wire",
            "packages",
            "proto",
            "workspace",
            "critical",
        ]
    );
}

#[test]
fn a_certified_crate_that_depends_on_one_that_is_not_is_an_error_in_both_programs() {
    let copy = Copy::new();
    let manifest = copy.read("Cargo.toml");
    let without = replace("\"paigow-exact\",", "")(&manifest);
    fs::write(copy.path("Cargo.toml"), without).unwrap();
    let tree = copy.folder.path().to_str().unwrap();
    let ours = run(&["release", "inputs", "--tree", tree], b"");
    assert_eq!(ours.status.code(), Some(65));
    let script = source_tree().join("verifiers/critical_hash.py");
    let theirs = Command::new("python3").arg(script).arg(tree).output().unwrap();
    assert!(!theirs.status.success());
    for told in [ours.stderr, theirs.stderr] {
        let told = String::from_utf8(told).unwrap();
        assert!(told.contains("is certified") && told.contains("paigow-exact"), "{told}");
    }
}

/// Checks the build that made the program of this test: `target/debug`, or the folder where the
/// test is. A release build compiles the same files unless code depends on `debug_assertions`.
/// `deploy/reproducible-build` checks the release build itself.
#[test]
fn whatever_a_build_reads_for_certified_crates_is_an_input() {
    let tree = source_tree();
    let test = std::env::current_exe().unwrap();
    let built = test.parent().unwrap().parent().unwrap().to_str().unwrap();
    let checked =
        run(&["release", "inputs", "--tree", tree.to_str().unwrap(), "--built", built], b"");
    assert_eq!(checked.status.code(), Some(0), "{}", String::from_utf8_lossy(&checked.stderr));
    let absent = built.to_owned() + "/absent";
    let refused =
        run(&["release", "inputs", "--tree", tree.to_str().unwrap(), "--built", &absent], b"");
    assert_eq!(refused.status.code(), Some(66), "{}", String::from_utf8_lossy(&refused.stderr));
}
