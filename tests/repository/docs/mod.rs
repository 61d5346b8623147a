//! README.md and docs/ against the code that they describe.
#![allow(clippy::unwrap_used)]

use paigow_testkit::casino;

mod chapters;
mod cited;
mod commands;
mod compliance;
mod generated;
mod links;
pub(crate) mod markdown;
mod records;

use std::path::{Path, PathBuf};

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// Appends the files below a folder that have one of the extensions.
pub(crate) fn files(folder: &Path, extensions: &[&str], into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy();
        // Built or installed, and no part of the repository.
        let is_foreign = name.starts_with('.')
            || ["target", "dist", "node_modules", "__pycache__"].contains(&&*name);
        if path.is_dir() && !is_foreign {
            files(&path, extensions, into);
        } else if extensions.iter().any(|end| path.extension().is_some_and(|e| e == *end)) {
            into.push(path);
        }
    }
}

/// Returns the path of each Markdown file of the repository, relative to its root.
fn pages() -> Vec<String> {
    let mut found = Vec::new();
    files(root(), &["md"], &mut found);
    let mut pages: Vec<String> = found
        .iter()
        .map(|path| path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned())
        .collect();
    pages.sort_unstable();
    pages
}

/// Returns the pages beside README.md and those of docs/.
fn book() -> Vec<String> {
    pages().into_iter().filter(|page| !page.contains('/') || page.starts_with("docs/")).collect()
}
