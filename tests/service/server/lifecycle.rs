//! Health, the drain, and peers that never leave.

use paigow::server::{ServeOutcome, StartError, Stop, check_health, listen, prepare};
use paigow_fairness::manifest::Manifest;
use paigow_fairness::record::{RecordEnvelope, RecordKind};
use paigow_files::keys::{self, KeyFile};
use paigow_proto::v1 as pb;
use tokio::net::TcpStream;
use tokio_stream::StreamExt as _;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

use crate::server::running::{RunningServer, config, deal};

const SERVICE: &str = "paigow.v1.PaiGowService";

async fn status(server: &RunningServer, service: &str) -> ServingStatus {
    let request = HealthCheckRequest { service: service.to_owned() };
    let mut client = HealthClient::new(server.channel().await);
    client.check(request).await.unwrap().into_inner().status()
}

#[tokio::test]
async fn health_is_told_of_the_server_and_of_the_service() {
    let server = RunningServer::with("").await;
    assert_eq!(status(&server, "").await, ServingStatus::Serving);
    assert_eq!(status(&server, SERVICE).await, ServingStatus::Serving);
    check_health(server.address).await.unwrap();
}

#[tokio::test]
async fn calls_are_answered_while_the_server_drains() {
    // The drain outlasts the test: nothing here depends on when it ends.
    let mut server = RunningServer::with("drain_ms = 300000").await;
    let mut client = server.client().await;
    let mut health = HealthClient::new(server.channel().await);
    let watched = HealthCheckRequest { service: SERVICE.to_owned() };
    let mut watch = health.watch(watched).await.unwrap().into_inner();
    assert_eq!(watch.next().await.unwrap().unwrap().status(), ServingStatus::Serving);

    server.stop(Stop::Terminated);
    assert_eq!(watch.next().await.unwrap().unwrap().status(), ServingStatus::NotServing);
    assert_eq!(status(&server, "").await, ServingStatus::NotServing);
    assert!(check_health(server.address).await.is_err());
    client.deal(deal(1)).await.unwrap();
    server.client().await.deal(deal(2)).await.unwrap();
}

#[tokio::test]
async fn after_the_drain_nothing_is_accepted() {
    let mut server = RunningServer::with("drain_ms = 1").await;
    let address = server.address;
    let mut client = server.client().await;
    client.get_engine(pb::GetEngineRequest::default()).await.unwrap();
    server.stop(Stop::Terminated);
    assert_eq!(server.ended().await, ServeOutcome::Drained);
    assert!(TcpStream::connect(address).await.is_err());
    assert!(client.get_engine(pb::GetEngineRequest::default()).await.is_err());
}

#[tokio::test]
async fn an_interrupt_goes_without_a_drain() {
    let mut server = RunningServer::with("drain_ms = 300000").await;
    server.stop(Stop::Interrupted);
    assert_eq!(server.ended().await, ServeOutcome::Drained);
}

#[tokio::test]
async fn an_open_watch_cannot_hold_the_process() {
    let settings = "drain_ms = 0\ngrace_ms = 2000\nrequest_timeout_ms = 2000";
    let mut server = RunningServer::with(settings).await;
    let mut health = HealthClient::new(server.channel().await);
    let mut watch = health.watch(HealthCheckRequest::default()).await.unwrap().into_inner();
    watch.next().await.unwrap().unwrap();
    server.stop(Stop::Terminated);
    assert_eq!(server.ended().await, ServeOutcome::CutOff);
}

#[tokio::test]
async fn a_silent_peer_cannot_hold_the_process() {
    // The time of a handshake is longer than the rest may take.
    let settings = "workers = 1\ndrain_ms = 0\ngrace_ms = 2000\nrequest_timeout_ms = 2000\n\
                    handshake_timeout_ms = 60000";
    let mut server = RunningServer::with(settings).await;
    let silent = TcpStream::connect(server.address).await.unwrap();
    // One worker serves connections in their order: when it answers the second, it has the first.
    server.client().await.get_engine(pb::GetEngineRequest::default()).await.unwrap();
    server.stop(Stop::Terminated);
    assert_eq!(server.ended().await, ServeOutcome::CutOff);
    drop(silent);
}

fn faults(settings: &str) -> Vec<String> {
    let home = tempfile::tempdir().unwrap();
    let error = prepare(&config(&home.path().join("keys"), settings)).unwrap_err();
    let StartError::Unfit(faults) = error else { panic!("{error}") };
    faults
}

#[test]
fn a_development_policy_stays_on_this_machine() {
    for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:50051"] {
        let faults = faults(&format!("listen = {listen:?}\nallow_plaintext = true"));
        assert!(faults.len() == 1 && faults[0].contains("allow_dev_policy"), "{faults:?}");
    }
    let home = tempfile::tempdir().unwrap();
    for listen in
        ["0.0.0.0:0\"\nallow_plaintext = true\nallow_dev_policy = true #", "[::1]:0", "127.0.0.9:0"]
    {
        let settings = format!("listen = \"{listen}\"");
        assert!(prepare(&config(&home.path().join("keys"), &settings)).is_ok(), "{settings}");
    }
}

#[test]
fn a_development_policy_of_an_older_manifest_stays_on_this_machine_too() {
    let home = tempfile::tempdir().unwrap();
    let keyring = home.path().join("keys");
    prepare(&config(&keyring, "")).unwrap();
    // The newest manifest demands locks and chains of everybody.
    let chain = keyring.join(keys::MANIFESTS);
    let first = RecordEnvelope::parse(std::fs::read_to_string(&chain).unwrap().trim().as_bytes());
    let first = first.unwrap();
    let manifest = Manifest::parse(first.json().unwrap()).unwrap();
    let mut newer = Manifest { seq: 2, prev: first.hash(), ..manifest };
    for tenant in &mut newer.tenants {
        tenant.policy.lock_required = true;
        tenant.policy.chain_required = true;
    }
    let root = newer.root.keys[0].kid();
    let key = KeyFile::read(&keyring.join(format!("root-{root}.key")), None).unwrap();
    let KeyFile::Signing { key, .. } = key else { panic!("the root signs") };
    let second = RecordEnvelope::seal(RecordKind::Manifest, &newer.to_json(), &[&key]);
    std::fs::write(&chain, format!("{}\n{}\n", first.to_line(), second.to_line())).unwrap();

    assert!(prepare(&config(&keyring, "")).is_ok());
    let error =
        prepare(&config(&keyring, "listen = \"0.0.0.0:0\"\nallow_plaintext = true")).unwrap_err();
    let StartError::Unfit(faults) = error else { panic!("{error}") };
    assert!(faults.len() == 1 && faults[0].contains("allow_dev_policy"), "{faults:?}");
}

#[test]
fn every_reason_not_to_start_is_told_at_once() {
    let faults = faults("listen = \"0.0.0.0:0\"\nallow_plaintext = true\ntenant = \"nobody\"");
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].contains("nobody") && faults[1].contains("loopback"), "{faults:?}");
}

#[tokio::test]
async fn an_address_in_use_is_no_fault_of_the_configuration() {
    let server = RunningServer::with("").await;
    let home = tempfile::tempdir().unwrap();
    let settings = format!("listen = \"{}\"", server.address);
    let error = listen(&config(home.path(), &settings).server).await.unwrap_err();
    assert!(!error.is_of_configuration(), "{error}");
}
