//! Limits the bytes of answers that wait to be written.
//!
//! HTTP/2 lets a peer limit how much of an answer it takes. The rest waits in the library, which has
//! no limit for it across streams and connections. Therefore an account pays for the bytes of an
//! answer. It gets them back when the library has written them, or has dropped them with their stream.

use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use http::{Request, Response};
use http_body::{Frame, SizeHint};
use tonic::body::Body;
use tower::Service;

use super::answer_body::BodyBytes;
use crate::capacity::CallBytes;

/// The bytes that a piece of an answer costs in addition to its own: the library keeps them for its
/// stream.
const OF_STREAM: usize = 16 << 10;

/// How long a caller should wait before it repeats a call that could not be answered.
pub(super) const PAUSE: Duration = Duration::from_secs(1);

/// Pays for a frame of an answer. Returns false if there is no room for it. Trailers cost nothing.
pub(super) fn pay_for(frame: &Frame<BodyBytes>, account: &CallBytes) -> bool {
    frame.data_ref().is_none_or(|data| account.take(data.len() + OF_STREAM))
}

/// Makes the body of an answer that `account` pays for, and names the account to [`GiveBack`].
pub(super) fn counted<B>(
    answer: Response<Body>,
    account: Arc<CallBytes>,
    body: impl FnOnce(Body, Arc<CallBytes>) -> B,
) -> Response<Body>
where
    B: http_body::Body<Data = BodyBytes, Error = tonic::Status> + Send + 'static,
{
    let mut answer = answer.map(|inner| Body::new(body(inner, Arc::clone(&account))));
    answer.extensions_mut().insert(account);
    answer
}

/// Gives back the bytes that answers have paid, for each piece when it is written or dropped.
///
/// It is the outermost layer, outside everything that copies a piece, as gRPC-Web in text does.
#[derive(Clone, Debug)]
pub(super) struct GiveBack<S>(pub(super) S);

impl<S> Service<Request<Body>> for GiveBack<S>
where
    S: Service<Request<Body>, Response = Response<Body>>,
    S::Future: Send + 'static,
{
    type Response = Response<Body>;
    type Error = S::Error;
    type Future = Pin<Box<dyn Future<Output = Result<Response<Body>, S::Error>> + Send>>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), S::Error>> {
        self.0.poll_ready(context)
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let answer = self.0.call(request);
        Box::pin(async move {
            let answer = answer.await?;
            Ok(match answer.extensions().get::<Arc<CallBytes>>().cloned() {
                Some(account) => answer.map(|body| Body::new(PaidBody { body, account })),
                None => answer,
            })
        })
    }
}

/// A body whose pieces are paid for.
struct PaidBody {
    body: Body,
    account: Arc<CallBytes>,
}

/// A piece of an answer. Dropping it gives back the bytes that were paid for it.
struct PaidPiece {
    bytes: BodyBytes,
    account: Arc<CallBytes>,
}

impl AsRef<[u8]> for PaidPiece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Drop for PaidPiece {
    fn drop(&mut self) {
        self.account.give_back_oldest();
    }
}

impl http_body::Body for PaidBody {
    type Data = BodyBytes;
    type Error = tonic::Status;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<BodyBytes>, tonic::Status>>> {
        let this = &mut *self;
        Pin::new(&mut this.body).poll_frame(context).map_ok(|frame| {
            frame.map_data(|bytes| {
                let account = Arc::clone(&this.account);
                BodyBytes::from_owner(PaidPiece { bytes, account })
            })
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::{BodyExt as _, Full};

    use super::*;
    use crate::capacity::HeldBytes;
    use crate::telemetry::Meters;

    fn call(all: &Arc<HeldBytes>) -> Arc<CallBytes> {
        all.call(&"a".parse().unwrap(), 1)
    }

    /// The answer of a service that pays for each, and its outermost body.
    async fn answer(account: &Arc<CallBytes>, bytes: &'static [u8]) -> Response<Body> {
        let account = Arc::clone(account);
        let mut service = GiveBack(tower::service_fn(move |_| {
            let body = Body::new(Full::new(BodyBytes::from_static(bytes)));
            let answer = counted(Response::new(body), Arc::clone(&account), |body, account| {
                body.map_frame(move |frame| {
                    assert!(pay_for(&frame, &account));
                    frame
                })
            });
            std::future::ready(Ok::<_, std::convert::Infallible>(answer))
        }));
        service.call(Request::new(Body::empty())).await.unwrap()
    }

    #[tokio::test]
    async fn a_piece_is_paid_for_until_it_is_dropped() {
        let all = HeldBytes::new(OF_STREAM + 3, Meters::off());
        let mut body = answer(&call(&all), b"abc").await.into_body();
        let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(&piece[..], b"abc");
        let part = piece.slice(2..);
        drop((body, piece));
        let other = call(&all);
        assert!(!other.take(1));
        drop(part);
        assert!(other.take(OF_STREAM + 3));
    }

    #[tokio::test]
    async fn an_answer_that_is_dropped_before_it_is_read_gives_everything_back() {
        let all = HeldBytes::new(OF_STREAM + 3, Meters::off());
        let account = call(&all);
        assert!(account.take(OF_STREAM));
        let body = answer(&account, b"").await;
        drop((account, body));
        assert!(call(&all).take(OF_STREAM + 3));
    }
}
