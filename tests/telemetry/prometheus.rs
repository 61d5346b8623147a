//! `/metrics` as Prometheus, and others, find it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use paigow::telemetry::names::{METRICS, MetricKind};

use super::collector::Collector;
use super::running::{deal, settle};
use super::server::{Process, traced};

fn server() -> Process {
    Process::start(&[
        ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", "127.0.0.1:0"),
        ("PAIGOW__TELEMETRY__ENVIRONMENT", "a\"b\\c"),
    ])
}

/// Says `request` and returns all that comes back.
fn say(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

pub(super) fn scrape(address: &str) -> String {
    let answer = say(address, "GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n");
    let (head, text) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}");
    assert!(head.contains("content-type: text/plain; version=0.0.4"), "{head}");
    text.to_owned()
}

/// Returns the name that Prometheus has for a metric of ours.
fn translated(name: &str, kind: MetricKind, unit: &str) -> String {
    let name = name.replace('.', "_");
    match (kind, unit) {
        (MetricKind::Counter, "s") => format!("{name}_seconds_total"),
        (_, "s") => format!("{name}_seconds"),
        (_, "By") => format!("{name}_bytes"),
        (MetricKind::Counter, _) => format!("{name}_total"),
        (MetricKind::Gauge | MetricKind::Histogram, _) => name,
    }
}

fn promtool() -> PathBuf {
    let promtool = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/tools/bin/promtool");
    assert!(promtool.exists(), "no promtool yet: `tests/run` installs it");
    promtool
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_played_is_scraped_under_the_translated_names() {
    let process = server();
    let mut client = process.client().await;
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    client.settle(settle(&dealt)).await.unwrap();
    let text = scrape(&process.scraped_at());
    let money = "{paigow_bet=\"base\",paigow_currency=\"USD\",paigow_ruleset_id=\"mikes\",\
                 paigow_set_by=\"house_way\"}";
    for line in [
        format!("paigow_stake_total{money} 1000"),
        format!("paigow_wagers_total{money} 1"),
        "rpc_server_call_duration_seconds_count{rpc_method=\"paigow.v1.PaiGowService/Settle\",\
         rpc_status_code=\"OK\",rpc_system_name=\"grpc\"} 1"
            .to_owned(),
        "paigow_connections 1".to_owned(),
        "paigow_evidence_dropped_total 0".to_owned(),
    ] {
        assert!(text.lines().any(|found| found == line), "{line} in {text}");
    }
    // The development keyring's one epoch is open for a year.
    for name in [
        "paigow_epoch_remaining_seconds{paigow_epoch=\"1\"} ",
        "paigow_new_rounds_remaining_seconds ",
    ] {
        let remaining = text.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        assert!((1..=366 * 86_400).contains(&remaining.parse::<u64>().unwrap()), "{remaining}");
    }
    // In plaintext there is no certificate to run out.
    assert!(!text.contains("paigow_certificate"), "{text}");
    // Every family is one of the list, and quotes and backslashes are escaped.
    let listed: Vec<String> =
        METRICS.iter().map(|one| translated(one.name, one.kind, one.unit)).collect();
    let families = text.lines().filter_map(|line| line.strip_prefix("# TYPE "));
    let families: Vec<&str> = families.map(|line| line.split(' ').next().unwrap()).collect();
    for family in &families {
        assert!(*family == "target_info" || listed.iter().any(|one| one == family), "{family}");
    }
    assert!(families.len() > 20, "{families:?}");
    assert!(text.contains(r#"deployment_environment_name="a\"b\\c""#), "{text}");
    assert!(!text.contains("otel_scope"), "{text}");

    let mut check = Command::new(promtool())
        .args(["check", "metrics"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    check.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let checked = check.wait_with_output().unwrap();
    // The conventions of OpenTelemetry name two gauges as Prometheus' own do not.
    let told = String::from_utf8_lossy(&checked.stderr);
    let conventional = ["process_thread_count ", "process_unix_file_descriptor_count "];
    let others = told.lines().filter(|line| !conventional.iter().any(|one| line.starts_with(one)));
    assert_eq!(others.collect::<String>(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bucket_of_the_duration_leads_to_the_trace_of_a_sampled_call() {
    let collector = Collector::start(None).await;
    let endpoint = format!("http://{}", collector.address);
    let process = Process::start(&[
        ("PAIGOW__TELEMETRY__PROMETHEUS_LISTEN", "127.0.0.1:0"),
        ("PAIGOW__TELEMETRY__OTLP_ENDPOINT", &endpoint),
    ]);
    let trace = "0af7651916cd43dd8448eb211c80319c";
    let mut client = process.client().await;
    let sampled = format!("00-{trace}-b7ad6b7169203331-01");
    let dealt = client.deal(traced(deal(1), &sampled)).await.unwrap().into_inner();
    let unsampled = format!("00-{trace}-b7ad6b7169203331-00");
    client.settle(traced(settle(&dealt), &unsampled)).await.unwrap();
    drop(client);
    let request = "GET /metrics HTTP/1.1\r\nHost: x\r\n\
                   Accept: application/openmetrics-text;version=1.0.0,text/plain;q=0.5\r\n\r\n";
    let answer = say(&process.scraped_at(), request);
    let (head, text) = answer.split_once("\r\n\r\n").unwrap();
    assert!(head.contains("content-type: application/openmetrics-text; version=1.0.0"), "{head}");
    assert!(text.ends_with("# EOF\n"));
    process.stopped().await;
    let received = collector.received();
    let [span] = received.spans()[..] else { panic!("one call was sampled") };
    let exemplar = format!(
        " # {{trace_id=\"{}\",span_id=\"{}\"}} ",
        hex::encode(&span.trace_id),
        hex::encode(&span.span_id)
    );
    let leading: Vec<&str> = text.lines().filter(|line| line.contains("trace_id")).collect();
    let [line] = leading[..] else { panic!("{leading:?}") };
    assert!(line.starts_with("rpc_server_call_duration_seconds_bucket{"), "{line}");
    assert!(line.contains("/Deal\"") && line.contains(&exemplar), "{line}");
}

#[test]
fn nothing_else_is_answered_there() {
    let process = server();
    let address = process.scraped_at();
    for (request, status) in [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET /metrics/ HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("GET /debug/pprof HTTP/1.1\r\nHost: x\r\n\r\n", "404"),
        ("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", "405"),
        ("nonsense\r\n\r\n", "400"),
    ] {
        let answer = say(&address, request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request}: {answer}");
    }
}

#[test]
fn who_never_ends_a_request_is_cut_off_and_others_are_answered_meanwhile() {
    let process = server();
    let address = process.scraped_at();
    let mut slow: Vec<TcpStream> = (0..8)
        .map(|_| {
            let mut stream = TcpStream::connect(&address).unwrap();
            stream.write_all(b"GET /metrics HTTP/1.1\r\nHost: ").unwrap();
            stream
        })
        .collect();
    assert!(scrape(&address).contains("paigow_connections"));
    for stream in &mut slow {
        // This returns only once the server has hung up.
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap_or_default();
        assert!(!answer.starts_with(b"HTTP/1.1 200"));
    }
    assert!(scrape(&address).contains("paigow_connections"));
}
