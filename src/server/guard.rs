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
use crate::config::ServerConfig;
use crate::rpc::status;

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
/// Health and reflection are for everyone; what of them lasts has room of its own.
#[derive(Clone, Debug)]
pub(super) struct GuardLayer {
    limits: Arc<Limits>,
    gate: Gate,
    /// Room for what lasts besides our own calls.
    companions: Arc<Semaphore>,
}

/// How many calls of health watches and reflection may be open in the process.
const COMPANIONS: usize = 1024;

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
    /// that there is room for some, and for each as long as for a connection.
    fn companion(&mut self, request: Request<Body>) -> <Self as Service<Request<Body>>>::Future {
        if request.uri().path().ends_with("/Check") {
            return Box::pin(self.inner.call(request));
        }
        let Ok(place) = Arc::clone(&self.companions).try_acquire_owned() else {
            let status = status::overloaded(COMPANION_PAUSE);
            return Box::pin(std::future::ready(Ok(status.into_http())));
        };
        let ends = Box::pin(tokio::time::sleep(self.limits.companion_time));
        let answer = self.inner.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            Ok(answer.map(|body| Body::new(AnswerBody::new(body, ends, usize::MAX).beside(place))))
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
mod tests {
    use std::convert::Infallible;

    use arc_swap::ArcSwap;
    use http_body::Frame;
    use http_body_util::BodyExt as _;
    use tonic::{Code, Status};
    use tower::ServiceExt as _;

    use super::*;
    use crate::access::Access;
    use crate::rpc::METHODS;
    use crate::server::admission::Admission;
    use crate::server::gate::Doors;
    use crate::telemetry::Meters;

    type Bytes = <Body as http_body::Body>::Data;

    fn limits() -> Arc<Limits> {
        Arc::new(Limits {
            companion_time: Duration::from_millis(60),
            request_timeout: Duration::from_millis(50),
            audit_stream_timeout: Duration::from_millis(70),
            play_message_bytes: 10,
            audit_message_bytes: 20,
        })
    }

    /// A guard that lets everybody in for whom `admission` has room, with one place for what
    /// lasts besides.
    fn layer(admission: &Arc<Admission>) -> GuardLayer {
        let access = Access::of_everybody("dev".parse().unwrap());
        let gate = Gate {
            doors: Arc::new(ArcSwap::from_pointee(Doors::new(access))),
            admission: Arc::clone(admission),
            meters: Meters::off(),
        };
        GuardLayer { limits: limits(), gate, companions: Arc::new(Semaphore::new(1)) }
    }

    /// Calls `path` of a service that answers with what `inner` returns.
    async fn ask<F, A>(path: &str, inner: F) -> Response<Body>
    where
        F: Fn(Request<Body>) -> A + Clone + Send + 'static,
        A: Future<Output = Result<Response<Body>, Infallible>> + Send + 'static,
    {
        let layer = layer(&Admission::new(1));
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        layer.layer(tower::service_fn(inner)).oneshot(request).await.unwrap()
    }

    /// The code and the reason that the headers, or else the trailers, hold.
    async fn ending(answer: Response<Body>) -> (Code, Option<String>) {
        let (parts, body) = answer.into_parts();
        let status = match failure(&parts.headers) {
            Some(status) => status,
            None => failure(body.collect().await.unwrap().trailers().unwrap()).unwrap(),
        };
        (status.code(), status::reason(&status))
    }

    const DEAL: &str = "/paigow.v1.PaiGowService/Deal";

    #[tokio::test]
    async fn a_panic_is_one_fixed_status() {
        let answer = ask(DEAL, |_| async { panic!("of a handler") }).await;
        assert_eq!(ending(answer).await, (Code::Internal, Some("SERVER".to_owned())));
    }

    #[tokio::test]
    async fn a_call_that_lasts_too_long_ends_in_our_words() {
        let answer = ask(DEAL, |_| std::future::pending()).await;
        assert_eq!(ending(answer).await, (Code::DeadlineExceeded, Some("DEADLINE".to_owned())));
    }

    type Polled = Poll<Option<Result<Frame<Bytes>, Status>>>;

    /// A body that does one thing, for ever.
    struct Repeats(fn() -> Polled);

    impl http_body::Body for Repeats {
        type Data = Bytes;
        type Error = Status;

        fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Polled {
            self.0()
        }
    }

    async fn streamed(body: fn() -> Polled) -> (Code, Option<String>) {
        let answer = move |_| async move { Ok(Response::new(Body::new(Repeats(body)))) };
        ending(ask("/paigow.v1.PaiGowService/AuditStream", answer).await).await
    }

    #[tokio::test]
    async fn a_stream_ends_like_a_call() {
        let deadline = (Code::DeadlineExceeded, Some("DEADLINE".to_owned()));
        let server = (Code::Internal, Some("SERVER".to_owned()));
        assert_eq!(streamed(|| Poll::Pending).await, deadline);
        assert_eq!(streamed(|| panic!("of a stream")).await, server);
        let size = streamed(|| Poll::Ready(Some(Err(Status::out_of_range("theirs"))))).await;
        assert_eq!(size, (Code::OutOfRange, Some("MESSAGE_SIZE".to_owned())));
    }

    #[tokio::test]
    async fn health_may_be_watched_by_some_for_a_while_and_asked_by_all() {
        let layer = layer(&Admission::new(1));
        let service = layer.layer(tower::service_fn(|_| async {
            Ok::<_, Infallible>(Response::new(Body::new(Repeats(|| Poll::Pending))))
        }));
        let ask = |method: &str| {
            let uri = format!("/grpc.health.v1.Health/{method}");
            service.clone().oneshot(Request::builder().uri(uri).body(Body::empty()).unwrap())
        };
        let watched = ask("Watch").await.unwrap();
        let refused = ask("Watch").await.unwrap();
        let overloaded = (Code::Unavailable, Some("OVERLOADED".to_owned()));
        assert_eq!(ending(refused).await, overloaded);
        assert!(failure(ask("Check").await.unwrap().headers()).is_none());
        assert_eq!(ending(watched).await.0, Code::DeadlineExceeded);
        assert!(failure(ask("Watch").await.unwrap().headers()).is_none());
    }

    #[tokio::test]
    async fn an_answer_that_nobody_reads_keeps_its_place_for_its_time_at_most() {
        for (path, after_the_head) in [(DEAL, 0), ("/paigow.v1.PaiGowService/AuditStream", 1)] {
            let admission = Admission::new(1);
            let layer = layer(&admission);
            let service = tower::service_fn(|_| async {
                let body = Body::new(Repeats(|| Poll::Pending));
                Ok::<_, Infallible>(Response::new(body))
            });
            let request = Request::builder().uri(path).body(Body::empty()).unwrap();
            let answer = layer.layer(service).oneshot(request).await.unwrap();
            assert_eq!(admission.open(), after_the_head, "{path}");
            let freed = async {
                while admission.open() > 0 {
                    tokio::task::yield_now().await;
                }
            };
            tokio::time::timeout(Duration::from_secs(60), freed).await.expect("the place is free");
            drop(answer);
        }
    }

    #[tokio::test]
    async fn what_the_transport_says_gets_our_details() {
        let answer = ask(DEAL, |_| async { Ok(Status::unimplemented("").into_http()) }).await;
        assert_eq!(ending(answer).await, (Code::Unimplemented, Some("METHOD".to_owned())));
    }

    #[test]
    fn timeouts_are_read_as_the_protocol_writes_them() {
        let read = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert("grpc-timeout", text.parse().unwrap());
            callers_timeout(&headers)
        };
        assert_eq!(read("1H"), Some(Duration::from_secs(3600)));
        assert_eq!(read("2M"), Some(Duration::from_secs(120)));
        assert_eq!(read("99999999S"), Some(Duration::from_secs(99_999_999)));
        assert_eq!(read("30m"), Some(Duration::from_millis(30)));
        assert_eq!(read("5u"), Some(Duration::from_micros(5)));
        assert_eq!(read("0n"), Some(Duration::ZERO));
        for malformed in ["", "S", "+1S", "-1S", "1", "1s", "1.5S", "100000000S", "1 S"] {
            assert_eq!(read(malformed), None, "{malformed:?}");
        }
        assert_eq!(callers_timeout(&HeaderMap::new()), None);
    }

    #[test]
    fn audits_have_limits_of_their_own_and_health_has_none() {
        let limits = limits();
        let of =
            |path: &str| limits.of(path).map(|limit| (limit.time.as_millis(), limit.message_bytes));
        assert_eq!(of("/paigow.v1.PaiGowService/Deal"), Some((50, 10)));
        assert_eq!(of("/paigow.v1.PaiGowService/Audit"), Some((50, 20)));
        assert_eq!(of("/paigow.v1.PaiGowService/AuditStream"), Some((70, 20)));
        assert_eq!(of("/some.Scanner/Probe"), Some((50, 10)));
        assert_eq!(of("/grpc.health.v1.Health/Watch"), None);
        let larger = METHODS.into_iter().filter(|method| {
            of(&format!("/{method}")).is_some_and(|(_, message_bytes)| message_bytes == 20)
        });
        assert_eq!(larger.count(), 2, "the names above are those of the contract");
    }
}
