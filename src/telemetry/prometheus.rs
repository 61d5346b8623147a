//! `/metrics`: the metrics as text for Prometheus, on a listener of their own.
//!
//! Read only, and nothing else is answered.

use std::future::pending;
use std::net::TcpListener;
use std::time::Duration;

use http::{Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::Incoming;
use prometheus::{Encoder as _, Registry, TextEncoder};

use crate::http1::{self, HttpAnswer, HttpLimits, bare};

const LIMITS: HttpLimits = HttpLimits {
    connections: 16,
    asking: Duration::from_secs(2),
    connected: Duration::from_secs(10),
};

/// Answers on `listener` from now on, in the runtime that this is called in.
///
/// # Errors
///
/// If the listener cannot be waited on.
pub(super) fn serve(listener: TcpListener, registry: Registry) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let answer = move |request: &Request<Incoming>| answer(request, &registry);
    tokio::spawn(http1::serve(listener, LIMITS, pending::<()>(), answer));
    Ok(())
}

fn answer(request: &Request<Incoming>, registry: &Registry) -> HttpAnswer {
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
