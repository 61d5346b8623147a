//! Calls over a service that only returns an answer.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io::Write;
use std::sync::{Arc, Mutex};

use http_body_util::{BodyExt as _, StreamBody};
use hyper::body::Bytes;
use tokio_stream::StreamExt as _;
use tower::ServiceExt as _;
use tracing::instrument::WithSubscriber as _;

use super::super::read::TestMetrics;
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

/// Returns the number of calls by how they ended, as `method status error`.
fn ended(read: &TestMetrics) -> BTreeMap<String, String> {
    let label = |series: &str, name: &str| {
        let from = series.find(&format!("{name}=\"")).map(|at| &series[at + name.len() + 2..]);
        from.and_then(|from| from.split('"').next()).unwrap_or("-").to_owned()
    };
    read.of("rpc_server_call_duration_seconds_count")
        .into_iter()
        .map(|(series, count)| {
            let [method, status, error] =
                ["rpc_method", "rpc_status_code", "error_type"].map(|name| label(&series, name));
            (format!("{method} {status} {error}"), count)
        })
        .collect()
}

fn in_flight(read: &TestMetrics) -> String {
    read.of("paigow_calls_in_flight").into_values().next().unwrap()
}

fn request(path: &str) -> http::Request<Body> {
    http::Request::builder().uri(path).body(Body::empty()).unwrap()
}

fn method_of(path: &str) -> Option<&'static str> {
    (path == "/a.B/C").then_some("a.B/C")
}

fn peer_of(_: &http::Extensions) -> Option<IpAddr> {
    Some([192, 0, 2, 7].into())
}

/// The layer over a service that answers with `answer`.
fn service<F>(
    meters: &Meters,
    answer: impl Fn() -> F + Clone + Send + 'static,
) -> impl Service<http::Request<Body>, Response = http::Response<Body>, Error = Infallible>
where
    F: Future<Output = Result<http::Response<Body>, Infallible>> + Send + 'static,
{
    let layer = CallLayer::new(method_of, |_| Some("REASON".to_owned()), peer_of, meters.clone());
    layer.layer(tower::service_fn(move |request: http::Request<Body>| {
        request.extensions().get::<CallIdentity>().unwrap().identify("acme", "tables-1");
        answer()
    }))
}

/// Returns an answer of two messages and trailers.
fn streamed(status: Code) -> http::Response<Body> {
    let mut trailers = HeaderMap::new();
    Status::new(status, "").add_header(&mut trailers).unwrap();
    let message = |text: &'static str| Ok::<_, Status>(Frame::data(Bytes::from(text)));
    let frames = [message("one"), message("two"), Ok(Frame::trailers(trailers))];
    http::Response::new(Body::new(StreamBody::new(tokio_stream::iter(frames))))
}

/// Returns the log of a call that is answered with `status`, at any level.
async fn logged(status: Status) -> String {
    let lines = Lines::default();
    let writer = lines.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || writer.clone())
        .with_ansi(false)
        .without_time()
        .finish();
    let off = Meters::off();
    let service = service(&off, move || {
        let answer = status.clone().into_http::<Body>();
        async move { Ok(answer) }
    });
    let mut request = request("/a.B/C");
    request.headers_mut().insert("authorization", "planted".parse().unwrap());
    // With a single subscriber, the first thread at a place in the code decides whether the place is
    // of interest. That may be a test without a subscriber. With two subscribers, both are asked.
    let _second = tracing::Dispatch::new(tracing_subscriber::registry());
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
        let fields = format!("{line}{code}\" reason=\"REASON\" request_id=\"");
        assert!(text.contains(&fields) && text.lines().count() == 1, "{text}");
        let caller = "tenant=\"acme\" client=\"tables-1\" peer=\"192.0.2.7\"";
        assert!(text.contains(caller), "{text}");
        assert!(!text.contains("planted"), "{text}");
    }
}

#[test]
fn a_path_that_is_no_method_of_ours_mints_no_name() {
    let layer = CallLayer::new(method_of, |_| None, peer_of, Meters::off());
    assert_eq!(layer.method("/a.B/C"), "a.B/C");
    for path in ["/a.B/D", "/", "", "/a.B/C/", "//a.B/C"] {
        assert_eq!(layer.method(path), OTHER, "{path}");
    }
}

#[tokio::test]
async fn calls_are_counted_by_how_they_ended_and_only_our_faults_are_errors() {
    let read = TestMetrics::new();
    for (path, status) in [
        ("/a.B/C", Status::ok("")),
        ("/a.B/C", Status::invalid_argument("")),
        ("/a.B/C", Status::internal("")),
        ("/a.B/C", Status::internal("")),
        ("/planted", Status::unimplemented("")),
    ] {
        let service = service(&read.meters, move || {
            let answer = status.clone().into_http::<Body>();
            async move { Ok(answer) }
        });
        drop(service.oneshot(request(path)).await.unwrap());
    }
    let expected = [
        ("_OTHER UNIMPLEMENTED UNIMPLEMENTED", "1"),
        ("a.B/C INTERNAL INTERNAL", "2"),
        ("a.B/C INVALID_ARGUMENT -", "1"),
        ("a.B/C OK -", "1"),
    ];
    assert_eq!(ended(&read), expected.map(|(key, n)| (key.to_owned(), n.to_owned())).into());
    let refused = read.of("paigow_requests_refused_total");
    assert_eq!(refused["paigow_requests_refused_total{paigow_reason=\"REASON\"}"], "4");
    assert_eq!(in_flight(&read), "0");
}

