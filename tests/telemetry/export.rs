//! A played round in all three signals, to the name.

use std::collections::BTreeSet;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use opentelemetry_proto::tonic::logs::v1::LogRecord;
use opentelemetry_proto::tonic::metrics::v1::{AggregationTemporality, metric};
use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use paigow::rpc::log_event;
use paigow::telemetry::names::{
    DURATION_BOUNDS, EVENT_FACT, EVENTS, LOG_ATTRIBUTES, METRICS, MetricKind, RESOURCE_ATTRIBUTES,
    SPAN_ATTRIBUTES,
};
use paigow::telemetry::{self, InstanceFacts, LogOutput};
use paigow_config::{Config, TelemetryConfig};
use paigow_evidence::{Event, Significant};
use paigow_proto::v1 as pb;
use tonic::Code;

use super::collector::{Collector, Received, pairs, text};
use super::running::{deal, settle};
use super::server::{Process, member, traced};

const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
const PARENT: &str = "b7ad6b7169203331";

/// A server that exports to `collector`.
fn server(collector: &Collector, settings: &[(&str, &str)]) -> Process {
    let endpoint = format!("http://{}", collector.address);
    let mut all = vec![
        ("PAIGOW__TELEMETRY__OTLP_ENDPOINT", endpoint.as_str()),
        ("PAIGOW__TELEMETRY__ENVIRONMENT", "test"),
        ("PAIGOW__TELEMETRY__INSTANCE", "table-7"),
        ("PAIGOW__TELEMETRY__OTLP_TIMEOUT_MS", "30000"),
    ];
    all.extend(settings);
    Process::start(&all)
}

/// Plays a round that is settled, of a caller whose trace is `traceparent`.
async fn play(process: &Process, round_no: i64, traceparent: &str) -> pb::SettleResponse {
    let mut client = process.client().await;
    let dealt = client.deal(traced(deal(round_no), traceparent)).await.unwrap().into_inner();
    client.settle(traced(settle(&dealt), traceparent)).await.unwrap().into_inner()
}

