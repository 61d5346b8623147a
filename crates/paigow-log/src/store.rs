//! The storage of the objects of a log.

use std::fmt::{Debug, Display};

use futures_util::stream::{self, StreamExt as _, TryStreamExt as _};
use object_store::http::HttpBuilder;
use object_store::path::Path as ObjectPath;
use object_store::{
    ClientOptions, Error, ObjectStore, ObjectStoreExt as _, PutMode, PutOptions, UpdateVersion,
};
use tokio::runtime::Runtime;
use url::Url;

use crate::store_root::{retry, runtime};
use crate::{LogError, StoreRoot};

/// How many requests are under way at once.
const AT_ONCE: usize = 16;

/// The objects of a log, by their names below its address.
pub trait LogStore: Debug {
    /// Reads objects; [`None`] for each that does not exist.
    ///
    /// # Errors
    ///
    /// If one cannot be read.
    fn read(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, LogError>;

    /// Writes objects, each whole. All are durable when this returns.
    ///
    /// # Errors
    ///
    /// If one cannot be written. Others may have been.
    fn write(&self, objects: &[(String, Vec<u8>)]) -> Result<(), LogError>;

    /// Replaces an object that is `before`, or makes it if `before` is [`None`].
    ///
    /// A swap that was made is a success, also if the answer to it was lost.
    ///
    /// # Errors
    ///
    /// [`LogError::Broken`] if the object is something else: another process has written it.
    fn swap(&self, name: &str, before: Option<&[u8]>, after: &[u8]) -> Result<(), LogError>;

    /// Returns the names directly below a folder, ascending.
    ///
    /// # Errors
    ///
    /// If the folder cannot be listed.
    fn list(&self, folder: &str) -> Result<Vec<String>, LogError>;

    /// Removes the objects directly below a folder.
    ///
    /// # Errors
    ///
    /// If one cannot be removed.
    fn remove(&self, folder: &str) -> Result<(), LogError>;

    /// Reads one object; [`None`] if it does not exist.
    ///
    /// # Errors
    ///
    /// If it cannot be read.
    fn read_one(&self, name: &str) -> Result<Option<Vec<u8>>, LogError> {
        Ok(self.read(&[name.to_owned()])?.pop().flatten())
    }
}

/// A log in a folder, in object storage, or behind a web server that only reads.
#[derive(Debug)]
pub struct ObjectLogStore {
    store: Box<dyn ObjectStore>,
    prefix: ObjectPath,
    address: String,
    runtime: Runtime,
}

impl ObjectLogStore {
    /// Opens the log at `address`: `s3://bucket/prefix` or `file:///folder`, as [`StoreRoot::open`]
    /// does, or, to read only, `https://host/prefix`.
    ///
    /// # Errors
    ///
    /// If the address has another form, or the environment lacks a setting of the store.
    pub fn open(address: &str) -> Result<Self, LogError> {
        let wrong = |what: &dyn Display| LogError::Usage(format!("{address}: {what}"));
        let url: Url = address.parse().map_err(|error| wrong(&error))?;
        match url.scheme() {
            "s3" | "file" => {
                let StoreRoot { store, prefix, address, runtime } = StoreRoot::open(address)?;
                Ok(Self { store, prefix, address, runtime })
            }
            "http" | "https" => {
                let options = ClientOptions::new().with_allow_http(true);
                let store = HttpBuilder::new().with_url(address).with_retry(retry());
                let store = store.with_client_options(options).build();
                let store = store.map_err(|error| wrong(&error))?;
                let address = address.trim_end_matches('/');
                Self::over(Box::new(store), ObjectPath::default(), address)
            }
            _ => Err(wrong(&"not s3://bucket/prefix, file:///folder or https://host/prefix")),
        }
    }

    /// Makes a log below a prefix of a store.
    pub(crate) fn over(
        store: Box<dyn ObjectStore>,
        prefix: ObjectPath,
        address: &str,
    ) -> Result<Self, LogError> {
        Ok(Self { store, prefix, address: address.to_owned(), runtime: runtime()? })
    }

    fn path(&self, name: &str) -> ObjectPath {
        ObjectPath::from(format!("{}/{name}", self.prefix))
    }

