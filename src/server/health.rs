//! Asks a running server how it is, for where there is no shell to ask with.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use tonic::transport::Endpoint;
use tonic_health::pb::HealthCheckRequest;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;

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
