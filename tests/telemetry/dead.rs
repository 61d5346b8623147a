//! Collectors that are not there, or never answer, and logs that nobody reads: play goes on,
//! and the end is bounded.

use std::net::SocketAddr;

use tokio::net::TcpListener;

use super::ports::ReservedPort;
use super::prometheus::scrape;
use super::running::{deal, settle};
use super::server::Process;

/// More calls than spans and log records that wait at most.
const CALLS: usize = 5000;

/// Plays beside a dead collector, and returns what the server printed when it was stopped.
async fn beside(collector: SocketAddr) -> Vec<String> {
    let endpoint = format!("http://{collector}");
    let process = Process::start(&[
        ("PAIGOW__TELEMETRY__OTLP_ENDPOINT", &endpoint),
        ("PAIGOW__TELEMETRY__OTLP_TIMEOUT_MS", "400"),
        ("PAIGOW__TELEMETRY__METRICS_INTERVAL_MS", "100"),
        // The sender's retries warn, and are not what this looks for.
        ("PAIGOW__LOG__FILTER", "paigow=info,paigow_server=info"),
    ]);
    let mut client = process.client().await;
    let mut refused = deal(1);
    refused.wagers = None;
    for _ in 0..CALLS {
        // Each is a span, and a log record.
        client.deal(refused.clone()).await.unwrap_err();
    }
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    client.settle(settle(&dealt)).await.unwrap();
    drop(client);
    process.stopped().await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_never_answers_holds_up_neither_calls_nor_the_end() {
    // The system completes connections, but no process reads from them.
    let silent = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let lines = beside(silent.local_addr().unwrap()).await;
    let told = lines.iter().any(|line| line.contains("not all telemetry was exported"));
    assert!(told, "the end did not wait for ever, and said so: {:?}", lines.last());
    drop(silent);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_is_not_there_holds_up_neither_calls_nor_the_end() {
    let nobody = ReservedPort::new();
    let lines = beside(nobody.address).await;
    let told = lines.iter().any(|line| line.contains("not all telemetry was exported"));
    assert!(told, "{:?}", lines.last());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_that_nobody_reads_holds_up_neither_calls_nor_the_end() {
    let process = Process::start_unread(&[("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", "127.0.0.1:0")]);
    let mut client = process.client().await;
    let mut refused = deal(1);
    refused.wagers = None;
    // Each is a line: the pipe is full after some hundreds, what waits to be written later.
    for _ in 0..2 * CALLS {
        client.deal(refused.clone()).await.unwrap_err();
    }
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    client.settle(settle(&dealt)).await.unwrap();
    drop(client);
    let metrics = scrape(&process.scraped_at());
    let dropped = metrics.lines().find_map(|line| line.strip_prefix("paigow_log_dropped_total "));
    assert!(dropped.unwrap().parse::<f64>().unwrap() > 0.0, "{metrics}");
    let lines = process.stopped().await;
    assert!(!lines.is_empty() && lines.len() < 2 * CALLS, "{} lines", lines.len());
}
