//! The files of the sink, read: which there are, line by line, and the last line.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use super::line::{ChainHead, EvidenceLine};
use super::names::parse_name;
use paigow_fairness::encoding::Hash;

/// The longest line that is read, in bytes: far above what a call can sign.
pub const MAX_LINE: usize = 1 << 24;

/// Returns the last whole line that any boot has left in a folder; nothing where there is
/// none. A file that ends in something else is passed over: a look at the files tells of it.
///
/// # Errors
///
/// If the folder or a file in it cannot be read.
pub(super) fn last_head(directory: &Path) -> io::Result<Option<ChainHead>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        if let Some((boot, number)) = name.to_str().and_then(parse_name) {
            names.push((boot.to_owned(), number, directory.join(&name)));
        }
    }
    names.sort();
    for (_, _, path) in names.iter().rev() {
        let bytes = last_line(path)?;
        if let Ok(line) = EvidenceLine::parse(&bytes) {
            return Ok(Some(ChainHead { boot: line.boot, seq: line.seq, hash: Hash::of(&bytes) }));
        }
    }
    Ok(None)
}

/// Returns the last line of a file that has an end; nothing if it has none.
fn last_line(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MAX_LINE as u64 + 2)))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let end = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
    bytes.truncate(end);
    let start = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |before| before + 1);
    Ok(bytes.split_off(start))
}

/// Hands on every line, and whether it is whole: ended, and not too long.
///
/// # Errors
///
/// If reading fails.
pub fn each_line(reader: impl Read, mut line: impl FnMut(&[u8], bool)) -> io::Result<()> {
    let mut reader = BufReader::with_capacity(1 << 18, reader);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let limit = MAX_LINE as u64 + 1;
        if reader.by_ref().take(limit).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(());
        }
        let whole = bytes.pop_if(|byte| *byte == b'\n').is_some();
        line(&bytes, whole);
    }
}

/// Returns the files of a sink in the order in which they are read: for a folder all
/// `*.jsonl` in it and below, for anything else itself, each once.
///
/// # Errors
///
/// If something is not there or a folder cannot be read.
pub fn list(paths: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            walk(path, &mut found)?;
        } else {
            found.push(path.clone());
        }
    }
    let mut seen = BTreeSet::new();
    let mut files = Vec::new();
    for path in found {
        if seen.insert(path.canonicalize()?) {
            files.push(path);
        }
    }
    // Boots by time, each from its first file; others where they were named.
    files.sort_by_cached_key(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.and_then(parse_name).map(|(boot, number)| (boot.to_owned(), number))
    });
    Ok(files)
}

fn walk(directory: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    let mut entries =
        fs::read_dir(directory)?.map(|e| Ok(e?.path())).collect::<io::Result<Vec<_>>>()?;
    entries.sort();
    for path in entries {
        if path.is_dir() {
            walk(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "jsonl") {
            found.push(path);
        }
    }
    Ok(())
}
