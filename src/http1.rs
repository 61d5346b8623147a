//! An HTTP/1.1 server for metrics and for the verifier page, beside the calls. It is in plaintext and
//! serves every peer that can reach it.
//!
//! A connection has one request, and the server reads no body. It disconnects a peer that is slow to
//! ask or to read.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use http::{Request, Response, StatusCode};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpListener;
use tokio::sync::Semaphore;

/// How many bytes the head of a request may have.
const HEAD: usize = 16 * 1024;

/// The response of every listener.
pub(crate) type HttpAnswer = Response<Full<Bytes>>;

/// The limits of a listener's connections.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HttpLimits {
    /// How many connections are open at most; others wait to be accepted.
    pub(crate) connections: u32,
    /// How long a request may take to arrive.
    pub(crate) asking: Duration,
    /// How long a connection may last.
    pub(crate) connected: Duration,
}

/// Accepts connections until `stop` completes, and answers each. Ends when those that are
/// open then have been answered or closed.
pub(crate) async fn serve<A>(
    listener: TcpListener,
    limits: HttpLimits,
    stop: impl Future + Send,
    answer: A,
) where
    A: Fn(&Request<Incoming>) -> HttpAnswer + Clone + Send + 'static,
{
    let all = usize::try_from(limits.connections).expect("32 bits are no more than a usize");
    let places = Arc::new(Semaphore::new(all));
    let accepting = accept(&listener, &places, limits, answer);
    tokio::select! {
        () = accepting => {}
        _ = stop => {}
    }
    drop(listener);
    // All places are free when no connection is left.
    drop(places.acquire_many(limits.connections).await);
}

async fn accept<A>(listener: &TcpListener, places: &Arc<Semaphore>, limits: HttpLimits, answer: A)
where
    A: Fn(&Request<Incoming>) -> HttpAnswer + Clone + Send + 'static,
{
    loop {
        let place = Arc::clone(places).acquire_owned().await;
        let place = place.expect("nothing closes the semaphore");
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files, most likely: others must close theirs first.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let answer = answer.clone();
        tokio::spawn(async move {
            let _place = place;
            let answered = http1::Builder::new()
                .keep_alive(false)
                .timer(TokioTimer::new())
                .header_read_timeout(limits.asking)
                .max_buf_size(HEAD)
                .serve_connection(
                    TokioIo::new(stream),
                    service_fn(move |request| {
                        let answer = answer(&request);
                        async move { Ok::<_, Infallible>(answer) }
                    }),
                );
            // A peer that disconnects or times out is not an error.
            drop(tokio::time::timeout(limits.connected, answered).await);
        });
    }
}

/// Returns an answer that has a status alone.
pub(crate) fn bare(status: StatusCode) -> HttpAnswer {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}
