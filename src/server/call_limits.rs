//! Limits the time of each call and the size of its messages, and turns each failure into a
//! status of the contract.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, LazyLock};
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, Request, Response};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tonic::Status;
use tonic::body::Body;
use tower::{Layer, Service};

use super::answer_body::{AnswerBody, failure};
use super::authorization::{Authorization, ProtectedRpc};
use super::message_size::{MessageTerms, SizeLimited};
use super::public_method::PublicMethod;
use super::unwritten::counted;
use crate::capacity::{CallBytes, HeldBytes};
use crate::rpc::{CallDeadline, Method, status};
use paigow_config::ServerConfig;
use paigow_fairness::encoding::Identifier;

/// Applies the limits of a configuration to each call.
///
/// - A path without an entry is `UNIMPLEMENTED`, whatever roles its caller has.
/// - A caller without credentials, without a role of the method or above a limit of its tenant
///   is refused.
/// - A message above the limit of its method is `RESOURCE_EXHAUSTED`, before the server reads it.
/// - A call that takes longer than the server or its caller allows is
///   `DEADLINE_EXCEEDED`, streams included.
/// - A panic is `INTERNAL`, with one fixed sentence.
/// - A status of the transport gets the details of the contract.
///
/// Health and reflection need no credentials, so their limits are narrower: a message is small,
/// and their streams have a capacity of their own.
#[derive(Clone, Debug)]
pub(super) struct CallLimitsLayer {
    limits: Arc<CallLimits>,
    authorization: Authorization,
    /// The capacity for streams of health and reflection.
    public_streams: Arc<Semaphore>,
    /// The capacity for other calls of them that are being read.
    public_calls: Arc<Semaphore>,
    /// The bytes of their answers that wait to be written.
    public_answers: Arc<HeldBytes>,
}

/// How many streams of health and reflection may be open in the process.
const PUBLIC_STREAMS: usize = 1024;

/// How many other calls of them may be read in the process at once. Their callers are not identified.
const PUBLIC_CALLS: usize = 4096;

/// How many bytes of answers to them may wait to be written.
const PUBLIC_ANSWER_BYTES: usize = 16 << 20;

/// The name under which such calls are counted.
static PUBLIC: LazyLock<Identifier> =
    LazyLock::new(|| "health-and-reflection".parse().expect("a name that a test reads"));

/// The largest message to health or reflection, in bytes: a name, or a few.
pub(super) const PUBLIC_MESSAGE_BYTES: u32 = 16 << 10;

/// How long a caller should wait before it opens such a stream again.
const PUBLIC_STREAM_PAUSE: Duration = Duration::from_secs(1);

/// The limits of the configuration.
#[derive(Debug)]
struct CallLimits {
    public_stream_time: Duration,
    request_timeout: Duration,
    audit_stream_timeout: Duration,
    play_message_bytes: u32,
    audit_message_bytes: u32,
}

/// The limits of one call.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct CallLimit {
    time: Duration,
    message_bytes: u32,
    /// How long a message may take from its first byte to its last, where a call has many.
    message_time: Option<Duration>,
    /// Whether the handler still works while the peer reads its answer.
    is_stream: bool,
}

impl CallLimits {
    /// Returns the limits of a call.
    const fn of(&self, rpc: ProtectedRpc) -> CallLimit {
        let play = CallLimit {
            time: self.request_timeout,
            message_bytes: self.play_message_bytes,
            message_time: None,
            is_stream: false,
        };
        match rpc {
            ProtectedRpc::Method(
                Method::GetEngine
                | Method::ListManifests
                | Method::ListRulesets
                | Method::GetRuleset
                | Method::ListHouseWays
                | Method::OpenRound
                | Method::Deal
                | Method::SetHouseWay
                | Method::EvaluateHands
                | Method::WeighSettings
                | Method::Settle
                | Method::VoidRound
                | Method::PrepareOpen
                | Method::PrepareDeal
                | Method::PrepareSettle
                | Method::PrepareVoid
                | Method::VerifyEngine
                | Method::GetStatus,
            )
            | ProtectedRpc::Extra => play,
            ProtectedRpc::Method(Method::Audit) => {
                CallLimit { message_bytes: self.audit_message_bytes, ..play }
            }
            ProtectedRpc::Method(Method::ListOpenTickets | Method::TailRefusals) => {
                CallLimit { time: self.audit_stream_timeout, is_stream: true, ..play }
            }
            ProtectedRpc::Method(Method::AuditStream) => CallLimit {
                time: self.audit_stream_timeout,
                message_bytes: self.audit_message_bytes,
                message_time: Some(self.request_timeout),
                is_stream: true,
            },
        }
    }
}

