//! A span around every call, its duration, and a line for every one that failed.
//!
//! A call ends with the status in its headers or trailers. A stream ends with its last
//! message. A call that its caller gave up ends as `CANCELLED`.

use std::net::IpAddr;
use std::pin::Pin;
use std::sync::{Arc, OnceLock};
use std::task::{Context, Poll};
use std::time::Instant;

use http::{HeaderMap, HeaderName, HeaderValue};
use http_body::{Body as HttpBody, Frame, SizeHint};
use opentelemetry::KeyValue;
use opentelemetry::propagation::{Extractor, TextMapPropagator as _};
use opentelemetry::trace::TraceContextExt as _;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::{IdGenerator as _, RandomIdGenerator};
use tonic::body::Body;
use tonic::{Code, Status};
use tower::{Layer, Service};
use tracing::field::Empty;
use tracing::{Instrument as _, Span, error, info, info_span, warn};
use tracing_opentelemetry::OpenTelemetrySpanExt as _;

use super::codes::{code_name, is_server_fault};
use super::meters::Meters;
use super::names::{self, GRPC, OTHER};
use crate::refusals::{RecentRefusals, RefusedCall};

/// The header that names the trace a call belongs to (W3C Trace Context).
const TRACEPARENT: &str = "traceparent";

/// The header that names a call. A caller may send it, and every response has it.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The longest name of a call that a caller may give it, in bytes.
const REQUEST_ID_BYTES: usize = 64;

/// Returns the name that the caller gives a call, if it is fit for a log: 1 to 64 letters, digits,
/// `.`, `_` or `-`. Otherwise returns a new name.
fn request_id(headers: &HeaderMap) -> HeaderValue {
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    let is_name = |id: &&HeaderValue| {
        (1..=REQUEST_ID_BYTES).contains(&id.len()) && id.as_bytes().iter().all(is_word)
    };
    headers.get(REQUEST_ID).filter(is_name).cloned().unwrap_or_else(|| {
        let id = RandomIdGenerator::default().new_trace_id().to_string();
        HeaderValue::try_from(id).expect("hexadecimal digits")
    })
}

/// Names the reason of a status for the log, if the status has one.
type ReasonOf = fn(&Status) -> Option<String>;

/// Returns the path of the first field that a status blames, if it blames one.
type FieldOf = fn(&Status) -> Option<String>;

/// Returns the name of the method at a path, or [`None`] if the path is not a method.
type MethodOf = fn(&str) -> Option<&'static str>;

/// Returns the address of the other side of the connection of a call, if it is known.
type PeerOf = fn(&http::Extensions) -> Option<IpAddr>;

/// The identified caller of a call. The layer puts it into the request. If the call is refused, the
/// span and the log line name it. Empty until the caller is identified.
#[derive(Clone, Debug, Default)]
pub struct CallIdentity(Arc<OnceLock<[String; 2]>>);

impl CallIdentity {
    /// States the tenant and the client of the call, once.
    pub fn identify(&self, tenant: &str, client: &str) {
        // The first caller stays.
        drop(self.0.set([tenant.to_owned(), client.to_owned()]));
    }

    /// Returns the tenant and the client, if they were stated.
    fn names(&self) -> [Option<&str>; 2] {
        self.0.get().map_or([None; 2], |names| [0, 1].map(|at| Some(&*names[at])))
    }
}

/// Puts a span around every call, and counts it.
#[derive(Clone, Debug)]
pub struct CallLayer {
    method_of: MethodOf,
    reason: ReasonOf,
    peer_of: PeerOf,
    meters: Meters,
    memory: Option<RefusalMemory>,
}

/// Where refused calls are remembered.
#[derive(Clone, Debug)]
struct RefusalMemory {
    refusals: RecentRefusals,
    field: FieldOf,
    /// Returns the time in Unix milliseconds.
    clock: fn() -> u64,
}

impl CallLayer {
    /// Creates the layer. Calls to a path without a method all count as `_OTHER`.
    #[must_use]
    pub const fn new(
        method_of: MethodOf,
        reason: ReasonOf,
        peer_of: PeerOf,
        meters: Meters,
    ) -> Self {
        Self { method_of, reason, peer_of, meters, memory: None }
    }

    /// Remembers refused calls in `refusals`, each with the field that its status blames and the
    /// time of `clock`, in Unix milliseconds.
    #[must_use]
    pub(crate) fn remembering(
        self,
        refusals: RecentRefusals,
        field: FieldOf,
        clock: fn() -> u64,
    ) -> Self {
        Self { memory: Some(RefusalMemory { refusals, field, clock }), ..self }
    }

