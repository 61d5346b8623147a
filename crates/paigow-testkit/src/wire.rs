//! A server in this process, and the messages to send to it.

use std::net::SocketAddr;
use std::time::Duration;

use paigow::rpc::{BuildFacts, LoadedEngine, ServiceState};
use paigow::server::{self, Service, Stop};
use paigow_config::access::Access;
use paigow_config::{Config, ServerConfig};
use paigow_engine::self_test;
use paigow_round::NoEntropy;
use tokio::sync::oneshot;

use super::casino::{Casino, NOW, id};

pub use super::messages::*;

/// A client of a server.
pub type WireClient = paigow_client::PaiGowServiceClient<tonic::transport::Channel>;

/// A server in this process. It ends when it is dropped.
#[derive(Debug)]
pub struct LocalServer {
    pub address: SocketAddr,
    _stop: oneshot::Sender<()>,
}

/// Starts a server for a tenant of a casino, on a port of the system's choice.
pub async fn start(casino: &Casino, tenant: &str) -> LocalServer {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let digest = self_test::run().unwrap();
    let build = BuildFacts {
        version: "test",
        git_revision: "test",
        executable_sha256: None,
        self_test_digest: digest,
    };
    let world = LoadedEngine::new(casino.context.clone(), casino.keys.clone());
    let entropy = |buffer: &mut [u8]| server::entropy(buffer).map_err(|_| NoEntropy);
    let state = ServiceState::new(world, build, || NOW, entropy);
    let service = Service::new(state, Access::of_everybody(id(tenant)));
    let config = config(address);
    let (stop, stopped) = oneshot::channel::<()>();
    tokio::spawn(async move {
        let stop = async {
            drop(stopped.await);
            Stop::Interrupted
        };
        server::serve(listener, service, &config, stop).await.unwrap();
    });
    LocalServer { address, _stop: stop }
}

/// Connects to a server.
pub async fn connect(running: &LocalServer) -> WireClient {
    connect_to(running.address).await
}

/// Connects to a server at an address.
pub async fn connect_to(address: SocketAddr) -> WireClient {
    let endpoint = tonic::transport::Endpoint::from_shared(format!("http://{address}"));
    let channel = endpoint.unwrap().connect().await.unwrap();
    WireClient::new(channel).max_decoding_message_size(64 << 20)
}

/// The settings of a server at an address.
pub fn config(listen: SocketAddr) -> ServerConfig {
    ServerConfig {
        listen,
        request_timeout: Duration::from_secs(10),
        // No caller here repeats a call that crosses the end of its connection.
        max_connection_age: Duration::from_secs(86_400),
        drain: Duration::ZERO,
        grace: Duration::ZERO,
        ..Config::load(None).unwrap().server
    }
}
