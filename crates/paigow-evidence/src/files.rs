//! Reads the files of the sink: their list, their lines, and the last line.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::line::{BootStart, ChainHead, EvidenceLine, LineBody};
use super::lost::unacknowledged_losses;
use super::names::parse_name;
use paigow_fairness::encoding::Hash;

/// The longest line that is read, in bytes. A call can sign far less.
pub const MAX_LINE: usize = 1 << 24;

/// Checks that a sink could continue in a folder, and writes nothing.
///
/// # Errors
///
/// If the folder or a file of evidence in it cannot be read.
pub fn check_readable(directory: &Path) -> io::Result<()> {
    last_head(directory)?;
    unacknowledged_losses(directory).map(drop)
}

/// Returns the last whole line that an earlier boot has left in a folder, or [`None`] if no boot
/// has.
///
/// Skips a file that ends in anything else, which the verification reports.
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

/// Returns the last line of a file that has a line end; empty if it has none.
fn last_line(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    // Few lines are long.
    for most in [1 << 16, MAX_LINE as u64 + 2] {
        let from = length.saturating_sub(most);
        file.seek(SeekFrom::Start(from))?;
        let mut bytes = Vec::new();
        file.by_ref().take(length - from).read_to_end(&mut bytes)?;
        let end = bytes.iter().rposition(|byte| *byte == b'\n').unwrap_or(0);
        bytes.truncate(end);
        let start = bytes.iter().rposition(|byte| *byte == b'\n');
        if start.is_some() || from == 0 || most > MAX_LINE as u64 {
            return Ok(bytes.split_off(start.map_or(0, |before| before + 1)));
        }
    }
    Ok(Vec::new())
}

/// Returns the files of a folder that no process writes any more, in their order.
///
/// These are all files of a boot except its last. The last one is among them once its boot has
/// ended, or once a later boot has continued from it.
///
/// # Errors
///
/// If the folder or a file in it cannot be read.
pub fn sealed(directory: &Path) -> io::Result<Vec<PathBuf>> {
    let mut boots: BTreeMap<String, BTreeMap<u32, PathBuf>> = BTreeMap::new();
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str()).and_then(parse_name);
        if let Some((boot, number)) = name {
            boots.entry(boot.to_owned()).or_default().insert(number, path.clone());
        }
    }
    let mut before = BTreeSet::new();
    for files in boots.values() {
        if let Some(path) = files.get(&1)
            && let Some(EvidenceLine { body: LineBody::Start(start), .. }) = first_line(path)?
            && let Some(head) = start.before
        {
            before.insert((head.boot, head.hash));
        }
    }
    let mut sealed = Vec::new();
    for mut files in boots.into_values() {
        let last = files.pop_last();
        sealed.extend(files.into_values());
        if let Some((_, path)) = last {
            let bytes = last_line(&path)?;
            let line = EvidenceLine::parse(&bytes);
            let is_over = line.is_ok_and(|line| {
                line.body == LineBody::Stop || before.contains(&(line.boot, Hash::of(&bytes)))
            });
            sealed.extend(is_over.then_some(path));
        }
    }
    Ok(sealed)
}

/// Returns when a file was written last, in Unix milliseconds.
fn modified(path: &Path) -> io::Result<u64> {
    let since_1970 = fs::metadata(path)?.modified()?.duration_since(SystemTime::UNIX_EPOCH);
    Ok(u64::try_from(since_1970.unwrap_or_default().as_millis()).unwrap_or(u64::MAX))
}

/// Returns the first line of a file; [`None`] if it has none that can be read.
fn first_line(path: &Path) -> io::Result<Option<EvidenceLine>> {
    let mut bytes = Vec::new();
    let mut reader = BufReader::new(File::open(path)?).take(MAX_LINE as u64);
    reader.read_until(b'\n', &mut bytes)?;
    let line = bytes.strip_suffix(b"\n").map(EvidenceLine::parse);
    Ok(line.and_then(Result::ok))
}

/// Returns how many bytes the files of evidence in a folder have.
pub(super) fn bytes_in(directory: &Path) -> io::Result<u64> {
    let mut bytes = 0;
    for entry in fs::read_dir(directory)? {
        let entry = entry?;
        if entry.file_name().to_str().and_then(parse_name).is_some() {
            bytes += entry.metadata()?.len();
        }
    }
    Ok(bytes)
}