fn owned(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

/// The one number that a metric has with these attributes.
fn number(received: &Received, name: &str, attributes: &[(&str, &str)]) -> f64 {
    let (numbers, wanted) = (received.numbers(name), owned(attributes));
    let found = numbers.iter().find(|(attributes, _)| *attributes == wanted);
    found.unwrap_or_else(|| panic!("no {name} of {wanted:?} in {numbers:?}")).1
}

/// Whether everything that was received is on the lists of names, and as they have it.
fn assert_listed(received: &Received) {
    for resource in received.resources() {
        let keys: BTreeSet<&str> = resource.attributes.iter().map(|one| &*one.key).collect();
        assert_eq!(keys, RESOURCE_ATTRIBUTES.into());
    }
    for span in received.spans() {
        for one in &span.attributes {
            assert!(SPAN_ATTRIBUTES.contains(&&*one.key), "{} of a span", one.key);
        }
        assert_eq!((span.events.len(), span.links.len(), &*span.trace_state), (0, 0, ""));
        assert_eq!(span.status.as_ref().map_or("", |status| &status.message), "");
    }
    for record in received.records() {
        let is_event = EVENTS.iter().any(|(_, name)| *name == record.event_name);
        assert!(is_event || record.event_name.is_empty(), "{} is no event", record.event_name);
        for one in &record.attributes {
            let is_listed = LOG_ATTRIBUTES.iter().any(|(_, key)| *key == one.key);
            let is_fact = is_event && one.key.starts_with(EVENT_FACT);
            assert!(is_listed || is_fact, "{} of a log record", one.key);
        }
    }
    for metric in received.all_metrics() {
        let listed = METRICS.iter().find(|one| one.name == metric.name);
        let listed = listed.unwrap_or_else(|| panic!("{} is not listed", metric.name));
        assert_eq!((&*metric.unit, &*metric.description), (listed.unit, listed.description));
        let (kind, attributes) = match metric.data.as_ref().unwrap() {
            metric::Data::Sum(sum) => {
                let cumulative = AggregationTemporality::Cumulative as i32;
                assert_eq!(sum.aggregation_temporality, cumulative, "{}", metric.name);
                let kind = if sum.is_monotonic { MetricKind::Counter } else { MetricKind::Gauge };
                (kind, sum.data_points.iter().map(|one| &one.attributes).collect::<Vec<_>>())
            }
            metric::Data::Gauge(gauge) => {
                (MetricKind::Gauge, gauge.data_points.iter().map(|one| &one.attributes).collect())
            }
            metric::Data::Histogram(histogram) => (
                MetricKind::Histogram,
                histogram.data_points.iter().map(|one| &one.attributes).collect(),
            ),
            metric::Data::ExponentialHistogram(_) | metric::Data::Summary(_) => {
                panic!("{} is of a kind that is not listed", metric.name)
            }
        };
        assert_eq!(kind, listed.kind, "{}", metric.name);
        for one in attributes.into_iter().flatten() {
            assert!(listed.attributes.contains(&&*one.key), "{} of {}", one.key, metric.name);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_played_round_arrives_in_traces_metrics_and_logs() {
    let collector = Collector::start(None).await;
    let process = server(&collector, &[]);
    let traceparent = format!("00-{TRACE}-{PARENT}-01");
    play(&process, 1, &traceparent).await;
    let mut client = process.client().await;
    let mut wrong = traced(deal(2), &traceparent);
    wrong.get_mut().wagers = None;
    let refused = client.deal(wrong).await.unwrap_err();
    assert_eq!(refused.code(), Code::InvalidArgument);
    drop(client);
    let lines = process.stopped().await;
    let received = collector.received();
    assert_listed(&received);

    let facts = [
        ("deployment.environment.name", "test"),
        ("service.instance.id", "table-7"),
        ("service.name", "paigow"),
        ("service.namespace", "paigow"),
        ("service.version", env!("CARGO_PKG_VERSION")),
    ];
    for resource in received.resources() {
        for (key, value) in facts {
            let found = resource.attributes.iter().find(|one| one.key == key).unwrap();
            assert_eq!(text(found.value.as_ref()), value);
        }
    }

    let ours = received.spans();
    let call = |name: &str, status: &str| {
        let found = ours.iter().filter(|span| span.name == name).find(|span| {
            pairs(&span.attributes).contains(&("rpc.status_code".to_owned(), status.to_owned()))
        });
        *found.unwrap_or_else(|| panic!("no {name} {status} in {ours:?}"))
    };
    assert_eq!(ours.len(), 3);
    for (name, status, more) in [
        (
            "paigow.v1.PaiGowService/Deal",
            "OK",
            &[("paigow.seat.count", "1"), ("paigow.suite.id", "derived")][..],
        ),
        ("paigow.v1.PaiGowService/Settle", "OK", &[]),
        (
            "paigow.v1.PaiGowService/Deal",
            "INVALID_ARGUMENT",
            &[
                ("network.peer.address", "127.0.0.1"),
                ("paigow.client", "everybody"),
                ("paigow.tenant", "dev"),
            ],
        ),
    ] {
        let span = call(name, status);
        assert_eq!(hex::encode(&span.trace_id), TRACE);
        assert_eq!(hex::encode(&span.parent_span_id), PARENT);
        assert_eq!(span.kind, SpanKind::Server as i32);
        // A caller's fault is not a fault of the server.
        let code = span.status.as_ref().map_or(0, |status| status.code);
        assert_eq!(code, StatusCode::Unset as i32);
        let mut attributes = owned(more);
        attributes.extend(owned(&[
            ("rpc.method", name),
            ("rpc.status_code", status),
            ("rpc.system.name", "grpc"),
        ]));
        assert_eq!(pairs(&span.attributes), attributes);
    }

    let records = received.records();
    let refusal = records.iter().find(|one| text(one.body.as_ref()) == "call refused").unwrap();
    assert_eq!(hex::encode(&refusal.trace_id), TRACE);
    let span = call("paigow.v1.PaiGowService/Deal", "INVALID_ARGUMENT");
    assert_eq!(refusal.span_id, span.span_id);
    assert_eq!(refusal.severity_text, "INFO");
    let attributes = [
        ("network.peer.address", "127.0.0.1"),
        ("paigow.client", "everybody"),
        ("paigow.reason", "FIELD_MISSING"),
        ("paigow.tenant", "dev"),
        ("rpc.method", "paigow.v1.PaiGowService/Deal"),
        ("rpc.status_code", "INVALID_ARGUMENT"),
    ];
    assert_eq!(pairs(&refusal.attributes), owned(&attributes));
    // The same line on this machine names the same trace.
    let line = lines.iter().find(|line| line.contains("call refused")).unwrap();
    assert_eq!(member(line, "trace_id"), TRACE);
    assert_eq!(member(line, "span_id"), hex::encode(&span.span_id));

    let money = [
        ("paigow.bet", "base"),
        ("paigow.currency", "USD"),
        ("paigow.ruleset.id", "mikes"),
        ("paigow.set_by", "house_way"),
    ];
    assert_eq!(number(&received, "paigow.wagers", &money), 1.0);
    assert_eq!(number(&received, "paigow.stake", &money), 1000.0);
    assert_eq!(number(&received, "paigow.stake.squares", &money), 1_000_000.0);
    let account = [("paigow.currency", "USD"), ("paigow.tenant", "dev")];
    assert_eq!(number(&received, "paigow.tenant.stake", &account), 1000.0);
    for mode in ["system", "user"] {
        assert!(number(&received, "process.cpu.time", &[("cpu.mode", mode)]) >= 0.0);
    }
    // One thread that accepts, one that exports, a worker at least; more than a megabyte.
    for (figure, least) in [
        ("process.thread.count", 3.0),
        ("process.unix.file_descriptor.count", 3.0),
        ("process.memory.usage", 1e6),
    ] {
        let found = number(&received, figure, &[]);
        assert!(found >= least, "{figure}: {found}");
    }
    let suite = [("paigow.ruleset.id", "mikes"), ("paigow.suite.id", "derived")];
    assert_eq!(number(&received, "paigow.deals", &suite), 1.0);
    let round = [
        ("paigow.disposition", "settled"),
        ("paigow.ruleset.id", "mikes"),
        ("paigow.tenant", "dev"),
    ];
    assert_eq!(number(&received, "paigow.rounds", &round), 1.0);
    let reason = [("paigow.reason", "FIELD_MISSING")];
    assert_eq!(number(&received, "paigow.requests.refused", &reason), 1.0);
    assert_eq!(number(&received, "paigow.calls.in_flight", &[]), 0.0);
    assert_eq!(number(&received, "paigow.manifest.sequence", &[]), 1.0);
    let bet = [("paigow.bet", "queens_dragon"), ("paigow.ruleset.id", "express")];
    let expected = number(&received, "paigow.bet.return.expected", &bet);
    // 51 times 2,719,500 of 154,143,080.
    assert!((expected - 0.899_777_661).abs() < 1e-9, "{expected}");

    let duration = received.metric("rpc.server.call.duration");
    let Some(metric::Data::Histogram(durations)) = &duration.data else { panic!() };
    for point in &durations.data_points {
        assert_eq!(point.explicit_bounds, DURATION_BOUNDS);
    }
    let counts: Vec<u64> = durations.data_points.iter().map(|point| point.count).collect();
    assert_eq!((counts.len(), counts.iter().sum::<u64>()), (3, 3));
}

/// The nanoseconds since 1970.
#[expect(clippy::disallowed_methods, reason = "records have times")]
fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    u64::try_from(since.as_nanos()).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn significant_events_arrive_with_their_names_facts_and_times() {
    let began = now();
    let collector = Collector::start(None).await;
    let process = server(&collector, &[]);
    process.stopped().await;
    let (received, ended) = (collector.received(), now());
    assert_listed(&received);
    let records = received.records();
    for record in &records {
        assert!((began..=ended).contains(&record.time_unix_nano), "{record:?}");
    }
    let events = records.iter().filter(|record| !record.event_name.is_empty());
    let events: Vec<&str> = events.map(|record| &*record.event_name).collect();
    let lifetime = ["paigow.verified", "paigow.started", "paigow.draining", "paigow.stopped"];
    assert_eq!(events, lifetime);
    let verified = records.iter().find(|record| record.event_name == "paigow.verified").unwrap();
    assert_eq!(pairs(&verified.attributes)[0].0, "paigow.event.checks");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_significant_event_arrives_by_its_name() {
    let collector = Collector::start(None).await;
    let config = Config::load(None).unwrap();
    let export = TelemetryConfig {
        otlp_endpoint: Some(format!("http://{}", collector.address)),
        otlp_timeout: Duration::from_secs(30),
        ..config.telemetry
    };
    let facts = InstanceFacts { version: "1", revision: "abc", instance: "table-7".to_owned() };
    let panicking = std::panic::take_hook();
    let installed = telemetry::install(&export, &config.log, LogOutput::Stderr, &facts).unwrap();
    std::panic::set_hook(panicking);
    let began = now();
    for event in Significant::ALL {
        log_event(&Event::new(event).with("cause", event.name()));
    }
    let limit = Duration::from_secs(60);
    assert!(tokio::task::spawn_blocking(move || installed.shutdown(limit)).await.unwrap());
    let (received, ended) = (collector.received(), now());
    assert_listed(&received);
    for (name, exported) in EVENTS {
        let found: Vec<&LogRecord> =
            received.records().into_iter().filter(|one| one.event_name == exported).collect();
        let [record] = found[..] else { panic!("{} of {exported}", found.len()) };
        assert_eq!(pairs(&record.attributes), owned(&[("paigow.event.cause", name)]));
        assert!((began..=ended).contains(&record.time_unix_nano), "{record:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn counters_are_complete_where_no_trace_is_sampled_and_a_retry_counts_once() {
    let collector = Collector::start(None).await;
    let process = server(&collector, &[("PAIGOW__TELEMETRY__SAMPLE_RATIO_PPM", "0")]);
    let mut client = process.client().await;
    // Traces that begin here are not sampled, nor is one that its caller does not sample.
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    let again = client.deal(deal(1)).await.unwrap().into_inner();
    assert_eq!(dealt, again);
    let unsampled = format!("00-{TRACE}-{PARENT}-00");
    let settled = client.settle(settle(&dealt)).await.unwrap().into_inner();
    let again = client.settle(traced(settle(&dealt), &unsampled)).await.unwrap().into_inner();
    assert_eq!(settled, again);
    // A caller who samples is followed: traces are whole or not at all.
    play(&process, 2, &format!("00-{TRACE}-{PARENT}-01")).await;
    drop(client);
    process.stopped().await;
    let received = collector.received();
    assert_listed(&received);
    assert_eq!(received.spans().len(), 2);
    let suite = [("paigow.ruleset.id", "mikes"), ("paigow.suite.id", "derived")];
    assert_eq!(number(&received, "paigow.deals", &suite), 2.0);
    let money = [
        ("paigow.bet", "base"),
        ("paigow.currency", "USD"),
        ("paigow.ruleset.id", "mikes"),
        ("paigow.set_by", "house_way"),
    ];
    assert_eq!(number(&received, "paigow.wagers", &money), 2.0);
    // The duration of every call is counted.
    let Some(metric::Data::Histogram(durations)) =
        &received.metric("rpc.server.call.duration").data
    else {
        panic!()
    };
    assert_eq!(durations.data_points.iter().map(|point| point.count).sum::<u64>(), 6);
}

#[tokio::test(flavor = "multi_thread")]
async fn other_methods_voids_and_strangers_are_told_apart() {
    let collector = Collector::start(None).await;
    let process = server(&collector, &[("PAIGOW__TELEMETRY__ROUND_IDS", "true")]);
    let mut client = process.client().await;
    let dealt = client.deal(deal(1)).await.unwrap().into_inner();
    let void = pb::VoidRoundRequest {
        records: dealt.records.clone(),
        reason: pb::VoidReason::Operator.into(),
        ..pb::VoidRoundRequest::default()
    };
    client.void_round(void).await.unwrap();
    let hands = pb::SetHouseWayRequest {
        by: Some(pb::set_house_way_request::By::HouseWay("mikes".to_owned())),
        hands: vec![pb::Hand {
            cards: "9c 2h Js 2d 2c 9d Jh".split(' ').map(str::to_owned).collect(),
        }],
    };
    client.set_house_way(hands).await.unwrap();
    let audit = pb::AuditRequest::default();
    client.audit(audit).await.unwrap_err();
    let mut stranger = tonic::client::Grpc::new(
        tonic::transport::Channel::from_shared(format!("http://{}", process.address))
            .unwrap()
            .connect()
            .await
            .unwrap(),
    );
    stranger.ready().await.unwrap();
    let path = "/planted.Secret/Path".parse().unwrap();
    let codec = tonic_prost::ProstCodec::<(), ()>::default();
    let refused = stranger.unary(tonic::Request::new(()), path, codec).await.unwrap_err();
    assert_eq!(refused.code(), Code::Unimplemented);
    drop((client, stranger));
    process.stopped().await;
    let received = collector.received();
    assert_listed(&received);

    let round =
        [("paigow.disposition", "void"), ("paigow.ruleset.id", "mikes"), ("paigow.tenant", "dev")];
    assert_eq!(number(&received, "paigow.rounds", &round), 1.0);
    // "K4": full house, pair in front.
    let setting = [("paigow.house_way.clause", "K4"), ("paigow.house_way.id", "mikes")];
    assert_eq!(number(&received, "paigow.house_way.settings", &setting), 1.0);
    let spans = received.spans();
    let named = |name: &str| spans.iter().filter(|span| span.name == name).count();
    assert_eq!((named("grpc"), spans.len()), (1, 5));
    let other = spans.iter().find(|span| span.name == "grpc").unwrap();
    let attributes = [
        ("error.type", "UNIMPLEMENTED"),
        ("network.peer.address", "127.0.0.1"),
        ("rpc.method", "_OTHER"),
        ("rpc.status_code", "UNIMPLEMENTED"),
        ("rpc.system.name", "grpc"),
    ];
    assert_eq!(pairs(&other.attributes), owned(&attributes));
    let code = other.status.as_ref().map_or(0, |status| status.code);
    assert_eq!(code, StatusCode::Error as i32);
    // The settings ask for it, so the spans of the round name it.
    let id = ("paigow.round.id".to_owned(), dealt.round_id);
    let naming = spans.iter().filter(|span| pairs(&span.attributes).contains(&id));
    assert_eq!(naming.count(), 2);
}
