//! The process: start, listen, limits, health, reflection, and an orderly end.

mod answer_body;
mod banner;
mod guard;
mod health;
mod host;
mod message_size;
mod start;
mod verification;

use std::sync::Arc;
use std::time::Duration;

use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::oneshot;
use tokio::time::{sleep, timeout};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic_health::ServingStatus;

pub use banner::banner;
pub use health::{HealthError, check as check_health};
pub use host::{entropy, now};
pub use start::{StartError, check_rules, prepare};
pub use verification::{Verdict, Verifier};

use crate::config::ServerConfig;
use crate::rpc::pb::pai_gow_service_server::PaiGowServiceServer;
use crate::rpc::{METHODS, PaiGow, State, pb, status};
use crate::telemetry::CallLayer;
use guard::GuardLayer;

/// How long a peer may take to answer a keepalive ping.
const KEEPALIVE_ANSWER: Duration = Duration::from_secs(20);

/// Who asks the process to end.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Stop {
    /// An orchestrator, SIGTERM: load balancers must notice before the listener closes.
    Terminated,
    /// Someone at a keyboard, SIGINT: there is nobody to tell.
    Interrupted,
}

/// How serving ended.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Ended {
    /// Every call was answered.
    Drained,
    /// Calls or connections were left when the grace was over.
    CutOff,
}

/// Why serving stopped.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The descriptors that are compiled in cannot be read.
    #[error("cannot describe the services: {0}")]
    Reflection(#[from] tonic_reflection::server::Error),
    /// The transport has failed.
    #[error("cannot serve: {0}")]
    Transport(#[from] tonic::transport::Error),
}

/// Binds the configured address.
///
/// # Errors
///
/// If the system refuses it.
pub async fn listen(config: &ServerConfig) -> Result<TcpListener, StartError> {
    let address = config.listen;
    TcpListener::bind(address).await.map_err(|error| StartError::Listen { address, error })
}

/// Completes when the process is asked to end, by SIGTERM or SIGINT.
///
/// # Errors
///
/// If the system lets no signal be listened to.
pub fn asked_to_stop() -> std::io::Result<impl Future<Output = Stop>> {
    let mut terminate = signal(SignalKind::terminate())?;
    let mut interrupt = signal(SignalKind::interrupt())?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => Stop::Terminated,
            _ = interrupt.recv() => Stop::Interrupted,
        }
    })
}

/// Serves until `stop` completes, then drains.
///
/// 1. Health turns `NOT_SERVING`; calls are still answered for `config.drain`, while load
///    balancers and clients look elsewhere. [`Stop::Interrupted`] goes without.
/// 2. The listener closes, connections are sent GOAWAY, and open calls get `config.grace`
///    to end.
///
/// # Errors
///
/// If the descriptors or the transport are unusable.
pub async fn serve(
    listener: TcpListener,
    state: State,
    config: &ServerConfig,
    stop: impl Future<Output = Stop>,
) -> Result<Ended, ServeError> {
    let (health, health_service) = tonic_health::server::health_reporter();
    // The empty name is the whole server, which is what a bare probe asks for.
    health.set_service_status("", ServingStatus::NotServing).await;
    health.set_not_serving::<PaiGowServiceServer<PaiGow>>().await;

    let described = || {
        tonic_reflection::server::Builder::configure()
            .register_encoded_file_descriptor_set(pb::DESCRIPTORS)
            .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
    };
    let reflection = config.reflection.then(|| described().build_v1()).transpose()?;
    // Python's client speaks the older one.
    let reflection_alpha = config.reflection.then(|| described().build_v1alpha()).transpose()?;
    // The guard refuses what is too large for a method before this limit is looked at.
    let largest = config.play_message_bytes.max(config.audit_message_bytes);
    let largest = usize::try_from(largest).unwrap_or(usize::MAX);
    let service =
        PaiGowServiceServer::new(PaiGow::new(Arc::new(state))).max_decoding_message_size(largest);

    let (close, closed) = oneshot::channel::<()>();
    let serving = Server::builder()
        .max_concurrent_streams(config.max_concurrent_streams)
        .max_connection_age(config.max_connection_age)
        .http2_keepalive_interval(Some(config.keepalive))
        .http2_keepalive_timeout(Some(KEEPALIVE_ANSWER))
        .layer(CallLayer::new(&METHODS, status::reason))
        .layer(GuardLayer::new(config))
        .add_service(health_service)
        .add_optional_service(reflection)
        .add_optional_service(reflection_alpha)
        .add_service(service)
        .serve_with_incoming_shutdown(
            TcpIncoming::from(listener).with_nodelay(Some(true)),
            async { closed.await.unwrap_or_default() },
        );
    tokio::pin!(serving);

    health.set_service_status("", ServingStatus::Serving).await;
    health.set_serving::<PaiGowServiceServer<PaiGow>>().await;
    let stop = tokio::select! {
        ended = &mut serving => return Ok(ended.map(|()| Ended::Drained)?),
        stop = stop => stop,
    };
    tracing::info!("draining");
    health.set_service_status("", ServingStatus::NotServing).await;
    health.set_not_serving::<PaiGowServiceServer<PaiGow>>().await;
    let drain = match stop {
        Stop::Terminated => config.drain,
        Stop::Interrupted => Duration::ZERO,
    };
    tokio::select! {
        ended = &mut serving => return Ok(ended.map(|()| Ended::Drained)?),
        () = sleep(drain) => {}
    }
    drop(close);
    // `serve_with_incoming_shutdown` waits for ever on a peer that never leaves.
    match timeout(config.grace, serving).await {
        Ok(ended) => Ok(ended.map(|()| Ended::Drained)?),
        Err(_) => Ok(Ended::CutOff),
    }
}