impl CallLimitsLayer {
    pub(super) fn new(config: &ServerConfig, authorization: Authorization) -> Self {
        let meters = authorization.meters.clone();
        Self {
            authorization,
            public_streams: Arc::new(Semaphore::new(PUBLIC_STREAMS)),
            public_calls: Arc::new(Semaphore::new(PUBLIC_CALLS)),
            public_answers: HeldBytes::new(PUBLIC_ANSWER_BYTES, meters),
            limits: Arc::new(CallLimits {
                public_stream_time: config.max_connection_age,
                request_timeout: config.request_timeout,
                audit_stream_timeout: config.audit_stream_timeout,
                play_message_bytes: config.play_message_bytes,
                audit_message_bytes: config.audit_message_bytes,
            }),
        }
    }
}

impl<S> Layer<S> for CallLimitsLayer {
    type Service = LimitedCalls<S>;

    fn layer(&self, inner: S) -> LimitedCalls<S> {
        LimitedCalls {
            inner,
            limits: Arc::clone(&self.limits),
            authorization: self.authorization.clone(),
            public_streams: Arc::clone(&self.public_streams),
            public_calls: Arc::clone(&self.public_calls),
            public_answers: Arc::clone(&self.public_answers),
        }
    }
}

/// The service that [`CallLimitsLayer`] makes.
#[derive(Clone, Debug)]
pub(super) struct LimitedCalls<S> {
    inner: S,
    limits: Arc<CallLimits>,
    authorization: Authorization,
    public_streams: Arc<Semaphore>,
    /// The capacity for other calls of them that are being read.
    public_calls: Arc<Semaphore>,
    /// The bytes of their answers that wait to be written.
    public_answers: Arc<HeldBytes>,
}

impl<S> Service<Request<Body>> for LimitedCalls<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.inner.poll_ready(context)
    }

    fn call(&mut self, mut request: Request<Body>) -> Self::Future {
        let path = request.uri().path();
        if let Some(method) = PublicMethod::from_path(path) {
            return self.call_public(method, request);
        }
        let refused = |status: Status| Box::pin(std::future::ready(Ok(status.into_http())));
        let Some(rpc) = self.authorization.rpc(path) else {
            return refused(self.authorization.refuse_unknown(&request));
        };
        let limit = self.limits.of(rpc);
        let authorized = self.authorization.authorize(&mut request, rpc, limit.is_stream);
        let (slot, unwritten) = match authorized {
            Ok(capacity) => capacity,
            Err(status) => return refused(status),
        };
        if is_compressed(request.headers()) {
            return refused(status::compressed());
        }
        let asked = callers_timeout(request.headers());
        let ends = Instant::now() + asked.unwrap_or(Duration::MAX).min(limit.time);
        request.extensions_mut().insert(CallDeadline(ends));
        let mut ends = Box::pin(tokio::time::sleep_until(ends));
        let bytes = usize::try_from(limit.message_bytes).unwrap_or(usize::MAX);

        // The clone takes the place of the service that was found ready.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        Box::pin(async move {
            let terms = MessageTerms {
                limit: limit.message_bytes,
                time: limit.message_time,
                held: request.extensions().get::<Arc<CallBytes>>().cloned(),
            };
            let request = request.map(|body| Body::new(SizeLimited::new(body, terms)));
            let answer = CatchPanic(Box::pin(async move { inner.call(request).await }));
            let answer = tokio::select! {
                biased;
                answer = answer => answer,
                () = &mut ends => return Ok(status::deadline_exceeded().into_http()),
            };
            let Ok(answer) = answer else { return Ok(status::server_failed().into_http()) };
            let answer = answer?;
            if let Some(theirs) = failure(answer.headers()) {
                return Ok(status::own(theirs, bytes).into_http());
            }
            Ok(counted(answer, unwritten, |body, unwritten| {
                let body = AnswerBody::new(body, ends, bytes, unwritten);
                // Other handlers have finished, so a peer that does not read its answer holds no
                // slot.
                if limit.is_stream { body.holding(slot) } else { body }
            }))
        })
    }
}

