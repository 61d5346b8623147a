//! A server that listens on a port of this machine, with a keyring of its own.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::Path;

use paigow::server::{self, ServeError, ServeOutcome, Stop};
use paigow_client::PaiGowServiceClient;
use paigow_config::Config;
use paigow_proto::v1 as pb;
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::Status;
use tonic::transport::Channel;
use tonic_types::StatusExt as _;

/// A server in this process, until it is dropped.
pub struct RunningServer {
    /// Where it listens.
    pub address: SocketAddr,
    stop: Option<oneshot::Sender<Stop>>,
    ended: JoinHandle<Result<ServeOutcome, ServeError>>,
    /// Its keyring, if only this server uses it.
    _home: Option<TempDir>,
}

impl RunningServer {
    /// Starts a server with lines of its `[server]` section.
    pub async fn with(settings: &str) -> Self {
        let home = tempfile::tempdir().unwrap();
        let mut running = Self::on(&home.path().join("keys"), settings).await;
        running._home = Some(home);
        running
    }

    /// Starts a server on a keyring folder.
    pub async fn on(keys: &Path, settings: &str) -> Self {
        let config = config(keys, settings);
        let service = server::prepare(&config).unwrap();
        let listener = server::listen(&config.server).await.unwrap();
        let address = listener.local_addr().unwrap();
        let (stop, stopped) = oneshot::channel();
        let ended = tokio::spawn(async move {
            let stop = async { stopped.await.unwrap_or(Stop::Interrupted) };
            server::serve(listener, service, &config.server, stop).await
        });
        Self { address, stop: Some(stop), ended, _home: None }
    }

    /// Asks it to stop.
    pub fn stop(&mut self, why: Stop) {
        self.stop.take().unwrap().send(why).unwrap();
    }

    /// Waits until it has ended.
    pub async fn ended(self) -> ServeOutcome {
        self.ended.await.unwrap().unwrap()
    }

    /// Connects to it.
    pub async fn channel(&self) -> Channel {
        let endpoint = Channel::from_shared(format!("http://{}", self.address)).unwrap();
        endpoint.connect().await.unwrap()
    }

    /// Connects to it as a caller of the service.
    pub async fn client(&self) -> PaiGowServiceClient<Channel> {
        PaiGowServiceClient::new(self.channel().await).max_decoding_message_size(1 << 26)
    }
}

/// Asks repeatedly until there is an answer, and gives up after a minute.
pub async fn eventually<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> T {
    let asking = async {
        loop {
            if let Some(answer) = ask().await {
                return answer;
            }
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(std::time::Duration::from_secs(60), asking).await.expect("an answer")
}

/// Reads settings: any port, this keyring, and the lines given.
pub fn config(keys: &Path, settings: &str) -> Config {
    let mut file = tempfile::NamedTempFile::new().unwrap();
    let listen = if settings.contains("listen") { "" } else { "listen = \"127.0.0.1:0\"" };
    write!(file, "[keyring]\ndirectory = {keys:?}\n[server]\n{listen}\n{settings}\n").unwrap();
    Config::load(Some(file.path())).unwrap()
}

/// Returns the transcript of rounds, beneath the manifests of the server.
pub async fn transcript(
    client: &mut PaiGowServiceClient<Channel>,
    rounds: &[Vec<pb::Record>],
) -> Vec<u8> {
    let manifests = client.list_manifests(pb::ListManifestsRequest::default()).await.unwrap();
    let manifests = manifests.into_inner().manifests;
    let records = manifests.iter().chain(rounds.iter().flatten());
    records.flat_map(|record| [&record.envelope[..], b"\n"].concat()).collect()
}

/// Returns the reason and the blamed fields that a status carries.
pub fn reason_and_fields(status: &Status) -> (String, Vec<String>) {
    let details = status.get_error_details();
    let info = details.error_info().unwrap_or_else(|| panic!("no details: {status:?}"));
    assert_eq!(info.domain, "paigow.v1");
    let fields = details
        .bad_request()
        .map(|bad| bad.field_violations.iter().map(|violation| violation.field.clone()).collect());
    (info.reason.clone(), fields.unwrap_or_default())
}

/// Opens round `round_no` inline at table `t1`, with one base wager of 10.00.
pub fn deal(round_no: i64) -> pb::DealRequest {
    let open = pb::OpenRoundRequest {
        table: "t1".to_owned(),
        round_no,
        ruleset: "mikes".to_owned(),
        ..pb::OpenRoundRequest::default()
    };
    let wager =
        pb::Wager { seat: 1, bet: "base".to_owned(), amount_minor: 1000, ..pb::Wager::default() };
    let sheet = pb::WagerSheet {
        currency: Some(pb::Currency { code: "USD".to_owned(), exponent: 2 }),
        wagers: vec![wager],
        bank_minor: Some(100_000),
        action_pile: Some(0),
        ..pb::WagerSheet::default()
    };
    pb::DealRequest {
        start: Some(pb::deal_request::Start::Open(open)),
        wagers: Some(pb::deal_request::Wagers::Sheet(sheet)),
        beacon_signature: String::new(),
    }
}

/// Settles the round of `dealt`, seat 1 by the house way.
pub fn settle(dealt: &pb::DealResponse) -> pb::SettleRequest {
    pb::SettleRequest {
        records: dealt.records.clone(),
        decisions: vec![pb::Decision {
            seat: 1,
            setting: Some(pb::decision::Setting::HouseWay(true)),
            ..pb::Decision::default()
        }],
        ..pb::SettleRequest::default()
    }
}