    fn method(&self, path: &str) -> &'static str {
        (self.method_of)(path).unwrap_or(OTHER)
    }
}

impl<S> Layer<S> for CallLayer {
    type Service = TracedCalls<S>;

    fn layer(&self, inner: S) -> TracedCalls<S> {
        TracedCalls { inner, layer: self.clone() }
    }
}

/// A service whose calls are traced and counted, which [`CallLayer`] creates.
#[derive(Clone, Debug)]
pub struct TracedCalls<S> {
    inner: S,
    layer: CallLayer,
}

impl<S, In> Service<http::Request<In>> for TracedCalls<S>
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

    fn call(&mut self, mut request: http::Request<In>) -> Self::Future {
        let method = self.layer.method(request.uri().path());
        let span = span(method, request.headers());
        let id = request_id(request.headers());
        let mut open = OpenCall::new(&self.layer, method, span.clone(), id.clone());
        open.peer = (self.layer.peer_of)(request.extensions());
        request.extensions_mut().insert(open.identity.clone());
        let answer = self.inner.call(request).instrument(span);
        Box::pin(async move {
            let mut answer = match answer.await {
                Ok(answer) => answer,
                Err(error) => {
                    open.end(&Status::unknown(""));
                    return Err(error);
                }
            };
            answer.headers_mut().insert(REQUEST_ID, id);
            if let Some(status) = Status::from_header_map(answer.headers()) {
                open.end(&status);
                return Ok(answer);
            }
            // A call that has succeeded so far has its final status in the trailers.
            Ok(answer.map(|body| Body::new(TracedBody { body, open: Some(open) })))
        })
    }
}

/// A call that has not ended.
struct OpenCall {
    span: Span,
    id: HeaderValue,
    method: &'static str,
    started: Instant,
    reason: ReasonOf,
    identity: CallIdentity,
    peer: Option<IpAddr>,
    meters: Meters,
    memory: Option<RefusalMemory>,
    ended: bool,
}

impl OpenCall {
    fn new(layer: &CallLayer, method: &'static str, span: Span, id: HeaderValue) -> Self {
        let (reason, meters, memory) = (layer.reason, layer.meters.clone(), layer.memory.clone());
        if method != OTHER {
            meters.in_flight(1);
        }
        let (identity, peer) = (CallIdentity::default(), None);
        let started = Instant::now();
        Self { span, id, method, started, reason, identity, peer, meters, memory, ended: false }
    }

    fn end(mut self, status: &Status) {
        self.finish(status);
    }

    /// Records how the call ended. Nothing is logged of a success.
    fn finish(&mut self, status: &Status) {
        self.ended = true;
        let (method, name) = (self.method, code_name(status.code()));
        let mut attributes = vec![
            KeyValue::new(names::SYSTEM, GRPC),
            KeyValue::new(names::METHOD, method),
            KeyValue::new(names::STATUS_CODE, name),
        ];
        self.span.record(names::STATUS_CODE, name);
        if is_server_fault(status.code()) {
            self.span.record("otel.status_code", "ERROR");
            self.span.record(names::ERROR_TYPE, name);
            attributes.push(KeyValue::new(names::ERROR_TYPE, name));
        }
        let seconds = self.started.elapsed().as_secs_f64();
        self.meters.call(seconds, &attributes);
        if let Some(exemplars) = self.meters.exemplars() {
            let context = self.span.context();
            exemplars.note(method, name, seconds, context.span().span_context());
        }
        if method != OTHER {
            self.meters.in_flight(-1);
        }
        // A probe that watches health may leave at any time.
        let is_nothing = status.code() == Code::Cancelled && method == OTHER;
        if status.code() == Code::Ok || is_nothing {
            return;
        }
        let reason = (self.reason)(status);
        if let Some(reason) = &reason {
            self.meters.refused(reason);
        }
        let [tenant, client] = self.identity.names();
        for (key, value) in [(names::TENANT, tenant), (names::CLIENT, client)] {
            self.span.record(key, value);
        }
        let peer = self.peer.map(|address| address.to_string());
        self.span.record(names::PEER_ADDRESS, peer.as_deref());
        let failed = FailedCall {
            method,
            code: status.code(),
            reason: reason.as_deref().unwrap_or_default(),
            request_id: self.id.to_str().unwrap_or_default(),
            tenant,
            client,
            peer: peer.as_deref(),
        };
        self.span.in_scope(|| failed.log());
        // A call that its caller gave up was not refused.
        if let Some(memory) = self.memory.as_ref().filter(|_| status.code() != Code::Cancelled) {
            memory.refusals.remember(failed.to_remember((memory.clock)(), (memory.field)(status)));
        }
    }
}

