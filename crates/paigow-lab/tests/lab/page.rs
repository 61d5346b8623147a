//! `paigow-lab page`.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use crate::binary::{run, text};

fn files_below(folder: &Path, found: &mut BTreeSet<String>, start: &Path) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files_below(&path, found, start);
        } else {
            found.insert(path.strip_prefix(start).unwrap().to_str().unwrap().to_owned());
        }
    }
}

#[test]
fn the_whole_page_is_written_to_a_folder() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("new/page");
    let output = run(&["page", folder.to_str().unwrap()], b"");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let mut written = BTreeSet::new();
    files_below(&folder, &mut written, &folder);
    let told = format!("wrote {} files: open {}/index.html\n", written.len(), folder.display());
    assert_eq!(text(&output), told);

    // The sources of the page, and what the build makes.
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../verifiers/web");
    let mut expected = BTreeSet::new();
    files_below(&source.join("js"), &mut expected, &source);
    for path in ["cli.mjs", "index.html", "start.js", "style.css", "vendor/noble-bls12-381.js"] {
        expected.insert(path.to_owned());
    }
    for path in &expected {
        let same = fs::read(folder.join(path)).unwrap() == fs::read(source.join(path)).unwrap();
        assert!(same, "{path}");
    }
    expected.extend(["js/data.js", "verifier.html", "verifier.js"].map(str::to_owned));
    assert_eq!(written, expected);

    // The one file is made of the others.
    let text = |name: &str| fs::read_to_string(folder.join(name)).unwrap();
    let single = text("verifier.html");
    for part in [text("style.css"), text("verifier.js")] {
        assert_eq!(single.matches(&part).count(), 1);
    }
}

#[test]
fn a_folder_that_is_not_empty_is_left_alone() {
    let home = tempfile::tempdir().unwrap();
    let file = home.path().join("notes.txt");
    fs::write(&file, "mine").unwrap();
    for (place, told) in [(home.path(), "the folder is not empty"), (&file, "")] {
        let output = run(&["page", place.to_str().unwrap()], b"");
        assert_eq!(output.status.code(), Some(73), "{}", place.display());
        let stderr = String::from_utf8(output.stderr).unwrap();
        let expected = format!("paigow-lab: {}: {told}", place.display());
        assert!(stderr.starts_with(&expected), "{stderr}");
    }
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1);
    assert_eq!(fs::read_to_string(&file).unwrap(), "mine");
    // An empty folder is as good as a new one.
    let empty = home.path().join("empty");
    fs::create_dir(&empty).unwrap();
    assert_eq!(run(&["page", empty.to_str().unwrap()], b"").status.code(), Some(0));
    assert!(empty.join("verifier.js").exists());
}
