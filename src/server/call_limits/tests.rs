mod deadlines;

use std::convert::Infallible;

use arc_swap::ArcSwap;
use http_body::Frame;
use http_body_util::BodyExt as _;
use tonic::{Code, Status};
use tower::ServiceExt as _;

use super::*;
use crate::capacity::HeldBytes;
use crate::server::authorization::CallerTable;
use crate::server::tenant_limits::TenantLimits;
use crate::telemetry::Meters;
use paigow_config::access::Access;

type Bytes = <Body as http_body::Body>::Data;

fn limits() -> Arc<CallLimits> {
    Arc::new(CallLimits {
        public_stream_time: Duration::from_millis(60),
        request_timeout: Duration::from_millis(50),
        audit_stream_timeout: Duration::from_millis(70),
        play_message_bytes: 10,
        audit_message_bytes: 20,
    })
}

/// A service that accepts every caller for which `tenant_limits` has room, with one place for a
/// public stream.
fn layer(tenant_limits: &Arc<TenantLimits>) -> CallLimitsLayer {
    let access = Access::of_everybody("dev".parse().unwrap());
    let authorization = Authorization {
        callers: Arc::new(ArcSwap::from_pointee(CallerTable::new(access))),
        tenant_limits: Arc::clone(tenant_limits),
        audit_bytes: HeldBytes::new(100, Meters::off()),
        answer_bytes: HeldBytes::new(1 << 20, Meters::off()),
        extra_paths: &["/a.Load/Test"],
        meters: Meters::off(),
    };
    let one = || Arc::new(Semaphore::new(1));
    CallLimitsLayer {
        limits: limits(),
        authorization,
        public_streams: one(),
        public_calls: one(),
        public_answers: HeldBytes::new(1 << 20, Meters::off()),
    }
}

/// Calls `path` of a service that answers with what `inner` returns.
async fn ask<F, A>(path: &str, inner: F) -> Response<Body>
where
    F: Fn(Request<Body>) -> A + Clone + Send + 'static,
    A: Future<Output = Result<Response<Body>, Infallible>> + Send + 'static,
{
    let layer = layer(&TenantLimits::new(1));
    let request = Request::builder().uri(path).body(Body::empty()).unwrap();
    layer.layer(tower::service_fn(inner)).oneshot(request).await.unwrap()
}

/// The code and the reason in the headers, or else in the trailers.
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
    assert_eq!(size, (Code::ResourceExhausted, Some("MESSAGE_SIZE".to_owned())));
}

