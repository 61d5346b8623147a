//! The object storage that evidence is shipped to: it fails, loses answers, and takes an object twice.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::machine::{self, HostId};
use crate::note;

/// Objects by replica and name.
#[derive(Debug, Default)]
pub(crate) struct Storage {
    objects: BTreeMap<(HostId, String), Vec<u8>>,
    pub(crate) faulty: bool,
    faults: Vec<String>,
}

impl Storage {
    /// Takes a file. Returns whether the shipper knows that it is there.
    pub(crate) fn take(&mut self, host: HostId, file: &Path) -> bool {
        let name = file.file_name().and_then(|name| name.to_str()).expect("a file has a name");
        if self.faulty && machine::happens(20) {
            note!("the storage is away: {name}");
            return false;
        }
        let bytes = fs::read(file).expect("a sealed file can be read");
        let before = self.objects.insert((host, name.to_owned()), bytes.clone());
        if before.is_some_and(|before| before != bytes) {
            self.faults.push(format!("{name} has changed after it was sealed"));
        }
        let is_known = !self.faulty || !machine::happens(20);
        note!("shipped {name}, {} bytes, known {is_known}", bytes.len());
        is_known
    }

    /// Returns the objects, by replica and name.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (&(HostId, String), &Vec<u8>)> {
        self.objects.iter()
    }

    /// Returns what is wrong with what was shipped.
    pub(crate) fn faults(&self) -> &[String] {
        &self.faults
    }
}
