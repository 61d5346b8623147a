//! The source files below a folder.

use std::fs;
use std::path::Path;

use super::at;
use crate::{CommandError, read_file};
use paigow_fairness::encoding::Hash;
use paigow_files::release::{ROOTS, Source, class_of, is_plain_path};

/// Returns every source file of the tree `folder`, ascending by path.
///
/// # Errors
///
/// If one of the places that a build is made of is not there, or something in them is
/// neither a file nor a folder or has no plain name: whatever a build might read and a
/// list could not tell is refused.
pub(super) fn sources(folder: &Path) -> Result<Vec<Source>, CommandError> {
    let mut sources = Vec::new();
    for root in ROOTS {
        walk(folder, root.to_owned(), &mut sources)?;
    }
    sources.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(sources)
}

fn walk(folder: &Path, path: String, out: &mut Vec<Source>) -> Result<(), CommandError> {
    let place = folder.join(&path);
    if !is_plain_path(&path) {
        return Err(at(&place, "a name that no line of a list can hold"));
    }
    let told =
        |error: std::io::Error| CommandError::NoInput(format!("{}: {error}", place.display()));
    let kind = fs::symlink_metadata(&place).map_err(told)?.file_type();
    if kind.is_file() {
        let sha256 = Hash::of(&read_file(&place)?);
        let class = class_of(&path);
        out.push(Source { path, sha256, class });
    } else if kind.is_dir() {
        for entry in fs::read_dir(&place).map_err(told)? {
            let name = entry.map_err(told)?.file_name();
            let Some(name) = name.to_str() else {
                return Err(at(&place.join(&name), "a name that is not text"));
            };
            walk(folder, format!("{path}/{name}"), out)?;
        }
    } else {
        return Err(at(&place, "neither a file nor a folder"));
    }
    Ok(())
}
