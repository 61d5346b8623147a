//! One input, as a line of text.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use crate::release::is_plain_path;
use paigow_fairness::encoding::Hash;

/// The longest text of an input, in bytes.
const MAX_TEXT: usize = 512;

/// An input of the certified crates: its text is what is hashed.
///
/// - `file SHA256 PATH`, `link SHA256 PATH`, `manifest SHA256 PATH`
/// - `table SHA256 NAME`: a table of the root manifest
/// - `package NAME VERSION SOURCE CHECKSUM`: a package of `Cargo.lock`
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct Input(String);

/// A text that is not that of an input.
#[derive(Clone, Copy, Debug, Eq, PartialEq, thiserror::Error)]
#[error("not the text of an input")]
pub struct ParseInputError;

impl Input {
    /// Makes an input with content.
    pub(super) fn of_content(kind: &str, name: &str, content: impl AsRef<[u8]>) -> Self {
        Self(format!("{kind} {} {name}", Hash::of(content.as_ref())))
    }

    /// Makes the input of a package.
    pub(super) fn package(name: &str, version: &str, source: &str, checksum: &str) -> Self {
        Self(format!("package {name} {version} {source} {checksum}"))
    }

    /// Returns the text.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.0
    }

    /// Returns the kind, what comes before the name, and the rest: for a package the
    /// versions come last.
    fn fields(&self) -> (&str, &str, &str) {
        let (kind, rest) = self.0.split_once(' ').unwrap_or((&self.0, ""));
        let (first, second) = rest.split_once(' ').unwrap_or((rest, ""));
        if kind == "package" { (kind, second, first) } else { (kind, first, second) }
    }

    /// Returns its name, with its kind. A change of the input changes everything else.
    #[must_use]
    pub fn split(&self) -> (String, &str) {
        let (kind, value, name) = self.fields();
        (format!("{kind} {name}"), value)
    }

    /// Returns its path below the source tree if it is a file, a manifest or a link.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        let (kind, _, name) = self.fields();
        ["file", "link", "manifest"].contains(&kind).then_some(name)
    }

    /// Returns the SHA-256 of its bytes and its path, if it is a file that is hashed unchanged.
    #[must_use]
    pub fn file(&self) -> Option<(&str, &str)> {
        let (kind, value, name) = self.fields();
        (kind == "file").then_some((value, name))
    }

    /// Returns the part that it belongs to: `crates/NAME`, `packages`, `proto` or
    /// `workspace`.
    #[must_use]
    pub fn part(&self) -> &str {
        match self.path() {
            Some(path) if path.starts_with("crates/") => {
                let end = path.match_indices('/').nth(1).map_or(path.len(), |(at, _)| at);
                &path[..end]
            }
            Some(path) if path.starts_with("proto/") => "proto",
            None if self.0.starts_with("package ") => "packages",
            Some(_) | None => "workspace",
        }
    }
}

impl fmt::Display for Input {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for Input {
    type Err = ParseInputError;

    fn from_str(text: &str) -> Result<Self, ParseInputError> {
        let input = Self(text.to_owned());
        let (kind, value, name) = input.fields();
        let plain = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| (0x20..0x7f).contains(&byte) && byte != b'\\')
        };
        let is_hash = |text: &str| text.parse::<Hash>().is_ok();
        let good = match kind {
            "file" | "link" | "manifest" => is_hash(value) && is_plain_path(name),
            "table" => is_hash(value) && plain(name),
            "package" => {
                let fields: Vec<&str> = value.split(' ').collect();
                matches!(fields[..], [version, source, checksum]
                    if plain(name) && plain(version) && plain(source) && is_hash(checksum))
            }
            _ => false,
        };
        if good && text.len() <= MAX_TEXT { Ok(input) } else { Err(ParseInputError) }
    }
}

/// Returns the lines that are hashed: the length of each text in bytes, a space, the text
/// and a line feed.
pub fn lines<'a>(inputs: impl IntoIterator<Item = &'a Input>) -> String {
    inputs.into_iter().map(|Input(text)| format!("{} {text}\n", text.len())).collect()
}

/// Returns the hash of the lines of `inputs`, which are in the order of their texts.
pub fn total<'a>(inputs: impl IntoIterator<Item = &'a Input>) -> Hash {
    Hash::of(lines(inputs).as_bytes())
}

/// Returns the hash of each part by its name, in the order of the names.
#[must_use]
pub fn part_hashes(inputs: &[Input]) -> Vec<(String, Hash)> {
    let mut parts: BTreeMap<&str, Vec<&Input>> = BTreeMap::new();
    for input in inputs {
        parts.entry(input.part()).or_default().push(input);
    }
    parts.into_iter().map(|(name, inputs)| (name.to_owned(), total(inputs))).collect()
}
