//! Exemplars: one sampled call for each bucket of the duration of calls, so that a slow bucket on a
//! dashboard leads to a trace.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::sync::{Mutex, PoisonError};

use opentelemetry::trace::SpanContext;

use super::names::DURATION_BOUNDS;

/// A sampled call.
#[derive(Clone, Debug)]
struct Exemplar {
    trace: SpanContext,
    seconds: f64,
}

/// The latest sampled call of each method and status in each bucket. All three are from fixed lists,
/// so the number of calls is limited.
#[derive(Debug, Default)]
pub(super) struct Exemplars(Mutex<BTreeMap<(&'static str, &'static str, usize), Exemplar>>);

impl Exemplars {
    /// Remembers a call of `method` that ended with `status` after `seconds`, if it was sampled.
    pub(super) fn note(
        &self,
        method: &'static str,
        status: &'static str,
        seconds: f64,
        trace: &SpanContext,
    ) {
        if trace.is_sampled() {
            let bucket = DURATION_BOUNDS.partition_point(|bound| *bound < seconds);
            let exemplar = Exemplar { trace: trace.clone(), seconds };
            let mut noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            noted.insert((method, status, bucket), exemplar);
        }
    }

    /// Turns Prometheus' text into OpenMetrics text, and adds the exemplars to the lines of their
    /// buckets.
    pub(super) fn open_metrics(&self, text: &str) -> String {
        let noted = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut made = String::with_capacity(text.len() + 4096);
        for line in text.lines() {
            // In OpenMetrics the family of a counter has no suffix.
            let counter = match line.splitn(4, ' ').collect::<Vec<_>>()[..] {
                ["#", what, name, rest] => {
                    name.strip_suffix("_total").map(|family| format!("# {what} {family} {rest}"))
                }
                _ => None,
            };
            made.push_str(counter.as_deref().unwrap_or(line));
            let of_line = bucket_of(line).and_then(|(method, status, bucket)| {
                noted.iter().find(|(key, _)| **key == (method, status, bucket))
            });
            if let Some((_, Exemplar { trace, seconds })) = of_line {
                let (trace_id, span_id) = (trace.trace_id(), trace.span_id());
                let labels = format!("{{trace_id=\"{trace_id}\",span_id=\"{span_id}\"}}");
                write!(made, " # {labels} {seconds}").unwrap_or_default();
            }
            made.push('\n');
        }
        made.push_str("# EOF\n");
        made
    }
}

/// Returns the method, the status and the bucket of a line of the duration of calls.
fn bucket_of(line: &str) -> Option<(&str, &str, usize)> {
    let labels = line.strip_prefix("rpc_server_call_duration_seconds_bucket{")?;
    let label = |name: &str| {
        let (_, value) = labels.split_once(&format!("{name}=\""))?;
        value.split_once('"').map(|(value, _)| value)
    };
    let bound: f64 = label("le")?.parse().ok()?;
    let bucket = DURATION_BOUNDS.partition_point(|one| *one < bound);
    Some((label("rpc_method")?, label("rpc_status_code")?, bucket))
}

#[cfg(test)]
mod tests {
    use opentelemetry::trace::{SpanId, TraceFlags, TraceId, TraceState};

    use super::*;

    fn trace(flags: TraceFlags) -> SpanContext {
        let (trace, span) = (TraceId::from(0xab_u128), SpanId::from(0xcd_u64));
        SpanContext::new(trace, span, flags, false, TraceState::NONE)
    }

    const TEXT: &str = "\
# HELP calls_total Calls, _total of them
# TYPE calls_total counter
calls_total 3
# TYPE rpc_server_call_duration_seconds histogram
rpc_server_call_duration_seconds_bucket{rpc_method=\"m\",rpc_status_code=\"OK\",le=\"0.005\"} 1
rpc_server_call_duration_seconds_bucket{rpc_method=\"m\",rpc_status_code=\"OK\",le=\"0.01\"} 2
rpc_server_call_duration_seconds_bucket{rpc_method=\"m\",rpc_status_code=\"OK\",le=\"+Inf\"} 2
";

    #[test]
    fn a_sampled_call_stands_at_the_bucket_that_it_fell_into_and_nowhere_else() {
        let exemplars = Exemplars::default();
        exemplars.note("m", "OK", 0.0075, &trace(TraceFlags::SAMPLED));
        exemplars.note("m", "INTERNAL", 0.003, &trace(TraceFlags::SAMPLED));
        exemplars.note("m", "OK", 0.003, &trace(TraceFlags::default()));
        let id = "000000000000000000000000000000ab";
        let exemplar = format!(" 2 # {{trace_id=\"{id}\",span_id=\"00000000000000cd\"}} 0.0075\n");
        let expected = TEXT
            .replace("HELP calls_total ", "HELP calls ")
            .replace("TYPE calls_total ", "TYPE calls ")
            .replace("le=\"0.01\"} 2\n", &format!("le=\"0.01\"}}{exemplar}"));
        assert_eq!(exemplars.open_metrics(TEXT), expected + "# EOF\n");
    }

    #[test]
    fn a_call_beyond_the_last_bound_stands_at_the_last_bucket() {
        let exemplars = Exemplars::default();
        exemplars.note("m", "OK", 1e6, &trace(TraceFlags::SAMPLED));
        let made = exemplars.open_metrics(TEXT);
        let found: Vec<&str> = made.lines().filter(|line| line.contains("trace_id")).collect();
        assert!(matches!(found[..], [line] if line.contains("le=\"+Inf\"")), "{found:?}");
    }
}
