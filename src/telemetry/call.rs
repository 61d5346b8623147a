//! A span around every call, and a line for every one that failed.

use std::pin::Pin;
use std::task::{Context, Poll};

use http::HeaderMap;
use http_body_util::BodyExt as _;
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};
use tracing::field::Empty;
use tracing::{Instrument as _, Span, error, info, info_span, warn};

use super::names::{GRPC, OTHER, code_name, is_server_fault};

/// Names the reason of a status for the log, if the status has one.
type ReasonOf = fn(&Status) -> Option<String>;

/// Puts a span around every call.
#[derive(Clone, Copy, Debug)]
pub struct CallLayer {
    methods: &'static [&'static str],
    reason: ReasonOf,
}

impl CallLayer {
    /// Makes the layer. Calls of other paths than `methods` are all one, `_OTHER`.
    #[must_use]
    pub const fn new(methods: &'static [&'static str], reason: ReasonOf) -> Self {
        Self { methods, reason }
    }

    fn method(self, path: &str) -> &'static str {
        let path = path.strip_prefix('/').unwrap_or(path);
        self.methods.iter().copied().find(|method| *method == path).unwrap_or(OTHER)
    }
}

impl<S> Layer<S> for CallLayer {
    type Service = Call<S>;

    fn layer(&self, inner: S) -> Call<S> {
        Call { inner, layer: *self }
    }
}

/// The service that [`CallLayer`] makes.
#[derive(Clone, Debug)]
pub struct Call<S> {
    inner: S,
    layer: CallLayer,
}

impl<S, In> Service<http::Request<In>> for Call<S>
where
    S: Service<http::Request<In>, Response = http::Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Self::Response, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, request: http::Request<In>) -> Self::Future {
        let (method, reason) = (self.layer.method(request.uri().path()), self.layer.reason);
        let span = span(method);
        let answer = self.inner.call(request).instrument(span.clone());
        Box::pin(async move {
            let answer = answer.await?;
            if answer.headers().contains_key(Status::GRPC_STATUS) {
                finish(&span, method, answer.headers(), reason);
                return Ok(answer);
            }
            // What has succeeded so far says how it ended in the trailers.
            Ok(answer.map(|body| {
                Body::new(body.map_frame(move |frame| {
                    if let Some(trailers) = frame.trailers_ref() {
                        finish(&span, method, trailers, reason);
                    }
                    frame
                }))
            }))
        })
    }
}

fn span(method: &'static str) -> Span {
    info_span!(
        "call",
        otel.name = if method == OTHER { GRPC } else { method },
        otel.kind = "server",
        otel.status_code = Empty,
        rpc.system.name = GRPC,
        rpc.method = method,
        rpc.status_code = Empty,
        error.type = Empty,
    )
}

/// Records how a call ended. Nothing is logged of a success.
fn finish(span: &Span, method: &'static str, headers: &HeaderMap, reason: ReasonOf) {
    let status = Status::from_header_map(headers).unwrap_or_else(|| Status::ok(""));
    let name = code_name(status.code());
    span.record("rpc.status_code", name);
    if is_server_fault(status.code()) {
        span.record("otel.status_code", "ERROR");
        span.record("error.type", name);
    }
    if status.code() == Code::Ok {
        return;
    }
    let reason = reason(&status);
    let reason = reason.as_deref().unwrap_or_default();
    match status.code() {
        Code::Internal | Code::DataLoss | Code::Unknown => {
            error!(rpc.method = method, rpc.status_code = name, reason, "call failed");
        }
        Code::DeadlineExceeded | Code::Unavailable => {
            warn!(rpc.method = method, rpc.status_code = name, reason, "call not answered");
        }
        Code::Ok
        | Code::Cancelled
        | Code::InvalidArgument
        | Code::NotFound
        | Code::AlreadyExists
        | Code::PermissionDenied
        | Code::ResourceExhausted
        | Code::FailedPrecondition
        | Code::Aborted
        | Code::OutOfRange
        | Code::Unimplemented
        | Code::Unauthenticated => {
            info!(rpc.method = method, rpc.status_code = name, reason, "call refused");
        }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::io::Write;
    use std::sync::{Arc, Mutex};

    use tower::ServiceExt as _;
    use tracing::instrument::WithSubscriber as _;

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
        let layer = CallLayer::new(&["a.B/C"], |_| Some("REASON".to_owned()));
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
        let layer = CallLayer::new(&["a.B/C"], |_| None);
        assert_eq!(layer.method("/a.B/C"), "a.B/C");
        for path in ["/a.B/D", "/", "", "/a.B/C/", "//a.B/C"] {
            assert_eq!(layer.method(path), OTHER, "{path}");
        }
    }
}
