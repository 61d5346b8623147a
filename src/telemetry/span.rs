//! The facts that a handler may add to the span of its call.
//!
//! Each function records on the current span, which is that of the call.

use opentelemetry::trace::TraceContextExt as _;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::names;

/// Notes the seed suite, and how many seats with wagers there are.
pub fn dealt(suite: &str, seats: usize) {
    let span = Span::current();
    span.record(names::SUITE, suite);
    span.record(names::SEATS, seats);
}

/// Notes the house way that set hands.
pub fn house_way(id: &str) {
    Span::current().record(names::HOUSE_WAY, id);
}

/// Notes the verdict of an audit, and how many rounds it replayed.
pub fn audited(verdict: &'static str, rounds: usize) {
    let span = Span::current();
    span.record(names::AUDIT_VERDICT, verdict);
    span.record(names::AUDIT_ROUNDS, rounds);
}

/// Returns the id of the trace that the call belongs to, if it is traced.
#[must_use]
pub fn trace_id() -> Option<String> {
    let context = Span::current().context();
    let span = context.span();
    let span = span.span_context();
    span.is_valid().then(|| span.trace_id().to_string())
}

/// Notes the public id of the round, if the settings ask for it.
pub fn round(id: &str) {
    Span::current().record(names::ROUND, id);
}
