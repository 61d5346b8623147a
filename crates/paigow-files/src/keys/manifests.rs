//! The manifests of a keyring: public, in one file or in a folder of files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::KeyFault;
use super::regular::read_regular;
use paigow_fairness::manifest::Manifest;
use paigow_fairness::payload::PayloadError;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_fairness::transcript;

/// The most bytes of a file of manifests: room for some ten thousand of them.
const FILE_BYTES: usize = 256 << 20;

/// Reads the records of a file in their order, or those of the `*.jsonl` files of a folder by the
/// sequence numbers of their manifests. A folder may hold any number of files.
///
/// # Errors
///
/// If something cannot be read. Otherwise every record of a folder that is not a manifest, and
/// every two that differ under one sequence number.
pub(super) fn read_manifests(place: &Path) -> Result<Vec<RecordEnvelope>, Vec<KeyFault>> {
    if !place.is_dir() {
        return read_file(place).map_err(|fault| vec![fault]);
    }
    let mut faults = Vec::new();
    let mut by_number: BTreeMap<u64, (RecordEnvelope, PathBuf)> = BTreeMap::new();
    for path in files(place).map_err(|fault| vec![fault])? {
        let records = read_file(&path).unwrap_or_else(|fault| {
            faults.push(fault);
            Vec::new()
        });
        for (line, record) in (1..).zip(records) {
            let mut fault =
                |what: String| faults.push(KeyFault::at(&path, format!("line {line}: {what}")));
            match sequence_number(&record) {
                Err(what) => fault(what),
                Ok(number) => match by_number.get(&number) {
                    Some((other, _)) if *other == record => {}
                    Some((_, beside)) => {
                        fault(format!("manifest {number} is not the one in {}", beside.display()))
                    }
                    None => {
                        by_number.insert(number, (record, path.clone()));
                    }
                },
            }
        }
    }
    if !faults.is_empty() {
        return Err(faults);
    }
    Ok(by_number.into_values().map(|(record, _)| record).collect())
}

fn read_file(path: &Path) -> Result<Vec<RecordEnvelope>, KeyFault> {
    let fault = |what: String| KeyFault::at(path, what);
    let text = read_regular(path, FILE_BYTES).map_err(|error| fault(error.to_string()))?;
    transcript::parse(&text).map_err(|error| fault(error.to_string()))
}

/// Returns the `*.jsonl` files of a folder, by name. A hidden one is a file that is being written.
fn files(folder: &Path) -> Result<Vec<PathBuf>, KeyFault> {
    let listed = std::fs::read_dir(folder)
        .and_then(|entries| entries.map(|e| e.map(|e| e.path())).collect::<Result<Vec<_>, _>>());
    let mut paths = listed.map_err(|error| KeyFault::at(folder, error.to_string()))?;
    paths.retain(|path| {
        let name = path.file_name().and_then(|name| name.to_str());
        name.is_some_and(|name| name.ends_with(".jsonl") && !name.starts_with('.'))
    });
    paths.sort();
    Ok(paths)
}

/// Returns the sequence number that a record states. It is not verified yet.
fn sequence_number(record: &RecordEnvelope) -> Result<u64, String> {
    if record.kind() != RecordKind::Manifest {
        return Err("not a manifest record".to_owned());
    }
    let manifest = record.json().map_err(PayloadError::from).and_then(Manifest::parse);
    manifest.map(|manifest| manifest.seq).map_err(|error| error.to_string())
}
