//! How the server is: what it says of itself, and how to ask it where there is no shell to
//! ask with.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::sync::watch;
use tonic::transport::{Endpoint, Server};
use tonic_health::ServingStatus as ReportedStatus;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::health_server::HealthServer;
use tonic_health::server::{HealthReporter, HealthService};

use super::call_limits::PUBLIC_MESSAGE_BYTES;
use super::{ServeError, workers};
use crate::rpc::{Impediments, Method, SERVICE};
use paigow_config::ServerConfig;

/// The names that health is told by: the empty one is the whole server, which is what a
/// bare probe asks for.
const NAMES: [&str; 2] = ["", SERVICE];

/// Whether new rounds can begin as well. Rounds that are open are settled in any case, so
/// the names above do not depend on it.
const DEAL: &str = Method::Deal.full_name();

/// How many connections of probes may be open.
pub(super) const PROBES: usize = 64;

/// How many calls each of them may have open.
const PROBE_STREAMS: u32 = 8;

/// How old each of them may become.
const PROBE_AGE: Duration = Duration::from_secs(600);

/// What the server says of itself.
#[derive(Clone)]
pub(super) struct Health {
    reporter: HealthReporter,
    service: HealthServer<HealthService>,
    /// Whether calls are taken: not before the start is complete, and not in a drain.
    taken: Arc<AtomicBool>,
    impediments: watch::Receiver<Impediments>,
}

impl Health {
    /// Begins with `NOT_SERVING`.
    pub(super) async fn new(impediments: watch::Receiver<Impediments>) -> Self {
        let reporter = HealthReporter::new();
        let service = HealthServer::new(HealthService::from_health_reporter(reporter.clone()))
            .max_decoding_message_size(usize::try_from(PUBLIC_MESSAGE_BYTES).unwrap_or(usize::MAX));
        let health = Self { reporter, service, taken: Arc::default(), impediments };
        health.tell().await;
        health
    }

    /// Returns the health service (gRPC Health Checking Protocol, v1).
    pub(super) fn service(&self) -> HealthServer<HealthService> {
        self.service.clone()
    }

    /// Listens for probes that know no TLS, and returns what serves them. They are few, and
    /// held to what callers are held to.
    ///
    /// # Errors
    ///
    /// If the system refuses the address.
    pub(super) async fn listen(
        &self,
        address: SocketAddr,
        config: &ServerConfig,
    ) -> Result<impl Future<Output = ()> + Send + 'static, ServeError> {
        let refused = |error| ServeError::Health { address, error };
        let listener = TcpListener::bind(address).await.map_err(refused)?;
        let incoming = workers::few(listener, PROBES, config.handshake_timeout, PROBE_AGE);
        let serving = Server::builder()
            .max_concurrent_streams(PROBE_STREAMS)
            .max_connection_age(PROBE_AGE)
            // Of the request and the head of its answer: who watches may do so for long.
            .timeout(config.request_timeout)
            .http2_keepalive_interval(Some(config.keepalive))
            .add_service(self.service());
        Ok(async move {
            if let Err(error) = serving.serve_with_incoming(incoming).await {
                tracing::error!(%error, "health is no longer told to probes");
            }
        })
    }

    /// Says that calls are taken.
    pub(super) async fn serving(&self) {
        self.taken.store(true, Ordering::SeqCst);
        self.tell().await;
    }

    /// Says that calls are to go elsewhere.
    pub(super) async fn not_serving(&self) {
        self.taken.store(false, Ordering::SeqCst);
        self.tell().await;
    }

    /// Tells every change of what keeps new rounds from beginning, for ever.
    pub(super) async fn follow(mut self) {
        while self.impediments.changed().await.is_ok() {
            self.tell().await;
        }
    }

    async fn tell(&self) {
        let said =
            |serves| if serves { ReportedStatus::Serving } else { ReportedStatus::NotServing };
        let taken = self.taken.load(Ordering::SeqCst);
        let deals = taken && !self.impediments.borrow().any();
        for name in NAMES {
            self.reporter.set_service_status(name, said(taken)).await;
        }
        self.reporter.set_service_status(DEAL, said(deals)).await;
    }
}

/// How long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why a server is not found in health.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HealthError {
    /// Nothing can be reached at the address.
    #[error("cannot reach {0}")]
    Unreachable(SocketAddr),
    /// Something answers, but not as a health service does.
    #[error("no answer to a health check")]
    NoAnswer,
    /// The server says that it is not serving.
    #[error("not serving")]
    NotServing,
}

/// Asks the server that listens on `listen` whether it serves.
///
/// # Errors
///
/// If it cannot be reached within two seconds, or does not say that it serves.
pub async fn check(listen: SocketAddr) -> Result<(), HealthError> {
    // Who listens on every address is asked on this machine's own.
    let ip = match listen.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        IpAddr::V4(_) | IpAddr::V6(_) => listen.ip(),
    };
    let address = SocketAddr::new(ip, listen.port());
    let unreachable = |_| HealthError::Unreachable(address);
    let channel = Endpoint::from_shared(format!("http://{address}"))
        .map_err(unreachable)?
        .connect_timeout(PATIENCE)
        .timeout(PATIENCE)
        .connect()
        .await
        .map_err(unreachable)?;
    let answer = HealthClient::new(channel)
        .check(HealthCheckRequest::default())
        .await
        .map_err(|_| HealthError::NoAnswer)?;
    match answer.into_inner().status() {
        ServingStatus::Serving => Ok(()),
        ServingStatus::Unknown | ServingStatus::NotServing | ServingStatus::ServiceUnknown => {
            Err(HealthError::NotServing)
        }
    }
}
