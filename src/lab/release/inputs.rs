//! `paigow-lab release inputs` and `hash`: the critical hash of a source tree.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{at, tree};
use crate::lab::{Ended, LabError, read_file};
use crate::release::critical::{Critical, DepInfo, DepInfoFinding, certified_crates, lines};

/// Writes the lines whose SHA-256 is the critical hash of the tree `folder`.
///
/// With `built`, the folders of a finished build (`target/TRIPLE/release` and, for build
/// scripts, `target/release`), it also checks that the compiler and the build scripts have
/// read nothing but inputs, and writes each finding to `findings`.
///
/// # Errors
///
/// Returns an error if a file cannot be read, if the tree is not one that the definition
/// covers, if the folders have no build of a certified crate, or if output fails.
pub fn inputs(
    folder: &Path,
    built: &[PathBuf],
    out: &mut dyn Write,
    findings: &mut dyn Write,
) -> Result<Ended, LabError> {
    let critical = tree::critical(folder)?;
    out.write_all(lines(critical.inputs()).as_bytes())?;
    if built.is_empty() {
        return Ok(Ended::Well);
    }
    let found = unlisted(folder, &critical, built)?;
    for finding in &found {
        writeln!(findings, "{finding}")?;
    }
    Ok(if found.is_empty() { Ended::Well } else { Ended::WithFindings })
}

/// Writes the hash of each part of the tree `folder`, and the critical hash last.
///
/// # Errors
///
/// As [`inputs`].
pub fn hash(folder: &Path, out: &mut dyn Write) -> Result<Ended, LabError> {
    let critical = tree::critical(folder)?;
    for (name, hash) in critical.parts() {
        writeln!(out, "{hash} {name}")?;
    }
    writeln!(out, "{} critical", critical.hash())?;
    Ok(Ended::Well)
}

/// Returns what the build in the folders `built` has read for certified crates and is not an input.
fn unlisted(
    folder: &Path,
    critical: &Critical,
    built: &[PathBuf],
) -> Result<BTreeSet<DepInfoFinding>, LabError> {
    let manifest = read_file(&folder.join("Cargo.toml"))?;
    let certified = certified_crates(&manifest).map_err(|error| at(folder, error))?;
    let whole = |path: &Path| {
        let path = path.canonicalize().map_err(|error| at(path, error))?;
        path.to_str().map(str::to_owned).ok_or_else(|| at(&path, "a name that is not text"))
    };
    let tree = whole(folder)?;
    let targets = built.iter().map(|built| whole(built)).collect::<Result<Vec<_>, _>>()?;
    let mut found = BTreeSet::new();
    for name in certified {
        let mut is_built = false;
        for built in built {
            let read = read_by(built, &name, &tree)?;
            is_built |= !read.is_empty();
            found.extend(read.iter().flat_map(|read| critical.unlisted(read, &tree, &targets)));
        }
        if !is_built {
            return Err(LabError::Data(format!("--built: no build of {name}")));
        }
    }
    Ok(found)
}

/// Returns what each compilation of the crate `name` and each run of its build script has
/// read: `deps/NAME-*.d`, and in `build/NAME-*` the `*.d` and `output`.
fn read_by(built: &Path, name: &str, tree: &str) -> Result<Vec<DepInfo>, LabError> {
    let text = |path: &Path| String::from_utf8(read_file(path)?).map_err(|error| at(path, error));
    let mut read = Vec::new();
    let snake = name.replace('-', "_");
    for path in entries_if_any(&built.join("deps"))? {
        if hashed(&path, &snake, ".d") {
            read.push(DepInfo::parse(&text(&path)?));
        }
    }
    for folder in entries_if_any(&built.join("build"))? {
        if !hashed(&folder, name, "") {
            continue;
        }
        for path in entries(&folder)? {
            if path.extension().is_some_and(|extension| extension == "d") {
                read.push(DepInfo::parse(&text(&path)?));
            } else if path.file_name().is_some_and(|file| file == "output") {
                let crate_folder = format!("{tree}/crates/{name}");
                read.push(DepInfo::of_build_script(&text(&path)?, &crate_folder));
            }
        }
    }
    Ok(read)
}

/// Whether a file is called `NAME-`, 16 hexadecimal digits, `end`.
fn hashed(path: &Path, name: &str, end: &str) -> bool {
    let file = path.file_name().and_then(|file| file.to_str()).unwrap_or_default();
    let rest = file.strip_prefix(name).and_then(|rest| rest.strip_prefix('-'));
    rest.and_then(|rest| rest.strip_suffix(end))
        .is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// A folder has no build scripts where none was built for it, and no crates where only build
/// scripts were.
fn entries_if_any(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    if folder.exists() { entries(folder) } else { Ok(Vec::new()) }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, LabError> {
    let told = |error: std::io::Error| LabError::NoInput(format!("{}: {error}", folder.display()));
    let entries = fs::read_dir(folder).map_err(told)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(told)).collect()
}
