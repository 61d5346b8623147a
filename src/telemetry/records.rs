//! Events as log records for the collector: their time, their message, and the fields that may
//! leave. A significant event also has its name, and each of its facts as an attribute.

use std::collections::BTreeMap;
use std::fmt;
use std::time::SystemTime;

use opentelemetry::logs::{LogRecord as _, Logger as _, Severity};
use opentelemetry_sdk::logs::{SdkLogRecord, SdkLogger};
use tracing::field::{Field, Visit};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::layer::Context;

use super::names::{EVENT_FACT, EVENTS, LOG_ATTRIBUTES};

/// A layer that hands events to a logger. Each record belongs to the current trace.
#[derive(Debug)]
pub(super) struct LogRecords(SdkLogger);

impl LogRecords {
    pub(super) const fn new(logger: SdkLogger) -> Self {
        Self(logger)
    }
}

impl<S: Subscriber> Layer<S> for LogRecords {
    #[expect(clippy::disallowed_methods, reason = "when an event happened is no outcome")]
    fn on_event(&self, event: &Event<'_>, _: Context<'_, S>) {
        let mut record = self.0.create_log_record();
        let (number, text) = match *event.metadata().level() {
            Level::ERROR => (Severity::Error, "ERROR"),
            Level::WARN => (Severity::Warn, "WARN"),
            Level::INFO => (Severity::Info, "INFO"),
            Level::DEBUG => (Severity::Debug, "DEBUG"),
            Level::TRACE => (Severity::Trace, "TRACE"),
        };
        record.set_timestamp(SystemTime::now());
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
        if field.name() == "event" {
            if let Some((_, name)) = EVENTS.iter().find(|(event, _)| *event == value) {
                self.0.set_event_name(name);
            }
        } else if let Some(key) = attribute(field) {
            self.0.add_attribute(key, value.to_owned());
        }
    }

    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        if field.name() == "message" {
            self.0.set_body(format!("{value:?}").into());
        } else if field.name() == "facts" {
            let facts = format!("{value:?}");
            let facts: BTreeMap<String, String> = serde_json::from_str(&facts).unwrap_or_default();
            for (fact, value) in facts {
                self.0.add_attribute(format!("{EVENT_FACT}{fact}"), value);
            }
        } else if let Some(key) = attribute(field) {
            self.0.add_attribute(key, format!("{value:?}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use paigow_evidence::Significant;

    #[test]
    fn every_significant_event_has_a_name_of_its_own_in_log_records() {
        let named = EVENTS.map(|(event, name)| {
            assert_eq!(name, format!("paigow.{event}"));
            event
        });
        assert_eq!(named, Significant::ALL.map(Significant::name));
    }
}
