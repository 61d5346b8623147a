//! Nothing that is secret, hidden or a caller's own leaves in telemetry: everything that
//! is exported is searched for it, in every spelling.

use std::collections::BTreeSet;
use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::time::Duration;

use paigow::rpc::{BuildFacts, LoadedEngine, ServiceState};
use paigow::server::{self, Service, Stop};
use paigow::telemetry::{self, InstanceFacts, LogOutput};
use paigow_config::access::Access;
use paigow_config::{LogConfig, TelemetryConfig};
use paigow_engine::self_test;
use paigow_fairness::record::RecordEnvelope;
use paigow_round::NoEntropy;
use paigow_rules::cards::Card;
use prost::Message as _;
use tokio::sync::oneshot;
use tonic::Request;

use super::casino::{self, Casino, NOW, RoundPlan, client_seed, epoch_secret, id, policy};
use super::collector::Collector;
use super::taints::{assert_clean, card_pairs, spellings};
use super::wire;

/// How many rounds are played, each with a refusal before and after the deal.
const ROUNDS: u64 = 150;

/// A text of callers that a collector must not get.
const PLANTED: &str = "planted-by-a-caller";

/// A request with planted headers.
fn planted<T>(message: T) -> Request<T> {
    let mut request = Request::new(message);
    for name in ["authorization", "tracestate", "baggage", "x-player", "user-agent"] {
        request.metadata_mut().insert(name, format!("k={PLANTED}").parse().unwrap());
    }
    let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    request.metadata_mut().insert("traceparent", parent.parse().unwrap());
    request
}

/// Plays a round, and notes everything of it that must not be exported.
async fn play(
    client: &mut wire::WireClient,
    casino: &Casino,
    plan: &RoundPlan,
    prev: &mut Option<RecordEnvelope>,
    taints: &mut BTreeSet<Vec<u8>>,
) {
    let mut wrong = wire::deal_request(casino, plan);
    wrong.wagers = None;
    client.deal(planted(wrong)).await.unwrap_err();
    let dealt = client.deal(planted(wire::deal_request(casino, plan))).await.unwrap().into_inner();
    let request = wire::settle_request(casino, plan, &wire::dealt(&dealt));
    let mut early = request.clone();
    early.records.pop();
    client.settle(planted(early)).await.unwrap_err();
    let settled = client.settle(planted(request)).await.unwrap().into_inner();
    *prev = wire::envelopes(&settled.records).pop();

    for secret in [&settled.server_seed, &settled.round_seed, &dealt.round_id] {
        spellings(&hex::decode(secret).unwrap(), taints);
    }
    for seat in &plan.committed {
        spellings(&client_seed(plan.round_no, *seat), taints);
    }
    let cards = |codes: &[String]| codes.iter().map(|code| code.parse().unwrap()).collect();
    let deck: Vec<Card> = cards(&settled.deck);
    card_pairs(&deck, taints);
    let dealer: Vec<Card> = cards(&settled.bank.unwrap().cards);
    card_pairs(&dealer, taints);
    for hand in &dealt.hands {
        let hand: Vec<Card> = cards(&hand.cards);
        card_pairs(&hand, taints);
    }
    for record in &settled.records {
        taints.insert(record.envelope[record.envelope.len() / 2..][..24].to_vec());
    }
}

/// The search below, in a process of its own: with every crate logging at TRACE it has more
/// to say than a log of tests should hold.
#[test]
fn nothing_secret_and_nothing_of_callers_is_exported() {
    let this = std::env::current_exe().unwrap();
    let search = ["--ignored", "--exact", "secrets::all_that_is_exported_is_searched"];
    let output = std::process::Command::new(this).args(search).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "a process of the test above"]
fn all_that_is_exported_is_searched() {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let collector = runtime.block_on(Collector::start(None));
    let config = TelemetryConfig {
        otlp_endpoint: Some(format!("http://{}", collector.address)),
        otlp_ca_file: None,
        otlp_timeout: Duration::from_secs(30),
        metrics_interval: Duration::from_secs(3600),
        sample_ratio_ppm: 1_000_000,
        prometheus_listen: Some("127.0.0.1:0".parse().unwrap()),
        environment: "test".to_owned(),
        instance: None,
        round_ids: false,
    };
    // As much as can be asked for.
    let log = LogConfig { filter: "trace".to_owned(), json: true, lines_per_second: 1_000_000 };
    let facts = InstanceFacts { version: "test", revision: "test", instance: "here".to_owned() };
    let telemetry = telemetry::install(&config, &log, LogOutput::Stderr, &facts).unwrap();

    let mut taints = BTreeSet::from([PLANTED.as_bytes().to_vec()]);
    spellings(epoch_secret().expose(), &mut taints);
    spellings(&casino::token_key(), &mut taints);
    spellings(casino::receipt_key().expose(), &mut taints);
    runtime.block_on(async {
        for (casino, tenant) in [(Casino::new(), "dev"), (Casino::fresh(), "locked")] {
            let world = LoadedEngine::new(casino.context.clone(), casino.keys.clone());
            let build = BuildFacts {
                version: "test",
                git_revision: "test",
                executable_sha256: None,
                self_test_digest: self_test::run().unwrap(),
            };
            let entropy = |buffer: &mut [u8]| server::entropy(buffer).map_err(|_| NoEntropy);
            let state = ServiceState::new(world, build, || NOW, entropy);
            let service = Service::new(state, Access::of_everybody(id(tenant)))
                .counted(telemetry.meters(), config.round_ids);
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
            let address = listener.local_addr().unwrap();
            let (stop, stopped) = oneshot::channel::<()>();
            let serving = tokio::spawn(async move {
                let stop = async {
                    drop(stopped.await);
                    Stop::Interrupted
                };
                server::serve(listener, service, &wire::config(address), stop).await.unwrap()
            });
            let mut client = wire::connect_to(address).await;
            let mut prev = None;
            for round_no in 1..=ROUNDS {
                let chained = prev.take().filter(|_| policy(tenant).chain_required);
                let plan = RoundPlan::random_of_all(tenant, round_no, chained, 5);
                play(&mut client, &casino, &plan, &mut prev, &mut taints).await;
            }
            drop((client, stop));
            serving.await.unwrap();
        }
    });
    let mut scrape = TcpStream::connect(telemetry.scraped_at().unwrap()).unwrap();
    scrape.write_all(b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut scraped = Vec::new();
    scrape.read_to_end(&mut scraped).unwrap();
    assert!(telemetry.shutdown(config.otlp_timeout), "everything was exported");

    let received = collector.received();
    let calls = usize::try_from(ROUNDS * 2 * 4).unwrap();
    assert_eq!((received.spans().len(), received.records().len() >= calls / 2), (calls, true));
    // Other crates have logged at every level, and none of it left.
    for scope in received.logs.iter().flat_map(|one| &one.resource_logs) {
        for scope in &scope.scope_logs {
            let name = &scope.scope.as_ref().unwrap().name;
            assert!(name.starts_with("paigow"), "{name} is not ours");
        }
    }
    let mut exported = scraped;
    for request in &received.traces {
        exported.extend(request.encode_to_vec());
        exported.extend(format!("{request:?}").into_bytes());
    }
    for request in &received.metrics {
        exported.extend(request.encode_to_vec());
        exported.extend(format!("{request:?}").into_bytes());
    }
    for request in &received.logs {
        exported.extend(request.encode_to_vec());
        exported.extend(format!("{request:?}").into_bytes());
    }
    assert!(exported.len() > 500_000, "{} bytes", exported.len());
    assert_clean("telemetry", &exported, &taints);
}
