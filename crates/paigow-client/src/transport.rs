//! The transport of calls to one replica.

use std::fmt;
use std::future::poll_fn;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use tonic::body::Body;
use tonic::codegen::{Service, StdError, http};

type AnswerFuture = Pin<Box<dyn Future<Output = Result<http::Response<Body>, StdError>> + Send>>;

/// A service that carries calls to one replica. Clones share it.
#[derive(Clone)]
pub(crate) struct CallTransport(Arc<dyn CarriesCalls>);

impl fmt::Debug for CallTransport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallTransport").finish_non_exhaustive()
    }
}

/// A service that carries calls to one replica, as [`Channel`](tonic::transport::Channel) does. Every service of this
/// form is one.
pub trait CallService:
    Service<
        http::Request<Body>,
        Response = http::Response<Body>,
        Error: Into<StdError>,
        Future: Send,
    > + Clone
    + Send
    + Sync
    + 'static
{
}

impl<S> CallService for S where
    S: Service<
            http::Request<Body>,
            Response = http::Response<Body>,
            Error: Into<StdError>,
            Future: Send,
        > + Clone
        + Send
        + Sync
        + 'static
{
}

trait CarriesCalls: Send + Sync {
    fn carry(&self, request: http::Request<Body>) -> AnswerFuture;
}

impl<S: CallService> CarriesCalls for S {
    fn carry(&self, request: http::Request<Body>) -> AnswerFuture {
        let mut service = self.clone();
        Box::pin(async move {
            poll_fn(|context| service.poll_ready(context)).await.map_err(Into::into)?;
            service.call(request).await.map_err(Into::into)
        })
    }
}

impl CallTransport {
    pub(crate) fn new(service: impl CallService) -> Self {
        Self(Arc::new(service))
    }
}

impl Service<http::Request<Body>> for CallTransport {
    type Response = http::Response<Body>;
    type Error = StdError;
    type Future = AnswerFuture;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), StdError>> {
        // Each call waits until its service is ready.
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> AnswerFuture {
        self.0.carry(request)
    }
}
