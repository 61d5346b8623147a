//! The critical hash: one hash over everything that the certified crates are built from.
//!
//! `docs/certify/critical-hash.md` defines it, so that a laboratory can compute it without
//! this program; `verifiers/critical_hash.py` is a second implementation. This one is
//! pure: it takes the files of a source tree and returns the list of inputs.

mod dep_info;
mod input;
mod manifest;
mod packages;

use std::collections::{BTreeMap, BTreeSet};

pub use dep_info::{DepInfo, DepInfoFinding};
pub use input::{Input, ParseInputError, lines, part_hashes, total};

use manifest::{RootManifest, canonical};
use paigow_fairness::encoding::Hash;

/// The files of the source tree's top folder that are inputs if they exist.
const ROOT_FILES: [&str; 2] = ["rust-toolchain", "rust-toolchain.toml"];
/// The folders of the source tree that are inputs with all files below them.
const ROOT_FOLDERS: [&str; 2] = [".cargo", "proto"];
/// The folder that holds the crates: the crate `NAME` is `crates/NAME`.
const CRATES: &str = "crates/";
/// The folders of a crate that only Cargo or `#[cfg(test)]` compile.
const TEST_FOLDERS: [&str; 3] = ["benches", "examples", "tests"];

/// A file or a symbolic link of a source tree.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Node {
    /// The bytes of a file.
    File(Vec<u8>),
    /// The text of a symbolic link.
    Link(String),
}

/// Files and links by their path below the source tree, with `/` between folders.
pub type Tree = BTreeMap<String, Node>;

/// Why the critical hash of a source tree cannot be computed.
#[derive(Clone, Debug, Eq, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum CriticalError {
    /// A file that has to exist does not.
    #[error("{0}: no such file")]
    Missing(String),
    /// A manifest or `Cargo.lock` does not have the form that the definition reads.
    #[error("{path}: {reason}")]
    Malformed {
        /// The file.
        path: String,
        /// The fault in it.
        reason: String,
    },
    /// A certified crate depends on a crate of the workspace that is not certified.
    #[error(
        "{from} is certified and depends on {to}, which is neither certified nor from a registry"
    )]
    NotCertified {
        /// The certified crate, or the package through which it depends on the other.
        from: String,
        /// The crate that is not certified.
        to: String,
    },
    /// A symbolic link that leads to something other than an input.
    #[error("{path}: a symbolic link to {target:?}, which is outside proto/")]
    Link {
        /// The link.
        path: String,
        /// Its text.
        target: String,
    },
    /// A path that a line cannot hold.
    #[error("{0:?}: a path of an input has printable ASCII characters other than \\ only")]
    Path(String),
}

/// Returns the names of the certified crates, as the root manifest lists them.
///
/// # Errors
///
/// Returns an error if the text is not a root manifest with that list.
pub fn certified_crates(root_manifest: &[u8]) -> Result<BTreeSet<String>, CriticalError> {
    RootManifest::parse(root_manifest)?.certified()
}

/// Returns the paths that [`inputs`] reads: files, and folders with all files below them.
///
/// Everything except `Cargo.toml`, `Cargo.lock` and the folders of crates may be absent.
#[must_use]
pub fn roots(certified: &BTreeSet<String>) -> Vec<String> {
    let fixed = ["Cargo.toml", "Cargo.lock"].into_iter().chain(ROOT_FILES).chain(ROOT_FOLDERS);
    let crates = certified.iter().map(|name| format!("{CRATES}{name}"));
    fixed.map(str::to_owned).chain(crates).collect()
}

