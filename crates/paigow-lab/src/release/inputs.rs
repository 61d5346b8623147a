//! `paigow-lab release inputs` and `hash`: the critical hash of a source tree.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use super::{at, tree};
use crate::{CommandError, CommandOutcome, read_file};
use paigow_files::release::critical::{Critical, DepInfo, DepInfoFinding, certified_crates, lines};

/// Writes the lines whose SHA-256 is the critical hash of the tree `folder`.
///
/// `built` are the folders of a finished build: `target/TRIPLE/release` and, for build
/// scripts, `target/release`. If there are any, the function also checks that the compiler and
/// the build scripts have read inputs only. It writes each finding to `findings`.
///
/// # Errors
///
/// Returns an error if a file cannot be read, or if the definition does not cover the tree.
/// Also if the folders have no build of a certified crate, or if output fails.
pub fn inputs(
    folder: &Path,
    built: &[PathBuf],
    out: &mut dyn Write,
    findings: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let critical = tree::critical(folder)?;
    out.write_all(lines(critical.inputs()).as_bytes())?;
    if built.is_empty() {
        return Ok(CommandOutcome::Well);
    }
    let found = unlisted(folder, &critical, built)?;
    for finding in &found {
        writeln!(findings, "{finding}")?;
    }
    Ok(if found.is_empty() { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

/// Writes the hash of each part of the tree `folder`, and the critical hash last.
///
/// # Errors
///
/// As [`inputs`].
pub fn hash(folder: &Path, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let critical = tree::critical(folder)?;
    for (name, hash) in critical.parts() {
        writeln!(out, "{hash} {name}")?;
    }
    writeln!(out, "{} critical", critical.hash())?;
    Ok(CommandOutcome::Well)
}

/// Returns the files that the build in the folders `built` has read for certified crates and that
/// are not inputs.
fn unlisted(
    folder: &Path,
    critical: &Critical,
    built: &[PathBuf],
) -> Result<BTreeSet<DepInfoFinding>, CommandError> {
    let manifest = read_file(&folder.join("Cargo.toml"))?;
    let certified = certified_crates(&manifest).map_err(|error| at(folder, error))?;
    let whole = |path: &Path| {
        let path = path
            .canonicalize()
            .map_err(|error| CommandError::NoInput(format!("{}: {error}", path.display())))?;
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
            return Err(CommandError::Data(format!("--built: no build of {name}")));
        }
    }
    Ok(found)
}

/// Returns the files that were read by each compilation of the crate `name` and of its build
/// script, and by each run of that script.
///
/// Cargo keeps a folder `.fingerprint/NAME-HASH` for each unit of work, whose files name the unit.
/// Compilations of unit tests, and those of Clippy, which make no `*.rlib`, are ignored. The unit
/// has left `deps/NAME-HASH.d`, or a `*.d` or `output` in `build/NAME-HASH`. One that names a
/// missing file is from an earlier state of the tree.
fn read_by(built: &Path, name: &str, tree: &str) -> Result<Vec<DepInfo>, CommandError> {
    let text = |path: &Path| String::from_utf8(read_file(path)?).map_err(|error| at(path, error));
    let mut read = Vec::new();
    let snake = name.replace('-', "_");
    for unit in entries_if_any(&built.join(".fingerprint"))? {
        let Some(hash) = hash_of(&unit, name) else { continue };
        let build = built.join(format!("build/{name}-{hash}"));
        let (library, script) = (format!("lib-{snake}"), "build-script-build-script-build");
        let compiled = built.join(format!("deps/lib{snake}-{hash}.rlib"));
        if unit.join(library).exists() && compiled.exists() {
            read.push(DepInfo::parse(&text(&built.join(format!("deps/{snake}-{hash}.d")))?));
        } else if unit.join(script).exists() {
            let script = build.join(format!("build_script_build-{hash}.d"));
            let script = DepInfo::parse(&text(&script)?);
            // Clippy compiles build scripts itself, and reads its own settings for that.
            if script.variables.iter().all(|name| name != "CLIPPY_ARGS") {
                read.push(script);
            }
        } else if unit.join(format!("run-{script}")).exists() {
            let crate_folder = format!("{tree}/crates/{name}");
            read.push(DepInfo::of_build_script(&text(&build.join("output"))?, &crate_folder));
        }
    }
    let exists = |path: &String| Path::new(tree).join(path).exists();
    read.retain(|read| read.files.iter().all(exists));
    Ok(read)
}

/// Returns the hash of a file that is called `NAME-` and 16 hexadecimal digits.
fn hash_of<'a>(path: &'a Path, name: &str) -> Option<&'a str> {
    let hash = path.file_name()?.to_str()?.strip_prefix(name)?.strip_prefix('-')?;
    let is_hash = hash.len() == 16 && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hash.then_some(hash)
}

/// Returns the entries of a folder; empty if it does not exist.
fn entries_if_any(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    if folder.exists() { entries(folder) } else { Ok(Vec::new()) }
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, CommandError> {
    let told =
        |error: std::io::Error| CommandError::NoInput(format!("{}: {error}", folder.display()));
    let entries = fs::read_dir(folder).map_err(told)?;
    entries.map(|entry| entry.map(|entry| entry.path()).map_err(told)).collect()
}
