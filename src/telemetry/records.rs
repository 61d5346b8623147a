//! Events as log records for the collector: their sentence, and the fields that are
//! allowed to leave.

use std::fmt;

use opentelemetry::logs::{LogRecord as _, Logger as _, Severity};
use opentelemetry_sdk::logs::{SdkLogRecord, SdkLogger};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::names::LOG_ATTRIBUTES;

/// A layer that hands events to a logger. Each record belongs to the current trace.
#[derive(Debug)]
pub(super) struct LogRecords(SdkLogger);

impl LogRecords {
    pub(super) const fn new(logger: SdkLogger) -> Self {
        Self(logger)
    }
}

impl<S: Subscriber> Layer<S> for LogRecords {
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut record = self.0.create_log_record();
        let (number, text) = match *event.metadata().level() {
            Level::ERROR => (Severity::Error, "ERROR"),
            Level::WARN => (Severity::Warn, "WARN"),
            Level::INFO => (Severity::Info, "INFO"),
            Level::DEBUG => (Severity::Debug, "DEBUG"),
            Level::TRACE => (Severity::Trace, "TRACE"),
        };
        record.set_severity_number(number);
        record.set_severity_text(text);
        record.set_target(event.metadata().target());
        event.record(&mut LogRecordFields(&mut record));
        self.0.emit(record);
    }
}

/// Copies the fields that may leave the process into a record.
struct LogRecordFields<'a>(&'a mut SdkLogRecord);

/// Returns the attribute that a field becomes, if it may leave.
fn attribute(field: &Field) -> Option<&'static str> {
    LOG_ATTRIBUTES.iter().find(|(name, _)| *name == field.name()).map(|(_, key)| *key)
}

impl Visit for LogRecordFields<'_> {
    fn record_str(&mut self, field: &Field, value: &str) {
        if let Some(key) = attribute(field) {
            self.0.add_attribute(key, value.to_owned());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0.set_body(format!("{value:?}").into());
        } else if let Some(key) = attribute(field) {
            self.0.add_attribute(key, format!("{value:?}"));
        }
    }
}
