//! Log lines on this machine, as text or as JSON with the ids of the trace.

use std::{fmt, io};

use opentelemetry::Context;
use opentelemetry::trace::TraceContextExt as _;
use tracing::{Event, Subscriber};
use tracing_subscriber::Layer;
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::queue::LogQueue;

/// The stream that log lines are written to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum LogOutput {
    /// The standard output.
    Stdout,
    /// The standard error: the standard output is for evidence.
    Stderr,
}

/// Writes events to `output`, as JSON or as text, in a thread of its own, at most `per_second` a
/// second. Also returns the queue of the lines.
///
/// # Errors
///
/// If the system has no thread.
pub(super) fn layer<S>(
    json: bool,
    output: LogOutput,
    per_second: u32,
) -> io::Result<(Box<dyn Layer<S> + Send + Sync>, LogQueue)>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    let queue = match output {
        LogOutput::Stdout => LogQueue::into(io::stdout(), per_second),
        LogOutput::Stderr => LogQueue::into(io::stderr(), per_second),
    }?;
    let lines = tracing_subscriber::fmt::layer().with_writer(queue.clone());
    let layer: Box<dyn Layer<S> + Send + Sync> = if json {
        let json = lines.json().flatten_event(true).with_span_list(false);
        Box::new(json.map_event_format(WithTrace))
    } else {
        Box::new(lines.with_ansi(false))
    };
    Ok((layer, queue))
}

/// Adds `trace_id` and `span_id` to the JSON that `F` writes, where there is a trace.
#[derive(Debug)]
struct WithTrace<F>(F);

impl<S, N, F> FormatEvent<S, N> for WithTrace<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let trace = Context::map_current(|context| context.span().span_context().clone());
        if !trace.is_valid() {
            return self.0.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.0.format_event(context, Writer::new(&mut line), event)?;
        let Some(members) = line.strip_suffix("}\n") else { return writer.write_str(&line) };
        let (trace_id, span_id) = (trace.trace_id(), trace.span_id());
        writeln!(writer, "{members},\"trace_id\":\"{trace_id}\",\"span_id\":\"{span_id}\"}}")
    }
}
