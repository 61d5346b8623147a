//! What every call of the service is held to: its size, its time, an answer in our words.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{HeaderMap, Request, Response};
use tokio::sync::Semaphore;
use tokio::time::Instant;
use tonic::body::Body;
use tower::{Layer, Service};

use super::answer_body::{AnswerBody, failure};
use super::gate::Gate;
use super::message_size::SizeLimited;
use crate::rpc::status;
use paigow_config::ServerConfig;

/// Holds calls to the limits of a configuration.
///
/// - A caller who is not known, has no role for it, or for whom there is no room, gets no
///   further.
/// - A message above the limit of its method is `OUT_OF_RANGE`, before it is read.
/// - A call that takes longer than the server or its caller allows is
///   `DEADLINE_EXCEEDED`, streams included.
/// - A panic is `INTERNAL`, one fixed sentence.
/// - What the transport says of a call gets our details.
///
/// Health and reflection are for everyone, so that they are held to more: a message is small,
/// and what of them lasts has room of its own.
#[derive(Clone, Debug)]
pub(super) struct GuardLayer {
    limits: Arc<Limits>,
    gate: Gate,
    /// Room for what lasts besides our own calls.
    companions: Arc<Semaphore>,
}

/// How many calls of health watches and reflection may be open in the process.
const COMPANIONS: usize = 1024;

/// The largest message to health or reflection, in bytes: a name, or a few.
pub(super) const COMPANION_BYTES: u32 = 16 << 10;

/// When one for which there is no room may try again.
const COMPANION_PAUSE: Duration = Duration::from_secs(1);

#[derive(Debug)]
struct Limits {
    companion_time: Duration,
    request_timeout: Duration,
    audit_stream_timeout: Duration,
    play_message_bytes: u32,
    audit_message_bytes: u32,
}

/// What one call is held to.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Limit {
    time: Duration,
    message_bytes: u32,
    /// Whether the call works on while its answer is read.
    streams: bool,
}

impl Limits {
    /// Returns the limits of a call by its path, or nothing for one that passes.
    fn of(&self, path: &str) -> Option<Limit> {
        let streams = path == "/paigow.v1.PaiGowService/AuditStream";
        let (time, message_bytes) = match path {
            _ if streams => (self.audit_stream_timeout, self.audit_message_bytes),
            "/paigow.v1.PaiGowService/Audit" => (self.request_timeout, self.audit_message_bytes),
            other if other.starts_with("/grpc.") => return None,
            _ => (self.request_timeout, self.play_message_bytes),
        };
        Some(Limit { time, message_bytes, streams })
    }
}

impl GuardLayer {
    pub(super) fn new(config: &ServerConfig, gate: Gate) -> Self {
        Self {
            gate,
            companions: Arc::new(Semaphore::new(COMPANIONS)),
            limits: Arc::new(Limits {
                companion_time: config.max_connection_age,
                request_timeout: config.request_timeout,
                audit_stream_timeout: config.audit_stream_timeout,
                play_message_bytes: config.play_message_bytes,
                audit_message_bytes: config.audit_message_bytes,
            }),
        }
    }
}

impl<S> Layer<S> for GuardLayer {
    type Service = Guard<S>;

    fn layer(&self, inner: S) -> Guard<S> {
        Guard {
            inner,
            limits: Arc::clone(&self.limits),
            gate: self.gate.clone(),
            companions: Arc::clone(&self.companions),
        }
    }
}

/// The service that [`GuardLayer`] makes.
#[derive(Clone, Debug)]
pub(super) struct Guard<S> {
    inner: S,
    limits: Arc<Limits>,
    gate: Gate,
    companions: Arc<Semaphore>,
}

impl<S> Service<Request<Body>> for Guard<S>
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
        let Some(limit) = self.limits.of(request.uri().path()) else {
            return self.companion(request);
        };
        let admitted = match self.gate.enter(&mut request, limit.streams) {
            Ok(admitted) => admitted,
            Err(outside) => return Box::pin(std::future::ready(Ok(outside.into_http()))),
        };
        if is_compressed(request.headers()) {
            return Box::pin(std::future::ready(Ok(status::compressed().into_http())));
        }
        let asked = callers_timeout(request.headers());
        let ends = Instant::now() + asked.unwrap_or(Duration::MAX).min(limit.time);
        let mut ends = Box::pin(tokio::time::sleep_until(ends));
        let bytes = usize::try_from(limit.message_bytes).unwrap_or(usize::MAX);

        // The clone takes the place of the service that was found ready.
        let clone = self.inner.clone();
        let mut inner = std::mem::replace(&mut self.inner, clone);
        Box::pin(async move {
            let request =
                request.map(|body| Body::new(SizeLimited::new(body, limit.message_bytes)));
            let answer = Caught(Box::pin(async move { inner.call(request).await }));
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
            Ok(answer.map(|body| {
                let body = AnswerBody::new(body, ends, bytes);
                // The work of all others is done: a peer that does not read its answer keeps
                // no place.
                Body::new(if limit.streams { body.holding(admitted) } else { body })
            }))
        })
    }
}

impl<S> Guard<S>
where
    S: Service<Request<Body>, Response = Response<Body>> + Clone + Send + 'static,
    S::Future: Send + 'static,
    S::Error: Send + 'static,
{
    /// Answers a call of health or reflection: anyone may make them, and they may last, so
    /// that there is room for some, and for each as long as for a connection. What does not
    /// last has the time of a call.
    fn companion(&mut self, request: Request<Body>) -> <Self as Service<Request<Body>>>::Future {
        let lasts = !request.uri().path().ends_with("/Check");
        let place = lasts.then(|| Arc::clone(&self.companions).try_acquire_owned()).transpose();
        let Ok(place) = place else {
            let status = status::overloaded(COMPANION_PAUSE);
            return Box::pin(std::future::ready(Ok(status.into_http())));
        };
        let time = if lasts { self.limits.companion_time } else { self.limits.request_timeout };
        let mut ends = Box::pin(tokio::time::sleep(time));
        let bytes = usize::try_from(COMPANION_BYTES).unwrap_or(usize::MAX);
        let request = request.map(|body| Body::new(SizeLimited::new(body, COMPANION_BYTES)));
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = tokio::select! {
                biased;
                answer = answer => answer?,
                () = &mut ends => return Ok(status::deadline_exceeded().into_http()),
            };
            Ok(answer.map(|body| Body::new(AnswerBody::new(body, ends, bytes).beside(place))))
        })
    }
}

/// A future whose panic is its answer.
struct Caught<F>(Pin<Box<F>>);

/// Someone's code has panicked; the log says where.
struct Panicked;

impl<F: Future> Future for Caught<F> {
    type Output = Result<F::Output, Panicked>;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Self::Output> {
        // A future that has panicked is dropped, not polled again.
        match catch_unwind(AssertUnwindSafe(|| self.0.as_mut().poll(context))) {
            Ok(Poll::Ready(output)) => Poll::Ready(Ok(output)),
            Ok(Poll::Pending) => Poll::Pending,
            Err(_) => Poll::Ready(Err(Panicked)),
        }
    }
}

/// Whether the messages of a call are compressed, which ours never are: `identity` says they
/// are not (gRPC over HTTP/2, "Message-Encoding").
fn is_compressed(headers: &HeaderMap) -> bool {
    headers.get("grpc-encoding").is_some_and(|encoding| encoding != "identity")
}

/// Returns how long the caller allows; nothing where the header is absent or malformed.
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