/// Returns every input of the certified crates, in the order of their texts.
///
/// # Errors
///
/// Returns an error if the tree is not one that the definition covers: see
/// [`CriticalError`].
pub fn inputs(tree: &Tree) -> Result<Vec<Input>, CriticalError> {
    let root = RootManifest::parse(file(tree, "Cargo.toml")?)?;
    let certified = root.certified()?;
    let mut inputs = BTreeSet::new();
    let mut manifests = BTreeMap::new();
    for (path, node) in tree {
        let in_crate = certified.iter().find_map(|name| {
            path.strip_prefix(CRATES)?.strip_prefix(name.as_str())?.strip_prefix('/')
        });
        let is_input = match in_crate {
            Some(inner) => !is_left_out(inner),
            None => {
                let in_folder = |folder: &&str| {
                    path.strip_prefix(*folder).is_some_and(|rest| rest.starts_with('/'))
                };
                ROOT_FILES.contains(&path.as_str())
                    || ROOT_FOLDERS.into_iter().any(|folder| in_folder(&folder))
            }
        };
        if is_input && in_crate != Some("Cargo.toml") {
            inputs.insert(input_of(path, node)?);
        }
    }
    for name in &certified {
        let path = format!("{CRATES}{name}/Cargo.toml");
        let manifest = manifest::Crate::parse(&path, name, file(tree, &path)?)?;
        inputs.insert(Input::of_content("manifest", &path, canonical(&path, &manifest.table)?));
        manifests.insert(name.as_str(), manifest);
    }
    for (name, value) in root.tables(manifests.values().flat_map(|m| m.inherited.iter())) {
        inputs.insert(Input::of_content("table", &name, canonical("Cargo.toml", value)?));
    }
    let lock = packages::PackageLock::parse(file(tree, "Cargo.lock")?)?;
    for (name, manifest) in &manifests {
        lock.follow(name, &root.package_names(manifest)?, &certified, &mut inputs)?;
    }
    Ok(inputs.into_iter().collect())
}

/// Whether a path below the folder of a certified crate is left out: a file `tests.rs`, or
/// anything in a folder `tests`, `benches` or `examples`.
#[must_use]
pub fn is_left_out(path_in_crate: &str) -> bool {
    let (folders, name) = path_in_crate.rsplit_once('/').unwrap_or(("", path_in_crate));
    name == "tests.rs" || folders.split('/').any(|folder| TEST_FOLDERS.contains(&folder))
}

fn file<'a>(tree: &'a Tree, path: &str) -> Result<&'a [u8], CriticalError> {
    match tree.get(path) {
        Some(Node::File(bytes)) => Ok(bytes),
        Some(Node::Link(_)) | None => Err(CriticalError::Missing(path.to_owned())),
    }
}

fn input_of(path: &str, node: &Node) -> Result<Input, CriticalError> {
    if !super::is_plain_path(path) {
        return Err(CriticalError::Path(path.to_owned()));
    }
    match node {
        Node::File(bytes) => Ok(Input::of_content("file", path, bytes)),
        Node::Link(target) => {
            let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
            let resolved = normal(&format!("{folder}/{target}"));
            let leads_to_input = !target.starts_with('/')
                && resolved.is_some_and(|to| to == "proto" || to.starts_with("proto/"));
            if !leads_to_input {
                let (path, target) = (path.to_owned(), target.clone());
                return Err(CriticalError::Link { path, target });
            }
            Ok(Input::of_content("link", path, target))
        }
    }
}

/// Resolves `.` and `..` in a path by its text; [`None`] if it leads out of the tree.
fn normal(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The critical hash with everything that it is computed from.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Critical {
    inputs: Vec<Input>,
}

impl Critical {
    /// Computes it from a source tree.
    ///
    /// # Errors
    ///
    /// As [`inputs`].
    pub fn of(tree: &Tree) -> Result<Self, CriticalError> {
        inputs(tree).map(|inputs| Self { inputs })
    }

    /// Takes inputs that a release record lists; [`None`] if they are not strictly
    /// ascending by their texts.
    #[must_use]
    pub fn from_inputs(inputs: Vec<Input>) -> Option<Self> {
        inputs.windows(2).all(|pair| pair[0] < pair[1]).then_some(Self { inputs })
    }

    /// Returns the inputs in the order of their texts.
    #[must_use]
    pub fn inputs(&self) -> &[Input] {
        &self.inputs
    }

    /// Returns the critical hash.
    #[must_use]
    pub fn hash(&self) -> Hash {
        total(&self.inputs)
    }

    /// Returns the hash of each part: every certified crate, the packages, the contract, and the
    /// settings of the workspace for all of them.
    #[must_use]
    pub fn parts(&self) -> Vec<(String, Hash)> {
        part_hashes(&self.inputs)
    }

    /// Whether a file of the source tree is an input.
    #[must_use]
    pub fn has_file(&self, path: &str) -> bool {
        self.inputs.iter().any(|input| input.path() == Some(path))
    }
}

#[cfg(test)]
mod tests;
