//! The files of the verifier page, as they are compiled in.

/// A file of the page: its path below the page, and its bytes.
pub(super) type Compiled = (&'static str, &'static [u8]);

macro_rules! file {
    ($path:literal) => {
        ($path, include_bytes!(concat!("../../../deploy/verifier/", $path)))
    };
}

/// Everything that a browser loads of `deploy/verifier`, by path; nothing else is served.
///
/// Its two programs for the command line are not among them, nor `verifier.js`, the modules
/// joined for a page that is opened as a file.
pub(super) const FILES: [Compiled; 45] = [
    file!("from-file.js"),
    file!("index.html"),
    file!("js/answer.js"),
    file!("js/audit/difference.js"),
    file!("js/audit/file.js"),
    file!("js/audit/index.js"),
    file!("js/audit/manifests.js"),
    file!("js/audit/report.js"),
    file!("js/audit/round.js"),
    file!("js/bets.js"),
    file!("js/bytes.js"),
    file!("js/cards.js"),
    file!("js/chacha20.js"),
    file!("js/data.js"),
    file!("js/dealing.js"),
    file!("js/ed25519.js"),
    file!("js/hands.js"),
    file!("js/house-way/chart.js"),
    file!("js/house-way/index.js"),
    file!("js/house-way/mini.js"),
    file!("js/house-way/online-rows.js"),
    file!("js/house-way/online.js"),
    file!("js/house-way/splits.js"),
    file!("js/json.js"),
    file!("js/money.js"),
    file!("js/page/cards.js"),
    file!("js/page/dom.js"),
    file!("js/page/main.js"),
    file!("js/page/report.js"),
    file!("js/page/shuffle.js"),
    file!("js/page/story.js"),
    file!("js/page/table.js"),
    file!("js/page/trust.js"),
    file!("js/page/words.js"),
    file!("js/payload.js"),
    file!("js/record.js"),
    file!("js/rules-file.js"),
    file!("js/rules.js"),
    file!("js/seeds.js"),
    file!("js/settle.js"),
    file!("js/sha2.js"),
    file!("js/sheet.js"),
    file!("js/shuffle.js"),
    file!("js/toml.js"),
    file!("style.css"),
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::{Path, PathBuf};

    use super::*;

    fn walk(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() { walk(&path, found) } else { found.push(path) }
        }
    }

    #[test]
    fn the_table_has_every_file_of_the_folder_but_the_programs() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("deploy/verifier");
        let mut found = Vec::new();
        walk(&folder, &mut found);
        let found = found.iter().map(|path| path.strip_prefix(&folder).unwrap().to_str().unwrap());
        let mut expected: BTreeSet<&str> = found.collect();
        for not_served in ["cli.mjs", "update", "verifier.js"] {
            assert!(expected.remove(not_served), "{not_served}");
        }
        assert_eq!(FILES.map(|(path, _)| path).into_iter().collect::<BTreeSet<_>>(), expected);
        assert!(FILES.is_sorted(), "by path, so that an absent one is seen");
    }
}
