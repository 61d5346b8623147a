//! The shorter of two deadlines, the caller's and the server's, ends a call.

use super::*;

/// Returns how a call ends that cannot end by itself.
async fn ends(limit: Duration, asked: &str) -> (Code, Option<String>) {
    let mut layer = layer(&TenantLimits::new(1));
    layer.limits = Arc::new(CallLimits {
        public_stream_time: limit,
        request_timeout: limit,
        audit_stream_timeout: limit,
        play_message_bytes: 10,
        audit_message_bytes: 20,
    });
    let request = Request::builder().uri(DEAL).header("grpc-timeout", asked);
    let request = request.body(Body::empty()).unwrap();
    let service = layer
        .layer(tower::service_fn(|_| std::future::pending::<Result<Response<Body>, Infallible>>()));
    // Long before an hour is over.
    let answer = tokio::time::timeout(Duration::from_secs(60), service.oneshot(request)).await;
    ending(answer.expect("an end").unwrap()).await
}

#[tokio::test]
async fn a_callers_deadline_ends_a_call_where_the_server_would_wait_an_hour() {
    let deadline = (Code::DeadlineExceeded, Some("DEADLINE".to_owned()));
    let hour = Duration::from_secs(3600);
    for asked in ["30m", "1n", "0S"] {
        assert_eq!(ends(hour, asked).await, deadline, "{asked}");
    }
}

#[tokio::test]
async fn a_caller_that_would_wait_an_hour_gets_the_servers_deadline() {
    let deadline = (Code::DeadlineExceeded, Some("DEADLINE".to_owned()));
    assert_eq!(ends(Duration::from_millis(30), "1H").await, deadline);
    assert_eq!(ends(Duration::from_millis(30), "99999999H").await, deadline);
}
