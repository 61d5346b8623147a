//! Object storage at an address.

use std::fmt::Display;
use std::time::Duration;

use object_store::aws::{AmazonS3Builder, Checksum};
use object_store::local::LocalFileSystem;
use object_store::path::Path as ObjectPath;
use object_store::{BackoffConfig, ObjectStore, RetryConfig};
use tokio::runtime::Runtime;
use url::Url;

use crate::LogError;

/// How long a request may be tried again.
const RETRIED: Duration = Duration::from_secs(10);

/// Object storage below an address, with the runtime that calls it.
#[derive(Debug)]
pub struct StoreRoot {
    /// The store.
    pub store: Box<dyn ObjectStore>,
    /// The path below which the objects are. Empty for a folder.
    pub prefix: ObjectPath,
    /// The address without a slash at its end, for messages.
    pub address: String,
    /// Runs the calls of the store.
    pub runtime: Runtime,
}

impl StoreRoot {
    /// Opens the storage at `address`: `s3://bucket/prefix`, with credentials, region and endpoint
    /// from the environment (`AWS_ACCESS_KEY_ID`, ...), or `file:///folder` with an existing folder.
    ///
    /// # Errors
    ///
    /// If the address has another form, or the environment lacks a setting of the store.
    pub fn open(address: &str) -> Result<Self, LogError> {
        let wrong = |what: &dyn Display| LogError::Usage(format!("{address}: {what}"));
        let url: Url = address.parse().map_err(|error| wrong(&error))?;
        let (store, prefix): (Box<dyn ObjectStore>, ObjectPath) = match url.scheme() {
            "s3" => {
                let store = AmazonS3Builder::from_env()
                    .with_url(address)
                    .with_retry(retry())
                    // A bucket with a retention lock takes nothing without one.
                    .with_checksum_algorithm(Checksum::SHA256)
                    .build();
                let prefix = ObjectPath::parse(url.path()).map_err(|error| wrong(&error))?;
                (Box::new(store.map_err(|error| wrong(&error))?), prefix)
            }
            "file" => {
                let folder = url.to_file_path().map_err(|()| wrong(&"not a folder"))?;
                if !folder.is_dir() {
                    return Err(wrong(&"no such folder"));
                }
                let store = LocalFileSystem::new_with_prefix(folder);
                let store = store.map_err(|error| wrong(&error))?.with_fsync(true);
                (Box::new(store), ObjectPath::default())
            }
            _ => return Err(wrong(&"not s3://bucket/prefix or file:///folder")),
        };
        let address = address.trim_end_matches('/').to_owned();
        Ok(Self { store, prefix, address, runtime: runtime()? })
    }
}

/// Returns how requests are tried again.
pub(crate) fn retry() -> RetryConfig {
    let backoff = BackoffConfig::default();
    RetryConfig { backoff, max_retries: 3, retry_timeout: RETRIED }
}

/// Returns a runtime for the calls of a store.
pub(crate) fn runtime() -> Result<Runtime, LogError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    runtime.map_err(|error| LogError::Unavailable(error.to_string()))
}
