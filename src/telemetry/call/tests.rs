//! Calls over a service that is no more than an answer.

use std::convert::Infallible;
use std::io::Write;
use std::sync::{Arc, Mutex};

use tower::ServiceExt as _;
use tracing::instrument::WithSubscriber as _;

use opentelemetry::metrics::MeterProvider as _;
use opentelemetry_sdk::metrics::SdkMeterProvider;

use super::*;

/// Log text that a test reads.
#[derive(Clone, Default)]
struct Lines(Arc<Mutex<Vec<u8>>>);

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Returns what is logged of a call that is answered with `status`, at any level.
async fn logged(status: Status) -> String {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .without_time()
        .finish();
    let answer = move |_: http::Request<Body>| {
        let answer = status.clone().into_http::<Body>();
        async move { Ok::<_, Infallible>(answer) }
    };
    let layer = CallLayer::new(&["a.B/C"], |_| Some("REASON".to_owned()), Meters::off());
    let request = http::Request::builder()
        .uri("/a.B/C")
        .header("authorization", "planted")
        .body(Body::empty())
        .unwrap();
    let service = layer.layer(tower::service_fn(answer));
    service.oneshot(request).with_subscriber(subscriber).await.unwrap();
    let bytes = lines.0.lock().unwrap().clone();
    String::from_utf8(bytes).unwrap()
}

#[tokio::test]
async fn a_failure_is_one_line_with_its_reason_and_a_success_is_none() {
    assert_eq!(logged(Status::ok("")).await, "");
    let line = "rpc.method=\"a.B/C\" rpc.status_code=\"";
    for (status, level, code) in [
        (Status::invalid_argument("planted"), " INFO", "INVALID_ARGUMENT"),
        (Status::failed_precondition("planted"), " INFO", "FAILED_PRECONDITION"),
        (Status::deadline_exceeded("planted"), " WARN", "DEADLINE_EXCEEDED"),
        (Status::internal("planted"), "ERROR", "INTERNAL"),
    ] {
        let text = logged(status).await;
        assert!(text.starts_with(level), "{text}");
        let fields = format!("{line}{code}\" reason=\"REASON\"");
        assert!(text.contains(&fields) && text.lines().count() == 1, "{text}");
        assert!(!text.contains("planted"), "{text}");
    }
}

#[test]
fn a_path_that_is_no_method_of_ours_mints_no_name() {
    let layer = CallLayer::new(&["a.B/C"], |_| None, Meters::off());
    assert_eq!(layer.method("/a.B/C"), "a.B/C");
    for path in ["/a.B/D", "/", "", "/a.B/C/", "//a.B/C"] {
        assert_eq!(layer.method(path), OTHER, "{path}");
    }
}