impl<S> LimitedCalls<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    /// Answers a call of health or reflection. It takes one of the slots that the process has for
    /// them. A stream may last as long as a connection; any other call has the time of a call.
    fn call_public(
        &mut self,
        method: PublicMethod,
        request: Request<Body>,
    ) -> <Self as Service<Request<Body>>>::Future {
        let is_stream = method.is_stream();
        let places = if is_stream { &self.public_streams } else { &self.public_calls };
        let Ok(place) = Arc::clone(places).try_acquire_owned() else {
            let status = status::overloaded(PUBLIC_STREAM_PAUSE);
            return Box::pin(std::future::ready(Ok(status.into_http())));
        };
        let time =
            if is_stream { self.limits.public_stream_time } else { self.limits.request_timeout };
        let mut ends = Box::pin(tokio::time::sleep(time));
        let bytes = usize::try_from(PUBLIC_MESSAGE_BYTES).unwrap_or(usize::MAX);
        let request = request.map(|body| {
            let terms = MessageTerms { limit: PUBLIC_MESSAGE_BYTES, time: None, held: None };
            Body::new(SizeLimited::new(body, terms))
        });
        let answer = self.inner.call(request);
        let unwritten = self.public_answers.call(&PUBLIC, 1);
        Box::pin(async move {
            let answer = tokio::select! {
                biased;
                answer = answer => answer?,
                () = &mut ends => return Ok(status::deadline_exceeded().into_http()),
            };
            // A call ends with its answer. An answer that is not read keeps no place.
            let place = is_stream.then_some(place);
            Ok(counted(answer, unwritten, |body, unwritten| {
                AnswerBody::new(body, ends, bytes, unwritten).beside(place)
            }))
        })
    }
}

/// A future that returns [`HandlerPanic`] if the inner future panics.
struct CatchPanic<F>(Pin<Box<F>>);

/// A handler panicked. The log states where.
struct HandlerPanic;

impl<F: Future> Future for CatchPanic<F> {
    type Output = Result<F::Output, HandlerPanic>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // A future that has panicked is dropped, not polled again.
        match catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(context))) {
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(_) => Poll::Ready(Err(HandlerPanic)),
        }
    }
}

/// Whether the messages of a call are compressed. Ours never are. `identity` means uncompressed
/// (gRPC over HTTP/2, "Message-Encoding").
fn is_compressed(headers: &HeaderMap) -> bool {
    headers.get("grpc-encoding").is_some_and(|encoding| encoding != "identity")
}

/// Returns how long the caller allows; [`None`] if the header is absent or malformed.
///
/// At most eight digits and a unit (gRPC over HTTP/2, "Timeout").
fn callers_timeout(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get("grpc-timeout")?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let count: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_secs(count * 3600)),
        "M" => Some(Duration::from_secs(count * 60)),
        "S" => Some(Duration::from_secs(count)),
        "m" => Some(Duration::from_millis(count)),
        "u" => Some(Duration::from_micros(count)),
        "n" => Some(Duration::from_nanos(count)),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