#[tokio::test]
async fn a_stream_has_ended_when_its_trailers_have_come() {
    let read = TestMetrics::new();
    let service = service(&read.meters, || async { Ok(streamed(Code::DataLoss)) });
    let mut body = service.oneshot(request("/a.B/C")).await.unwrap().into_body();
    for message in ["one", "two"] {
        let frame = body.frame().await.unwrap().unwrap();
        assert_eq!(frame.into_data().unwrap(), message);
        assert!(ended(&read).is_empty());
        assert_eq!(in_flight(&read), "1");
    }
    assert!(body.frame().await.unwrap().unwrap().is_trailers());
    assert_eq!(ended(&read), [("a.B/C DATA_LOSS DATA_LOSS".to_owned(), "1".to_owned())].into());
    drop(body);
    assert_eq!(ended(&read).len(), 1);
    assert_eq!(in_flight(&read), "0");
}

#[tokio::test]
async fn what_its_caller_gave_up_counts_as_cancelled() {
    let read = TestMetrics::new();
    // Before there was an answer, and in the middle of one.
    let never = service(&read.meters, std::future::pending);
    let call = never.oneshot(request("/a.B/C"));
    assert!(tokio::time::timeout(std::time::Duration::ZERO, call).await.is_err());
    let service = service(&read.meters, || async { Ok(streamed(Code::Ok)) });
    let mut body = service.oneshot(request("/a.B/C")).await.unwrap().into_body();
    assert!(body.frame().await.unwrap().unwrap().is_data());
    drop(body);
    assert_eq!(ended(&read), [("a.B/C CANCELLED -".to_owned(), "2".to_owned())].into());
    assert_eq!(in_flight(&read), "0");
}

#[tokio::test]
async fn an_end_without_a_status_is_an_unknown_one() {
    let read = TestMetrics::new();
    let service = service(&read.meters, || async {
        let frames = tokio_stream::iter([Frame::data(Bytes::from("one"))]);
        Ok(http::Response::new(Body::new(StreamBody::new(frames.map(Ok::<_, Status>)))))
    });
    let body = service.oneshot(request("/a.B/C")).await.unwrap().into_body();
    body.collect().await.unwrap();
    assert_eq!(ended(&read), [("a.B/C UNKNOWN UNKNOWN".to_owned(), "1".to_owned())].into());
}

#[test]
fn of_a_callers_headers_only_a_single_traceparent_is_read() {
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    let mut headers = HeaderMap::new();
    headers.insert("traceparent", parent.parse().unwrap());
    headers.insert("tracestate", "planted=1".parse().unwrap());
    headers.insert("baggage", "planted=1".parse().unwrap());
    let extract = |headers: &HeaderMap| {
        let context = TraceContextPropagator::new().extract(&TraceParent(headers));
        context.span().span_context().clone()
    };
    let found = extract(&headers);
    assert_eq!(found.trace_id().to_string(), "0af7651916cd43dd8448eb211c80319c");
    assert!(found.is_sampled() && found.is_remote());
    assert_eq!(found.trace_state().header(), "");
    headers.append("traceparent", parent.parse().unwrap());
    assert!(!extract(&headers).is_valid());
    headers.insert("traceparent", "00-0-0-01".parse().unwrap());
    assert!(!extract(&headers).is_valid());
}

#[tokio::test]
async fn every_answer_names_its_call_by_the_callers_name_or_a_new_one() {
    let off = Meters::off();
    let ask = async |own: Option<&str>, status: Status| {
        let service = service(&off, move || {
            let answer = status.clone().into_http::<Body>();
            async move { Ok(answer) }
        });
        let mut request = request("/a.B/C");
        if let Some(own) = own {
            request.headers_mut().insert(REQUEST_ID, own.parse().unwrap());
        }
        let answer = service.oneshot(request).await.unwrap();
        answer.headers()[REQUEST_ID].to_str().unwrap().to_owned()
    };
    let longest = "a".repeat(64);
    for own in ["1", "0b9c1f6e-7c0a-4a0e-9d8b-1f2e3d4c5b6a", "Table_7.retry-2", &longest] {
        assert_eq!(ask(Some(own), Status::ok("")).await, own);
        assert_eq!(ask(Some(own), Status::not_found("")).await, own);
    }
    let mut new = std::collections::BTreeSet::new();
    for own in
        [None, Some(""), Some("two words"), Some("a\tb"), Some("x=1"), Some(&*"a".repeat(65))]
    {
        let id = ask(own, Status::ok("")).await;
        assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
        assert!(new.insert(id));
    }
}
