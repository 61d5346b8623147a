//! The filter of the log, which can be replaced while the process runs.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use tracing_subscriber::filter::ParseError;

/// Puts a filter in force, if it is well-formed.
type Replace = dyn Fn(&str) -> Result<(), ParseError> + Send + Sync;

/// The filter of the log lines and of the exported log records. Clones are the same filter.
#[derive(Clone)]
pub struct LogFilter {
    in_force: Arc<Mutex<String>>,
    replace: Arc<Replace>,
}

impl LogFilter {
    pub(super) fn new(
        in_force: String,
        replace: impl Fn(&str) -> Result<(), ParseError> + Send + Sync + 'static,
    ) -> Self {
        Self { in_force: Arc::new(Mutex::new(in_force)), replace: Arc::new(replace) }
    }

    /// Puts `filter` in force from here on, in the language of `tracing_subscriber`'s `EnvFilter`.
    /// Returns the filter before it, or `None` if it is the same.
    ///
    /// # Errors
    ///
    /// If it is malformed: then the previous filter stays in force.
    pub fn replace(&self, filter: &str) -> Result<Option<String>, ParseError> {
        let mut in_force = self.in_force.lock().unwrap_or_else(PoisonError::into_inner);
        if *in_force == filter {
            return Ok(None);
        }
        (self.replace)(filter)?;
        Ok(Some(std::mem::replace(&mut in_force, filter.to_owned())))
    }
}

impl fmt::Debug for LogFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LogFilter").field("in_force", &self.in_force).finish_non_exhaustive()
    }
}