#[tokio::test]
async fn health_may_be_watched_by_some_for_a_while_and_asked_by_all() {
    let layer = layer(&TenantLimits::new(1));
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
async fn health_that_is_asked_for_without_end_is_given_up() {
    let layer = layer(&TenantLimits::new(1));
    let service = layer
        .layer(tower::service_fn(|_| std::future::pending::<Result<Response<Body>, Infallible>>()));
    let deadline = (Code::DeadlineExceeded, Some("DEADLINE".to_owned()));
    // The second watch uses the place that the first gave back.
    for method in ["Check", "Watch", "Watch"] {
        let uri = format!("/grpc.health.v1.Health/{method}");
        let request = Request::builder().uri(uri).body(Body::empty()).unwrap();
        assert_eq!(ending(service.clone().oneshot(request).await.unwrap()).await, deadline);
    }
}

/// A service that reads a request to its end, and answers with the result of that.
async fn reads(request: Request<Body>) -> Result<Response<Body>, Infallible> {
    let read = request.into_body().collect().await;
    Ok(read.map_or_else(Status::into_http, |_| Response::new(Body::empty())))
}

#[tokio::test]
async fn a_message_to_health_is_small() {
    for (method, length, expected) in [
        ("Check", 16_384_u32, None),
        ("Check", 16_385, Some(Code::ResourceExhausted)),
        ("Watch", 16_385, Some(Code::ResourceExhausted)),
    ] {
        let layer = layer(&TenantLimits::new(1));
        let mut prefix = vec![0];
        prefix.extend(length.to_be_bytes());
        let uri = format!("/grpc.health.v1.Health/{method}");
        let body = Body::new(http_body_util::Full::from(prefix));
        let request = Request::builder().uri(uri).body(body).unwrap();
        let answer = layer.layer(tower::service_fn(reads)).oneshot(request).await.unwrap();
        assert_eq!(failure(answer.headers()).map(|status| status.code()), expected, "{length}");
    }
}

#[tokio::test]
async fn who_leaves_in_the_middle_of_a_request_has_given_up() {
    let torn = [Status::cancelled("RST_STREAM"), Status::unknown("the connection is gone")];
    for theirs in torn {
        let broken =
            http_body_util::StreamBody::new(futures_util::stream::iter([Err::<
                Frame<Bytes>,
                Status,
            >(theirs)]));
        let request = Request::builder().uri(DEAL).body(Body::new(broken)).unwrap();
        let layer = layer(&TenantLimits::new(1));
        let answer = layer.layer(tower::service_fn(reads)).oneshot(request).await.unwrap();
        assert_eq!(ending(answer).await, (Code::Cancelled, None));
    }
}

#[tokio::test]
async fn compressed_messages_are_refused_with_what_is_taken() {
    for (encoding, taken) in [("identity", true), ("gzip", false), ("GZIP", false), ("", false)] {
        let layer = layer(&TenantLimits::new(1));
        let request = Request::builder().uri(DEAL).header("grpc-encoding", encoding);
        let request = request.body(Body::empty()).unwrap();
        let answer = layer.layer(tower::service_fn(reads)).oneshot(request).await.unwrap();
        let accepted = answer.headers().get("grpc-accept-encoding").cloned();
        let status = failure(answer.headers());
        assert_eq!(status.is_none(), taken, "{encoding:?}");
        if let Some(status) = status {
            assert_eq!(accepted.unwrap(), "identity");
            assert_eq!(status.code(), Code::Unimplemented);
            assert_eq!(status::reason(&status).as_deref(), Some("COMPRESSION"));
        }
    }
}

#[tokio::test]
async fn an_answer_that_nobody_reads_keeps_its_place_for_its_time_at_most() {
    for (path, after_the_head) in [(DEAL, 0), ("/paigow.v1.PaiGowService/AuditStream", 1)] {
        let tenant_limits = TenantLimits::new(1);
        let layer = layer(&tenant_limits);
        let service = tower::service_fn(|_| async {
            let body = Body::new(Repeats(|| Poll::Pending));
            Ok::<_, Infallible>(Response::new(body))
        });
        let request = Request::builder().uri(path).body(Body::empty()).unwrap();
        let answer = layer.layer(service).oneshot(request).await.unwrap();
        assert_eq!(tenant_limits.open(), after_the_head, "{path}");
        let freed = async {
            while tenant_limits.open() > 0 {
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
fn audits_and_streams_have_limits_of_their_own() {
    let limits = limits();
    for method in Method::ALL {
        let limit = limits.of(ProtectedRpc::Method(method));
        let expected = match method.name() {
            "Audit" => (50, 20, false),
            "AuditStream" => (70, 20, true),
            "ListOpenTickets" | "TailRefusals" => (70, 10, true),
            _ => (50, 10, false),
        };
        assert_eq!((limit.time.as_millis(), limit.message_bytes, limit.is_stream), expected);
    }
    let extra = limits.of(ProtectedRpc::Extra);
    assert_eq!((extra.time.as_millis(), extra.message_bytes, extra.is_stream), (50, 10, false));
}

#[test]
fn the_streams_are_those_of_the_contract() {
    let pool = prost_reflect::DescriptorPool::decode(paigow_proto::DESCRIPTORS).unwrap();
    for method in pool.get_service_by_name(crate::rpc::SERVICE).unwrap().methods() {
        let path = format!("/{}/{}", method.parent_service().full_name(), method.name());
        let limit = limits().of(ProtectedRpc::Method(Method::from_path(&path).unwrap()));
        assert_eq!(limit.is_stream, method.is_server_streaming(), "{path}");
    }
}

#[tokio::test]
async fn a_path_without_an_entry_reaches_no_handler_whatever_roles_its_caller_has() {
    let unknown = (Code::Unimplemented, Some("METHOD".to_owned()));
    for path in [
        "/paigow.v1.PaiGowService/Shuffle",
        "/paigow.v1.PaiGowService/deal",
        "/paigow.v1.PaiGowService/Deal/",
        "/paigow.v1.PaiGowService/",
        "/paigow.v2.PaiGowService/Deal",
        "/grpc.health.v1.Health/List",
        "/grpc.channelz.v1.Channelz/GetServers",
        "/some.Scanner/Probe",
        "/",
    ] {
        let answer = ask(path, |_| async { panic!("the handler is called") }).await;
        assert_eq!(ending(answer).await, unknown, "{path}");
    }
    for path in [DEAL, "/a.Load/Test"] {
        let answer = ask(path, |_| async { Ok(Response::new(Body::empty())) }).await;
        assert!(failure(answer.headers()).is_none(), "{path}");
    }
}
