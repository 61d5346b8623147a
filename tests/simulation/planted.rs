//! The planted bugs of `tests/planted` can still be planted.

use std::fs;
use std::process::Command;

use paigow_testkit::tools;

#[test]
fn every_planted_bug_still_applies() {
    let folder = tools::root().join("tests/simulation/planted");
    let mut patches: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    patches.sort();
    assert_eq!(patches.len(), 5);
    for patch in patches {
        let applied = Command::new("git")
            .args(["apply", "--check"])
            .arg(&patch)
            .current_dir(tools::root())
            .output();
        let applied = applied.unwrap();
        let said = String::from_utf8_lossy(&applied.stderr).into_owned();
        assert!(applied.status.success(), "{}: {said}", patch.display());
    }
}
