//! The source tree: the files that the critical hash is computed from.

use std::fs;
use std::path::Path;

use super::at;
use crate::{CommandError, read_file};
use paigow_files::release::critical::{self, Critical, Node, Tree};

/// Computes the critical hash of the tree `folder`.
///
/// # Errors
///
/// Returns an error if a file cannot be read, or if the tree is not one that the
/// definition covers.
pub(super) fn critical(folder: &Path) -> Result<Critical, CommandError> {
    Critical::of(&read(folder)?).map_err(|error| at(folder, error))
}

/// Reads the files of the tree `folder` that are inputs or that name the inputs.
///
/// # Errors
///
/// Returns an error if something cannot be read, or is neither a file, a folder nor a link.
fn read(folder: &Path) -> Result<Tree, CommandError> {
    let manifest = read_file(&folder.join("Cargo.toml"))?;
    let certified = critical::certified_crates(&manifest).map_err(|error| at(folder, error))?;
    let mut tree = Tree::new();
    for path in critical::roots(&certified) {
        // The definition states which of them must exist.
        if fs::symlink_metadata(folder.join(&path)).is_ok() {
            walk(folder, path, &mut tree)?;
        }
    }
    Ok(tree)
}

fn walk(folder: &Path, path: String, out: &mut Tree) -> Result<(), CommandError> {
    let place = folder.join(&path);
    let told =
        |error: std::io::Error| CommandError::NoInput(format!("{}: {error}", place.display()));
    let no_text = |place: &Path| at(place, "a name that is not text");
    let kind = fs::symlink_metadata(&place).map_err(told)?.file_type();
    if kind.is_file() {
        out.insert(path, Node::File(read_file(&place)?));
    } else if kind.is_symlink() {
        let target = fs::read_link(&place).map_err(told)?;
        let target = target.to_str().ok_or_else(|| no_text(&place))?.to_owned();
        out.insert(path, Node::Link(target));
    } else if kind.is_dir() {
        for entry in fs::read_dir(&place).map_err(told)? {
            let name = entry.map_err(told)?.file_name();
            let name = name.to_str().ok_or_else(|| no_text(&place.join(&name)))?;
            walk(folder, format!("{path}/{name}"), out)?;
        }
    } else {
        return Err(at(&place, "neither a file, a folder nor a symbolic link"));
    }
    Ok(())
}
