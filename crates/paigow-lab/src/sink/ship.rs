//! `paigow-lab sink ship`, `prune` and `restore`: sealed files of evidence to object storage, and
//! back.

use std::fs::{self, File};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::signal::unix::{SignalKind, signal};

use super::store::EvidenceStore;
use super::write_whole;
use crate::{CommandError, CommandOutcome, counted, read_file};
use paigow_evidence::files;
use paigow_fairness::encoding::Hash;
use paigow_files::system;

/// The request of `paigow-lab sink ship`.
#[derive(Clone, Debug)]
pub struct SinkShipment {
    /// The folder of the evidence of one replica.
    pub folder: PathBuf,
    /// The address below which the files go.
    pub to: String,
    /// How long to wait between two looks; [`None`]: one look.
    pub every: Option<Duration>,
    /// How many hours after its shipment a file is deleted; [`None`]: never.
    pub prune_after: Option<u64>,
}

/// Ships the sealed files that were not shipped: compressed, read back and compared. A marker
/// beside each records the shipment. With `every` it looks again until SIGTERM comes, and once more
/// then, because a server that has ended has sealed its last file.
///
/// # Errors
///
/// If the address cannot be used, or, without `every`, if the folder cannot be read. A store that
/// cannot be reached, or that has another file of the same name, is a finding: the next look tries
/// again.
pub fn ship(request: &SinkShipment, out: &mut dyn Write) -> Result<CommandOutcome, CommandError> {
    let store = EvidenceStore::open(&request.to)?;
    let Some(every) = request.every else { return look(request, &store, out) };
    let stop = StopSignal::listen()?;
    loop {
        let is_last = stop.is_asked();
        // The next look may succeed, and an operator expects the loop to continue.
        let outcome = look(request, &store, out).or_else(|error| {
            writeln!(out, "the next look tries again: {error}")?;
            Ok::<_, CommandError>(CommandOutcome::WithFindings)
        })?;
        out.flush()?;
        if is_last {
            return Ok(outcome);
        }
        stop.wait(every);
    }
}

/// Ships the sealed files, and then prunes if requested.
fn look(
    request: &SinkShipment,
    store: &EvidenceStore,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let SinkShipment { folder, prune_after, every, .. } = request;
    let shipped = ship_sealed(folder, store, every.is_none(), out);
    // Deleting files that were shipped earlier makes room on a full disk.
    let pruned = match prune_after {
        Some(hours) => prune_from(folder, store, *hours, out),
        None => Ok(CommandOutcome::Well),
    };
    match (shipped?, pruned?) {
        (CommandOutcome::Well, outcome) | (outcome, _) => Ok(outcome),
    }
}

/// A request of the system to end this process: SIGTERM or SIGINT.
pub(crate) struct StopSignal(Arc<(Mutex<bool>, Condvar)>);

impl StopSignal {
    /// Listens from here on.
    pub(crate) fn listen() -> io::Result<Self> {
        let asked = Arc::new((Mutex::new(false), Condvar::new()));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let listened = {
            let _entered = runtime.enter();
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?)
        };
        let (mut terminate, mut interrupt) = listened;
        let tell = Arc::clone(&asked);
        std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
            runtime.block_on(async {
                tokio::select! {
                    _ = terminate.recv() => {}
                    _ = interrupt.recv() => {}
                }
            });
            *tell.0.lock().unwrap_or_else(PoisonError::into_inner) = true;
            tell.1.notify_all();
        })?;
        Ok(Self(asked))
    }

    pub(crate) fn is_asked(&self) -> bool {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits this long, or until the process has to end.
    pub(crate) fn wait(&self, limit: Duration) {
        let asked = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(self.0.1.wait_timeout_while(asked, limit, |asked| !*asked));
    }
}

/// Ships the sealed files. With `is_told` it also reports that there is nothing to ship.
fn ship_sealed(
    folder: &Path,
    store: &EvidenceStore,
    is_told: bool,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let sealed = files::sealed(folder).map_err(|error| no_input(folder, &error))?;
    let (mut shipped, mut failed) = (0_u64, 0_u64);
    for path in sealed {
        let (marker, name) = (files::shipped_marker(&path), name_of(&path)?);
        if shipped_at(&marker, &store.address_of(name)).is_some() {
            continue;
        }
        let bytes = read_file(&path)?;
        match store.put(name, &bytes) {
            Ok(was_there) => {
                let what = if was_there { "was there" } else { "shipped" };
                writeln!(out, "{what}: {}", store.address_of(name))?;
                let facts = json!({
                    "address": store.address_of(name), "bytes": bytes.len(),
                    "sha256": Hash::of(&bytes).to_string(), "shipped": system::now(),
                });
                write_whole(&marker, &format!("{facts}\n"))?;
                shipped += 1;
            }
            Err(error) => {
                writeln!(out, "not shipped: {}: {error}", path.display())?;
                failed += 1;
            }
        }
    }
    if is_told || shipped + failed > 0 {
        writeln!(out, "{} shipped, {failed} not", counted(shipped, "file"))?;
    }
    Ok(if failed == 0 { CommandOutcome::Well } else { CommandOutcome::WithFindings })
}