impl Drop for OpenCall {
    fn drop(&mut self) {
        if !self.ended {
            self.finish(&Status::cancelled(""));
        }
    }
}

/// A call that failed, as its log line shows it. Names that are not known are left out.
struct FailedCall<'a> {
    method: &'static str,
    code: Code,
    reason: &'a str,
    request_id: &'a str,
    tenant: Option<&'a str>,
    client: Option<&'a str>,
    peer: Option<&'a str>,
}

impl FailedCall<'_> {
    /// Returns the call as it is remembered, at this time in Unix milliseconds.
    fn to_remember(&self, time: u64, field: Option<String>) -> RefusedCall {
        RefusedCall {
            time,
            method: self.method,
            code: code_name(self.code),
            reason: self.reason.to_owned(),
            field: field.unwrap_or_default(),
            tenant: self.tenant.map(str::to_owned),
            client: self.client.map(str::to_owned),
            peer: self.peer.map(str::to_owned),
            request_id: self.request_id.to_owned(),
        }
    }

    fn log(&self) {
        macro_rules! line {
            ($level:ident, $sentence:literal) => {
                $level!(
                    rpc.method = self.method,
                    rpc.status_code = code_name(self.code),
                    reason = self.reason,
                    request_id = self.request_id,
                    tenant = self.tenant,
                    client = self.client,
                    peer = self.peer,
                    $sentence
                )
            };
        }
        match self.code {
            Code::Internal | Code::DataLoss | Code::Unknown => line!(error, "call failed"),
            Code::DeadlineExceeded | Code::Unavailable => line!(warn, "call not answered"),
            Code::Cancelled => line!(info, "call given up"),
            Code::Ok
            | Code::InvalidArgument
            | Code::NotFound
            | Code::AlreadyExists
            | Code::PermissionDenied
            | Code::ResourceExhausted
            | Code::FailedPrecondition
            | Code::Aborted
            | Code::OutOfRange
            | Code::Unimplemented
            | Code::Unauthenticated => line!(info, "call refused"),
        }
    }
}

/// The body of a response whose status is in its trailers.
struct TracedBody {
    body: Body,
    open: Option<OpenCall>,
}

impl HttpBody for TracedBody {
    type Data = <Body as HttpBody>::Data;
    type Error = <Body as HttpBody>::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(context);
        // An end without a status cannot be interpreted.
        let ended = match &frame {
            Poll::Pending => None,
            Poll::Ready(Some(Ok(frame))) => frame.trailers_ref().map(status_of),
            Poll::Ready(Some(Err(_)) | None) => Some(Status::unknown("")),
        };
        if let Some(status) = ended
            && let Some(open) = self.open.take()
        {
            open.end(&status);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

fn status_of(trailers: &HeaderMap) -> Status {
    Status::from_header_map(trailers).unwrap_or_else(|| Status::unknown(""))
}

fn span(method: &'static str, headers: &HeaderMap) -> Span {
    let span = info_span!(
        "call",
        otel.name = if method == OTHER { GRPC } else { method },
        otel.kind = "server",
        otel.status_code = Empty,
        rpc.system.name = GRPC,
        rpc.method = method,
        rpc.status_code = Empty,
        error.type = Empty,
        paigow.suite.id = Empty,
        paigow.house_way.id = Empty,
        paigow.seat.count = Empty,
        paigow.audit.verdict = Empty,
        paigow.audit.round.count = Empty,
        paigow.round.id = Empty,
        paigow.tenant = Empty,
        paigow.client = Empty,
        network.peer.address = Empty,
    );
    if headers.contains_key(TRACEPARENT) {
        let parent = TraceContextPropagator::new().extract(&TraceParent(headers));
        if parent.span().span_context().is_valid() {
            // Without an OpenTelemetry layer a span has no parent to set.
            drop(span.set_parent(parent));
        }
    }
    span
}

/// The only trace header that is honoured: `traceparent`. A `tracestate` is arbitrary text of the
/// caller, and would be exported unchanged.
struct TraceParent<'a>(&'a HeaderMap);

impl Extractor for TraceParent<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        let values = self.0.get_all(Some(key).filter(|key| *key == TRACEPARENT)?);
        let mut values = values.iter();
        // Two of them count as none: it is unknown which one is right.
        match (values.next(), values.next()) {
            (Some(value), None) => value.to_str().ok(),
            (_, _) => None,
        }
    }

    fn keys(&self) -> Vec<&str> {
        vec![TRACEPARENT]
    }
}

#[cfg(test)]
mod tests;
