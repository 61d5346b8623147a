//! Evidence in object storage: files below a prefix, compressed, each under the name that it had.

use std::collections::BTreeMap;
use std::io::{Read, Write as _};
use std::path::Path;

use flate2::read::GzDecoder;
use flate2::{Compression, GzBuilder};
use futures_util::TryStreamExt as _;
use object_store::path::Path as ObjectPath;
use object_store::{ObjectStore, ObjectStoreExt as _, PutMode, PutOptions};
use paigow_evidence::files;
use paigow_log::StoreRoot;
use tokio::runtime::Runtime;

use crate::CommandError;

/// The end of the name of an object; before it the name of the file.
const COMPRESSED: &str = ".gz";

/// Whether a path of the command line is the address of evidence in object storage.
pub(super) fn is_address(path: &Path) -> bool {
    path.to_str().is_some_and(|path| path.contains("://"))
}

/// Evidence in object storage, below a prefix.
#[derive(Debug)]
pub(super) struct EvidenceStore {
    store: Box<dyn ObjectStore>,
    prefix: ObjectPath,
    address: String,
    runtime: Runtime,
}

/// A file of evidence in object storage.
#[derive(Clone, Debug, Eq, PartialEq)]
pub(super) struct StoredFile {
    path: ObjectPath,
    /// The size of the object, compressed, in bytes.
    pub(super) size: u64,
}

impl EvidenceStore {
    /// Opens the store at `address`, as [`StoreRoot::open`] does.
    ///
    /// # Errors
    ///
    /// If the address has another form, or the environment lacks a setting of the store.
    pub(super) fn open(address: &str) -> Result<Self, CommandError> {
        let StoreRoot { store, prefix, address, runtime } = StoreRoot::open(address)?;
        Ok(Self { store, prefix, address, runtime })
    }

    /// Returns the address of a file.
    pub(super) fn address_of(&self, name: &str) -> String {
        format!("{}/{name}{COMPRESSED}", self.address)
    }

    /// Returns the address of the store, for messages.
    pub(super) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the address of a file that was listed.
    pub(super) fn address_of_stored(&self, file: &StoredFile) -> String {
        // The path begins with the prefix, which is the end of the address.
        let below = file.path.as_ref().strip_prefix(self.prefix.as_ref()).unwrap_or_default();
        format!("{}/{}", self.address, below.trim_start_matches('/'))
    }

    /// Returns the files of evidence below the prefix, by their names.
    ///
    /// # Errors
    ///
    /// If the store cannot be read, or two objects have one name.
    pub(super) fn list(&self) -> Result<BTreeMap<String, StoredFile>, CommandError> {
        let listed = self.store.list(Some(&self.prefix)).try_collect::<Vec<_>>();
        let listed = self.runtime.block_on(listed).map_err(|error| self.failed(&error))?;
        let mut found = BTreeMap::new();
        for object in listed {
            let name = object.location.filename().and_then(|name| name.strip_suffix(COMPRESSED));
            let Some(name) = name.filter(|name| files::place(name).is_some()) else { continue };
            let file = StoredFile { path: object.location.clone(), size: object.size };
            if let Some(other) = found.insert(name.to_owned(), file) {
                let what = format!("{} and {} are one file", other.path, object.location);
                return Err(self.failed(&what));
            }
        }
        Ok(found)
    }

    /// Reads a file, and hands on what it decompresses to.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub(super) fn read(&self, file: &StoredFile) -> Result<impl Read + use<>, CommandError> {
        let read = async { self.store.get(&file.path).await?.bytes().await };
        let bytes = self.runtime.block_on(read).map_err(|error| self.failed(&error))?;
        Ok(GzDecoder::new(std::io::Cursor::new(bytes)))
    }

    /// Puts a file below the prefix, reads it back, and returns whether it already existed.
    ///
    /// # Errors
    ///
    /// If the store cannot be written or read, or has another file of this name.
    pub(super) fn put(&self, name: &str, bytes: &[u8]) -> Result<bool, CommandError> {
        let object = self.prefix.clone().join(format!("{name}{COMPRESSED}"));
        let mut packed = GzBuilder::new().write(Vec::new(), Compression::default());
        packed.write_all(bytes)?;
        let packed = packed.finish()?;
        let size = packed.len() as u64;
        // An object is never replaced, so an object under a retention lock stays the newest of its
        // name.
        let options = PutOptions::from(PutMode::Create);
        let put = self.store.put_opts(&object, packed.into(), options);
        let was_there = match self.runtime.block_on(put) {
            Ok(_) => false,
            Err(object_store::Error::AlreadyExists { .. }) => true,
            Err(error) => return Err(self.failed(&error)),
        };
        if !self.holds(&StoredFile { path: object, size }, bytes)? {
            let what = format!("{name}{COMPRESSED}: reads back as something else");
            return Err(self.failed(&what));
        }
        Ok(was_there)
    }

    /// Whether a file reads back as these bytes.
    ///
    /// # Errors
    ///
    /// If the store cannot be read.
    pub(super) fn holds(&self, file: &StoredFile, bytes: &[u8]) -> Result<bool, CommandError> {
        let (mut reader, mut left, mut piece) = (self.read(file)?, bytes, vec![0; 1 << 16]);
        loop {
            // A file that does not decompress does not hold these bytes.
            let Ok(length) = reader.read(&mut piece) else { return Ok(false) };
            let Some(rest) = left.strip_prefix(&piece[..length]) else { return Ok(false) };
            left = rest;
            if length == 0 {
                return Ok(left.is_empty());
            }
        }
    }

    fn failed(&self, what: &dyn std::fmt::Display) -> CommandError {
        CommandError::NoInput(format!("{}: {what}", self.address))
    }
}
