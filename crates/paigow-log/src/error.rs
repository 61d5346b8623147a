//! The errors of a log.

use paigow_files::command::CommandError;

/// The reason why a log cannot be written, read or proven from.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// An address or an argument is wrong.
    #[error("{0}")]
    Usage(String),
    /// A store, a file or a witness cannot be reached. A later attempt may succeed.
    #[error("{0}")]
    Unavailable(String),
    /// The log, its state or its signature is wrong. Another attempt does not help.
    #[error("{0}")]
    Broken(String),
}

impl From<LogError> for CommandError {
    fn from(error: LogError) -> Self {
        match error {
            LogError::Usage(what) => Self::Usage(what),
            LogError::Unavailable(what) => Self::Unavailable(what),
            LogError::Broken(what) => Self::Data(what),
        }
    }
}
