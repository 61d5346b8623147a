//! Each file, test, section and decision that a text cites exists.

use std::collections::BTreeSet;
use std::path::PathBuf;

use crate::docs::markdown::{quoted, sections};
use crate::docs::{book, files, read, root};

/// The folders whose paths are cited.
const FOLDERS: [&str; 10] = [
    "src/",
    "tests/",
    "deploy/",
    "proto/",
    "benches/",
    "examples/",
    "docs/",
    "crates/",
    "verifiers/",
    "clients/",
];

/// Whether a Rust source defines a function or a constant of that name.
fn defines(source: &str, name: &str) -> bool {
    ["fn ", "const "].iter().any(|keyword| {
        source.match_indices(&format!("{keyword}{name}")).any(|(at, found)| {
            let next = source[at + found.len()..].chars().next();
            next.is_none_or(|c| !c.is_alphanumeric() && c != '_')
        })
    })
}

/// Whether a source has a test of this name: attributes stand between `#[test]` and it at most.
pub(crate) fn is_test(source: &str, name: &str) -> bool {
    let Some(at) = source.find(&format!("fn {name}(")) else { return false };
    let before = source[..at].trim_end();
    let before = before.strip_suffix("async").unwrap_or(before);
    let attributes = before.lines().rev().map(str::trim).skip_while(|line| line.is_empty());
    attributes
        .take_while(|line| line.starts_with("#["))
        .any(|line| line == "#[test]" || line.starts_with("#[tokio::test"))
}

/// The decisions that a line names, as the 12 of "D12".
fn decisions(line: &str) -> impl Iterator<Item = u32> {
    line.split(|c: char| !c.is_ascii_alphanumeric())
        .filter_map(|word| word.strip_prefix('D'))
        .filter(|digits| (1..=2).contains(&digits.len()))
        .filter_map(|digits| digits.parse().ok())
}

/// The sections that a text names right after the protocol's name, as "3.3 and 3.4".
fn cited_sections(text: &str) -> Vec<String> {
    let mut cited = Vec::new();
    for (at, marker) in text.match_indices("PGE-FAIR-1, section") {
        let rest = text[at + marker.len()..].trim_start_matches('s');
        // Comments are broken where a line is full.
        let words = rest.split_whitespace().filter(|word| !word.starts_with("//"));
        for word in words {
            let number = word.trim_end_matches(|c: char| !c.is_ascii_digit());
            let is_number = number.chars().all(|c| c.is_ascii_digit() || c == '.');
            if is_number && !number.is_empty() {
                cited.push(number.to_owned());
            }
            // After a closed bracket or a full stop there is no list of sections.
            let goes_on = word == number || matches!(word, "and" | "to");
            if !goes_on {
                break;
            }
        }
    }
    cited
}

/// Returns the words of the commands in the console blocks of a text.
fn command_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    for block in text.split("```console\n").skip(1) {
        let block = block.split("```").next().unwrap();
        let commands = block
            .lines()
            .filter_map(|line| line.strip_prefix("$ ").or_else(|| line.strip_prefix("> ")));
        words.extend(commands.flat_map(str::split_whitespace).map(str::to_owned));
    }
    words
}

/// Returns the paths of the repository that a text names, each with an item after `::`.
fn cited(text: &str) -> Vec<String> {
    let spans = quoted(text)
        .into_iter()
        .filter_map(|span| span.split_whitespace().next().map(|word| word.to_owned()));
    let words = command_words(text);
    spans
        .chain(words)
        .map(|word| word.trim_matches(|c| matches!(c, '(' | ')' | ',' | ';' | '"')).to_owned())
        .filter(|word| FOLDERS.iter().any(|folder| word.starts_with(folder)))
        // A pattern, or a word to be replaced.
        .filter(|word| !word.contains(['*', '{', '<', '$', '…']))
        .collect()
}

#[test]
fn every_file_and_test_that_a_page_cites_is_there() {
    let mut count = 0;
    let mut wrong = Vec::new();
    for page in book() {
        for token in cited(&read(&page)) {
            let (path, item) = token.split_once("::").unwrap_or((&token, ""));
            let is_there = root().join(path).exists();
            if !is_there || (!item.is_empty() && !defines(&read(path), item)) {
                wrong.push(format!("{page}: {token}"));
            }
            count += 1;
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(count > 250, "{count} citations");
}

/// Returns the names of the folders in a folder, those that are installed or built aside.
fn folders(path: &str) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(root().join(path)) else { return Vec::new() };
    let entries = entries.map(|entry| entry.unwrap()).filter(|entry| entry.path().is_dir());
    let names = entries.map(|entry| entry.file_name().into_string().unwrap());
    names.filter(|name| !name.starts_with('.') && name != "target" && name != "dist").collect()
}

#[test]
fn the_map_of_the_repository_names_every_folder() {
    let readme = read("README.md");
    let (_, map) = readme.split_once("\n## The repository\n\n```text\n").unwrap();
    let map = map.split("```").next().unwrap();
    let named: BTreeSet<&str> = map
        .lines()
        .flat_map(|line| line.split("  ").find(|column| !column.is_empty()))
        .flat_map(|names| names.split(", "))
        .map(|name| name.trim_end_matches('/'))
        .collect();
    let top = folders("");
    assert!(top.len() > 5, "{top:?}");
    let folders: BTreeSet<String> =
        top.into_iter().chain(folders("crates")).chain(folders("verifiers")).collect();
    for folder in &folders {
        assert!(named.contains(folder.as_str()), "the map lacks {folder}: {named:?}");
    }
    for name in named {
        let there = folders.contains(name) || root().join(name).exists();
        assert!(there, "the map has {name}, which is not there");
    }
}

#[test]
fn citations_are_found_in_spans_and_commands() {
    let text = "See `src/a.rs::b` and `tests/c [D]`.\n```console\n$ python tests/e.py x\nsrc/no\n```\n`not/f`";
    assert_eq!(cited(text), ["src/a.rs::b", "tests/c", "tests/e.py"]);
}

#[test]
fn every_section_and_decision_that_is_cited_is_in_the_protocol() {
    let headings: BTreeSet<String> = sections(&read("docs/protocol/protocol.md"))
        .iter()
        .filter_map(|(heading, _)| heading.split(' ').next())
        .map(|number| number.trim_end_matches('.').to_owned())
        .collect();
    assert!((1..=23).all(|n| headings.contains(&format!("D{n}"))), "{headings:?}");

    let mut sources: Vec<PathBuf> = book().iter().map(|page| root().join(page)).collect();
    for folder in ["crates", "src", "proto", "tests", "benches", "verifiers"] {
        files(&root().join(folder), &["rs", "proto", "py", "js", "mjs"], &mut sources);
    }
    let (mut cited, mut wrong) = ([0, 0], Vec::new());
    for path in sources {
        let text = std::fs::read_to_string(&path).unwrap();
        let is_comment = |line: &&str| {
            let line = line.trim_start();
            line.starts_with("//") || line.starts_with('#') || line.starts_with('*')
        };
        for number in text.lines().filter(is_comment).flat_map(decisions) {
            cited[0] += 1;
            if !headings.contains(&format!("D{number}")) {
                wrong.push(format!("{}: D{number}", path.display()));
            }
        }
        for number in cited_sections(&text) {
            cited[1] += 1;
            if !headings.contains(&number) {
                wrong.push(format!("{}: section {number}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
    assert!(cited[0] > 60 && cited[1] > 25, "{cited:?} citations");
}