    fn failed(&self, error: &Error) -> LogError {
        LogError::Unavailable(format!("{}: {error}", self.address))
    }
}

/// Reads an object and its version.
async fn get(
    store: &dyn ObjectStore,
    path: ObjectPath,
) -> Result<Option<(Vec<u8>, UpdateVersion)>, Error> {
    match store.get(&path).await {
        Ok(found) => {
            let (e_tag, version) = (found.meta.e_tag.clone(), found.meta.version.clone());
            Ok(Some((found.bytes().await?.to_vec(), UpdateVersion { e_tag, version })))
        }
        Err(Error::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

impl LogStore for ObjectLogStore {
    fn read(&self, names: &[String]) -> Result<Vec<Option<Vec<u8>>>, LogError> {
        let reads = names.iter().map(|name| get(&*self.store, self.path(name)));
        let found = stream::iter(reads).buffered(AT_ONCE).try_collect::<Vec<_>>();
        let found = self.runtime.block_on(found).map_err(|error| self.failed(&error))?;
        Ok(found.into_iter().map(|object| object.map(|(bytes, _)| bytes)).collect())
    }

    fn write(&self, objects: &[(String, Vec<u8>)]) -> Result<(), LogError> {
        let puts = objects.iter().map(|(name, bytes)| {
            let path = self.path(name);
            async move { self.store.put(&path, bytes.clone().into()).await.map(drop) }
        });
        let written = stream::iter(puts).buffer_unordered(AT_ONCE).try_collect::<()>();
        self.runtime.block_on(written).map_err(|error| self.failed(&error))
    }

    fn swap(&self, name: &str, before: Option<&[u8]>, after: &[u8]) -> Result<(), LogError> {
        let other =
            || LogError::Broken(format!("{}: another process writes this log", self.address));
        let path = self.path(name);
        let found = self.runtime.block_on(get(&*self.store, path.clone()));
        let found = found.map_err(|error| self.failed(&error))?;
        if found.as_ref().map(|(bytes, _)| &bytes[..]) != before {
            return Err(other());
        }
        let mode = found.map_or(PutMode::Create, |(_, version)| PutMode::Update(version));
        let put = |mode| {
            let put = self.store.put_opts(&path, after.to_vec().into(), PutOptions::from(mode));
            self.runtime.block_on(put)
        };
        let swapped = match put(mode) {
            // A folder compares nothing. There a lock keeps others out.
            Err(Error::NotImplemented { .. }) => put(PutMode::Overwrite),
            swapped => swapped,
        };
        let Err(error) = swapped else { return Ok(()) };
        // The answer to a request that swapped may be lost. Then a repeated request is refused.
        if self.read_one(name)?.as_deref() == Some(after) {
            return Ok(());
        }
        let is_other = matches!(error, Error::Precondition { .. } | Error::AlreadyExists { .. });
        Err(if is_other { other() } else { self.failed(&error) })
    }

    fn list(&self, folder: &str) -> Result<Vec<String>, LogError> {
        let path = self.path(folder);
        let listed = self.runtime.block_on(self.store.list_with_delimiter(Some(&path)));
        let listed = listed.map_err(|error| self.failed(&error))?;
        let objects = listed.objects.iter().map(|object| &object.location);
        let paths = objects.chain(&listed.common_prefixes);
        let mut names: Vec<String> =
            paths.filter_map(|path| path.filename().map(str::to_owned)).collect();
        names.sort();
        Ok(names)
    }

    fn remove(&self, folder: &str) -> Result<(), LogError> {
        let names = self.list(folder)?;
        let removed = names.iter().map(|name| {
            let path = self.path(&format!("{folder}/{name}"));
            async move { self.store.delete(&path).await }
        });
        let removed = stream::iter(removed).buffer_unordered(AT_ONCE).try_collect::<()>();
        self.runtime.block_on(removed).map_err(|error| self.failed(&error))
    }
}

#[cfg(test)]
mod tests {
    use object_store::memory::InMemory;

    use super::*;

    fn text(bytes: &[Option<Vec<u8>>]) -> Vec<Option<&str>> {
        bytes.iter().map(|one| one.as_deref().map(|one| str::from_utf8(one).unwrap())).collect()
    }

    fn works_as_a_store(store: &ObjectLogStore) {
        let name = |name: &str| name.to_owned();
        let objects = [(name("tile/0/000.p/1"), b"one".to_vec()), (name("tile/0/000"), vec![b'2'])];
        store.write(&objects).unwrap();
        let names = [name("tile/0/000"), name("tile/0/001"), name("tile/0/000.p/1")];
        assert_eq!(text(&store.read(&names).unwrap()), [Some("2"), None, Some("one")]);
        store.write(&[(name("tile/0/000"), b"3".to_vec())]).unwrap();
        assert_eq!(store.read_one("tile/0/000").unwrap().unwrap(), b"3");
        assert_eq!(store.list("tile/0").unwrap(), ["000", "000.p"]);
        assert!(store.list("tile/1").unwrap().is_empty());
        store.remove("tile/0/000.p").unwrap();
        store.remove("tile/9").unwrap();
        assert!(store.list("tile/0/000.p").unwrap().is_empty());
        assert_eq!(store.read_one("tile/0/000").unwrap().unwrap(), b"3");

        store.swap("checkpoint", None, b"a").unwrap();
        for (before, after) in [(None, b"b"), (Some(&b"x"[..]), b"c")] {
            let refused = store.swap("checkpoint", before, after).unwrap_err();
            assert!(matches!(refused, LogError::Broken(_)), "{refused}");
        }
        store.swap("checkpoint", Some(b"a"), b"b").unwrap();
        assert_eq!(store.read_one("checkpoint").unwrap().unwrap(), b"b");
    }

    #[test]
    fn a_folder_and_a_bucket_are_stores() {
        let dir = tempfile::tempdir().unwrap();
        let address = format!("file://{}", dir.path().display());
        works_as_a_store(&ObjectLogStore::open(&address).unwrap());
        assert_eq!(std::fs::read(dir.path().join("tile/0/000")).unwrap(), b"3");
        let memory = Box::new(InMemory::new());
        works_as_a_store(&ObjectLogStore::over(memory, ObjectPath::from("logs/a"), "m").unwrap());
    }

    #[test]
    fn other_addresses_are_refused() {
        for address in ["", "/var/log", "ftp://a/b", "file:///no/such/folder"] {
            let refused = ObjectLogStore::open(address).unwrap_err();
            assert!(matches!(refused, LogError::Usage(_)), "{address}: {refused}");
        }
    }
}
