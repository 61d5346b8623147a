//! The place of a line in the files of a sink.

use std::fmt;
use std::sync::Arc;

/// Where a line stands.
#[derive(Clone, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub struct LinePlace {
    /// The file, as it was named.
    pub file: Arc<str>,
    /// The line, from 1.
    pub line: u64,
}

impl fmt::Display for LinePlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.file, self.line)
    }
}
