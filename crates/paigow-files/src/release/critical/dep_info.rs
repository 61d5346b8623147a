//! Compares the files that a compiler has read with the inputs: outcome code cannot hide in a
//! file that the critical hash leaves out.

use std::fmt;

use super::{Critical, normal};

/// Variables that Cargo sets from inputs, or that name a folder.
const KNOWN_VARIABLES: [&str; 4] =
    ["CARGO_CRATE_NAME", "CARGO_MANIFEST_DIR", "CARGO_PKG_NAME", "OUT_DIR"];
/// A build script prints one of these before the path of something that it has read.
const RERUN: [&str; 2] = ["cargo::rerun-if-changed=", "cargo:rerun-if-changed="];

/// The files and variables that one compilation or build script has read.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct DepInfo {
    /// Paths as the compiler names them: absolute, or from the folder that Cargo ran in.
    pub files: Vec<String>,
    /// Names of environment variables.
    pub variables: Vec<String>,
}

/// Something that was read to build a certified crate, and that is not an input.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub enum DepInfoFinding {
    /// A file.
    File(String),
    /// An environment variable.
    Variable(String),
}

impl fmt::Display for DepInfoFinding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(path) => write!(f, "{path}: read by a certified crate, and not an input"),
            Self::Variable(name) => {
                write!(f, "{name}: a variable that a certified crate reads, and not an input")
            }
        }
    }
}

impl DepInfo {
    /// Reads a file `*.d` as rustc writes it: `target: file file`, and a line
    /// `# env-dep:NAME=value` for each variable.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut read = Self::default();
        for line in text.lines() {
            if let Some(variable) = line.strip_prefix("# env-dep:") {
                let name = variable.split('=').next().unwrap_or(variable);
                read.variables.push(name.to_owned());
            } else if let Some((_, files)) =
                line.split_once(": ").filter(|_| !line.starts_with('#'))
            {
                read.files.extend(words(files));
            }
        }
        read
    }

    /// Reads the output of a build script, whose paths are below the crate's folder.
    #[must_use]
    pub fn of_build_script(output: &str, folder: &str) -> Self {
        let files = output.lines().filter_map(|line| {
            let path = RERUN.iter().find_map(|prefix| line.strip_prefix(prefix))?;
            let joined = format!("{folder}/{path}");
            Some(if path.starts_with('/') { path.to_owned() } else { joined })
        });
        Self { files: files.collect(), variables: Vec::new() }
    }
}

/// Splits at spaces that have no `\` before them.
fn words(text: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = words.len() - 1;
        match c {
            '\\' if chars.peek() == Some(&' ') => {
                words[last].push(' ');
                chars.next();
            }
            ' ' => words.push(String::new()),
            c => words[last].push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Critical {
    /// Returns the files that were read to build a certified crate and are not inputs. Files below
    /// the target folder are generated from inputs.
    ///
    /// `tree` is the absolute path of the source tree, and `targets` are those of the folders
    /// that Cargo builds in.
    #[must_use]
    pub fn unlisted(&self, read: &DepInfo, tree: &str, targets: &[String]) -> Vec<DepInfoFinding> {
        let below = |path: &str, folder: &str| {
            let rest = path.strip_prefix(folder.trim_matches('/'))?.strip_prefix('/')?;
            Some(rest.to_owned())
        };
        // A build script may name a folder of inputs: not one that has other crates below.
        let is_folder = |path: &str| {
            let within = |input: &&super::Input| {
                input.path().is_some_and(|inner| below(inner, path).is_some())
                    && path.starts_with(input.part())
            };
            self.inputs.iter().any(|input| within(&input))
        };
        let mut findings: Vec<DepInfoFinding> = Vec::new();
        for path in &read.files {
            let whole = if path.starts_with('/') { path.clone() } else { format!("{tree}/{path}") };
            // A path that leads above `/` cannot be resolved and becomes a finding.
            let whole = normal(&whole).unwrap_or_else(|| path.clone());
            if targets.iter().any(|target| below(&whole, target).is_some()) {
                continue;
            }
            let inner = below(&whole, tree);
            let known = inner.as_ref().is_some_and(|path| self.has_file(path) || is_folder(path));
            if !known {
                findings.push(DepInfoFinding::File(inner.unwrap_or_else(|| format!("/{whole}"))));
            }
        }
        let strange =
            read.variables.iter().filter(|name| !KNOWN_VARIABLES.contains(&name.as_str()));
        findings.extend(strange.cloned().map(DepInfoFinding::Variable));
        findings.sort();
        findings.dedup();
        findings
    }
}
