//! What the process says of itself: log lines, and a span around every call.
//!
//! Never in any of them: a seed, a card, a wager or an amount, an identity, a request or
//! an answer. Only fields that are named here are recorded.

mod call;
mod names;

pub use call::{Call, CallLayer};

use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::ParseError;

/// Why no log was installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// The filter is malformed.
    #[error("cannot read the log filter: {0}")]
    Filter(#[from] ParseError),
    /// Something else in this process has installed a log already.
    #[error("a log is installed already")]
    Installed,
}

/// Writes log lines to the standard output from here on, as text or as JSON.
///
/// A panic becomes a line that says where, not with what words: a message that was
/// formatted from a value could give it away.
///
/// # Errors
///
/// If the filter is malformed or the process has a log already.
pub fn install(filter: &str, json: bool) -> Result<(), InstallError> {
    let filter = EnvFilter::builder().parse(filter)?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter);
    let installed = if json {
        lines.json().flatten_event(true).with_span_list(false).try_init()
    } else {
        lines.with_ansi(false).try_init()
    };
    installed.map_err(|_| InstallError::Installed)?;
    std::panic::set_hook(Box::new(|panic| {
        let location = panic.location().map_or_else(String::new, ToString::to_string);
        tracing::error!(location, "panicked");
    }));
    Ok(())
}
