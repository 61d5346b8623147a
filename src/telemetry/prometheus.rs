//! `/metrics`: the metrics as text for Prometheus, on a listener of their own.
//!
//! It is read only, and every other path is refused.

use std::future::pending;
use std::net::TcpListener;
use std::time::Duration;

use http::{Method, Request, Response, StatusCode, header};
use http_body_util::Full;
use hyper::body::Incoming;
use prometheus::{Registry, TextEncoder};

use super::meters::Meters;
use crate::http1::{self, HttpAnswer, HttpLimits, bare};

const LIMITS: HttpLimits = HttpLimits {
    connections: 16,
    asking: Duration::from_secs(2),
    connected: Duration::from_secs(10),
};

/// The media type of OpenMetrics, the one text that can have exemplars.
const OPEN_METRICS: &str = "application/openmetrics-text";

/// Answers on `listener` from now on, in the caller's runtime. A scraper that asks for OpenMetrics
/// gets the exemplars of `meters` too.
///
/// # Errors
///
/// If the runtime cannot wait for the listener.
pub(super) fn serve(
    listener: TcpListener,
    registry: Registry,
    meters: Meters,
) -> std::io::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let answer = move |request: &Request<Incoming>| answer(request, &registry, &meters);
    tokio::spawn(http1::serve(listener, LIMITS, pending::<()>(), answer));
    Ok(())
}

fn answer(request: &Request<Incoming>, registry: &Registry, meters: &Meters) -> HttpAnswer {
    if request.uri().path() != "/metrics" {
        return bare(StatusCode::NOT_FOUND);
    }
    if request.method() != Method::GET {
        return bare(StatusCode::METHOD_NOT_ALLOWED);
    }
    let Ok(text) = TextEncoder::new().encode_to_string(&registry.gather()) else {
        return bare(StatusCode::INTERNAL_SERVER_ERROR);
    };
    let accepted = request.headers().get(header::ACCEPT).and_then(|kinds| kinds.to_str().ok());
    let wanted = accepted.is_some_and(|kinds| kinds.contains(OPEN_METRICS));
    let (text, kind) = match meters.exemplars().filter(|_| wanted) {
        Some(exemplars) => {
            let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
            (exemplars.open_metrics(&text), kind)
        }
        None => (text, prometheus::TEXT_FORMAT),
    };
    let mut response = Response::new(Full::from(text));
    let kind = header::HeaderValue::from_static(kind);
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}
