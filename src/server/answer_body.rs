//! An answer body that ends in time and with one of our statuses, whatever happens in it.

use std::convert::Infallible;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};

use http::HeaderMap;
use http_body::{Frame, SizeHint};
use tokio::sync::{OwnedSemaphorePermit, oneshot};
use tokio::time::Sleep;
use tonic::body::Body;
use tonic::{Code, Status};

use super::tenant_limits::CallSlot;
use super::unwritten;
use crate::capacity::CallBytes;
use crate::rpc::status;

/// The bytes of one frame of a body.
pub(super) type BodyBytes = <Body as http_body::Body>::Data;

/// The body of an answer. It ends with `DEADLINE_EXCEEDED` when `ends` completes, with
/// `INTERNAL` when it panics, and with `UNAVAILABLE` when too many answers wait to be written. Every
/// status in its trailers is our own.
pub(super) struct AnswerBody {
    body: SharedBody,
    ends: Pin<Box<Sleep>>,
    limit: usize,
    /// The account that pays for its bytes until they are written.
    unwritten: Arc<CallBytes>,
    ended: bool,
    /// Dropped with the answer, which frees the place of its call.
    _place: Option<oneshot::Sender<Infallible>>,
    /// A place among the streams that are not our own calls.
    _beside: Option<OwnedSemaphorePermit>,
}

/// The body of the handler; [`None`] once its time was over.
type SharedBody = Arc<Mutex<Option<Body>>>;

fn lock(body: &SharedBody) -> MutexGuard<'_, Option<Body>> {
    body.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AnswerBody {
    pub(super) fn new(
        body: Body,
        ends: Pin<Box<Sleep>>,
        limit: usize,
        unwritten: Arc<CallBytes>,
    ) -> Self {
        let body = Arc::new(Mutex::new(Some(body)));
        Self { body, ends, limit, unwritten, ended: false, _place: None, _beside: None }
    }

    /// Keeps the place of a stream, if it has one, until the answer has ended.
    pub(super) fn beside(self, place: Option<OwnedSemaphorePermit>) -> Self {
        Self { _beside: place, ..self }
    }

    /// Keeps the place of a call until its answer has ended or its time is over. An answer that the
    /// peer does not read is not polled, so it cannot check the clock itself. When the time is over,
    /// the body is dropped with all that it holds: the handler, and its unread requests.
    pub(super) fn holding(self, place: CallSlot) -> Self {
        let (held, dropped) = oneshot::channel();
        let (ends, body) = (self.ends.deadline(), Arc::clone(&self.body));
        tokio::spawn(async move {
            // Nothing is ever sent: either result means that the answer has ended.
            drop(tokio::time::timeout_at(ends, dropped).await);
            let over = lock(&body).take();
            drop((over, place));
        });
        Self { _place: Some(held), ..self }
    }

    fn end_with(&mut self, status: &Status) -> Poll<Option<Result<Frame<BodyBytes>, Status>>> {
        self.ended = true;
        Poll::Ready(Some(Ok(Frame::trailers(trailers(status)))))
    }
}

impl http_body::Body for AnswerBody {
    type Data = BodyBytes;
    type Error = Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<BodyBytes>, Status>>> {
        let this = &mut *self;
        if this.ended {
            return Poll::Ready(None);
        }
        let mut body = lock(&this.body);
        let polled = body.as_mut().map(|body| {
            // A body that panicked is not polled again.
            catch_unwind(AssertUnwindSafe(|| Pin::new(body).poll_frame(context)))
        });
        drop(body);
        let Some(polled) = polled else { return this.end_with(&status::deadline_exceeded()) };
        match polled {
            Err(_) => this.end_with(&status::server_failed()),
            Ok(Poll::Ready(Some(Ok(frame)))) => match frame.trailers_ref().and_then(failure) {
                Some(theirs) => this.end_with(&status::own(theirs, this.limit)),
                None if !unwritten::pay_for(&frame, &this.unwritten) => {
                    this.end_with(&status::answers_not_read(unwritten::PAUSE))
                }
                None => Poll::Ready(Some(Ok(frame))),
            },
            Ok(Poll::Ready(Some(Err(theirs)))) => this.end_with(&status::own(theirs, this.limit)),
            Ok(Poll::Ready(None)) => {
                this.ended = true;
                Poll::Ready(None)
            }
            Ok(Poll::Pending) if this.ends.as_mut().poll(context).is_ready() => {
                this.end_with(&status::deadline_exceeded())
            }
            Ok(Poll::Pending) => Poll::Pending,
        }
    }

    fn is_end_stream(&self) -> bool {
        self.ended || lock(&self.body).as_ref().is_some_and(http_body::Body::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        lock(&self.body).as_ref().map_or_else(SizeHint::default, http_body::Body::size_hint)
    }
}

/// Returns the status that headers or trailers hold, unless it is a success.
pub(super) fn failure(headers: &HeaderMap) -> Option<Status> {
    Status::from_header_map(headers).filter(|status| status.code() != Code::Ok)
}

fn trailers(status: &Status) -> HeaderMap {
    let mut trailers = HeaderMap::new();
    if status.add_header(&mut trailers).is_err() {
        // This fails only for a message that a header cannot hold. Ours are sentences in ASCII.
        trailers.clear();
        let code = http::HeaderValue::from(i32::from(status.code()));
        trailers.insert(Status::GRPC_STATUS, code);
    }
    trailers
}
