//! The health of the server: the service that reports it, and a client for images without a shell.

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

/// The names that the health service knows. The empty one is the whole server, and the default of
/// probes.
const NAMES: [&str; 2] = ["", SERVICE];

/// The name that reports whether new rounds can begin as well. Open rounds can be settled in any
/// case, so the names above do not depend on it.
const DEAL: &str = Method::Deal.full_name();

/// How many connections of probes may be open.
pub(super) const PROBES: usize = 64;

/// How many calls each of them may have open.
const PROBE_STREAMS: u32 = 8;

/// How old each of them may become.
const PROBE_AGE: Duration = Duration::from_secs(600);

/// The health that the server reports.
#[derive(Clone)]
pub(super) struct Health {
    reporter: HealthReporter,
    service: HealthServer<HealthService>,
    /// Whether calls are accepted: not before the start is complete, and not in a drain.
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

    /// Listens for probes without TLS, and returns the future that serves them. There are few of them,
    /// and the limits of callers apply to them.
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
            // For the request and the head of its answer alone: a watch may last long.
            .timeout(config.request_timeout)
            .http2_keepalive_interval(Some(config.keepalive))
            .add_service(self.service());
        Ok(async move {
            if let Err(error) = serving.serve_with_incoming(incoming).await {
                tracing::error!(%error, "the health listener failed: probes get no answer");
            }
        })
    }

    /// Reports that calls are accepted.
    pub(super) async fn serving(&self) {
        self.taken.store(true, Ordering::SeqCst);
        self.tell().await;
    }

    /// Reports that calls must go elsewhere.
    pub(super) async fn not_serving(&self) {
        self.taken.store(false, Ordering::SeqCst);
        self.tell().await;
    }

    /// Reports every change of the obstacles to new rounds, for ever.
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

/// How long the client waits for an answer.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why a server does not count as healthy.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HealthError {
    /// Nothing can be reached at the address.
    #[error("cannot reach {0}")]
    Unreachable(SocketAddr),
    /// A server answers, but not like a health service.
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
/// If it cannot be reached within two seconds, or does not report that it serves.
pub async fn check(listen: SocketAddr) -> Result<(), HealthError> {
    // A server that listens on every address is asked on the loopback address.
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