/// Returns the marker file beside a file of evidence, which records its shipment.
#[must_use]
pub fn shipped_marker(path: &Path) -> PathBuf {
    let mut marker = path.as_os_str().to_owned();
    marker.push(".shipped");
    PathBuf::from(marker)
}

/// The sealed files of a folder that were not shipped.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct UnshippedFiles {
    /// How many.
    pub files: u64,
    /// When the first of them was written last.
    pub oldest: Option<SystemTime>,
}

/// Finds sealed files without the marker of a shipment.
///
/// # Errors
///
/// If the folder or a file in it cannot be read.
pub fn unshipped(directory: &Path) -> io::Result<UnshippedFiles> {
    let mut found = UnshippedFiles::default();
    for path in sealed(directory)? {
        if !shipped_marker(&path).try_exists()? {
            let written = fs::metadata(&path)?.modified()?;
            found.files += 1;
            found.oldest = Some(found.oldest.map_or(written, |oldest| oldest.min(written)));
        }
    }
    Ok(found)
}

/// Calls `line` with every line, and with whether it is whole: ended, and not too long.
///
/// # Errors
///
/// If reading fails.
pub fn each_line(reader: impl Read, mut line: impl FnMut(&[u8], bool)) -> io::Result<()> {
    let taken = try_each_line(reader, |bytes, whole| {
        line(bytes, whole);
        ControlFlow::Continue(())
    });
    taken.map(drop)
}

/// Calls `line` with every line as [`each_line`], until it ends the reading. Returns whether it
/// did.
///
/// # Errors
///
/// If reading fails.
pub(super) fn try_each_line(
    reader: impl Read,
    mut line: impl FnMut(&[u8], bool) -> ControlFlow<()>,
) -> io::Result<ControlFlow<()>> {
    let mut reader = BufReader::with_capacity(1 << 18, reader);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let limit = MAX_LINE as u64 + 1;
        if reader.by_ref().take(limit).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(ControlFlow::Continue(()));
        }
        let whole = bytes.pop_if(|byte| *byte == b'\n').is_some();
        if line(&bytes, whole).is_break() {
            return Ok(ControlFlow::Break(()));
        }
    }
}

/// Returns the time since which the files of a folder have every line, in Unix milliseconds; 0 if
/// nothing before the first of them is missing. `files` are in the order of [`list`].
///
/// # Errors
///
/// If a file cannot be read.
pub(super) fn complete_since(files: &[PathBuf]) -> io::Result<u64> {
    let mut since = 0;
    let mut before: Option<(String, u32)> = None;
    // The last whole line of the files so far.
    let mut head: Option<(String, Hash)> = None;
    for path in files {
        let name = path.file_name().and_then(|name| name.to_str());
        let Some((boot, number)) = name.and_then(place) else { continue };
        let first = first_line(path)?;
        let is_after = |(boot, hash): &(String, Hash), start: &BootStart| {
            start.before.as_ref().is_some_and(|head| head.boot == *boot && head.hash == *hash)
        };
        let is_next = match first.as_ref().map(|line| &line.body) {
            Some(LineBody::Start(start)) if number == 1 => {
                head.as_ref().map_or(start.before.is_none(), |head| is_after(head, start))
            }
            // A boot that was killed before its first line.
            None if number == 1 => before.is_some(),
            Some(
                LineBody::Start(_)
                | LineBody::Record(_)
                | LineBody::Event(_)
                | LineBody::Manifest(_)
                | LineBody::Stop,
            )
            | None => before == Some((boot.clone(), number.wrapping_sub(1))),
        };
        if !is_next {
            // A file that was begun just now has no line yet.
            since = first.map_or_else(|| modified(path), |line| Ok(line.time))?;
        }
        before = Some((boot, number));
        let last = last_line(path)?;
        if let Ok(line) = EvidenceLine::parse(&last) {
            head = Some((line.boot, Hash::of(&last)));
        }
    }
    Ok(since)
}

/// Returns the files of a sink in the order in which they are read. For a folder these are all
/// `*.jsonl` files in it and below. Any other path is itself a file. Each file occurs once.
///
/// # Errors
///
/// If a path does not exist or a folder cannot be read.
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
    // Boots by time, each from its first file. Other files keep the order in which they were named.
    files.sort_by_cached_key(|path| place(path.file_name()?.to_str()?));
    Ok(files)
}

/// Returns the place of a file of this name among those of a sink: its boot and its number.
#[must_use]
pub fn place(name: &str) -> Option<(String, u32)> {
    parse_name(name).map(|(boot, number)| (boot.to_owned(), number))
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