/// Deletes the files of a folder that were shipped more than `hours` ago. Each object is first read
/// back and compared again. The newest file stays, because the next boot continues from it.
///
/// # Errors
///
/// If the folder cannot be read or the address cannot be used. A file whose object is not the same
/// is a finding, and stays.
pub fn prune(
    folder: &Path,
    from: &str,
    hours: u64,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    prune_from(folder, &EvidenceStore::open(from)?, hours, out)
}

fn prune_from(
    folder: &Path,
    store: &EvidenceStore,
    hours: u64,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let newest = newest(folder).map_err(|error| no_input(folder, &error))?;
    let mut outcome = CommandOutcome::Well;
    let mut stored = None;
    for path in files::sealed(folder).map_err(|error| no_input(folder, &error))? {
        let marker = files::shipped_marker(&path);
        let Some(since) = shipped_at(&marker, &store.address_of(name_of(&path)?)) else { continue };
        if Some(&path) == newest.as_ref() || system::now() < since.saturating_add(hours * 3600) {
            continue;
        }
        let listed = match stored.take().map_or_else(|| store.list(), Ok) {
            Ok(listed) => stored.insert(listed),
            Err(error) => {
                writeln!(out, "nothing pruned: {error}")?;
                return Ok(CommandOutcome::WithFindings);
            }
        };
        let bytes = read_file(&path)?;
        let same = match listed.get(name_of(&path)?) {
            Some(file) => store.holds(file, &bytes),
            None => Ok(false),
        };
        match same {
            Ok(true) => {
                fs::remove_file(&path).and_then(|()| fs::remove_file(&marker)).map_err(
                    |error| CommandError::CannotCreate(format!("{}: {error}", path.display())),
                )?;
                writeln!(out, "pruned: {}", path.display())?;
            }
            Ok(false) => {
                outcome = CommandOutcome::WithFindings;
                let (path, address) = (path.display(), store.address());
                writeln!(out, "kept: {path}: {address} has no such file any more")?;
            }
            Err(error) => {
                outcome = CommandOutcome::WithFindings;
                writeln!(out, "kept: {}: {error}", path.display())?;
            }
        }
    }
    Ok(outcome)
}

/// Writes the files below an address to a folder, as they were before they were shipped.
///
/// # Errors
///
/// If the store cannot be read, an object does not decompress, or the folder has another file of a
/// name.
pub fn restore(
    from: &str,
    folder: &Path,
    out: &mut dyn Write,
) -> Result<CommandOutcome, CommandError> {
    let store = EvidenceStore::open(from)?;
    let mut restored = 0_u64;
    for (name, file) in store.list()? {
        let path = folder.join(&name);
        let told =
            |error: io::Error| CommandError::CannotCreate(format!("{}: {error}", path.display()));
        match File::options().write(true).create_new(true).mode(0o600).open(&path) {
            Ok(mut made) => {
                let written = io::copy(&mut store.read(&file)?, &mut made);
                let written = written.and_then(|_| made.sync_all());
                // A partial file would be taken for damage.
                written.inspect_err(|_| drop(fs::remove_file(&path))).map_err(told)?;
                restored += 1;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                if !store.holds(&file, &read_file(&path)?)? {
                    let what = format!("{}: another file is there", path.display());
                    return Err(CommandError::CannotCreate(what));
                }
            }
            Err(error) => return Err(told(error)),
        }
    }
    writeln!(out, "{} restored to {}", counted(restored, "file"), folder.display())?;
    Ok(CommandOutcome::Well)
}

/// Returns the newest file of evidence in a folder.
fn newest(folder: &Path) -> io::Result<Option<PathBuf>> {
    let mut newest = None;
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let place = path.file_name().and_then(|name| files::place(name.to_str()?));
        newest = newest.max(place.map(|place| (place, path)));
    }
    Ok(newest.map(|(_, path)| path))
}

/// Returns the time at which a file was shipped to an address, in Unix seconds, if its marker
/// states it.
fn shipped_at(marker: &Path, address: &str) -> Option<u64> {
    let facts: Value = serde_json::from_slice(&fs::read(marker).ok()?).ok()?;
    facts["shipped"].as_u64().filter(|_| facts["address"] == address)
}

fn name_of(path: &Path) -> Result<&str, CommandError> {
    let name = path.file_name().and_then(|name| name.to_str());
    name.ok_or_else(|| CommandError::NoInput(format!("{}: not a name", path.display())))
}

fn no_input(path: &Path, error: &io::Error) -> CommandError {
    CommandError::NoInput(format!("{}: {error}", path.display()))
}
