//! Each relative link and anchor of each Markdown file resolves.

use std::path::{Component, Path, PathBuf};

use crate::docs::markdown::{anchors, links};
use crate::docs::{pages, read, root};

/// Returns a path without `.` and `..`, or [`None`] where it leaves the repository.
fn normal(path: &Path) -> Option<PathBuf> {
    let mut normal = PathBuf::new();
    for component in path.components() {
        match component {
            Component::Normal(name) => normal.push(name),
            Component::CurDir => {}
            Component::ParentDir => {
                if !normal.pop() {
                    return None;
                }
            }
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(normal)
}

/// Says what is wrong with a link target of a page, if anything is.
fn fault(page: &str, target: &str) -> Option<String> {
    if target.starts_with("https://") || target.starts_with("http://") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = if path.is_empty() {
        PathBuf::from(page)
    } else {
        let folder = Path::new(page).parent().unwrap_or(Path::new(""));
        let Some(path) = normal(&folder.join(path)) else {
            return Some(format!("{page}: {target} leaves the repository"));
        };
        path
    };
    if !root().join(&path).exists() {
        return Some(format!("{page}: {target} does not exist"));
    }
    let path = path.to_str().unwrap();
    let is_known = anchor.is_empty()
        || path.ends_with(".md") && anchors(&read(path)).iter().any(|known| known == anchor);
    (!is_known).then(|| format!("{page}: no heading {target}"))
}

#[test]
fn every_link_and_anchor_resolves() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        for link in links(&read(&page)) {
            count += 1;
            wrong.extend(fault(&page, &link.target));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 400, "{count} links");
}

#[test]
fn a_bad_link_is_found() {
    assert_eq!(fault("docs/README.md", "operate/README.md"), None);
    assert_eq!(fault("docs/README.md", "../LICENSE"), None);
    assert_eq!(fault("docs/README.md", "#the-book"), None);
    for target in
        ["nowhere.md", "#nowhere", "operate/README.md#nowhere", "../../LICENSE", "/LICENSE"]
    {
        assert!(fault("docs/README.md", target).is_some(), "{target}");
    }
    // Rustdoc alone resolves a path of Rust.
    assert!(fault("docs/README.md", "crate::docs::cards::Card").is_some());
}

#[test]
fn anchors_are_those_of_github() {
    let text = "# What is guaranteed, and what is not\n## `keys`, [docs](a.md) & D1.\n```\n# no\n```\n\
                ## Tests\n## Tests\n## 5.2 Unbiased integer in [0, m), 2 <= m <= 2^32\n## a_b - c\n";
    let expected = [
        "what-is-guaranteed-and-what-is-not",
        "keys-docs--d1",
        "tests",
        "tests-1",
        "52-unbiased-integer-in-0-m-2--m--232",
        "a_b---c",
    ];
    assert_eq!(anchors(text), expected);
}

#[test]
fn a_link_to_a_source_names_what_is_in_it() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for page in pages() {
        for link in links(&read(&page)) {
            let Some(name) = link.label.strip_prefix('`').and_then(|l| l.strip_suffix('`')) else {
                continue;
            };
            if !link.target.ends_with(".rs") || name.contains('/') {
                continue;
            }
            let folder = Path::new(&page).parent().unwrap();
            let path = normal(&folder.join(&link.target)).unwrap();
            let source = read(path.to_str().unwrap());
            let item = name.rsplit("::").next().unwrap();
            let is_word =
                source.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == item);
            // A module is its file, or the folder of its `mod.rs`.
            let is_module = path.file_stem().is_some_and(|stem| stem == item)
                || path.parent().is_some_and(|folder| folder.ends_with(item));
            if !is_word && !is_module {
                wrong.push(format!("{page}: [{name}] is not in {}", path.display()));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 250, "{count} links to sources");
}
