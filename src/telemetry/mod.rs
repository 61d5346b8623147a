//! The telemetry of the process: log lines, traces, metrics.
//!
//! They never have a seed, a card, the wager or the amount of a seat, the identity of a player, a
//! request or an answer. Only what [`names`] lists leaves the machine.

mod call;
mod codes;
mod exemplars;
mod export;
mod lines;
mod log_filter;
mod meters;
pub mod names;
mod process;
mod prometheus;
mod queue;
#[cfg(test)]
mod read;
mod records;
pub mod span;

use std::net::SocketAddr;
use std::time::Duration;

use opentelemetry::logs::LoggerProvider as _;
use opentelemetry::trace::TracerProvider as _;
use tracing::Metadata;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{FilterExt as _, ParseError, filter_fn};
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{EnvFilter, Layer as _, reload};

pub use call::{CallIdentity, CallLayer, TracedCalls};
pub use export::{ExportError, InstanceFacts};
pub use lines::LogOutput;
pub use log_filter::LogFilter;
pub use meters::{ConnectionFailed, Meters, Ratio, SetBy, WagerFigures};

use export::Exports;
use paigow_config::{LogConfig, TelemetryConfig};
use queue::LogQueue;
use records::LogRecords;

/// How long the last lines of the log may take to be written.
const LINES_TAKEN: Duration = Duration::from_secs(1);

/// Why no telemetry was installed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum InstallError {
    /// The filter is malformed.
    #[error("cannot read the log filter: {0}")]
    Filter(#[from] ParseError),
    /// The exports that the settings ask for cannot be set up.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// This process has a log already.
    #[error("a log is installed already")]
    Installed,
}

impl InstallError {
    /// Whether settings are at fault, so that a restart does not help.
    #[must_use]
    pub const fn is_of_configuration(&self) -> bool {
        match self {
            Self::Filter(_)
            | Self::Export(ExportError::Authority { .. } | ExportError::Collector(_)) => true,
            Self::Export(ExportError::Prometheus { .. } | ExportError::Thread(_))
            | Self::Installed => false,
        }
    }
}

/// The installed telemetry, which must be shut down at the end.
#[derive(Debug)]
#[must_use = "what is left is exported, and the log written, by its shutdown"]
pub struct Telemetry {
    exports: Exports,
    lines: LogQueue,
    filter: LogFilter,
}

/// Writes log lines from here on, and exports traces, metrics and logs as the settings ask for. It
/// may be called in any thread: exports have a runtime of their own.
///
/// The line of a panic states its place, not its message: a message that was formatted from a
/// secret value could disclose it.
///
/// # Errors
///
/// If the filter is malformed, something cannot be exported, or the process has a log
/// already.
pub fn install(
    config: &TelemetryConfig,
    log: &LogConfig,
    output: LogOutput,
    facts: &InstanceFacts,
) -> Result<Telemetry, InstallError> {
    let filter = || EnvFilter::builder().parse(&log.filter);
    let (filtered, lines_filter) = reload::Layer::new(filter()?);
    let (exported, records_filter) = reload::Layer::new(filter()?);
    let (lines, queue) =
        lines::layer(log.json, output, log.lines_per_second).map_err(ExportError::Thread)?;
    // The hint leaves the level of the other filter in force.
    let no_watcher = filter_fn(is_no_watcher).with_max_level_hint(LevelFilter::TRACE);
    let lines = lines.with_filter(filtered.and(no_watcher));
    let exports = Exports::new(config, facts)?;
    exports.count_dropped_lines(queue.clone());
    let traces = exports.traces.as_ref().map(|traces| {
        tracing_opentelemetry::layer()
            .with_tracer(traces.tracer_with_scope(export::scope()))
            .with_location(false)
            .with_threads(false)
            .with_tracked_inactivity(false)
            .with_target(false)
            // Events are log records: none becomes a part of its span.
            .with_filter(filter_fn(|metadata| metadata.is_span() && is_ours(metadata)))
    });
    let records = match &exports.logs {
        Some(logs) => {
            let records = LogRecords::new(logs.logger_with_scope(export::scope()));
            // Exports log too. Exporting their own lines would produce more lines to export.
            Some(records.with_filter(exported.and(filter_fn(is_ours))))
        }
        None => None,
    };
    tracing_subscriber::registry()
        .with(traces)
        .with(records)
        .with(lines)
        .try_init()
        .map_err(|_| InstallError::Installed)?;
    std::panic::set_hook(Box::new(|panic| {
        let location = panic.location().map_or_else(String::new, ToString::to_string);
        tracing::error!(location, "panicked");
    }));
    if let Some(address) = exports.scraped_at {
        tracing::info!(%address, "metrics are at /metrics");
    }
    let filter = LogFilter::new(log.filter.clone(), move |text| {
        let filter = || EnvFilter::builder().parse(text);
        // If the filter is gone, so is the log of the process.
        drop(lines_filter.reload(filter()?));
        drop(records_filter.reload(filter()?));
        Ok(())
    });
    Ok(Telemetry { exports, lines: queue, filter })
}

/// Checks the files that [`install`] reads, and installs nothing.
///
/// # Errors
///
/// If the file of the collector's authority cannot be read.
pub fn check(config: &TelemetryConfig) -> Result<(), InstallError> {
    export::authority_pem(config)?;
    Ok(())
}

/// Whether an event is not from the crate that watches files, or is a warning. Otherwise a log in a
/// watched folder would cause a line for each of its lines.
fn is_no_watcher(metadata: &Metadata<'_>) -> bool {
    let target = metadata.target();
    *metadata.level() <= LevelFilter::WARN
        || !(target == "notify" || target.starts_with("notify::"))
}

/// Whether a span or an event is of this crate, and above the level of debugging.
fn is_ours(metadata: &Metadata<'_>) -> bool {
    metadata.target().starts_with(names::SERVICE) && *metadata.level() <= LevelFilter::INFO
}

impl Telemetry {
    /// Returns the metrics. They have no reader if none are exported.
    #[must_use]
    pub fn meters(&self) -> Meters {
        self.exports.meters.clone()
    }

    /// Returns the filter of the log.
    #[must_use]
    pub fn log_filter(&self) -> LogFilter {
        self.filter.clone()
    }

    /// Returns the address where Prometheus may scrape, if it may.
    #[must_use]
    pub const fn scraped_at(&self) -> Option<SocketAddr> {
        self.exports.scraped_at
    }

    /// Exports the remaining spans, then log records, then metrics. Returns whether that was done
    /// within `limit`; if not, the last line of the log says so. The log itself has one more second
    /// to be written.
    ///
    /// It blocks. Call it after everything else.
    pub fn shutdown(self, limit: Duration) -> bool {
        let exported = self.exports.finish(limit);
        if !exported {
            tracing::warn!("not all telemetry was exported");
        }
        self.lines.wait_written(LINES_TAKEN);
        exported
    }
}
