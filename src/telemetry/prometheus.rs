//! `/metrics`: the metrics as text for Prometheus, on a listener of their own.
//!
//! Read only, and nothing else is answered. Whoever is slow to ask or to read is cut off.

use std::convert::Infallible;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::Duration;

use http::{Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus::{Encoder as _, Registry, TextEncoder};
use tokio::sync::Semaphore;

/// How long a request may take to arrive.
const ASKING: Duration = Duration::from_secs(2);

/// How long a connection may last; it takes one request.
const CONNECTED: Duration = Duration::from_secs(10);

/// How many connections are open at most; others wait to be taken.
const CONNECTIONS: usize = 16;

/// Answers on `listener` from now on, in the runtime that this is called in.
///
/// # Errors
///
/// If the listener cannot be waited on.
pub(super) fn serve(listener: TcpListener, registry: Registry) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    tokio::spawn(accept(listener, registry));
    Ok(())
}

async fn accept(listener: tokio::net::TcpListener, registry: Registry) {
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    loop {
        let place = Arc::clone(&places).acquire_owned().await;
        let place = place.expect("nothing closes the semaphore");
        let Ok((stream, _)) = listener.accept().await else {
            // Out of files, most likely: others must close theirs first.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        let registry = registry.clone();
        tokio::spawn(async move {
            let _place = place;
            let answered = http1::Builder::new()
                .keep_alive(false)
                .timer(TokioTimer::new())
                .header_read_timeout(ASKING)
                .max_buf_size(16 * 1024)
                .serve_connection(
                    TokioIo::new(stream),
                    service_fn(move |request| {
                        let answer = answer(&request, &registry);
                        async move { Ok::<_, Infallible>(answer) }
                    }),
                );
            // Who hangs up, or is cut off, is nobody's fault here.
            drop(tokio::time::timeout(CONNECTED, answered).await);
        });
    }
}

fn answer(request: &Request<Incoming>, registry: &Registry) -> Response<Full<Bytes>> {
    if request.uri().path() != "/metrics" {
        return bare(StatusCode::NOT_FOUND);
    }
    if request.method() != Method::GET {
        return bare(StatusCode::METHOD_NOT_ALLOWED);
    }
    let (encoder, mut text) = (TextEncoder::new(), Vec::new());
    if encoder.encode(&registry.gather(), &mut text).is_err() {
        return bare(StatusCode::INTERNAL_SERVER_ERROR);
    }
    let mut response = Response::new(Full::from(text));
    let kind = header::HeaderValue::from_static(prometheus::TEXT_FORMAT);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

fn bare(status: StatusCode) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::default());
    *response.status_mut() = status;
    response
}
